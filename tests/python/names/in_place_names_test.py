"""In-place methods by PyTorch's names that are not ops, and views of bits: the same lines in gyre and PyTorch."""

import unittest

from common import gyre, needs_packages, numpy, torch

# Lines run with `lib` as gyre and as torch, and x: [2, 1, 3] f32, i: [3] i64, s: [3, 3] f64.
WRITES = """
x.clamp_min_(0.1)
x.clamp_max_(0.1)
x.copysign_(lib.tensor(-1.0))
x.deg2rad_()
x.rad2deg_()
x.frac_()
x.heaviside_(lib.tensor(0.5))
x.hypot_(x + 1)
x.eq_(x)
x.ne_(0.5)
x.not_equal_(0.5)
x.lt_(0)
x.less_(0)
x.le_(0)
x.less_equal_(0)
x.gt_(0)
x.greater_(0)
x.ge_(0)
x.greater_equal_(0)
x.logical_not_()
x.logical_and_(x > 0)
x.logical_or_(x > 0)
x.logical_xor_(x > 0)
x.abs_().log10_()
x.logit_(eps=0.1)
x.nan_to_num_(nan=1.0)
x.sinc_()
x.xlogy_(x.abs())
x.abs_().add_(2).mvlgamma_(2)
x.abs_().add_(2).polygamma_(1)
x.double().float_power_(2)
i.bitwise_not_()
x.cumsum_(0)
x.cumprod_(2)
i.gcd_(lib.tensor(6))
i.lcm_(lib.tensor(6))
x.ldexp_(lib.tensor(2))
x.index_add_(2, lib.tensor([0, 2]), lib.ones(2, 1, 2))
x.index_copy_(2, lib.tensor([0, 2]), lib.ones(2, 1, 2))
x.index_fill_(2, lib.tensor([0, 2]), 5.0)
x.index_put_((lib.tensor([0, 1]), lib.tensor([0, 0])), lib.tensor(5.0))
x.masked_fill_(x > 0, 5.0)
x.masked_scatter_(x > -9, lib.arange(6.0))
x.put_(lib.tensor([0, 5]), lib.tensor([7.0, 8.0]))
x.renorm_(2, 0, 0.1)
x.scatter_(2, lib.tensor([[[1]], [[2]]]), 5.0)
x.scatter_add_(2, lib.tensor([[[1]], [[2]]]), lib.ones(2, 1, 1))
x.scatter_reduce_(2, lib.tensor([[[1]], [[2]]]), lib.ones(2, 1, 1), "amax")
s.tril_()
s.triu_(1)
i.clamp_min_(1)
s.addmm_(s * 2, s + 1, beta=0.5)
s[0].addmv_(s * 2, s[1] * 2)
s.addr_(s[0] * 2, s[1] * 2, alpha=2)
s[None].clone().baddbmm_(s[None], s[None])
s.addbmm_(s[None] * 2, s[None] * 2)
""".strip().splitlines()
SHAPES = """
x.unsqueeze_(0)
x.unsqueeze_(-1)
x.squeeze_()
x.squeeze_(1)
x.squeeze_(0)
s.t_()
s.transpose_(0, 1)
x.swapaxes_(0, 2)
x.swapdims_(0, -1)
x.resize_(3, 1)
x.resize_((2, 2))
x.resize_as_(i)
x.resize_(6, 1, 1, 1, memory_format=lib.channels_last)
x.detach_()
(x * 2).unsqueeze_(0).unsqueeze_(0)
""".strip().splitlines()
BITS = """
x.view(lib.int32)
x.view(lib.int8)
x.view(dtype=lib.uint8)
x.view(lib.float16)
x.view(lib.float32)
s[:, :2].view(lib.int16)
s.t().view(lib.int64)
(i == 1).view(lib.uint8)
lib.tensor(1.0).view(lib.int32)
lib.frombuffer(bytearray(b"abcdefgh"), dtype=lib.float64)
lib.frombuffer(bytearray(b"abcdefgh"), dtype=lib.bool, offset=7)
lib.frombuffer(bytearray(b"abcdefgh"), dtype=lib.float32, requires_grad=True)
""".strip().splitlines()


def setUpModule():
    needs_packages()


def space(lib, **options):
    return {"lib": lib, "i": lib.tensor([0, 1, 5]),
            "x": lib.tensor([[[0.5, -1.25, 2.0]], [[0.25, 3.5, -0.75]]], **options),
            "s": lib.tensor([[2.0, 0.5, 1.0], [0.25, 3.0, -1.0], [1.5, -0.5, 4.0]], dtype=lib.float64)}


class InPlace(unittest.TestCase):
    def same(self, got, want):
        self.assertEqual((got.detach().numpy().dtype, tuple(got.shape)), (want.detach().numpy().dtype, tuple(want.shape)))
        numpy.testing.assert_allclose(numpy.array(got.tolist()), numpy.array(want.tolist()), rtol=1e-5, atol=1e-7)

    def test_writes(self):
        for line in WRITES:
            with self.subTest(line):
                ours, theirs = space(gyre), space(torch)
                got, want = eval(line, ours), eval(line, theirs)
                self.same(got, want)
                for name in "xis":
                    self.same(ours[name], theirs[name])

    def test_shapes(self):
        for line in SHAPES:
            with self.subTest(line):
                ours, theirs = space(gyre), space(torch)
                got, want = eval(line, ours), eval(line, theirs)
                self.same(got, want)
                self.assertEqual(got.is_contiguous(), want.is_contiguous())
                for name in "xis":
                    self.same(ours[name], theirs[name])

    def test_every_method_has_a_line(self):
        lines = "\n".join([*WRITES, *SHAPES])
        for method in gyre._functions.in_place.methods:
            self.assertIn(f".{method.__name__}(", lines)

    def test_bits(self):
        for line in BITS:
            with self.subTest(line):
                ours, theirs = space(gyre), space(torch)
                got, want = eval(line, ours), eval(line, theirs)
                self.same(got, want)
                self.assertEqual(got.requires_grad, want.requires_grad)

    def test_memory_is_shared(self):
        x = gyre.ones(2)
        x.view(gyre.int32)[0] = 0
        self.assertEqual(x.view(gyre.bfloat16).shape, (4,))
        self.assertEqual(x.tolist(), [0, 1])
        y = x.view(2, 1)
        x.unsqueeze_(0).fill_(3)
        self.assertEqual((x.shape, y.tolist()), ((1, 2), [[3], [3]]))
        memory = bytearray(4)
        gyre.frombuffer(memory, dtype="u8").fill_(7)
        self.assertEqual(bytes(memory), b"\7\7\7\7")
        self.assertEqual(gyre.frombuffer(b"ab", dtype="u8").fill_(7).tolist(), [7, 7])

    def test_gradients(self):
        for line in ("(x * 2).unsqueeze_(0).mul_(x)", "(x * x).squeeze_().t_() @ s[:2, :2]", "(x * 1).eq_(x) * x",
                     "(x * 1).hypot_(x * 2)", "x.detach().clone().hypot_(x)", "(x * 2).transpose_(0, 2) * 3", "(x * 2).detach_() * x"):
            slopes = []
            for lib in (gyre, torch):
                names = space(lib, requires_grad=True, dtype=lib.float64)
                eval(line, names).sum().backward()
                slopes.append(numpy.array(names["x"].grad.tolist()))
            numpy.testing.assert_allclose(*slopes, rtol=1e-9, err_msg=line)

    def test_leaves(self):
        x = gyre.ones(2, requires_grad=True)
        self.assertIs(x.detach_(), x)
        self.assertFalse(x.requires_grad)
        self.assertEqual(gyre.ones(2).t_().view("f32").tolist(), [1, 1])

    def test_errors(self):
        x, leaf = gyre.ones(2, 3), gyre.ones(2, requires_grad=True)
        for error, words, call in (
                (ValueError, "unsqueeze_: a parameter, or a leaf that requires grad, keeps its shape; use unsqueeze",
                 lambda: leaf.unsqueeze_(0)),
                (ValueError, "t_: a parameter", lambda: gyre.nn.Parameter(x, requires_grad=False).t_()),
                (ValueError, "a leaf that requires grad cannot be modified in place", lambda: leaf.hypot_(x[0, :2])),
                (ValueError, "resize_: a tensor tracked by autograd keeps its shape", lambda: (leaf * 2).resize_(1)),
                (TypeError, "log10_: the result is f32, which i64 cannot hold", lambda: gyre.tensor([1]).log10_()),
                (gyre.ShapeError, "does not broadcast", lambda: x[0].logical_and_(gyre.ones(2, 3))),
                (TypeError, "view: expected a shape or a dtype, got both", lambda: x.view(6, dtype="i32")),
                (ValueError, r"view: cannot read f32 of shape \[2, 3\] as f64: the elements", lambda: x.view("f64")),
                (ValueError, r"shape \[3, 2\] as i8: the last axis is not contiguous", lambda: x.t().view("i8")),
                (ValueError, "a 0-d tensor keeps its element size", lambda: gyre.ones(()).view("i8")),
                (ValueError, "not aligned", lambda: gyre.frombuffer(bytearray(17), dtype="f64", offset=1)),
                (ValueError, "resize_: expected sizes of at least 0", lambda: x.clone().resize_(-1)),
                (TypeError, "cumsum_: the result is i64, which boolean cannot hold", lambda: gyre.tensor([True]).cumsum_(0)),
                (ValueError, "not a plain tensor", lambda: gyre.compress({"w": gyre.ones(64, 64)}, "D4")["w"].view("i8")),
                (ValueError, "whole elements of 2 bytes in 3 bytes, got offset 0", lambda: gyre.frombuffer(b"abc", dtype="i16")),
                (ValueError, "whole elements of 1 bytes in 0 bytes", lambda: gyre.frombuffer(b"", dtype="u8")),
                (ValueError, "got offset -1", lambda: gyre.frombuffer(b"abc", dtype="u8", offset=-1)),
                (ValueError, "got offset 1 and count 3", lambda: gyre.frombuffer(b"abc", dtype="u8", offset=1, count=3))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()


if __name__ == "__main__":
    unittest.main()
