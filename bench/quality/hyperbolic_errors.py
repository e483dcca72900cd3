"""Largest relative errors of functions of the Poincaré ball in f32, and of their gradients, for gyre, geoopt and
HypLL, against mpmath. Usage: PYTHONPATH=build/release/python python bench/quality/hyperbolic_errors.py

Pairs of points are near (1e-3 apart), at distance 1, or in independent and in opposite directions, one at distance r
from the origin and the other at 0.7 r; an error is the norm of the difference over the norm of the exact result. "none" means no correct digit: an
error of 1 or more, or a NaN.
"""

import argparse
import math

import mpmath
import torch
from mpmath import mp

mp.dps = 60
STEP = mpmath.mpf(10) ** -25  # of finite differences: accurate to about 1e-30
RADII = (1, 2, 4, 6, 8, 10, 12, 14)


def dot(a, b):
    return mpmath.fsum(u * v for u, v in zip(a, b))


def combined(k, a, l, b):
    return [k * u + l * v for u, v in zip(a, b)]


def add(x, y, c):
    xx, xy, yy = dot(x, x), dot(x, y), dot(y, y)
    d = 1 + 2 * c * xy + c * c * xx * yy
    return combined((1 + 2 * c * xy + c * yy) / d, x, (1 - c * xx) / d, y)


def scaled(v, f, c):
    n = mpmath.sqrt(c * dot(v, v))
    return [f(n) / n * e for e in v]


def dist(x, y, c):
    z = add([-e for e in x], y, c)
    return [2 / mpmath.sqrt(c) * mpmath.atanh(mpmath.sqrt(c * dot(z, z)))]


def exp(x, v, c):
    a = 1 - c * dot(x, x)
    return add(x, scaled(v, lambda n: mpmath.tanh(n / a), c), c)


def log(x, y, c):
    a = 1 - c * dot(x, x)
    return scaled(add([-e for e in x], y, c), lambda n: a * mpmath.atanh(n), c)


def exp0(x, v, c):
    return scaled(v, mpmath.tanh, c)


def log0(x, y, c):
    return scaled(y, mpmath.atanh, c)


def geodesic(x, y, c):
    return exp(x, [e / 2 for e in log(x, y, c)], c)


ORACLE = {"add": add, "dist": dist, "exp": exp, "log": log, "exp0": exp0, "log0": log0, "geodesic": geodesic}
BY_TANGENT = ("exp", "exp0")


def gyre_functions():
    import gyre.torch as g
    return {"add": g.poincare_add, "dist": g.poincare_dist, "exp": g.poincare_exp, "log": g.poincare_log,
            "exp0": lambda x, v, c: g.poincare_exp0(v, c), "log0": lambda x, y, c: g.poincare_log0(y, c),
            "geodesic": lambda x, y, c: g.poincare_geodesic(x, y, 0.5, c)}


def geoopt_functions():
    from geoopt.manifolds.stereographic import math as g

    def k(c):
        return torch.tensor(-c)

    return {"add": lambda x, y, c: g.mobius_add(x, y, k=k(c)), "dist": lambda x, y, c: g.dist(x, y, k=k(c)),
            "exp": lambda x, v, c: g.expmap(x, v, k=k(c)), "log": lambda x, y, c: g.logmap(x, y, k=k(c)),
            "exp0": lambda x, v, c: g.expmap0(v, k=k(c)), "log0": lambda x, y, c: g.logmap0(y, k=k(c)),
            "geodesic": lambda x, y, c: g.geodesic(torch.tensor(0.5), x, y, k=k(c))}


def hypll_functions():
    from hypll.manifolds.poincare_ball.math import diffgeom as g

    def of(f):
        return lambda x, y, c: f(x, y, torch.tensor(c))

    return {"add": of(g.mobius_add), "dist": of(g.dist), "exp": of(g.expmap), "log": of(g.logmap),
            "exp0": lambda x, v, c: g.expmap0(v, torch.tensor(c)),
            "log0": lambda x, y, c: g.logmap0(y, torch.tensor(c))}


def direction(d):
    v = torch.randn(d, dtype=torch.float64)
    return [mpmath.mpf(e) for e in (v / v.norm()).tolist()]


def at_radius(u, radius, c):
    return [mpmath.tanh(mpmath.mpf(radius) / 2) / mpmath.sqrt(c) * e for e in u]


def rounded(v):
    return [mpmath.mpf(e) for e in torch.tensor([float(e) for e in v], dtype=torch.float32).tolist()]


def cases(name, radius, d, c, count):
    """Operands x, y (or a tangent vector) rounded to f32."""
    for kind in ("near", "step", "apart", "opposite"):
        for _ in range(count):
            u = direction(d)
            x = rounded(at_radius(u, radius, c))
            if kind in ("near", "step"):
                y = add(x, at_radius(direction(d), 1e-3 if kind == "near" else 1, c), c)
            else:
                away = direction(d) if kind == "apart" else [-e for e in u]
                y = at_radius(away, 0.7 * radius, c)
            y = rounded(y)
            if c * dot(x, x) >= 1 or c * dot(y, y) >= 1 or x == y:
                continue
            if name == "exp":
                y = rounded(log(x, y, c))
            if name == "exp0":
                y = rounded(log0(x, y, c))
            yield x, y


def error(got, wanted):
    e = mpmath.sqrt(dot(*2 * [combined(1, got, -1, wanted)]))
    return float(e / mpmath.sqrt(dot(wanted, wanted))) if mpmath.isfinite(e) else math.inf


def slope(f, at, g):
    """The gradient of <g, f(at)>."""
    found = []
    for i in range(len(at)):
        ends = [at[:i] + [at[i] + sign * STEP] + at[i + 1:] for sign in (1, -1)]
        found.append((dot(g, f(ends[0])) - dot(g, f(ends[1]))) / (2 * STEP))
    return found


def numbers(t):
    return [mpmath.mpf(e) for e in t.reshape(-1).tolist()]


def measure(name, f, radius, d, c, count):
    """The largest errors of the value and of the gradients with respect to x and y."""
    worst = [0.0, 0.0, 0.0]
    oracle = ORACLE[name]
    for x, y in cases(name, radius, d, c, count):
        a, b = (torch.tensor([float(e) for e in v], dtype=torch.float32)[None].requires_grad_() for v in (x, y))
        z = f(a, b, c)
        g = torch.randn(z.shape, dtype=torch.float32)
        z.backward(g)
        exact, h = mpmath.mpf(c), numbers(g)
        errors = [error(numbers(z.detach()), oracle(x, y, exact))]
        if a.grad is not None:
            errors.append(error(numbers(a.grad), slope(lambda v: oracle(v, y, exact), x, h)))
        else:
            errors.append(0.0)
        errors.append(error(numbers(b.grad), slope(lambda v: oracle(x, v, exact), y, h)))
        worst = [max(pair) for pair in zip(worst, errors)]
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--functions", nargs="+", choices=tuple(ORACLE), default=tuple(ORACLE))
    parser.add_argument("--size", type=int, default=3, help="dimension d of the points")
    parser.add_argument("--c", type=float, default=1.0, help="minus the curvature")
    parser.add_argument("--count", type=int, default=4, help="pairs of each kind at each radius")
    options = parser.parse_args()
    libraries = {}
    for library, functions in (("gyre", gyre_functions), ("geoopt", geoopt_functions), ("hypll", hypll_functions)):
        try:
            libraries[library] = functions()
        except ImportError as failure:
            print(f"{library}: {failure}")
    print(f"largest relative errors in f32, d = {options.size}, c = {options.c:g}")
    print(f"{'':9} {'':5} {'':7} " + " ".join(f"{'r = ' + str(r):>8}" for r in RADII))
    for name in options.functions:
        for library, functions in libraries.items():
            if name not in functions:
                continue
            table = []
            for radius in RADII:
                torch.manual_seed(radius)
                table.append(measure(name, functions[name], radius, options.size, options.c, options.count))
            for i, what in enumerate(("value", "by x", "by y")):
                if i == 1 and name in ("exp0", "log0"):
                    continue
                row = " ".join(f"{'none' if e[i] >= 1 else format(e[i], '.1e'):>8}" for e in table)
                print(f"{name:9} {what:5} {library:7} {row}", flush=True)


if __name__ == "__main__":
    main()
