# A lambda has no def line; one inside a function of one line is not that function.
double = lambda x: (
    x * 2  # 5 calls, 5 stops
)


def one_line(): return [double(x) for x in (1, 2)]  # 2 calls, 2 stops


def run():
    double(1)
    one_line()
    sorted(y for y in one_line()) and 0
