"""Copies of modules by copy, deepcopy and pickle: C++ layers, Python modules and combinations."""

import copy
import itertools
import pickle
import unittest

from common import gyre, needs_packages
from modules import net

if gyre:
    from gyre import nn
    from modules import Tied


def setUpModule():
    needs_packages()


class Copies(unittest.TestCase):
    def models(self):
        block = nn.TransformerBlock(width=4, heads=2, dropout=0.25)
        block.attn.eval()
        yield nn.Sequential(net(), nn.ModuleDict({"b": block, "n": nn.BatchNorm(3)})).to("f64")
        tied = Tied()
        tied.table.weight.requires_grad = False
        yield tied

    def check_copy(self, model, copied):
        self.assertEqual(repr(model), repr(copied))
        ours, theirs = model.state_dict(), copied.state_dict()
        self.assertEqual({k: (v.tolist(), v.dtype) for k, v in ours.items()},
                         {k: (v.tolist(), v.dtype) for k, v in theirs.items()})
        self.assertEqual([p.requires_grad for p in model.parameters()], [p.requires_grad for p in copied.parameters()])
        self.assertEqual([m.training for m in model.modules()], [m.training for m in copied.modules()])
        return itertools.zip_longest(ours.values(), theirs.values())

    def test_deep_copies_and_pickles_have_memory_of_their_own(self):
        for model in self.models():
            for copied in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
                for a, b in self.check_copy(model, copied):
                    self.assertNotEqual(a.data_ptr(), b.data_ptr())

    def test_copies_share_memory(self):
        for model in self.models():
            for a, b in self.check_copy(model, copy.copy(model)):
                self.assertEqual(a.data_ptr(), b.data_ptr())
        model = net()
        other = copy.copy(model)
        other.more = nn.ReLU()
        self.assertFalse(hasattr(model, "more"))
        self.assertEqual(len(list(model.children())), 2)
        self.check_copy(model.first, copy.copy(model.first))

    def test_copies_of_layers_draw_nothing(self):
        layer = nn.Linear(3, 2)
        gyre.manual_seed(1)
        want = gyre.randn((2,)).tolist()
        gyre.manual_seed(1)
        copy.deepcopy(layer)
        self.assertEqual(gyre.randn((2,)).tolist(), want)

    def test_parameters_are_copied_as_parameters(self):
        p = nn.Parameter([1.0, 2.0], requires_grad=False)
        for copied in (copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
            self.assertIs(type(copied), nn.Parameter)
            self.assertEqual((copied.tolist(), copied.requires_grad), ([1, 2], False))
        self.assertIs(copy.copy(p), p)
        twice = copy.deepcopy([p, p])
        self.assertIs(twice[0], twice[1])

    def test_parts_of_layers_are_not_copied_alone(self):
        for act in (copy.deepcopy, copy.copy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "part of a layer"):
                act(nn.MLP(4).c_fc)

    def test_subclasses_of_layers(self):
        loaded = pickle.loads(pickle.dumps(Doubled(3)))
        x = gyre.ones((1, 3))
        self.assertEqual(loaded(x).tolist(), [[2 * v for v in nn.Linear.forward(loaded, x)[0].tolist()]])
        self.assertEqual(list(loaded.state_dict()), ["weight", "bias", "factor"])


if gyre:
    class Doubled(nn.Linear):
        """A layer of the table with its own extra attributes."""

        def __init__(self, size):
            super().__init__(size, size)
            self.factor = nn.Parameter(2.0)

        def forward(self, x):
            return super().forward(x) * self.factor


if __name__ == "__main__":
    unittest.main()
