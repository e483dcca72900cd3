"""gyre.numpy: what is refused, and in which words."""

import unittest

from common import gyre, needs_packages, numpy


def setUpModule():
    needs_packages()


class NumpyErrors(unittest.TestCase):
    def test_errors(self):
        lib = gyre.numpy
        m, v = lib.zeros((2, 3)), lib.zeros(3)
        for call, error, text in (
            (lambda: lib.zeros(2, dtype=complex), TypeError, "there are no complex, string"),
            (lambda: lib.zeros(2, dtype="u3"), TypeError, "expected one of "),
            (lambda: lib.array(["a"]), TypeError, "expected numbers, got str"),
            (lambda: lib.array([1j]), TypeError, "expected numbers, got complex"),
            (lambda: lib.complex128, AttributeError, "there are no complex"),
            (lambda: lib.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.linalg.eig, AttributeError, "see eigh for symmetric"),
            (lambda: lib.linalg.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.fft.rfft, AttributeError, "spectra are complex"),
            (lambda: lib.fft.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.fft.fftfreq(0), ValueError, "fftfreq: expected at least 1 sample as n, got 0"),
            (lambda: lib.result_type(), ValueError, "at least one array or dtype"),
            (lambda: lib.can_cast("f4", "f8", "sometimes"), ValueError, "expected casting no, "),
            (lambda: lib.isdtype(m.dtype, "number"), ValueError, "expected a kind"),
            (lambda: lib.asarray([1.0], copy=False), ValueError, "must be copied"),
            (lambda: lib.asarray(numpy.ones(2), dtype="f4", copy=False), ValueError, "must be copied"),
            (lambda: lib.linspace(0, 1, -1), ValueError, "num of at least 0, got -1"),
            (lambda: lib.geomspace(-1, 1), ValueError, "of the same sign"),
            (lambda: lib.diag(lib.zeros((1, 1, 1))), ValueError, "1 or 2 axes, got 3"),
            (lambda: lib.exp(m, where=m > 0), TypeError, "where= needs out="),
            (lambda: lib.where(m, m), ValueError, "both x and y or neither"),
            (lambda: lib.add(lib.zeros(2, dtype="u1"), 300), ValueError, "300 does not fit u8"),
            (lambda: lib.sum(m, axis=2), IndexError, "out of range for 2 axes"),
            (lambda: lib.sum(m, axis=(0, 0)), ValueError, "expected distinct axes"),
            (lambda: lib.reshape(m, 6, order="B"), ValueError, "expected order \"C\", \"F\""),
            (lambda: m.copy(order="B"), ValueError, "expected order \"C\", \"F\""),
            (lambda: lib.matrix_transpose(v), ValueError, "at least 2 axes, got 1"),
            (lambda: lib.split(v, 2), ValueError, "3 elements do not split into 2 equal parts; use array_split"),
            (lambda: lib.pad(v, -1), ValueError, "widths of at least 0"),
            (lambda: lib.pad(v, 1, mode="any"), ValueError, "expected mode constant, empty, linear_ramp, maximum"),
            (lambda: lib.take(v, 0.5), TypeError, "expected integers as indices, got f64"),
            (lambda: lib.take(v, 0, mode="any"), ValueError, "\"raise\", \"wrap\" or \"clip\""),
            (lambda: lib.take(v, 3), IndexError, "out of range"),
            (lambda: lib.select([], []), ValueError, "as many choices as conditions, got 0 and 0"),
            (lambda: lib.nextafter(lib.ones(1, "bfloat16"), lib.ones(1, "bfloat16")), TypeError,
             "expected f32 or f64, got bf16"),
            (lambda: lib.max(m, where=m > 0), ValueError, "where= needs initial="),
            (lambda: lib.average(m, weights=v), TypeError, "need an axis"),
            (lambda: lib.cumulative_sum(m), ValueError, "expected an axis for 2 axes"),
            (lambda: lib.gradient(m, 1, 2, 3), TypeError, "for each of 2 axes, got 3"),
            (lambda: lib.gradient(lib.zeros(1)), ValueError, "at least 2 elements"),
            (lambda: lib.gradient(lib.zeros(2), edge_order=2), ValueError, "at least 3 elements"),
            (lambda: lib.gradient(v, edge_order=3), ValueError, "edge_order 1 or 2, got 3"),
            (lambda: lib.gradient(v, [1.0, 2.0]), ValueError, "a spacing or 3 coordinates, got \\[2\\]"),
            (lambda: lib.fromiter([1], int, 2), ValueError, "expected 2 numbers, got 1"),
            (lambda: lib.asarray_chkfinite([lib.nan]), ValueError, "expected finite numbers"),
            (lambda: lib.r_["0,2", v], TypeError, "r_: expected slices, numbers and arrays, got a str"),
            (lambda: lib.vectorize(abs)([]), ValueError, "expected otypes for arrays without elements"),
            (lambda: lib.piecewise(v, [v > 0], [1, 2, 3]), ValueError, "expected 1 or 2 functions for 1 conditions, got 3"),
            (lambda: lib.polyfit(v, m, 1), ValueError, "as many values y, got \\[3\\] and \\[2, 3\\]"),
            (lambda: lib.poly(m), ValueError, "a vector of zeros, got \\[2, 3\\]"),
            (lambda: lib.lib.stride_tricks.sliding_window_view(m, 2), ValueError, "a window of 2 axes, got \\[2\\]"),
            (lambda: lib.lib.stride_tricks.sliding_window_view(m, (2, 2), axis=0), ValueError, "a size for each of 1 axes"),
            (lambda: lib.savez("never", v, arr_0=v), ValueError, "arr_0 is the name of an array by position and by keyword"),
            (lambda: lib.load("never.npy", mmap_mode="r+"), ValueError, "expected mmap_mode None, \"r\" or \"c\", got 'r\\+'"),
            (lambda: lib.savetxt("never", 1.0), ValueError, "savetxt: expected 1 or 2 axes, got 0"),
            (lambda: lib.loadtxt(["1 2", "3"]), ValueError, "loadtxt: expected rows with the same number of columns, got 1 and 2"),
            (lambda: lib.loadtxt(["1 x"]), ValueError, "could not convert string"),
            (lambda: lib.seterr(divide="raise"), ValueError, "expected divide=\"ignore\", got 'raise'"),
            (lambda: lib.errstate(all="warn"), ValueError, "expected all=\"ignore\", got 'warn'"),
            (lambda: lib.subtract.reduce([]), ValueError, "subtract.reduce: expected elements or initial"),
            (lambda: lib.gcd(1.0, 2), TypeError, "gcd, lcm: expected integers, got f64"),
            (lambda: lib.bitwise_count(v), TypeError, "bitwise_count: expected integers, got f64"),
            (lambda: lib.trim_zeros(m), ValueError, "trim_zeros: expected 1 axis, got 2"),
            (lambda: lib.ravel_multi_index((3, 0), (3, 4)), ValueError, "expected indices from 0 to 2"),
            (lambda: lib.put(v, 3, 1), IndexError, "out of range"),
            (lambda: lib.random.gamma(-1.0), ValueError, "gamma: expected a finite shape above 0"),
            (lambda: lib.random.geometric(0.0), ValueError, "geometric: expected p in"),
            (lambda: lib.random.binomial(3, 2.0), ValueError, "binomial: expected n of at least 0 and p in"),
            (lambda: lib.random.poisson(-1.0), ValueError, "poisson: expected a finite lam of at least 0"),
            (lambda: lib.random.multinomial(3, [0.5, 0.1]), ValueError, "pvals of at least 0 with a sum of 1"),
            (lambda: lib.random.multivariate_normal([0, 0], -lib.eye(2)), ValueError, "a positive semidefinite cov"),
            (lambda: m.T.view("f32"), ValueError, "the last axis is not contiguous"),
            (lambda: lib.zeros(3, "f4").view("f64"), ValueError, "do not fill whole ones"),
            (lambda: lib.nanargmax(lib.full(2, lib.nan)), ValueError, "got only NaN"),
            (lambda: lib.nonzero(1.0), ValueError, "at least 1 axis, got 0"),
            (lambda: lib.histogram(v, "stone"), ValueError, "or a rule .auto, fd, .*got 'stone'"),
            (lambda: lib.quantile(v, 2), ValueError, "quantiles in \\[0, 1\\]"),
            (lambda: lib.quantile(v, 0.5, method="any"), ValueError, "quantile: expected method linear"),
            (lambda: lib.nanquantile(v, 0.5, method="any"), ValueError, "nanquantile: expected method linear"),
            (lambda: lib.cross(v[:2], v[:2]), ValueError, "vectors of 3 elements, got 2 and 2"),
            (lambda: lib.vecdot(v, v[:1]), ValueError, "vectors of one size, got 3 and 1 elements"),
            (lambda: lib.convolve(v, v, "some"), ValueError, "mode full, same or valid"),
            (lambda: lib.linalg.qr(m, "raw"), ValueError, "expected mode"),
            (lambda: lib.linalg.norm(lib.zeros((2, 2, 2)), 1), ValueError, "1 or 2 axes for ord=1, got 3"),
            (lambda: lib.linalg.vector_norm(m, ord="fro"), ValueError, "expected a number as ord"),
            (lambda: lib.random.choice(2, 3, replace=False), ValueError, "at most 2 without replacement, got 3"),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


if __name__ == "__main__":
    unittest.main()
