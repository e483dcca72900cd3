"""gyre.torch.geoopt: manifolds and optimisers with geoopt's interface, against geoopt in f64 near the origin and by
their invariants."""

import copy
import math
import unittest
import warnings

from common import torch
from geoopt_cases import DIM, ROWS, Case, normal, set_up, tear_down

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # geoopt uses torch.jit
        import geoopt as theirs
except ImportError:
    theirs = None
if torch:
    import gyre.torch.geoopt as ours
    from gyre.torch.geoopt.manifolds import lorentz, stereographic

setUpModule, tearDownModule = set_up, tear_down


def curvatures():
    """Scalars of each sign and one value per row of each sign."""
    return {"ball": torch.tensor(-0.8), "plane": torch.tensor(0.0), "sphere": torch.tensor(0.6),
            "rows": torch.linspace(-1, 1, ROWS)[:, None]}


class Agreement(Case):
    def needs_geoopt(self):
        if theirs is None:
            self.skipTest("geoopt is not installed; scripts/test --with-torch installs it")

    def agree(self, mine, their, arguments, what, on_manifold=None, bound=1e-9):
        """Equal values and gradients with respect to the tensors and parameters of a method of both manifolds."""
        method, tensors, options = arguments
        results = []
        for manifold in (mine, their):
            leaves = [t.clone().requires_grad_() for t in tensors]
            result = getattr(manifold, method)(*leaves, **options)
            parts = result if isinstance(result, tuple) else (result,)
            weighted = sum((part * normal(*part.shape, seed=9, size=1)).sum() for part in parts)
            inputs = [*leaves, *(p for p in manifold.parameters() if p.requires_grad)]
            found = torch.autograd.grad(weighted, inputs, allow_unused=True)
            found = [torch.zeros_like(i) if g is None else g for g, i in zip(found, inputs)]
            if on_manifold:  # only the Riemannian gradient of a point is defined by values on the manifold
                found[:len(leaves)] = [on_manifold(x.detach(), g) for x, g in zip(leaves, found)]
            results.append((tuple(p.detach() for p in parts), tuple(found)))
        self.close(results[0][0], results[1][0], f"{what}.{method}", bound)
        self.close(results[0][1], results[1][1], f"gradients of {what}.{method}", bound * 100)


def stereographic_calls(x, y, u, v):
    """Each method with a value per row, as (name, tensors, options)."""
    r, t, m = normal(ROWS, 1, seed=5, size=1), normal(ROWS, 1, seed=6), normal(3, DIM, seed=7, size=0.5)
    kept = {"keepdim": True}
    return [
        ("dist", (x, y), kept), ("dist2", (x, y), kept), ("dist0", (x,), kept), ("egrad2rgrad", (x, u), {}),
        ("retr", (x, u), {}), ("projx", (x,), {}), ("proju", (x, u), {}), ("inner", (x, u, v), kept),
        ("inner", (x, u), kept), ("norm", (x, u), kept), ("expmap", (x, u), {}), ("expmap", (x, u), {"project": False}),
        ("logmap", (x, y), {}), ("transp", (x, y, v), {}), ("transp_follow_retr", (x, u, v), {}),
        ("transp_follow_expmap", (x, u, v), {}), ("expmap_transp", (x, u, v), {}), ("retr_transp", (x, u, v), {}),
        ("mobius_add", (x, y), {}), ("mobius_sub", (x, y), {}), ("mobius_coadd", (x, y), {}),
        ("mobius_cosub", (x, y), {}), ("mobius_scalar_mul", (r, x), {}), ("mobius_pointwise_mul", (u, x), {}),
        ("mobius_matvec", (m, x), {}), ("geodesic", (t, x, y), {}), ("geodesic_unit", (t, x, u), {}),
        ("lambda_x", (x,), kept), ("expmap0", (u,), {}), ("logmap0", (x,), {}), ("transp0", (x, u), {}),
        ("transp0back", (x, u), {}), ("gyration", (x, y, u), {}), ("dist2plane", (x, y, u), kept),
        ("dist2plane", (x, y, u), {**kept, "signed": True, "scaled": True}), ("inv_sproj", (x,), {})]


class AgainstGeoopt(Agreement):
    def setUp(self):
        self.needs_geoopt()

    def test_stereographic_models_of_any_curvature(self):
        x, y, u, v = (normal(ROWS, DIM, seed=s) for s in range(1, 5))
        for name, k in curvatures().items():
            mine, their = (g.Stereographic(k=k.clone(), learnable=True) for g in (ours, theirs))
            for call in stereographic_calls(x, y, u, v):
                self.agree(mine, their, call, name)

    def test_functions_of_all_points(self):
        x, weights = normal(2, ROWS, DIM, seed=1, size=0.2), normal(2, ROWS, seed=2).abs() + 0.1
        for k in (-0.8, 0.0, 0.6):
            mine, their = (g.Stereographic(k=torch.tensor(k)) for g in (ours, theirs))
            for options in ({}, {"lincomb": True}, {"reducedim": [0]}, {"reducedim": [1], "keepdim": True},
                            {"posweight": True}):
                self.agree(mine, their, ("weighted_midpoint", (x, weights), options), f"{k} {options}")
            self.agree(mine, their, ("weighted_midpoint", (x,), {}), k)
            # geoopt takes conformal factors of the wrong points here
            self.close(mine.weighted_midpoint(x, -weights, posweight=True),
                       mine.weighted_midpoint(mine.antipode(x), weights), k)
            self.close(mine.mobius_fn_apply(torch.tanh, x), their.mobius_fn_apply(torch.tanh, x))
            self.close(mine.mobius_fn_apply_chain(x, torch.tanh, torch.sin),
                       their.mobius_fn_apply_chain(x, torch.tanh, torch.sin))
            self.assertIs(mine.mobius_fn_apply_chain(x, project=False), x)
            self.close(mine.antipode(x), their.antipode(x))
            self.close(mine.sproj(x), their.sproj(x))

    def test_dimensions(self):
        x, y = normal(DIM, 3, 2, seed=1), normal(DIM, 3, 2, seed=2)
        mine, their = ours.PoincareBall(0.8), theirs.PoincareBall(0.8)
        for dim in (0, -3):
            for call in (("dist", (x, y), {"dim": dim}), ("expmap", (x, y), {"dim": dim}),
                         ("mobius_add", (x, y), {"dim": dim}), ("transp0", (x, y), {"dim": dim}),
                         ("dist2plane", (x, y, y), {"dim": dim})):
                self.agree(mine, their, call, dim)
        self.close(mine.mobius_matvec(normal(2, DIM), x, dim=0),
                   mine.mobius_matvec(normal(2, DIM), x.movedim(0, -1)).movedim(-1, 0))
        each = normal(2, DIM, 5, DIM, seed=3)
        self.agree(mine, their, ("mobius_matvec", (each, normal(2, DIM, DIM, seed=4)), {}), "one matrix per point")

    def test_learned_curvature_of_ball_and_sphere(self):
        x, y, u, v = (normal(ROWS, DIM, seed=s) for s in range(1, 5))
        for name in ("PoincareBall", "PoincareBallExact", "SphereProjection", "SphereProjectionExact"):
            mine, their = (getattr(g, name)(torch.tensor(0.7), learnable=True) for g in (ours, theirs))
            self.assertEqual(list(mine.state_dict()), list(their.state_dict()))
            self.assertEqual((mine.name, repr(mine), mine.reversible, mine.ndim),
                             (their.name, repr(their), their.reversible, their.ndim))
            for call in stereographic_calls(x, y, u, v):
                if "retr" in call[0] or not name.endswith("Exact"):
                    self.agree(mine, their, call, name)

    def test_functions_of_curvature(self):
        x, k = normal(40, 1, size=0.2), torch.linspace(-2, 2, 9)
        for name in ("tan_k", "artan_k", "sin_k", "arsin_k"):
            their = getattr(theirs.manifolds.stereographic.math, name)
            away = k[k != 0]  # geoopt has a shorter series for tensors with some zeros
            self.close(getattr(stereographic.math, name)(x, away), their(x, away), name)
            for order in (-1, 0, 1, 2, 3, 4, 5):
                self.close(getattr(stereographic.math, f"{name}_zero_taylor")(x, k.abs(), order),
                           getattr(theirs.manifolds.stereographic.math, f"{name}_zero_taylor")(x, k.abs(), order))

    def test_hyperboloid(self):
        for k in (1.0, 2.5):
            mine, their = (g.Lorentz(k=torch.tensor(k)) for g in (ours, theirs))
            x, y = (mine.projx(normal(ROWS, DIM, seed=s, size=1)) for s in (1, 2))
            u, v = (mine.proju(x, normal(ROWS, DIM, seed=s, size=1)) for s in (3, 4))
            w = mine.proju(mine.origin(ROWS, DIM), normal(ROWS, DIM, seed=5))
            unit, t = u / mine.norm(u, keepdim=True), normal(ROWS, 1, seed=6)
            for call in [("dist", (x, y), {}), ("dist0", (x,), {"keepdim": True}), ("logmap", (x, y), {}),
                         ("logmap0", (x,), {}), ("logmap0back", (x,), {}), ("projx", (x,), {})]:
                self.agree(mine, their, call, k, on_manifold=lambda p, g: mine.egrad2rgrad(p, g))
            for call in [("expmap", (x, u), {}), ("expmap0", (w,), {}), ("proju", (x, v), {}),
                         ("egrad2rgrad", (x, u), {}), ("transp", (x, y, u), {}), ("transp0", (y, w), {}),
                         ("transp0back", (x, u), {}), ("inner", (x, u, v), {}), ("norm", (u,), {}),
                         ("inner0", (x,), {"keepdim": True}), ("geodesic_unit", (t, x, unit), {}),
                         ("retr_transp", (x, u, v), {}), ("transp_follow_expmap", (x, u, v), {}),
                         ("inner", (x, u, v), {"keepdim": True}), ("dist2", (x, y), {})]:
                name, tensors, options = call
                wanted = getattr(their, name)(*(a.clone() for a in tensors), **options)  # geoopt changes arguments
                self.close(getattr(mine, name)(*tensors, **options), wanted, name, 1e-7)  # geoopt rounds to 1e-8
            # geoopt's point at the first time coordinate is on no hyperboloid but that of k = 1
            polar = torch.cat((x[:, 1:] / x[:, 1:].norm(dim=-1, keepdim=True), t.abs()), -1)
            self.close(mine.dist0(lorentz.math.project_polar(polar, k=mine.k)), t.abs().squeeze(-1))
            self.close(lorentz.math.lorentz_to_poincare(x, mine.k), theirs.manifolds.lorentz.math.lorentz_to_poincare(
                x, their.k))
            ball = lorentz.math.lorentz_to_poincare(x, mine.k)
            self.close(lorentz.math.poincare_to_lorentz(ball, mine.k),
                       theirs.manifolds.lorentz.math.poincare_to_lorentz(ball, their.k))

    def test_methods_that_all_manifolds_have(self):
        for mine, their, raw in pairs():
            where = repr(mine)
            self.assertEqual(where, repr(their))
            self.assertEqual((mine.name, mine.ndim, mine.reversible), (their.name, their.ndim, their.reversible))
            x = mine.projx(raw(1)).detach()
            self.close(x, their.projx(raw(1)), where)
            u, v = (mine.proju(x, raw(s)).detach() for s in (2, 3))
            y = mine.expmap(x, u).detach()
            if "Stiefel" not in mine.name:
                for call in (("dist", (x, y), {"keepdim": True}), ("dist2", (x, y), {"keepdim": True}),
                             ("logmap", (x, y), {})):
                    self.agree(mine, their, call, where, on_manifold=mine.proju)
            calls = [("expmap", (x, u), {}), ("proju", (x, v), {}), ("egrad2rgrad", (x, v), {}),
                     ("inner", (x, u, v), {"keepdim": True}), ("component_inner", (x, u, v), {})]
            if "Stiefel" not in mine.name:
                calls += [("projx", (raw(1),), {}), ("retr", (x, u), {}), ("retr_transp", (x, u, v), {}),
                          ("transp_follow_retr", (x, u, v), {})]
            self.close(mine.retr_transp(x, u, v), their.retr_transp(x, u, v), where)  # geoopt's QR has no gradient
            self.close(mine.transp_follow_retr(x, u, v), their.transp_follow_retr(x, u, v), where)
            if not ours.ismanifold(mine, ours.CanonicalStiefel):
                calls += [("transp", (x, y, v), {}), ("expmap_transp", (x, u, v), {}),
                          ("transp_follow_expmap", (x, u, v), {})]
            for call in calls:
                self.agree(mine, their, call, where)
            self.close(mine.norm(x, u), their.norm(x, u), where)
            self.close(mine.component_inner(x, u), their.component_inner(x, u), where)
            self.assertTrue(mine.check_point_on_manifold(x) and mine.check_vector_on_tangent(x, u), where)
            base = ours.utils.canonical_manifold(mine)  # geoopt draws the origin of a scaled ball
            self.close(mine.origin(*x.shape), base.origin(*x.shape), where)
            if mine is base:
                self.close(mine.origin(*x.shape), their.origin(*x.shape), where)

    def test_product_of_stereographic_models(self):
        parts = lambda g: ((g.PoincareBall(0.7), 2), (g.Stereographic(-0.4), 1), (g.SphereProjection(0.6), 3))
        mine, their = (g.StereographicProductManifold(*parts(g)) for g in (ours, theirs))
        x, y, u, v = (normal(ROWS, 6, seed=s) for s in range(1, 5))
        m, t = normal(6, 6, seed=5), normal(ROWS, 1, seed=6)
        for call in [("mobius_add", (x, y), {}), ("mobius_sub", (x, y), {}), ("mobius_coadd", (x, y), {}),
                     ("mobius_cosub", (x, y), {}), ("mobius_scalar_mul", (t, x), {}),
                     ("mobius_pointwise_mul", (u, x), {}), ("mobius_matvec", (m, x), {}), ("geodesic", (t, x, y), {}),
                     ("geodesic_unit", (t, x, u), {}), ("dist0", (x,), {}), ("expmap0", (u,), {}),
                     ("logmap0", (x,), {}), ("transp0", (x, u), {}), ("transp0back", (x, u), {}),
                     ("gyration", (x, y, u), {}), ("antipode", (x,), {}), ("dist2plane", (x, y, u), {}),
                     ("inner", (x, u, v), {}), ("dist", (x, y), {}), ("retr_transp", (x, u, v), {})]:
            self.agree(mine, their, call, "product")
        self.close(mine.mobius_fn_apply(torch.sin, x), their.mobius_fn_apply(torch.sin, x))
        self.close(mine.mobius_fn_apply_chain(x, torch.sin), their.mobius_fn_apply_chain(x, torch.sin))

    def test_states_load_in_both(self):
        def model(g):
            net = torch.nn.Module()
            net.ball = g.PoincareBall(0.7, learnable=True)
            net.points = g.ManifoldParameter(normal(4, 2), manifold=net.ball)
            return net

        def step(net, optimizer):
            optimizer.zero_grad()
            net.ball.dist(net.points[:2], net.points[2:]).sum().backward()
            optimizer.step()

        for name, options in (("RiemannianAdam", dict(lr=0.1, amsgrad=True)),
                              ("RiemannianSGD", dict(lr=0.1, momentum=0.9))):
            for before, after in ((ours, theirs), (theirs, ours)):
                models = model(before), model(after)
                optimizers = [getattr(g.optim, name)(list(m.parameters()), **options)
                              for g, m in zip((before, after), models)]
                step(models[0], optimizers[0])
                models[1].load_state_dict(models[0].state_dict())
                optimizers[1].load_state_dict(copy.deepcopy(optimizers[0].state_dict()))
                for pair in zip(models, optimizers):
                    step(*pair)
                self.close(models[0].points.data, models[1].points.data, name)
                self.close(models[0].ball.c.detach(), models[1].ball.c.detach(), name)

    def test_optimisers_take_the_same_steps(self):
        sgd, adam = "RiemannianSGD", "RiemannianAdam"
        for name, options in [
                (sgd, dict(lr=0.1)), (sgd, dict(lr=0.05, momentum=0.9, weight_decay=0.1)),
                (sgd, dict(lr=0.05, momentum=0.9, nesterov=True, stabilize=3)),
                (sgd, dict(lr=0.05, momentum=0.8, dampening=0.2)), (adam, dict(lr=0.1, weight_decay=0.1)),
                (adam, dict(lr=0.1, amsgrad=True, betas=(0.8, 0.9), stabilize=4))]:
            ends = [train(g, getattr(g.optim, name), options) for g in (ours, theirs)]
            for got, wanted in zip(*ends):
                self.close(got, wanted, f"{name} {options}", 1e-7)
        for name, options in [("SparseRiemannianSGD", dict(lr=0.1)),
                              ("SparseRiemannianSGD", dict(lr=0.1, momentum=0.9, nesterov=True, stabilize=2)),
                              ("SparseRiemannianAdam", dict(lr=0.1))]:
            ends = [train_rows(g, getattr(g.optim, name), options) for g in (ours, theirs)]
            self.close(*ends, name)


def pairs():
    """(our manifold, geoopt's, seed -> raw tensor of a shape of points)."""
    subspace = normal(5, 3, seed=8, size=1)

    def product(g):
        return g.ProductManifold((g.Sphere(), 3), (g.PoincareBall(0.7), 2), (g.EuclideanStiefel(), (3, 2)),
                                 (g.Euclidean(), ()), (g.Euclidean(ndim=1), 2))

    makers = [
        (lambda g: g.Euclidean(), (4, 3)), (lambda g: g.Euclidean(ndim=2), (4, 3, 2)), (lambda g: g.Sphere(), (4, 3)),
        (lambda g: g.SphereExact(), (4, 3)), (lambda g: g.Sphere(intersection=subspace), (4, 5)),
        (lambda g: g.Sphere(complement=subspace[:, :1]), (4, 5)), (lambda g: g.Stiefel(), (5, 4, 2)),
        (lambda g: g.Stiefel(canonical=False), (5, 4, 2)), (lambda g: g.EuclideanStiefelExact(), (5, 4, 2)),
        (product, (4, 14)), (lambda g: g.Scaled(g.Sphere(), 2.0), (4, 3)),
        (lambda g: g.Scaled(g.Scaled(g.PoincareBallExact(), 2.0), 0.7, learnable=True), (4, 3)),
        (lambda g: g.StereographicExact(-0.5), (4, 3))]
    for make, shape in makers:
        yield make(ours), make(theirs), lambda seed, shape=shape: normal(*shape, seed=seed)


def train(g, optimizer, options):
    """The parameters on several manifolds, in groups, after 20 steps."""
    targets, parameters = [], []
    manifolds = [(g.PoincareBall(0.7), (3, 2)), (g.SphereExact(), (3, 4)), (g.CanonicalStiefel(), (4, 2)),
                 (g.Euclidean(), (3,)), (g.ProductManifold((g.Sphere(), 3), (g.Euclidean(ndim=1), 2)), (2, 5))]
    if "momentum" not in options:  # whose first value is no tangent vector of the hyperboloid in geoopt
        manifolds.append((g.Lorentz(), (3, 3)))
    for manifold, shape in manifolds:
        parameters.append(g.ManifoldParameter(manifold.projx(normal(*shape, seed=1)), manifold=manifold))
        targets.append(manifold.projx(normal(*shape, seed=2)))
    parameters.append(torch.nn.Parameter(normal(3, seed=1)))
    targets.append(normal(3, seed=2))
    steps = optimizer([{"params": parameters[:4]}, {"params": parameters[4:], "lr": 0.02}], **options)

    def closure():
        steps.zero_grad()
        loss = sum((p - target).square().sum() for p, target in zip(parameters, targets))
        loss.backward()
        return loss

    for _ in range(20):
        steps.step(closure)
    return [p.data for p in parameters]


def train_rows(g, optimizer, options):
    ball = g.PoincareBall()
    table = g.ManifoldParameter(normal(6, 2, seed=1), manifold=ball)
    steps = optimizer([table], **options)
    for step in range(20):
        steps.zero_grad()
        rows = torch.tensor([step % 6, (2 * step) % 6, step % 6])
        chosen = torch.nn.functional.embedding(rows, table, sparse=True)
        ball.dist2(chosen, normal(3, 2, seed=2)).sum().backward()
        steps.step()
    return table.data


class Invariants(Case):
    def manifolds(self):
        for k in (-0.8, 0.0, 0.6):
            yield ours.StereographicExact(k), (ROWS, DIM)
        yield ours.Lorentz(1.7), (ROWS, DIM)
        yield ours.SphereExact(), (ROWS, DIM)
        yield ours.Euclidean(ndim=1), (ROWS, DIM)
        yield ours.ProductManifold((ours.PoincareBall(), 3), (ours.Lorentz(), 4)), (ROWS, 7)
        yield ours.Scaled(ours.PoincareBall(), 3.0), (ROWS, DIM)

    def test_maps_distances_and_projections(self):
        for manifold, shape in self.manifolds():
            what = repr(manifold)
            x, y = (manifold.projx(normal(*shape, seed=s, size=0.5)) for s in (1, 2))
            u = manifold.logmap(x, y)
            self.close(manifold.expmap(x, u), y, what)
            self.close(manifold.projx(x), x, what)
            w = manifold.proju(x, normal(*shape, seed=4))
            self.close(manifold.proju(x, w), w, what)
            self.close(manifold.inner(x, u, u).sqrt(), manifold.dist(x, y), what)
            self.close(manifold.dist2(x, y), manifold.dist(x, y) ** 2, what)
            self.close(manifold.dist(x, x), torch.zeros(shape[:-1]), what)
            self.assertTrue(manifold.check_vector_on_tangent(x, u, explain=True)[0], what)

    def test_parallel_transport_keeps_inner_products(self):
        for manifold, shape in self.manifolds():
            if ours.ismanifold(manifold, ours.Sphere):  # a projection
                continue
            x, y = (manifold.projx(normal(*shape, seed=s, size=0.5)) for s in (1, 2))
            u, v = (manifold.proju(x, normal(*shape, seed=s)) for s in (3, 4))
            moved = [manifold.transp(x, y, w) for w in (u, v)]
            self.close(manifold.inner(y, *moved), manifold.inner(x, u, v), repr(manifold))

    def test_second_derivatives(self):
        x, u = normal(2, 3, seed=1).requires_grad_(), normal(2, 3, seed=2).requires_grad_()
        for k in (-0.5, 0.0, 0.4):
            curved = torch.tensor(k, requires_grad=True)
            formulas = stereographic.math
            for f in (lambda a, b, c: formulas.expmap(a, b, k=c), lambda a, b, c: formulas.dist(a, b, k=c),
                      lambda a, b, c: formulas.dist2plane(a, b, b, k=c),
                      lambda a, b, c: formulas.weighted_midpoint(a, k=c)):
                self.assertTrue(torch.autograd.gradgradcheck(f, (x, u, curved), fast_mode=True), k)
        k = torch.tensor(1.5, requires_grad=True)
        self.assertTrue(torch.autograd.gradgradcheck(
            lambda a, b, c: lorentz.math.parallel_transport(a, b, b, k=c), (x, u, k), fast_mode=True))

    def test_transforms_and_compiled_functions(self):
        for manifold in (ours.PoincareBall(), ours.Lorentz()):
            x, y = (manifold.projx(normal(ROWS, DIM, seed=s)) for s in (1, 2))
            each = torch.func.vmap(torch.func.grad(manifold.dist))(x, y)
            leaf = x.clone().requires_grad_()
            self.close(each, torch.autograd.grad(manifold.dist(leaf, y).sum(), leaf)[0])
            compiled = torch.compile(manifold.expmap, fullgraph=True, backend="eager")
            self.close(compiled(x, manifold.logmap(x, y)).detach(), y)

    def test_dtypes(self):
        ball = ours.PoincareBall()  # in f64
        self.assertEqual(ball.dist0(torch.zeros(2, dtype=torch.float32)).dtype, torch.float32)
        self.assertEqual(ball.dist0(torch.zeros(2, dtype=torch.float16)).dtype, torch.float16)
        self.assertEqual(ball.dist0(torch.zeros(2, dtype=torch.int64)).dtype, torch.float64)
        rows = ours.Stereographic(torch.full((3, 1), -1.0))
        self.assertEqual(rows.dist0(torch.zeros(3, 2, dtype=torch.float32)).dtype, torch.float64)

    def test_functions_near_zero_curvature(self):
        x = torch.tensor(0.7)
        for name, third in (("tan_k", 1 / 3), ("artan_k", -1 / 3), ("sin_k", -1 / 6), ("arsin_k", 1 / 6)):
            f = getattr(stereographic.math, name)
            for k in (-1e-3, -1e-9, 0.0, 1e-9, 1e-3, 3e-3, -5e-3):  # across the switch to the series
                k = torch.tensor(k, requires_grad=True)
                value = f(x, k)
                slope, = torch.autograd.grad(value, k)
                self.assertAlmostEqual(value.item(), (x + third * k * x ** 3).item(), delta=0.2 * k.item() ** 2 + 1e-15)
                self.assertAlmostEqual(slope.item(), third * x.item() ** 3, delta=0.2 * abs(k.item()) + 1e-14)

    def test_points_outside_the_ball_count_as_points_of_its_boundary(self):
        ball = ours.PoincareBall()
        x = torch.tensor([[1.5, 0.3], [0.2, 0.1]], requires_grad=True)
        for value in (ball.dist0(x), ball.expmap(x, x), ball.inner(x, x, x), ball.egrad2rgrad(x, x)):
            self.assertTrue(value.isfinite().all())
            self.assertTrue(torch.autograd.grad(value.sum(), x)[0].isfinite().all())
        p = ours.ManifoldParameter(normal(10, 5, size=0.9), manifold=ball)
        self.assertFalse(ball.check_point_on_manifold(p))
        for optimizer in (ours.optim.RiemannianAdam([p], lr=0.1), ours.optim.RiemannianSGD([p], lr=0.1)):
            p.grad = torch.ones_like(p)
            optimizer.step()
            self.assertTrue(ball.check_point_on_manifold(p))

    def test_float32_keeps_digits_far_out(self):
        for manifold, far in ((ours.PoincareBall(), 5.0), (ours.Lorentz(), 12.0)):
            direction = torch.nn.functional.normalize(normal(50, DIM, seed=1), dim=-1)
            if isinstance(manifold, ours.Lorentz):
                direction = torch.nn.functional.normalize(direction * torch.tensor([0.0, 1, 1, 1]), dim=-1)
            x = manifold.double().expmap0(direction * far / 2).float()
            y = manifold.double().expmap0(direction * far / 2 * 1.01).float()
            wanted = manifold.dist(x.double(), y.double())
            got = manifold.float().dist(x, y)
            self.assertLess(((got - wanted).abs() / wanted).max().item(), 1e-5, repr(manifold))

    def test_equal_points_have_distance_zero_and_finite_gradients(self):
        for manifold, shape in self.manifolds():
            x = manifold.projx(normal(*shape)).requires_grad_()
            grads = torch.autograd.grad(manifold.dist(x, x.detach()).sum(), x)[0]
            self.assertTrue(grads.isfinite().all(), repr(manifold))


class Curvature(Case):
    def test_a_step_changes_it(self):
        for manifold, parameter in (
                (ours.PoincareBall(1.0, learnable=True), "isp_c"), (ours.Stereographic(0.0, learnable=True), "k"),
                (ours.SphereProjection(1.0, learnable=True), "isp_k"), (ours.Lorentz(1.0, learnable=True), "k"),
                (ours.Scaled(ours.Sphere(), 2.0, learnable=True), "_log_scale")):
            p = ours.ManifoldParameter(manifold.projx(normal(3, DIM, seed=1, size=0.5)), manifold=manifold)
            before = getattr(manifold, parameter).clone()
            optimizer = ours.optim.RiemannianAdam([p, *manifold.parameters()], lr=0.1)
            for _ in range(5):
                optimizer.zero_grad()
                manifold.dist(p[:1], p[1:]).sum().backward()
                optimizer.step()
            self.assertNotEqual(getattr(manifold, parameter).item(), before.item(), repr(manifold))
            self.assertTrue(p.isfinite().all())

    def test_values(self):
        given = torch.tensor(1.0)
        self.close(ours.PoincareBall(given).c.detach(), given)
        self.assertEqual(given.item(), 1.0, "the caller's tensor does not change")
        for c in (1e-6, 0.5, 200.0):
            self.close(ours.PoincareBall(c).c.detach() / c, torch.tensor(1.0))
            self.close(ours.SphereProjection(c).k.detach() / c, torch.tensor(1.0))
        self.assertEqual(ours.PoincareBall(1).c.dtype, torch.float64)
        self.assertEqual(ours.PoincareBall(torch.tensor(1.0)).float().c.dtype, torch.float32)
        self.assertFalse(list(p for p in ours.PoincareBall().parameters() if p.requires_grad))
        self.assertEqual((ours.Stereographic(4.0).radius.item(), ours.Stereographic(-4.0).radius.item()), (0.5, 0.5))
        scaled = ours.Scaled(ours.Sphere(), 2.0)
        self.assertEqual((scaled.scale.item(), scaled.log_scale.item()), (2.0, math.log(2)))


if __name__ == "__main__":
    unittest.main()
