"""Breakpoints in the forms that debuggers and editors read."""
