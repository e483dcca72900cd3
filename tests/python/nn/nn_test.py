"""gyre.nn: the layers of the table as classes, modules written in Python, their names and lifetimes, and both
compared with PyTorch."""

import collections
import gc
import inspect
import unittest

from common import gyre, needs_packages, numpy, to_torch, torch
from modules import net

if gyre:
    from gyre import nn
    from modules import Tied


def setUpModule():
    needs_packages()


def resident():
    """Resident memory of this process in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


class Checkpointing(unittest.TestCase):
    def test_gradients_are_the_same(self):
        gyre.manual_seed(0)
        model = nn.Sequential(nn.Linear(8, 8), nn.TransformerEncoder(layers=4, width=8, heads=2))
        x, found = gyre.randn((2, 16, 8)), []
        for every in (0, 1, 3):
            model.set_gradient_checkpointing(every)
            model.zero_grad()
            gyre.manual_seed(1)
            (model(x) ** 2).sum().backward()
            found.append([p.grad.numpy().tolist() for p in model.parameters()])
        self.assertEqual(found[1:], [found[0]] * 2)

    def test_refuses_modules_without_layers_and_negative_numbers(self):
        with self.assertRaisesRegex(gyre.UnsupportedError, "has no stack of layers"):
            nn.Linear(2, 2).set_gradient_checkpointing(1)
        with self.assertRaisesRegex(gyre.ValueError, "expected 0 or more layers"):
            nn.TransformerEncoder(width=4).set_gradient_checkpointing(-1)


class Table(unittest.TestCase):
    def options(self, layer):
        return [f["name"] for f in layer._definition.options]

    def test_every_layer_is_a_class(self):
        self.assertGreater(len(nn.layers.classes), 40)
        for name, layer in nn.layers.classes.items():
            with self.subTest(name):
                self.assertIs(getattr(nn, name), layer)
                self.assertTrue(issubclass(layer, nn.Module))
                self.assertIn(name, nn.__all__)
                if not hasattr(torch.nn, name):  # the others have PyTorch's arguments: nn_names_test.py
                    shown = [n for n in inspect.signature(layer).parameters if n not in ("device", "dtype")]
                    self.assertEqual([n.rstrip("_") if n == "in_" else n for n in shown], self.options(layer))
                    for option in layer._definition.options:
                        self.assertIn(option["doc"], layer.__doc__)
                self.assertEqual((layer.__name__, layer.__module__), (name, "gyre.nn"))

    def test_options_by_name_and_by_position_are_the_same(self):
        by_position, by_name = nn.Conv2d(2, 3, 5, 1, 2), nn.Conv2d(in_=2, out=3, kernel=5, stride=(1,), padding=[2])
        keyword = nn.Conv2d(**{"in": 2}, out=3, kernel=(5, 5), padding=2)
        x = gyre.ones((1, 2, 6, 6))
        theirs = nn.Conv2d(in_channels=2, out_channels=3, kernel_size=5, padding=2)
        for layer in (by_position, by_name, keyword, theirs):
            self.assertEqual(layer(x).shape, (1, 3, 6, 6))
            self.assertEqual(layer.options["in"], 2)

    def test_wrong_options_are_refused_and_named(self):
        for error, words, make in (
                (TypeError, "did you mean in", lambda: nn.Linear(inn=3, out=4)),
                (TypeError, "in_ twice", lambda: nn.Linear(3, 4, in_=5)),
                (TypeError, "in_features twice", lambda: nn.Linear(3, 4, in_features=5)),
                (TypeError, "got in twice, also as in_features",
                 lambda: nn.Linear._definition.make({"in": 3, "in_features": 5, "out": 4})),
                (TypeError, "kernel: expected an int or a sequence of ints, got bytes", lambda: nn.Conv2d(2, 3, b"55")),
                (TypeError, "kernel: expected an int or a sequence of ints, got dict", lambda: nn.Conv2d(2, 3, {5: 5})),
                (TypeError, "4 options by position", lambda: nn.Linear(3, 4, True, False)),
                (TypeError, "bias: expected a bool", lambda: nn.Linear(3, 4, bias="no")),
                (TypeError, "no options", lambda: nn.ReLU(x=1)),
                (ValueError, "nonlinearity: expected one of tanh, relu", lambda: nn.RNN(2, 3, nonlinearity="gelu")),
                (gyre.ValueError, "Linear: `in` must be 1 or more", lambda: nn.Linear(0, 4))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                make()

    def test_inputs_by_name_and_several_results(self):
        lstm, x = nn.LSTM(3, 2), gyre.ones((4, 1, 3))
        out, (hidden, cell) = lstm(x)
        self.assertEqual((out.shape, hidden.shape, cell.shape), ((4, 1, 2), (1, 1, 2), (1, 1, 2)))
        again = lstm(x, hx=(hidden, cell))[0]
        self.assertEqual(again.tolist(), lstm(x, hidden, cell)[0].tolist())
        self.assertNotEqual(again.tolist(), out.tolist())
        attention, query = nn.MultiHeadAttention(width=2), gyre.ones((1, 2, 2))
        self.assertEqual(attention(query, value=query).shape, (1, 2, 2))
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'state'"):
            attention(query, state=hidden)
        with self.assertRaisesRegex(TypeError, "got query twice"):
            attention(query, query=query)
        with self.assertRaisesRegex(gyre.ValueError, "1 to 4 input tensors"):
            attention(key=query)

    def test_arrays_of_others_are_inputs(self):
        layer = nn.Linear(3, 2)
        want = layer(gyre.ones((1, 3))).tolist()
        for x in (numpy.ones((1, 3), "f4"), torch.ones(1, 3), [[1.0, 1.0, 1.0]]):
            self.assertEqual(layer(x).tolist(), want)

    def test_a_model_by_its_description(self):
        description = [{"layer": "Linear", "in": 3, "out": 4}, {"layer": "ReLU"},
                       {"layer": "Sequential", "layers": [{"layer": "Linear", "in": 4, "out": 2}]}]
        gyre.manual_seed(3)
        model = nn.make_model(description)
        self.assertEqual([n for n, _ in model.named_parameters()], ["0.weight", "0.bias", "2.0.weight", "2.0.bias"])
        gyre.manual_seed(3)
        by_hand = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Sequential(nn.Linear(4, 2)))
        x = gyre.ones((2, 3))
        self.assertEqual(model(x).tolist(), by_hand(x).tolist())
        self.assertEqual(nn.make_model('{"layer": "Linear", "in": 3, "out": 1}')(x).shape, (2, 1))
        for wrong, words in (([{"layer": "ReLU"}, {"layer": "Linaer"}], r"layers\[1\].*did you mean Linear"),
                             ([[{"layer": "Linear", "inn": 3}]], r"layers\[0\].layers\[0\].*did you mean in"),
                             ({"in": 3}, "layer"), (3, "layer"),
                             ({"layer": "Sequential", "layers": [], "x": 1}, "nothing else")):
            with self.subTest(words), self.assertRaisesRegex(gyre.Error, words):
                nn.make_model(wrong)


class Members(unittest.TestCase):
    def test_attributes_are_gathered_in_order(self):
        model = net()
        names = [name for name, _ in model.named_parameters()]
        self.assertEqual(names, ["scale", "first.weight", "first.bias", "rest.2.weight", "rest.2.bias"])
        self.assertEqual(list(model.state_dict()), names)
        self.assertEqual(model.parameter_count(), 4 + 12 + 4 + 8 + 2)
        self.assertEqual([name for name, _ in model.named_modules()],
                         ["", "first", "rest", "rest.0", "rest.1", "rest.2"])
        self.assertEqual([type(m).__name__ for m in model.children()], ["Linear", "Sequential"])
        self.assertIs(model.get_submodule("rest.2"), model.rest[2])
        with self.assertRaises(AttributeError):
            model.get_submodule("rest.3")

    def test_a_tensor_is_one_object(self):
        model = net()
        everything = dict(model.named_parameters())
        self.assertIs(everything["scale"], model.scale)
        self.assertIs(everything["first.weight"], model.first.weight)
        self.assertIsInstance(model.first.weight, nn.Parameter)
        self.assertIs(model.parameters()[1], everything["first.weight"])
        block = nn.TransformerBlock(width=4, heads=2)
        self.assertIs(block.attn.c_attn, block.attn.c_attn)
        self.assertIs(block.attn.c_attn.weight, dict(block.named_parameters())["attn.c_attn.weight"])
        self.assertIsInstance(block.attn.c_attn, nn.Linear)

    def test_setting_and_deleting(self):
        model = net()
        model.scale = nn.Parameter([1.0, 2.0, 3.0, 4.0])
        self.assertEqual(dict(model.named_parameters())["scale"].tolist(), [1, 2, 3, 4])
        model.scale = None
        self.assertNotIn("scale", model.state_dict())
        model.first = nn.Linear(3, 4, bias=False)
        self.assertNotIn("first.bias", model.state_dict())
        del model.rest
        self.assertEqual(list(model.state_dict()), ["first.weight"])
        for name, value in (("scale", gyre.ones((4,))), ("scale", 3), ("first", gyre.ones((4,)))):
            with self.subTest(name), self.assertRaisesRegex(TypeError, name):
                setattr(model, name, value)
        model.note = gyre.ones((4,))  # an ordinary attribute, not registered
        self.assertEqual(list(model.state_dict()), ["first.weight"])

    def test_buffers(self):
        module, shared = nn.Module(), gyre.zeros((2,))
        module.register_buffer("mean", shared)
        module.mean[0] = 5.0
        self.assertEqual(shared.tolist(), [5, 0])
        self.assertEqual([n for n, _ in module.named_buffers()], ["mean"])
        self.assertEqual(module.named_parameters(), [])
        module.mean = gyre.ones((3,))
        self.assertEqual(module.state_dict()["mean"].tolist(), [1, 1, 1])
        module.register_buffer("none", None)
        self.assertEqual(list(module.state_dict()), ["mean"])
        norm = nn.BatchNorm(3)
        self.assertEqual([n for n, _ in norm.named_buffers()], ["running_mean", "running_var", "num_batches_tracked"])
        self.assertNotIsInstance(norm.running_mean, nn.Parameter)

    def test_what_is_no_member_is_refused(self):
        module = nn.Module()
        for error, words, act in (
                (TypeError, "gyre.Tensor", lambda: module.register_buffer("x", 3)),
                (TypeError, "gyre.nn.Parameter", lambda: module.register_parameter("x", gyre.ones((1,)))),
                (TypeError, "gyre.nn.Module", lambda: module.add_module("x", 3)),
                (ValueError, "without dots", lambda: module.add_module("a.b", nn.ReLU())),
                (ValueError, "without dots", lambda: module.register_buffer("", gyre.ones((1,)))),
                (ValueError, "part of itself", lambda: setattr(module, "own", module)),
                (ValueError, "part of itself", lambda: setattr(module, "own", nn.Sequential(module))),
                (TypeError, "NoneType|without", lambda: setattr(nn.Linear(2, 2), "weight", None)),
                (TypeError, "Tensor", lambda: setattr(nn.Linear(2, 2), "weight", gyre.ones((2, 2)))),
                (TypeError, "created without it", lambda: setattr(nn.Linear(2, 2, False), "bias", nn.Parameter([1.0, 2]))),
                (ValueError, r"\(2, 2\), got \(3,\)", lambda: setattr(nn.Linear(2, 2), "weight",
                                                                      nn.Parameter([1.0, 2, 3]))),
                (TypeError, "cannot be replaced", lambda: setattr(nn.MLP(4), "c_fc", nn.Linear(4, 16))),
                (TypeError, "cannot add extra to Linear", lambda: setattr(nn.MLP(4).c_fc, "extra", nn.ReLU())),
                (AttributeError, "has no attribute nothing", lambda: nn.Linear(2, 2).nothing),
                (TypeError, "expected a gyre.nn.Module", lambda: nn.functional_call(nn.Sequential, {}, ()))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()

    def test_the_beginning_must_be_called(self):
        class Forgetful(nn.Module):
            def __init__(self):
                self.layer = nn.ReLU()

        with self.assertRaisesRegex(TypeError, r"super\(\).__init__"):
            Forgetful()

        class Late(nn.Module):
            def __init__(self):
                pass

        with self.assertRaisesRegex(TypeError, r"super\(\).__init__"):
            Late().state_dict()
        self.assertEqual((repr(Late()), repr(nn.Linear.__new__(nn.Linear))), ("Late()", "Linear()"))
        for ask in (nn.Module()._core_training, lambda: nn.Module()._train_core(True)):
            with self.assertRaisesRegex(TypeError, "not a C"):
                ask()
        with self.assertRaisesRegex(NotImplementedError, "Module does not define forward"):
            nn.Module()(1)

    def test_modes_reach_everything(self):
        class Frozen(nn.Module):
            def __init__(self):
                super().__init__()
                self.norm = nn.BatchNorm(2)

            def train(self, mode=True):
                super().train(mode)
                self.norm.eval()
                return self

        model = nn.Sequential(Frozen(), nn.TransformerBlock(width=4, heads=2, dropout=0.5))
        self.assertTrue(model[1].attn.dropout.training)
        self.assertIs(model.eval(), model)
        self.assertFalse(any(m.training for m in model.modules()))
        model.train()
        self.assertEqual([m.training for m in model.modules()][:3], [True, True, False])
        self.assertTrue(model[1].attn.dropout.training)
        model[1].attn.dropout.eval()
        self.assertTrue(model[1].mlp.dropout.training)
        self.assertFalse(model[1].attn.dropout.training)

    def test_dtypes_and_gradients(self):
        model = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm(3))
        self.assertIs(model.to(gyre.bf16), model)
        self.assertEqual({p.dtype for p in model.parameters()}, {gyre.bf16})
        self.assertEqual(model[1].running_mean.dtype, gyre.f32)
        model.to("f64").requires_grad_(False)
        self.assertEqual(model[1].running_mean.dtype, gyre.f64)
        self.assertFalse(any(p.requires_grad for p in model.parameters()))
        model.requires_grad_()
        model(gyre.tensor([[1.0, 2.0], [3.0, 5.0]], dtype="f64")).sum().backward()
        self.assertTrue(all(p.grad is not None for p in model.parameters()))
        model.zero_grad()
        self.assertTrue(all(p.grad is None for p in model.parameters()))

    def test_parameters_of_python_keep_their_object_when_cast(self):
        module, p = nn.Module(), nn.Parameter([1.0, 2.0])
        module.p = p
        module.to("f64")
        self.assertIs(module.p, p)
        self.assertEqual(p.dtype, gyre.f64)
        self.assertIs(module.parameters()[0], p)

    def test_a_parameter_shares_the_memory_of_a_tensor(self):
        t = gyre.ones((2, 3))
        self.assertEqual(nn.Parameter(t).data_ptr(), t.data_ptr())
        self.assertTrue(nn.Parameter(t).is_leaf and nn.Parameter(t).requires_grad and not t.requires_grad)
        self.assertNotEqual(nn.Parameter(t.T).data_ptr(), t.data_ptr())  # optimiser steps need contiguous memory
        a = numpy.ones(3)
        p = nn.Parameter(a)
        a[0] = 7
        self.assertEqual((p.tolist(), p.dtype), ([1, 1, 1], gyre.f64))
        self.assertEqual(nn.Parameter(2.0).dtype, gyre.f32)
        self.assertFalse(nn.Parameter(t, requires_grad=False).requires_grad)
        with self.assertRaises(gyre.DTypeError):
            nn.Parameter([1, 2])

    def test_apply_and_text(self):
        model, seen = net(), []
        self.assertIs(model.apply(lambda m: seen.append(type(m).__name__)), model)
        self.assertEqual(seen, ["Linear", "ReLU", "Dropout", "Linear", "Sequential", "Net"])
        self.assertEqual(repr(model), "Net(\n  (first): Linear(in_=3, out=4)\n  (rest): Sequential(\n"
                         "    (0): ReLU()\n    (1): Dropout(p=0.25)\n    (2): Linear(in_=4, out=2)\n  )\n)")
        self.assertIn("(c_fc): Linear(weight=[16, 4], bias=[16])", repr(nn.MLP(4)))
        self.assertIn("weight", dir(nn.Linear(1, 1)))

    def test_containers(self):
        chain = nn.Sequential(nn.Linear(2, 3), nn.ReLU())
        self.assertEqual(len(chain.append(nn.Linear(3, 1))), 3)
        self.assertEqual(chain[1:](gyre.ones((1, 3))).shape, (1, 1))
        self.assertIs(chain[-1], chain[2])
        named = nn.Sequential({"a": nn.Linear(2, 3), "b": nn.ReLU()})
        self.assertEqual(list(named.state_dict()), ["a.weight", "a.bias"])
        several = nn.ModuleList(nn.Linear(2, 2) for _ in range(3)).extend([nn.ReLU()])
        self.assertEqual([type(m).__name__ for m in several], ["Linear"] * 3 + ["ReLU"])
        several[3] = nn.GELU()
        self.assertEqual(type(several[3]).__name__, "GELU")
        self.assertEqual(len(several[:2]), 2)
        by_name = nn.ModuleDict({"x": nn.Linear(1, 1)})
        by_name["y"] = nn.ReLU()
        self.assertEqual((by_name.keys(), len(by_name), "y" in by_name), (["x", "y"], 2, True))
        del by_name["x"]
        self.assertEqual(list(by_name), ["y"])
        self.assertIs(by_name.items()[0][1], by_name.values()[0])
        for error, act in ((IndexError, lambda: several[9]), (KeyError, lambda: by_name["x"]),
                           (TypeError, lambda: several.append(3)), (TypeError, lambda: by_name.update({"z": 3})),
                           (ValueError, lambda: by_name.update({"keys": nn.ReLU()})),
                           (KeyError, lambda: by_name.__delitem__("x"))):
            with self.assertRaises(error):
                act()


class Weights(unittest.TestCase):
    def test_a_seed_decides(self):
        first, again, other = net(5), net(5), net(6)
        self.assertEqual(first.first.weight.tolist(), again.first.weight.tolist())
        self.assertNotEqual(first.first.weight.tolist(), other.first.weight.tolist())

    def test_beginnings(self):
        gyre.manual_seed(1)
        for name in nn.init.__all__:
            if name + "_" not in nn.init.__all__ or name in ("uniform", "trunc_normal"):  # in place as in PyTorch
                continue
            arguments = (3.0,) if name == "constant" else ()
            with self.subTest(name):
                gyre.manual_seed(1)
                p = getattr(nn.init, name)((4, 3), *arguments)
                self.assertIsInstance(p, nn.Parameter)
                self.assertTrue(p.requires_grad)
                target = nn.Linear(3, 4).weight
                gyre.manual_seed(1)
                self.assertIs(getattr(nn.init, name + "_")(target, *arguments), target)
                self.assertEqual(target.tolist(), p.tolist())
                self.assertTrue(target.requires_grad and target.is_leaf)
        q = nn.init.orthogonal((3, 3)).detach()
        self.assertTrue(numpy.allclose((q @ q.T).numpy(), numpy.eye(3), atol=1e-6))
        self.assertEqual(nn.init.constant((2,), 1.5).tolist(), [1.5, 1.5])
        with self.assertRaises(TypeError):
            nn.init.normal_(3)

    def test_states_are_loaded_and_refused(self):
        model, other = net(1), net(2)
        model.load_state_dict(other.state_dict())
        self.assertEqual(model.first.weight.tolist(), other.first.weight.tolist())
        model.load_state_dict({k: v.numpy() * 2 for k, v in other.state_dict().items()})
        self.assertEqual(model.scale.tolist(), [2] * 4)
        before = {k: v.tolist() for k, v in model.state_dict().items()}
        state = other.state_dict()
        missing = {k: v for k, v in state.items() if k != "scale"}
        for error, words, given, strict in (
                (gyre.ValueError, "missing: scale; unknown: more$", {**missing, "more": state["scale"]}, True),
                (gyre.ShapeError, r": scale is \[4\] in the module but \[2\] in the state$", {"scale": [1.0, 2.0], "more": 1.0}, False),
                (gyre.ValueError, r"unknown: more; scale is \[4\] in the module but \[3\]", {
                    **state, "more": state["scale"], "scale": [1.0, 2.0, 3.0]}, True),
                (gyre.ShapeError, r"scale is \[4\] in the module but \[2\]", {**state, "scale": [1.0, 2.0]}, True),
                (TypeError, "", 3, True)):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                model.load_state_dict(given, strict=strict)
            self.assertEqual({k: v.tolist() for k, v in model.state_dict().items()}, before)
        self.assertEqual(model.load_state_dict({"scale": [2.0] * 4, "more": 1.0}, strict=False),
                         ([name for name in state if name != "scale"], ["more"]))
        self.assertEqual({k: v.tolist() for k, v in model.state_dict().items()}, {**before, "scale": [2] * 4})

    def test_state_dicts_share_memory(self):
        model = net()
        model.state_dict()["first.bias"].numpy()[:] = 7
        self.assertEqual(model.first.bias.tolist(), [7] * 4)

    def test_tied_weights_are_one(self):
        model = Tied()
        self.assertEqual(list(model.state_dict()), ["table.weight"])
        self.assertIs(model.head.weight, model.table.weight)
        model(gyre.tensor([[1, 2]])).sum().backward()
        self.assertIs(model.head.weight.grad is None, False)
        model.to("f64")
        self.assertIs(model.head.weight, model.table.weight)
        self.assertEqual(model.parameters()[0].dtype, gyre.f64)


class ValueAndGrad(unittest.TestCase):
    def test_gradients_by_name(self):
        model, x = net().eval(), gyre.tensor([[1.0, -2.0, 3.0]])
        model.first.bias.requires_grad_(False)
        (loss, out), gradients = nn.value_and_grad(model, lambda x, scale: ((y := model(x)).square().sum() * scale, y))(
            x, scale=2)
        self.assertTrue(all(p.grad is None for p in model.parameters()))
        self.assertEqual(out.tolist(), model(x).tolist())
        again = model(x).square().sum() * 2
        self.assertEqual(loss.item(), again.item())
        (listed, _), same = nn.value_and_grad(model, lambda x: [model(x).square().sum() * 2, None])(x)
        self.assertEqual(listed.item(), loss.item())
        self.assertEqual({k: g.tolist() for k, g in same.items()}, {k: g.tolist() for k, g in gradients.items()})
        again.backward()
        wanted = {name: p.grad.tolist() for name, p in model.named_parameters() if p.grad is not None}
        self.assertEqual({name: g.tolist() for name, g in gradients.items()}, wanted)
        self.assertNotIn("first.bias", gradients)
        self.assertIn("first.weight", gradients)

    def test_what_is_no_loss_is_refused(self):
        model, x = nn.Linear(2, 2), gyre.ones((1, 2))
        for error, words, call in (
                (TypeError, "expected a gyre.nn.Module", lambda: nn.value_and_grad(nn.Linear, abs)),
                (TypeError, "returns a loss tensor, got float", lambda: nn.value_and_grad(model, lambda: 1.0)()),
                (gyre.ValueError, "one element", lambda: nn.value_and_grad(model, model)(x))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                call()


class Functional(unittest.TestCase):
    def test_other_tensors_in_the_place_of_its_own(self):
        model = net().eval()
        x, before = gyre.ones((2, 3)), net().eval()
        mine = {k: v.clone() * 2 for k, v in model.state_dict().items()}
        other = net(4).eval()
        other.load_state_dict(mine)
        got = nn.functional_call(model, mine, (x,))
        self.assertEqual(got.tolist(), other(x).tolist())
        self.assertEqual(nn.functional_call(model, mine, x).tolist(), got.tolist())
        self.assertEqual(nn.functional_call(model, mine, (), {"x": x}).tolist(), got.tolist())
        self.assertEqual(model(x).tolist(), before(x).tolist())
        some = nn.functional_call(model, {"scale": gyre.zeros((4,))}, (x,))
        self.assertEqual(some[0].tolist(), some[1].tolist())

    def test_parameters_that_are_lent_stay_those_of_their_module(self):
        class Scale(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter(gyre.ones(2))

            def forward(self, after=lambda: None):
                after()
                return self.w.sum()

        a, b = Scale(), Scale()
        seen = []

        def look():
            seen.extend(b.parameters())

        nn.functional_call(a, {"w": b.w}, (look,))
        self.assertIs(seen[0], b.w)
        left, other = a.w, nn.Parameter(gyre.ones(2))
        nn.functional_call(a, {"w": gyre.zeros(2)}, (lambda: setattr(a, "w", other),))
        self.assertIs(a.w, other)
        del a.w
        a.w = left
        for _ in range(200):  # tensors may be allocated at addresses of freed ones
            new = Scale()
            nn.functional_call(a, {"w": new.w}, ())
            self.assertIs(new.parameters()[0], new.w)
        for module in (a, b, a.to("f64"), b.to("f64")):
            self.assertIs(module.parameters()[0], module.w)

    def test_gradients_by_what_was_given(self):
        model = net().eval()
        x = gyre.tensor([[1.0, -2.0, 3.0]])
        names = list(model.state_dict())

        def loss(*tensors):
            return nn.functional_call(model, dict(zip(names, tensors)), (x,)).square().sum()

        values = [t.clone() for t in model.state_dict().values()]
        grads = gyre.func.grad(loss, argnums=tuple(range(len(names))))(*values)
        self.assertTrue(all(p.grad is None for p in model.parameters()))
        model(x).square().sum().backward()
        for (name, p), g in zip(model.named_parameters(), grads):
            self.assertEqual(p.grad.tolist(), g.tolist(), name)

    def test_tied_weights_are_replaced_under_all_names(self):
        model, tokens = Tied(), gyre.tensor([[1, 2, 0]])
        table = gyre.ones((5, 3))
        self.assertEqual(nn.functional_call(model, {"table.weight": table}, (tokens,)).tolist(), [[[3.0] * 5] * 3])
        self.assertEqual(nn.functional_call(model, {"head.weight": table}, (tokens,)).tolist(), [[[3.0] * 5] * 3])
        both = nn.functional_call(model, {"table.weight": table, "head.weight": table * 2}, (tokens,))
        self.assertEqual(both.tolist(), [[[6.0] * 5] * 3])
        self.assertIs(model.head.weight, model.table.weight)

    def test_errors_put_everything_back(self):
        model = net()
        weight, scale = model.first.weight, model.scale
        before = weight.tolist()
        with self.assertRaisesRegex(gyre.ValueError, "unknown tensor first.wieght; did you mean first.weight"):
            nn.functional_call(model, {"first.wieght": gyre.ones((4, 3))}, (gyre.ones((1, 3)),))
        with self.assertRaises(gyre.ShapeError):
            nn.functional_call(model, {"first.weight": gyre.ones((4, 2)), "scale": gyre.ones((4,))},
                               (gyre.ones((1, 3)),))
        with self.assertRaises(TypeError):
            nn.functional_call(model, {"scale": "no"}, (gyre.ones((1, 3)),))
        self.assertIs(model.first.weight, weight)
        self.assertIs(model.scale, scale)
        self.assertEqual(weight.tolist(), before)

    def test_forward_may_change_the_module(self):
        class Counting(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("seen", gyre.zeros(()))
                self.p = nn.Parameter([1.0])

            def forward(self, x):
                self.seen = self.seen + 1
                del self.p
                self.p = nn.Parameter([5.0])
                gc.collect()
                return x * self.p

        model = Counting()
        got = nn.functional_call(model, {"p": gyre.zeros((1,)), "seen": gyre.full((), 4.0)}, (gyre.ones((1,)),))
        self.assertEqual((got.item(), model.seen.item(), model.p.item()), (5, 5, 5))

    def test_a_checkpoint_inside_runs_again_with_what_was_lent(self):
        class Wave(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter([2.0])

            def forward(self, x):
                return gyre.checkpoint(lambda x: gyre.checkpoint(lambda x: (x * self.w).sin(), x) + self.w, x)

        model, x = Wave(), gyre.tensor([1.0], requires_grad=True)
        w = gyre.tensor([3.0], requires_grad=True)
        want = gyre.grad((x * w).sin() + w, [x, w])
        got = gyre.grad(nn.functional_call(model, {"w": w}, (x,)), [x, w])
        self.assertEqual([g.item() for g in got], [g.item() for g in want])
        constant = nn.functional_call(model, {"w": w.detach()}, (x,))
        self.assertEqual(gyre.grad(constant, x)[0].item(), want[0].item())
        y = nn.functional_call(model, {"w": w}, (x,))
        model = None  # the graph keeps what it needs
        gc.collect()
        self.assertEqual(gyre.grad(y, x)[0].item(), want[0].item())

    def test_results_outlive_the_lending(self):
        Pair = collections.namedtuple("Pair", "a b")

        class Given(nn.Module):
            def __init__(self):
                super().__init__()
                self.w, self.v = nn.Parameter([1.0]), nn.Parameter([2.0])
                self.register_buffer("seen", gyre.ones((1,)))

            def forward(self):
                return self.w, [self.w, {"w": self.w}], Pair(self.w, 1), self.v, self.seen

        model = Given()
        w, several, pair, v, seen = nn.functional_call(model, {"w": gyre.zeros((1,)), "seen": gyre.zeros((1,))}, ())
        self.assertEqual([t.item() for t in (w, several[0], several[1]["w"], pair.a, v, seen)], [0, 0, 0, 0, 2, 0])
        self.assertIsInstance(pair, Pair)
        self.assertIs(v, model.v)
        self.assertEqual((model.w.item(), model.seen.item()), (1, 1))

    def test_what_forward_raises_comes_out(self):
        class Failing(nn.Module):
            def forward(self, x):
                raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            Failing()(1)
        with self.assertRaisesRegex(KeyError, "mine"):
            nn.functional_call(Failing(), {}, (1,))


class Lifetime(unittest.TestCase):
    def test_parts_outlive_the_whole(self):
        weight, part = nn.Linear(3, 4).weight, nn.TransformerBlock(width=4, heads=2).mlp.c_fc
        gc.collect()
        self.assertEqual((weight.shape, part(gyre.ones((1, 4))).shape), ((4, 3), (1, 16)))

    def test_ten_thousand_models_leave_nothing(self):
        def some(count):
            for _ in range(count):
                model = nn.Sequential(net(), nn.MLP(4))
                model.cycle = [model]
                model.state_dict()
                nn.functional_call(model[0], {"scale": gyre.ones((4,))}, (gyre.ones((1, 3)),)).sum().backward()
            del model
            gc.collect()

        some(1000)
        tensors, memory = gyre.live_tensors(), resident()
        some(10000)
        self.assertEqual(gyre.live_tensors(), tensors)
        self.assertLess(resident() - memory, 4 << 20)


class BesideTorch(unittest.TestCase):
    """Layers with PyTorch's weights have the same outputs and gradients, in f64."""

    def pairs(self):
        return [
            (nn.Linear(3, 4), torch.nn.Linear(3, 4), (2, 3)),
            (nn.Conv2d(2, 3, 3, padding=1), torch.nn.Conv2d(2, 3, 3, padding=1), (2, 2, 5, 4)),
            (nn.Conv1d(2, 4, 3, stride=2, groups=2), torch.nn.Conv1d(2, 4, 3, stride=2, groups=2), (2, 2, 7)),
            (nn.ConvTranspose2d(2, 3, 3, stride=2), torch.nn.ConvTranspose2d(2, 3, 3, stride=2), (1, 2, 3, 3)),
            (nn.LayerNorm(4), torch.nn.LayerNorm(4), (3, 4)),
            (nn.RMSNorm(4), torch.nn.RMSNorm(4, eps=nn.RMSNorm(4).options["eps"]), (3, 4)),
            (nn.GroupNorm(2, 4), torch.nn.GroupNorm(2, 4), (2, 4, 3)),
            (nn.BatchNorm(3), torch.nn.BatchNorm1d(3), (5, 3)),
            (nn.LSTM(3, 2, 2, bidirectional=True), torch.nn.LSTM(3, 2, 2, bidirectional=True), (4, 2, 3)),
            (nn.GRU(3, 2), torch.nn.GRU(3, 2), (4, 2, 3)),
            (nn.RNN(3, 2, nonlinearity="relu"), torch.nn.RNN(3, 2, nonlinearity="relu"), (4, 2, 3)),
        ]

    def first(self, result):
        return result[0] if isinstance(result, tuple) else result

    def test_outputs_and_gradients(self):
        torch.manual_seed(1)
        for ours, theirs, shape in self.pairs():
            with self.subTest(type(ours).__name__):
                ours.to("f64")
                theirs.double()
                self.assertEqual(list(ours.state_dict()), list(theirs.state_dict()))
                ours.load_state_dict(theirs.state_dict())
                x = torch.randn(shape, dtype=torch.float64, requires_grad=True)
                mine = gyre.tensor(x.detach().numpy(), requires_grad=True)
                want, got = self.first(theirs(x)), self.first(ours(mine))
                cotangent = torch.randn_like(want)
                want.backward(cotangent)
                got.backward(gyre.from_torch(cotangent))
                torch.testing.assert_close(to_torch(got), want.detach(), rtol=1e-12, atol=1e-12)
                torch.testing.assert_close(to_torch(mine.grad), x.grad, rtol=1e-12, atol=1e-12)
                for (name, p), q in zip(ours.named_parameters(), theirs.parameters()):
                    torch.testing.assert_close(to_torch(p.grad), q.grad, rtol=1e-12, atol=1e-12, msg=name)
                for name, b in ours.named_buffers():
                    torch.testing.assert_close(to_torch(b), dict(theirs.named_buffers())[name])


if __name__ == "__main__":
    unittest.main()
