"""Methods that a loop sets on a class, from tables of names."""

from .tables import comparisons


class Value:
    def __init__(self, number):
        self.number = number


for name in comparisons:

    def _install(name):
        def compare(self, other):
            return name, other  # stop: sample.operators.Value.__lt__ sample.operators.Value.__ge__

        setattr(Value, f"__{name.strip('_')}__", compare)

    _install(name)


def _reflect(word):
    full = "__r" + word + "__"

    def reflected(self, other):
        return full  # stop: sample.operators.Value.__radd__

    setattr(Value, full, reflected)


for word in ["add", *("sub", "mul")]:
    _reflect(word)


for word in dir(Value):
    setattr(Value, word + "_copy", Value.__init__)
