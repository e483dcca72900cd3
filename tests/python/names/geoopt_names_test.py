"""gyre.torch.geoopt: the lines of geoopt_lines.txt in gyre and geoopt, values, shapes and dtypes."""

import copy
import importlib
import pathlib
import unittest

from common import needs_packages, numpy, torch

LINES = (pathlib.Path(__file__).parent / "geoopt_lines.txt").read_text(encoding="utf-8").splitlines()


def setUpModule():
    needs_packages()
    try:
        importlib.import_module("geoopt")
    except ImportError:
        raise unittest.SkipTest("geoopt is not installed; scripts/test --with-torch installs it") from None


def module(geoopt):
    """Distances of points in the ball, which are its parameters."""
    class Embedding(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.ball = geoopt.PoincareBall(c=1.0)
            self.weight = geoopt.ManifoldParameter(torch.tensor([[0.1, 0.2], [0.3, -0.1], [0.0, 0.4]]), manifold=self.ball)
            self.bias = torch.nn.Parameter(torch.tensor([0.5]))

        def forward(self, i, j):
            return self.ball.dist(self.weight[i], self.weight[j]) + self.bias

    return Embedding()


def loss(e, optimizer):
    optimizer.zero_grad()
    value = e(torch.tensor([0, 1, 2]), torch.tensor([1, 2, 0])).pow(2).sum()
    value.backward()
    return value


def train(e, optimizer, steps, scheduler=None):
    for _ in range(steps):
        loss(e, optimizer)
        optimizer.step()
        if scheduler is not None:
            scheduler.step()
    return [e.weight.detach(), e.bias.detach()]


def outcome(line, geoopt):
    torch.manual_seed(0)
    ball, space = geoopt.PoincareBall(), geoopt.Lorentz()
    h = torch.tensor([0.0, 0.3, -0.1])
    names = {"geoopt": geoopt, "torch": torch, "nn": torch.nn, "copy": copy, "loss": loss, "train": train, "b": ball, "l": space,
             "e": module(geoopt), "flat": geoopt.Euclidean(ndim=1),
             "m": geoopt.manifolds.stereographic.math, "lm": geoopt.manifolds.lorentz.math, "k": torch.tensor(-1.0), "h": h,
             "x": torch.tensor([0.1, 0.2]), "y": torch.tensor([0.3, -0.1]), "u": torch.tensor([1.0, 0.0]), "hx": space.expmap0(h),
             "z": torch.tensor([0.6, 0.8, 0.1, 0.2]),
             "product": geoopt.ProductManifold((geoopt.Sphere(), 2), (geoopt.PoincareBall(), 2))}
    *before, last = line.split("; ")
    for statement in before:
        exec(statement, names)
    return plain(eval(last, names))


def plain(value):
    if isinstance(value, torch.Tensor):
        return value.dtype, tuple(value.shape), value.detach().tolist()
    return [plain(part) for part in value] if isinstance(value, (list, tuple)) else value


class GeooptNames(unittest.TestCase):
    def same(self, ours, theirs, line):
        if isinstance(theirs, (list, tuple)):
            self.assertIsInstance(ours, (list, tuple), line)
            self.assertEqual(len(ours), len(theirs), line)
            for a, b in zip(ours, theirs):
                self.same(a, b, line)
        elif isinstance(theirs, float):
            self.assertTrue(numpy.isclose(ours, theirs, rtol=1e-4, atol=1e-6), f"{line}: {ours}, geoopt {theirs}")
        else:
            self.assertEqual(ours, theirs, line)

    def test_lines(self):
        ours, theirs = importlib.import_module("gyre.torch.geoopt"), importlib.import_module("geoopt")
        for line in LINES:
            with self.subTest(line):
                self.same(outcome(line, ours), outcome(line, theirs), line)


if __name__ == "__main__":
    unittest.main()
