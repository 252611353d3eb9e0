"""Series as text."""
