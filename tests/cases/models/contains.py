from torch import nn


class Net(nn.Module):
    def forward(self, batch):
        if "mask" in batch:
            return batch["x"] * batch["mask"]
        return batch["x"]
