"""gyre.nn.init: PyTorch's initialisers, compared with its distributions, and gyre.Generator."""

import math
import unittest

from common import gyre, needs_packages, numpy, torch

if gyre:
    from gyre import nn
    from gyre.nn import init


def setUpModule():
    needs_packages()


def moments(values):
    return numpy.array([values.mean(), values.std(), ((values - values.mean()) ** 4).mean() / values.std() ** 4])


class Distributions(unittest.TestCase):
    def test_they_are_those_of_torch(self):
        for name, options in (
                ("uniform_", {}), ("uniform_", {"a": -2.0, "b": 3.0}), ("normal_", {}),
                ("normal_", {"mean": 2.0, "std": 0.5}),
                ("trunc_normal_", {}), ("trunc_normal_", {"mean": 0.5, "std": 2.0, "a": 0.0, "b": 0.7}),
                ("trunc_normal_", {"std": 0.02}), ("trunc_normal_", {"mean": 1.0, "a": 0.5, "b": 4.0}),
                ("xavier_uniform_", {}), ("xavier_uniform_", {"gain": 3.0}), ("xavier_normal_", {"gain": 0.5}),
                ("kaiming_uniform_", {}), ("kaiming_uniform_", {"a": math.sqrt(5)}),
                ("kaiming_uniform_", {"mode": "fan_out", "nonlinearity": "tanh"}),
                ("kaiming_normal_", {"nonlinearity": "relu"}),
                ("kaiming_normal_", {"a": 0.3, "mode": "fan_out"}), ("sparse_", {"sparsity": 0.3, "std": 0.5}),
                ("orthogonal_", {}), ("orthogonal_", {"gain": 2.0})):
            for shape in ((200, 300), (60, 50, 5, 4)):
                if name == "sparse_" and len(shape) > 2:
                    continue
                with self.subTest(name, shape=shape, **options):
                    gyre.manual_seed(1)
                    torch.manual_seed(1)
                    mine, theirs = nn.Parameter(gyre.zeros(shape)), torch.zeros(shape)
                    self.assertIs(getattr(init, name)(mine, **options), mine)
                    getattr(torch.nn.init, name)(theirs, **options)
                    a, b = mine.detach().numpy(), theirs.numpy()
                    spread = b.std()
                    self.assertLess(abs(a.mean() - b.mean()), 6 * spread * math.sqrt(2 / a.size))
                    self.assertLess(abs(a.std() / spread - 1), 6 * math.sqrt(2 / a.size))
                    self.assertLess(abs(moments(a)[2] - moments(b)[2]), 0.15 * moments(b)[2])
                    if "uniform" in name or "trunc" in name:  # the bounds
                        self.assertLess(abs(a.min() - b.min()) + abs(a.max() - b.max()), 0.03 * (b.max() - b.min())
                                        if options.get("std") != 0.02 else 4 * spread)
                    self.assertTrue(mine.requires_grad)

    def test_truncated_values_have_the_normal_distribution(self):
        values = init.trunc_normal_(gyre.zeros((100000,), dtype="f64"), mean=1.0, std=2.0, a=-2.0, b=6.0).numpy()
        self.assertTrue(-2 <= values.min() and values.max() <= 6)
        inside = [math.erf((x - 1) / math.sqrt(8)) for x in (-2, 0, 2, 4, 6)]
        for x, phi in zip((0, 2, 4), inside[1:]):
            self.assertAlmostEqual((values < x).mean(), (phi - inside[0]) / (inside[-1] - inside[0]), delta=0.01)
        y = gyre.linspace(-0.9999, 0.9999, 1001, dtype="f64")
        want = torch.erfinv(torch.from_dlpack(y))
        torch.testing.assert_close(torch.from_dlpack(init._erfinv(y)), want, rtol=1e-9, atol=1e-12)
        tail = init.trunc_normal_(gyre.zeros((1000,)), a=5.0, b=9.0).numpy()
        self.assertTrue(5 <= tail.min() < 5.01 and 5.5 < tail.max() <= 9)

    def test_values_that_are_not_random(self):
        for name, shape, options in (
                ("ones_", (3,), {}), ("zeros_", (2, 3), {}), ("constant_", (2, 3), {"val": 0.3}), ("eye_", (3, 5), {}),
                ("eye_", (5, 3), {}), ("dirac_", (4, 2, 3), {}), ("dirac_", (2, 4, 3, 4), {}),
                ("dirac_", (6, 3, 3, 5), {"groups": 2}),
                ("dirac_", (2, 2, 1, 2, 3), {"groups": 1})):
            with self.subTest(name, shape=shape):
                mine, theirs = gyre.ones(shape) * 7, torch.ones(shape) * 7
                getattr(init, name)(mine, **options)
                getattr(torch.nn.init, name)(theirs, **options)
                self.assertEqual(mine.tolist(), theirs.tolist())
        self.assertEqual(init.constant_(gyre.zeros((1,)), 2).tolist(), [2])

    def test_structure(self):
        q = init.orthogonal_(gyre.zeros((4, 2, 3), dtype="f64"), gain=2.0).reshape(4, 6)
        self.assertTrue(numpy.allclose((q @ q.T).numpy(), 4 * numpy.eye(4), atol=1e-5))
        s = init.sparse_(gyre.ones((10, 7)), sparsity=0.25).numpy()
        self.assertEqual(((s == 0).sum(0)).tolist(), [3] * 7)
        self.assertEqual(init.normal_(gyre.zeros((2,), dtype="bf16")).dtype, gyre.bf16)

    def test_gains(self):
        for arguments in (("linear",), ("conv2d",), ("conv_transpose3d",), ("sigmoid",), ("tanh",), ("relu",),
                          ("selu",),
                          ("leaky_relu",), ("leaky_relu", 0.2)):
            self.assertAlmostEqual(init.calculate_gain(*arguments), torch.nn.init.calculate_gain(*arguments))

    def test_what_makes_no_sense_is_refused(self):
        matrix, vector = gyre.zeros((3, 2)), gyre.zeros((3,))
        for error, words, act in (
                (TypeError, "eye_: expected a gyre.Tensor, got list", lambda: init.eye_([[0.0]])),
                (TypeError, "kaiming_normal_: expected a gyre.Tensor, got int", lambda: init.kaiming_normal_(3)),
                (ValueError, r"eye_: expected a tensor with 2 axes, got shape \[3\]", lambda: init.eye_(vector)),
                (ValueError, "sparse_: expected a tensor with 2 axes", lambda: init.sparse_(vector, 0.1)),
                (ValueError, "dirac_: expected a tensor with 3 to 5 axes", lambda: init.dirac_(matrix)),
                (ValueError, "groups that divide 3 output channels, got 2",
                 lambda: init.dirac_(gyre.zeros((3, 2, 1)), 2)),
                (ValueError, "xavier_uniform_: expected a tensor with at least 2 axes",
                 lambda: init.xavier_uniform_(vector)),
                (ValueError, "kaiming_uniform_: expected a tensor with at least 2 axes",
                 lambda: init.kaiming_uniform_(vector)),
                (ValueError, "mode fan_in or fan_out, got 'in'", lambda: init.kaiming_uniform_(matrix, mode="in")),
                (ValueError, "expected one of linear, .*leaky_relu, got 'step'", lambda: init.calculate_gain("step")),
                (ValueError, "a number as slope, got True", lambda: init.calculate_gain("leaky_relu", True)),
                (ValueError, "std of 0 or more, got -1", lambda: init.normal_(matrix, 0, -1)),
                (ValueError, "std above 0, got 0", lambda: init.trunc_normal_(matrix, std=0)),
                (ValueError, "a < b, got a=2, b=1", lambda: init.trunc_normal_(matrix, a=2, b=1)),
                (TypeError, "expected a gyre.Generator, got Generator",
                 lambda: init.normal_(matrix, generator=torch.Generator()))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()


class Generators(unittest.TestCase):
    def test_draws_are_those_of_the_seed(self):
        gyre.manual_seed(7)
        want = init.normal_(gyre.zeros((5,))).tolist()
        before = gyre.get_rng_state().tolist()
        generator = gyre.Generator(device="cpu").manual_seed(7)
        self.assertEqual(init.normal_(gyre.zeros((5,)), generator=generator).tolist(), want)
        self.assertEqual(gyre.get_rng_state().tolist(), before)
        self.assertNotEqual(init.normal_(gyre.zeros((5,)), generator=generator).tolist(), want)
        self.assertEqual((generator.initial_seed(), repr(generator)), (7, "Generator(seed=7)"))

    def test_states(self):
        generator = gyre.Generator().manual_seed(3)
        state = generator.get_state()
        first = init.uniform_(gyre.zeros((4,)), generator=generator).tolist()
        self.assertIs(generator.set_state(state), generator)
        self.assertEqual(init.uniform_(gyre.zeros((4,)), generator=generator).tolist(), first)
        gyre.manual_seed(2)
        self.assertEqual(generator.seed(), generator.initial_seed())
        self.assertNotEqual(init.uniform_(gyre.zeros((4,)), generator=generator).tolist(), first)
        with self.assertRaises(gyre.Error):
            generator.set_state(gyre.zeros((3,)))
        self.assertIn("Generator", dir(gyre))

    def test_the_generator_of_the_thread_is_restored(self):
        gyre.manual_seed(5)
        want = gyre.rand((3,)).tolist()
        gyre.manual_seed(5)
        with self.assertRaises(LookupError), gyre.random.fork_rng():
            gyre.manual_seed(8)
            raise LookupError
        self.assertEqual(gyre.rand((3,)).tolist(), want)


if __name__ == "__main__":
    unittest.main()
