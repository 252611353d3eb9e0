"""A header that must be executed to be read."""

LAB = {"statement": "x" * 2, "said_by": "y", "verdict": "holds", "seen_on": ("1",), "meaning": "z", "break_at": ("a",)}


def experiment():
    yield "a", 1, True


# malformed node or string
