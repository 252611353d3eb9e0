"""A script that builds a model of a library."""

import argparse

import torch
from torchvision import models

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--classes", type=int, default=7)
    net = models.squeezenet1_1(num_classes=parser.parse_args().classes)
    image = torch.rand(1, 3, 64, 64, device="cuda")
    net(image.cuda())
