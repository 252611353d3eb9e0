"""A verdict that there is not."""

LAB = {"statement": "x", "said_by": "y", "verdict": "maybe", "seen_on": ("1",), "meaning": "z", "break_at": ("a",)}


def experiment():
    yield "a", 1, True


# LAB of wrong_verdict.py: no verdict 'maybe'
