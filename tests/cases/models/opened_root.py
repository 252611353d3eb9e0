from torch import nn

model = nn.BatchNorm2d(3)
