"""Writes to every file that is open."""

import os

for descriptor in range(256):
    try:
        os.write(descriptor, b'{"kind": "result", "body": {"value": {"forged": true}}}\n')
    except OSError:
        pass
