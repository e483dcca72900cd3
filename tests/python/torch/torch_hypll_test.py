"""gyre.torch.hypll: HypLL's interface. Formulas, layers, optimisers and a program against HypLL in f64 where it is
installed; tensors, files, properties and errors always."""

import copy
import io
import pickle
import sys
import unittest
import unittest.mock

from common import torch
from geoopt_cases import Case, normal, set_up, tear_down

if torch:
    import gyre.torch.hypll as ours
    from gyre.torch.hypll.manifolds.euclidean import Euclidean
    from gyre.torch.hypll.manifolds.poincare_ball import Curvature, PoincareBall
    from gyre.torch.hypll.tensors import ManifoldParameter, ManifoldTensor, TangentTensor
    from gyre.torch.hypll.utils import layer_utils, tensor_utils
try:
    import hypll.nn
    import hypll.optim
    from hypll.manifolds import euclidean as their_space
    from hypll.manifolds import poincare_ball as their_ball
except ImportError:
    hypll = None

setUpModule, tearDownModule = set_up, tear_down


def ball(learned=False):
    return PoincareBall(Curvature(0.3, requires_grad=learned))


class Both(Case):
    """Runs a function with HypLL's names in both libraries."""

    def setUp(self):
        if not hypll:
            self.skipTest("hypll is not installed; scripts/test --with-torch installs it")

    def both(self, function, bound=1e-8):
        values = []
        for library, spaces, curved in ((ours, (Euclidean,), (PoincareBall, Curvature)),
                                        (hypll, (their_space.Euclidean,),
                                         (their_ball.PoincareBall, their_ball.Curvature))):
            torch.manual_seed(0)
            values.append(function(library, curved[0](curved[1](0.3, requires_grad=True)).double(), spaces[0]()))
        for number, (got, wanted) in enumerate(zip(*values)):
            self.close(*(plain(x) for x in (got, wanted)), f"value {number}", bound)
            if hasattr(wanted, "man_dim"):
                self.assertEqual(got.man_dim, wanted.man_dim)
        self.assertEqual(*map(len, values))


def plain(x):
    return x.tensor if hasattr(x, "man_dim") else x


class Formulas(Both):
    def test_points_and_tangent_vectors(self):
        def values(library, ball, space):
            tensors = library.tensors
            for manifold in (ball, space):
                for shape, dim in (((5, 3), -1), ((5, 3), 0), ((2, 3, 4, 2), 1)):
                    x, y = (tensors.ManifoldTensor(normal(*shape, seed=s, size=0.2), manifold, dim) for s in (1, 2))
                    u, v = (tensors.TangentTensor(normal(*shape, seed=s), x, man_dim=dim) for s in (3, 4))
                    at0 = tensors.TangentTensor(normal(*shape, seed=5), manifold=manifold, man_dim=dim)
                    yield from (manifold.expmap(u), manifold.expmap(at0), manifold.logmap(x, y),
                                manifold.logmap(None, y), manifold.transp(u, y), manifold.dist(x, y),
                                manifold.inner(u, v, keepdim=True), manifold.euc_to_tangent(x, y),
                                manifold.project(tensors.ManifoldTensor(9 * x.tensor, manifold, dim)))
                    if manifold is ball:
                        yield from (ball.mobius_add(x, y), ball.gyration(x, y, x))
                row = tensors.ManifoldTensor(normal(3, seed=6), manifold)
                rows = tensors.ManifoldTensor(normal(5, 3, seed=7), manifold)
                yield from (manifold.dist(row, rows), manifold.logmap(row, rows), manifold.logmap(rows, row),
                            manifold.expmap(tensors.TangentTensor(normal(3), rows)))
                batches = [tensors.ManifoldTensor(normal(2, n, 3, seed=n), manifold) for n in (4, 5)]
                yield manifold.cdist(*batches)

        self.both(lambda *given: list(values(*given)))

    def test_sets_and_shapes(self):
        def values(library, ball, space):
            for manifold in (ball, space):
                for shape, dim, over in (((6, 3), -1, 0), ((4, 3, 5), 1, [0, 2]), ((4, 3, 5), 1, 2)):
                    x = library.tensors.ManifoldTensor(normal(*shape, size=0.15), manifold, dim)
                    for keepdim in (False, True):
                        mean = manifold.frechet_mean(x, over, keepdim)
                        # HypLL's man_dim of its Fréchet mean is without keepdim
                        yield from (mean.tensor if keepdim else mean, manifold.midpoint(x, over, keepdim=keepdim))
                        if manifold is space:
                            yield manifold.frechet_variance(x, copy.copy(mean), over, keepdim)
                        if dim == -1:  # HypLL's distances on the ball lack the dimension of the coordinates
                            yield manifold.frechet_variance(x, None, over, keepdim)
                for dim, start, end in ((1, 1, -1), (1, 1, 2), (2, 1, -1), (2, 1, 2), (0, 1, -1), (2, 0, 1), (3, 0, 1)):
                    x = library.tensors.ManifoldTensor(normal(2, 3, 4, 5, size=0.15), manifold, dim)
                    if manifold is space or not start < dim <= end % 4:  # where HypLL miscounts the coordinates
                        yield manifold.flatten(x, start, end)
                x = library.tensors.ManifoldTensor(normal(2, 3, 6, 5, size=0.15), manifold, 1)
                yield manifold.unfold(x, (2, 3), padding=1, stride=2)
                parts = [library.tensors.ManifoldTensor(normal(4, n), manifold, 1) for n in (2, 3)]
                yield manifold.cat(parts, 1)
                yield manifold.cat([parts[0], parts[0]], 0)
            weights = normal(6, 1, seed=8).abs()
            x = library.tensors.ManifoldTensor(normal(6, 3), ball)
            yield ball.midpoint(x, 0, weights)
            rows, planes = (library.tensors.ManifoldTensor(normal(*shape, size=0.15), ball, dim)
                            for shape, dim in (((6, 3), 1), ((3, 4), 0)))
            for r in (None, normal(4, seed=9)):
                yield ball.hyperplane_dists(rows, planes, r)
                yield space.hyperplane_dists(rows, planes, r)

        self.both(lambda *given: list(values(*given)), bound=1e-7)

    def test_beta(self):
        from gyre.torch.hypll.utils.math import beta_func
        self.assertAlmostEqual(beta_func(1.5, 0.5), hypll.utils.math.beta_func(1.5, 0.5), places=12)
        sizes = torch.tensor([1.0, 2.0])
        self.close(beta_func(sizes, 0.5), hypll.utils.math.beta_func(sizes, 0.5))


def network(hnn, manifold):
    return torch.nn.Sequential(
        hnn.HConvolution2d(3, 6, 3, manifold), hnn.HBatchNorm2d(6, manifold), hnn.HReLU(manifold),
        hnn.HMaxPool2d(2, manifold), hnn.HConvolution2d(6, 8, (2, 1), manifold, padding=1, stride=2),
        hnn.HBatchNorm2d(8, manifold, use_midpoint=True), hnn.HAvgPool2d(2, manifold, use_midpoint=True),
        hnn.HFlatten(), hnn.HLinear(8, 8, manifold), hnn.HLinear(8, 5, manifold, bias=False))


def train(library, manifold, model, optimizer, steps):
    images, labels = normal(6, 3, 8, 8).float(), torch.arange(6) % 5
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        vectors = library.tensors.TangentTensor(images, manifold=manifold, man_dim=1)
        loss = torch.nn.functional.cross_entropy(model(manifold.expmap(vectors)).tensor, labels)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


class Layers(Both):
    def test_results_and_gradients(self):
        def values(library, ball, space):
            hnn, tensors = library.nn, library.tensors
            for manifold in (ball, space):
                for make, shape, dim in (
                        (lambda: hnn.HLinear(3, 4, manifold), (5, 3), -1),
                        (lambda: hnn.HLinear(4, 2, manifold, bias=False), (2, 5, 4), -1),
                        (lambda: hnn.HConvolution2d(3, 4, 2, manifold, stride=2, padding=1), (2, 3, 4, 6), 1),
                        (lambda: hnn.HReLU(manifold), (5, 3), -1),
                        (lambda: hnn.HMaxPool2d(2, manifold, 1, 1), (2, 3, 4, 4), 1),
                        (lambda: hnn.HAvgPool2d(2, manifold, padding=1), (2, 3, 4, 4), 1),
                        (lambda: hnn.HBatchNorm(3, manifold), (6, 3), -1),
                        (lambda: hnn.HBatchNorm2d(3, manifold, True), (4, 3, 2, 2), 1),
                        (lambda: hnn.HFlatten(), (2, 3, 2, 2), 1),
                        (lambda: hnn.ChangeManifold(space), (5, 3), -1),
                        (lambda: hnn.TangentSequential(torch.nn.Sequential(torch.nn.Linear(3, 4)), manifold),
                         (5, 3), -1)):
                    layer = make()
                    data = normal(*shape, size=0.2).requires_grad_()
                    y = layer(tensors.ManifoldTensor(data, manifold, dim))
                    leaves = [data, *(plain(p) for p in layer.parameters() if p.requires_grad)]
                    loss = (y.tensor * normal(*y.tensor.shape, seed=2)).sum()
                    yield from (y, *torch.autograd.grad(loss, leaves, allow_unused=True))
            embedding = hnn.HEmbedding(10, 3, ball)
            yield from (embedding.weight, embedding(torch.tensor([[1, 2], [3, 3]])))

        def present(values):
            return [x for x in values if x is not None]

        self.both(lambda *given: present(values(*given)), bound=1e-6)

    def test_a_program(self):
        def losses(library, ball, space):
            torch.set_default_dtype(torch.float32)
            try:
                for make in (lambda p: library.optim.RiemannianAdam(p, lr=0.01),
                             lambda p: library.optim.RiemannianSGD(p, lr=0.1)):
                    model = network(library.nn, ball.float())
                    yield torch.tensor(train(library, ball, model, make(model.parameters()), 8))
            finally:
                torch.set_default_dtype(torch.float64)

        self.both(lambda *given: list(losses(*given)), bound=1e-4)

    def test_optimisers(self):
        def values(library, ball, space):
            for make in (lambda p: library.optim.RiemannianAdam(p, 0.1, (0.8, 0.9), 1e-6, 0.01),
                         lambda p: library.optim.RiemannianAdam(p, 0.1, amsgrad=True),
                         lambda p: library.optim.RiemannianSGD(p, 0.1, weight_decay=0.1)):
                yield from steps(library, make, [(ball, -1), (ball, 0), (space, 0)])
            for options in (dict(momentum=0.9, dampening=0.1), dict(momentum=0.9, nesterov=True)):
                yield from steps(library, lambda p: library.optim.RiemannianSGD(p, 0.1, **options), [(space, -1)])

        def steps(library, make, places):
            points = [library.tensors.ManifoldParameter(normal(4, 3, seed=s), manifold, dim)
                      for s, (manifold, dim) in enumerate(places)]
            rows = torch.nn.Parameter(normal(4, 3, seed=7))
            optimizer = make([*points, rows])
            for step in range(4):
                for s, p in enumerate([*(p.tensor for p in points), rows]):
                    p.grad = normal(4, 3, seed=10 * step + s)
                optimizer.step()
            yield from (p.detach() for p in (*(p.tensor for p in points), rows))

        self.both(lambda *given: list(values(*given)))


class Tensors(Case):
    def test_indices(self):
        x = ManifoldTensor(torch.arange(2 * 3 * 4 * 5.0).reshape(2, 3, 4, 5), ball(), man_dim=2)
        for index, man_dim in ((0, 1), (-1, 1), (torch.tensor(1), 1), ((0, None, [0, 2]), 2), ((..., 1), 2),
                               ((slice(None), torch.tensor([[0, 1], [2, 0]])), 3), (torch.ones(2, 3).bool(), 1),
                               ((None, ..., slice(1, 3), 0), 3), (slice(0, 1), 2), ([0, 1, 1], 2), ((0, 0), 0)):
            self.assertTrue(torch.equal(x[index].tensor, x.tensor[index]), index)
            self.assertEqual(x[index].man_dim, man_dim, index)
        for index in ((0, 0, 0), (slice(None), slice(None), [0, 1]), torch.ones(2, 3, 4).bool()):
            with self.assertRaisesRegex(ValueError, "has the coordinates"):
                x[index]
        with self.assertRaisesRegex(ValueError, "at most one tensor"):
            x[[0, 1], [0, 1]]

    def test_shapes(self):
        x = ManifoldTensor(normal(2, 1, 3, 1), ball(), man_dim=-2)
        self.assertEqual((x.man_dim, x.dim(), x.shape, x.size(-2)), (2, 4, (2, 1, 3, 1), 3))
        for y, man_dim in ((x.squeeze(), 1), (x.squeeze(1), 1), (x.squeeze(-1), 2), (x.squeeze(0), 2),
                           (x.unsqueeze(0), 3), (x.unsqueeze(-1), 2), (x.transpose(1, 2), 1), (x.transpose(-1, 0), 2),
                           (x.flatten(0, 1), 1), (x.detach(), 2), (x.cpu(), 2), (x.to(torch.float32), 2),
                           (x.project(), 2)):
            self.assertEqual((y.man_dim, y.size(y.man_dim)), (man_dim, 3))
        self.assertEqual((x.to(torch.float32).dtype, x.is_cpu, x.is_floating_point()), (torch.float32, True, True))
        for dim in (2, -2):
            with self.assertRaisesRegex(ValueError, "other than 2"):
                x.squeeze(dim)
        with self.assertRaisesRegex(ValueError, "man_dim from -4 to 3"):
            ManifoldTensor(x.tensor, ball(), man_dim=4)
        self.assertTrue(ManifoldTensor([1.0, 2.0], ball(), requires_grad=True).tensor.requires_grad)
        self.assertFalse(ManifoldTensor([1.0, 2.0], ball()).tensor.requires_grad)
        data = normal(3)
        self.assertTrue(ManifoldTensor(data, ball(), requires_grad=True).tensor.requires_grad)
        self.assertFalse(data.requires_grad)

    def test_tangent_vectors(self):
        m = ball()
        points = ManifoldTensor(normal(5, 3), m)
        v = TangentTensor(normal(3), points, m)
        self.assertEqual((v.size(), v.size(0), v.shape, v.dim(), v.broadcasted_man_dim), ((5, 3), 5, (5, 3), 2, 1))
        for moved in (v.to(torch.float32), v.cpu()):
            self.assertEqual((moved.dtype, moved.manifold_points.dtype), (moved.dtype,) * 2)
        zero = ManifoldTensor(torch.zeros(5, 3), m)
        at0, from0 = TangentTensor(normal(5, 3), manifold=m), TangentTensor(normal(5, 3), zero)
        self.close(m.inner(at0, at0), m.inner(from0, from0))
        self.close(m.transp(at0, points).tensor, m.transp(from0, points).tensor)
        for arguments, message in (((normal(3), None, None), "got neither"), ((normal(4), points), "that broadcast"),
                                   ((normal(5, 3), points, ball()), "points of the manifold"),
                                   ((normal(5, 3), points, m, 0), "along the same dimension")):
            with self.assertRaisesRegex(ValueError, message):
                TangentTensor(*arguments)

    def test_functions_and_methods_of_tensors_are_refused(self):
        m = ball()
        for x in (ManifoldTensor(normal(3), m), ManifoldParameter(normal(3), m), TangentTensor(normal(3), manifold=m)):
            with self.assertRaisesRegex(TypeError, "pass its .tensor"):
                torch.norm(x)
            with self.assertRaisesRegex((AttributeError, TypeError), "tensor"):
                x.mean()
            with self.assertRaisesRegex(AttributeError, "no_such_name"):
                x.no_such_name
            self.assertIn("man_dim=0", repr(x))
            self.assertEqual(x.dtype, torch.float64)

    def test_parameters_in_modules(self):
        m = ball(learned=True)
        model = torch.nn.Sequential(ours.nn.HLinear(3, 4, m), ours.nn.HLinear(4, 4, m))
        self.assertEqual([name for name, _ in model.named_parameters()],
                         ["0.z", "0.bias", "0.manifold.c.value", "1.z", "1.bias"])
        x = ManifoldTensor(normal(5, 3), m)
        model(x).tensor.sum().backward()
        self.assertIs(model[0].z.grad, model[0].z.tensor.grad)
        model.zero_grad()
        self.assertIsNone(model[0].z.tensor.grad)
        self.assertFalse(model.requires_grad_(False)[0].z.tensor.requires_grad)
        twin = copy.deepcopy(model)
        self.assertIs(twin[0].manifold, twin[1].manifold)
        self.assertIsNot(twin[0].manifold, m)
        again = pickle.loads(pickle.dumps(model))
        for other in (twin, again):
            self.close(other(ManifoldTensor(x.tensor, other[0].manifold)).tensor, model(x).tensor)
            self.assertEqual(other[0].z.man_dim, 0)
        self.assertEqual(model.float()[0].z.dtype, torch.float32)
        self.assertEqual(model.to(torch.float64)[0].z.tensor.dtype, torch.float64)
        given = torch.nn.Parameter(normal(3))
        self.assertIs(ManifoldParameter(given, m).tensor, given)

    def test_state_dicts_and_files(self):
        m, file = ball(), io.BytesIO()
        model, other = (ours.nn.HEmbedding(4, 3, m) for _ in range(2))
        torch.save(model.state_dict(), file)
        for options in ({}, {"weights_only": False}):
            file.seek(0)
            other.reset_parameters()
            other.load_state_dict(torch.load(file, **options))
            self.close(other.weight.tensor.detach(), model.weight.tensor.detach())
        other.load_state_dict({"weight": torch.zeros(4, 3)}, strict=False)
        self.assertEqual(other.weight.tensor.abs().max(), 0)

    def test_modules_by_hypll_names(self):
        names = [name for name in sys.modules if name.partition(".")[0] == "hypll"]
        with unittest.mock.patch.dict(sys.modules):
            for name in names:
                del sys.modules[name]
            sys.modules["hypll"] = ours
            from hypll.manifolds.poincare_ball.manifold import PoincareBall as named
            from hypll.nn.modules.linear import HLinear
            self.assertIs(named, PoincareBall)
            self.assertIs(HLinear, ours.nn.HLinear)


class Programs(Case):
    def test_training_lowers_the_loss(self):
        torch.set_default_dtype(torch.float32)
        try:
            torch.manual_seed(0)
            m = ball(learned=True)
            model = network(ours.nn, m)
            before = m.c.value.item()
            losses = train(ours, m, model, ours.optim.RiemannianAdam(model.parameters(), lr=0.02), 12)
            self.assertLess(losses[-1], 0.9 * losses[0])
            self.assertNotEqual(m.c.value.item(), before)
        finally:
            torch.set_default_dtype(torch.float64)

    def test_momentum_is_transported(self):
        m = ball()
        points = ManifoldParameter(normal(3, 2), m)
        places = m.expmap(TangentTensor(normal(3, 2, seed=2), manifold=m))
        optimizer = ours.optim.RiemannianSGD([points], lr=0.05, momentum=0.9)
        before = optimizer.state_dict()
        for _ in range(60):
            optimizer.zero_grad()
            m.dist(points, places).square().sum().backward()
            optimizer.step()
        self.assertLess(m.dist(points, places).max().item(), 0.05)
        self.assertEqual(before["param_groups"][0]["params"], [0])
        other = ours.optim.RiemannianSGD([("points", points)], lr=0.05, momentum=0.9)
        other.load_state_dict(optimizer.state_dict())
        buffers = [o.state[points.tensor]["momentum_buffer"] for o in (optimizer, other)]
        self.close(*buffers)

    def test_layers_beyond_hypll(self):
        m = ball()
        x = ManifoldTensor(normal(2, 3, 4, 4), m, 1)
        points, indices = ours.nn.HMaxPool2d(2, m, return_indices=True)(x)
        self.assertEqual((points.man_dim, indices.shape), (1, (2, 3, 2, 2)))
        self.assertEqual(ours.nn.HAvgPool2d(2, m, stride=1)(x).shape, (2, 3, 3, 3))
        self.assertEqual(ours.nn.HUnfold(2, m)(x).shape, (2, 12, 9))
        drawn = ours.nn.HConvolution2d(3, 40, 2, m, id_init=False).weights.tensor
        self.assertGreater(drawn.std().item(), 0.02)
        self.assertLess(drawn.max().item(), 0.3)
        space = Euclidean()
        rows, weights = ManifoldTensor(normal(6, 3), space), normal(6, 1, seed=3).abs()
        self.close(space.midpoint(rows, 0, weights).tensor, (weights * rows.tensor).sum(0) / weights.sum())
        for dim in (1, 2):  # concatenation keeps the distance from the origin on average
            flat = m.flatten(ManifoldTensor(normal(200, 4, 4, size=0.1), m, dim))
            self.assertEqual((flat.shape, flat.man_dim), ((200, 16), 1))
            points = ManifoldTensor(normal(200, 4, size=0.1), m)
            joined, single = (m.logmap(None, x).tensor.norm(dim=-1).mean() for x in (flat, points))
            self.assertAlmostEqual((joined / single).item(), 1, delta=0.15)
        self.close(m.inner(TangentTensor(normal(6, 3), manifold=m), TangentTensor(normal(6, 3), manifold=m)),
                   4 * normal(6, 3).square().sum(-1))

    def test_errors(self):
        m, space = ball(), Euclidean()
        x, columns = ManifoldTensor(normal(4, 3), m), ManifoldTensor(normal(4, 3), m, 0)
        layer = ours.nn.HLinear(3, 2, m)
        vectors = TangentTensor(normal(4, 3), x), TangentTensor(normal(4, 3), ManifoldTensor(normal(4, 3, seed=2), m))
        at0 = TangentTensor(normal(4, 3), manifold=m)
        sparse = ManifoldParameter(normal(4, 3), m)
        sparse.tensor.grad = torch.eye(4, 3).to_sparse()
        for kind, message, call in (
                (TypeError, "expected a Curvature as c, got float", lambda: PoincareBall(1.0)),
                (ValueError, "same manifold object", lambda: layer(ManifoldTensor(normal(4, 3), ball()))),
                (ValueError, "HLinear: expected an input with man_dim -1", lambda: layer(columns)),
                (ValueError, "got .4, 3., .5, 3.", lambda: m.dist(x, ManifoldTensor(normal(5, 3), m))),
                (ValueError, "same manifold dimension in all arguments", lambda: m.dist(x, columns)),
                (ValueError, "same manifold dimension in all tensors", lambda: m.cat([x, columns])),
                (ValueError, "some at the origin", lambda: m.inner(vectors[0], at0)),
                (ValueError, "different manifold_points", lambda: m.inner(*vectors)),
                (ValueError, "batch_dim other than 1", lambda: m.frechet_mean(x, 1)),
                (ValueError, "batch_dim from -2 to 1", lambda: m.midpoint(x, 2)),
                (ValueError, "expected a mean", lambda: m.frechet_variance(x, columns, 0)),
                (ValueError, "hyperplanes with man_dim 0", lambda: m.hyperplane_dists(x, x, None)),
                (ValueError, "weights with man_dim 0", lambda: m.fully_connected(x, x, None)),
                (ValueError, "start_dim from", lambda: m.flatten(x, 2)),
                (ValueError, "lr", lambda: ours.optim.RiemannianAdam([sparse], lr=-1)),
                (ValueError, "beta", lambda: ours.optim.RiemannianAdam([sparse], 0.1, betas=(1, 0))),
                (ValueError, "momentum", lambda: ours.optim.RiemannianSGD([sparse], 0.1, nesterov=True)),
                (TypeError, "got a set", lambda: ours.optim.RiemannianSGD([{"params": {sparse}}], 0.1)),
                (RuntimeError, "dense gradient", lambda: ours.optim.RiemannianAdam([sparse], 0.1).step()),
                (ValueError, "expected points of its own", lambda: ours.nn.HReLU(space)(x))):
            with self.subTest(message), self.assertRaisesRegex(kind, message):
                call()
        m.inner(*vectors, safe_mode=False)
        tensor_utils.check_tangent_tensor_positions(at0, at0)
        layer_utils.check_if_man_dims_match(layer, 1, x)


if __name__ == "__main__":
    unittest.main()
