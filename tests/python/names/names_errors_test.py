"""Errors of the functions and methods by PyTorch's names: what was expected and what was found."""

import math
import unittest

try:
    import gyre
except ImportError:
    gyre = None


@unittest.skipIf(gyre is None, "the Python package gyre is not built (GYRE_PYTHON=ON) or not on PYTHONPATH")
class NamesErrors(unittest.TestCase):
    def test_errors(self):
        m, v = gyre.zeros(2, 3), gyre.zeros(3)
        for call, error, text in (
            (lambda: gyre.Tensor.view_as([1], v), TypeError, "view_as: expected a gyre.Tensor, got list"),
            (lambda: gyre.distributions.Gamma(math.inf, 1.0, validate_args=False).sample(), ValueError, "finite concentrations"),
            (lambda: gyre.numpy.random.negative_binomial(3, 0.0), ValueError, "p above 0 and at most 1"),
            (lambda: gyre.numpy.random.gamma(math.inf), ValueError, "a finite shape above 0"),
            (lambda: gyre.numpy.random.poisson(math.inf), ValueError, "a finite lam"),
            (lambda: gyre.numpy.random.choice(5, p=[0.5, 0.5]), ValueError, "p of 5 probabilities with a sum of 1"),
            (lambda: gyre.is_nonzero(len), TypeError, "expected a tensor"),
            (lambda: gyre.fill(v, [1, 2]), ValueError, "fill: expected a number or a 0-d tensor"),
            (lambda: gyre.Tensor([1], [2]), TypeError, "expected data or sizes, got several arguments"),
            (lambda: gyre.Tensor(2, -1), ValueError, "has a negative size"),
            (lambda: gyre.zeros(2, 2, 2).t(), ValueError, "at most 2 axes, got 3"),
            (lambda: m.flatten(2), IndexError, "axis 2 is out of range for 2 axes"),
            (lambda: m.flatten(1, 0), ValueError, "start_dim 1 comes after end_dim 0"),
            (lambda: m.movedim((0, 0), (0, 1)), ValueError, "expected distinct axes"),
            (lambda: gyre.tensor(1.0).unbind(), ValueError, "a 0-d tensor has no axis"),
            (lambda: m.split(0), ValueError, "expected a size of at least 1, got 0"),
            (lambda: m.tensor_split(0), ValueError, "expected at least 1 part, got 0"),
            (lambda: m.hsplit(2), ValueError, "3 elements do not split into 2 equal parts"),
            (lambda: gyre.vsplit(v, 1), ValueError, "expected at least 2 axes, got 1"),
            (lambda: gyre.broadcast_shapes((2,), (3,)), ValueError, "do not broadcast"),
            (lambda: m.repeat(2), ValueError, "expected at least 2 repetitions, got 1"),
            (lambda: v.repeat_interleave(gyre.tensor([1, 2])), ValueError, "expected 3 counts"),
            (lambda: m.narrow(1, 2, 2), IndexError, "2 indices from 2 exceed axis 1 with 3 elements"),
            (lambda: gyre.diag(gyre.zeros(1, 1, 1)), ValueError, "expected 1 or 2 axes, got 3"),
            (lambda: m.scatter(1, gyre.tensor([[0]]), gyre.zeros(1, 1), reduce="max"), ValueError, "\"add\" or \"multiply\""),
            (lambda: m.div(v, rounding_mode="up"), ValueError, "rounding_mode None, \"floor\" or \"trunc\", got 'up'"),
            (lambda: m.masked_fill(m > 0, v), ValueError, r"a number or a 0-d tensor as value, got \[3\]"),
            (lambda: m.to("f64", True, False, True), TypeError, "two flags by position, non_blocking and copy, got 3"),
            (lambda: m.clone(memory_format=gyre.channels_last), ValueError, r"channels_last: expected 4 axes, got \[2, 3\]"),
            (lambda: m.contiguous(0.5), TypeError, "a memory_format such as gyre.contiguous_format, got float"),
            (lambda: gyre.linalg.lstsq(m, m, driver="qr"), ValueError, "\"gelsd\" or \"gelss\", got 'qr'"),
            (lambda: gyre.linspace(0, 1), TypeError, "expected start, end and steps"),
            (lambda: gyre.meshgrid(v, indexing="ji"), ValueError, "expected indexing"),
            (lambda: gyre.meshgrid(m), ValueError, "at most one axis"),
            (lambda: m.clamp(), ValueError, "expected min, max or both"),
            (lambda: m.var(correction=1, unbiased=False), TypeError, "one of correction, ddof and unbiased"),
            (lambda: m.var(out=m), TypeError, "var: out is not supported"),
            (lambda: m.max(out=m), TypeError, "max: out is not supported"),
            (lambda: m.norm("max"), ValueError, "\"fro\" or \"nuc\""),
            (lambda: gyre.searchsorted(v, v, side="up"), ValueError, "side \"left\" or \"right\""),
            (lambda: gyre.diff(v, n=-1), ValueError, "n of at least 0"),
            (lambda: gyre.cov(gyre.zeros(1, 1, 1)), ValueError, "at most 2 axes, got 3"),
            (lambda: gyre.tensordot(v, v, 2), ValueError, "a number of axes from 0 to 1, got 2"),
            (lambda: gyre.vdot(m, v), ValueError, "expected two vectors"),
            (lambda: gyre.linalg.multi_dot([m]), ValueError, "at least 2 matrices, got 1"),
            (lambda: gyre.linalg.multi_dot([m] * 60), ValueError, "at most 51 matrices"),
            (lambda: gyre.linalg.eigh(gyre.eye(2), "X"), ValueError, "expected UPLO"),
            (lambda: gyre.linalg.qr(m, "full"), ValueError, "expected mode"),
            (lambda: gyre.linalg.matrix_norm(v), gyre.ShapeError, "expected matrices"),
            (lambda: gyre.linalg.matrix_norm(m, 3), ValueError, "inf, -inf, 1, -1, 2 or -2"),
            (lambda: gyre.multinomial(gyre.zeros(1, 1, 1), 1), ValueError, "expected weights"),
            (lambda: gyre.multinomial(-gyre.ones(2), 1), ValueError, "at least 0, finite"),
            (lambda: gyre.multinomial(gyre.ones(2), 3), ValueError, "cannot draw 3 without replacement"),
            (lambda: gyre.randint(1, 2, 3, 4, (2,)), TypeError, "expected low, high and size"),
            (lambda: gyre.finfo("i32"), TypeError, "expected a floating dtype, got i32"),
            (lambda: gyre.iinfo("f32"), TypeError, "expected an integer dtype, got f32"),
            (lambda: gyre.set_default_dtype("f64"), ValueError, "the default dtype is f32"),
            (lambda: v.masked_scatter(v == 0, v[:2]), ValueError, "source of at least 3 elements, as many as the mask selects"),
            (lambda: m.select_scatter(v, 1, 0), ValueError, r"select_scatter: expected src of shape \[2\], got \[3\]"),
            (lambda: gyre.gradient(m, spacing=[1.0]), ValueError, "a spacing for each of 2 axes, got 1"),
            (lambda: gyre.gradient(m, edge_order=3), ValueError, "edge_order 1 or 2, got 3"),
            (lambda: gyre.gradient(m, dim=0, edge_order=2), ValueError, "at least 3 elements along axis 0, got 2"),
            (lambda: gyre.gradient(v, spacing=(v[:2],)), ValueError, "3 coordinates for axis 0, got 2"),
            (lambda: gyre.gcd(v, v), TypeError, "gcd: expected integers, got f32 and f32"),
            (lambda: gyre.renorm(v, 2, 0, 1.0), ValueError, "at least 2 axes, got 1"),
            (lambda: gyre.renorm(m, 0, 0, 1.0), ValueError, "p above 0 and maxnorm of at least 0, got 0 and 1.0"),
            (lambda: gyre.combinations(m), ValueError, r"a vector and r of at least 0, got shape \[2, 3\] and 2"),
            (lambda: m.sum_to_size(4, 3), ValueError, r"do not broadcast"),
            (lambda: v.sum_to_size(1, 3), ValueError, r"a shape that broadcasts to \[3\], got \[1, 3\]"),
            (lambda: gyre.normal(v, -1.0), ValueError, "normal: expected std of 0 or more"),
            (lambda: v.normal_(std=-1), ValueError, "normal_: expected std of 0 or more, got -1"),
            (lambda: v.uniform_(1, 0), ValueError, "from of at most to, got 1 and 0"),
            (lambda: v.exponential_(0), ValueError, "lambd above 0, got 0"),
            (lambda: v.geometric_(1), ValueError, "p between 0 and 1, got 1"),
            (lambda: v.cauchy_(0, 0), ValueError, "sigma above 0, got 0"),
            (lambda: gyre.bernoulli(v + 2), ValueError, "bernoulli: expected probabilities from 0 to 1"),
            (lambda: v.bernoulli_(-1), ValueError, "bernoulli_: expected probabilities from 0 to 1"),
            (lambda: gyre.testing.assert_close(m, v), AssertionError, r"expected shape \[3\], got shape \[2, 3\]"),
            (lambda: gyre.testing.assert_close([v, v], [v, v + 1]), AssertionError,
             r"got 3 of 3 elements further apart at \[1\]; the first, at index 0 in row-major order, is 0.0, expected 1.0"),
            (lambda: gyre.testing.assert_close(v, v.double()), AssertionError, "expected dtype f64, got dtype f32"),
            (lambda: gyre.testing.assert_close(v, v, atol=1), ValueError, "both rtol and atol or neither"),
            (lambda: gyre.testing.assert_close(v, v + 1, msg="text"), AssertionError, "^text$"),
            (lambda: gyre.testing.assert_close({"a": v}, {"b": v}), AssertionError, r"expected keys \['b'\], got keys \['a'\]"),
            (lambda: gyre.testing.assert_close(gyre.nn.Parameter(v), v, allow_subclasses=False), AssertionError,
             "expected Tensor, got Parameter"),
            (lambda: gyre.autograd.gradgradcheck(lambda x: x, v, grad_outputs=v), ValueError, "expected grad_outputs=None"),
            (lambda: gyre.autograd.gradgradcheck(lambda x: x.detach() * x, gyre.ones(2, dtype="f64", requires_grad=True)),
             gyre.NumericError, "gradgradcheck: "),
            (lambda: gyre.distributions.Gamma(-1.0, 1.0), ValueError, "Gamma: expected concentration and rate above 0"),
            (lambda: gyre.distributions.Exponential(0.0), ValueError, "Exponential: expected rate above 0"),
            (lambda: gyre.distributions.Laplace(0.0, 0.0), ValueError, "Laplace: expected scale above 0"),
            (lambda: gyre.distributions.Dirichlet(v), ValueError, "Dirichlet: expected concentration above 0"),
            (lambda: gyre.distributions.Dirichlet(1.0), ValueError, r"concentration \[..., classes\], got a 0-d tensor"),
            (lambda: gyre.distributions.MultivariateNormal(v), ValueError, "either covariance_matrix or scale_tril"),
            (lambda: gyre.tensor([2]) ** -1, ValueError, "negative power"),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


if __name__ == "__main__":
    unittest.main()
