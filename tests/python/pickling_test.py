"""Pickles of tensors: round trips, and damaged pickles."""

import copy
import pickle
import pickletools
import unittest

from common import gyre, needs_packages


def setUpModule():
    needs_packages()


def tensors():
    """One tensor of each dtype, in various shapes."""
    for dtype in gyre.DType:
        yield gyre.tensor([[0, 1, 2], [3, 4, 5]]).to(dtype)
    yield gyre.zeros(())
    yield gyre.zeros((0, 3))
    yield gyre.tensor([[1.0, 2.0], [3.0, 4.0]]).T
    yield gyre.tensor([1.0, float("nan")], requires_grad=True)


class Pickles(unittest.TestCase):
    def same(self, got, wanted):
        self.assertEqual((got.dtype, got.shape, repr(got), got.requires_grad),
                         (wanted.dtype, wanted.shape, repr(wanted), wanted.requires_grad))

    def test_everything_comes_back(self):
        for t in tensors():
            for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
                self.same(pickle.loads(pickle.dumps(t, protocol)), t)

    def test_what_comes_back_is_its_own(self):
        t = gyre.zeros(3)
        other = pickle.loads(pickle.dumps(t))
        other += 1
        self.assertEqual(t.tolist(), [0, 0, 0])

    def test_ops_go_by_name(self):
        for op in gyre.ops():
            self.assertIs(pickle.loads(pickle.dumps(op)), op, op.name)
        self.assertIs(pickle.loads(pickle.dumps(gyre.Tensor.exp_)), gyre.Tensor.exp_)

    def test_what_has_no_pickle(self):
        self.assertRaisesRegex(gyre.ValueError, "detach", pickle.dumps, gyre.ones(1, requires_grad=True) * 2)
        for call in (pickle.dumps, copy.copy, copy.deepcopy):
            with self.assertRaisesRegex(gyre.UnsupportedError, "^pickle: .*got a slice of a batch inside vmap"):
                gyre.func.vmap(lambda x: (call(x), x)[1])(gyre.ones((2, 3)))

    def test_wrong_calls_of_the_maker(self):
        restore, (dtype, shape, wanted, data, checksum) = gyre.ones(2).__reduce__()
        self.assertEqual(restore(dtype, shape, wanted, data, checksum).tolist(), [1, 1])
        self.assertRaises(gyre.DTypeError, restore, "f7", shape, wanted, data, checksum)
        self.assertRaises(gyre.ValueError, restore, dtype, (-2,), wanted, data, checksum)
        self.assertRaises(TypeError, restore, dtype, shape, wanted, "text", checksum)
        for changed in (("f64", shape, wanted, data, checksum), (dtype, (3,), wanted, data, checksum),
                        (dtype, shape, True, data, checksum), (dtype, shape, wanted, data[:-1], checksum),
                        (dtype, shape, wanted, data, checksum ^ 1)):
            self.assertRaises(gyre.ParseError, restore, *changed)

    def damaged(self, whole):
        """The pickle with bits flipped in each byte, or truncated there."""
        for place in range(len(whole)):
            yield whole[:place]
            for flip in (1, 8, 64, 255):  # 2 would make pickle allocate 4 G objects
                yield whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1:]

    def test_damage_is_noticed(self):
        t = gyre.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
        whole = pickle.dumps(t)
        self.assertGreater(len(list(pickletools.genops(whole))), 10)
        refused = unharmed = total = 0
        for data in self.damaged(whole):
            total += 1
            try:
                got = pickle.loads(data)
            except Exception:  # any error of pickle or gyre
                refused += 1
                continue
            if isinstance(got, gyre.Tensor):  # other opcodes may give other objects, which is up to pickle
                self.same(got, t)
                unharmed += 1
        print(f"| damaged pickles: {refused} of {total} refused, {unharmed} with the same tensor")
        self.assertGreater(refused, 0.9 * total)


if __name__ == "__main__":
    unittest.main()
