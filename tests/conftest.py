"""What every test starts from."""

import signal

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start: then no test could
# interrupt anything.
signal.signal(signal.SIGINT, signal.default_int_handler)
