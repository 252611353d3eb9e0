# Each call of a recursive function is a frame of its own, also when a line is reached again after the inner call.
def depth(tree):
    found = 0  # 4 calls, 4 stops
    for branch in tree:
        found = max(found, depth(branch))  # 2 calls, 3 stops
    return found + 1  # 4 calls, 4 stops


def run():
    depth([[], [[]]])
