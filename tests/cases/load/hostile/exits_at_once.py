"""Ends the process with all hooks left out."""

import os

os._exit(0)
