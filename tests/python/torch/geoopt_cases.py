"""Shared by the tests of gyre.torch.geoopt: seeded points and comparisons."""

import unittest
import warnings

from common import needs_packages, torch

ROWS, DIM = 6, 4


def set_up():
    needs_packages()
    torch.set_default_dtype(torch.float64)
    warnings.simplefilter("ignore")


def tear_down():
    torch.set_default_dtype(torch.float32)
    warnings.resetwarnings()


def normal(*shape, seed=0, size=0.3):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)) * size


class Case(unittest.TestCase):
    def close(self, got, wanted, what="", bound=1e-9):
        for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (got, wanted))):
            self.assertEqual(a.shape, b.shape, what)
            self.assertEqual(a.dtype, b.dtype, what)
            error = ((a - b).abs() / b.abs().clamp_min(1)).max().item() if a.numel() else 0
            self.assertLessEqual(error, bound, what)  # a NaN fails
