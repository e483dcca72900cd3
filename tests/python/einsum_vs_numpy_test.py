"""einsum of random specs against numpy.einsum, and its gradients against torch.einsum."""

import random
import string
import unittest

from common import gyre, needs_packages, numpy, torch

SPECS = 300
SIZES = dict(zip(string.ascii_letters, (2, 3, 1, 4, 2, 5, 3, 2) * 7))
BATCH = (2, 1, 3)  # axes of an ellipsis; operands have a suffix of these


def setUpModule():
    needs_packages()


class Draw:
    """A spec with the shapes of its operands."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        letters = self.draw.sample("abcdefgABC", self.draw.randint(1, 6))
        self.ellipsis = self.draw.random() < 0.35
        parts, self.shapes = [], []
        for _ in range(self.draw.randint(1, 5)):
            part, shape = self.operand(letters)
            parts.append(part)
            self.shapes.append(shape)
        self.spec = ",".join(parts) + self.result(parts)

    def operand(self, letters):
        """Up to four letters, sometimes one of them twice, with an optional ellipsis."""
        mine = [self.draw.choice(letters) for _ in range(self.draw.randint(0, 4))]
        shape = [SIZES[c] for c in mine]
        if self.draw.random() < 0.3:  # axes that broadcast; those of a diagonal do not
            shape = [1 if mine.count(c) == 1 and self.draw.random() < 0.5 else n for c, n in zip(mine, shape)]
        if self.ellipsis and self.draw.random() < 0.7:
            batch = list(BATCH[self.draw.randint(0, len(BATCH)):])
            batch = [1 if self.draw.random() < 0.3 else n for n in batch]
            at = self.draw.randint(0, len(mine))
            mine.insert(at, "...")
            shape[at:at] = batch
        return "".join(mine), tuple(shape)

    def result(self, parts):
        """None (NumPy's default order) or some of the letters in any order."""
        if self.draw.random() < 0.3:
            return ""
        used = sorted(set("".join(parts)) - {"."})
        out = self.draw.sample(used, self.draw.randint(0, len(used)))
        if any("." in part for part in parts):
            out.insert(self.draw.randint(0, len(out)), "...")
        return "->" + "".join(out)

    def operands(self):
        values = numpy.random.default_rng(self.draw.randrange(1 << 30))
        return [values.standard_normal(shape) for shape in self.shapes]


def differences_of(spec, operands, weight):
    """The gradients of the sum of weight * einsum by central differences."""
    for x in operands:
        slope = numpy.zeros(x.shape)
        for place in numpy.ndindex(x.shape):
            ends, at = [], x[place]
            for step in (1e-6, -1e-6):
                x[place] = at + step
                ends.append((weight * numpy.einsum(spec, *operands)).sum())
            x[place] = at
            slope[place] = (ends[0] - ends[1]) / 2e-6
        yield slope


@unittest.skipUnless(gyre and hasattr(gyre, "einsum"), "gyre has no op einsum")
class Einsum(unittest.TestCase):
    def close(self, got, expected, within, spec):
        self.assertEqual(tuple(got.shape), expected.shape, spec)
        distance = numpy.linalg.norm(got.detach().numpy() - expected)
        self.assertLessEqual(distance, within * max(1.0, numpy.linalg.norm(expected)), spec)

    def slopes(self, spec, operands, weight):
        """The gradients, and the tolerance for gyre's."""
        theirs = [torch.tensor(x, requires_grad=True) for x in operands]
        try:
            y = torch.einsum(spec, *theirs)
            found = torch.autograd.grad(y, theirs, torch.from_numpy(weight), allow_unused=True)
        except RuntimeError:
            return list(differences_of(spec, operands, weight)), 1e-6
        return [numpy.zeros(x.shape) if g is None else g.numpy() for x, g in zip(operands, found)], 1e-12

    def test_random_specs(self):
        by_torch = 0
        for seed in range(SPECS):
            drawn = Draw(seed)
            operands = drawn.operands()
            expected = numpy.asarray(numpy.einsum(drawn.spec, *operands))
            ours = [gyre.tensor(x, requires_grad=True) for x in operands]
            y = gyre.einsum(drawn.spec, *ours)
            self.close(y, expected, 1e-12, drawn.spec)
            weight = numpy.random.default_rng(seed).standard_normal(expected.shape)
            slopes, within = self.slopes(drawn.spec, operands, weight)
            by_torch += within < 1e-9
            for got, slope in zip(gyre.grad(y, ours, [weight]), slopes):
                self.close(got, slope, within, f"gradient of {drawn.spec}")
        self.assertGreater(by_torch, SPECS // 2)
        print(f"\n| {SPECS} specs as in NumPy, gradients of {by_torch} as in PyTorch, of the others as by differences")

    def test_an_ellipsis_that_the_result_lacks_is_summed(self):
        x = numpy.arange(24.0).reshape(2, 3, 4)
        self.close(gyre.einsum("...i->i", x), torch.einsum("...i->i", torch.from_numpy(x)).numpy(), 1e-12, "...i->i")

    def test_the_path_is_told(self):
        spec, operands = "ij,jk,kl->il", [gyre.zeros(8, 64), gyre.zeros(64, 8), gyre.zeros(8, 32, dtype="f64")]
        path = gyre.einsum_path(spec, *operands)
        first, last = path.steps
        self.assertEqual((first.kind, first.operands, first.spec), ("product", [0, 1], "ij,jk->ik"))
        self.assertEqual((first.flops, first.bytes), (2 * 8 * 64 * 8, 8 * 8 * 8))
        self.assertEqual((last.kind, sorted(last.operands), last.bytes), ("product", [2, 3], 8 * 32 * 8))
        self.assertEqual((path.flops, path.bytes), (first.flops + last.flops, first.bytes))
        self.assertEqual(path.naive_flops, 3 * 8 * 64 * 8 * 32)
        self.assertEqual(str(path).splitlines()[1].split(), "product 0 1 ij,jk->ik 8192 512".split())
        self.assertEqual(repr(first), "<EinsumStep product ij,jk->ik>")
        self.assertEqual(str(gyre.einsum_path(spec, operands)), str(path))
        self.assertEqual(gyre.einsum_path("ij,kj->ik", [[1.0, 2.0]], numpy.ones((3, 2), "f4")).steps[0].bytes, 12)
        kinds = {"ij->ji": "view", "ij->i": "sum", "ij->": "sum"}
        for spec, kind in kinds.items():
            self.assertEqual([step.kind for step in gyre.einsum_path(spec, gyre.zeros(2, 3)).steps], [kind])
        self.assertEqual(gyre.einsum_path("i,j->ij", gyre.zeros(2), gyre.zeros(3)).steps[0].kind, "pointwise")

    def test_what_both_refuse(self):
        x = numpy.zeros((2, 3))
        for spec, operands in (("ij,jk", [x]), ("i", [x]), ("ijk", [x]), ("ij->ik", [x]), ("ij->ii", [x]),
                               ("ij,ij", [x, x.T]), ("ii", [x]), ("i.j", [x]), ("i1", [x]), ("ij->i->j", [x]),
                               ("......", [x])):
            self.assertRaises(ValueError, numpy.einsum, spec, *operands)
            self.assertRaises(ValueError, gyre.einsum, spec, *operands)
            self.assertRaises(ValueError, gyre.einsum_path, spec, *operands)


if __name__ == "__main__":
    unittest.main()
