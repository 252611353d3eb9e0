"""A module that must never be imported."""


def after():  # def: sample.forbidden.after function
    return 1  # stop: sample.forbidden.after


raise SystemExit("imported")
