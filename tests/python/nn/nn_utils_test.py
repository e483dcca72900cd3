"""gyre.nn.utils: gradient clipping, parameters as a vector and padded sequences, compared with PyTorch."""

import math
import unittest

from common import gyre, needs_packages, to_torch, torch

if gyre:
    from gyre import nn
    from gyre.nn import utils


def setUpModule():
    needs_packages()


def parameters(dtype="f64"):
    """Parameters with gradients, one without, and the same of PyTorch."""
    mine = [nn.Parameter(gyre.ones(shape, dtype=dtype)) for shape in ((2, 3), (4,), (2,))]
    theirs = [to_torch(p).requires_grad_() for p in mine]
    for p, q in zip(mine[:2], theirs):
        p.grad = gyre.sin(gyre.arange(p.size, dtype=dtype)).reshape(p.shape) * 3
        q.grad = to_torch(p.grad)
    return mine, theirs


class Gradients(unittest.TestCase):
    def same(self, mine, theirs):
        for p, q in zip(mine, theirs):
            if p.grad is None:
                self.assertIsNone(q.grad)
            else:
                torch.testing.assert_close(to_torch(p.grad), q.grad, rtol=1e-6, atol=1e-9)

    def test_norms_are_clipped(self):
        for p in (2.0, 1, 3.0, math.inf, 0.5):
            for bound in (0.5, 1000.0):
                with self.subTest(norm_type=p, max_norm=bound):
                    mine, theirs = parameters()
                    norm = utils.clip_grad_norm_(mine, max_norm=bound, norm_type=p)
                    want = torch.nn.utils.clip_grad_norm_(theirs, bound, p)
                    self.assertAlmostEqual(norm.item(), want.item(), delta=1e-9 * want.item())
                    self.same(mine, theirs)
        mine, _ = parameters()
        self.assertAlmostEqual(utils.clip_grad_norm_(mine[0], 1.0).item(),
                               math.sqrt(sum((3 * math.sin(i)) ** 2 for i in range(6))))
        self.assertEqual(utils.clip_grad_norm_([mine[2]], 1.0).item(), 0)
        self.assertEqual(utils.clip_grad_norm_((p for p in mine), 0.0).shape, ())
        self.assertEqual(utils.get_total_norm(gyre.full((10000,), 1.0, dtype="bf16")).item(), 100)

    def test_norms_that_are_not_finite(self):
        mine, _ = parameters()
        mine[1].grad = gyre.tensor([math.inf, 1.0, 2.0, 3.0], dtype="f64")
        before = mine[0].grad.tolist()
        self.assertEqual(utils.clip_grad_norm_(mine, 1.0).item(), math.inf)
        self.assertEqual((mine[0].grad.tolist(), mine[1].grad.tolist()), (before, [math.inf, 1, 2, 3]))
        with self.assertRaisesRegex(gyre.NumericError, "expected a finite norm, got inf"):
            utils.clip_grad_norm_(mine, 1.0, error_if_nonfinite=True)

    def test_the_parts_of_clipping(self):
        mine, theirs = parameters()
        total = utils.get_total_norm([p.grad for p in mine[:2]], norm_type=2.0)
        utils.clip_grads_with_norm_(mine, 0.5, total)
        torch.nn.utils.clip_grads_with_norm_(theirs, 0.5, torch.nn.utils.get_total_norm([q.grad for q in theirs[:2]]))
        self.same(mine, theirs)

    def test_values_are_clipped(self):
        mine, theirs = parameters("f32")
        utils.clip_grad_value_(mine, clip_value=0.5)
        torch.nn.utils.clip_grad_value_(theirs, 0.5)
        self.same(mine, theirs)


class Vectors(unittest.TestCase):
    def test_there_and_back(self):
        gyre.manual_seed(1)
        net, other = nn.Linear(3, 2), nn.Linear(3, 2)
        vector = utils.parameters_to_vector(net.parameters())
        self.assertEqual(vector.tolist(), [*net.weight.reshape(-1).tolist(), *net.bias.tolist()])
        utils.vector_to_parameters(vector, (p for p in other.parameters()))
        self.assertEqual(other.weight.tolist(), net.weight.tolist())
        self.assertTrue(other.weight.is_leaf and other.weight.requires_grad)
        vector.square().sum().backward()
        self.assertEqual(net.bias.grad.tolist(), (2 * net.bias).tolist())
        for error, words, vec in ((TypeError, "expected a gyre.Tensor, got list", [1.0] * 8),
                                  (ValueError, r"a vector of 8 elements, got shape \(9,\)", gyre.ones(9)),
                                  (ValueError, "a vector of 8 elements", gyre.ones(2, 4))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                utils.vector_to_parameters(vec, net.parameters())


class Sequences(unittest.TestCase):
    def test_padding_is_that_of_torch(self):
        for rest in ((), (2,)):
            for dtype in ("f32", "i64"):
                mine = [gyre.arange(n * max(1, len(rest) * 2), dtype=dtype).reshape(n, *rest) for n in (3, 1, 4, 0)]
                theirs = [to_torch(t) for t in mine]
                for options in ({}, {"batch_first": True}, {"padding_value": -1},
                                {"padding_side": "left", "batch_first": True}):
                    with self.subTest(rest=rest, dtype=dtype, **options):
                        got = utils.rnn.pad_sequence(mine, **options)
                        torch.testing.assert_close(to_torch(got), torch.nn.utils.rnn.pad_sequence(theirs, **options))
                        if "padding_side" not in options:
                            first = options.get("batch_first", False)
                            again = utils.rnn.unpad_sequence(got, gyre.tensor([3, 1, 4, 0]), batch_first=first)
                            self.assertEqual([t.tolist() for t in again], [t.tolist() for t in mine])
        x = gyre.tensor([1.0, 2.0], requires_grad=True)
        utils.rnn.pad_sequence([x, gyre.ones(5)]).sum().backward()
        self.assertEqual(x.grad.tolist(), [1, 1])

    def test_what_makes_no_sense_is_refused(self):
        rnn = utils.rnn
        for words, act in (("at least one sequence", lambda: rnn.pad_sequence([])),
                           ("padding_side left or right, got 'top'",
                            lambda: rnn.pad_sequence([gyre.ones(2)], padding_side="top")),
                           (r"sequences of shape \[length, 2\], got \[1, 3\] at index 1",
                            lambda: rnn.pad_sequence([gyre.ones(2, 2), gyre.ones(1, 3)])),
                           (r"got \[\] at index 0", lambda: rnn.pad_sequence([gyre.tensor(1.0)])),
                           ("lengths of 2 sequences, got 1", lambda: rnn.unpad_sequence(gyre.ones(3, 2), [3]))):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                act()


if __name__ == "__main__":
    unittest.main()
