"""Allocates a little in each of several processes, and too much in all."""

import os
import time

for _ in range(4):
    if not os.fork():
        held = bytearray(b"x") * 100_000_000
        time.sleep(1000)
time.sleep(1000)
