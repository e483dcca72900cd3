"""gyre.hyperbolic: manifolds, manifold parameters, learned curvature; aliases of ops."""

import copy
import pickle
import unittest
import weakref

from common import gyre, needs_packages, numpy

if gyre:
    import gyre.hyperbolic as spaces
    from gyre._gyre import _hyperbolic


def setUpModule():
    needs_packages()


def every_manifold():
    curved = [getattr(spaces, k["name"])(0.7) for k in _hyperbolic.kinds if k["curved"]]
    plain = [getattr(spaces, k["name"])() for k in _hyperbolic.kinds if not k["curved"]]
    return [*curved, *plain, spaces.Product((spaces.PoincareBall(0.5), 2), (spaces.Sphere(), 3))]


def points(manifold, rows=6):
    gyre.manual_seed(4)
    return manifold.project(gyre.rand(rows, 5, dtype="f64") * 0.3 + 0.05)


class OfSeveralSpaces(gyre.nn.Module if gyre else object):
    """Points on a nested product manifold with a learned, frozen or buffer curvature."""

    def __init__(self, kind, curvature):
        super().__init__()
        if kind == "buffer":
            self.register_buffer("c", gyre.tensor(curvature))
        else:
            self.c = gyre.nn.Parameter(gyre.tensor(curvature), requires_grad=kind == "learned")
        self.disk = Disk(self.c)
        self.p = spaces.ManifoldParameter([[0.1, 0.2]], spaces.Product((spaces.Product((self.disk, 2)), 2)))
        self.known = spaces.manifold_of(self.p)


class Disk(spaces.PoincareBall if gyre else object):
    pass


class Manifolds(unittest.TestCase):
    def test_methods_are_those_of_the_table(self):
        for manifold in every_manifold():
            for number, method in enumerate(_hyperbolic.methods):
                name = {"lambda": "lambda_"}.get(method["name"], method["name"])
                bound = getattr(manifold, name)
                self.assertEqual(bound.__doc__, method["doc"])
                self.assertEqual(manifold.has(name), manifold._core.has(number))
                if not manifold.has(name):
                    with self.assertRaisesRegex(gyre.ValueError, f"{method['name']} is not defined"):
                        bound(*[points(manifold)] * len(method["args"]))

    def test_models_call_their_ops(self):
        x, y = points(spaces.PoincareBall()), points(spaces.PoincareBall())[::-1]
        for kind, prefix in zip(_hyperbolic.kinds, ("poincare", "lorentz", "klein")):
            manifold = getattr(spaces, kind["name"])(0.7)
            for name in ("add", "log", "dist"):
                op = next(op for op in gyre.ops() if op.name == f"{prefix}_{name}")
                self.assertEqual(getattr(manifold, name)(x, y).tolist(), op(x, y, 0.7).tolist())

    def test_options_of_methods(self):
        for manifold in every_manifold():
            for method in _hyperbolic.methods:
                if not method["options"] or not manifold.has(method["name"]):
                    continue
                x, bound = points(manifold), getattr(manifold, method["name"])
                for option in method["options"]:
                    self.assertEqual(bound(x).tolist(), bound(x, option["default"]).tolist())
                    for choice in option["choices"]:
                        wanted = manifold.exp0(getattr(gyre, choice)(manifold.log0(x)))
                        for given in (bound(x, choice), bound(x, **{option["name"]: choice})):
                            self.assertLess(float((given - wanted).abs().max()), 1e-12)
                    with self.assertRaises(ValueError):
                        bound(x, "none")
                    with self.assertRaises(TypeError):
                        bound(x, option["default"], "one more")

    def test_any_function_in_the_tangent_space(self):
        for manifold in every_manifold():
            with self.subTest(manifold):
                x = points(manifold)
                if not manifold.has("pointwise"):
                    with self.assertRaisesRegex(gyre.ValueError, "is not defined"):
                        manifold.pointwise(x, gyre.sin)
                    continue
                self.assertLess(float((manifold.pointwise(x, gyre.sin) - manifold.pointwise(x, "sin")).abs().max()), 1e-12)
                self.assertEqual(manifold.pointwise(x, f=lambda v: v * 0).tolist(), manifold.exp0(x * 0).tolist())
                x.requires_grad_()
                self.assertTrue(gyre.gradcheck(lambda x: manifold.pointwise(x, lambda v: v.sin() * v), x))
        ball, matrix = spaces.PoincareBall(), gyre.ones((2, 5), dtype="f64") * 0.1
        by_function = ball.pointwise(points(ball), lambda v: v @ matrix.T)
        self.assertLess(float((by_function - ball.matvec(matrix, points(ball))).abs().max()), 1e-12)
        with self.assertRaises(KeyError):
            ball.pointwise(points(ball), {}.__getitem__)
        with self.assertRaises(TypeError):
            ball.pointwise(points(ball), gyre.sin, gyre.cos)

    def test_geometry(self):
        for manifold in every_manifold():
            with self.subTest(manifold):
                x = points(manifold)
                y = manifold.project(x[::-1] + 0.1)
                v = manifold.log(x, y)
                self.assertLess(float((manifold.exp(x=x, v=v) - y).abs().max()), 1e-12)
                self.assertLess(float((manifold.norm(x, v) - manifold.dist(x, y)).abs().max()), 1e-12)

    def test_arguments(self):
        ball = spaces.PoincareBall()
        self.assertEqual(ball.dist([[0.0, 0.0]], [[0.5, 0.0]]).tolist(), ball.dist0([[0.5, 0.0]]).tolist())
        for bad in ((), ([0.1],), ([0.1], [0.1], [0.1])):
            with self.assertRaises(gyre.ValueError):
                ball.dist(*bad)
        with self.assertRaises(TypeError):
            ball.dist(x=[0.1], z=[0.1])

    def test_refusals(self):
        for c in (float("nan"), float("inf"), -1.0, 0.0):
            for kind in (spaces.Lorentz, spaces.Klein):
                with self.assertRaises(gyre.ValueError):
                    kind(c)
        with self.assertRaises(gyre.ValueError):
            spaces.PoincareBall(gyre.tensor([1.0, float("nan")]))
        with self.assertRaises(gyre.ValueError):
            spaces.Product()
        with self.assertRaises(gyre.ValueError):
            spaces.Product((spaces.Sphere(), 0))
        with self.assertRaisesRegex(gyre.ValueError, "must be below 1"):
            spaces.Klein(1.0).require_points([[1.0, 0.0]])

    def test_copies_and_text(self):
        for manifold in every_manifold():
            for other in (copy.deepcopy(manifold), pickle.loads(pickle.dumps(manifold))):
                self.assertEqual(repr(other), repr(manifold))
                self.assertIs(type(other), type(manifold))
        self.assertEqual(repr(spaces.PoincareBall(0.5)), "PoincareBall(c=0.5)")

    def test_curvature_is_learned(self):
        curvature = spaces.Curvature(c=0.5, rows=2)
        self.assertLess(float((curvature() - 0.5).abs().max()), 1e-6)
        ball = spaces.PoincareBall(curvature())
        ball.dist0(gyre.tensor([[0.1, 0.2], [0.3, 0.4]])).sum().backward()
        self.assertTrue(all(abs(g) > 1e-4 for g in curvature.k.grad.tolist()))


class Parameters(unittest.TestCase):
    def parameter(self, manifold):
        return spaces.ManifoldParameter(points(manifold).clone(), manifold)

    def test_knows_its_manifold(self):
        for manifold in every_manifold():
            p = self.parameter(manifold)
            self.assertIsInstance(p, gyre.nn.Parameter)
            for other in (p, copy.deepcopy(p), pickle.loads(pickle.dumps(p))):
                self.assertEqual(repr(spaces.manifold_of(other)), repr(manifold))
                self.assertIs(type(spaces.manifold_of(other)), type(manifold))
                self.assertTrue(other.requires_grad)
            self.assertIsNone(spaces.manifold_of(p * 1))

    def test_refusals(self):
        with self.assertRaises(gyre.ValueError):
            spaces.ManifoldParameter([[2.0, 0.0]], spaces.PoincareBall())
        with self.assertRaises(gyre.DTypeError):
            spaces.ManifoldParameter(gyre.zeros(2, 2, dtype="f16"), spaces.PoincareBall())
        p = self.parameter(spaces.Lorentz())
        for definition in gyre.optim._optim.optimizers:
            cls = getattr(gyre.optim, definition.class_name)
            if definition.on_manifolds:
                cls([p])
            else:
                with self.assertRaisesRegex(gyre.ValueError, "use a Riemannian optimiser"):
                    cls([p])

    def test_optimisers_find_means(self):
        for manifold in every_manifold():
            for definition in gyre.optim._optim.optimizers:
                if not definition.on_manifolds:
                    continue
                given = points(manifold)
                p = spaces.ManifoldParameter(given[:1].clone(), manifold)
                optimizer = getattr(gyre.optim, definition.class_name)([p], lr=0.1)
                for step in range(150):
                    optimizer.lr = 0.1 * 0.96 ** max(0, step - 60)
                    optimizer.zero_grad()
                    manifold.dist2(p, given).mean().backward()
                    optimizer.step()
                with gyre.no_grad():
                    pull = manifold.log(p.expand(given.shape), given).mean(0)
                self.assertLess(float(pull.abs().max()), 2e-3, f"{definition.name} on {manifold}")

    def test_in_a_module(self):
        class Net(gyre.nn.Module):
            def __init__(self, manifold):
                super().__init__()
                self.points = spaces.ManifoldParameter(points(manifold).clone(), manifold)

        net = Net(spaces.Klein(0.7))
        self.assertEqual([name for name, _ in net.named_parameters()], ["points"])
        optimizer = gyre.optim.RiemannianAdam(net.parameters(), lr=0.1)
        other = Net(spaces.Klein(0.7))
        again = gyre.optim.RiemannianAdam(other.parameters(), lr=0.1)
        for step in range(6):
            if step == 3:
                other.load_state_dict({name: t.clone() for name, t in net.state_dict().items()})
                again.load_state_dict(pickle.loads(pickle.dumps(optimizer.state_dict())))
            for n, o in ((net, optimizer), (other, again)):
                n.points.grad = gyre.sin(gyre.arange(n.points.size, dtype="f64") + step).reshape(n.points.shape)
                o.step()
        self.assertEqual(net.points.tolist(), other.points.tolist())

    def test_copies_of_modules_train_as_the_module_would(self):
        net, wanted = Net(), told(trained(Net()))
        before = told(net)
        self.assertNotEqual(before["c"], wanted["c"])
        self.assertIs(net.ball.c, net.c)
        for copied in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
            self.assertEqual(told(trained(copied)), wanted)
            self.assertEqual((told(net), repr(net.ball)), (before, "PoincareBall(c=0.7)"))
        self.assertEqual(told(trained(net)), wanted)
        net.space = None  # only the manifolds refer to their curvature
        del net.c
        copied = copy.deepcopy(net)
        self.assertIs(copied.ball.c, spaces.manifold_of(copied.inside).c)
        self.assertIs(copied.ball.c, spaces.manifold_of(copied.both).parts[1][0].c)
        self.assertIsNot(copied.ball.c, net.ball.c)
        made_of_ops = spaces.ManifoldParameter(gyre.zeros(1, 2), spaces.PoincareBall(net.ball.c * 2))
        with self.assertRaisesRegex(gyre.ValueError, "tracked by autograd"):
            copy.deepcopy(made_of_ops)

    def test_casts_take_the_curvature_along(self):
        net, other = Net().to("f32"), Net()
        self.assertEqual({str(p.dtype) for p in net.parameters()}, {"DType.f32"})
        net.to("f64")
        for manifold in (net.ball, net.space.parts[1][0], spaces.manifold_of(net.inside)):
            self.assertIs(manifold.c, net.c)
        with gyre.no_grad():
            for p, q in zip(other.parameters(), net.parameters()):
                q.mul_(0.5)
                p.copy_(q)
        self.assertEqual((repr(net.ball), repr(net.space)), (repr(other.ball), repr(other.space)))
        self.assertEqual(told(trained(net)), told(trained(other)))
        self.assertNotEqual(net.c.item(), 0.35)
        self.assertEqual(repr(spaces.manifold_of(net.inside)), repr(net.ball))

    def test_every_manifold_of_a_module_follows_casts(self):
        buffer = OfSeveralSpaces("buffer", 0.7).to("f64")
        buffer.c.fill_(0.5)
        for manifold in (buffer.disk, spaces.manifold_of(buffer.p).parts[0][0].parts[0][0]):
            self.assertEqual(repr(manifold.c), repr(buffer.c))
        for kind in ("learned", "frozen"):
            for curvature in (0.7, [0.7]):
                model = OfSeveralSpaces(kind, curvature)
                for dtype in ("f64", "f64", "f32"):
                    model.to(dtype)
                    for twin in (model, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
                        for product in (twin.known, spaces.manifold_of(twin.p)):
                            self.assertIs(product.parts[0][0].parts[0][0].c, twin.c)
                            for c in (0.5, 0.7):
                                with gyre.no_grad():
                                    twin.c.fill_(c)
                                self.assertAlmostEqual(product.dist0(twin.p).item(), twin.disk.dist0(twin.p).item(),
                                                       12 if dtype == "f64" else 6)
                                self.assertEqual(twin.disk.c.item(), c if dtype == "f64" else twin.c.item())

    def test_calls_with_another_curvature(self):
        net, other = Net(), Net()
        with gyre.no_grad():
            other.c.mul_(0.5)
        given = gyre.tensor(0.35, dtype="f64", requires_grad=True)
        wanted = other()
        wanted.backward()
        got = gyre.nn.functional_call(net, {"c": given}, ())
        got.backward()
        self.assertEqual((got.item(), given.grad.item()), (wanted.item(), other.c.grad.item()))
        self.assertIsNone(net.c.grad)
        self.assertEqual(repr(net.ball), "PoincareBall(c=0.7)")
        two = gyre.tensor([0.35, 0.7], dtype="f64")
        several = gyre.func.vmap(lambda c: gyre.nn.functional_call(net, {"c": c}, ()))(two)
        for got, c in zip(several.tolist(), (0.35, 0.7)):
            with gyre.no_grad():
                other.c.fill_(c)
            self.assertAlmostEqual(got, other().item(), 12)
        x = points(spaces.Klein(0.7))
        of_each = gyre.func.vmap(lambda c: spaces.Klein(c).dist0(x))(two)
        for got, c in zip(of_each, (0.35, 0.7)):
            self.assertLess((got - spaces.Klein(c).dist0(x)).abs().max().item(), 1e-15)
        kept = []
        net.forward = lambda: kept.append(spaces.manifold_of(net.inside).c)
        gyre.nn.functional_call(net, {"c": given}, ())
        self.assertIs(dict(net.named_parameters())["c"], net.c)
        self.assertIsNot(kept[0], net.c)

    def test_lent_curvatures_are_not_kept(self):
        net = Net()

        def called(c):
            return gyre.nn.functional_call(net, {"c": c}, ())

        for call in (called, lambda c: gyre.func.vmap(called)(gyre.stack([c, c]))):
            half = numpy.array(0.5)
            history = weakref.ref(half)
            lent = gyre.tensor(0.7, dtype="f64", requires_grad=True) * gyre.asarray(half)
            del half
            call(lent)
            self.assertIsNotNone(history())
            del lent
            self.assertIsNone(history())
        texts = []
        gyre.func.vmap(lambda c: texts.append(repr(spaces.Klein(c))) or c)(gyre.ones(2))
        self.assertEqual(texts, ["Klein(c=a slice of a batch inside vmap())"])

    def test_curvatures_in_a_list_have_all_digits(self):
        x = points(spaces.PoincareBall(0.1))
        self.assertEqual(spaces.PoincareBall([0.1]).dist0(x).tolist(), spaces.PoincareBall(0.1).dist0(x).tolist())
        self.assertIs(spaces.PoincareBall([0.1]).dist0(x.float()).dtype, gyre.f32)

    def beside_a_curvature(self, trained, ball, points, after=lambda: None):
        """How many of 60 steps that push points apart were applied, with a learned curvature."""
        optimizer = gyre.optim.RiemannianAdam(trained, lr=0.05)
        applied = 0
        for _ in range(60):
            optimizer.zero_grad()
            gyre.cross_entropy(-ball().cdist(points(), points())[[0, 0, 1, 1]], [1, 2, 3, 4]).backward()
            applied += optimizer.step().applied
            after()
        return applied

    def test_points_beside_a_curvature_that_grows(self):
        gyre.manual_seed(1)
        start = gyre.randn(8, 2) * 0.01
        c = gyre.nn.Parameter(gyre.tensor(1.0))
        ball = spaces.PoincareBall(c)
        p = spaces.ManifoldParameter(start, ball)

        def bring_back():
            with gyre.no_grad():
                p.copy_(ball.project(p))

        self.assertEqual(self.beside_a_curvature([p, c], lambda: ball, lambda: p, bring_back), 60)
        self.assertGreater(c.item(), 3)
        ball.require_points(p.detach())
        curvature = spaces.Curvature(c=1.0)
        z = spaces.TangentParameter(start, spaces.PoincareBall())
        now = lambda: spaces.PoincareBall(curvature())  # noqa: E731
        self.assertEqual(self.beside_a_curvature([z, *curvature.parameters()], now, lambda: now().exp0(z)), 60)

    def test_tangent_parameter(self):
        ball = spaces.PoincareBall(0.7)
        z = spaces.TangentParameter(points(ball), ball)
        self.assertLess(float((ball.exp0(z) - points(ball)).abs().max()), 1e-12)
        gyre.optim.SGD([z])
        with self.assertRaises(gyre.ValueError):
            spaces.TangentParameter([[2.0, 0.0]], ball)


if gyre:
    class Net(gyre.nn.Module):
        """Points of several manifolds that share a learned curvature."""

        def __init__(self):
            super().__init__()
            self.c = gyre.nn.Parameter(gyre.tensor(0.7, dtype="f64"))
            self.ball = spaces.PoincareBall(self.c)
            self.space = spaces.Product((self.ball, 2), (spaces.Lorentz(self.c), 3))
            self.inside, self.both = (spaces.ManifoldParameter(points(m).detach(), m) for m in (self.ball, self.space))

        def forward(self):
            return self.ball.dist0(self.inside).sum() + self.space.cdist(self.both, self.both).sum()


def trained(net):
    optimizers = (gyre.optim.RiemannianSGD([net.inside, net.both], lr=0.05, momentum=0.5),
                  gyre.optim.SGD([net.c], lr=0.01))
    for _ in range(4):
        for optimizer in optimizers:
            optimizer.zero_grad()
        net().backward()
        for optimizer in optimizers:
            optimizer.step()
    return net


def told(net):
    return {name: p.tolist() for name, p in net.named_parameters()}


class Aliases(unittest.TestCase):
    def test_have_the_names_of_the_older_api(self):
        older = ("mobius_add mobius_sub mobius_scalar mobius_matvec mobius_pointwise expmap logmap expmap0 logmap0 "
                 "poincare_distance lorentz_distance klein_distance").split()
        aliases = dict(gyre._gyre._aliases)
        self.assertEqual([name for name in older if name not in aliases], [])
        x = [[0.1, 0.2], [0.3, -0.1]]
        turn = [[0.0, 1.0], [-1.0, 0.0]]
        self.assertEqual(gyre.mobius_matvec(turn, x, 1.0).tolist(), gyre.poincare_matvec(turn, x, 1.0).tolist())
        self.assertEqual(gyre.mobius_pointwise(x, 1.0, f="sin").tolist(),
                         gyre.poincare_pointwise(x, 1.0, f="sin").tolist())

    def test_older_names_are_ops(self):
        aliases = gyre._gyre._aliases
        self.assertGreaterEqual(len(aliases), 10)
        for name, op in aliases:
            if name not in gyre._functions.functions:  # with more arguments than the op
                self.assertIs(getattr(gyre, name), op)
            self.assertIn(op, gyre.ops())


if __name__ == "__main__":
    unittest.main()
