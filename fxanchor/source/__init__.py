"""Installed package -> index of its definitions, found without importing it."""
