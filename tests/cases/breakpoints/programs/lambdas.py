# A lambda has no def line; a generator inside a function of one line is not that function.
double = lambda x: (
    x * 2  # 5 calls, 5 stops
)


def one_line(): return sum(double(x) for x in (1, 2))  # 2 calls, 2 stops


def run():
    double(1)
    one_line()
    one_line()
