"""Integrals and derivatives of samples along an axis."""

import builtins

from gyre import _gyre
from gyre._functions.shapes import _axis
from gyre._gyre import Tensor, asarray


def _before(x, dim, count=1):
    """All but the last elements of an axis."""
    return _gyre.slice(x, dim, 0, builtins.max(x.shape[dim] - count, 0))


def _along(points, dim, rank):
    """Coordinates of an axis, to be broadcast over the others."""
    x = asarray(points)
    return x if x.ndim > 1 else x.reshape([-1 if i == dim % rank else 1 for i in range(rank)])


def _areas(y, x, dx, dim):
    points = None if x is None else _along(x, dim, y.ndim)
    steps = dx if x is None else _gyre.slice(points, dim, 1) - _before(points, dim)
    return (_gyre.slice(y, dim, 1) + _before(y, dim)) * steps / 2


def trapezoid(y, x=None, *, dx=1, dim=-1):
    """Integral along an axis by the trapezoidal rule, at points x or with a spacing dx."""
    return _areas(asarray(y), x, dx, dim).sum(axis=dim)


def trapz(y, x=None, *, dx=1, dim=-1):
    """Same as trapezoid."""
    return trapezoid(y, x, dx=dx, dim=dim)


def cumulative_trapezoid(y, x=None, *, dx=1, dim=-1):
    """Integrals from the first point to each other one along an axis, by the trapezoidal rule."""
    return _gyre.cumsum(_areas(asarray(y), x, dx, dim), dim)


def gradient(input, *, spacing=None, dim=None, edge_order=1) -> "tuple[Tensor, ...]":
    """Derivatives along axes, a tuple: central differences, exact for polynomials of degree 2, and one-sided ones of
    order edge_order at the ends. `spacing` is a distance (1), or for each axis a distance or a vector of coordinates."""
    x = asarray(input)
    axes = range(x.ndim) if dim is None else dim if isinstance(dim, (list, tuple)) else (dim,)
    axes = [_axis(axis, x.ndim, "gradient") for axis in axes]
    spacings = list(spacing) if isinstance(spacing, (list, tuple)) else [1 if spacing is None else spacing] * len(axes)
    if len(spacings) != len(axes):
        raise ValueError(f"gradient: expected a spacing for each of {len(axes)} axes, got {len(spacings)}")
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: expected edge_order 1 or 2, got {edge_order}")
    return tuple(_slopes(x, axis, h, edge_order) for axis, h in zip(axes, spacings))


def _slopes(x, axis, spacing, order):
    n = x.shape[axis]
    if n <= order:
        raise ValueError(f"gradient: expected at least {order + 1} elements along axis {axis}, got {n}")
    if not isinstance(spacing, (Tensor, int, float)):
        spacing = asarray(spacing, dtype=x.dtype if x.is_floating_point() else "f64")
    steps, share = spacing, 0.5
    if isinstance(spacing, Tensor) and spacing.ndim:
        points = _along(spacing, axis, x.ndim)
        if points.shape[axis] != n:
            raise ValueError(f"gradient: expected {n} coordinates for axis {axis}, got {points.shape[axis]}")
        steps = _gyre.slice(points, axis, 1) - _before(points, axis)
        share = _gyre.slice(steps, axis, 1)
        share = share / (share + _before(steps, axis))  # of the slope before a point
    slopes = (_gyre.slice(x, axis, 1) - _before(x, axis)) / steps
    before, after = _before(slopes, axis), _gyre.slice(slopes, axis, 1)
    inner = before * share + after * (1 - share)
    first, last = _gyre.slice(slopes, axis, 0, 1), _gyre.slice(slopes, axis, n - 2)
    if order == 2:  # the slope of the parabola through three points is linear, that of an interval is at its middle
        first = first * 2 - _gyre.slice(inner, axis, 0, 1)
        last = last * 2 - _gyre.slice(inner, axis, n - 3)
    return _gyre.cat([first, inner, last], axis=axis)


functions = [trapezoid, trapz, cumulative_trapezoid, gradient]
methods = []
