"""Asks the user."""

input("How many layers? ")
