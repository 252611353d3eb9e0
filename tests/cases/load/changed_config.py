"""The configuration is changed after it is made: the call does not say what the model is."""

from dataclasses import dataclass

from torch import nn


@dataclass
class Config:
    width: int = 4


class Net(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.linear = nn.Linear(config.width, 1)


if __name__ == "__main__":
    config = Config()
    config.width = 64
    model = Net(config)
