from torch import nn
from torch.hub import load_state_dict_from_url


def small_net(pretrained="imagenet"):
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
    if pretrained is not None:
        net.load_state_dict(load_state_dict_from_url("https://example.org/small_net.pth"))
    return net
