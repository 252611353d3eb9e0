"""Entry point of `fxanchor` and `python -m fxanchor`."""


def main() -> None:
    """Run the command line; errors end the process with the exit code of their kind."""
    from fxanchor.cli.app import run

    run()


if __name__ == "__main__":
    main()
