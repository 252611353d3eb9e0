"""A header whose versions are a string."""

LAB = {"statement": "x", "said_by": "y", "verdict": "holds", "seen_on": "2.14.1", "meaning": "z", "break_at": ()}


def experiment():
    yield "a", 1, True


# LAB of wrong_type.py: ['seen_on'] of another type
