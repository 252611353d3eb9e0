"""Forks a copy of itself that goes on as if it were the one."""

import os
import time

if os.fork():
    time.sleep(0.5)
    print("imported")
