"""Deletes its own file."""

from pathlib import Path

Path(__file__).unlink()
