"""Functions of every shape, for the line on which a call stops."""

import contextlib
import functools


def traced(function):
    @functools.wraps(function)
    def wrapper(*args):  # def: sample.functions.traced.<locals>.wrapper function
        return function(*args)  # stop: sample.functions.traced.<locals>.wrapper

    return wrapper


def plain(a, b=2, /, c=3, *rest, d, e=5, **more):  # def: sample.functions.plain function
    """One line."""
    return a  # stop: sample.functions.plain sample.simple


@traced
@functools.lru_cache(
    maxsize=None,
)
def decorated(  # def: sample.functions.decorated function
    a,
    b=1,
):
    """A docstring

    over lines.
    """

    # a comment
    return a + b  # stop: sample.functions.decorated sample.decorated


def split_condition(a, b):
    if (
        a  # stop: sample.functions.split_condition
        and b
    ):
        return 1
    return 2


def split_return(a, b):
    return (  # stop: sample.functions.split_return
        a
        and b
    )


def split_call(a):
    print(  # stop: sample.functions.split_call
        a,
        end="",
    )


def split_assert(a):
    assert (
        a  # stop: sample.functions.split_assert
    ), "no"


def one_line(a): return a + 1  # stop: sample.functions.one_line


square = lambda x: x * x  # stop: sample.functions.square
longer = (
    lambda x: (
        x * 2  # stop: sample.functions.longer
    )
)
keyed = sorted  # def: sample.functions.keyed attribute
alias = plain  # def: sample.functions.alias attribute


def declares():
    global counter
    kind: int
    counter = 1  # stop: sample.functions.declares
    kind = 2
    return kind


def only_docstring():
    """Nothing else."""


def only_pass():
    pass  # stop: sample.functions.only_pass


def tries(a):
    try:  # stop: sample.functions.tries
        return int(a)
    except ValueError:
        return 0
    finally:
        a = None


def loops(items):
    while True:
        for item in items:
            print(item, end="")
        break


def numbers(n):
    """A generator."""
    for i in range(n):  # stop: sample.functions.numbers
        yield i


@contextlib.contextmanager
def opened(name):
    value = name.upper()  # stop: sample.functions.opened
    yield value


async def awaited(a):
    return a  # stop: sample.functions.awaited


def outer(a):
    def inner(  # stop: sample.functions.outer
        b: int,
    ) -> int:
        return b  # stop: sample.functions.outer.<locals>.inner

    class Local:
        def method(self):
            return a  # stop: sample.functions.outer.<locals>.Local.method

    return inner(a) + Local().method()


if True:

    def indented(a):
        text = """
not indented
"""
        return text + a


def with_first(a):
    with opened(a) as b:  # stop: sample.functions.with_first
        return b


def closure(a):
    b = a  # stop: sample.functions.closure

    def inside():
        nonlocal b
        b += 1  # stop: sample.functions.closure.<locals>.inside
        return b

    return inside()
