"""Asks for an address with a method taken from under the module."""

import urllib.request

urllib.request.urlopen("http://example.invalid/weights.pt", timeout=5)
