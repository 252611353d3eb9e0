"""Entry point of `fxanchor` and `python -m fxanchor`."""


def main() -> None:
    """Run the command line; errors end the process with the exit code of their kind."""
    try:
        from fxanchor.cli.app import run

        run()
    except KeyboardInterrupt:
        # Before the command line stands, or while it ends; in between it says so itself.
        import sys

        sys.exit(130)


if __name__ == "__main__":
    main()
