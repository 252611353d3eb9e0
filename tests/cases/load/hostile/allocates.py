"""Allocates without bound."""

held = []
while True:
    held.append(bytearray(10_000_000))
