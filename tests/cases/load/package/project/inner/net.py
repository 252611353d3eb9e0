"""A module in a package, with relative, absolute and project imports."""

import project.sizes
from shared_part.layers import Layer

from ..sizes import WIDTH
from .helper import activation


class Net(Layer):
    def __init__(self):
        super().__init__(WIDTH, project.sizes.DEPTH)
        self.activation = activation()
