# The def statement of a nested function is not a call of it; one line can hold several functions.
def outer(n):
    def inner(x):
        return x + n  # 3 calls, 3 stops

    pair = lambda: (inner(1), inner(2)); pair()  # 1 calls, 1 stops
    return inner(3)


def never():
    return 0  # not reached


def run():
    outer(1)
