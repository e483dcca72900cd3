"""gyre.nn.utils.parametrize, parametrizations, weight_norm and spectral_norm, compared with PyTorch."""

import copy
import pickle
import unittest
import warnings

from common import gyre, needs_packages, to_torch, torch

if gyre:
    from gyre import nn
    from gyre.nn.utils import parametrizations, parametrize


def setUpModule():
    needs_packages()


def same(got, want):
    torch.testing.assert_close(to_torch(got), want.detach(), rtol=1e-8, atol=1e-10)


def symmetric(lib):
    class Symmetric(lib.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).mT

        def right_inverse(self, x):
            return x.triu()

    return Symmetric()


def squared(lib):
    class Squared(lib.nn.Module):
        """Without a right_inverse."""

        def forward(self, x):
            return x * x

    return Squared()


def product(lib):
    class Product(lib.nn.Module):
        def forward(self, a, b):
            return a * b

        def right_inverse(self, x):
            return x * 2, x * 0 + 0.5

    return Product()


def own(lib):
    class Own(lib.nn.Module):
        """A module without a layer in C++."""

        def __init__(self):
            super().__init__()
            self.weight = lib.nn.Parameter(lib.ones(4, 4))
            self.register_buffer("scale", lib.ones(4, 4))

        def forward(self, x):
            return x @ self.weight @ self.scale

    return Own()


if gyre:
    class Halved(nn.Module):
        def forward(self, x):
            return x / 2


class Layers(unittest.TestCase):
    def check(self, make, x):
        """The same state, results, gradients and buffers, in training and in evaluation."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # older names are deprecated
            torch.manual_seed(0)
            ours, theirs = make(gyre).double(), make(torch).double()
        with torch.no_grad():
            for p in theirs.parameters():
                noise = torch.randn_like(p)  # not on diagonals, which are signs in orthogonal()
                p.add_(noise.tril(-1) if p.ndim > 1 else noise, alpha=0.1)
        self.assertEqual(list(ours.state_dict()), list(theirs.state_dict()))
        ours.load_state_dict(theirs.state_dict())
        for training in (True, False):
            a, b = ours.train(training)(gyre.from_torch(x)), theirs.train(training)(x)
            a, b = (a[0], b[0]) if isinstance(a, tuple) else (a, b)
            same(a, b)
        (a * a).sum().backward()
        (b * b).sum().backward()
        for (name, p), q in zip(ours.named_parameters(), theirs.parameters()):
            with self.subTest(name):
                same(p.grad, q.grad)
        for (name, p), q in zip(ours.named_buffers(), theirs.buffers()):
            with self.subTest(name):
                same(p, q)
        return ours, theirs

    def test_norms(self):
        vectors, images = torch.randn(5, 4, dtype=torch.float64), torch.randn(2, 4, 5, 5, dtype=torch.float64)
        tokens = torch.tensor([[0, 2], [3, 3]])
        for make, x in ((lambda lib, f: f(lib.nn.Linear(4, 3)), vectors),
                        (lambda lib, f: f(lib.nn.Conv2d(4, 2, 3, padding="same", padding_mode="reflect")), images),
                        (lambda lib, f: f(lib.nn.ConvTranspose2d(4, 2, 3)), images),
                        (lambda lib, f: f(lib.nn.Embedding(4, 3)), tokens),
                        (lambda lib, f: f(lib.nn.LSTM(4, 3), "weight_hh_l0"), vectors),
                        (lambda lib, f: f(own(lib)), vectors),
                        (lambda lib, f: lib.nn.Sequential(f(lib.nn.Linear(4, 3, bias=False)), lib.nn.ReLU()), vectors)):
            for norm in (lambda lib: lib.nn.utils.parametrizations.weight_norm,
                         lambda lib: lib.nn.utils.parametrizations.spectral_norm,
                         lambda lib: lib.nn.utils.weight_norm, lambda lib: lib.nn.utils.spectral_norm):
                module = make(gyre, norm(gyre))
                if isinstance(module, nn.LSTM) and norm(gyre) is parametrizations.spectral_norm:
                    continue  # torch's LSTM reads its weights several times a call, and each read improves them
                with self.subTest(str(module)):
                    self.check(lambda lib: make(lib, norm(lib)), x)

    def test_options_of_norms(self):
        x = torch.randn(5, 4, dtype=torch.float64)
        for make in (lambda lib: lib.nn.utils.parametrizations.weight_norm(lib.nn.Linear(4, 3), dim=None),
                     lambda lib: lib.nn.utils.parametrizations.weight_norm(lib.nn.Linear(4, 3), "bias", dim=0),
                     lambda lib: lib.nn.utils.parametrizations.spectral_norm(lib.nn.Linear(4, 3), "bias"),
                     lambda lib: lib.nn.utils.weight_norm(lib.nn.Linear(4, 3), dim=1),
                     lambda lib: lib.nn.utils.parametrizations.spectral_norm(
                         lib.nn.utils.parametrizations.spectral_norm(lib.nn.Linear(4, 3)), n_power_iterations=3, dim=1)):
            self.check(make, x)

    def test_orthogonal(self):
        for kind in ("matrix_exp", "cayley", "householder", None):
            for rows, columns in ((4, 4), (5, 4), (3, 4)):
                for lib_options in ({}, {"use_trivialization": False}):
                    if lib_options and kind in ("householder", None):
                        continue
                    with self.subTest(kind=kind, rows=rows, **lib_options):
                        ours, _ = self.check(lambda lib: lib.nn.utils.parametrizations.orthogonal(
                            lib.nn.Linear(4, rows), orthogonal_map=kind, **lib_options), torch.randn(
                                5, 4, dtype=torch.float64))
                        q = ours.weight.detach()
                        gram = q @ q.mT if rows < columns else q.mT @ q
                        rounding = (gram - gyre.eye(min(rows, columns))).abs().max()  # made in f32, then cast
                        self.assertLess(rounding.item(), 1e-6)
        layer = nn.Linear(3, 3, dtype="f64")
        rotation = gyre.linalg.qr(layer.weight.detach())[0]
        parametrizations.orthogonal(layer)
        self.assertTrue(gyre.allclose(layer.weight, rotation))  # the nearest that the present weight gives
        layer.weight = -rotation
        self.assertTrue(gyre.allclose(layer.weight, -rotation))

    def test_own_parametrizations(self):
        x = torch.randn(5, 4, dtype=torch.float64)

        def chain(lib, *makes, module=None, name="weight", **options):
            module = module or lib.nn.Linear(4, 4)
            for make in makes:
                lib.nn.utils.parametrize.register_parametrization(module, name, make(lib), **options)
            return module

        for make in (lambda lib: chain(lib, symmetric), lambda lib: chain(lib, product),
                     lambda lib: chain(lib, symmetric, squared), lambda lib: chain(lib, symmetric, symmetric),
                     lambda lib: chain(lib, symmetric, module=own(lib), name="scale"),
                     lambda lib: chain(lib, squared, module=chain(lib, symmetric), name="bias")):
            ours, theirs = self.check(make, x)
            self.assertEqual(type(ours).__name__, type(theirs).__name__)

    def test_an_optimiser_trains_the_originals(self):
        layer = nn.Linear(3, 3)
        optimiser = gyre.optim.SGD(layer.parameters(), lr=0.1)
        parametrize.register_parametrization(layer, "weight", symmetric(gyre))
        before = layer.parametrizations.weight.original.tolist()
        layer(gyre.ones((2, 3))).sum().backward()
        optimiser.step()
        self.assertNotEqual(layer.parametrizations.weight.original.tolist(), before)
        self.assertEqual(layer.weight.tolist(), layer.weight.T.tolist())


class Members(unittest.TestCase):
    def test_classes_and_questions(self):
        layer = nn.Linear(3, 3)
        self.assertFalse(parametrize.is_parametrized(layer))
        self.assertIs(parametrize.register_parametrization(layer, "weight", symmetric(gyre)), layer)
        self.assertEqual((parametrize.is_parametrized(layer), parametrize.is_parametrized(layer, "weight"),
                          parametrize.is_parametrized(layer, "bias")), (True, True, False))
        self.assertIsInstance(layer, nn.Linear)
        self.assertEqual(type(layer).__name__, "ParametrizedLinear")
        self.assertIs(parametrize.type_before_parametrizations(layer), nn.Linear)
        self.assertEqual((layer.in_features, layer.training, layer.eval().training), (3, True, False))
        self.assertEqual(len(layer.parametrizations.weight[:1]), 1)
        with self.assertRaisesRegex(AttributeError, "Linear has no attribute wieght"):
            layer.wieght

    def test_assignment(self):
        layer, value = nn.Linear(3, 3), gyre.arange(9).float().reshape(3, 3)
        parametrize.register_parametrization(layer, "weight", symmetric(gyre))
        layer.weight = value
        self.assertEqual(layer.weight.tolist(), (value.triu() + value.triu(1).T).tolist())
        layer.bias = nn.Parameter(gyre.ones(3))
        self.assertEqual(layer(gyre.zeros((1, 3))).tolist(), [[1, 1, 1]])
        conv = nn.Conv2d(1, 1, 3)
        parametrizations.weight_norm(conv)
        conv.stride = 2
        self.assertEqual(conv(gyre.ones((1, 1, 5, 5))).shape, (1, 1, 2, 2))

    def test_the_tensor_becomes_ordinary_again(self):
        for make in (lambda: nn.Linear(3, 3), lambda: own(gyre), lambda: nn.GRU(3, 3)):
            for keep in (True, False):
                layer = make()
                name = "weight_hh_l0" if isinstance(layer, nn.GRU) else "weight"
                state, cls, x = layer.state_dict(), type(layer), gyre.ones((2, layer.weight.shape[0] if name == "weight" else 3))
                if name != "weight":
                    layer.eval()
                parametrize.register_parametrization(layer, name, Halved())
                want = layer(x)
                parametrize.remove_parametrizations(layer, name, leave_parametrized=keep)
                with self.subTest(cls.__name__, keep=keep):
                    self.assertIs(type(layer), cls)
                    self.assertEqual(sorted(layer.state_dict()), sorted(state))
                    self.assertTrue(getattr(layer, name).requires_grad)
                    self.assertEqual(layer.training, name == "weight")
                    self.assertEqual(str(layer(x)) == str(want), keep)
        for norm, remove in ((nn.utils.weight_norm, nn.utils.remove_weight_norm),
                             (nn.utils.spectral_norm, nn.utils.remove_spectral_norm)):
            layer, x = norm(nn.Linear(3, 2)).eval(), gyre.ones((1, 3))
            want = layer(x).tolist()
            self.assertIs(remove(layer), layer)
            self.assertEqual((type(layer), layer(x).tolist(), sorted(layer.state_dict())), (nn.Linear, want, ["bias", "weight"]))
        layer = parametrizations.weight_norm(own(gyre))
        parametrize.remove_parametrizations(layer, "weight")
        self.assertIsInstance(layer.weight, nn.Parameter)

    def test_one_of_two_is_removed(self):
        layer, x = nn.Linear(3, 3), gyre.ones((2, 3))
        for name in ("weight", "bias"):
            parametrize.register_parametrization(layer, name, Halved())
        want = layer(x).tolist()
        parametrize.remove_parametrizations(layer, "weight")
        self.assertEqual(sorted(layer.state_dict()), ["parametrizations.bias.original", "weight"])
        self.assertEqual((layer(x).tolist(), type(layer).__name__), (want, "ParametrizedLinear"))

    def test_buffers(self):
        module = own(gyre)
        parametrize.register_parametrization(module, "scale", Halved())
        self.assertEqual([n for n, _ in module.named_buffers()], ["parametrizations.scale.original"])
        parametrize.remove_parametrizations(module, "scale")
        self.assertEqual(([n for n, _ in module.named_buffers()], module.scale[0, 0].item()), (["scale"], 0.5))

    def test_values_are_computed_once_when_cached(self):
        layer, calls = nn.Linear(3, 3), []

        class Counted(nn.Module):
            def forward(self, x):
                calls.append(1)
                return x * 1

            def right_inverse(self, x):
                return x

        parametrize.register_parametrization(layer, "weight", Counted())
        calls.clear()
        with parametrize.cached():
            with parametrize.cached():
                self.assertIs(layer.weight, layer.weight)
            self.assertEqual(len(calls), 1)
            layer.weight = gyre.zeros((3, 3))
            self.assertEqual((layer.weight.sum().item(), len(calls)), (0, 2))
        calls.clear()
        self.assertIsNot(layer.weight, layer.weight)
        layer(gyre.ones((1, 3)))
        self.assertEqual(len(calls), 3)

    def test_copies(self):
        x = gyre.ones((2, 3))
        for make in (lambda: parametrize.register_parametrization(nn.Linear(3, 3), "weight", Halved()),
                     lambda: parametrizations.spectral_norm(nn.Linear(3, 4)), lambda: nn.utils.weight_norm(nn.Linear(3, 2)),
                     lambda: nn.Sequential(parametrizations.orthogonal(nn.Linear(3, 3)))):
            layer = make().eval()
            layer(x).sum().backward()
            for twin in (copy.copy(layer), copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
                self.assertEqual((repr(twin), twin(x).tolist()), (repr(layer), layer(x).tolist()))
            twin.double()
            self.assertEqual({p.dtype for p in twin.parameters()}, {gyre.f64})
            self.assertEqual(twin(x.double()).dtype, gyre.f64)

    def test_hooks_run_once_and_transforms_see_the_originals(self):
        layer, calls = nn.Linear(3, 3), []
        layer.register_forward_hook(lambda *args: calls.append(1))
        parametrize.register_parametrization(layer, "weight", Halved())
        layer(gyre.ones((1, 3)))
        self.assertEqual(len(calls), 1)
        state = {"parametrizations.weight.original": gyre.eye(3) * 4, "bias": gyre.zeros(3)}
        self.assertEqual(nn.functional_call(layer, state, (gyre.ones((1, 3)),)).tolist(), [[2, 2, 2]])

    def test_subclasses_of_layers_keep_their_state(self):
        class Counting(nn.Linear):
            calls, factor = 0, 1

            def forward(self, x):
                self.calls += 1
                return super().forward(x) * self.factor

        layer, x = Counting(3, 3), gyre.ones((1, 3))
        parametrize.register_parametrization(layer, "weight", Halved())
        once = layer(x).tolist()
        layer.factor = 2
        self.assertEqual((layer(x) / 2).tolist(), once)
        parametrize.remove_parametrizations(layer, "weight")
        self.assertEqual(((layer(x) / 2).tolist(), layer.calls, type(layer)), (once, 3, Counting))

    def test_layers_with_running_statistics(self):
        layer, plain = nn.BatchNorm1d(3), nn.BatchNorm1d(3)
        parametrize.register_parametrization(layer, "weight", Halved())
        x = gyre.arange(12).float().reshape(4, 3)
        layer(x), plain(x)
        for name in ("running_mean", "running_var", "num_batches_tracked"):
            self.assertEqual(layer.state_dict()[name].tolist(), plain.state_dict()[name].tolist())

    def test_errors(self):
        def inverse_of(value):
            class Strange(nn.Module):
                def forward(self, *x):
                    return x[0]

                def right_inverse(self, x):
                    return value(x)

            return Strange()

        register = parametrize.register_parametrization
        without = register(nn.Linear(3, 3), "weight", Halved())
        pair = register(nn.Linear(3, 3), "weight", product(gyre))
        pair.parametrizations.weight[0].right_inverse = lambda x: [x]
        table = nn.TransformerEncoder(layers=1, width=4, heads=2)
        for error, words, call in (
                (ValueError, "Linear has no parameter or buffer 'wieght' of its own; it has \\['bias', 'weight'\\]",
                 lambda: register(nn.Linear(3, 3), "wieght", Halved())),
                (ValueError, "Sequential has no parameter or buffer '0.weight'",
                 lambda: register(nn.Sequential(nn.Linear(3, 3)), "0.weight", Halved())),
                (TypeError, "expected a gyre.nn.Module, got Tensor", lambda: nn.utils.weight_norm(gyre.ones(3))),
                (TypeError, "parametrization: expected a gyre.nn.Module, got function",
                 lambda: register(nn.Linear(3, 3), "weight", lambda x: x)),
                (ValueError, "expected shape \\[3, 3\\] and f32, got \\[3, 2\\] and f32; pass unsafe=True",
                 lambda: register(nn.Linear(3, 3), "weight", Shorter())),
                (ValueError, "expected shape \\[3, 3\\] and f32, got \\[3, 2\\]", lambda: register(without, "weight", Shorter())),
                (ValueError, "parametrization: expected a gyre.Tensor, got int; pass unsafe=True",
                 lambda: register(nn.Linear(3, 3), "weight", Number())),
                (ValueError, "right_inverse: expected a tensor or a sequence of tensors, got int",
                 lambda: register(nn.Linear(3, 3), "weight", inverse_of(lambda x: 3))),
                (ValueError, "right_inverse: expected 2 tensors, got list",
                 lambda: setattr(pair, "weight", gyre.ones((3, 3)))),
                (ValueError, "expected one or more parametrizations",
                 lambda: parametrize.ParametrizationList([], nn.Parameter(gyre.ones(2)))),
                (RuntimeError, "cannot assign a parametrized tensor: Halved has no right_inverse",
                 lambda: setattr(without, "weight", gyre.ones((3, 3)))),
                (ValueError, "Linear has no parametrization of 'weight'",
                 lambda: parametrize.remove_parametrizations(nn.Linear(3, 3), "weight")),
                (ValueError, "expected leave_parametrized=True, since the original is 2 tensors",
                 lambda: parametrize.remove_parametrizations(register(nn.Linear(3, 3), "weight", product(gyre)), "weight",
                                                             leave_parametrized=False)),
                (ValueError, "a layer of several layers in C\\+\\+",
                 lambda: register([m for m in table.modules() if "weight" in dict(m.named_parameters(recurse=False))][0],
                                  "weight", Halved())),
                (ValueError, "spectral_norm: expected n_power_iterations of 1 or more, got 0",
                 lambda: parametrizations.spectral_norm(nn.Linear(3, 3), n_power_iterations=0)),
                (IndexError, "spectral_norm: dim 2 is out of range for 2 axes",
                 lambda: parametrizations.spectral_norm(nn.Linear(3, 3), dim=2)),
                (ValueError, "orthogonal: expected orthogonal_map matrix_exp, cayley, householder, got 'exp'",
                 lambda: parametrizations.orthogonal(nn.Linear(3, 3), orthogonal_map="exp")),
                (ValueError, "orthogonal: expected a matrix", lambda: parametrizations.orthogonal(nn.Linear(3, 3), "bias")),
                (ValueError, "orthogonal: householder needs use_trivialization=True",
                 lambda: parametrizations.orthogonal(nn.Linear(3, 2), use_trivialization=False)),
                (NotImplementedError, "assigning needs use_trivialization=True for cayley",
                 lambda: setattr(parametrizations.orthogonal(nn.Linear(3, 3), orthogonal_map="cayley",
                                                             use_trivialization=False), "weight", gyre.eye(3))),
                (ValueError, "remove_weight_norm: Linear.weight has no weight_norm",
                 lambda: nn.utils.remove_weight_norm(nn.Linear(3, 3))),
                (AttributeError, "weight is computed; assign weight_g",
                 lambda: setattr(nn.utils.weight_norm(nn.Linear(3, 3)), "weight", gyre.ones((3, 3)))),
                (ValueError, "has no parameter or buffer 'weight' of its own; it has \\['bias', 'weight_g', 'weight_v'\\]",
                 lambda: nn.utils.weight_norm(nn.utils.weight_norm(nn.Linear(3, 3))))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()


if gyre:
    class Shorter(nn.Module):
        def forward(self, x):
            return x[:, :-1]

    class Number(nn.Module):
        def forward(self, x):
            return 3


if __name__ == "__main__":
    unittest.main()
