"""gyre.torch: torch.autograd.gradcheck and gradgradcheck of every differentiable op, on the samples of the op
table."""

import unittest

from common import gives_packed, gyre, is_floating, needs_packages, several, to_torch, torch

# Larger inputs are checked along random directions, others by full Jacobians; so are those with tensors without
# elements, for which PyTorch's check along directions fails.
MOST = 12


def setUpModule():
    needs_packages()
    import gyre.torch  # noqa: F401


def calls(op):
    """The op's samples with floating-point tensors as leaves: (function of the leaves, leaves); no leaves if
    all inputs are integers."""
    function = getattr(gyre.torch, op.name)
    for tensors, attributes in op.samples("f64", 1):
        given = [to_torch(t) for t in tensors]
        smooth = [a["differentiable"] for a in op.arguments]
        places = [i for i, t in enumerate(tensors) if is_floating(t) and smooth[min(i, len(smooth) - 1)]]

        def of_leaves(*leaves, given=given, places=places, attributes=attributes):
            full = list(given)
            for place, leaf in zip(places, leaves):
                full[place] = leaf
            results = several(function(*full, **attributes))
            return tuple(y for y in results if y.is_floating_point())

        yield of_leaves, [given[i].requires_grad_() for i in places]


class Gradients(unittest.TestCase):
    def test_every_differentiable_op(self):
        ops = [op for op in gyre.ops() if op.differentiable and not gives_packed(op)]  # words are discrete
        counts = {"samples": 0, "first": 0, "second": 0, "directions": 0, "whole": 0}
        for op in ops:
            for n, (f, leaves) in enumerate(calls(op)):
                counts["samples"] += 1
                if not leaves:
                    counts["whole"] += 1
                    continue
                sizes = [leaf.numel() for leaf in leaves]
                fast = min(sizes) > 0 and sum(sizes) > MOST
                counts["directions"] += fast
                for order, check in (("first", torch.autograd.gradcheck), ("second", torch.autograd.gradgradcheck)):
                    with self.subTest(op=op.name, sample=n, order=order):
                        self.assertTrue(check(f, leaves, fast_mode=fast))
                        counts[order] += 1
        print(f"\n| {len(ops)} differentiable ops, {counts['samples']} samples: gradcheck passed {counts['first']}, "
              f"gradgradcheck {counts['second']} ({counts['directions']} along random directions), {counts['whole']} have whole numbers alone")

    def test_the_others_are_discrete(self):
        others = [op for op in gyre.ops() if not op.differentiable]
        for op in others:
            for tensors, attributes in op.samples("f64", 1):
                given = [to_torch(t) for t in tensors]
                given = [t.requires_grad_() if is_floating(x) else t for x, t in zip(tensors, given)]
                for y in several(getattr(gyre.torch, op.name)(*given, **attributes)):
                    self.assertFalse(y.requires_grad, op.name)
        print(f"\n| {len(others)} ops have no gradient: {', '.join(op.name for op in others)}")


if __name__ == "__main__":
    unittest.main()
