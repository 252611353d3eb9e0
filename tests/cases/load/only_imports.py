"""Imports what others define."""

from no_arguments import Net
