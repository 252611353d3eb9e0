# Decorators, properties, class methods and context managers; a raising call counts.
import contextlib
import functools


def plain(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)  # 1 calls, 1 stops

    return wrapper


class Thing:
    @property
    def size(self):
        return 3  # 2 calls, 2 stops

    @classmethod
    def make(cls):
        return cls()  # 1 calls, 1 stops

    @plain
    def fail(self):
        raise KeyError  # 1 calls, 1 stops


@contextlib.contextmanager
def opened():
    before = 1  # 1 calls, 1 stops
    try:
        yield before
    finally:
        before = 2  # 1 calls, 1 stops


def run():
    thing = Thing.make()
    with opened():
        thing.size + thing.size
    with contextlib.suppress(KeyError):
        thing.fail()
