from torch import nn

model = nn.ModuleList([nn.Linear(4, 4), nn.ReLU()])
