"""gyre.torch.nn: gyre's layers as PyTorch modules."""

import copy
import functools
import io
import pickle
import unittest

from common import gyre, needs_packages, several, to_torch, torch

if torch:
    import gyre.nn
    import gyre.torch.nn


def setUpModule():
    needs_packages()


def layers():
    """(class of gyre.torch.nn, options, inputs) of every sample of the layer table."""
    for name in gyre.torch.nn.__all__:
        if name == "Module":
            continue
        for options, inputs in getattr(gyre.nn, name)._definition.samples():
            yield getattr(gyre.torch.nn, name), options, [to_torch(t) for t in inputs]


class Scaled(gyre.torch.nn.Linear if gyre else object):
    """A layer with its own attributes and submodule."""

    def __init__(self, n):
        super().__init__(n, n)
        self.scale, self.extra = 1.0, torch.nn.Linear(n, n)

    def forward(self, x):
        return self.extra(super().forward(x)) * self.scale


def gyre_headers(format):
    return gyre.torch.nn.PackedLinear(32, 8, format=format).state_dict()["weight.headers"]


def count(calls, *args):
    """A hook."""
    calls.append(len(args))


class Layers(unittest.TestCase):
    def test_every_layer(self):
        samples, names = 0, set()
        for cls, options, inputs in layers():
            module = cls(**options).double().eval()
            samples += 1
            names.add(cls.__name__)
            with self.subTest(cls.__name__, options=options):
                own = module.gyre
                wanted = several(own(*(None if x is None else gyre.from_torch(x) for x in inputs)))
                for a, b in zip(several(module(*inputs)), wanted):
                    self.assertTrue(torch.equal(a, to_torch(b)))
                self.check_gradients(module, inputs)
        print(f"\n| {len(names)} layers of gyre.torch.nn, {samples} samples: values of gyre, gradients by gradcheck")

    def check_gradients(self, module, inputs):
        """Gradients with respect to inputs and parameters, at samples where layers are smooth."""
        smooth = [x.requires_grad_() for x in inputs if x is not None and x.is_floating_point()]
        parameters = dict(module.named_parameters())
        if not smooth and not parameters:
            return

        def f(*tensors):
            weights = dict(zip(parameters, tensors[len(smooth):]))
            given = iter(tensors)
            full = [next(given) if x is not None and x.is_floating_point() else x for x in inputs]
            results = torch.func.functional_call(module, weights, tuple(full))
            return tuple(y for y in several(results) if y.is_floating_point())

        fast = sum(p.numel() for p in parameters.values()) > 100
        self.assertTrue(torch.autograd.gradcheck(f, (*smooth, *parameters.values()), fast_mode=fast))

    def test_memory_is_shared(self):
        module = gyre.torch.nn.Linear(3, 4)
        own = module.gyre
        for _ in range(2):
            for name, tensor in own.named_parameters():
                self.assertEqual(module.get_parameter(name).data_ptr(), tensor.data_ptr())
            with torch.no_grad():
                module.weight.fill_(2)
            self.assertEqual(own.weight.tolist(), [[2] * 3] * 4)
            module.double()
            self.assertEqual(own.weight.dtype, gyre.f64)

    def test_states_fit_both_sides(self):
        module, other = gyre.torch.nn.LSTM(3, 4), gyre.nn.LSTM(3, 4)
        self.assertEqual(list(module.state_dict()), list(other.state_dict()))
        module.load_state_dict({name: t.torch() for name, t in other.state_dict().items()})
        x = torch.randn(5, 2, 3)
        self.assertTrue(torch.equal(module(x)[0], other(gyre.from_torch(x))[0].detach().torch()))
        with torch.no_grad():
            for p in module.parameters():
                p.mul_(2)
        other.load_state_dict(module.state_dict())
        self.assertTrue(torch.equal(module(x)[0], other(gyre.from_torch(x))[0].detach().torch()))
        self.assertEqual(list(gyre.torch.nn.TransformerBlock(width=8, heads=2).state_dict()),
                         list(gyre.nn.TransformerBlock(width=8, heads=2).state_dict()))

    def test_training(self):
        torch.manual_seed(0)
        gyre.manual_seed(0)
        model = torch.nn.Sequential(gyre.torch.nn.Linear(4, 8), torch.nn.Tanh(), gyre.torch.nn.BatchNorm(8),
                                    torch.nn.Linear(8, 1))
        self.assertEqual(len(list(model.parameters())), 6)
        x, y = torch.randn(64, 4), torch.randn(64, 1)
        optimizer = torch.optim.AdamW(model.parameters(), 1e-2)
        losses = []
        for _ in range(60):
            optimizer.zero_grad()
            loss = (model(x) - y).square().mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.8 * losses[0])
        model[0].weight.requires_grad_(False)
        optimizer.zero_grad()
        model(x).sum().backward()
        self.assertIsNone(model[0].weight.grad)
        self.assertIsNotNone(model[0].bias.grad)

    def test_buffers_follow_once_a_call(self):
        mine, its = gyre.torch.nn.BatchNorm(3).double(), torch.nn.BatchNorm1d(3).double()
        x = torch.randn(6, 3, dtype=torch.float64, requires_grad=True)
        for _ in range(3):
            for module in (mine, its):
                (g,) = torch.autograd.grad(module(x).square().sum(), x, create_graph=True)
                torch.autograd.grad(g.square().sum(), x)
        for name in ("running_mean", "running_var", "num_batches_tracked"):
            self.assertTrue(torch.allclose(getattr(mine, name), getattr(its, name)))
        self.assertEqual(mine.gyre.num_batches_tracked.item(), 3)
        mine.eval(), its.eval()
        self.assertTrue(torch.allclose(mine(x), its(x)))
        self.assertEqual(mine.num_batches_tracked.item(), 3)

    def test_second_derivatives_draw_the_same(self):
        module, x = gyre.torch.nn.Dropout(0.5), torch.ones(100, requires_grad=True)
        torch.manual_seed(5)
        y = module(x)
        (g,) = torch.autograd.grad(y.square().sum(), x, create_graph=True)
        after = module(x)
        (h,) = torch.autograd.grad(g.sum(), x)
        self.assertTrue(torch.equal(h, 2 * y.detach() ** 2))
        self.assertFalse(torch.equal(y, after))
        torch.manual_seed(5)
        self.assertTrue(torch.equal(module(x), y) and torch.equal(module(x), after))
        self.assertTrue(torch.equal(module.eval()(x), x))
        self.assertFalse(module.gyre.training)

    def test_packed_weights_are_in_state_dicts_as_in_their_files(self):
        module, x = gyre.torch.nn.PackedLinear(32, 8), torch.randn(3, 32)
        names = ["bias", "weight.words", "weight.headers"]
        self.assertEqual([name for name, _ in module.named_parameters()], names[:1])
        self.assertEqual(list(module.state_dict()), names)
        other = torch.nn.Sequential(gyre.torch.nn.PackedLinear(32, 8))
        self.assertFalse(torch.equal(other(x), module(x)))
        state = {f"0.{name}": tensor for name, tensor in module.state_dict().items()}
        other.load_state_dict(state)
        for same in (other, copy.deepcopy(module)):
            self.assertTrue(torch.equal(same(x), module(x)))
        for wrong, why in (({}, "0.weight.headers"), ({"0.weight.headers": state["0.weight.headers"] + 1}, "header"),
                           ({"0.weight.headers": state["0.weight.headers"][1:]}, "shape"),
                           ({"0.weight.headers": gyre_headers("T4")}, "format")):
            given = {name: tensor for name, tensor in state.items() if name != "0.weight.headers"}
            with self.assertRaisesRegex(RuntimeError, why):
                other.load_state_dict({**given, **wrong})
            self.assertTrue(torch.equal(other(x), module(x)))

    def test_copies(self):
        module = gyre.torch.nn.LayerNorm(3).double()
        module.bias.requires_grad_(False)
        file = io.BytesIO()
        torch.save(module.eval(), file)
        file.seek(0)
        x = torch.randn(2, 3, dtype=torch.float64)
        for twin in (copy.deepcopy(module), torch.load(file, weights_only=False)):
            self.assertTrue(torch.equal(twin(x), module(x)))
            self.assertFalse(twin.bias.requires_grad or twin.training)
            self.assertNotEqual(twin.weight.data_ptr(), module.weight.data_ptr())
            self.assertEqual(twin.weight.data_ptr(), twin.gyre.weight.data_ptr())

    def test_copies_have_what_was_put_there(self):
        module, x = Scaled(2), torch.randn(3, 2)
        module.load_state_dict({name: t + 1 for name, t in module.state_dict().items()}, assign=True)
        torch.nn.utils.vector_to_parameters(torch.arange(12.0), module.parameters())
        module.scale, calls = 3.0, []
        module.register_forward_hook(functools.partial(count, calls))
        for twin in (copy.deepcopy(module), pickle.loads(pickle.dumps(module)), copy.deepcopy(module).double().float()):
            self.assertTrue(torch.equal(twin(x), module(x)))
            self.assertEqual(twin.scale, 3.0)
            self.assertEqual(twin.gyre.weight.tolist(), [[0, 1], [2, 3]])
            with torch.no_grad():
                twin.weight.zero_()
            self.assertEqual(twin.gyre.weight.tolist(), [[0, 0], [0, 0]])
        self.assertEqual(module.weight.tolist(), [[0, 1], [2, 3]])
        both = copy.deepcopy(torch.nn.ModuleList([module, module]))
        self.assertIs(both[0], both[1])
        torch.nn.utils.parametrize.register_parametrization(module, "weight", torch.nn.Tanh())
        self.assertTrue(torch.allclose(copy.deepcopy(module)(x), module(x)))

    def test_to_where_gyre_is_not(self):
        module = gyre.torch.nn.Linear(2, 3)
        self.assertIs(module.to("meta"), module)
        self.assertEqual((module.weight.device.type, module.gyre.weight.shape), ("meta", (3, 2)))
        module.to_empty(device="cpu")
        with torch.no_grad():
            module.weight.fill_(2)
        self.assertEqual(module.gyre.weight.tolist(), [[2, 2]] * 3)
        self.assertRaises(gyre.DeviceError, copy.deepcopy(module).to("meta"), torch.ones(1, 2))

    def test_each_part_has_its_mode(self):
        module = gyre.torch.nn.Module(gyre.nn.Sequential(gyre.nn.BatchNorm(2), gyre.nn.Dropout(0.5)))
        parts = module.gyre
        x = torch.randn(6, 2)
        for f in (module, torch.compile(module, fullgraph=True, backend="aot_eager")):
            module.train()
            module(x)
            parts[0].eval()
            before = module.state_dict()["0.running_mean"].clone()
            y = f(x)
            self.assertTrue(torch.equal(module.state_dict()["0.running_mean"], before))
            self.assertTrue((y == 0).any())  # dropped
            self.assertEqual([m.training for m in parts.modules()], [True, False, True])
            parts[0].train()
            f(x)
            self.assertFalse(torch.equal(module.state_dict()["0.running_mean"], before))
            parts[1].eval()
            self.assertFalse((f(x) == 0).any())

    def test_parameters_may_be_others(self):
        from torch.nn.utils import parametrizations
        module, x = gyre.torch.nn.Linear(3, 4), torch.randn(2, 3)
        module.weight = torch.nn.Parameter(torch.ones(4, 3))
        self.assertTrue(torch.allclose(module(x), x.sum(1, keepdim=True) + module.bias))
        parametrizations.weight_norm(module)
        module(x).sum().backward()
        self.assertTrue(torch.allclose(module(x), x.sum(1, keepdim=True) + module.bias))
        self.assertIsNotNone(module.parametrizations.weight.original1.grad)

    def test_a_module_of_ones_own(self):
        class Net(gyre.nn.Module):
            def __init__(self):
                super().__init__()
                self.hidden, self.out = gyre.nn.Linear(3, 5), gyre.nn.Linear(5, 2)

            def forward(self, x):
                return self.out(self.hidden(x).relu())

        net = Net()
        module = gyre.torch.nn.Module(net)
        x = torch.randn(4, 3)
        self.assertEqual(list(module.state_dict()), list(net.state_dict()))
        self.assertTrue(torch.equal(module(x), net(gyre.from_torch(x)).detach().torch()))
        module(x).sum().backward()
        self.assertEqual(module.out.bias.grad.tolist(), [4, 4])
        self.assertIsNone(net.out.bias.grad)

    def test_wrong_use(self):
        with self.assertRaisesRegex(TypeError, "expected a gyre.nn.Module"):
            gyre.torch.nn.Module(torch.nn.ReLU())
        with self.assertRaisesRegex(gyre.ShapeError, "sizes"):
            gyre.torch.nn.Linear(3, 4)(torch.randn(2, 5))
        with self.assertRaises(TypeError):
            gyre.torch.nn.Linear(3, 4)([1.0, 2.0, 3.0])
        with self.assertRaises(gyre.DTypeError):
            gyre.torch.nn.ReLU()(torch.zeros(2, dtype=torch.complex64))

    def test_transforms(self):
        module = gyre.torch.nn.Linear(3, 2).double()
        x = torch.randn(4, 3, dtype=torch.float64)
        state = dict(module.named_parameters())

        def loss(weights, x):
            return torch.func.functional_call(module, weights, (x,)).square().sum()

        each = torch.func.vmap(torch.func.grad(loss), (None, 0))(state, x)
        for n in range(4):
            one = torch.func.grad(loss)(state, x[n])
            self.assertTrue(torch.allclose(each["weight"][n], one["weight"]))


class Wrong(gyre.nn.Module if gyre else object):
    """Counts its calls."""

    def __init__(self, error):
        super().__init__()
        self.error, self.calls = error, 0

    def forward(self, x):
        self.calls += 1
        raise self.error("of its own")


class Counting(gyre.nn.Module if gyre else object):
    """Writes in place, and reads a value."""

    def __init__(self):
        super().__init__()
        self.register_buffer("sum", gyre.zeros(3))

    def forward(self, x):
        self.sum.add_(x)
        return x + self.sum if self.sum[0].item() >= 0 else x


class Noisy(gyre.nn.Module if gyre else object):
    """Draws random numbers in eval mode too."""

    def forward(self, x):
        return x * gyre.rand(4)


class Compiled(unittest.TestCase):
    def setUp(self):
        torch._dynamo.reset()

    def test_every_layer(self):
        count, seen = 0, set()
        for cls, options, inputs in layers():
            if cls in seen:
                continue
            seen.add(cls)
            torch._dynamo.reset()
            module = cls(**options).double().eval()
            compiled = torch.compile(module, fullgraph=True, backend="aot_eager")
            results = []
            for f in (module, compiled):
                module.zero_grad()
                out = [y for y in several(f(*inputs)) if y.is_floating_point()]
                if any(y.requires_grad for y in out):
                    sum(y.square().sum() for y in out).backward()
                results.append((out, [p.grad for p in module.parameters()]))
            for a, b in zip(results[0][0] + results[0][1], results[1][0] + results[1][1]):
                self.assertTrue((a is None and b is None) or torch.allclose(a, b), cls.__name__)
            count += 1
        print(f"\n| {count} layers compiled as one graph")

    def test_shapes_of_what_wants_values(self):
        mine, its = (gyre.torch.nn.Module(Counting()) for _ in range(2))
        compiled, x = torch.compile(mine, fullgraph=True, backend="aot_eager"), torch.ones(3)
        for _ in range(2):
            self.assertTrue(torch.equal(compiled(x), its(x)))
            self.assertTrue(torch.equal(mine.sum, its.sum))

    def test_errors_of_a_module_are_its_own(self):
        for error in (RuntimeError, ValueError, KeyError):
            torch._dynamo.reset()
            module = Wrong(error)
            with self.assertRaisesRegex(Exception, "of its own"):
                torch.compile(gyre.torch.nn.Module(module), fullgraph=True, backend="aot_eager")(torch.ones(3))
            self.assertEqual(module.calls, 1)

    def test_random_numbers_in_eval_mode(self):
        module = gyre.torch.nn.Module(Noisy()).eval()
        for f in (module, torch.compile(module, fullgraph=True, backend="aot_eager")):
            x = torch.ones(4, requires_grad=True)
            torch.manual_seed(2)
            y = f(x)
            y.sum().backward()
            self.assertTrue(torch.equal(x.grad, y.detach()))
            torch.manual_seed(2)
            self.assertTrue(torch.equal(module(x), y))

    def test_training_with_buffers_and_random_numbers(self):
        for backend in ("aot_eager", "inductor"):
            torch._dynamo.reset()
            mine, its = gyre.torch.nn.BatchNorm(3), gyre.torch.nn.BatchNorm(3)
            dropout = gyre.torch.nn.Dropout(0.5)
            compiled = torch.compile(lambda x: dropout(mine(x)), fullgraph=True, backend=backend)
            x = torch.randn(8, 3)
            for _ in range(3):
                a, b = (x.clone().requires_grad_() for _ in range(2))
                torch.manual_seed(1)
                got = compiled(a)
                after = dropout(torch.ones(9))
                torch.manual_seed(1)
                wanted = dropout(its(b))
                self.assertTrue(torch.equal(after, dropout(torch.ones(9))))
                self.assertTrue(torch.allclose(got, wanted))
                got.square().sum().backward()
                wanted.square().sum().backward()
                self.assertTrue(torch.allclose(a.grad, b.grad, atol=1e-5))
            for x, y in zip(mine.buffers(), its.buffers()):
                self.assertTrue(torch.equal(x, y))


if __name__ == "__main__":
    unittest.main()
