"""Never comes to its end."""

import time

from torch import nn


class Net(nn.Module):
    pass


while True:
    try:
        time.sleep(0.01)
    except Exception:
        pass
