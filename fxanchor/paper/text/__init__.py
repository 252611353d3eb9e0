"""Blocks written out as passages, every letter with its place."""
