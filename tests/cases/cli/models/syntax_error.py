import torch

def forward(x:
    return x
