"""A module of a package inside a lazy one."""


def deeper():  # def: sample.lazily.structure.more.deep.deeper function
    return 1
