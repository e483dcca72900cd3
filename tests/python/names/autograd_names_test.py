"""Gradients by PyTorch's names: of functions, of results, of functions with one of their own, and modes."""

import unittest

import common
from common import gyre, numpy, torch
from name_lines import space

setUpModule = common.needs_packages


class AutogradNames(unittest.TestCase):
    def test_gradients(self):
        for line in ("m.max(1).values", "m.median(0).values", "lib.quantile(m, 0.3, dim=1)", "m.kthvalue(2).values",
                     "lib.hypot(m, 2 * m)", "lib.where(m > 0, m, 0.0)", "m.norm('nuc')", "m.clamp(min=0)", "m.var(1)",
                     "lib.cdist(m, m + 1)", "lib.linalg.pinv(m)", "lib.tensordot(m, m, 2)", "m.repeat_interleave(2)",
                     "lib.sinc(m)", "m.scatter(1, lib.tensor([[0], [2], [1]]), 9.0)", "lib.diff(m, n=2)", "lib.cov(m)"):
            slopes = []
            for lib in (gyre, torch):
                names = space(lib)
                names["m"] = lib.tensor(names["m"].tolist(), dtype=lib.float64, requires_grad=True)
                y = eval(line, names)
                (y * lib.arange(y.numel()).double().reshape(y.shape)).sum().backward()
                slopes.append(numpy.array(names["m"].grad.tolist()))
            numpy.testing.assert_allclose(*slopes, rtol=1e-9, atol=1e-9, err_msg=line)

    def test_gradients_of_results(self):
        x = gyre.ones(2, requires_grad=True)
        y = x * 3
        y.retain_grad()
        y.sum().backward()
        self.assertEqual(y.grad.tolist(), [1, 1])
        (slope,) = gyre.autograd.grad((x ** 2).sum(), x)
        self.assertEqual(slope.tolist(), [2, 2])
        for lib in (gyre, torch):
            x, other = lib.ones(2, requires_grad=True), lib.ones(3, requires_grad=True)
            y, weights = x ** 3, lib.tensor([1.0, 2.0])
            first = lib.autograd.grad(outputs=y, inputs=x, grad_outputs=weights, create_graph=True)[0]
            self.assertEqual(lib.autograd.grad(first, [x], weights, True)[0].tolist(), [6, 24])
            self.assertEqual(lib.autograd.grad(first, (x, other), weights, retain_graph=True, allow_unused=True)[1], None)
            zero = lib.autograd.grad([first], [x, other], [weights], retain_graph=True, materialize_grads=True)[1]
            self.assertEqual(zero.tolist(), [0, 0, 0])
            lib.autograd.backward([y], [weights], retain_graph=True, inputs=[x])
            lib.autograd.backward(y, weights, inputs=x, retain_graph=True)
            self.assertEqual(x.grad.tolist(), [6, 12])
            lib.autograd.backward(y, grad_tensors=weights)
            self.assertEqual(x.grad.tolist(), [9, 18])
            self.assertRaises(ValueError, lib.autograd.grad, y, x, weights, allow_unused=False, materialize_grads=True)
        self.assertRaisesRegex(ValueError, "only_inputs=True", gyre.grad, y, x, only_inputs=False)

    def test_functions_with_a_gradient_of_their_own(self):
        class Cube(gyre.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.save_for_backward(x)
                ctx.factor = factor
                return factor * x ** 3

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return 3 * ctx.factor * x ** 2 * g, None

        class Split(gyre.autograd.Function):
            @staticmethod
            def forward(x):
                return x * 2

            @staticmethod
            def setup_context(ctx, inputs, output):
                ctx.factor = len(inputs)

            @staticmethod
            def backward(ctx, g):
                return 2 * g, g

        x = gyre.tensor([1.0, 2.0], requires_grad=True)
        Cube.apply(x, 2.0).sum().backward()
        self.assertEqual(x.grad.tolist(), [6, 24])
        with self.assertRaisesRegex(TypeError, "Split.backward: expected 1 gradients, got 2"):
            Split.apply(x).sum().backward()
        for method in (gyre.autograd.Function.forward, gyre.autograd.Function.backward):
            with self.assertRaisesRegex(NotImplementedError, "a subclass defines"):
                method(None)
        with self.assertRaisesRegex(TypeError, "unexpected keyword"):
            gyre.autograd.functional.jacobian(lambda x: x, x, nothing=1)

    def test_modes(self):
        x = gyre.ones(2, requires_grad=True)

        @gyre.no_grad()
        def doubled(x):
            return x * 2

        @gyre.no_grad
        def tripled(x):
            return x * 3

        self.assertFalse(doubled(x).requires_grad or tripled(x).requires_grad)
        with gyre.inference_mode():
            self.assertFalse((x * 2).requires_grad)
            self.assertTrue(gyre.is_inference_mode_enabled())
            with gyre.inference_mode(False):
                self.assertTrue((x * 2).requires_grad)
        gyre.set_grad_enabled(False)
        self.assertFalse(gyre.is_grad_enabled())
        gyre.set_grad_enabled(True)
        with gyre.set_grad_enabled(False):
            self.assertFalse(gyre.is_grad_enabled())
        self.assertTrue(gyre.is_grad_enabled())
        self.assertFalse(gyre.set_grad_enabled(False)(lambda: gyre.is_grad_enabled())())
        self.assertTrue(gyre.is_grad_enabled())
