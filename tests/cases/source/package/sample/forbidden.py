"""A module that must never be imported."""

raise SystemExit("imported")


def after():  # def: sample.forbidden.after function
    return 1  # stop: sample.forbidden.after
