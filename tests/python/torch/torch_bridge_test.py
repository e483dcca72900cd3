"""gyre.torch: ops on PyTorch's tensors, with autograd and inside its transforms. Derivatives of every op:
torch_gradients_test.py; compiled functions: torch_compile_test.py."""

import gc
import os
import subprocess
import sys
import threading
import unittest
import warnings

from common import gyre, lets_others_run, needs_packages, several, to_torch, torch


def setUpModule():
    needs_packages()
    import gyre.torch  # noqa: F401


def leaf(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def python(*lines):
    """The output of a fresh interpreter, including errors."""
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    return done.stdout + done.stderr


class Imports(unittest.TestCase):
    def test_gyre_alone_needs_no_torch(self):
        self.assertEqual(python("import gyre, sys", "print('torch' in sys.modules)"), "False\n")

    def test_without_torch_it_says_what_to_install(self):
        said = python("import sys", "sys.modules['torch'] = None", "import gyre.torch")
        self.assertIn("ImportError: gyre.torch needs PyTorch: pip install torch", said)

    def test_an_old_torch_is_told(self):
        said = python("import torch", "del torch.Tensor.__dlpack_c_exchange_api__", "import gyre.torch")
        self.assertIn("ImportError: gyre.torch needs PyTorch 2.10 or newer", said)


class Calls(unittest.TestCase):
    def test_every_op_gives_what_gyre_gives(self):
        count = 0
        for op in gyre.ops():
            for dtype in ("f64", "f32", "bf16"):
                for tensors, attributes in op.samples(dtype, 2):
                    try:
                        wanted = several(op(*tensors, **attributes))
                    except gyre.Error:
                        continue  # the op does not support 16-bit dtypes
                    got = several(getattr(gyre.torch, op.name)(*map(to_torch, tensors), **attributes))
                    self.assertEqual([(t.dtype, t.shape) for t in got],
                                     [(t.dtype, t.shape) for t in map(to_torch, wanted)], op.name)
                    for a, b in zip(got, wanted):
                        if b.is_packed:
                            a, b = to_torch(a.decode()), b.decode()
                        self.assertTrue(a.is_contiguous())
                        self.assertTrue(torch.equal(a.nan_to_num(), to_torch(b).nan_to_num()), op.name)
                    count += 1
        print(f"\n| {len(gyre.ops())} ops of gyre.torch, {count} calls: the values of gyre")

    def test_packed_weights(self):
        """Operands as gyre.Tensors; others get their gradients from PyTorch's autograd."""
        from torch._subclasses.fake_tensor import FakeTensorMode
        w = gyre.packed.encode(gyre.randn(6, 20), "T4")
        x, dense = leaf(3, 20), to_torch(w.decode()).double()
        gyre.torch.packed_matmul(x, w).square().sum().backward()
        again = x.detach().requires_grad_()
        (again @ dense.T).square().sum().backward()
        self.assertTrue(torch.allclose(x.grad, again.grad))
        made = gyre.torch.packed_encode(dense, "D4")
        self.assertEqual((made.format, made.shape, made.requires_grad), ("D4", (6, 20), False))
        with self.assertRaises(TypeError):
            gyre.torch.packed_matmul(x, gyre.ones(6, 20))
        with self.assertRaisesRegex(gyre.UnsupportedError, "packed_decode"):
            gyre.torch.mul(x, w)
        with FakeTensorMode() as mode, self.assertRaisesRegex(TypeError, "only outside of torch.compile"):
            gyre.torch.packed_matmul(mode.from_tensor(x), w)

    def test_what_a_function_tells(self):
        softmax = gyre.torch.softmax
        self.assertEqual((softmax.__name__, softmax.__doc__), ("softmax", gyre.softmax.doc))
        self.assertEqual(softmax.__text_signature__, gyre.softmax.__text_signature__)
        with self.assertRaisesRegex(AttributeError, "gyre.torch.*no_such_op"):
            gyre.torch.no_such_op

    def test_an_op_is_wanted(self):
        with self.assertRaisesRegex(TypeError, "expected a gyre.Op"):
            gyre._gyre._torch.function("softmax")

    def test_inputs_are_not_copied(self):
        seen = []

        def forward(x):
            seen.append((x.data_ptr(), x.strides))
            return x * 2

        gyre.register_op("doubled_of_a_bridge_test", forward)
        for x in (torch.randn(3, 4), torch.randn(4, 3).T, torch.randn(6)[::2], torch.randn(3, 1).expand(3, 4)):
            self.assertTrue(torch.equal(gyre.torch.doubled_of_a_bridge_test(x), x * 2))
            self.assertEqual(seen.pop(), (x.data_ptr(), x.stride()))
            y = x.detach().requires_grad_()
            gyre.torch.doubled_of_a_bridge_test(y).sum().backward()
            self.assertEqual(seen.pop(), (x.data_ptr(), x.stride()))
            self.assertTrue((y.grad == 2).all())

    def test_layouts(self):
        x = leaf(4, 5)
        for part in (x.T, x[1:, ::2], x[0, 0], x[:0], x[:1].expand(3, 5), x.unfold(1, 3, 1)):
            with self.subTest(tuple(part.shape)):
                y = gyre.torch.tanh(part)
                self.assertTrue(torch.allclose(y, torch.tanh(part), atol=1e-12))
                (got,) = torch.autograd.grad(y.sum(), x)
                (wanted,) = torch.autograd.grad(torch.tanh(part).sum(), x)
                self.assertTrue(torch.allclose(got, wanted))

    def test_ways_to_write_a_call(self):
        x, w, b = torch.randn(2, 3), torch.randn(4, 3), torch.randn(4)
        t = gyre.torch
        same = [t.linear(x, w, b), t.linear(x, w, bias=b), t.linear(x=x, weight=w, bias=b)]
        self.assertTrue(all(torch.equal(y, same[0]) for y in same))
        self.assertTrue(torch.equal(t.linear(x, w), t.linear(x, w, None)))
        self.assertTrue(torch.equal(t.softmax(x, 0), t.softmax(x, axis=0)))
        self.assertTrue(torch.equal(t.reshape(x, 3, 2), t.reshape(x, shape=(3, 2))))
        self.assertTrue(torch.equal(t.cat([x, x], axis=1), t.cat(x, x, axis=1)))
        self.assertTrue(torch.equal(t.einsum("ij,kj->ik", x, w), t.einsum([x, w], "ij,kj->ik")))
        self.assertTrue(torch.equal(t.sum(x, axis=0), x.sum(0)))
        self.assertEqual([y.shape for y in t.split(x, [1, 2], axis=1)], [(2, 1), (2, 2)])
        self.assertEqual(t.to(x, dtype=torch.float64).dtype, torch.float64)
        self.assertEqual(t.add(x, 2).dtype, torch.float32)  # a number adopts the tensor's dtype
        self.assertEqual(t.add(1, 2).item(), 3)
        self.assertEqual(t.rand((2, 3), dtype="f64").shape, (2, 3))
        for wrong in (lambda: t.softmax(x, axs=1), lambda: t.linear(x, w, weight=w), lambda: t.softmax(x, 0, 0),
                      lambda: t.add(x, [1.0]), lambda: t.add(x, "1")):
            self.assertRaises(TypeError, wrong)

    def test_subclasses_and_modes(self):
        from torch.utils._python_dispatch import TorchDispatchMode

        class Mine(torch.Tensor):
            pass

        class Watch(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                seen.append(str(function))
                return function(*args, **(kwargs or {}))

        x, seen = torch.randn(3, requires_grad=True), []
        y = gyre.torch.tanh(x.detach().as_subclass(Mine))
        self.assertIs(type(y), Mine)
        self.assertTrue(torch.equal(y.as_subclass(torch.Tensor), gyre.torch.tanh(x.detach())))
        with Watch():
            gyre.torch.add(gyre.torch.tanh(x), 1).sum().backward()
        self.assertTrue({"gyre.tanh.default", "gyre.add.default", "gyre.tanh_vjp.default"} <= set(seen))
        self.assertTrue(torch.allclose(x.grad, 1 - torch.tanh(x) ** 2))

    def test_results_are_nobody_elses(self):
        x = torch.randn(3, 4)
        for y in (gyre.torch.reshape(x, (12,)), gyre.torch.transpose(x), gyre.torch.to(x, dtype="f32"),
                  *gyre.torch.split(x, [1, 2])):
            before = x.clone()
            y.zero_()
            self.assertTrue(torch.equal(x, before))

    def test_errors_are_gyres(self):
        x = leaf(2, 3)
        for call in (lambda: gyre.torch.matmul(x, x), lambda: gyre.torch.matmul(x.detach(), x.detach())):
            with self.assertRaises(gyre.ShapeError) as seen:
                call()
            self.assertEqual((seen.exception.op, seen.exception.code), ("matmul", "shape"))
        self.assertRaises(gyre.IndexError, gyre.torch.softmax, x, axis=2)

    def test_tensors_that_gyre_cannot_take(self):
        warnings.simplefilter("ignore")
        self.addCleanup(warnings.resetwarnings)
        halves = torch.zeros(2, dtype=torch.complex64)
        refused = [
            (torch.empty(3, device="meta"), gyre.DeviceError, "x is on the device meta"),
            (torch.eye(3).to_sparse(), gyre.UnsupportedError, "x is torch.sparse_coo"),
            (torch.eye(3).to_mkldnn(), gyre.UnsupportedError, "x is torch._mkldnn"),
            (torch.nested.nested_tensor([torch.ones(2), torch.ones(3)]), gyre.UnsupportedError, "nested"),
            (torch.nested.nested_tensor([torch.ones(2)], layout=torch.jagged), gyre.UnsupportedError, "nested"),
            (halves, gyre.DTypeError, "x is torch.complex64"),
            (torch.zeros(2, dtype=torch.float8_e4m3fn), gyre.DTypeError, "float8_e4m3fn; gyre has"),
            (torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8), gyre.DTypeError, "quint8"),
        ]
        for x, error, text in refused:
            with self.assertRaisesRegex(error, text):
                gyre.torch.abs(x)
        self.assertRaises(gyre.DeviceError, gyre.torch.abs, torch.empty(3, device="meta", requires_grad=True))

    def test_lazy_tensors_have_their_values(self):
        negated = torch.tensor([1 + 2j]).conj().imag
        self.assertTrue(negated.is_neg())
        self.assertEqual(gyre.torch.add(negated, 0).item(), -2)
        zeros = torch._efficientzerotensor((3,))
        self.assertEqual(gyre.torch.add(zeros, 1).tolist(), [1, 1, 1])
        with self.assertRaisesRegex(gyre.ValueError, "no memory"):
            gyre.from_torch(zeros)

    def test_random_ops_draw_from_torchs_generator(self):
        x = torch.ones(1000, requires_grad=True)
        torch.manual_seed(7)
        first, second = gyre.torch.dropout(x, 0.5), gyre.torch.dropout(x.detach(), 0.5)
        torch.manual_seed(7)
        with torch.random.fork_rng():
            self.assertTrue(torch.equal(first, gyre.torch.dropout(x, 0.5)))
        with torch.device("meta"):  # the default device of new tensors
            self.assertTrue(torch.equal(first, gyre.torch.dropout(x, 0.5)))
        self.assertTrue(torch.equal(second, gyre.torch.dropout(x, 0.5)))
        self.assertFalse(torch.equal(first, second))
        self.assertTrue(torch.equal(gyre.torch.dropout(x, 0.5, seed=3), gyre.torch.dropout(x, 0.5, seed=3)))
        first.sum().backward()
        self.assertTrue(torch.equal(x.grad, first.detach()))


class Tape(unittest.TestCase):
    def test_only_what_is_asked_for(self):
        x, w, b = leaf(2, 3), leaf(4, 3).detach(), leaf(4)
        y = gyre.torch.linear(x, w, b)
        y.sum().backward()
        self.assertTrue(torch.allclose(x.grad, w.sum(0).expand(2, 3)))
        self.assertTrue((b.grad == 2).all())
        self.assertFalse(gyre.torch.argmax(x).requires_grad)
        values, indices = gyre.torch.topk(x, 2)
        self.assertTrue(values.requires_grad and not indices.requires_grad)
        with torch.no_grad():
            self.assertFalse(gyre.torch.tanh(x).requires_grad)
        with torch.inference_mode():
            self.assertFalse(gyre.torch.tanh(x).requires_grad)

    def test_lists_and_several_results(self):
        x, y, z = leaf(2, 3), leaf(2, 3).detach(), leaf(1, 3)
        a, b = gyre.torch.split(gyre.torch.cat([x, y, z]), [1, 4])
        (a * 2 + b.sum()).sum().backward()
        self.assertEqual(x.grad.tolist(), [[2, 2, 2], [3, 3, 3]])
        self.assertEqual(z.grad.tolist(), [[3, 3, 3]])

    def test_orders(self):
        x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)
        for inner, slope in ((lambda x: gyre.torch.mul(x, 2), 2), (lambda x: gyre.torch.add(x, 2), 1),
                             (lambda x: gyre.torch.div(x, 2), 0.5)):
            y, wanted = gyre.torch.exp(inner(x)), torch.exp(inner(x.detach()))
            for order in range(1, 5):
                (y,) = torch.autograd.grad(y, x, create_graph=True)
                self.assertAlmostEqual(y.item(), slope ** order * wanted.item(), places=10)

    def test_a_graph_is_walked_once_unless_kept(self):
        x = leaf(3)
        y = gyre.torch.tanh(x).sum()
        y.backward(retain_graph=True)
        y.backward()
        with self.assertRaisesRegex(RuntimeError, "second time"):
            y.backward()
        self.assertTrue(torch.allclose(x.grad, 2 * (1 - torch.tanh(x) ** 2)))

    def test_what_is_changed_in_place_is_noticed(self):
        for op, call in (("input", lambda x: (x, gyre.torch.square(x))),
                         ("result", lambda x: (gyre.torch.cholesky(x @ x.T + torch.eye(3)),) * 2)):
            with self.subTest(op):
                changed, y = call(leaf(3, 3) * 1)
                changed.mul_(2)
                with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                    y.sum().backward()

    def test_what_backward_does_not_read_may_change(self):
        x, w = leaf(2, 3), leaf(4, 3)
        h = x * 1
        y = gyre.torch.linear(gyre.torch.add(h, 1), w)
        y += 1
        h.zero_()
        y.sum().backward()
        self.assertTrue(torch.allclose(x.grad, w.sum(0).expand(2, 3)))

    def test_gradients_share_no_memory(self):
        x, y = leaf(3), leaf(3)
        gyre.torch.add(x, y).sum().backward()
        x.grad.zero_()
        self.assertEqual(y.grad.tolist(), [1, 1, 1])
        z = leaf(3)
        (gyre.torch.add(z, z) + gyre.torch.sum(z)).sum().backward()
        self.assertEqual(z.grad.tolist(), [5, 5, 5])

    def test_memory_goes_with_the_walk(self):
        x = leaf(100)
        gc.collect()
        before = gyre.live_tensors()
        y = gyre.torch.tanh(x).sum()
        self.assertGreater(gyre.live_tensors(), before)
        y.backward()
        self.assertLessEqual(gyre.live_tensors(), before + 1)  # y's predecessor may still exist
        del y
        x.grad = None
        gc.collect()
        self.assertEqual(gyre.live_tensors(), before)

    def test_hooks_of_saved_tensors_hold_what_is_saved(self):
        x, packed = leaf(3), []

        def pack(t):
            packed.append(t)
            return t.clone()

        with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            y = gyre.torch.tanh(x)
        self.assertEqual(len(packed), 1)
        y.sum().backward()
        self.assertTrue(torch.allclose(x.grad, 1 - torch.tanh(x) ** 2))

    def test_checkpoints(self):
        x, w = leaf(3, 3), leaf(3, 3)
        block = lambda x: gyre.torch.softmax(gyre.torch.matmul(x, w), axis=-1).square()  # noqa: E731
        block(x).sum().backward()
        wanted = x.grad, w.grad
        x.grad = w.grad = None
        torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False).sum().backward()
        self.assertTrue(torch.allclose(x.grad, wanted[0]) and torch.allclose(w.grad, wanted[1]))

    def test_checkpoints_draw_the_same_again(self):
        for dropout in (lambda x: gyre.torch.dropout(x, 0.5), gyre.torch.nn.Dropout(0.5)):
            for reentrant in (False, True):
                x = torch.ones(100, requires_grad=True)
                y = torch.utils.checkpoint.checkpoint(lambda x: dropout(x) ** 2, x, use_reentrant=reentrant)
                y.sum().backward()
                self.assertTrue(torch.equal(x.grad, 2 * y.detach()))

    def test_mixed_with_torch(self):
        torch.manual_seed(0)
        model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 1))
        x, y = torch.randn(32, 4), torch.randn(32, 1)
        optimizer = torch.optim.Adam(model.parameters(), 1e-2)
        losses = []
        for _ in range(50):
            h = gyre.torch.tanh(gyre.torch.linear(x, model[0].weight, model[0].bias))
            loss = gyre.torch.mse(model[2](h), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.8 * losses[0])


class Transforms(unittest.TestCase):
    def test_torch_func(self):
        from torch.func import grad, hessian, jacrev, jvp, vmap
        x, w = torch.randn(3, 4, dtype=torch.float64), torch.randn(4, 4, dtype=torch.float64)
        for mine, its in ((gyre.torch.tanh, torch.tanh), (lambda t: gyre.torch.softmax(t), lambda t: t.softmax(-1)),
                          (lambda t: gyre.torch.matmul(t, w), lambda t: t @ w),
                          (lambda t: gyre.torch.logsumexp(t, axes=(-1,)), lambda t: t.logsumexp(-1))):
            loss, its_loss = (lambda t: mine(t).square().sum()), (lambda t: its(t).square().sum())
            for transform in (lambda f, g: grad(g)(x), lambda f, g: hessian(g)(x[0]), lambda f, g: jacrev(f)(x),
                              lambda f, g: vmap(f)(x), lambda f, g: vmap(grad(g))(x), lambda f, g: vmap(f, 1)(x.T),
                              lambda f, g: grad(lambda t: vmap(g)(t).sum())(x), lambda f, g: jvp(f, (x,), (x + 1,))[1]):
                self.assertTrue(torch.allclose(transform(mine, loss), transform(its, its_loss)))

    def test_forward_mode(self):
        import torch.autograd.forward_ad as forward
        x = torch.randn(3, dtype=torch.float64)
        with forward.dual_level():
            y = gyre.torch.exp(forward.make_dual(x, torch.ones_like(x)))
            value, tangent = forward.unpack_dual(y)
            self.assertTrue(torch.allclose(tangent, value))
            values, places = gyre.torch.topk(forward.make_dual(x, 2 * torch.ones_like(x)), 2)
            self.assertEqual(forward.unpack_dual(values).tangent.tolist(), [2, 2])
            self.assertIsNone(forward.unpack_dual(places).tangent)

    def test_random_ops_in_vmap_ask_for_leave(self):
        x = torch.ones(4, 100)
        dropped = torch.func.vmap(gyre.torch.dropout, randomness="same")(x)
        self.assertTrue(torch.equal(dropped[0], dropped[3]))
        module = gyre.torch.nn.Dropout(0.5)
        for dropout in (gyre.torch.dropout, module):
            with self.assertRaisesRegex(RuntimeError, "randomness"):
                torch.func.vmap(dropout)(x)
        self.assertTrue(torch.equal(torch.func.vmap(module.eval())(x), x))

    def test_derivatives_in_transforms_draw_the_same(self):
        from torch.func import grad, hessian, vmap
        x = torch.ones(3, 20)
        for dropout in (lambda x: gyre.torch.dropout(x, 0.5), gyre.torch.nn.Dropout(0.5)):
            def loss(x, dropout=dropout):
                y = dropout(x)
                return (y ** 2).sum(), y

            slopes, y = vmap(grad(loss, has_aux=True), randomness="same")(x)
            self.assertTrue(torch.equal(slopes, 2 * y * y))
            torch.manual_seed(4)
            bend = hessian(lambda x, loss=loss: loss(x)[0])(x[0])
            torch.manual_seed(4)
            self.assertTrue(torch.equal(bend.diag(), 2 * dropout(x[0]) ** 2))


class Threads(unittest.TestCase):
    def test_two_at_once(self):
        x = torch.randn(300, 300, dtype=torch.float64)
        wanted = torch.autograd.functional.vjp(lambda t: torch.tanh(t @ t), x, x)[1]
        results = [None, None]

        def work(n):
            for _ in range(20):
                y = x.clone().requires_grad_()
                gyre.torch.tanh(gyre.torch.matmul(y, y)).backward(x)
                results[n] = y.grad

        threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for got in results:
            self.assertTrue(torch.allclose(got, wanted))

    def test_others_run_meanwhile(self):
        # threads are never switched by the interpreter, so another one runs only if the GIL is
        # released
        x = torch.randn(300, 300)
        for call in (lambda: gyre.torch.matmul(x, x),
                     lambda: gyre.torch.matmul(x.requires_grad_(), x).sum().backward()):
            self.assertTrue(lets_others_run(call))

    @unittest.skipUnless(hasattr(os, "fork"), "no fork() here")
    def test_a_forked_child_goes_on(self):
        x = torch.randn(400, 400, dtype=torch.float64)
        wanted = gyre.torch.matmul(x, x)  # starts the thread pool
        child = os.fork()
        if child == 0:
            try:
                y = x.requires_grad_()
                same = torch.equal(gyre.torch.matmul(y, y), wanted)
                os._exit(0 if same else 1)
            finally:
                os._exit(2)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)


if __name__ == "__main__":
    unittest.main()
