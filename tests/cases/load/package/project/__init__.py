"""The package."""

from .inner.net import Net
