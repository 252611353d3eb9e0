"""A header and nothing to run."""

LAB = {"statement": "x", "said_by": "y", "verdict": "holds", "seen_on": ("1",), "meaning": "z", "break_at": ("a",)}

# no_experiment.py defines no experiment
