"""Prints 20 megabytes."""

for _ in range(20_000):
    print("x" * 1000)
