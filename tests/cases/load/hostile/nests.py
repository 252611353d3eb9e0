"""Uses up the stack."""

import sys

sys.setrecursionlimit(10**9)


class Nested:
    def __getattr__(self, name):
        return getattr(self, name + "x")


Nested().a
