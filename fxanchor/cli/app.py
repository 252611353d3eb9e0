"""The command line as a whole: the commands, and how an error becomes one sentence and an exit code."""


def run() -> None:
    """Run the command named by `sys.argv`."""
    raise NotImplementedError
