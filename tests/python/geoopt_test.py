"""Hyperbolic ops against the corresponding geoopt functions, in f64, near the origin where geoopt is accurate.
For points far out the reference is gyre/hyperbolic/oracle/oracle_test.cpp; bench/quality/hyperbolic_errors.py prints
both."""

import math
import unittest

from common import needs_packages, torch

try:
    import geoopt
    from geoopt.manifolds.lorentz import math as hyperboloid
except ImportError:
    geoopt = hyperboloid = None

ROWS, RADIUS, BOUND = 24, 3.0, 1e-12
CURVATURES = (0.1, 1.0, 4.0)
SIZES = (2, 5, 30)


def setUpModule():
    needs_packages()
    if geoopt is None:
        raise unittest.SkipTest("geoopt is not installed; scripts/test --with-torch installs it")
    import gyre.torch  # noqa: F401


def ours(name):
    import gyre.torch
    return getattr(gyre.torch, name)


def vectors(*shape, length=1.0):
    """Vectors in random directions with evenly spaced lengths up to `length`."""
    v = torch.randn(*shape, dtype=torch.float64)
    return v / v.norm(dim=-1, keepdim=True) * torch.rand(*shape[:-1], 1, dtype=torch.float64) * length


def in_ball(*shape, c):
    v = vectors(*shape, length=RADIUS / 2)
    u = v.norm(dim=-1, keepdim=True)
    return v / u * torch.tanh(u) / math.sqrt(abs(c))


def geoopt_ball(c):
    return geoopt.PoincareBall(c=torch.tensor(c, dtype=torch.float64))


class Agreement(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def check(self, got, wanted, what, bound=BOUND):
        self.assertEqual(got.shape, wanted.shape, what)
        error = ((got - wanted).abs() / wanted.abs().clamp_min(1)).max().item()
        self.assertLessEqual(error, bound, what)

    def each_space(self, curvatures=CURVATURES):
        for c in curvatures:
            for d in SIZES:
                yield c, d, f"c = {c}, d = {d}"

    def test_ball_sphere_and_plane(self):
        for c, d, where in self.each_space((*CURVATURES, -0.3)):
            ball = geoopt.Stereographic(k=torch.tensor(-c, dtype=torch.float64))
            x, y, z = (in_ball(ROWS, d, c=c) for _ in range(3))
            u, v = vectors(ROWS, d), vectors(ROWS, d)
            r, t = torch.rand(ROWS, 1, dtype=torch.float64), torch.rand(ROWS, 1, dtype=torch.float64)
            m = torch.randn(4, d, dtype=torch.float64) / d
            each = r.squeeze(-1), t.squeeze(-1)
            calls = {
                "add": ((x, y), ball.mobius_add(x, y)),
                "sub": ((x, y), ball.mobius_sub(x, y)),
                "scalar": ((each[0], x), ball.mobius_scalar_mul(r, x)),
                "matvec": ((m, x), ball.mobius_matvec(m, x)),
                "gyration": ((x, y, z), ball.gyration(x, y, z)),
                "exp": ((x, v), ball.expmap(x, v, project=False)),
                "log": ((x, y), ball.logmap(x, y)),
                "exp0": ((v,), ball.expmap0(v, project=False)),
                "log0": ((x,), ball.logmap0(x)),
                "transport": ((x, y, v), ball.transp(x, y, v)),
                "transport0": ((y, v), ball.transp0(y, v)),
                "geodesic": ((x, y, each[1]), ball.geodesic(t, x, y)),
                "egrad2rgrad": ((x, v), ball.egrad2rgrad(x, v)),
                "lambda": ((x,), ball.lambda_x(x)),
                "dist": ((x, y), ball.dist(x, y)),
                "dist0": ((x,), ball.dist0(x)),
                "dist2": ((x, y), ball.dist2(x, y)),
                "inner": ((x, u, v), ball.inner(x, u, v, keepdim=True).squeeze(-1)),
                "norm": ((x, v), ball.norm(x, v)),
            }
            for name, (operands, wanted) in calls.items():
                self.check(ours("poincare_" + name)(*operands, c), wanted, f"{name}, {where}")
            self.check(ours("poincare_transport")(y, torch.zeros_like(y), v, c), ball.transp0back(y, v),
                       f"transp0back, {where}")

    def test_pointwise(self):
        for c, d, where in self.each_space():
            ball, x = geoopt_ball(c), in_ball(ROWS, d, c=c)
            for f in ("tanh", "relu", "sigmoid", "sin"):
                self.check(ours("poincare_pointwise")(x, c, f=f), ball.mobius_fn_apply(getattr(torch, f), x),
                           f"{f}, {where}")

    def test_midpoints(self):
        for c, d, where in self.each_space():
            ball, x = geoopt_ball(c), in_ball(4, ROWS, d, c=c)
            weights = torch.rand(4, ROWS, dtype=torch.float64) + 0.5
            # geoopt's own error is 1e-12 for c = 0.1 (against mpmath; gyre's is 2e-16)
            self.check(ours("poincare_midpoint")(x, weights, c), ball.weighted_midpoint(x, weights, reducedim=[1]),
                       where, 1e-11)

    def test_project(self):
        for c, d, where in self.each_space():
            x = vectors(ROWS, d, length=3 / math.sqrt(c))
            wanted = geoopt_ball(c).projx(x)
            self.check(ours("poincare_project")(x, c, margin=1e-5), wanted, where)

    def test_hyperboloid(self):
        for c, d, where in self.each_space():
            k = torch.tensor(1 / c, dtype=torch.float64)
            x, y = (ours("poincare_to_lorentz")(in_ball(ROWS, d, c=c), c) for _ in range(2))
            u, v = vectors(ROWS, d), vectors(ROWS, d)
            full = {id(p): ours("lorentz_with_time")(p, c) for p in (x, y)}

            def at(p):
                return full[id(p)]

            def tangent(p, w):
                return torch.cat(((p * w).sum(-1, keepdim=True) / at(p)[:, :1], w), -1)

            def flat(w):
                return torch.cat((torch.zeros_like(w[:, :1]), w), -1)

            calls = {
                "dist": ((x, y), hyperboloid.dist(at(x), at(y), k=k)),
                "dist0": ((x,), hyperboloid.dist0(at(x), k=k)),
                "exp": ((x, v), hyperboloid.expmap(at(x), tangent(x, v), k=k)[:, 1:]),
                "log": ((x, y), hyperboloid.logmap(at(x), at(y), k=k)[:, 1:]),
                "exp0": ((v,), hyperboloid.expmap0(flat(v), k=k)[:, 1:]),
                "log0": ((x,), hyperboloid.logmap0(at(x), k=k)[:, 1:]),
                "transport": ((x, y, v), hyperboloid.parallel_transport(at(x), at(y), tangent(x, v), k=k)[:, 1:]),
                "transport0": ((y, v), hyperboloid.parallel_transport0(at(y), flat(v), k=k)[:, 1:]),
                "egrad2rgrad": ((x, v), hyperboloid.egrad2rgrad(at(x), flat(v), k=k)[:, 1:]),
                "inner": ((x, u, v), hyperboloid.inner(tangent(x, u), tangent(x, v))),
                "norm": ((x, v), hyperboloid.norm(tangent(x, v))),
                "to_poincare": ((x,), hyperboloid.lorentz_to_poincare(at(x), k=k) * math.sqrt(1 / c)),
            }
            for name, (operands, wanted) in calls.items():
                self.check(ours("lorentz_" + name)(*operands, c), wanted, f"{name}, {where}")

    def test_to_the_hyperboloid(self):
        x = in_ball(ROWS, 5, c=1)
        wanted = hyperboloid.poincare_to_lorentz(x, k=torch.tensor(1.0, dtype=torch.float64), eps=0)
        self.check(ours("lorentz_with_time")(ours("poincare_to_lorentz")(x, 1.0), 1.0), wanted, "c = 1")


if __name__ == "__main__":
    unittest.main()
