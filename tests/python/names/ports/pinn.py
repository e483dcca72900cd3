"""A physics-informed network for Burgers' equation u_t + u u_x = nu u_xx: second derivatives by autograd.grad."""

import argparse
from collections import OrderedDict

import numpy as np
import torch

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class PINN(torch.nn.Module):
    def __init__(self, layers=(2, 20, 20, 20, 1)):
        super().__init__()
        parts = []
        for i in range(len(layers) - 2):
            linear = torch.nn.Linear(layers[i], layers[i + 1])
            torch.nn.init.xavier_normal_(linear.weight, gain=5 / 3)
            parts.append((f"layer_{i}", linear))
            parts.append((f"activation_{i}", torch.nn.Tanh()))
        parts.append(("out", torch.nn.Linear(layers[-2], layers[-1])))
        self.layers = torch.nn.Sequential(OrderedDict(parts))
        self.log_nu = torch.nn.Parameter(torch.tensor([np.log(0.05)], dtype=torch.float32))

    def forward(self, x, t):
        return self.layers(torch.cat([x, t], dim=1))

    def residual(self, x, t):
        u = self(x, t)
        u_t = torch.autograd.grad(u, t, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_x = torch.autograd.grad(u, x, grad_outputs=torch.ones_like(u), retain_graph=True, create_graph=True)[0]
        u_xx = torch.autograd.grad(u_x, x, grad_outputs=torch.ones_like(u_x), retain_graph=True, create_graph=True)[0]
        return u_t + u * u_x - torch.exp(self.log_nu) * u_xx


def make_model():
    return PINN().to(device)


def train(model, steps=50):
    rng = np.random.default_rng(0)
    x0 = torch.linspace(-1, 1, 50, device=device).unsqueeze(1)
    u0 = -torch.sin(torch.pi * x0)
    t0 = torch.zeros_like(x0)
    tb = torch.rand(20, 1, device=device) * 0 + torch.arange(20, device=device).float().unsqueeze(-1) / 20
    xb = torch.where(torch.arange(20, device=device).reshape(-1, 1) % 2 == 0, 1.0, -1.0)
    x = torch.tensor(rng.uniform(-1, 1, (200, 1)), requires_grad=True, dtype=torch.float32, device=device)
    t = torch.tensor(rng.uniform(0, 1, (200, 1)), requires_grad=True, dtype=torch.float32, device=device)
    optimizer = torch.optim.Adam([{"params": model.layers.parameters()}, {"params": [model.log_nu], "lr": 1e-2}], lr=5e-3)
    scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.99)
    mse = torch.nn.MSELoss()
    losses = []
    for step in range(steps):
        optimizer.zero_grad()
        f = model.residual(x, t)
        loss = mse(model(x0, t0), u0) + torch.mean(model(xb, tb) ** 2) + 0.1 * f.pow(2).mean()
        loss.backward()
        optimizer.step()
        scheduler.step()
        losses.append(loss.detach().cpu().numpy().item())
    return losses


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    torch.manual_seed(0)
    np.random.seed(0)
    print(*(f"{loss:.5f}" for loss in train(make_model(), args.steps)))
