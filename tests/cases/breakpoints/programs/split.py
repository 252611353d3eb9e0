# A call over several lines comes back to its first line.
def call(function, *values):
    return function(  # 1 calls, 2 stops
        *values,
    )


def run():
    call(
        max,
        1,
        2,
    )
