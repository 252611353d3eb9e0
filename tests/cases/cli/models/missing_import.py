import surely_no_such_package
import torch


class Net(surely_no_such_package.Base):
    def forward(self, x):
        return x + 1
