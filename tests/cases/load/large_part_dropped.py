"""What is made is large, what is kept is small."""

from torch import nn


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Linear(8, 8)
        self.classifier = nn.Linear(12_000, 12_000)

    def forward(self, x):
        return self.classifier(self.features(x))


class Detector(nn.Module):
    def __init__(self, backbone):
        super().__init__()
        self.features = backbone.features

    def forward(self, x):
        return self.features(x)


def detector():
    return Detector(Backbone())
