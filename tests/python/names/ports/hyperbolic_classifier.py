"""A classifier in the Poincaré ball: points of a tree as manifold parameters, a linear layer in the tangent space and
distances to class centres, trained by Riemannian Adam."""

import argparse

import geoopt
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class MobiusLinear(nn.Linear):
    def __init__(self, *args, ball, **kwargs):
        super().__init__(*args, **kwargs)
        self.ball = ball
        self.bias = geoopt.ManifoldParameter(torch.zeros_like(self.bias), manifold=ball)
        with torch.no_grad():
            self.weight.normal_(std=0.5)

    def forward(self, x):
        out = self.ball.mobius_matvec(self.weight, x)
        return self.ball.projx(self.ball.mobius_add(out, self.bias))


class HyperbolicClassifier(nn.Module):
    def __init__(self, nodes, classes, dim=4, c=1.0):
        super().__init__()
        self.ball = geoopt.PoincareBall(c=c, learnable=True)
        self.points = geoopt.ManifoldParameter(self.ball.expmap0(torch.randn(nodes, dim) * 0.1).detach(), manifold=self.ball)
        self.linear = MobiusLinear(dim, dim, ball=self.ball)
        self.centres = geoopt.ManifoldParameter(torch.zeros(classes, dim), manifold=self.ball)
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, index):
        x = self.linear(self.points[index])
        x = self.ball.expmap0(torch.tanh(self.ball.logmap0(x)))
        return -self.scale * self.ball.dist(x[:, None], self.centres[None])


def tree(depth=5):
    """Node numbers of a binary tree and the branch of the second level that each is in."""
    nodes = np.arange(3, 2 ** depth - 1)
    labels = nodes.copy()
    while (labels > 6).any():
        labels = np.where(labels > 6, (labels - 1) // 2, labels)
    return torch.from_numpy(nodes), torch.from_numpy(labels - 3)


def make_model():
    model = HyperbolicClassifier(nodes=31, classes=4)
    with torch.no_grad():
        model.centres.copy_(model.ball.projx(0.1 * torch.randn_like(model.centres)))
    return model.to(device)


def train(model, steps=50):
    nodes, labels = tree()
    optimizer = geoopt.optim.RiemannianAdam(model.parameters(), lr=2e-2, stabilize=10)
    rng = np.random.default_rng(0)
    losses = []
    for step in range(steps):
        batch = torch.from_numpy(rng.permutation(len(nodes))[:16])
        optimizer.zero_grad()
        loss = F.cross_entropy(model(nodes[batch].to(device)), labels[batch].to(device))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    with torch.no_grad():
        predicted = model(nodes.to(device)).argmax(-1).cpu()
    return losses + [(predicted == labels).float().mean().item(), model.ball.c.item()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    torch.manual_seed(0)
    print(*(f"{loss:.4f}" for loss in train(make_model(), args.steps)))
