from torch import nn


class Net(nn.Module):
    def __init__(self, block_size=8):
        super().__init__()
        self.block_size = block_size
        self.emb = nn.Embedding(10, 4)

    def forward(self, idx):
        b, t = idx.size()
        assert t <= self.block_size, "sequence too long"
        return self.emb(idx)
