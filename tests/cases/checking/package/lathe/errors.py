class TurnError(ValueError):
    """Raised when nothing can be turned."""
