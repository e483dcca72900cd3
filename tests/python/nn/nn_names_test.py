"""gyre.nn by PyTorch's names: the sample calls of PyTorch's module database (results, gradients, state), signatures,
methods of modules, hooks, containers, and errors."""

import copy
import functools
import inspect
import pickle
import unittest

from common import Explained, gyre, needs_packages, numpy, to_torch, torch

if torch:
    from torch.testing._internal.common_modules import module_db

    from torch_calls import converted, difference, leaves
if gyre:
    import gyre.nn.functional as F
    from gyre import nn
    from gyre.nn import table

HEADING = "Layers of gyre.nn"
MOST = 24  # samples of an entry, evenly chosen
MODES = ("BatchNorm", "InstanceNorm", "Dropout")  # layers that compute something else in evaluation


def setUpModule():
    needs_packages()


def entries():
    return list(module_db) if torch and gyre else []


class Calls:
    """The samples of one entry of the database."""

    def __init__(self, info):
        self.name = info.name.split(".")[-1]
        self.info, self.total, self.differences = info, 0, {}
        for training in (True, False) if self.name.startswith(MODES) else (True,):
            samples = info.module_inputs_func(info, device="cpu", dtype=torch.float64, requires_grad=True,
                                              training=training)
            samples = [s for s in samples if s.forward_input is not None]
            for sample in samples[::max(1, -(-len(samples) // MOST))]:
                self.total += 1
                if found := self.compare(sample, training):
                    self.differences.setdefault(found[0], f"{found[1]} in {sample.desc}"[:600])

    def without_dropout(self, *models):
        for model in models:
            for module in model.modules():
                if type(module).__name__ == "Dropout":
                    module.p = 0.0
                elif type(module).__name__ == "MultiheadAttention":
                    module.dropout = 0.0

    def expect_same_class(self, theirs, ours):
        """Both are ordinary layers after the first call."""
        if type(ours).__name__ != type(theirs).__name__ or type(ours) is not getattr(nn, type(theirs).__name__):
            raise AssertionError(f"{type(ours)} after the first call")

    def pair(self, sample, training):
        """A torch module and the gyre module with its weights."""
        torch.manual_seed(0)
        given, tensors = sample.constructor_input, {}
        theirs = self.info.module_cls(*given.args, **given.kwargs).double().train(training)
        named = {k: converted(v, tensors) for k, v in given.kwargs.items()}
        ours = getattr(nn, self.name)(*converted(given.args, tensors), **named).double().train(training)
        if self.name.startswith("Lazy"):
            given, tensors = sample.forward_input, {}
            theirs(*given.args), ours(*converted(given.args, tensors))
            self.expect_same_class(theirs, ours)
        self.without_dropout(ours, theirs)
        if list(ours.state_dict()) != list(theirs.state_dict()):
            raise AssertionError(f"{list(ours.state_dict())}, torch {list(theirs.state_dict())}")
        ours.load_state_dict(theirs.state_dict())
        return ours, theirs

    def compare(self, sample, training):
        given, tensors = sample.forward_input, {}
        try:
            ours, theirs = self.pair(sample, training)
            got = ours(*converted(given.args, tensors), **{k: converted(v, tensors) for k, v in given.kwargs.items()})
        except AssertionError as error:
            return "state", str(error)
        except (gyre.Error, AttributeError, ValueError, TypeError, IndexError) as error:
            return f"refused: {getattr(error, 'code', type(error).__name__)}", str(error)
        want = theirs(*given.args, **given.kwargs)
        moving = [t for t in leaves([*given.args, *given.kwargs.values()], torch.Tensor) if id(t) in tensors]
        pairs = [(tensors[id(t)], t) for t in moving]
        pairs += list(zip((p for _, p in ours.named_parameters()), theirs.parameters()))
        after = ours.state_dict()
        for name, buffer in theirs.named_buffers():
            if not torch.allclose(to_torch(after[name]).double(), buffer.double()):
                return "buffer", name
        return difference(got, want, pairs)


@functools.cache
def explained():
    return Explained(HEADING)


@functools.cache
def calls(position):
    return Calls(entries()[position])


class Database(unittest.TestCase):
    def check(self, position):
        found = calls(position)
        wrong = {what: how for what, how in found.differences.items() if (found.name, what) not in explained().rows}
        if wrong:
            self.fail("".join(f"\n{what}: {how}" for what, how in wrong.items()))

    def test_all_explanations_are_used(self):
        for k in range(len(entries())):
            for what, how in calls(k).differences.items():
                explained().note(calls(k).name, what, how)
        self.assertEqual(explained().idle(), [])
        print(f"\n| {sum(calls(k).total for k in range(len(entries())))} calls of {len(entries())} entries compared")


for index, entry in enumerate(entries()):
    setattr(Database, f"test_{entry.name.split('.')[-1]}", functools.partialmethod(Database.check, index))


class Signatures(unittest.TestCase):
    def test_layers_have_pytorchs_arguments(self):
        for name in nn.__all__:
            theirs = getattr(torch.nn, name, None)
            if not isinstance(theirs, type) or not issubclass(theirs, torch.nn.Module) or theirs is torch.nn.Module:
                continue
            with self.subTest(name):
                wanted = [p for p in inspect.signature(theirs.__init__).parameters.values() if p.name != "self"
                          and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
                cls = getattr(nn, name)
                shown = inspect.signature(cls).parameters
                options = getattr(cls, "_options", None)
                order = []
                for parameter in wanted:
                    if parameter.name in ("min_value", "max_value"):  # deprecated names of Hardtanh
                        continue
                    own = parameter.name if parameter.name in shown else options and options.option(parameter.name)
                    self.assertTrue(own, parameter.name)
                    own = own if own in shown else own + "_"
                    order.append(own)
                    usual = parameter.default
                    if isinstance(usual, (bool, int, float, str)):
                        self.assertEqual(shown[own].default, usual, parameter.name)
                self.assertEqual([n for n in shown if n in order], order)

    def test_layers_of_pytorch_are_here(self):
        missing = {n for n, v in vars(torch.nn).items() if isinstance(v, type) and issubclass(v, torch.nn.Module)
                   and not hasattr(nn, n)}
        self.assertEqual(missing, {"Container", "CrossMapLRN2d", "DataParallel", "NLLLoss2d", "RNNBase", "RNNCellBase",
                                   "SyncBatchNorm"})

    def test_options_are_attributes_and_in_the_text(self):
        self.assertEqual((nn.Linear(2, 3).in_features, nn.Linear(2, 3).out_features), (2, 3))
        conv = nn.Conv2d(4, 6, 3, padding="same", padding_mode="reflect", groups=2, bias=False)
        self.assertEqual((conv.kernel_size, conv.stride, conv.padding, conv.groups, conv.bias),
                         ((3, 3), (1, 1), "same", 2, None))
        self.assertEqual(repr(conv), "Conv2d(4, 6, kernel_size=(3, 3), padding='same', groups=2, "
                         "padding_mode='reflect', bias=False)")
        self.assertEqual(repr(nn.CrossEntropyLoss(label_smoothing=0.1)), "CrossEntropyLoss(label_smoothing=0.1)")
        self.assertEqual(repr(nn.MaxPool2d(2)), "MaxPool2d(kernel_size=2)")
        lstm = nn.LSTM(3, 4, 2, batch_first=True)
        self.assertEqual((lstm.input_size, lstm.hidden_size, lstm.num_layers, lstm.batch_first), (3, 4, 2, True))
        self.assertEqual(nn.LayerNorm([2, 4]).normalized_shape, (2, 4))
        for text, layer in (("padding_idx=1", nn.Embedding(4, 2, padding_idx=1)), ("dim=1", nn.Unflatten(1, (2, 2))),
                            ("mode='mean'", nn.EmbeddingBag(4, 2)), ("bias=True", nn.Bilinear(2, 2, 2)),
                            ("num_parameters=1", nn.PReLU()), ("embed_dim=4", nn.MultiheadAttention(4, 2)),
                            ("momentum=0.1", nn.InstanceNorm1d(3)),
                            ("Parameter of [2]", nn.ParameterList([gyre.ones(2)])),
                            ("ParameterDict()", nn.ParameterDict())):
            self.assertIn(text, repr(layer))

    def test_names_of_the_table_are_accepted(self):
        self.assertEqual(nn.Conv2d(in_=1, out=2, kernel=3)(gyre.ones((1, 1, 4, 4))).shape, (1, 2, 2, 2))
        self.assertEqual(nn.Softmax(axis=0)(gyre.ones((2, 1))).tolist(), [[0.5], [0.5]])
        self.assertEqual(nn.LSTM(in_=2, hidden=3).hidden_size, 3)
        self.assertEqual(nn.AdaptiveAvgPool2d(size=1)(gyre.ones((1, 2, 3, 3))).shape, (1, 2, 1, 1))
        with self.assertRaisesRegex(TypeError, "got in_ twice, also as in_channels"):
            nn.Conv2d(1, 2, 3, in_=1)

    def test_transformers_of_the_table_and_of_pytorch(self):
        ours = nn.TransformerEncoder(layers=2, width=4, heads=2)
        theirs = nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 8), 2)
        for model in (ours, theirs):
            self.assertIsInstance(model, nn.TransformerEncoder)
            self.assertEqual(model(gyre.ones((3, 2, 4))).shape, (3, 2, 4))
            for part in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model), copy.copy(model)):
                self.assertEqual(list(part.state_dict()), list(model.state_dict()))
        mask = nn.Transformer.generate_square_subsequent_mask(3)
        torch.testing.assert_close(to_torch(mask), torch.nn.Transformer.generate_square_subsequent_mask(3))

    def test_dtype_and_device(self):
        for layer in (nn.Linear(2, 3, dtype=gyre.f64), nn.Conv3d(1, 2, 3, dtype="f64", device="cpu"),
                      nn.TransformerEncoderLayer(4, 2, dtype=gyre.f64), nn.LSTM(2, 3, dtype=gyre.f64)):
            self.assertEqual({p.dtype for p in layer.parameters()}, {gyre.f64})

    def test_initial_values_have_pytorchs_spread(self):
        for make in (lambda m: m.Linear(64, 64), lambda m: m.Conv2d(8, 16, 3), lambda m: m.Conv3d(4, 16, 3),
                     lambda m: m.ConvTranspose3d(16, 4, 3), lambda m: m.Bilinear(16, 16, 8),
                     lambda m: m.Embedding(64, 32),
                     lambda m: m.LSTM(16, 32), lambda m: m.LSTM(16, 32, proj_size=8), lambda m: m.EmbeddingBag(64, 32),
                     lambda m: m.MultiheadAttention(32, 4), lambda m: m.MultiheadAttention(32, 4, kdim=16, vdim=8),
                     lambda m: m.TransformerEncoderLayer(32, 4, 64), lambda m: m.BatchNorm2d(3), lambda m: m.PReLU(3)):
            gyre.manual_seed(1)
            torch.manual_seed(1)
            mine, theirs = make(nn), make(torch.nn)
            for (name, p), q in zip(mine.named_parameters(), theirs.parameters()):
                with self.subTest(f"{type(mine).__name__}.{name}"):
                    p, q = to_torch(p), q.detach()
                    self.assertEqual(p.shape, q.shape)
                    if p.numel() >= 256:
                        self.assertAlmostEqual(float(p.std() / q.std()), 1, delta=0.15)
                        self.assertAlmostEqual(float(p.abs().max() / q.abs().max()), 1, delta=0.35)
                    elif q.numel() and not q.std().isfinite() or float(q.abs().max()) in (0.0, 1.0, 0.25):
                        self.assertTrue(torch.equal(p, q))
        self.assertEqual(nn.Embedding(4, 2, padding_idx=-1).weight[3].tolist(), [0, 0])
        self.assertEqual(nn.EmbeddingBag(4, 2, padding_idx=0).weight[0].tolist(), [0, 0])

    def test_pretrained_embeddings(self):
        table = gyre.arange(6).float().reshape(3, 2)
        for cls in (nn.Embedding, nn.EmbeddingBag):
            layer = cls.from_pretrained(table)
            self.assertEqual((layer.weight.tolist(), layer.weight.requires_grad), (table.tolist(), False))
            self.assertTrue(cls.from_pretrained(table, freeze=False).weight.requires_grad)

    def test_options_of_layers_in_cpp_can_change(self):
        layer = nn.Dropout(0.5).eval()
        layer.p = 1.0
        self.assertEqual((layer.p, layer.training, repr(layer)), (1.0, False, "Dropout(p=1.0)"))
        self.assertEqual(layer.train()(gyre.ones(3)).tolist(), [0, 0, 0])
        with self.assertRaisesRegex(TypeError, "an option of the whole layer"):
            nn.TransformerEncoderLayer(width=4).dropout.p = 0.5

    def test_output_size_of_transposed_convolutions(self):
        ours, theirs = nn.ConvTranspose2d(2, 3, 3, 2), torch.nn.ConvTranspose2d(2, 3, 3, 2)
        ours.load_state_dict(theirs.state_dict())
        x = torch.randn(1, 2, 4, 4)
        got, want = ours(gyre.from_torch(x), output_size=(10, 10)), theirs(x, output_size=(10, 10))
        torch.testing.assert_close(to_torch(got), want.detach())

    def test_adaptive_softmax(self):
        theirs, ours = (m.AdaptiveLogSoftmaxWithLoss(8, 12, [3, 7], div_value=2.0, head_bias=True) for m in (torch.nn, nn))
        self.assertEqual(list(ours.state_dict()), list(theirs.state_dict()))
        ours.load_state_dict(theirs.state_dict())
        x, target = torch.randn(5, 8), torch.tensor([0, 11, 4, 2, 6])
        got, want = ours(gyre.from_torch(x), gyre.from_torch(target)), theirs(x, target)
        torch.testing.assert_close(to_torch(got.output), want.output.detach())
        torch.testing.assert_close(to_torch(got.loss), want.loss.detach())
        torch.testing.assert_close(to_torch(ours.log_prob(gyre.from_torch(x))), theirs.log_prob(x).detach())
        self.assertEqual(ours.predict(gyre.from_torch(x)).tolist(), theirs.predict(x).tolist())

    def test_lazy_layers(self):
        model = nn.Sequential(nn.LazyConv2d(4, 3, bias=False), nn.LazyBatchNorm2d(), nn.Flatten(), nn.LazyLinear(2)).eval()
        self.assertEqual((model.parameters(), repr(model[0])), ([], "LazyConv2d(4, 3, bias=False)"))
        for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model)), model):
            self.assertEqual(twin(gyre.ones((1, 3, 5, 5))).shape, (1, 2))
            self.assertEqual([type(m) for m in twin], [nn.Conv2d, nn.BatchNorm2d, nn.Flatten, nn.Linear])
            self.assertEqual((twin[1].training, len(twin.parameters())), (False, 5))
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'in_channels'"):
            nn.LazyConv2d(4, 3, in_channels=2)

    def test_upsampling_layers_and_identity(self):
        x = torch.randn(1, 2, 3, 3)
        for make in (lambda m: m.UpsamplingNearest2d(scale_factor=2), lambda m: m.UpsamplingBilinear2d((5, 4)),
                     lambda m: m.Identity(3, some=4), lambda m: m.Unflatten(1, (1, 2)), lambda m: m.Softmax2d(),
                     lambda m: m.Upsample(scale_factor=(2, 3), mode="bilinear"), lambda m: m.Flatten(2),
                     lambda m: m.PixelUnshuffle(3), lambda m: m.ChannelShuffle(2), lambda m: m.Hardsigmoid(),
                     lambda m: m.CosineSimilarity(), lambda m: m.PairwiseDistance(), lambda m: m.RReLU()):
            ours, theirs = make(nn).eval(), make(torch.nn).eval()
            given = (x, x.flip(0) + 1) if type(theirs).__name__ in ("CosineSimilarity", "PairwiseDistance") else (x,)
            torch.testing.assert_close(to_torch(ours(*map(gyre.from_torch, given))), theirs(*given))
        pooled, index = nn.MaxPool2d(2, return_indices=True)(gyre.from_torch(torch.randn(1, 1, 4, 4)))
        self.assertEqual(nn.MaxUnpool2d(2)(pooled, index).shape, (1, 1, 4, 4))

    def test_weights_of_losses_are_buffers(self):
        loss = nn.CrossEntropyLoss(weight=gyre.tensor([1.0, 2.0]))
        self.assertEqual(list(loss.state_dict()), ["weight"])
        self.assertEqual(nn.NLLLoss(None, None, 1).ignore_index, 1)

    def test_layers_are_copied(self):
        for layer in (nn.LayerNorm([2, 4]), nn.Conv2d(1, 2, 3, padding="same"), nn.Conv3d(1, 2, 3), nn.MaxPool2d(2),
                      nn.LSTM(2, 3, proj_size=2), nn.BatchNorm1d(3, momentum=None), nn.RMSNorm(3), nn.GELU("tanh"),
                      nn.ParameterDict({"a": gyre.ones(2)}), nn.Embedding(4, 3, padding_idx=1), table.LayerNorm(3)):
            for twin in (pickle.loads(pickle.dumps(layer)), copy.deepcopy(layer), copy.copy(layer)):
                self.assertEqual((repr(twin), list(twin.state_dict())), (repr(layer), list(layer.state_dict())))


class Methods(unittest.TestCase):
    def test_names_with_prefix_and_without_submodules(self):
        model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
        model.register_parameter("scale", nn.Parameter(gyre.ones(1)))
        self.assertEqual([n for n, _ in model.named_parameters(recurse=False)], ["scale"])
        self.assertEqual([n for n, _ in model.named_parameters("m")][:2], ["m.scale", "m.0.weight"])
        self.assertEqual((len(model.parameters(recurse=False)), len(model.buffers())), (1, 3))
        self.assertEqual(next(model.parameters()).shape, (1,))
        rest = model.parameters()
        self.assertEqual([next(rest).shape, next(rest).shape, len(list(rest))], [(1,), (3, 2), 3])
        with self.assertRaises(StopIteration):
            next(nn.ReLU().parameters())
        self.assertEqual(len(model.named_buffers(recurse=False)), 0)
        self.assertEqual([n for n, _ in model.named_modules(prefix="m")], ["m", "m.0", "m.1"])

    def test_shared_parameters_under_all_names(self):
        model, shared = nn.Module(), nn.Linear(2, 2)
        model.a, model.b = shared, shared
        self.assertEqual([n for n, _ in model.named_parameters()], ["a.weight", "a.bias"])
        self.assertEqual(len(model.named_parameters(remove_duplicate=False)), 4)
        self.assertIs(model.get_submodule("b"), shared)

    def test_members_by_path(self):
        model = nn.Sequential(nn.Sequential(nn.BatchNorm1d(3)))
        self.assertIs(model.get_parameter("0.0.weight"), model[0][0].weight)
        self.assertEqual(model.get_buffer("0.0.running_mean").tolist(), [0, 0, 0])
        model.set_submodule("0.0", nn.ReLU())
        self.assertEqual(repr(model[0]), "Sequential(\n  (0): ReLU()\n)")
        for call in (lambda: model.get_parameter("0.1.weight"), lambda: nn.Linear(2, 2).get_buffer("weight"),
                     lambda: nn.Linear(2, 2).get_parameter("size"), lambda: model.set_submodule("0.7", nn.ReLU())):
            with self.assertRaisesRegex(AttributeError, "has no (submodule|buffer|parameter)"):
                call()

    def test_states(self):
        model = nn.Sequential(nn.Linear(2, 3))
        self.assertEqual(list(model.state_dict(prefix="net.")), ["net.0.weight", "net.0.bias"])
        into = {}
        self.assertIs(model.state_dict(destination=into), into)
        self.assertIs(model.state_dict(keep_vars=True)["0.weight"], model[0].weight)
        result = model.load_state_dict({"0.weight": gyre.ones((3, 2)), "more": 1.0}, strict=False)
        self.assertEqual((result.missing_keys, result.unexpected_keys), (["0.bias"], ["more"]))
        with self.assertRaisesRegex(ValueError, "gyre has no assign"):
            model.load_state_dict({}, assign=True)

    def test_buffers_that_are_not_persistent(self):
        model = nn.Sequential(nn.Module())
        model[0].register_buffer("mask", gyre.ones(2), persistent=False)
        model[0].register_buffer("mean", gyre.zeros(2))
        self.assertEqual(list(model.state_dict()), ["0.mean"])
        self.assertEqual(len(model.buffers()), 2)
        model.load_state_dict({"0.mean": [1.0, 2.0]})
        self.assertEqual((model[0].mean.tolist(), model[0].mask.tolist()), ([1, 2], [1, 1]))
        model[0].register_buffer("mask", gyre.ones(2))
        self.assertEqual(len(model.state_dict()), 2)

    def test_casts(self):
        model = nn.Linear(2, 2)
        for cast, dtype in ((model.double, gyre.f64), (model.half, gyre.f16), (model.bfloat16, gyre.bf16),
                            (model.float, gyre.f32), (lambda: model.type(gyre.f64), gyre.f64),
                            (lambda: model.to("cpu", gyre.f32), gyre.f32),
                            (lambda: model.to(gyre.zeros(1, dtype="f64")), gyre.f64),
                            (lambda: model.to(device="cpu", dtype="f32", non_blocking=True), gyre.f32),
                            (model.cpu, gyre.f32)):
            self.assertIs(cast(), model)
            self.assertEqual(model.weight.dtype, dtype)
        if not any("cuda" in str(device) for device in gyre.devices()):
            with self.assertRaises(gyre.Error):
                model.cuda()
            with self.assertRaises(gyre.Error):
                model.cuda(0)

    def test_gradients_set_to_zero(self):
        model = nn.Linear(2, 2)
        model(gyre.ones((1, 2))).sum().backward()
        model.zero_grad(set_to_none=False)
        self.assertEqual(model.bias.grad.tolist(), [0, 0])
        model.zero_grad()
        self.assertIsNone(model.bias.grad)


class Hooks(unittest.TestCase):
    def test_around_forward(self):
        layer, seen, x = nn.Linear(2, 2), [], gyre.ones((1, 2))
        plain = layer(x)
        before = layer.register_forward_pre_hook(lambda m, args: seen.append("before") or (args[0] * 2,))
        after = layer.register_forward_hook(lambda m, args, out: seen.append("after") or out + 1)
        layer.register_forward_hook(lambda m, args, out: seen.append("first"), prepend=True)
        want = layer.weight.detach().sum(-1) * 2 + layer.bias.detach() + 1
        numpy.testing.assert_allclose(layer(x).tolist(), [want.tolist()], rtol=1e-6)
        self.assertEqual(seen, ["before", "first", "after"])
        before.remove()
        before.remove()
        after.remove()
        self.assertEqual(layer(x).tolist(), plain.tolist())
        self.assertIn("forward", layer.__dict__)
        with nn.ReLU().register_forward_hook(lambda *all: 5):
            pass

    def test_a_module_without_hooks_is_called_as_before(self):
        layer = nn.ReLU()
        with layer.register_forward_hook(lambda m, args, out: "other"):
            self.assertEqual(nn.Sequential(layer)(gyre.ones(1)), "other")
        self.assertNotIn("forward", layer.__dict__)

    def test_keyword_arguments(self):
        class Scale(nn.Module):
            def forward(self, x, by=1):
                return x * by

        module, seen = Scale(), []
        module.register_forward_hook(lambda m, args, kwargs, out: seen.append(kwargs), with_kwargs=True)
        handle = module.register_forward_pre_hook(lambda m, args, kwargs: (args, {"by": 3}), with_kwargs=True)
        module.register_forward_pre_hook(lambda m, args: args[0] + 1)
        self.assertEqual(module(gyre.ones(1), by=2).tolist(), [6])
        self.assertEqual(seen, [{"by": 3}])
        handle.remove()
        module.register_forward_pre_hook(lambda m, args, kwargs: 3, with_kwargs=True)
        with self.assertRaisesRegex(TypeError, r"expected None or \(args, kwargs\)"):
            module(gyre.ones(1))

    def test_backward(self):
        def run(m, tensor, grad):
            layer, seen = m.Linear(2, 1), []
            layer.load_state_dict({"weight": tensor([[2.0, 3.0]]), "bias": tensor([0.0])})
            layer.register_full_backward_hook(lambda module, into, out: seen.append(
                [[g.tolist() for g in into if g is not None], [g.tolist() for g in out]]) or tuple(
                    None if g is None else g * 10 for g in into))
            x = tensor([[1.0, 1.0]], requires_grad=True)
            (layer(x) * 2).sum().backward()
            return seen, x.grad.tolist(), layer.weight.grad.tolist()

        self.assertEqual(run(nn, gyre.tensor, gyre.grad), run(torch.nn, torch.tensor, torch.autograd.grad))
        layer, seen = nn.Linear(2, 1), []
        layer.register_full_backward_hook(lambda module, into, out: seen.append(into))
        layer(gyre.ones((1, 2))).sum().backward()
        self.assertEqual(seen, [(None,)])

    def test_copies_have_hooks_of_their_own(self):
        layer, seen = nn.Linear(2, 2), []
        layer.register_forward_hook(lambda m, args, out: seen.append(m))
        for twin in (copy.copy(layer), copy.deepcopy(layer)):
            twin(gyre.ones((1, 2)))
            self.assertIs(seen.pop(), twin)


class Containers(unittest.TestCase):
    def test_lists(self):
        a, b, c = nn.ReLU(), nn.Tanh(), nn.Sigmoid()
        for make, rest in ((lambda *m: nn.Sequential(*m), (nn.GELU(),)), (lambda *m: nn.ModuleList(m), (nn.GELU(),))):
            several = make(a, b)
            several.insert(1, c)
            self.assertEqual([*several], [a, c, b])
            self.assertIs(several.pop(1), c)
            self.assertEqual([*(several + [c])], [a, b, c])
            several += [c]
            del several[0]
            self.assertEqual(([*several], [n for n, _ in several.named_children()]), ([b, c], ["0", "1"]))
            del several[:1]
            self.assertEqual(([*several], c in several, [*reversed(several)]), ([c], True, [c]))
        repeated = nn.Sequential(a, b) * 2
        self.assertEqual(([*repeated], [*(2 * nn.Sequential(a))]), ([a, b, a, b], [a, a]))
        repeated *= 2
        self.assertEqual(len(repeated), 8)
        named = nn.Sequential({"x": a, "y": b})
        self.assertEqual([n for n, _ in named[1:].named_children()], ["y"])

    def test_dicts(self):
        modules = nn.ModuleDict([("a", nn.ReLU()), ("b", nn.Tanh())])
        self.assertEqual(repr(modules.pop("a")), "ReLU()")
        self.assertEqual(list(reversed(modules)), ["b"])
        modules.clear()
        self.assertEqual(len(modules), 0)

    def test_parameters(self):
        several = nn.ParameterList([gyre.ones(2), nn.Parameter(gyre.zeros(1))])
        several.append(gyre.ones(3))
        several[0] = gyre.zeros(4)
        self.assertEqual([tuple(p.shape) for p in several], [(4,), (1,), (3,)])
        self.assertEqual(([n for n, _ in several.named_parameters()], len(several[1:])), (["0", "1", "2"], 2))
        named = nn.ParameterDict({"a": gyre.ones(2)})
        named["b"] = gyre.zeros(1)
        self.assertEqual((named.get("c", 7), named.setdefault("a", gyre.zeros(1)).tolist()), (7, [1, 1]))
        self.assertEqual(named.setdefault("c", gyre.zeros(1)).tolist(), [0])
        self.assertEqual(named.popitem()[0], "c")
        both = named | nn.ParameterDict({"d": gyre.ones(1)})
        named |= {"e": gyre.ones(1)}
        self.assertEqual((both.keys(), named.keys()), (["a", "b", "d"], ["a", "b", "e"]))
        self.assertEqual(named.copy().keys(), ["a", "b", "e"])
        self.assertEqual(named.fromkeys(["x"], gyre.ones(1)).keys(), ["x"])
        self.assertEqual(list(both.state_dict()), ["a", "b", "d"])


class Refused(unittest.TestCase):
    def test_errors(self):
        x = gyre.ones((1, 2, 4, 4))
        for error, words, call in (
                (ValueError, "Conv2d: expected padding_mode zeros, reflect",
                 lambda: nn.Conv2d(1, 2, 3, padding_mode="wrap")),
                (ValueError, "ConvTranspose1d: expected padding_mode zeros, got", lambda: nn.ConvTranspose1d(
                    1, 2, 3, padding_mode="reflect")),
                (ValueError, "Conv1d: expected padding of numbers, same or valid",
                 lambda: nn.Conv1d(1, 2, 3, padding="full")),
                (ValueError, "Conv3d: expected stride 1 with padding", lambda: nn.Conv3d(1, 2, 3, 2, padding="same")),
                (ValueError, "Conv3d: expected groups that divide", lambda: nn.Conv3d(2, 3, 3, groups=2)),
                (ValueError, "ConvTranspose2d: expected an output_size",
                 lambda: nn.ConvTranspose2d(2, 1, 3)(x, (9, 9))),
                (ValueError, r"BatchNorm1d: expected 2 or 3 axes, got \[1, 2, 4, 4\]", lambda: nn.BatchNorm1d(2)(x)),
                (TypeError, r"LSTM: expected a state \(h, c\), got Tensor", lambda: nn.LSTM(4, 4)(x[0], x)),
                (ValueError, "expected proj_size from 0 to below hidden_size", lambda: nn.LSTM(2, 3, proj_size=3)),
                (ValueError, "expected embed_dim divisible by num_heads", lambda: nn.MultiheadAttention(5, 2)),
                (ValueError, "activation: expected relu, gelu or a function",
                 lambda: nn.TransformerEncoderLayer(4, 2, activation="tanh")),
                (TypeError, "encoder_layer: expected a layer to copy, got int", lambda: nn.TransformerEncoder(3, 4)),
                (ValueError, "expected in1_features of 1 or more", lambda: nn.Bilinear(0, 1, 1)),
                (ValueError, "expected increasing cutoffs from 1 to below n_classes 5",
                 lambda: nn.AdaptiveLogSoftmaxWithLoss(4, 5, [3, 2])),
                (ValueError, "Embedding: gyre has no max_norm", lambda: nn.Embedding(2, 2, max_norm=1.0)),
                (ValueError, "EmbeddingBag: gyre has no scale_grad_by_freq",
                 lambda: nn.EmbeddingBag(2, 2, scale_grad_by_freq=True)),
                (IndexError, "ParameterList: index 3 is out of range for 0 members", lambda: nn.ParameterList()[3]),
                (TypeError, "ParameterDict: expected a gyre.nn.Parameter, got int", lambda: nn.ParameterDict({"a": 3})),
                (TypeError, "ParameterList cannot be called", lambda: nn.ParameterList()(3)),
                (ValueError, "pop is a method of ParameterDict", lambda: nn.ParameterDict({"pop": x})),
                (TypeError, "missing a required argument: 'kernel_size'", lambda: nn.MaxPool2d())):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()


if __name__ == "__main__":
    unittest.main()
