"""Entry point of `fxanchor` and `python -m fxanchor`."""

import gc

# Objects that may be made before Python looks for cycles among them. A paper is hundreds of thousands of small objects
# and hardly a cycle: at Python's own 700 the looking takes a tenth of `map`.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def main() -> None:
    """Run the command line; errors end the process with the exit code of their kind."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    try:
        from fxanchor.cli.app import run

        run()
    except KeyboardInterrupt:
        # Before the command line stands, or while it ends; in between it says so itself.
        import sys

        sys.exit(130)
    finally:
        # The process ends and gives back all at once; to look for cycles first would take another tenth.
        gc.freeze()


if __name__ == "__main__":
    main()
