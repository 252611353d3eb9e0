"""A header without a statement, and with a field that there is not."""

LAB = {"said_by": "common belief", "verdict": "holds", "seen_on": ("1",), "meaning": "", "break_at": (), "more": 1}


def experiment():
    yield "a", 1, True


# LAB of missing_field.py: ['statement'] missing, ['more'] unknown
