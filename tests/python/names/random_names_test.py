"""Random numbers by PyTorch's names."""

import unittest

import common
from common import gyre
from name_lines import RANDOM_LINES, run_in_both

setUpModule = common.needs_packages


class RandomNames(unittest.TestCase):
    def test_lines(self):
        run_in_both(self, RANDOM_LINES, values=False)

    def test_generators(self):
        g = gyre.Generator().manual_seed(5)
        state = g.get_state()
        first, before = gyre.randperm(9, generator=g).tolist(), gyre.get_rng_state().tolist()
        self.assertNotEqual(gyre.randperm(9, generator=g).tolist(), first)
        self.assertEqual(gyre.randperm(9, generator=g.set_state(state)).tolist(), first)
        self.assertEqual(gyre.get_rng_state().tolist(), before)
        self.assertEqual((g.initial_seed(), str(g.device)), (5, "cpu"))
        self.assertEqual(gyre.Generator().seed() >= 0, True)
        self.assertIsInstance(gyre.initial_seed(), int)
        self.assertEqual(sorted(first), list(range(9)))
        with self.assertRaisesRegex(TypeError, "expected a gyre.Generator, got int"):
            gyre.randperm(3, generator=1)

    def test_distributions(self):
        gyre.manual_seed(0)
        x = gyre.zeros(100_000)
        for fill, mean, deviation in ((lambda: x.uniform_(-1, 3), 1, 4 / 12 ** 0.5), (lambda: x.normal_(2, 3), 2, 3),
                                      (lambda: x.exponential_(2.0), 0.5, 0.5), (lambda: x.bernoulli_(0.2), 0.2, 0.4)):
            fill()
            self.assertLess(abs(x.mean().item() - mean), 0.05)
            self.assertLess(abs(x.std().item() - deviation), 0.05)
        drawn = gyre.multinomial(gyre.tensor([1.0, 0.0, 3.0]), 20_000, replacement=True)
        self.assertLess(abs((drawn == 2).double().mean().item() - 0.75), 0.02)
        self.assertEqual((drawn == 1).sum().item(), 0)
        firsts = gyre.multinomial(gyre.tensor([[1.0, 3.0]]).expand(20_000, 2), 1)
        self.assertLess(abs((firsts == 1).double().mean().item() - 0.75), 0.02)
        self.assertEqual(sorted(gyre.multinomial(gyre.ones(4), 4).tolist()), [0, 1, 2, 3])
