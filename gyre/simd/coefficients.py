#!/usr/bin/env python3
"""Writes coefficients.h: minimax polynomials and quotients of the vector maths (Remez exchange).

usage: python3 gyre/simd/coefficients.py > gyre/simd/coefficients.h   (needs mpmath)

Each entry of TABLE fits g on [lo, hi] so that max |weight * (g - p)| is least; weight is chosen so
that this is the relative error of the whole function. The error reached stands beside the result.
"""
import mpmath as mp

mp.mp.dps = 45
LN2 = mp.log(2)
SQRT_HALF = mp.sqrt(mp.mpf(1) / 2)
SQRT_PI = mp.sqrt(mp.pi)


def extrema(err, usable, n):
    """Indices of the extrema of err between its changes of sign, the n that matter most."""
    runs = []
    for i in usable:
        if runs and (err[i] > 0) == (err[runs[-1]] > 0):
            if abs(err[i]) > abs(err[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    while len(runs) > n:
        runs.pop(0 if abs(err[runs[0]]) < abs(err[runs[-1]]) else -1)
    return runs


def remez(g, weight, lo, hi, degree):
    """Coefficients (constant first) and the weighted error, by exchange on a dense fixed grid."""
    lo, hi = mp.mpf(lo), mp.mpf(hi)
    points = 40 * (degree + 2)
    mid, half = (hi + lo) / 2, (hi - lo) / 2
    u = [-mp.cos(mp.pi * (2 * i + 1) / (2 * points)) for i in range(points)]
    x = [mid + half * v for v in u]
    f, w = [g(v) for v in x], [abs(weight(v)) for v in x]
    n = degree + 2
    peak = max(w)
    usable = [i for i in range(points) if w[i] > peak * mp.mpf(10) ** -12]
    ref = [usable[(len(usable) - 1) * i // (n - 1)] for i in range(n)]
    cheb = [[mp.mpf(1), v] for v in u]
    for row in cheb:
        for k in range(2, degree + 1):
            row.append(2 * row[1] * row[k - 1] - row[k - 2])
    for _ in range(30):
        a = mp.matrix(n, n)
        b = mp.matrix(n, 1)
        for i, p in enumerate(ref):
            for k in range(degree + 1):
                a[i, k] = cheb[p][k]
            a[i, n - 1] = (-1) ** i / w[p]
            b[i] = f[p]
        s = mp.lu_solve(a, b)
        err = [w[i] * (f[i] - mp.fsum(s[k] * cheb[i][k] for k in range(degree + 1)))
               for i in range(points)]
        runs = extrema(err, usable, n)
        if len(runs) < n or runs == ref:
            break
        ref = runs
    worst = max(abs(e) for e in err)
    total = [mp.mpf(0)] * (degree + 1)  # Chebyshev series in u to powers of x
    t0, t1 = [mp.mpf(1)], [-mid / half, 1 / half]
    for k in range(degree + 1):
        t = t0 if k == 0 else t1
        for j, c in enumerate(t):
            total[j] += s[k] * c
        if k >= 1:
            nxt = [mp.mpf(0)] * (k + 2)
            for j, c in enumerate(t1):
                nxt[j] += 2 * c * (-mid / half)
                nxt[j + 1] += 2 * c / half
            for j, c in enumerate(t0):
                nxt[j] -= c
            t0, t1 = t1, nxt
    return total, worst


def odd(function):
    """(f(x) - x) / x^3 as a function of z = x^2."""
    def g(z):
        x = mp.sqrt(z)
        return (function(x) - x) / (x * z)
    return g


def odd_weight(function):
    def w(z):
        x = mp.sqrt(z)
        return x * z / function(x)
    return w


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def log_gamma_share(x):
    return mp.loggamma(2 + x) / x if x else 1 - mp.euler


DIGAMMA_ZERO = mp.findroot(mp.digamma, 1.46)


def digamma_share(x):
    x += mp.mpf(3) / 2
    return mp.digamma(x) / (x - DIGAMMA_ZERO)


def rational(f, hi, m, n):
    """P of degree m and Q of degree n with Q(0) = 1: least relative error of P / Q to f on [0, hi].

    Exchange on a grid dense near 0, of the linear problem f Q = P weighted by the last Q.
    """
    hi = mp.mpf(hi)
    points = 20 * (m + n + 2)
    x = [hi * ((1 - mp.cos(mp.pi * (2 * i + 1) / (2 * points))) / 2) ** 2 for i in range(points)]
    fx = [f(v) for v in x]
    k = m + n + 2
    rows = [[v ** j for j in range(m + 1)] + [-y * v ** j for j in range(1, n + 1)]
            for v, y in zip(x, fx)]
    ref = [(points - 1) * i // (k - 1) for i in range(k)]
    q = [(1 + v / 2) ** n for v in x]
    for step in range(40):
        a, b = mp.matrix(k, k), mp.matrix(k, 1)
        for i, p in enumerate(ref):
            for j in range(k - 1):
                a[i, j] = rows[p][j]
            a[i, k - 1] = (-1) ** i * q[p] * fx[p]
            b[i] = fx[p]
        s = mp.lu_solve(a, b)
        p_values = [mp.fsum(s[j] * r[j] for j in range(m + 1)) for r in rows]
        q = [1 + mp.fsum(s[m + j] * v ** j for j in range(1, n + 1)) for v in x]
        err = [1 - u / (v * y) for u, v, y in zip(p_values, q, fx)]
        runs = extrema(err, range(points), k)
        if len(runs) < k or (runs == ref and step > 3):
            break
        ref = runs
    return list(s[:m + 1]), [mp.mpf(1)] + list(s[m + 1:m + n + 1]), max(abs(e) for e in err)


def normal_tail(x):
    """e^(x^2 / 2) Phi(-x)."""
    return erfcx(x / mp.sqrt(2)) / 2


def mapped(f, k, b):
    """(1 + b x) f(x) as a function of t = (x - k) / (x + k), as TABLE wants it: g and its weight."""
    def g(t):
        x = k * (1 + t) / (1 - t)
        return (1 + b * x) * f(x)
    return g, lambda t: 1 / g(t)


def shared(f, k, hi):
    """(k + x) f(x) in t = x / (k + x) - 3/8, weight and range of t for 0 <= x <= hi."""
    k, hi, middle = mp.mpf(k), mp.mpf(hi), mp.mpf("0.375")

    def g(t):
        x = k * (t + middle) / (1 - t - middle)
        return (k + x) * f(x)
    return g, lambda t: 1 / g(t), -middle, hi / (k + hi) - middle


LOG_LO, LOG_HI = SQRT_HALF - 1, mp.sqrt(2) - 1
S_MAX2 = (LOG_HI / (2 + LOG_HI)) ** 2
Q = mp.pi / 4 * mp.mpf("1.0001")


def log_s(z):
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) - 2 * s) / (s * z)


def log_s5(z):
    s = mp.sqrt(z)
    return (2 * mp.atanh(s) - 2 * s - 2 * s * z / 3) / (s * z * z)


# name, g, weight, lo, hi, degree in f32 (None: not wanted), degree in f64
R = mp.mpf("0.3468")
TABLE = [
    ("Exp", "(e^r - 1 - r) / r^2, |r| <= ln2 / 2", lambda r: (mp.exp(r) - 1 - r) / r ** 2,
     lambda r: r * r / mp.exp(r), -R, R, 4, 9),
    ("Exp2", "(2^r - 1 - r ln2) / r^2, |r| <= 1/2", lambda r: (2 ** r - 1 - r * LN2) / r ** 2,
     lambda r: r * r / 2 ** r, mp.mpf("-0.5001"), mp.mpf("0.5001"), 4, 9),
    ("Log", "(log(1 + f) - f + f^2 / 2) / f^3, 1 + f in [sqrt(1/2), sqrt(2)]",
     lambda f: (mp.log1p(f) - f + f * f / 2) / f ** 3, lambda f: f ** 3 / mp.log1p(f),
     LOG_LO, LOG_HI, 8, None),
    ("Log1pQ", "log(1 + t) / t, 0 <= t <= 1", lambda t: mp.log1p(t) / t,
     lambda t: t / mp.log1p(t), mp.mpf("1e-12"), 1, 9, 20),
    ("LogS", "(2 atanh(s) - 2 s) / s^3 in s^2", log_s, lambda z: z, mp.mpf("1e-12"), S_MAX2, 4,
     6),
    ("LogS5", "(2 atanh(s) - 2 s - 2/3 s^3) / s^5 in s^2", log_s5, lambda z: z * z,
     mp.mpf("1e-8"), S_MAX2, None, 7),
    ("Tanh", "(tanh(x) - x) / x^3 in x^2, |x| <= 0.625", odd(mp.tanh), odd_weight(mp.tanh),
     mp.mpf("1e-9"), mp.mpf("0.625") ** 2, 4, 11),
    ("Sinh", "(sinh(x) - x) / x^3 in x^2, |x| <= 1", odd(mp.sinh), odd_weight(mp.sinh),
     mp.mpf("1e-9"), 1, 3, 7),
    ("Sin", "(sin(x) - x) / x^3 in x^2, |x| <= pi/4", odd(mp.sin), odd_weight(mp.sin),
     mp.mpf("1e-9"), Q ** 2, 2, 6),
    ("Cos", "(cos(x) - 1 + x^2 / 2) / x^4 in x^2, |x| <= pi/4",
     lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, lambda z: z * z / mp.cos(mp.sqrt(z)),
     mp.mpf("1e-9"), Q ** 2, 2, 6),
    ("Atan", "(atan(x) - x) / x^3 in x^2, |x| <= 1/2", odd(mp.atan), odd_weight(mp.atan),
     mp.mpf("1e-9"), mp.mpf("0.2501"), 5, 13),
    ("Asin", "(asin(x) - x) / x^3 in x^2, |x| <= 1/2", odd(mp.asin), odd_weight(mp.asin),
     mp.mpf("1e-9"), mp.mpf("0.25"), 4, 11),
    ("Asinh", "(asinh(x) - x) / x^3 in x^2, |x| <= 1/2", odd(mp.asinh), odd_weight(mp.asinh),
     mp.mpf("1e-9"), mp.mpf("0.25"), 5, 12),
    ("Atanh", "(atanh(x) - x) / x^3 in x^2, |x| <= 1/2", odd(mp.atanh), odd_weight(mp.atanh),
     mp.mpf("1e-9"), mp.mpf("0.25"), 5, 13),
    ("Erf", "erf(x) / x - 1 in x^2, |x| <= 1", lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1,
     lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z)), mp.mpf("1e-9"), 1, None, 11),
    ("ErfcxT", "(1 + 2x) e^(x^2) erfc(x) in t = (x - 4) / (x + 4), 0 <= x <= 27.4",
     *mapped(erfcx, 4, 2), -1, (mp.mpf("27.4") - 4) / (mp.mpf("27.4") + 4), None, 22),
    ("ErfcxShare", "(k + x) e^(x^2) erfc(x) in x / (k + x) - 3/8, k = 1.875, 0 <= x <= 10.15",
     *shared(erfcx, "1.875", "10.15"), 9, None),
    ("NormalTailShare", "(k + x) e^(x^2 / 2) Phi(-x) in x / (k + x) - 3/8, k = 2.59375, 0 <= x <= 14.45",
     *shared(normal_tail, "2.59375", "14.45"), 9, None),
    ("NormalTailT", "(1 + x) e^(x^2 / 2) Phi(-x) in t = (x - 6) / (x + 6), 0 <= x <= 38.8",
     *mapped(normal_tail, 6, 1), -1, (mp.mpf("38.8") - 6) / (mp.mpf("38.8") + 6), None, 22),
    ("ErfLog", "-log(1 - erf(x)) / x - 1, 0 <= x <= 4", lambda x: -mp.log(mp.erfc(x)) / x - 1,
     lambda x: x * mp.erfc(x) / mp.erf(x), mp.mpf("1e-6"), mp.mpf("4.0"), 8, None),
    ("LogGamma", "log(gamma(2 + x)) / x, |x| <= 1/2", log_gamma_share, lambda x: 1 / log_gamma_share(x),
     mp.mpf("-0.5"), mp.mpf("0.5"), None, 17),
    ("Digamma", "digamma(x) / (x - its zero) in x - 3/2, 1 <= x <= 2", digamma_share,
     lambda x: 1 / digamma_share(x), mp.mpf("-0.5"), mp.mpf("0.5"), None, 22),
]

# name, f, hi, degrees of P and Q, type. All coefficients come out positive.
RATIONALS = [
    ("Erfcx", "e^(x^2) erfc(x)", erfcx, "6", 8, 9, "F64"),
]


def emit(name, c, suffix):
    print(f"GYRE_TABLE double k{name}{suffix}[] = {{")
    for v in reversed(c):
        print(f"    {mp.nstr(v, 12 if suffix == 'F32' else 20, min_fixed=0, max_fixed=0)},")
    print("};")


def emit_two_over_pi():
    """64 zero bits, then 2/pi from its first binary place on: enough for every double."""
    mp.mp.prec = 1400
    bits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** 1216))
    words = [0] + [(bits >> (1216 - 64 * (k + 1))) & (2 ** 64 - 1) for k in range(19)]
    print("/// 64 zero bits, then the binary places of 2 / pi.")
    print("GYRE_TABLE uint64_t kTwoOverPi[] = {")
    for w in words:
        print(f"    0x{w:016x},")
    print("};")


if __name__ == "__main__":
    print("#pragma once")
    print("// Written by coefficients.py: minimax polynomials and quotients, highest power first.")
    print('#include "gyre/simd/primitives.h"\n')
    print("namespace gyre {\nnamespace {")
    for name, what, g, w, lo, hi, d32, d64 in TABLE:
        for degree, suffix in ((d32, "F32"), (d64, "F64")):
            if degree is not None:
                c, err = remez(g, w, lo, hi, degree)
                print(f"/// {what}; error {mp.nstr(err, 2)}.")
                emit(name, c, suffix)
    mp.mp.dps = 70
    for name, what, f, hi, m, n, suffix in RATIONALS:
        p, q, err = rational(f, hi, m, n)
        print(f"/// {what} as a quotient, 0 <= x <= {hi}; error {mp.nstr(err, 2)}.")
        emit(name + "P", p, suffix)
        emit(name + "Q", q, suffix)
    emit_two_over_pi()
    print("}  // namespace\n}  // namespace gyre")
