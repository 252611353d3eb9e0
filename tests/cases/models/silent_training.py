from torch import nn
import torch.nn.functional as F


class Net(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, self.training)
