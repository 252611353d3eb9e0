"""Classes that lie about what they are."""

from torch import nn


class Liar:
    __class__ = nn.Linear


class Meta(type):
    def __instancecheck__(cls, value):
        return True

    def __subclasscheck__(cls, value):
        return True

    __mro__ = (nn.Module, object)


class Pretender(metaclass=Meta):
    pass


class Net(nn.Module):
    __class__ = int

    def __repr__(self):
        raise RuntimeError("no picture of me")

    def __getattr__(self, name):
        raise RuntimeError(name)


liar = Liar()
