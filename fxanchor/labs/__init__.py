"""Experiments on the installed torch, each a small file with its statement."""
