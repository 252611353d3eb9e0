"""No header."""


def experiment():
    yield "a", 1, True


# no_lab.py assigns no LAB
