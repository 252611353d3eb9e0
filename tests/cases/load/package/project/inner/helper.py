"""A helper."""

from torch.nn import ReLU as activation
