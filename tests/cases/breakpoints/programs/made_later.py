# A function that only comes to be during the run.
def make():
    def late(x):
        return x  # 4 calls, 4 stops

    return late


def run():
    for _ in range(2):
        late = make()
        late(1)
        late(2)
