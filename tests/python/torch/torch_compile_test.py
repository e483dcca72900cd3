"""gyre.torch under torch.compile: the ops in PyTorch's dispatcher, their fake kernels, functions with
gradients, dynamic shapes."""

import os
import tempfile
import unittest

from common import gives_packed, gyre, needs_packages, several, takes_packed, to_torch, torch

# Ops whose result shapes depend on values cause graph breaks in compiled functions.
BY_VALUE = ("masked_select", "nonzero", "unique", "bincount", "index", "index_put")


def setUpModule():
    needs_packages()
    import gyre.torch  # noqa: F401
    folder = tempfile.TemporaryDirectory()
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder.name
    unittest.addModuleCleanup(folder.cleanup)


def traceable_ops():
    """All but those of packed weights, which PyTorch's dispatcher has no tensors for."""
    return [op for op in gyre.ops() if not takes_packed(op) and not gives_packed(op)]


def one_of_each_kind():
    """An op for each kind of signature, which is all that the registration knows of an op but its name."""
    kinds = {}
    for op in traceable_ops():
        arguments = tuple((a["optional"], a["variadic"], a["differentiable"]) for a in op.arguments)
        kinds.setdefault((arguments, tuple(a["type"] for a in op.attributes), op.outputs, op.random, op.differentiable), op)
    return kinds.values()


def reads_values(op, tensors):
    """Whether the result shapes of this call depend on values."""
    if op.name not in BY_VALUE:
        return False
    indices = tensors[len(op.arguments) - 1:] if op.arguments[-1]["variadic"] else None
    return indices is None or any(t is not None and t.dtype == gyre.boolean for t in indices)


def registered(op, tensors, attributes):
    """The PyTorch op and its arguments for a call."""
    from gyre.torch import _library, _signature
    signature = _library.register(op)
    operands, values, _ = _signature.bind(signature, tensors, attributes)
    if not signature.variadic:
        operands = [*operands, *[None] * (signature.tensors - len(operands))]
    state = [None] if op.random else []
    return signature.forward, ([operands] if signature.variadic else operands) + values + state + [0]


def spellings(op, given):
    """(positional, keyword) arguments with the same attribute values: each attribute under each of its names,
    sizes of a shape as separate arguments."""
    yield (), given
    for a in op.attributes:
        rest = {name: value for name, value in given.items() if name != a["name"]}
        value = given.get(a["name"], a["default"])
        for name in (a["name"], *a["also"]):
            yield (), {**rest, name: value}
        first = a["name"] == op.attributes[0]["name"]
        if first and a["takes_all_numbers"] and isinstance(value, (list, tuple)) and len(value) > 1:
            yield tuple(value), rest


def bound(op, args, attributes):
    """The call as compiled functions make it."""
    from gyre.torch import _library, _signature
    signature = _library.register(op)
    return _library.dispatch_bound(signature, *_signature.bind(signature, args, attributes))


class Compiled(unittest.TestCase):
    backend = "aot_eager"

    def setUp(self):
        torch._dynamo.reset()

    def check(self, f, *tensors, backend=None):
        """Values and gradients of f compiled as one graph, against f."""
        mine, its = ([t.clone().requires_grad_(t.is_floating_point()) for t in tensors] for _ in range(2))
        compiled = torch.compile(f, fullgraph=True, backend=backend or self.backend)
        wanted, got = f(*mine), compiled(*its)
        self.assertTrue(torch.allclose(got, wanted))
        wanted.square().sum().backward()
        got.square().sum().backward()
        for a, b in zip(mine, its):
            self.assertEqual(a.grad is None, b.grad is None)
            self.assertTrue(a.grad is None or torch.allclose(a.grad, b.grad))


class Ops(Compiled):
    def test_fake_kernels_know_every_result(self):
        from torch._subclasses.fake_tensor import DynamicOutputShapeException, FakeTensorMode
        calls = by_value = 0
        for op in traceable_ops():
            function = getattr(gyre.torch, op.name)
            for tensors, attributes in op.samples("f32", 1):
                given = [to_torch(t) for t in tensors]
                with FakeTensorMode() as mode:
                    fakes = [None if t is None else mode.from_tensor(t) for t in given]
                    try:
                        got = several(function(*fakes, **attributes))
                    except DynamicOutputShapeException:
                        self.assertTrue(reads_values(op, tensors), op.name)
                        by_value += 1
                        continue
                wanted = several(function(*given, **attributes))
                self.assertEqual([(t.shape, t.dtype, t.stride()) for t in got],
                                 [(t.shape, t.dtype, t.stride()) for t in wanted], op.name)
                calls += 1
        self.assertGreater(by_value, 0)
        print(f"\n| fake kernels: {calls} calls as the real ones, {by_value} whose shapes depend on values")

    def test_devices(self):
        x = torch.ones(2, 3, device="meta")
        self.assertEqual((torch.ops.gyre.matmul(x, x.T, 0).shape, torch.ops.gyre.tanh(x, 0).device), ((2, 2), x.device))
        from torch._subclasses.fake_tensor import FakeTensorMode
        with FakeTensorMode(), self.assertRaisesRegex(gyre.DeviceError, "x is on the device cuda"):
            gyre.torch.tanh(torch.empty(3, device="cuda"))

    def test_opcheck(self):
        calls = 0
        for op in one_of_each_kind():
            tensors, attributes = op.samples("f64", 1)[0]
            if reads_values(op, tensors):
                continue
            given = [None if t is None else to_torch(t) for t in tensors]
            for t in given:
                if op.differentiable and t is not None and t.is_floating_point():
                    t.requires_grad_()
            with self.subTest(op.name):
                torch.library.opcheck(*registered(op, given, attributes))
                calls += 1
        print(f"\n| torch.library.opcheck: {calls} ops")

    def test_every_op_is_traced(self):
        for op in traceable_ops():
            tensors, attributes = op.samples("f32", 1)[-1]
            if reads_values(op, tensors):
                continue
            function, given = getattr(gyre.torch, op.name), [to_torch(t) for t in tensors]
            torch._dynamo.reset()
            compiled = torch.compile(lambda *ts: function(*ts, **attributes), fullgraph=True, backend="eager")
            for a, b in zip(several(compiled(*given)), several(function(*given, **attributes))):
                self.assertTrue(torch.equal(a.nan_to_num(), b.nan_to_num()), op.name)

    def test_calls_are_bound_as_gyre_binds_them(self):
        calls = 0
        for op in traceable_ops():
            tensors, given = op.samples("f32", 1)[-1]
            tensors = [None if t is None else to_torch(t) for t in tensors]
            for args, attributes in spellings(op, given):
                with self.subTest(op.name, args=args, attributes=attributes):
                    torch.manual_seed(1)
                    wanted = several(getattr(gyre.torch, op.name)(*tensors, *args, **attributes))
                    torch.manual_seed(1)
                    got = several(bound(op, [*tensors, *args], attributes))
                    for a, b in zip(got, wanted):
                        self.assertTrue(torch.equal(a.nan_to_num(), b.nan_to_num()))
                    calls += 1
        print(f"\n| {calls} spellings of calls mean the same traced and not")

    def test_derivatives_of_registered_ops(self):
        x = torch.randn(3, 3, dtype=torch.float64)
        spd = (x @ x.T + torch.eye(3)).requires_grad_()
        for f in (lambda t: torch.ops.gyre.softmax(t, -1, 0), lambda t: torch.ops.gyre.matmul(t, t, 0),
                  lambda t: torch.ops.gyre.logsumexp(t, [0], False, 0),
                  lambda t: torch.ops.gyre.cholesky(t + t.T, 0),
                  lambda t: torch.ops.gyre.layer_norm(t, t[0], None, -1, 1e-5, 0)[0],
                  lambda t: torch.ops.gyre.cat([t, t[:1]], 0, 0), lambda t: torch.ops.gyre.split(t, [1, 2], 0, 0)[1],
                  lambda t: torch.ops.gyre.dropout(t, 0.5, 3, 4, None, 0)):
            self.assertTrue(torch.autograd.gradcheck(f, spd))
            self.assertTrue(torch.autograd.gradgradcheck(f, spd))


class Functions(Compiled):
    def test_one_graph(self):
        t = gyre.torch
        x, w = torch.randn(4, 3, dtype=torch.float64), torch.randn(3, 3, dtype=torch.float64)
        labels = torch.tensor([0, 2, 1, 0])
        for f in (lambda x, w: t.softmax(t.matmul(x, w), axis=-1) * 2 + t.add(x, 1.5).sum(),
                  lambda x, w: t.layer_norm(t.linear(x, w, w[0]), w[0], bias=w[1]),
                  lambda x, w: t.einsum("ij,jk->ik", t.cat([x, w]), w) + t.cat(x, w, axis=0),
                  lambda x, w: sum(s.sum() * t.exp(s).sum() for s in t.split(x, [1, 3])) * w,
                  lambda x, w: t.topk(x, 2)[0] * t.reshape(w, 9)[0],
                  lambda x, w: t.cross_entropy(t.matmul(x, w), labels),
                  lambda x, w: t.reshape(x, 3, 4).sum() + t.sum(w, axis=0),
                  lambda x, w: t.to(t.where(x > 0, x, 0.0), dtype=torch.float32).sum() + w):
            torch._dynamo.reset()
            self.check(f, x, w)

    def test_inductor(self):
        t = gyre.torch

        def f(x, w):
            h = t.gelu(t.linear(x, w)).sin()
            return t.softmax(h * 2, axis=-1) + t.dropout(h, 0.0).cos()

        self.check(f, torch.randn(4, 3), torch.randn(5, 3), backend="inductor")

    def test_transforms_in_a_compiled_function(self):
        x = torch.randn(4, 3, dtype=torch.float64)
        for op in (gyre.torch.tanh, lambda t: torch.ops.gyre.tanh(t, 0), lambda t: gyre.torch.cat([t, t.sin()]),
                   lambda t: gyre.torch.layer_norm(t)):
            def loss(t, op=op):
                return op(t).square().sum()

            for f in (torch.func.grad(loss), torch.func.vmap(op), torch.func.vmap(torch.func.grad(loss)),
                      torch.func.grad(lambda t: torch.func.vmap(loss)(t).sum())):
                torch._dynamo.reset()
                self.assertTrue(torch.allclose(torch.compile(f, fullgraph=True, backend=self.backend)(x), f(x)))

    def test_wrong_calls(self):
        x = torch.ones(2, 3)
        for f, text in ((lambda x: gyre.torch.matmul(x, x), "inner sizes 3 and 2 differ"),
                        (lambda x: gyre.torch.softmax(x, axs=0), "got an unexpected keyword argument 'axs'"),
                        (lambda x: gyre.torch.softmax(x, 0, 0), "too many arguments"),
                        (lambda x: gyre.torch.softmax(x, 0, axis=0), "got axis twice"),
                        (lambda x: gyre.torch.add(x, x, y=x), "got y twice"),
                        (lambda x: gyre.torch.add(x, "1"), "a torch.Tensor or a number")):
            torch._dynamo.reset()
            with self.assertRaisesRegex(Exception, text):
                torch.compile(f, fullgraph=True, backend="eager")(x)

    def test_shapes_by_value_break_the_graph(self):
        def f(x):
            return gyre.torch.nonzero(gyre.torch.tanh(x)) + 1

        x = torch.tensor([0.0, 1.0, 2.0])
        self.assertTrue(torch.equal(torch.compile(f, backend=self.backend)(x), f(x)))
        torch._dynamo.reset()
        with self.assertRaisesRegex(Exception, "gyre.nonzero"):
            torch.compile(f, fullgraph=True, backend=self.backend)(x)

    def test_random_ops(self):
        def f(x):
            return gyre.torch.dropout(x, 0.5), gyre.torch.dropout(x, 0.5)

        for backend in ("aot_eager", "inductor"):
            torch._dynamo.reset()
            compiled, x = torch.compile(f, fullgraph=True, backend=backend), torch.ones(200, requires_grad=True)
            torch.manual_seed(3)
            (a, b), (c, _) = compiled(x), compiled(x)
            self.assertFalse(torch.equal(a, b) or torch.equal(a, c))
            torch.manual_seed(3)
            self.assertTrue(all(map(torch.equal, f(x), (a, b))))
            b.sum().backward()
            self.assertTrue(torch.equal(x.grad, b.detach()))

    def test_checkpoints_draw_the_same_again(self):
        for dropout in (lambda x: gyre.torch.dropout(x, 0.5), gyre.torch.nn.Dropout(0.5)):
            def f(x, dropout=dropout):
                return torch.utils.checkpoint.checkpoint(lambda x: dropout(x) ** 2, x.sin(), use_reentrant=False).cos()

            for backend in ("aot_eager", "inductor"):
                torch._dynamo.reset()
                found = []
                for g in (f, torch.compile(f, fullgraph=True, backend=backend)):
                    torch.manual_seed(3)
                    x = torch.linspace(0.1, 1, 100, requires_grad=True)
                    y = g(x)
                    y.sum().backward()
                    found.append((y, x.grad, torch.rand(3)))
                self.assertTrue(all(map(torch.allclose, *found)))


class Sizes(Compiled):
    def graphs(self, f, *makers, sizes=(4, 5, 6, 9, 3)):
        """How many graphs f compiles to; also checks values and gradients."""
        from torch._dynamo.testing import CompileCounterWithBackend
        torch._dynamo.reset()
        counter = CompileCounterWithBackend(self.backend)
        compiled = torch.compile(f, fullgraph=True, backend=counter, dynamic=True)
        for n in sizes:
            mine = [make(n).requires_grad_() for make in makers]
            its = [x.detach().clone().requires_grad_() for x in mine]
            wanted, got = f(*mine), compiled(*its)
            self.assertEqual(got.shape, wanted.shape)
            self.assertTrue(torch.allclose(got, wanted))
            wanted.square().sum().backward()
            got.square().sum().backward()
            for a, b in zip(mine, its):
                self.assertTrue(torch.allclose(a.grad, b.grad))
        return counter.frame_count

    def test_one_graph_for_all(self):
        t, r = gyre.torch, lambda *shape: torch.randn(*shape, dtype=torch.float64)
        for f, makers in (
                (lambda x, w: t.softmax(t.matmul(x, w), axis=-1) + t.add(x, 1.5).sum(), [lambda n: r(n, 7), lambda n: r(7, 7)]),
                (lambda x, y: t.cat([x, y]), [lambda n: r(n, 7), lambda n: r(n + 1, 7)]),
                (lambda x: t.reshape(x, (-1,)), [lambda n: r(n, 7)]),
                (lambda x: t.reshape(x, (x.shape[0] * x.shape[1], 7)), [lambda n: r(n, n + 2, 7)]),
                (lambda x: t.expand(x, (x.shape[0], 8, 7)), [lambda n: r(n, 1, 7)]),
                (lambda x: t.sum(x, axis=0), [lambda n: r(n, 7)]),
                (lambda x: t.dropout(x, 0.0), [lambda n: r(n, 7)]),
                (lambda x, w: t.conv2d(x, w, padding=(1, 1)), [lambda n: r(2, 7, n + 4, n + 8), lambda n: r(1, 7, 3, 3)]),
                (lambda x: t.max_pool2d(x, (2, 2)), [lambda n: r(n, 7, 12, 12)])):
            self.assertEqual(self.graphs(f, *makers), 1)

    def test_sizes_with_a_limit_are_fixed(self):
        clipped = lambda x: gyre.torch.slice(x, 0, 0, 5)  # noqa: E731
        self.assertEqual(self.graphs(clipped, lambda n: torch.randn(n, 7)), 5)


if __name__ == "__main__":
    unittest.main()
