"""Leaves a daemon: a grandchild in a session of its own, with no parent and no open file."""

import os
import time

child = os.fork()
if not child:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.closerange(0, 4096)
    os.chdir("/")
    time.sleep(1000)
os.waitpid(child, 0)
