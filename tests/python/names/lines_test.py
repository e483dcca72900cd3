"""The lines of lines.txt, as PyTorch users type them: the same values in PyTorch and in gyre.

A line is Python, in which torch, nn, F, optim and data are the modules of one library; what follows the last ';' is its
value. '#shape' at the end: random numbers, of which shapes and dtypes are compared. '#none': refused by both. A group that
starts with 'def', 'class' or '@' lasts until an empty line and defines a name for the lines.
"""

import importlib
import math
import pathlib
import unittest
import warnings

import common
from common import gyre, numpy, torch

setUpModule = common.needs_packages

HOW = ("#shape", "#none")


def parts(text):
    """The groups of definitions and the lines of a text."""
    groups, lines = [], []
    for block in text.split("\n\n"):
        block = "\n".join(line for line in block.splitlines() if not line.startswith("# "))
        if block.startswith(("def ", "class ", "@")):
            groups.append(block)
        else:
            lines += block.splitlines()
    return groups, lines


def space(lib, groups):
    name = lib.__name__
    modules = {short: importlib.import_module(f"{name}.{module}") for short, module in (
        ("nn", "nn"), ("F", "nn.functional"), ("optim", "optim"), ("data", "utils.data"))}
    names = {"torch": lib, "np": numpy, "math": math, **modules}
    for group in groups:
        exec(group, names)
    return names


def value(line, lib, names):
    names = dict(names)
    *before, last = line.split(";")
    lib.manual_seed(0)
    for statement in before:
        exec(statement.strip(), names)
    return plain(eval(last.strip(), names))


def plain(x):
    """A value as one that both libraries can have: tensors are (dtype, shape, numbers)."""
    if hasattr(x, "detach"):
        dtype = str(x.dtype).rpartition(".")[2]
        for long, short in (("boolean", "bool"), ("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i")):
            dtype = dtype.replace(long, short)
        return dtype, tuple(x.shape), numpy.asarray(x.detach().tolist(), "f8")
    if isinstance(x, (numpy.ndarray, numpy.generic)):
        return str(x.dtype), x.shape, numpy.asarray(x, "f8")
    if isinstance(x, dict):
        return {key: plain(part) for key, part in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(part) for part in x]
    return x if isinstance(x, (bool, int, float, str, type(None))) else "an object"


class Lines(unittest.TestCase):
    def same(self, ours, theirs, numbers):
        self.assertIs(type(ours), type(theirs), (ours, theirs))
        if isinstance(theirs, dict):
            self.assertEqual(list(ours), list(theirs))
            ours, theirs = list(ours.values()), list(theirs.values())
        if isinstance(theirs, list):
            self.assertEqual(len(ours), len(theirs), (ours, theirs))
            for a, b in zip(ours, theirs):
                self.same(a, b, numbers)
        elif isinstance(theirs, tuple):
            self.assertEqual(ours[:2], theirs[:2])
            if numbers:
                numpy.testing.assert_allclose(ours[2], theirs[2], rtol=1e-4, atol=2e-6)
        elif isinstance(theirs, float) and numbers:
            numpy.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=2e-6)
        elif numbers:
            self.assertEqual(ours, theirs)

    def test_lines(self):
        groups, lines = parts((pathlib.Path(__file__).parent / "lines.txt").read_text())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            written, using = space(torch, groups), space(gyre, groups)
            for line in lines:
                how = next((h for h in HOW if line.endswith(h)), "")
                code = line.removesuffix(how).strip()
                with self.subTest(line):
                    if how == "#none":
                        for lib, names in ((torch, written), (gyre, using)):
                            with self.assertRaises(Exception, msg=lib.__name__):
                                value(code, lib, names)
                    else:
                        self.same(value(code, gyre, using), value(code, torch, written), how != "#shape")

    def test_linearize_is_jvp(self):
        x, y, t, u = (gyre.tensor(values) for values in ([1.0, 2.0], [0.5, 3.0], [1.0, 3.0], [2.0, -1.0]))
        for f, primals, tangents in ((lambda x: x ** 3, (x,), (t,)), (lambda x, y: x * y, (x, y), (t, u))):
            result, along = gyre.func.linearize(f, *primals)
            for ours, theirs in zip((result, along(*tangents)), gyre.func.jvp(f, primals, tangents)):
                self.assertEqual(ours.tolist(), theirs.tolist())

    def test_draws_have_the_mean_and_the_variance(self):
        gyre.manual_seed(0)
        d = gyre.distributions
        for p in (d.LogNormal(0.0, 0.5), d.Laplace(1.0, 2.0), d.Exponential(2.0), d.Gamma(0.4, 2.0), d.Gamma(3.0, 2.0),
                  d.Beta(0.5, 2.0), d.Dirichlet(gyre.tensor([1.0, 2.0])), d.OneHotCategorical(gyre.tensor([0.2, 0.8])),
                  d.MultivariateNormal(gyre.zeros(2), gyre.tensor([[4.0, 1.0], [1.0, 3.0]]))):
            with self.subTest(p):
                x = p.sample((20_000,))
                error = 5 * (p.variance / 20_000).sqrt()
                self.assertTrue(bool(((x.mean(0) - p.mean).abs() < error).all()))
                self.assertTrue(bool(((x.var(0) / p.variance - 1).abs() < 0.15).all()))


if __name__ == "__main__":
    unittest.main()
