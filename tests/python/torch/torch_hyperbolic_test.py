"""gyre.torch.hyperbolic and gyre.torch.optim: manifolds on PyTorch's tensors, gyre's optimisers for PyTorch."""

import copy
import io
import unittest

from common import gyre, needs_packages, torch

if torch:
    import gyre.hyperbolic
    import gyre.torch
    import gyre.torch.hyperbolic as spaces
    import gyre.torch.optim as optim
    from gyre._gyre import _hyperbolic, _optim


def setUpModule():
    needs_packages()


def number(value=0.7):
    return torch.tensor(value, dtype=torch.float64, requires_grad=True)


def every_manifold():
    curved = [getattr(spaces, k["name"])(number()) for k in _hyperbolic.kinds if k["curved"]]
    plain = [getattr(spaces, k["name"])() for k in _hyperbolic.kinds if not k["curved"]]
    return [*curved, *plain, spaces.Product((spaces.PoincareBall(number(0.5)), 2), (spaces.Lorentz(number()), 3))]


def points(manifold, rows=4, seed=4):
    generator = torch.Generator().manual_seed(seed)
    return manifold.project(torch.rand(rows, 5, dtype=torch.float64, generator=generator) * 0.3 + 0.05).detach()


def definitions(on_manifolds=True):
    return [d for d in _optim.optimizers if d.on_manifolds or not on_manifolds]


class Manifolds(unittest.TestCase):
    def test_gradients_of_every_method_and_of_curvature(self):
        checked = 0
        for manifold in every_manifold():
            for method in _hyperbolic.methods:
                name = {"lambda": "lambda_"}.get(method["name"], method["name"])
                if not manifold.has(name):
                    with self.assertRaises(gyre.ValueError):
                        getattr(manifold, name)(*[points(manifold)] * len(method["args"]))
                    continue
                x = points(manifold)
                given = {"r": torch.full((4,), 0.4, dtype=torch.float64), "weights": torch.ones(4, dtype=torch.float64),
                         "m": torch.eye(5, dtype=torch.float64) * 0.5,
                         "t": torch.full((4,), 0.3, dtype=torch.float64), "y": points(manifold, seed=5)}
                tangent = manifold.egrad2rgrad(x, points(manifold, seed=6) * 0.1).detach()
                args = [given.get(a, x if a == "x" else tangent).clone().requires_grad_() for a in method["args"]]
                cs = manifold._curvatures
                with self.subTest(manifold, method=name):
                    self.assertTrue(torch.autograd.gradcheck(
                        lambda *a: getattr(manifold, name)(*a[:len(args)]), (*args, *cs), fast_mode=True))
                checked += 1
        print(f"\n| {checked} methods of {len(every_manifold())} manifolds: gradients by gradcheck, curvature included")

    def test_values_are_gyres(self):
        for manifold in every_manifold():
            x, y = points(manifold), points(manifold, seed=5)
            own = manifold._own.dist(gyre.from_torch(x), gyre.from_torch(y))
            self.assertEqual(manifold.dist(x, y).tolist(), own.tolist())

    def test_any_function_in_the_tangent_space(self):
        ball = spaces.PoincareBall(number())
        x = points(ball).requires_grad_()
        torch.testing.assert_close(ball.pointwise(x, torch.sin), ball.pointwise(x, "sin"))
        self.assertTrue(torch.autograd.gradcheck(lambda x, c: ball.pointwise(x, lambda v: v.sin() * v), (x, ball.c)))

    def test_second_derivatives(self):
        ball = spaces.PoincareBall(number())
        x, y = (points(ball, 2, seed).requires_grad_() for seed in (4, 5))
        self.assertTrue(torch.autograd.gradgradcheck(lambda x, y, c: ball.dist2(x, y), (x, y, ball.c)))

    def test_transforms(self):
        ball = spaces.PoincareBall(0.7)
        x, y = points(ball), points(ball, seed=5)
        by_rows = torch.func.vmap(torch.func.grad(lambda a, b: ball.dist(a, b)))(x, y)
        x.requires_grad_()
        ball.dist(x, y).sum().backward()
        torch.testing.assert_close(by_rows, x.grad)

    def test_compiled(self):
        ball = spaces.PoincareBall(0.7)
        x = points(ball)
        torch.testing.assert_close(torch.compile(lambda x: ball.dist0(x * 0.5) + 1)(x), ball.dist0(x * 0.5) + 1)

    def test_refusals(self):
        for c in (torch.tensor(float("nan")), 0.0, -1.0):
            with self.assertRaises(gyre.ValueError):
                spaces.Lorentz(c)
        with self.assertRaises(gyre.ValueError):
            spaces.ManifoldParameter(torch.ones(2, 2), spaces.PoincareBall())
        with self.assertRaises(gyre.ValueError):
            spaces.TangentParameter(torch.ones(2, 2), spaces.PoincareBall())


class Functions(unittest.TestCase):
    def test_ops_with_a_reverse_beside_them_are_functions(self):
        names = [op.name for op in gyre.ops() if any(o.name == f"{op.name}_backward" for o in gyre.ops())]
        self.assertGreater(len(names), 1)
        for name in names:
            function = getattr(gyre.torch, name.title().replace("_", ""))
            self.assertTrue(issubclass(function, torch.autograd.Function))

    def test_apply(self):
        x = torch.randn(3, 4, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(gyre.torch.Softmax.apply, (x,)))
        torch.testing.assert_close(gyre.torch.Softmax.apply(x), x.softmax(-1))

    def test_aliases(self):
        for name, op in gyre._gyre._aliases:
            self.assertIs(getattr(gyre.torch, name), getattr(gyre.torch, op.name))


class Optimisers(unittest.TestCase):
    def test_are_those_of_the_table(self):
        for definition in definitions(False):
            cls = getattr(optim, definition.class_name)
            self.assertTrue(issubclass(cls, torch.optim.Optimizer))
            p = torch.nn.Parameter(torch.linspace(-1, 1, 6))
            own = gyre.nn.Parameter(gyre.from_torch(p.detach().clone()))
            mine, wanted = cls([p], lr=0.1), getattr(gyre.optim, definition.class_name)([own], lr=0.1)
            for step in range(3):
                p.grad = torch.sin(torch.arange(6.0) + step)
                own.grad = gyre.from_torch(p.grad.clone())
                mine.step()
                wanted.step()
            self.assertEqual(p.tolist(), own.tolist(), definition.name)

    def test_states_follow_a_parameter_that_is_cast_or_replaced(self):
        for dtype in (torch.float64, torch.bfloat16, torch.float32):
            p = torch.nn.Parameter(torch.linspace(-1, 1, 6))
            optimizer = optim.AdamW([p], lr=0.1)
            for change in (lambda t: t, lambda t: t.to(dtype), torch.clone):
                p.data = change(p.data)
                p.grad = torch.ones_like(p)
                optimizer.step()
            self.assertEqual(optimizer.state[p]["step"], 3)
            self.assertEqual(p.dtype, dtype)
            self.assertLess(float(p.detach().mean()), -0.2, dtype)

    def test_a_state_of_pytorch_without_masters(self):
        p, q = (torch.nn.Parameter(torch.linspace(-1, 1, 6).bfloat16()) for _ in range(2))
        theirs, ours = torch.optim.AdamW([p], lr=0.1), optim.AdamW([q], lr=0.1)
        p.grad = torch.ones_like(p)
        theirs.step()
        state = theirs.state_dict()
        group = {**ours.state_dict()["param_groups"][0]}
        moments = {0: {"step": 1, "m": state["state"][0]["exp_avg"].float(),
                       "v": state["state"][0]["exp_avg_sq"].float()}}
        ours.load_state_dict({"state": moments, "param_groups": [group]})
        q.grad = torch.ones_like(q)
        ours.step()
        self.assertEqual(ours.state[q]["step"], 2)
        self.assertEqual(ours.state[q]["master"].dtype, torch.float32)

    def test_step_along_the_manifold(self):
        for definition in definitions():
            for manifold in every_manifold():
                given = points(manifold, 6)
                p = spaces.ManifoldParameter(given[:1].clone(), manifold)
                optimizer = getattr(optim, definition.class_name)([p], lr=0.1)
                schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.97)
                for _ in range(150):
                    optimizer.zero_grad()
                    manifold.dist2(p, given).mean().backward()
                    optimizer.step()
                    schedule.step()
                pull = manifold.log(p.detach().expand(given.shape), given).mean(0)
                self.assertLess(float(pull.detach().abs().max()), 3e-3, f"{definition.name} on {manifold}")
                manifold.require_points(p)

    def test_others_refuse_points(self):
        p = spaces.ManifoldParameter(points(spaces.Lorentz()), spaces.Lorentz())
        for definition in definitions(False):
            if not definition.on_manifolds:
                with self.assertRaisesRegex(gyre.ValueError, "use a Riemannian optimiser"):
                    getattr(optim, definition.class_name)([p])

    def test_goes_on_bit_for_bit(self):
        for definition in definitions(False):
            ball = spaces.PoincareBall(0.7)
            start = points(ball).float()

            def made():
                p = spaces.ManifoldParameter(start.clone(), ball) if definition.on_manifolds else \
                    torch.nn.Parameter(start.clone())
                q = torch.nn.Parameter(torch.linspace(0, 1, 7))
                groups = [{"params": [p]}, {"params": [q], "lr": 0.02}]
                return [p, q], getattr(optim, definition.class_name)(groups, lr=0.05)

            (whole, a), (cut, b) = made(), made()
            for step in range(6):
                if step == 3:
                    stream = io.BytesIO()
                    torch.save(b.state_dict(), stream)
                    stream.seek(0)
                    values = [p.detach().clone() for p in cut]
                    cut, b = made()
                    with torch.no_grad():
                        for p, value in zip(cut, values):
                            p.copy_(value)
                    b.load_state_dict(torch.load(stream))
                for parameters, optimizer in ((whole, a), (cut, b)):
                    for p in parameters:
                        p.grad = torch.sin(torch.arange(p.numel(), dtype=p.dtype) + step).reshape(p.shape)
                    optimizer.step()
            for p, q in zip(whole, cut):
                self.assertTrue(torch.equal(p, q), definition.name)

    def test_moved_memory_and_added_groups(self):
        cls = getattr(optim, definitions()[-1].class_name)
        p, q = (torch.nn.Parameter(torch.ones(3)) for _ in range(2))
        a, b = cls([p], lr=0.1), cls([q], lr=0.1)
        for step in range(4):
            for t in (p, q):
                t.grad = torch.sin(torch.arange(3.0) + step)
            if step == 2:
                q.data = q.data.clone()  # as when a module is moved
                b.add_param_group({"params": [torch.nn.Parameter(torch.ones(2))]})
            a.step()
            b.step()
        self.assertEqual(p.tolist(), q.tolist())
        with self.assertRaises(ValueError):
            b.load_state_dict(a.state_dict())

    def test_schedulers_of_pytorch(self):
        s = torch.optim.lr_scheduler
        for schedule in (lambda o: s.CosineAnnealingLR(o, 8, 0.01), lambda o: s.OneCycleLR(o, 0.3, total_steps=9),
                         lambda o: s.CyclicLR(o, 0.05, 0.2, step_size_up=3),
                         lambda o: torch.optim.swa_utils.SWALR(o, 0.02, anneal_epochs=4)):
            p, q = (torch.nn.Parameter(torch.linspace(-1, 1, 6, dtype=torch.float64)) for _ in range(2))
            mine, wanted = (o.SGD([t], lr=0.1, momentum=0.9) for o, t in ((optim, p), (torch.optim, q)))
            schedules = schedule(mine), schedule(wanted)
            for step in range(8):
                p.grad = torch.sin(torch.arange(6.0, dtype=torch.float64) + step)
                q.grad = p.grad.clone()
                for optimizer, one in zip((mine, wanted), schedules):
                    optimizer.step()
                    one.step()
                mine.load_state_dict(mine.state_dict())
                torch.testing.assert_close(p, q, rtol=1e-14, atol=1e-14)
            self.assertEqual(mine.param_groups[0]["lr"], wanted.param_groups[0]["lr"])

    def test_copies(self):
        for definition in definitions():
            ball = spaces.PoincareBall(0.7)
            p = spaces.ManifoldParameter(points(ball), ball)
            optimizer = getattr(optim, definition.class_name)([p], lr=0.1)
            p.grad = torch.sin(torch.arange(20.0, dtype=torch.float64)).reshape(p.shape)
            optimizer.step()
            other = copy.deepcopy(optimizer)
            q = other.param_groups[0]["params"][0]
            self.assertIsNot(p, q)
            q.grad = p.grad.clone()
            optimizer.step()
            self.assertFalse(torch.equal(p, q))
            other.step()
            self.assertTrue(torch.equal(p, q))
            other.add_param_group({"params": [torch.nn.Parameter(torch.ones(2))]})

    def test_writes_are_seen_by_pytorch(self):
        p = torch.nn.Parameter(torch.ones(3))
        optimizer = getattr(optim, definitions()[0].class_name)([p], lr=0.1)
        loss = (p * p).sum()
        p.grad = torch.ones(3)
        self.assertEqual(float(optimizer.step(lambda: loss.detach())), 3.0)
        with self.assertRaisesRegex(RuntimeError, "inplace"):
            loss.backward()

    def test_copies_of_parameters(self):
        p = spaces.ManifoldParameter(points(spaces.Klein(0.7)), spaces.Klein(0.7))
        for other in (copy.deepcopy(p), copy.deepcopy(torch.nn.ParameterList([p]))[0]):
            self.assertEqual(repr(other.manifold), "Klein(c=0.7)")
            self.assertTrue(torch.equal(other, p))


class Refused(unittest.TestCase):
    """A rejected call leaves the optimiser unchanged: it continues like its twin."""

    def setUp(self):
        self.made, self.twin = self.adam(), self.adam()

    def adam(self, size=3, **options):
        optimizer = optim.Adam([torch.nn.Parameter(torch.ones(size))], **{"lr": 0.1, "amsgrad": True, **options})
        self.steps(optimizer)
        return optimizer

    def steps(self, *optimizers):
        for step in range(3):
            for optimizer in optimizers:
                for p in optimizer.param_groups[0]["params"]:
                    p.grad = torch.sin(torch.arange(p.numel(), dtype=p.dtype) + step)
                optimizer.step()

    def goes_on(self):
        self.steps(self.made, self.twin)
        (p,), (q,) = (o.param_groups[0]["params"] for o in (self.made, self.twin))
        self.assertEqual(p.tolist(), q.tolist())
        ours, wanted = ({kind: str(value) for kind, value in o.state[t].items()}
                        for o, t in ((self.made, p), (self.twin, q)))
        self.assertEqual(ours, wanted)
        ours, wanted = ({k: v for k, v in o.param_groups[0].items() if k != "params"} for o in (self.made, self.twin))
        self.assertEqual(ours, wanted)

    def refused(self, error, words, act):
        with self.subTest(words):
            with self.assertRaisesRegex(error, words):
                act()
            self.assertEqual(len(self.made.param_groups), 1)
            self.goes_on()

    def test_states(self):
        foreign = optim.SGD([torch.nn.Parameter(torch.ones(3))], lr=0.5, momentum=0.9)
        self.refused(TypeError, "no option dampening", lambda: self.made.load_state_dict(foreign.state_dict()))
        theirs = torch.optim.Adam([torch.nn.Parameter(torch.ones(3))], betas=(0.5, 0.9))
        self.refused(TypeError, "no option amsgrad|no option betas", lambda: self.made.load_state_dict(theirs.state_dict()))
        self.steps(foreign)
        self.refused(TypeError, "no option dampening", lambda: self.made.load_state_dict(foreign.state_dict()))
        wider = self.adam(4, lr=0.5).state_dict()
        self.refused(gyre.ShapeError, r"m\.0 has shape", lambda: self.made.load_state_dict(wider))
        earlier = {**wider, "state": {0: {"step": -1}}}
        self.refused(gyre.ValueError, "0 or more", lambda: self.made.load_state_dict(earlier))

    def test_groups(self):
        for error, words, options in ((TypeError, "no option momentun", {"momentun": 0.9}),
                                      (gyre.ValueError, "`lr` must be", {"lr": -1.0})):
            group = {"params": [torch.nn.Parameter(torch.ones(2))], **options}
            self.refused(error, words, lambda group=group: self.made.add_param_group(group))
        with self.assertRaisesRegex(TypeError, "no option momentun"):
            self.adam(momentun=0.9)

    def test_moved_memory(self):
        (p,) = self.made.param_groups[0]["params"]

        def step():
            before, p.data, p.grad = p.data, torch.ones(4), None
            try:
                self.made.step()
            finally:
                p.data = before

        self.refused(gyre.ShapeError, r"m\.0 has shape", step)

    def test_states_that_options_no_longer_need(self):
        for optimizer in (self.made, self.twin):
            optimizer.param_groups[0]["amsgrad"] = False
        (p,) = self.made.param_groups[0]["params"]
        self.made.add_param_group({"params": [torch.nn.Parameter(torch.ones(2))]})
        self.goes_on()
        for optimizer in (self.made, self.twin):
            optimizer.param_groups[0]["amsgrad"] = True
        p.data = p.data.clone()
        self.goes_on()

    def test_states_take_the_dtype_of_moved_memory(self):
        (p,), (q,) = (o.param_groups[0]["params"] for o in (self.made, self.twin))
        for dtype in (torch.float64, torch.float32, torch.bfloat16):
            p.data, p.grad = q.data.to(dtype, copy=True), None
            self.steps(self.made, self.twin)
            bound = 0.02 if dtype == torch.bfloat16 else 1e-5
            torch.testing.assert_close(p.float(), q, rtol=bound, atol=bound)
            torch.testing.assert_close(self.made.state[p]["m"].float(), self.twin.state[q]["m"], rtol=bound, atol=bound)
            self.assertEqual(self.made.state[p]["step"], self.twin.state[q]["step"])


if torch:
    class Net(torch.nn.Module):
        """Points of several manifolds that share a learned curvature."""

        def __init__(self, dtype=torch.float64):
            super().__init__()
            self.c = torch.nn.Parameter(torch.tensor(0.7, dtype=dtype))
            self.ball = spaces.PoincareBall(self.c)
            self.space = spaces.Product((self.ball, 2), (spaces.Lorentz(self.c), 3))
            self.inside, self.both = (spaces.ManifoldParameter(points(m).to(dtype), m) for m in (self.ball, self.space))

        def forward(self):
            return self.ball.dist0(self.inside).sum() + self.space.cdist(self.both, self.both).sum()


def trained(net):
    optimizers = optim.RiemannianSGD([net.inside, net.both], lr=0.05, momentum=0.5), torch.optim.SGD([net.c], lr=0.01)
    for _ in range(4):
        for optimizer in optimizers:
            optimizer.zero_grad()
        net().backward()
        for optimizer in optimizers:
            optimizer.step()
    return net


def told(net):
    return {name: p.tolist() for name, p in net.named_parameters()}


class CopiesOfModels(unittest.TestCase):
    def test_train_as_the_model_would(self):
        net, wanted = Net(), told(trained(Net()))
        before = told(net)
        self.assertNotEqual(before["c"], wanted["c"])
        file = io.BytesIO()
        torch.save(net, file)
        file.seek(0)
        for copied in (copy.deepcopy(net), torch.load(file, weights_only=False),
                       torch.optim.swa_utils.AveragedModel(net).module):
            self.assertEqual(told(trained(copied)), wanted)
            self.assertEqual(repr(copied.ball), f"PoincareBall(c={wanted['c']})")
            self.assertEqual((told(net), repr(net.ball)), (before, "PoincareBall(c=0.7)"))
        self.assertEqual(told(trained(net)), wanted)
        made_of_ops = spaces.ManifoldParameter(torch.zeros(1, 2), spaces.PoincareBall(net.c * 2))
        with self.assertRaisesRegex(RuntimeError, "deepcopy protocol"):
            copy.deepcopy(made_of_ops)

    def test_casts_take_the_curvature_along(self):
        net = Net(torch.float32)
        first = optim.RiemannianSGD([net.inside], lr=0.05)
        net.double()
        other = Net()
        with torch.no_grad():
            for p, q in zip(other.parameters(), net.parameters()):
                q.fill_(0.25)
                p.copy_(q)
        self.assertEqual(repr(net.ball), "PoincareBall(c=0.25)")
        for one, optimizer in ((net, first), (other, optim.RiemannianSGD([other.inside], lr=0.05))):
            one().backward()
            optimizer.step()
        self.assertEqual(net.inside.tolist(), other.inside.tolist())


if __name__ == "__main__":
    unittest.main()
