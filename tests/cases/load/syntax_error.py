"""Not Python."""

class 3Net:
    pass
