"""gyre.special against torch.special, with gradients."""

import unittest

import common
from common import gyre, numpy, torch

setUpModule = common.needs_packages

POSITIVE = numpy.array([0.01, 0.4, 1.0, 1.3, 1.4616, 2.0, 2.5, 3.7, 9.0, 40.5]) if numpy else None
ANY = numpy.array([-7.3, -2.5, -0.6, 0.2, 0.9, 2.0, 5.5, 11.0]) if numpy else None
UNIT = numpy.array([0.001, 0.1, 0.3, 0.5, 0.75, 0.99]) if numpy else None


def lines():
    yield from ((name, ANY, ()) for name in ("digamma", "psi", "gammaln", "erf", "erfc", "expit", "expm1", "exp2",
                                             "ndtr", "sinc"))
    yield from ((name, UNIT, ()) for name in ("erfinv", "logit", "entr", "log1p"))
    yield from (("polygamma", POSITIVE, n) for n in range(4))
    yield "polygamma", ANY, 1
    yield "multigammaln", POSITIVE + 2, 3


class Special(unittest.TestCase):
    def test_values_and_gradients_are_those_of_torch(self):
        for name, x, extra in lines():
            with self.subTest(name, extra=extra):
                results = []
                for lib in (gyre, torch):
                    p = lib.tensor(x.copy(), requires_grad=True)
                    f = getattr(lib.special, name)
                    y = f(extra, p) if name == "polygamma" else f(p, *([extra] if extra else []))
                    y.sum().backward()
                    results.append((y.detach().numpy(), p.grad.numpy()))
                for ours, theirs in zip(*results):
                    numpy.testing.assert_allclose(ours, theirs, rtol=2e-9, atol=1e-12)

    def test_two_arguments(self):
        x, y = numpy.array([0.0, 0.0, 2.0, 1.5]), numpy.array([0.5, -1.0, 3.0, numpy.inf])
        for name in ("xlogy", "xlog1py"):
            ours = getattr(gyre.special, name)(gyre.tensor(x), gyre.tensor(abs(y)))
            theirs = getattr(torch.special, name)(torch.tensor(x), torch.tensor(abs(y)))
            numpy.testing.assert_allclose(ours.numpy(), theirs.numpy())
        s, q = numpy.array([2.0, 3.5, 1.0, 0.5, 2.0, 2.5]), numpy.array([1.0, 0.3, 2.0, 2.0, -0.5, -0.5])
        ours, theirs = gyre.special.zeta(gyre.tensor(s), gyre.tensor(q)), torch.special.zeta(torch.tensor(s), torch.tensor(q))
        numpy.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=1e-12)

    def test_methods_and_edges(self):
        x = gyre.tensor([0.5, 2.0])
        self.assertEqual(x.polygamma(1).tolist(), gyre.polygamma(1, x).tolist())
        self.assertEqual(x.lgamma().tolist(), gyre.lgamma(x).tolist())
        edges = numpy.array([0.0, -1.0, numpy.nan, numpy.inf])
        numpy.testing.assert_array_equal(gyre.special.entr(gyre.tensor(edges)).numpy(),
                                         torch.special.entr(torch.tensor(edges)).numpy())
        with self.assertRaisesRegex(ValueError, "0 or more, got -1"):
            gyre.polygamma(-1, x)
        with self.assertRaisesRegex(ValueError, "1 or more, got 0"):
            gyre.mvlgamma(x, 0)
        with self.assertRaisesRegex(TypeError, "int, got float"):
            gyre.polygamma(1.5, x)


if __name__ == "__main__":
    unittest.main()
