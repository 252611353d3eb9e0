import functools

from torch import nn


def traced(function):
    @functools.wraps(function)
    def wrapper(self, *args, **kwargs):
        options = dict(kwargs)
        options.setdefault("scale", 2)
        return function(self, *args, **options)

    return wrapper


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(4, 4)

    @traced
    def forward(self, x, mask=None, scale=1, **kwargs):
        y = self.lin(x)
        return y if mask is None else y * mask
