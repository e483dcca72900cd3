"""gyre.torch.geoopt: tensors and parameters on manifolds, their files, optimisers, samplers, errors, and programs
that import it as geoopt."""

import copy
import io
import pickle
import sys
import unittest
import unittest.mock
import warnings

from common import torch
from geoopt_cases import DIM, Case, normal, set_up, tear_down

if torch:
    import gyre.torch.geoopt as ours
    from gyre.torch.geoopt.manifolds import lorentz, stereographic

setUpModule, tearDownModule = set_up, tear_down


class Tensors(Case):
    def tensors(self):
        subspace = normal(DIM, 1, seed=9)
        for manifold in (ours.PoincareBall(0.7), ours.Lorentz(learnable=True), ours.Sphere(complement=subspace),
                         ours.Scaled(ours.PoincareBall(), 2.0),
                         ours.ProductManifold((ours.Sphere(), 2), (ours.PoincareBall(), 2))):
            points = manifold.projx(normal(3, DIM))
            yield ours.ManifoldTensor(points, manifold=manifold)
            yield ours.ManifoldParameter(points, manifold=manifold)

    def test_copies_and_files(self):
        def saved(x, **options):
            file = io.BytesIO()
            torch.save(x, file)
            file.seek(0)
            return torch.load(file, **options)

        for x in self.tensors():
            for copied in (copy.deepcopy(x), copy.copy(x), pickle.loads(pickle.dumps(x)),
                           saved(x, weights_only=True), saved(x, weights_only=False)):
                self.assertIs(type(copied), type(x))
                self.assertEqual(copied.requires_grad, x.requires_grad)
                self.assertEqual(repr(copied.manifold), repr(x.manifold))
                self.close(copied.data, x.data)
                self.close(copied.manifold.inner(copied, copied), x.manifold.inner(x, x))
            self.assertIsNot(copy.deepcopy(x).manifold, x.manifold)

    def test_a_module_with_points_and_their_manifold(self):
        class Net(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.ball = ours.PoincareBall(learnable=True)
                self.points = ours.ManifoldParameter(self.ball.random(3, 2), manifold=self.ball)

        net, other = Net(), Net()
        self.assertEqual(sorted(net.state_dict()), ["ball.isp_c", "points"])
        other.load_state_dict(net.state_dict())
        self.close(other.points.data, net.points.data)
        twin = copy.deepcopy(net)
        self.assertIs(twin.points.manifold, twin.ball)
        self.assertEqual(net.float().ball.c.dtype, torch.float32)

    def test_methods(self):
        for x in self.tensors():
            m, u = x.manifold, x.manifold.proju(x, normal(*x.shape, seed=2)).detach()
            for got, wanted in [(x.retr(u), m.retr(x, u)), (x.expmap(u), m.expmap(x, u)), (x.inner(u), m.inner(x, u)),
                                (x.inner(u, v=u, keepdim=True), m.inner(x, u, u, keepdim=True)),
                                (x.proju(u), m.proju(x, u)), (x.retr_transp(u, u), m.retr_transp(x, u, u)),
                                (x.logmap(x.expmap(u)), u), (x.transp(x, u), m.transp(x, x, u)),
                                (x.dist(x.expmap(u), p="g"), m.dist(x, m.expmap(x, u))),
                                (x.expmap_transp(u, u), m.expmap_transp(x, u, u)),
                                (x.transp_follow_expmap(u, u), m.transp_follow_expmap(x, u, u)),
                                (x.transp_follow_retr(u, u), m.transp_follow_retr(x, u, u)),
                                (x.unpack_tensor(), m.unpack_tensor(x))]:
                self.close(got, wanted, repr(m))
            self.assertNotIsInstance(x + 0, ours.ManifoldTensor)
            self.assertIn(" on ", repr(x))
            self.close(x.detach().dist(x.detach() + 1, p=1), torch.tensor(float(x.numel())))
        p = ours.ManifoldParameter(torch.tensor([3.0, 4.0]), manifold=ours.Sphere())
        with torch.no_grad():
            self.close(p.proj_().data, torch.tensor([0.6, 0.8]))
        self.assertEqual(ours.ManifoldParameter().shape, (0,))
        self.assertEqual(ours.ManifoldParameter([1.0, 2.0], requires_grad=False).tolist(), [1.0, 2.0])
        ball = ours.PoincareBall()
        self.assertIs(ours.ManifoldParameter(ball.random(2)).manifold, ball)

    def test_random_points_and_origins(self):
        product = ours.StereographicProductManifold((ours.PoincareBall(), 2), (ours.SphereProjection(), 1))
        for manifold, shape in ((ours.Euclidean(ndim=1), (5, 3)), (ours.Sphere(), (5, 3)), (ours.Stiefel(), (2, 4, 3)),
                                (ours.Stiefel(canonical=False), (4, 3)), (ours.PoincareBall(2.0), (5, 3)),
                                (ours.SphereProjection(), (5, 3)), (ours.Lorentz(2.0), (5, 3)),
                                (ours.Scaled(ours.PoincareBall()), (5, 3)), (product, (5, 3))):
            for made in (manifold.random(*shape), manifold.random(shape), manifold.origin(*shape)):
                self.assertEqual(made.shape, shape)
                self.assertIs(made.manifold, manifold)
                manifold.assert_check_point_on_manifold(made)
        sphere = ours.Sphere()
        state = torch.get_rng_state()
        self.close(sphere.origin(3, 4).data, sphere.origin(3, 4).data)
        self.assertTrue(torch.equal(state, torch.get_rng_state()))
        self.assertFalse(torch.equal(sphere.origin(3, 4, seed=None), sphere.origin(3, 4, seed=None)))
        self.assertEqual(sphere.random(2, 2, dtype=torch.float32).dtype, torch.float32)
        for space in (ours.PoincareBall(0.5), ours.Lorentz(2.0)):
            spread = space.dist0(space.random_normal(4000, 9, std=0.5)).square().mean().sqrt()
            wanted = 0.5 * (2 if isinstance(space, ours.PoincareBall) else 1)  # the ball's metric at 0 is 4
            self.assertAlmostEqual(spread.item(), wanted, delta=0.02)
        product = ours.StereographicProductManifold((ours.PoincareBall(), 2), (ours.SphereProjection(), 2))
        for manifold, d in ((ours.PoincareBall(), 2), (product, 4)):
            mean = manifold.expmap0(torch.full((d,), 0.1))
            drawn = manifold.wrapped_normal(4000, d, mean=mean, std=0.1)
            self.assertAlmostEqual(manifold.dist2(drawn, mean).mean().item(), 0.01 * d, delta=0.002)
        self.close(ours.PoincareBall().origin(2, 3).data, torch.zeros(2, 3))


class Optimisers(Case):
    def test_state_continues(self):
        for make in (lambda p: ours.optim.RiemannianAdam(p, lr=0.1, amsgrad=True),
                     lambda p: ours.optim.RiemannianSGD(p, lr=0.1, momentum=0.9)):
            points = [ours.ManifoldParameter(normal(3, 2), manifold=ours.PoincareBall()) for _ in range(2)]
            optimizers = [make([p]) for p in points]
            for p, optimizer in zip(points, optimizers):
                p.grad = normal(3, 2, seed=2)
                optimizer.step()
            optimizers[1].load_state_dict(copy.deepcopy(optimizers[0].state_dict()))
            for p, optimizer in zip(points, optimizers):
                optimizer.step()
            self.close(points[0].data, points[1].data)
            self.assertTrue(torch.equal(points[0].grad, normal(3, 2, seed=2)), "gradients do not change")

    def test_closures_schedulers_and_stabilize(self):
        p = ours.ManifoldParameter(normal(3, 2), manifold=ours.Sphere())
        optimizer = ours.optim.RiemannianAdam([p], lr=0.1, stabilize=2)
        scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
        optimizer.stabilize()
        self.close(p.norm(dim=-1).detach(), torch.ones(3))

        def closure():
            optimizer.zero_grad()
            loss = p.sum()
            loss.backward()
            return loss

        wanted = p.sum().item()
        with torch.no_grad():  # step() records the closure all the same
            self.assertEqual(optimizer.step(closure).item(), wanted)
        scheduler.step()
        self.assertEqual(optimizer.param_groups[0]["lr"], 0.05)
        self.assertIsInstance(optimizer, torch.optim.Adam)
        optimizer = ours.optim.RiemannianSGD([{"params": [p], "stabilize": 3}], lr=1)
        self.assertEqual(optimizer.param_groups[0]["stabilize"], 3)

    def test_sparse_adam_with_amsgrad_equals_dense_where_all_rows_have_gradients(self):
        ends = []
        for sparse, name in ((True, "SparseRiemannianAdam"), (False, "RiemannianAdam")):
            p = ours.ManifoldParameter(normal(4, 2, seed=1), manifold=ours.PoincareBall())
            optimizer = getattr(ours.optim, name)([p], lr=0.1, amsgrad=True)
            for step in range(5):
                optimizer.zero_grad()
                rows = torch.nn.functional.embedding(torch.arange(4), p, sparse=sparse)
                (rows * normal(4, 2, seed=step)).sum().backward()
                optimizer.step()
            ends.append(p.data)
        self.close(*ends)

    def test_line_search(self):
        a = normal(3, 6, size=1)
        for search in ("armijo", "wolfe"):
            for method in ("steepest", "fr", "pr"):
                stiefel = ours.Stiefel()
                goal = stiefel.random(3, 3) @ a
                x = ours.ManifoldParameter(stiefel.random(3, 3), manifold=stiefel)
                if torch.det(x) * torch.det(goal @ a.mT) < 0:  # the other component
                    x.data[:, 0] *= -1
                optimizer = ours.optim.RiemannianLineSearch([x], search, cg_method=method, stabilize=10)

                def closure():
                    optimizer.zero_grad()
                    loss = (x @ a - goal).square().sum()
                    loss.backward()
                    return loss.item()

                loss = next((loss for loss in (optimizer.step(closure) for _ in range(200)) if loss < 1e-6), None)
                self.assertIsNotNone(loss, f"{search} {method}")
                self.assertTrue(stiefel.check_point_on_manifold(x))

    def test_options_of_line_search(self):
        p = torch.nn.Parameter(torch.tensor([1.0, 2.0]))

        def closure():
            p.grad = None
            loss = p.square().sum()
            loss.backward()
            return loss.item()

        before = p.detach().clone()
        nothing = ours.optim.RiemannianLineSearch([p], lambda phi, derphi, **given: None, fallback_stepsize=0.1)
        self.assertEqual(nothing.step(closure), 5.0)
        self.close(p.detach(), before)
        self.assertAlmostEqual(nothing.step(closure, force_step=True), 5.0 * 0.64)
        fixed = ours.optim.RiemannianLineSearch([p], lambda phi, derphi, **given: 0.25, cg_method=lambda *given: 0)
        loss = closure()
        self.assertEqual(fixed.step(closure, no_step=True), loss)
        self.assertAlmostEqual(fixed.step(closure, recompute_gradients=True), loss / 4)
        self.assertEqual(fixed.step_size_history, [0.25, 0.25])


class Programs(Case):
    def test_import_in_the_place_of_geoopt(self):
        kept = {name: m for name, m in sys.modules.items() if name.partition(".")[0] != "geoopt"}
        with unittest.mock.patch.dict(sys.modules, {**kept, "geoopt": ours}, clear=True):
            import geoopt.manifolds.stereographic.math as formulas
            from geoopt.manifolds.lorentz import math as hyperboloid
            from geoopt.optim import RiemannianAdam
            import geoopt.layers.stereographic as layers
            self.assertIs(formulas, stereographic.math)
            self.assertIs(hyperboloid, lorentz.math)
            self.assertIs(RiemannianAdam, ours.optim.RiemannianAdam)
            self.assertEqual(layers.__name__, layers.__spec__.name)
            with self.assertRaises(ModuleNotFoundError):
                import geoopt.nothing  # noqa: F401
        self.assertNotIn("gyre.", getattr(sys.modules.get("geoopt"), "__name__", ""))

    def test_samplers(self):
        torch.manual_seed(0)
        mean, spread = torch.tensor([0.5, -1.0]), torch.tensor([0.5, 1.5])
        x = torch.nn.Parameter(torch.zeros(2))
        for make, steps in ((lambda p: ours.samplers.RHMC(p, epsilon=0.4, n_steps=4), 250),
                            (lambda p: ours.samplers.RSGLD(p, epsilon=0.3), 1000)):
            sampler, drawn = make([x]), []
            for step in range(steps):
                sampler.burnin = step < steps // 10
                sampler.step(lambda: -(((x - mean) / spread) ** 2).sum() / 2)
                drawn.append(x.detach().clone())
            drawn = torch.stack(drawn)
            self.assertLess((drawn.mean(0) - mean).abs().max().item(), 0.4)
            self.assertLess((drawn.std(0) - spread).abs().max().item(), 0.4)
            self.assertEqual(sampler.steps, len(sampler.log_probs))
            self.assertLess(sampler.rejection_rate, 0.5)
        for manifold in (ours.Stiefel(), ours.PoincareBallExact(),
                         ours.ProductManifold((ours.PoincareBallExact(), 2), (ours.Euclidean(ndim=1), 1))):
            p = ours.ManifoldParameter(manifold.random(4, 3), manifold=manifold)
            sampler = ours.samplers.SGRHMC([p], epsilon=1e-2)
            for _ in range(10):
                sampler.step(lambda: -p.square().sum())
            sampler.stabilize()
            self.assertTrue(manifold.check_point_on_manifold(p))

    def test_data_and_layers(self):
        from gyre.torch.geoopt import datasets, layers
        ball = ours.PoincareBall()
        data = datasets.stereographic.StereographicTreeDataset(ball, 2, 3, numberOfChildren=2, numberOfsiblings=4)
        self.assertEqual((len(data), data.num_classes), (15 * 4, 15))
        point, labels, label = data[5]
        self.assertEqual((point.shape, labels.shape, label), ((2,), (4,), labels.max()))
        self.close(ball.dist(data.origin_data[1], data.origin_data[0]), torch.tensor(1.0))
        planes = layers.stereographic.Distance2StereographicHyperplanes(3, 5, ball=ball)
        x = ball.random(7, 3)
        distances = planes(x)
        self.assertEqual(distances.shape, (7, 5))
        self.close(distances[:, 1], ball.dist2plane(x, planes.points[1], planes.points[1], signed=True))
        images = layers.stereographic.Distance2StereographicHyperplanes(3, 5, squared=True, ball=ball, ndim=2)
        self.assertEqual(images(ball.random(2, 4, 4, 3).movedim(-1, 1)).shape, (2, 5, 4, 4))


class Errors(Case):
    def refused(self, error, pattern, f, *args, **kwargs):
        with self.assertRaisesRegex(error, pattern):
            f(*args, **kwargs)

    def test_shapes_and_points(self):
        ball, sphere, stiefel = ours.PoincareBall(), ours.Sphere(), ours.Stiefel()
        product = ours.ProductManifold((sphere, 3), (ball, 2))
        x, off = torch.zeros(2), torch.tensor([2.0, 0.0])
        for pattern, check, *args in [
                ("1 dimensions", ball.assert_check_point, torch.tensor(1.0)),
                ("1 dimensions", ball.assert_check_vector, torch.tensor(1.0)),
                ("projx", ball.assert_check_point_on_manifold, off),
                ("got 2", sphere.assert_check_point_on_manifold, off),
                ("proju", sphere.assert_check_vector_on_tangent, off / 2, off), ("two points", sphere.random, 1),
                ("n >= m", stiefel.random, 2, 3),
                ("X.T X = I", stiefel.assert_check_point_on_manifold, torch.ones(3, 2)),
                ("U.T X", stiefel.assert_check_vector_on_tangent, torch.eye(3, 2), torch.ones(3, 2)),
                ("5 coordinates", product.random, 4), ("1 dimensions", ball.origin, ()),
                ("projx", ours.Lorentz().assert_check_point_on_manifold, x),
                ("proju", ours.Lorentz().assert_check_vector_on_tangent, ours.Lorentz().origin(2), torch.ones(2)),
                ("3 coordinates", ours.Sphere(intersection=torch.eye(3, 2)).random, 4),
                ("subspace", ours.Sphere(intersection=torch.eye(3, 2)).assert_check_point_on_manifold, torch.eye(3)[2]),
                ("subspace", ours.Sphere(intersection=torch.eye(3, 2)).assert_check_vector_on_tangent, torch.eye(3)[0],
                 torch.eye(3)[2]),
                ("dtype", ball.random, 2), ("device", ball.random, 2),
                ("one number per row", ball.geodesic, torch.ones(3), torch.zeros(3, 2), torch.zeros(3, 2)),
                ("broadcast", sphere.inner, torch.zeros(2, 3), torch.zeros(4, 3))]:
            given = {"dtype": {"dtype": torch.float32}, "device": {"device": "meta"}}.get(pattern, {})
            self.refused(ValueError, pattern, check, *args, **given)
        self.assertEqual(ball.check_point_on_manifold(x, explain=True), (True, None))
        self.assertFalse(ball.check_point_on_manifold(off))
        self.assertFalse(product.check_vector_on_tangent(torch.zeros(5), torch.zeros(4)))
        self.assertTrue(product.check_vector_on_tangent(torch.eye(5)[0], torch.zeros(5), ok_point=True))
        self.refused(RuntimeError, "dim = -1", ball.mobius_matvec, torch.zeros(2, 2, 2), torch.zeros(2, 2), dim=0)
        self.refused(RuntimeError, "order", stereographic.math.tan_k_zero_taylor, x, x, 6)

    def test_manifolds(self):
        ball, sphere = ours.PoincareBall(), ours.Sphere()
        self.refused(TypeError, "got both", ours.Sphere, torch.eye(3), torch.eye(3))
        self.refused(ValueError, "two points", ours.Sphere, torch.eye(3, 1))
        self.refused(ValueError, "got none", ours.ProductManifold)
        self.refused(ValueError, "n >= m", ours.ProductManifold, (ours.Stiefel(), (2, 3)))
        self.refused(ValueError, "dtype", ours.ProductManifold, (ball, 2), (ours.PoincareBall().float(), 2))
        self.refused(ValueError, "device", ours.ProductManifold, (ball, 2), (ours.PoincareBall().to("meta"), 2))
        self.refused(ValueError, "batch shape", ours.ProductManifold.from_point, ball.random(2, 3), ball.random(3, 3),
                     batch_dims=1)
        product = ours.ProductManifold.from_point(ball.random(2, 3), sphere.random(2, 4), batch_dims=1)
        self.refused(ValueError, "2 tensors", product.pack_point, torch.zeros(3))
        self.refused(ValueError, "shape", product.pack_point, torch.zeros(3), torch.zeros(3))
        self.refused(ValueError, "1 tensor", ball.pack_point, torch.zeros(3), torch.zeros(3))
        self.refused(TypeError, "Stereographic", ours.StereographicProductManifold, (sphere, 3))
        scaled = ours.Scaled(ball)
        self.refused(NotImplementedError, "mobius_fn_apply", scaled.mobius_fn_apply, torch.tanh, torch.zeros(2))
        self.refused(AttributeError, "nothing", lambda: ours.Scaled(ball).nothing)
        for method in ("dist", "logmap"):
            self.refused(NotImplementedError, method, getattr(ours.Stiefel(), method), torch.eye(2), torch.eye(2))
        self.refused(NotImplementedError, "transp", ours.CanonicalStiefel().transp, *[torch.eye(2)] * 3)
        self.refused(TypeError, "subclass", ours.ismanifold, ball, int)
        self.refused(ValueError, "do not match", ours.ManifoldParameter, ball.random(2), manifold=sphere)

        class Line(ours.Euclidean):
            random = ours.Manifold.random

        self.refused(NotImplementedError, "random", Line().random, 2)

    def test_optimisers(self):
        p = ours.ManifoldParameter(torch.zeros(3, 2), manifold=ours.PoincareBall())
        for name, options, pattern in [
                ("RiemannianSGD", dict(lr=-1), "lr"), ("RiemannianSGD", dict(lr=1, momentum=-1), "momentum"),
                ("RiemannianSGD", dict(lr=1, weight_decay=-1), "weight_decay"),
                ("RiemannianSGD", dict(lr=1, nesterov=True), "Nesterov"), ("SparseRiemannianAdam", dict(lr=-1), "lr"),
                ("SparseRiemannianAdam", dict(eps=-1), "eps"), ("SparseRiemannianAdam", dict(betas=(1, 0)), "beta"),
                ("RiemannianLineSearch", dict(line_search_method="exact"), "armijo"),
                ("RiemannianLineSearch", dict(cg_method="newton"), "steepest")]:
            self.refused(ValueError, pattern, getattr(ours.optim, name), [p], **options)
        self.refused(ValueError, "matrix valued", ours.optim.SparseRiemannianAdam, [torch.nn.Parameter(torch.zeros(2))])
        self.refused(TypeError, "set", ours.optim.SparseRiemannianSGD, [{"params": {p}}], lr=1)
        for name, grad in (("RiemannianSGD", p.data.to_sparse()), ("RiemannianAdam", p.data.to_sparse()),
                           ("SparseRiemannianSGD", p.data), ("SparseRiemannianAdam", p.data)):
            p.grad = grad
            self.refused(RuntimeError, "use .*Riemannian", getattr(ours.optim, name)([p], lr=1).step)
        self.refused(ValueError, "reversible", ours.samplers.RHMC, [p])
        with self.assertWarnsRegex(UserWarning, "first"):
            warnings.simplefilter("always")
            ours.optim.RiemannianLineSearch([{"params": [p]}, {"params": [torch.nn.Parameter(torch.zeros(2))]}])
        warnings.simplefilter("ignore")


if __name__ == "__main__":
    unittest.main()
