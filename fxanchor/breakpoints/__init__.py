"""Definitions -> lines that stop, proven by a run of the user's model."""
