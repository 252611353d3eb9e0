# A line of a loop stops often in one call.
def total(values):
    result = 0
    for value in values:  # 2 calls, 7 stops
        result += value  # 2 calls, 5 stops
    return result  # 2 calls, 2 stops


def run():
    total([1, 2, 3])
    total([4, 5])
