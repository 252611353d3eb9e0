"""A module of a lazy package."""


def part():  # def: sample.lazily.structure.parts.part function
    return 1
