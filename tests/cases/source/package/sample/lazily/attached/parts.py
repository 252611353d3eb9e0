"""A module of a lazy package."""


def part():  # def: sample.lazily.attached.parts.part function
    return 1
