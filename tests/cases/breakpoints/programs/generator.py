# A generator that goes on is still the same call.
def numbers():
    for number in range(3):
        yield number  # 2 calls, 6 stops
    yield 9  # 2 calls, 2 stops


def run():
    list(numbers())
    list(numbers())
