"""Closes every file of the process."""

import os

os.closerange(0, 4096)
