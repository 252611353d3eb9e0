from torch import nn


class Net(nn.Module):
    def forward(self, x):
        print(f"{x.shape[0]:d} rows")
        return x * 2
