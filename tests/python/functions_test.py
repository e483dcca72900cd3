"""gyre.func, custom functions and user-defined ops from Python."""

import contextlib
import gc
import io
import math
import pydoc
import unittest
import weakref

from common import lets_others_run

try:
    import gyre
    from gyre import func
except ImportError:
    gyre = None


def f64(values):
    return gyre.tensor(values, dtype="f64")


@unittest.skipIf(gyre is None, "the Python package gyre is not built (GYRE_PYTHON=ON) or not on PYTHONPATH")
class FunctionsTest(unittest.TestCase):
    def same(self, got, wanted):
        """Compares elements of a tensor with nested lists."""
        got = got.tolist()
        flat = lambda v: [x for part in v for x in flat(part)] if isinstance(v, list) else [v]  # noqa: E731
        self.assertEqual(len(flat(got)), len(flat(wanted)))
        for a, b in zip(flat(got), flat(wanted)):
            self.assertAlmostEqual(a, b, places=12)

    def test_derivatives_have_their_closed_forms(self):
        x = f64([0.5, -1, 2])
        cubes = lambda t: (t * t * t).sum()  # noqa: E731
        cube = lambda t: t * t * t  # noqa: E731
        self.same(func.grad(cubes)(x), [0.75, 3, 12])
        value, slope = func.value_and_grad(cubes)(x)
        self.same(value, 7.125)
        self.same(slope, [0.75, 3, 12])
        self.same(func.hessian(cubes)(x), [[3, 0, 0], [0, -6, 0], [0, 0, 12]])
        self.same(func.hessian_diag(cubes)(x), [3, -6, 12])
        self.same(func.grad2(cube)(x), [3, -6, 12])
        self.same(func.hvp(cubes, x, f64([1, 2, 3])), [3, -12, 36])
        self.same(func.jacobian(cube)(x), [[0.75, 0, 0], [0, 3, 0], [0, 0, 12]])
        out, along = func.jvp(cube, (x,), (f64([1, 2, 3]),))
        self.same(out, [0.125, -1, 8])
        self.same(along, [0.75, 6, 36])
        out, pull = func.vjp(cube, x)
        self.same(out, [0.125, -1, 8])
        self.same(pull(f64([1, 2, 3]))[0], [0.75, 6, 36])
        self.same(func.grad(lambda t: func.grad(cubes)(t).sum())(x), [3, -6, 12])
        self.assertFalse(x.requires_grad)

    def test_tensors_come_one_by_one_or_together(self):
        x, y = f64([1, 2]).requires_grad_(), f64([3, 4]).requires_grad_()
        z = (x * y).sum()
        self.same(gyre.grad(z, x, retain_graph=True)[0], [3, 4])
        for inputs in ([x, y], (x, y), (t for t in (x, y))):
            gx, gy = gyre.grad([z], inputs, [None], retain_graph=True)
            self.same(gx, [3, 4])
            self.same(gy, [1, 2])
        self.assertRaises(TypeError, gyre.grad, z, object())

    def test_argnums_choose_arguments(self):
        f = lambda x, scale, y: (x * y * scale).sum()  # noqa: E731
        x, y = f64([1, 2]), f64([3, 4])
        self.same(func.grad(f, argnums=2)(x, 2.0, y), [2, 4])
        gx, gy = func.grad(f, argnums=(0, -1))(x, 2.0, y)
        self.same(gx, [6, 8])
        self.same(gy, [2, 4])
        two = lambda x: (x * 2, x * x)  # noqa: E731
        (a, b), (da, db) = func.jvp(two, x, f64([1, 1]))
        self.same(a, [2, 4])
        self.same(db, [2, 4])
        self.same(da, [2, 2])
        self.same(b, [1, 4])

    def test_lists_stand_for_tuples(self):
        x, y, v, w = f64([1, 2]), f64([3, 4]), f64([1, 0]), f64([0, 1])
        f = lambda x, y: (x * x * y).sum()  # noqa: E731
        for sequence in (tuple, list):
            with self.subTest(sequence.__name__):
                out, along = func.jvp(f, sequence([x, y]), sequence([v, w]))
                self.same(out, 19)
                self.same(along, 10)
                self.same(func.hvp(f, sequence([x, y]), sequence([v, w]))[0], [6, 4])
                self.same(func.grad(f, argnums=sequence([1, 0]))(x, y)[0], [1, 4])
                self.same(func.jacobian(f, argnums=sequence([1]))(x, y)[0], [1, 4])
                _, pull = func.vjp(lambda x: sequence([x * 2, x * 3]), x)
                self.same(pull(sequence([v, w]))[0], [2, 3])
                rows = func.vmap(lambda x, y: sequence([x * y, x]), in_axes=sequence([0, None]),
                                 out_axes=sequence([1, 0]))(x, y)
                self.same(rows[0], [[3, 6], [4, 8]])
        self.same(func.vmap(lambda x, y: x * y, in_axes=range(2))(f64([[1], [2]]), f64([[3, 4]])), [[3], [8]])
        self.same(func.vmap(lambda x: (x, x), out_axes=range(2))(f64([[1, 2]]))[1], [[1], [2]])

    def test_a_list_of_numbers_beside_one_array_is_one_vector(self):
        x, cubes = f64([1, 2]), lambda x: (x * x * x).sum()
        self.same(func.jvp(cubes, x, [1.0, 2.0])[1], 27)
        self.same(func.jvp(lambda x: (x * x).sum(), f64([[1, 2], [3, 4]]), [[1.0, 0.0], [0.0, 1.0]])[1], 10)
        self.same(func.hvp(cubes, x, [1.0, 2.0]), [6, 24])
        for sequence in (tuple, list):
            self.same(func.jvp(lambda x: x * x, 3.0, sequence([1.0]))[1], 6)
            self.same(func.jvp(lambda x, y: x * y, sequence([3.0, 4.0]), sequence([1.0, 2.0]))[1], 10)
        with self.assertRaisesRegex(gyre.ValueError, "jvp: expected a vector for each of 2 tensors, got 1"):
            func.jvp(lambda x, y: x * y, [x, x], [x])

    def test_vmap_is_a_loop(self):
        w, rows = f64([[1, 2], [3, 4]]), f64([[1, 2], [3, 4], [5, 6]])
        loss = lambda w, x: ((w @ x) * (w @ x)).sum()  # noqa: E731
        each = func.vmap(func.grad(loss), in_axes=(None, 0))(w, rows)
        self.assertEqual(each.shape, (3, 2, 2))
        for n in range(3):
            self.same(each[n], func.grad(loss)(w, rows[n]).tolist())
        self.same(func.vmap(lambda x, k: x * k, in_axes=(1, None), out_axes=1)(rows, 2),
                  [[2, 4], [6, 8], [10, 12]])
        a, b = func.vmap(lambda x: (x.sum(), x + 1))(rows)
        self.same(a, [3, 7, 11])
        self.same(b, [[2, 3], [4, 5], [6, 7]])
        self.same(func.vmap(func.vmap(lambda x: x * x))(rows), [[1, 4], [9, 16], [25, 36]])
        with self.assertRaisesRegex(TypeError, "matmul: y: expected a tensor, an array"):
            gyre.matmul(rows, "rows")
        tree = func.vmap(lambda x: {"sum": x.sum(), "parts": [x + 1, (x * 2,)]})(rows)
        self.same(tree["sum"], a.tolist())
        self.same(tree["parts"][0], b.tolist())
        self.same(tree["parts"][1][0], (rows * 2).tolist())
        with self.assertRaises(ValueError):
            func.vmap(lambda x: x, in_axes=(0, 0))(rows)
        with self.assertRaises(gyre.Error):
            func.vmap(lambda x: x * x.sum().item())(rows)

    def test_errors_say_what_was_expected(self):
        x = gyre.tensor([1.0, 2.0, 3.0])
        for call, error, words in (
                (lambda: x + gyre.add(x, None), ValueError, "y is missing"),
                (lambda: gyre.exp(x, x), TypeError, "too many"),
                (lambda: gyre.one_hot([0, 1]), ValueError, "number of classes"),
                (lambda: gyre.layer_norm(x, (3,)), TypeError, "weight: expected a tensor of floats, got a tuple"),
                (lambda: gyre.rms_norm(x, [3]), TypeError, "weight: expected a tensor of floats, got a list"),
                (lambda: gyre.dropout(x, 0.5, False), TypeError, "seed: expected an int, got bool"),
                (lambda: gyre.pad(x, "constant"), TypeError, "before: expected an int or a sequence of ints, got str"),
                (lambda: gyre.max(gyre.zeros(0)), ValueError, r"an empty axis has no max, x is \[0\]"),
                (lambda: gyre.tensor(["a"]), TypeError, "expected numbers, got str"),
                (lambda: gyre.tensor(None), TypeError, "got NoneType"),
                (lambda: gyre.zeros(2, dtype="mps"), TypeError, "unknown dtype: mps .*f32.*devices: cpu"),
                (lambda: setattr(x, "requires_grad", 5), TypeError, "requires_grad: expected a bool, got int"),
                (lambda: gyre.nn.Linear(2, 3, width=4), TypeError, r"no option width \(options: in_, out, bias\)"),
                (lambda: gyre.optim.AdamW(gyre.nn.Linear(2, 3)), TypeError, r"got Linear; pass its parameters\(\)"),
                (lambda: gyre.Tokenizer("f"), TypeError, r"use Tokenizer.load\(path\)"),
                (lambda: gyre.load("/none.npz"), OSError, "^cannot open /none.npz: no such file or directory$"),
                (lambda: gyre.set_num_threads(-1), ValueError, "expected 0 to 256, got -1"),
                (lambda: gyre.set_num_threads(100000), ValueError, "got 100000"),
                (lambda: gyre.arange(3).sqrt_(), TypeError, "the result is f32, which i64 cannot hold"),
                (lambda: x.requires_grad_().exp().backward(), ValueError, r"one element, got \[3\]; pass a gradient")):
            with self.subTest(words=words), self.assertRaisesRegex(error, words):
                call()
        for name in ("isnan_", "isinf_"):
            self.assertFalse(hasattr(x, name), name)
        self.assertTrue(gyre.Tensor.exp_.__doc__.startswith("In-place version of exp: "))

    def test_names_of_pytorch(self):
        x = gyre.tensor([[1.0, -2.0]])
        self.same(gyre.nn.Softmax(dim=0)(x), [[1, 1]])
        self.same(gyre.nn.MaxPool2d(kernel_size=2)(gyre.ones(1, 1, 2, 2)), [[[[1]]]])
        self.same(gyre.leaky_relu(x, negative_slope=0.5), [[1, -1]])
        self.same(gyre.one_hot([1], num_classes=2), [[0, 1]])

    def test_a_custom_function_has_its_own_rule(self):
        seen = []

        def backward(inputs, results, cotangents):
            seen.append(len(results))
            x, y = inputs
            return 2 * x * y * cotangents[0], x * x * cotangents[0]

        f = gyre.custom_function(lambda x, y: x * x * y, backward)
        x, y = f64([1, 2]).requires_grad_(), f64([3, 4]).requires_grad_()
        gyre.backward(f(x, y).sum())
        self.same(x.grad, [6, 16])
        self.same(y.grad, [1, 4])
        self.assertEqual(seen, [1])
        self.assertTrue(gyre.gradcheck(f, (x, y)))
        self.assertTrue(gyre.gradcheck(f, (x, y), second=True))
        wrong = gyre.custom_function(lambda x: x * x, lambda i, r, c: (3 * i[0] * c[0],))
        report = gyre.gradcheck(wrong, (x,))
        self.assertFalse(report.passed)
        self.assertIn("FAIL", str(report))

    def test_options_of_gradcheck(self):
        def kinked(x):  # the gradient at 0 is the derivative on the left
            return x + x.relu()

        zero, one = f64([0]).requires_grad_(), f64([1]).requires_grad_()
        passed = {side: gyre.gradcheck(kinked, zero, differences=side).passed for side in ("central", "forward", "backward")}
        self.assertEqual(passed, {"central": False, "forward": False, "backward": True})
        for dtype in ("f16", "bf16"):
            x = gyre.tensor([0.5, 1], dtype=dtype, requires_grad=True)
            self.assertFalse(gyre.gradcheck(gyre.exp, x))
            self.assertTrue(gyre.gradcheck(gyre.exp, x, half=True))
            self.assertFalse(gyre.gradcheck(gyre.exp, x, half=True, rtol=1e-6, atol=0))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            report = gyre.gradcheck(gyre.exp, one, verbose=True)
        self.assertEqual(out.getvalue(), str(report))
        self.assertRegex(str(report), r"input 0 \(recorded pass\): worst at element 0")
        self.assertNotIn("recorded", str(gyre.gradcheck(gyre.exp, one, both_passes=False)))
        self.assertIn("of output element", str(gyre.gradcheck(gyre.exp, one)))
        self.assertNotIn("of output element", str(gyre.gradcheck(gyre.exp, one, jacobian=0)))
        for error, words, options in ((TypeError, "no option epsilon .*eps, rtol", {"epsilon": 1e-3}),
                                      (gyre.ValueError, "`eps` must be above 0", {"eps": 0}),
                                      (ValueError, "forward", {"differences": "sideways"})):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                gyre.gradcheck(gyre.exp, one, **options)

    def test_kept_results_and_errors_of_python(self):
        def forward(x):
            e = x.exp()
            return e * 2, e

        f = gyre.custom_function(forward, lambda i, r, c: (c[0] * 2 * r[1],), visible=1)
        x = f64([0.5]).requires_grad_()
        self.same(gyre.grad(f(x), x)[0], [2 * math.exp(0.5)])

        def broken(inputs, results, cotangents):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            gyre.backward(gyre.custom_function(lambda x: x * 1, broken)(x).sum())

    def test_registered_ops_are_ops(self):
        def double_sine(x):
            return x.sin() * 2

        op = gyre.register_op("double_sine_of_a_test", double_sine,
                              lambda i, r, c: (i[0].cos() * 2 * c[0],), doc="2 sin x")
        self.assertIn(op, gyre.ops())
        self.assertIs(gyre.double_sine_of_a_test, op)
        self.assertEqual(op.doc, "2 sin x")
        self.assertEqual([a["name"] for a in op.arguments], ["x"])
        x = f64([0.5, 1]).requires_grad_()
        self.same(op(x), [2 * math.sin(0.5), 2 * math.sin(1)])
        self.assertTrue(gyre.gradcheck(op, (x,)))
        self.assertTrue(gyre.gradcheck(op, (x,), second=True))
        by_parts = gyre.register_op("squares_of_a_test", lambda *xs: sum(x * x for x in xs))
        self.assertTrue(gyre.gradcheck(by_parts, (x, x)))
        with self.assertRaises(gyre.ValueError):
            gyre.register_op("double_sine_of_a_test", double_sine)

    def test_names_of_registered_ops(self):
        for name in ("a b", "class", "func", "tensor", "__name__", "_hidden", "Tensor"):
            with self.subTest(name), self.assertRaises(ValueError):
                gyre.register_op(name, lambda x: x)
        self.assertIn("register_op", pydoc.render_doc(gyre.register_op))
        self.assertIn("softmax", pydoc.render_doc(gyre))

    def test_arguments_may_be_trees(self):
        a, b, c = f64([1, 2]), f64([3, 4]), f64([[5]])

        def f(tree, scale):
            return (tree["a"] * tree["rest"][0]).sum() * scale + tree["rest"][1].sum()

        slopes = func.grad(f)({"a": a, "rest": (b, c)}, 2.0)
        self.same(slopes["a"], [6, 8])
        self.same(slopes["rest"][0], [2, 4])
        self.same(slopes["rest"][1], [[1]])
        self.assertIsInstance(slopes["rest"], tuple)
        value, (first, _) = func.value_and_grad(f, argnums=(0, 1))({"a": a, "rest": [b, c]}, f64(2))
        self.same(value, 27)
        self.assertIsInstance(first["rest"], list)
        self.same(func.grad(lambda x: (x * x).sum())([1.0, 2.0]), [2, 4])
        rows = func.vmap(lambda p, k: p["x"] * k, in_axes=(0, None))({"x": f64([[1, 2], [3, 4]])}, f64(2))
        self.same(rows, [[2, 4], [6, 8]])

    def test_trees_in_products(self):
        x, y = f64([1, 2]), f64([[3]])
        f = lambda p: (p["a"] ** 3).sum() * p["b"][0].sum()  # noqa: E731
        value, pull = func.vjp(f, {"a": x, "b": [y]})
        (slopes,) = pull(f64(1))
        self.same(value, 27)
        self.same(slopes["a"], [9, 36])
        self.same(slopes["b"][0], [[9]])
        out, along = func.jvp(f, ({"a": x, "b": [y]},), ({"a": f64([1, 0]), "b": [f64([[0]])]},))
        self.same(along, 9)
        (curved,) = func.hvp(f, ({"a": x, "b": [y]},), ({"a": f64([1, 0]), "b": [f64([[0]])]},))
        self.same(curved["a"], [18, 0])
        self.same(func.hvp(lambda v: (v**3).sum(), x, f64([1, 1])), [6, 12])

    def test_argnums_that_are_none(self):
        x = f64([1, 2])
        for argnums, words in ((3, "contains 3, but the call has 1"), (-2, "contains -2"), ((0, 0), "twice"), ((0, -1), "twice")):
            with self.subTest(argnums), self.assertRaisesRegex(ValueError, words):
                func.grad(lambda v: v.sum(), argnums=argnums)(x)
        with self.assertRaisesRegex(ValueError, "expected one tensor"):
            func.hessian_diag(lambda u: (u["a"] * u["b"]).sum())({"a": x, "b": x})
        with self.assertRaises(TypeError):
            func.grad(lambda v: v.sum(), argnums=0.5)(x)

    def test_checkpoints(self):
        w = gyre.tensor([0.1, 0.7]).requires_grad_()
        calls = []

        def body(x):
            calls.append(1)
            h = (x * w).tanh() * 0.05
            return h, gyre.dropout(h, 0.5)

        def slope(run):
            gyre.manual_seed(3)
            w.grad = None
            h, dropped = run(gyre.tensor([0.3, -1.2]))
            (h + dropped).sum().backward()
            return w.grad.tolist()

        plain, once = slope(body), len(calls)
        again = slope(lambda x: gyre.checkpoint(body, x))
        self.assertEqual((plain, len(calls) - once), (again, 2))
        budget = gyre.CheckpointBudget(1 << 20)
        calls.clear()
        self.assertEqual(slope(lambda x: gyre.checkpoint(body, x, budget=budget)), plain)
        self.assertEqual((len(calls), budget.dropped), (1, 0))
        self.assertIsInstance(gyre.checkpoint(lambda x: x * 2, w), gyre.Tensor)
        with self.assertRaises(gyre.ValueError):
            gyre.CheckpointBudget(-1)
        with self.assertRaises(TypeError):
            gyre.checkpoint(body, w, bugdet=budget)

        def fails(x):
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            gyre.checkpoint(fails, w)

    def test_a_refused_op_leaves_nothing(self):
        def forward(x):
            return x

        gone = weakref.ref(forward)
        with self.assertRaises(gyre.ValueError):
            gyre.register_op("add", forward)
        del forward
        gc.collect()
        self.assertIsNone(gone())

    def over_all_transforms(self, f):
        """Calls that apply each transform to f(x), a scalar; by name."""
        x, ones = f64([0.5, 1]), f64([1, 1])
        return {
            "value_and_grad": lambda: func.value_and_grad(f)(x),
            "vjp": lambda: func.vjp(f, x)[1](f64(1)),
            "jvp": lambda: func.jvp(f, (x,), (ones,)),
            "jacobian": lambda: func.jacobian(f)(x),
            "hvp": lambda: func.hvp(f, x, ones),
            "hessian": lambda: func.hessian(f)(x),
            "hessian_diag": lambda: func.hessian_diag(f)(x),
            "grad2": lambda: func.grad2(f)(x),
            "vmap": lambda: func.vmap(f)(f64([[1, 2], [3, 4]])),
            "gradcheck": lambda: gyre.gradcheck(f, (x.detach().requires_grad_(),)),
            "gradgradcheck": lambda: gyre.gradcheck(f, (x.detach().requires_grad_(),), second=True),
        }

    def test_what_is_differentiated_gives_tensors(self):
        lost = {"float": lambda t: (t * t).sum().item(), "list": lambda t: t.tolist(), "NoneType": lambda t: None,
                "int": lambda t: ((t * t).sum(), 3)}
        for kind, f in lost.items():
            for name, call in self.over_all_transforms(f).items():
                if name not in ("vmap", "gradcheck", "gradgradcheck"):  # these do not treat it as a constant
                    with self.subTest(name, result=kind), self.assertRaisesRegex(TypeError, f"return tensors, got {kind}"):
                        call()
        with self.assertRaisesRegex(TypeError, "return tensors, got float"):
            func.vjp(lost["float"], f64([1, 2]))
        self.same(func.grad(lambda t: f64(3))(f64([1, 2])), [0, 0])
        self.same(func.vjp(lambda t: t * t, [1.0, 2.0])[0], [1, 4])
        self.assertEqual(func.vjp(lambda t: t * gyre.ones(2, dtype="f64"), 0.1)[0].tolist(), [0.1, 0.1])
        self.assertEqual(func.vjp(lambda t: t * t, 0.1)[0].item(), func.value_and_grad(lambda t: t * t)(0.1)[0].item())

    def test_threads_run_beside_transforms(self):
        for name, call in self.over_all_transforms(lambda t: (t * t).sum()).items():
            with self.subTest(name):
                self.assertTrue(lets_others_run(call))

    def test_errors_of_functions_pass_through(self):
        def broken(t):
            raise KeyError("mine")

        for name, call in self.over_all_transforms(broken).items():
            with self.subTest(name), self.assertRaises(KeyError):
                call()


if __name__ == "__main__":
    unittest.main()
