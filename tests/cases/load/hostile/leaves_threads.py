"""Leaves a thread that never ends, and a hook that would wait for ever."""

import atexit
import threading
import time


def wait():
    while True:
        time.sleep(1)


threading.Thread(target=wait).start()
atexit.register(wait)
