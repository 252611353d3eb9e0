"""What is done on a lathe."""

from lathe.engine import Engine
from lathe.errors import TurnError


def turn(engine: Engine, depth: float, *, passes: int = 1) -> Engine:
    """Turn a piece."""
    if depth < 0:
        raise TurnError(f"the depth {depth} is negative")
    return engine


def polish(engine: Engine) -> None:
    turn(engine, 0.1, passes=3)


def drill(engine: Engine, **options: int) -> None:
    engine.start(1.0)
