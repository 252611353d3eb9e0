"""Replaces functions that are needed to report."""

import builtins
import json
import os
import sys
import time


def broken(*_arguments, **_named):
    raise RuntimeError("replaced")


for module, names in ((os, "write open close _exit getpid"), (json, "dumps loads"), (time, "time monotonic sleep")):
    for name in names.split():
        setattr(module, name, broken)
builtins.open = builtins.print = broken
sys.exit = sys.excepthook = broken
sys.stdout = sys.stderr = None
