"""Writes control characters, also into an error's message."""

print("\x1b[31mred\x1b[0m\r\u202e", end="")
raise ValueError("\x1b]0;owned\x07\x1b[2J")
