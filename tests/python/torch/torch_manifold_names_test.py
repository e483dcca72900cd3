"""geoopt's method names and arguments on the manifolds of gyre.hyperbolic and gyre.torch.hyperbolic, against geoopt in
f64 near the origin, for curvatures of all signs, and by properties."""

import inspect
import unittest

from common import gyre, needs_packages, torch

try:
    import geoopt
except ImportError:
    geoopt = None
if torch:
    import gyre.torch.hyperbolic

ROWS, DIM = 5, 3


def setUpModule():
    needs_packages()
    torch.set_default_dtype(torch.float64)


def tearDownModule():
    torch.set_default_dtype(torch.float32)


def normal(*shape, seed=0, size=0.1):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)) * size


def libraries():
    """(module of manifolds, its tensors from torch's, torch's from them)."""
    yield gyre.hyperbolic, gyre.from_torch, lambda x: x.detach().torch()
    yield gyre.torch.hyperbolic, lambda x: x, lambda x: x.detach()


def calls():
    """(name, arguments, keywords) as geoopt writes them."""
    x, y, u, v = (normal(ROWS, DIM, seed=seed) for seed in range(4))
    number, numbers = torch.tensor(0.3), normal(ROWS, 1, seed=5)
    for dim in (-1, 0, 1):
        at = {} if dim == -1 else {"dim": dim}
        for name, arguments in (
                ("expmap", (x, u)), ("expmap0", (u,)), ("logmap", (x, y)), ("logmap0", (x,)), ("transp", (x, y, v)),
                ("transp0", (y, u)), ("transp0back", (y, u)), ("projx", (x,)), ("proju", (x, u)), ("retr", (x, u)),
                ("retr_transp", (x, u, v)), ("expmap_transp", (x, u, v)), ("transp_follow_expmap", (x, u, v)),
                ("transp_follow_retr", (x, u, v)), ("egrad2rgrad", (x, u)), ("gyration", (x, y, u)),
                ("mobius_add", (x, y)), ("mobius_sub", (x, y)), ("mobius_coadd", (x, y)), ("mobius_cosub", (x, y)),
                ("mobius_scalar_mul", (number, x)), ("mobius_pointwise_mul", (u, x)), ("geodesic", (number, x, y)),
                ("geodesic_unit", (number, x, u)), ("mobius_fn_apply", (torch_free, x)),
                ("mobius_fn_apply_chain", (x, torch_free, torch_free))):
            yield name, arguments, at
        for name, arguments in (("dist", (x, y)), ("dist2", (x, y)), ("dist0", (x,)), ("norm", (x, u)),
                                ("lambda_x", (x,)), ("inner", (x, u, v)), ("inner", (x, u)),
                                ("dist2plane", (x, y, u))):
            yield name, arguments, {"keepdim": True, **at}
            if name != "inner":  # which geoopt broadcasts without keepdim
                yield name, arguments, at
    yield "mobius_scalar_mul", (numbers, x), {}
    yield "mobius_matvec", (normal(2, DIM, seed=6), x), {}
    for options in ({"signed": True}, {"scaled": True}):
        yield "dist2plane", (x, y, u), options
    for name, keywords in (("norm", {"x": x, "u": u}), ("egrad2rgrad", {"x": x, "u": u}),
                           ("gyration", {"x": x, "y": y, "z": u}), ("inner", {"x": x, "u": u, "v": v, "keepdim": True}),
                           ("geodesic", {"t": number, "x": x, "y": y, "dim": 0}), ("transp", {"x": x, "y": y, "v": v}),
                           ("transp0", {"y": y, "u": u}), ("expmap0", {"u": u, "dim": 0})):
        yield name, (), keywords


def torch_free(x):
    return x * 2 + 0.1


class AgainstGeoopt(unittest.TestCase):
    def setUp(self):
        if geoopt is None:
            self.skipTest("geoopt is not installed; scripts/test --with-torch installs it")

    def test_methods_for_every_sign_of_the_curvature(self):
        for c in (0.7, 0.0, -0.7):
            theirs = geoopt.Stereographic(torch.tensor(-c))
            for name, arguments, keywords in calls():
                wanted = several(getattr(theirs, name)(*arguments, **keywords))
                for module, here, there in libraries():
                    with self.subTest(module=module.__name__, c=c, name=name, keywords=list(keywords)):
                        given = [here(x) if isinstance(x, torch.Tensor) else x for x in arguments]
                        named = {k: here(x) if isinstance(x, torch.Tensor) else x for k, x in keywords.items()}
                        found = several(getattr(module.PoincareBall(c), name)(*given, **named))
                        self.assertEqual(len(found), len(wanted))
                        for a, b in zip(found, wanted):
                            torch.testing.assert_close(there(a), b.detach(), rtol=1e-7, atol=1e-9)

    def test_other_manifolds(self):
        x, u = normal(ROWS, DIM, size=1), normal(ROWS, DIM, seed=1)
        x = x / x.norm(dim=-1, keepdim=True)
        for module, here, there in libraries():
            for ours, theirs in ((module.Sphere(), geoopt.Sphere()), (module.Euclidean(), geoopt.Euclidean(ndim=1))):
                tangent = theirs.proju(x, u)
                torch.testing.assert_close(there(ours.proju(here(x), here(u))), tangent)
                for name in ("expmap", "retr"):
                    torch.testing.assert_close(there(getattr(ours, name)(here(x), here(tangent))),
                                               getattr(theirs, name)(x, tangent))


class Properties(unittest.TestCase):
    def test_gyre_order_and_names_stay(self):
        ball, (x, y, u) = gyre.hyperbolic.PoincareBall(), (gyre.from_torch(normal(ROWS, DIM, seed=s)) for s in range(3))
        self.assertEqual(ball.geodesic(x, y, 0.3).tolist(), ball.geodesic(0.3, x, y).tolist())
        self.assertEqual(ball.norm(x=x, v=u).tolist(), ball.norm(x=x, u=u).tolist())
        self.assertEqual(list(inspect.signature(ball.expmap).parameters), ["x", "u", "dim"])
        self.assertEqual(list(inspect.signature(ball.dist).parameters), ["x", "y", "keepdim", "dim"])
        with self.assertRaises(TypeError):
            ball.cdist(x, y, dim=0)
        for module, here, _ in libraries():
            product = module.Product((module.Sphere(), 2), (module.PoincareBall(), 1))
            x, u = here(torch.tensor([[0.6, 0.8, 0.1]])), here(torch.tensor([[1.0, 1.0, 1.0]]))
            v = product.proju(x, u)
            self.assertAlmostEqual((v * x).sum().item() - 0.1, 0, places=12)

    def test_random_points_and_origins(self):
        for module, _, there in libraries():
            gyre.manual_seed(0)
            torch.manual_seed(0)
            dtype = gyre.f64 if module is gyre.hyperbolic else torch.float64
            for manifold in (module.PoincareBall(0.5), module.Lorentz(), module.Sphere(), module.Euclidean()):
                for made in (manifold.random(4, 3, dtype=dtype), manifold.random_normal((4, 3), std=0.1, dtype=dtype)):
                    self.assertEqual(made.shape, (4, 3))
                    manifold.require_points(made)
            ball = module.PoincareBall(0.5)
            spread = there(ball.dist0(ball.random_normal(2000, 9, std=0.5, dtype=dtype))).square().mean().sqrt().item()
            self.assertAlmostEqual(spread, 1.0, delta=0.03)  # the metric at the origin is 4
            mean = ball.origin(3, dtype=dtype) + 0.1
            drawn = ball.wrapped_normal(2000, 3, mean=mean, std=0.1, dtype=dtype)
            self.assertAlmostEqual(there(ball.dist2(drawn, mean)).mean().item(), 0.03, delta=0.004)
            self.assertEqual(there(ball.origin(2, 3)).abs().max(), 0)
            with self.assertRaisesRegex(ValueError, "has no origin"):
                module.Sphere().origin(3)
            with self.assertRaisesRegex(ValueError, "expected a PoincareBall"):
                module.Lorentz().dist2plane(mean, mean, mean)

    def test_learnable_curvature(self):
        for module, here, _ in libraries():
            ball = module.PoincareBall(0.5, learnable=True)
            self.assertEqual((ball.c.requires_grad, ball.k.item()), (True, -0.5))
            ball.dist0(here(normal(3))).backward()
            self.assertEqual(len(ball.parameters()), 1)
            self.assertIsNotNone(ball.parameters()[0].grad)
            self.assertEqual(module.PoincareBall().parameters(), [])
            space = module.Product((ball, 2), (module.Euclidean(), 1))
            self.assertIs(space.parameters()[0], ball.c)
            self.assertIsNone(space.k)


def several(result):
    return result if isinstance(result, tuple) else (result,)


if __name__ == "__main__":
    unittest.main()
