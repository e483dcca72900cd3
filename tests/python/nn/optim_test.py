"""gyre.optim: the optimisers of the table as classes, compared with PyTorch; groups, states, schedules,
clipping, EMA, loss scaling."""

import copy
import gc
import inspect
import math
import pickle
import unittest
import warnings

from common import gyre, needs_packages, to_torch, torch

if gyre:
    from gyre import nn, optim


def setUpModule():
    needs_packages()


def classes():
    return [getattr(optim, d.class_name) for d in optim._optim.optimizers]


def model(dtype="f64"):
    gyre.manual_seed(2)
    return nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2)).to(dtype)


def set_gradients(parameters, step):
    for i, p in enumerate(parameters):
        p.grad = gyre.sin(gyre.arange(p.size, dtype=p.dtype) * (1.3 + i) + step).reshape(p.shape)


def numbers(parameters):
    return [p.detach().tolist() for p in parameters]


class Table(unittest.TestCase):
    def test_every_optimiser_is_a_class(self):
        self.assertGreaterEqual(len(classes()), 4)
        for cls in classes():
            with self.subTest(cls.__name__):
                self.assertIn(cls.__name__, optim.__all__)
                options = [f["name"] for f in cls._definition.options]
                self.assertEqual(list(inspect.signature(cls).parameters), ["params", *options])
                for field in cls._definition.options:
                    self.assertIn(field["doc"], cls.__doc__)
                p = nn.Parameter([1.0, -2.0])
                optimizer = cls([p], lr=0.5)
                p.grad = gyre.ones((2,))
                optimizer.step()
                self.assertNotEqual(p.tolist(), [1, -2])
                self.assertIn(f"{cls.__name__} (\nParameter Group 0: 1 parameter, 2 elements\n    lr: 0.5\n", repr(optimizer))

    def test_one_tensor_and_generators_of_them(self):
        net = model()
        self.assertEqual(len(optim.SGD(net.parameters()[0]).param_groups[0]["params"]), 1)
        self.assertEqual(len(optim.SGD(p for p in net.parameters()).param_groups[0]["params"]), 4)

    def test_what_makes_no_sense_is_refused(self):
        p = nn.Parameter([1.0])
        for error, words, make in (
                (gyre.ValueError, "`lr` must be 0 or more", lambda: optim.SGD([p], lr=-1.0)),
                (gyre.ValueError, "no parameters", lambda: optim.SGD([])),
                (gyre.ValueError, "is the same as parameter 0", lambda: optim.SGD([p, p])),
                (gyre.ValueError, "not a leaf", lambda: optim.SGD([p * 2])),
                (TypeError, "did you mean momentum", lambda: optim.SGD([p], momentun=0.5)),
                (TypeError, "lr: expected a number", lambda: optim.SGD([p], lr="fast")),
                (TypeError, "expected a gyre.Tensor as parameter, got int", lambda: optim.SGD([3])),
                (TypeError, "all dicts", lambda: optim.SGD([p, {"params": [p]}])),
                (ValueError, "dict with \"params\"", lambda: optim.SGD([p]).add_param_group({"lr": 1.0})),
                (TypeError, "no option clipp", lambda: optim.SGD([p]).step(clipp=1.0)),
                (gyre.ValueError, "must be 0 or more", lambda: setattr(optim.SGD([p]), "lr", -1.0)),
                (ValueError, "skip, raise, zero, apply", lambda: optim.clip_grad_norm([p], 1.0, "never")),
                (gyre.ValueError, "max_norm", lambda: optim.clip_grad_norm([p], 0.0))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                make()


class BesideTorch(unittest.TestCase):
    def compare(self, ours, theirs, options, torch_options, dtype="f64", steps=6):
        net = model(dtype)
        mine = net.parameters()
        others = [to_torch(p).requires_grad_() for p in mine]
        a, b = ours(mine, **options), theirs(others, **torch_options)
        for step in range(steps):
            set_gradients(mine, step)
            for p, q in zip(mine, others):
                q.grad = to_torch(p.grad)
            a.step()
            b.step()
        bound = 1e-12 if dtype == "f64" else 1e-6
        for p, q in zip(mine, others):
            torch.testing.assert_close(to_torch(p), q.detach(), rtol=bound, atol=bound)

    def test_muon_is_that_of_torch(self):
        """Of one matrix. PyTorch's Newton-Schulz iterations are in bf16, whose rounding is the bound."""
        torch.manual_seed(3)
        for adjust, factor in (("original", lambda r, c: max(1, r / c) ** 0.5),
                               ("match_rms_adamw", lambda r, c: 0.2 * max(r, c) ** 0.5)):
            for shape in ((24, 40), (40, 24), (16, 16)):
                start = torch.randn(shape)
                mine, theirs = nn.Parameter(start.tolist()), start.clone().requires_grad_()
                a = optim.Muon([mine], lr=0.02, weight_decay=0.1, momentum_warmup=0, adjust_lr=adjust)
                b = torch.optim.Muon([theirs], lr=0.02, weight_decay=0.1, adjust_lr_fn=adjust)
                for _ in range(4):
                    theirs.grad = torch.randn(shape)
                    mine.grad = gyre.tensor(theirs.grad.tolist())
                    a.step()
                    b.step()
                difference = (to_torch(mine).detach() - theirs.detach()).abs().max().item()
                moved = (theirs.detach() - start).abs().max().item()
                self.assertLess(difference, 4 * 0.02 * factor(*shape) * 0.05, (adjust, shape))
                self.assertGreater(moved, 0.02)

    def test_steps_are_those_of_torch(self):
        t = torch.optim
        for ours, theirs, options, torch_options in (
                (optim.SGD, t.SGD, {"lr": 0.1}, None),
                (optim.SGD, t.SGD, {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.1}, None),
                (optim.SGD, t.SGD, {"lr": 0.1, "momentum": 0.5, "dampening": 0.25}, None),
                (optim.SGD, t.SGD, {"lr": 0.1, "momentum": 0.9, "nesterov": True}, None),
                (optim.Adam, t.Adam, {"lr": 0.01, "weight_decay": 0.1}, None),
                (optim.Adam, t.Adam, {"lr": 0.01, "amsgrad": True}, None),
                (optim.AdamW, t.AdamW, {}, None),
                (optim.AdamW, t.AdamW, {"lr": 0.01, "beta1": 0.8, "beta2": 0.9, "eps": 1e-6, "amsgrad": True},
                 {"lr": 0.01, "betas": (0.8, 0.9), "eps": 1e-6, "amsgrad": True})):
            for dtype in ("f64", "f32"):
                with self.subTest(ours.__name__, options=options, dtype=dtype):
                    self.compare(ours, theirs, options, torch_options or options, dtype)

    def test_training_goes_as_in_torch(self):
        net = model()
        other = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2)).double()
        other.load_state_dict({k: to_torch(v) for k, v in net.state_dict().items()})
        a, b = optim.AdamW(net.parameters(), lr=0.05), torch.optim.AdamW(other.parameters(), lr=0.05)
        x, y = torch.randn(8, 3, dtype=torch.float64), torch.randint(2, (8,))
        for _ in range(10):
            a.zero_grad()
            b.zero_grad()
            loss = gyre.cross_entropy(net(x), y)
            want = torch.nn.functional.cross_entropy(other(x), y)
            self.assertAlmostEqual(loss.item(), want.item(), delta=1e-10)
            loss.backward()
            want.backward()
            self.assertAlmostEqual(a.step(clip=0.3).gradient_norm,
                                   torch.nn.utils.clip_grad_norm_(other.parameters(), 0.3).item(), delta=1e-6)
            b.step()

    def test_clipping(self):
        net = model()
        for bound in (0.5, 1000.0):
            set_gradients(net.parameters(), 1)
            others = [to_torch(p).requires_grad_() for p in net.parameters()]
            for p, q in zip(net.parameters(), others):
                q.grad = to_torch(p.grad)
            want = torch.nn.utils.clip_grad_norm_(others, bound).item()
            self.assertAlmostEqual(optim.clip_grad_norm(net.parameters(), bound), want, delta=1e-9)
            for p, q in zip(net.parameters(), others):
                torch.testing.assert_close(to_torch(p.grad), q.grad, rtol=1e-5, atol=1e-7)

    def test_schedules_are_those_of_torch(self):
        p = torch.nn.Parameter(torch.zeros(1))
        s = torch.optim.lr_scheduler
        for ours, theirs in (
                (optim.schedules.cosine(lr=0.1, steps=10, min_lr=0.01), lambda o: s.CosineAnnealingLR(o, 10, 0.01)),
                (optim.schedules.step(lr=0.1, gamma=0.5, every=3), lambda o: s.StepLR(o, 3, 0.5)),
                (optim.Schedule(kind="exponential", lr=0.1, gamma=0.9, every=1), lambda o: s.ExponentialLR(o, 0.9)),
                (optim.schedules.linear(lr=0.1, steps=10), lambda o: s.LinearLR(o, 1.0, 1e-300, 10)),
                (optim.schedules.constant(lr=0.1), lambda o: s.ConstantLR(o, 1.0))):
            optimizer = torch.optim.SGD([p], lr=0.1)
            schedule = theirs(optimizer)
            for step in range(10):
                self.assertAlmostEqual(ours(step), optimizer.param_groups[0]["lr"], delta=1e-12, msg=repr(ours))
                optimizer.step()
                schedule.step()


class Groups(unittest.TestCase):
    def test_options_of_groups(self):
        net = model()
        optimizer = optim.AdamW([{"params": net[0].parameters(), "lr": 0.5, "weight_decay": 0.0},
                                 {"params": net[2].weight}], lr=0.25)
        optimizer.add_param_group({"params": [net[2].bias], "beta1": 0.5})
        groups = optimizer.param_groups
        self.assertEqual([g["lr"] for g in groups], [0.5, 0.25, 0.25])
        self.assertEqual([g["beta1"] for g in groups], [0.9, 0.9, 0.5])
        self.assertEqual([len(g["params"]) for g in groups], [2, 1, 1])
        self.assertIs(groups[1]["params"][0], net[2].weight)
        for g in groups:
            g["lr"] *= 0.5
        self.assertEqual([g["lr"] for g in optimizer.param_groups], [0.25, 0.125, 0.125])
        self.assertEqual(optimizer.lr, 0.25)
        optimizer.lr = 0.75
        self.assertEqual([g["lr"] for g in groups], [0.75] * 3)
        self.assertEqual(list(groups[0])[:2], ["params", "lr"])
        self.assertEqual(len(groups[0]), 1 + len(optim.AdamW._definition.options))
        self.assertIn("2 parameters", repr(groups[0]))
        for error, act in ((gyre.ValueError, lambda: groups[0].update(lr=-1.0)),
                           (TypeError, lambda: groups[0].update(wieght_decay=1.0)),
                           (TypeError, lambda: groups[0].update(params=[])),
                           (TypeError, lambda: groups[0].pop("lr"))):
            with self.assertRaises(error):
                act()
        self.assertEqual([g["lr"] for g in groups], [0.75] * 3)

    def test_a_group_steps_by_its_options(self):
        a, b = nn.Parameter([1.0]), nn.Parameter([1.0])
        optimizer = optim.SGD([{"params": [a]}, {"params": [b], "lr": 0.5}], lr=0.25)
        a.grad = b.grad = gyre.ones((1,))
        optimizer.step(scale=0.5)
        self.assertEqual((a.item(), b.item()), (0.875, 0.75))
        for wrong in ({"clip": -1.0}, {"clip": math.nan}, {"scale": 0.0}, {"scale": -1.0}):
            with self.assertRaises(gyre.ValueError, msg=wrong):
                optimizer.step(**wrong)
        self.assertEqual((a.item(), b.item()), (0.875, 0.75))


class AsInPyTorch(unittest.TestCase):
    def test_groups_keep_further_items(self):
        a, b = nn.Parameter([1.0]), nn.Parameter([1.0])
        optimizer = optim.SGD([{"params": [a], "name": "head"}, {"params": [b]}], lr=0.5)
        first, second = optimizer.param_groups
        second["lr_scale"] = 0.1
        self.assertEqual(first.setdefault("initial_lr", first["lr"]), 0.5)
        self.assertEqual((first["name"], second["lr_scale"], first["initial_lr"]), ("head", 0.1, 0.5))
        self.assertEqual(second.get("name"), None)
        self.assertEqual((list(second)[-1], len(second)), ("lr_scale", 2 + len(optim.SGD._definition.options)))
        self.assertIn("'name': 'head'", repr(first))
        state = optimizer.state_dict()
        other = optim.SGD([{"params": [a]}, {"params": [b], "name": "replaced"}])
        other.load_state_dict(state)
        self.assertEqual([dict(g) for g in other.param_groups], [dict(g) for g in optimizer.param_groups])
        del first["name"]
        self.assertNotIn("name", optimizer.param_groups[0])
        for error, words, act in ((KeyError, "name",
                                   lambda: first.pop("name")), (KeyError, "name", lambda: first["name"]),
                                  (KeyError, "x", lambda: first.__delitem__("x")),
                                  (TypeError, "option lr cannot be removed", lambda: first.__delitem__("lr")),
                                  (TypeError, "no option momentun; did you mean momentum",
                                   lambda: first.update(momentun=1)),
                                  (TypeError, "did you mean weight_decay",
                                   lambda: optim.SGD([{"params": [a], "weight_dcay": 1}]))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()

    def test_betas(self):
        p = nn.Parameter([1.0])
        optimizer = optim.AdamW([{"params": [p], "betas": [0.5, 0.75]}], betas=(0.8, 0.95))
        optimizer.add_param_group({"params": [nn.Parameter([2.0])]})
        self.assertEqual([g["betas"] for g in optimizer.param_groups], [(0.5, 0.75), (0.8, 0.95)])
        optimizer.param_groups[1]["betas"] = (0.25, 0.5)
        self.assertEqual((optimizer.param_groups[1]["beta1"], optimizer.param_groups[1]["beta2"]), (0.25, 0.5))
        self.assertEqual((optimizer.defaults["betas"], optimizer.defaults["eps"]), ((0.8, 0.95), 1e-8))
        by_place = optim.Adam([p], 0.1, (0.5, 0.75), 1e-6)
        self.assertEqual((by_place.defaults["lr"], by_place.defaults["beta2"], by_place.defaults["eps"]),
                         (0.1, 0.75, 1e-6))
        self.assertNotIn("betas", optim.SGD([p]).defaults)
        self.assertEqual(optim.Lion([p], betas=(0.1, 0.2)).param_groups[0]["beta2"], 0.2)
        self.assertNotIn("betas", optim.SGD([p]).param_groups[0])
        for error, words, act in ((TypeError, "got betas and beta1 or beta2",
                                   lambda: optim.Adam([p], betas=(0.9, 0.9), beta2=0.5)),
                                  (TypeError, r"Adam: expected betas=\(beta1, beta2\), got 0.9",
                                   lambda: optim.Adam([p], betas=0.9)),
                                  (TypeError, "beta1, beta2", lambda: optim.Adam([p], betas=(0.9, 0.9, 0.9))),
                                  (TypeError, "no option betas", lambda: optim.SGD([p], betas=(0.9, 0.9))),
                                  (gyre.ValueError, "beta2", lambda: optim.Adam([p], betas=(0.9, 2.0)))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()

    def test_options_of_the_implementation(self):
        p = nn.Parameter([1.0])
        optim.SGD([p], lr=0.1, foreach=True, fused=None, maximize=False, differentiable=False)
        for words, options in (("capturable=False, got True; leave it out", {"capturable": True}),
                               ("differentiable=False, got True; compose", {"differentiable": True})):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                optim.Adam([p], **options)

    def test_named_parameters(self):
        net = model()
        optimizer = optim.SGD(net.named_parameters(), lr=0.5)
        self.assertIs(optimizer.param_groups[0]["params"][1], net[0].bias)
        optimizer = optim.SGD([{"params": net[0].named_parameters()}])
        self.assertEqual(len(optimizer.param_groups[0]["params"]), 2)

    def test_gradients_are_zeroed_in_place(self):
        p, unused = nn.Parameter([1.0, 2.0]), nn.Parameter([1.0])
        optimizer = optim.SGD([p, unused], lr=0.5)
        p.grad = gyre.ones((2,))
        optimizer.zero_grad(set_to_none=False)
        self.assertEqual((p.grad.tolist(), unused.grad), ([0, 0], None))
        optimizer.zero_grad(set_to_none=True)
        self.assertIsNone(p.grad)

    def test_a_closure_computes_gradients(self):
        p = nn.Parameter([1.0, 2.0])
        optimizer = optim.SGD([p], lr=0.25)

        def closure():
            optimizer.zero_grad()
            loss = p.square().sum()
            loss.backward()
            return loss

        with gyre.no_grad():
            self.assertEqual(optimizer.step(closure).item(), 5)
        self.assertEqual(p.tolist(), [0.5, 1])
        self.assertEqual(optimizer.step(closure=closure, clip=100.0).item(), 1.25)


class States(unittest.TestCase):
    def run_steps(self, optimizer, parameters, first, count):
        for step in range(first, first + count):
            set_gradients(parameters, step)
            optimizer.step()

    def test_a_state_goes_on(self):
        for cls in classes():
            with self.subTest(cls.__name__):
                whole, half = model().parameters(), model().parameters()
                through, begun = cls(whole, lr=0.01), cls(half, lr=0.01)
                self.run_steps(through, whole, 0, 6)
                self.run_steps(begun, half, 0, 3)
                state = copy.copy(begun.state_dict())
                state["state"] = {name: t.clone() for name, t in state["state"].items()}
                other = cls(half, lr=0.5)
                other.load_state_dict(state)
                self.assertEqual(other.lr, 0.01)
                self.run_steps(other, half, 3, 3)
                self.assertEqual(numbers(whole), numbers(half))

    def test_a_state_that_does_not_fit_changes_nothing(self):
        parameters = model().parameters()
        optimizer = optim.Adam(parameters, lr=0.01, amsgrad=True)
        self.run_steps(optimizer, parameters, 0, 3)
        before = {k: v.tolist() for k, v in optimizer.state_dict()["state"].items()}
        state = optimizer.state_dict()
        plain = [{**g, "amsgrad": False, "lr": 0.5} for g in state["param_groups"]]
        for error, given in (
                (gyre.ValueError, {"state": state["state"], "param_groups": plain}),
                (gyre.ValueError, {"state": {}, "param_groups": state["param_groups"]}),
                (ValueError, {"state": state["state"], "param_groups": []}),
                (gyre.ShapeError, {"state": {**state["state"], "m.0": gyre.zeros((1,), dtype="f64")},
                                   "param_groups": state["param_groups"]}),
                (ValueError, {"state": state["state"]})):
            with self.assertRaises(error):
                optimizer.load_state_dict(given)
            self.assertEqual({k: v.tolist() for k, v in optimizer.state_dict()["state"].items()}, before)
            self.assertEqual(optimizer.state_dict()["param_groups"], state["param_groups"])

    def test_gradients_that_are_not_finite(self):
        p = nn.Parameter([1.0, 2.0])
        optimizer = optim.SGD([p], lr=0.5)
        p.grad = gyre.tensor([math.inf, 1.0])
        done = optimizer.step()
        self.assertEqual((done.applied, done.gradient_norm, p.tolist()), (False, math.inf, [1, 2]))
        self.assertIn("applied=False", repr(done))
        with self.assertRaises(gyre.NumericError):
            optimizer.step(non_finite="raise")
        with self.assertRaises(gyre.NumericError):
            optim.clip_grad_norm([p], 1.0, non_finite="raise")
        self.assertEqual(optim.clip_grad_norm([p], 1.0), math.inf)
        self.assertTrue(optimizer.step(norm=True, non_finite="zero").applied)
        self.assertEqual(p.tolist(), [1, 1.5])

    def test_the_reported_norm_is_that_of_the_applied_gradients(self):
        def step(gradient=(3.0, math.inf, 4.0), **options):
            p = nn.Parameter([0.0, 0.0, 0.0])
            p.grad = gyre.tensor(gradient)
            return optim.SGD([p], lr=1.0).step(**options)

        self.assertEqual(step(non_finite="zero").gradient_norm, 5)
        self.assertEqual(step(non_finite="zero", scale=0.5).gradient_norm, 2.5)
        self.assertEqual(step(non_finite="zero", clip=1.0).gradient_norm, 5)
        self.assertEqual(step((3.0, math.nan, 4.0), non_finite="zero").gradient_norm, 5)
        self.assertEqual(step(non_finite="apply", norm=True).gradient_norm, math.inf)
        not_computed = step(non_finite="apply")
        self.assertIsNone(not_computed.gradient_norm)
        self.assertEqual(repr(not_computed), "StepResult(gradient_norm=None, applied=True)")
        self.assertEqual(repr(step()), "StepResult(gradient_norm=inf, applied=False)")

    def test_training_with_dropout_resumes(self):
        def fresh():
            gyre.manual_seed(3)
            net = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.5), nn.Linear(8, 1))
            return net, optim.AdamW(net.parameters(), lr=0.1)

        def train(net, optimizer, steps):
            for _ in range(steps):
                optimizer.zero_grad()
                net(gyre.randn((16, 4))).square().sum().backward()
                optimizer.step()

        net, optimizer = fresh()
        train(net, optimizer, 3)
        saved = pickle.dumps((net.state_dict(), optimizer.state_dict(), gyre.get_rng_state()))
        train(net, optimizer, 3)
        for restores in (True, False):
            again, of_again = fresh()
            weights, moments, state = pickle.loads(saved)
            again.load_state_dict(weights)
            of_again.load_state_dict(moments)
            if restores:
                gyre.set_rng_state(state)
            train(again, of_again, 3)
            same = [again.state_dict()[k].tolist() == v.tolist() for k, v in net.state_dict().items()]
            self.assertEqual(all(same), restores, "the state matters")

    def test_frozen_parameters_stay(self):
        net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
        for p in net[0].parameters():
            p.requires_grad = False
        before = {k: v.tolist() for k, v in net.state_dict().items()}
        optimizer = optim.AdamW(net.parameters(), lr=0.1)
        net(gyre.ones((4, 2))).sum().backward()
        optimizer.step()
        changed = [k for k, v in net.state_dict().items() if v.tolist() != before[k]]
        self.assertEqual(changed, ["1.weight", "1.bias"])

    def test_steps_in_backward(self):
        def steps(inside):
            p = nn.Parameter([1.0, -2.0])
            optimizer = optim.AdamW([p], lr=0.1)
            for _ in range(3):
                if inside:
                    with optim.step_in_backward(optimizer):
                        p.square().sum().backward()
                    self.assertIsNone(p.grad)
                else:
                    p.square().sum().backward()
                    optimizer.step()
                    optimizer.zero_grad()
            return p.tolist()

        self.assertEqual(steps(True), steps(False))
        with self.assertRaises(Exception):
            optim.step_in_backward(3)


class Averages(unittest.TestCase):
    def test_averages_of_a_model(self):
        net = model()
        ema = optim.Ema(net, decay=0.5)
        first = numbers(net.parameters())
        with gyre.no_grad():
            for p in net.parameters():
                p += 1.0
        last = numbers(net.parameters())
        ema.update()
        self.assertEqual(ema.updates, 1)
        with ema.applied():
            self.assertTrue(ema.swapped)
            for p, a, b in zip(net.parameters(), first, last):
                want = (torch.tensor(a, dtype=torch.float64) + torch.tensor(b, dtype=torch.float64)) / 2
                torch.testing.assert_close(to_torch(p), want, rtol=1e-12, atol=1e-12)
            with self.assertRaises(gyre.ValueError):
                ema.update()
        self.assertEqual(numbers(net.parameters()), last)
        other = optim.Ema(net.state_dict(), decay=0.5)
        other.load_state_dict(ema.state_dict())
        self.assertEqual(other.updates, 1)
        for wrong in ({}, 3, {"param_groups": []}):
            self.assertRaises(ValueError, optim.SGD(net.parameters(), lr=0.1).load_state_dict, wrong)
        with ema.applied(), self.assertRaises(ValueError), ema.applied():
            pass
        for error, act in ((gyre.ValueError, lambda: optim.Ema(net, decay=2.0)),
                           (gyre.ValueError, lambda: ema.load_state_dict({})),
                           (TypeError, lambda: optim.Ema(net, share=0.5)), (TypeError, lambda: optim.Ema(3))):
            with self.assertRaises(error):
                act()

    def test_a_loss_scale(self):
        scale = optim.LossScale(initial=8.0, growth_interval=1)
        scale.update(True)
        self.assertEqual(scale.scale, 16)
        scale.update(False)
        self.assertEqual(scale.scale, 8)
        other = optim.LossScale(initial=8.0)
        scale.update(True)
        other.load_state_dict(scale.state_dict())
        self.assertEqual(other.scale, 16)
        for error, act in ((gyre.ValueError, lambda: optim.LossScale(backoff=2.0)),
                           (gyre.Error, lambda: other.load_state_dict({"scale": -1, "good_steps": 0}))):
            with self.assertRaises(error):
                act()

    def test_schedules_tell_what_they_are(self):
        schedule = optim.Schedule("wsd", 0.5, warmup=2, steps=10)
        self.assertEqual(schedule.options["kind"], "wsd")
        self.assertEqual(repr(schedule), "Schedule(kind='wsd', lr=0.5, warmup=2, steps=10)")
        self.assertLess(schedule(0), schedule(2))
        with self.assertRaisesRegex(gyre.ValueError, "warm-up|warmup"):
            optim.Schedule(warmup=5, steps=2)
        with self.assertRaisesRegex(gyre.ValueError, "cosine needs `steps`"):
            optim.Schedule(lr=1.0)
        with self.assertRaisesRegex(ValueError, "kind: expected one of"):
            optim.Schedule(kind="sawtooth")


class Lifetime(unittest.TestCase):
    def test_ten_thousand_trainings_leave_nothing(self):
        def some(count):
            for _ in range(count):
                net = nn.Linear(3, 2)
                optimizer = optim.AdamW(net.parameters())
                net(gyre.ones((1, 3))).sum().backward()
                optimizer.step(clip=1.0)
                ema = optim.Ema(net)
            del net, optimizer, ema
            gc.collect()

        some(100)
        tensors = gyre.live_tensors()
        some(10000)
        self.assertEqual(gyre.live_tensors(), tensors)


class ApplyGradients(unittest.TestCase):
    def test_steps_as_after_backward(self):
        named, plain, x = model(), model(), gyre.ones((2, 3), dtype="f64")
        a, b = (optim.AdamW(net.parameters(), lr=0.1) for net in (named, plain))
        for _ in range(3):
            loss, gradients = nn.value_and_grad(named, lambda: named(x).square().sum())()
            result = a.apply_gradients(gradients, named, scale=0.5, clip=1.0)
            b.zero_grad()
            plain(x).square().sum().backward()
            self.assertEqual(result.gradient_norm, b.step(scale=0.5, clip=1.0).gradient_norm)
            self.assertIsNone(named.parameters()[0].grad)
        self.assertEqual(numbers(named.parameters()), numbers(plain.parameters()))

    def test_parameters_by_name(self):
        net = model()
        optimizer, bias = optim.SGD(net.parameters(), lr=1.0), net[0].bias.tolist()
        gradient = {"bias": gyre.ones((4,), dtype="f64")}
        optimizer.apply_gradients(gradient, {"bias": net[0].bias})
        self.assertEqual(net[0].bias.tolist(), [b - 1 for b in bias])
        for error, words, parameters in (
                (gyre.ValueError, "no parameter has the name of the gradient bias", net),
                (gyre.ValueError, "bias is not a parameter of this optimiser", {"bias": gyre.ones((4,))}),
                (gyre.ShapeError, "of shape", {"bias": net[0].weight}),
                (TypeError, "Module", [net[0].bias])):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                optimizer.apply_gradients(gradient, parameters)
        with self.assertWarnsRegex(UserWarning, "a step was skipped"):
            optimizer.apply_gradients({"bias": gradient["bias"] * float("nan")}, {"bias": net[0].bias})


class Casts(unittest.TestCase):
    def test_training_goes_on_after_a_cast(self):
        gyre.manual_seed(0)
        net, x = gyre.nn.Linear(3, 1), gyre.randn((16, 3))
        optimizer = optim.AdamW(net.parameters(), lr=0.05)
        ema = optim.Ema(net, decay=0.5)
        losses = []
        for i in range(40):
            if i == 5:
                net.to("f64")
                x = x.to("f64")
            loss = ((net(x) - x.sum(-1, keepdim=True)) ** 2).mean()
            loss.backward()
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                self.assertTrue(optimizer.step().applied)
            ema.update()
            optimizer.zero_grad()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.2 * losses[5])
        self.assertIs(optimizer.param_groups[0]["params"][0], net.weight)
        self.assertEqual({t.dtype for n, t in optimizer.state_dict()["state"].items() if n != "steps"}, {gyre.f64})


class Warnings(unittest.TestCase):
    def test_a_step_that_does_nothing_warns_once(self):
        x = gyre.tensor([1.0], requires_grad=True)
        optimizer = optim.SGD([x], lr=1.0)
        with self.assertWarnsRegex(UserWarning, "no parameter of this optimiser has a gradient"):
            optimizer.step()
        (x * float("inf")).sum().backward()
        with self.assertWarnsRegex(UserWarning, "a step was skipped"):
            self.assertFalse(optimizer.step().applied)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            optimizer.step()
            optimizer.zero_grad()
            optimizer.step()


if __name__ == "__main__":
    unittest.main()
