"""Modules shared by several tests of gyre.nn."""

from common import gyre

if gyre:
    from gyre import nn


def net(seed=1):
    gyre.manual_seed(seed)
    return Net()


if gyre:
    class Net(nn.Module):
        """C++ layers and Python parameters together."""

        def __init__(self):
            super().__init__()
            self.first = nn.Linear(3, 4)
            self.scale = nn.Parameter(gyre.ones((4,)))
            self.rest = nn.Sequential(nn.ReLU(), nn.Dropout(0.25), nn.Linear(4, 2))

        def forward(self, x):
            return self.rest(self.first(x) * self.scale)

    class Tied(nn.Module):
        """One tensor under two names, in C++ layers."""

        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(5, 3)
            self.head = nn.Linear(3, 5, bias=False)
            self.head.weight = self.table.weight

        def forward(self, tokens):
            return self.head(self.table(tokens))
