"""A name that a library has no more."""

from torch import nn
from torchvision.models import absent_net, resnet18


class Net(nn.Module):
    pass


assert callable(resnet18)
