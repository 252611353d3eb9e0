"""A module that is called as the function in it."""


def leaf():  # def: sample.lazily.table.leaf.leaf function
    return 1


def twig():  # def: sample.lazily.table.leaf.twig function
    return 2
