"""Takes every signal that can be taken, and spins."""

import signal

for number in signal.valid_signals():
    try:
        signal.signal(number, lambda *_: None)
    except (OSError, ValueError):
        pass
while True:
    pass
