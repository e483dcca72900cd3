"""Counts, histograms, interpolation, quantiles and correlations."""

import builtins
import math
import reprlib

import gyre
from gyre import _gyre
from gyre._functions import reductions as torch_named
from gyre.numpy.dtypes import inexact, operands, tensor
from gyre.numpy.elementwise import finished
from gyre.numpy.manipulation import axes_of


def bincount(x, /, weights=None, minlength=0):
    """Number of occurrences of each integer of a vector, or sums of weights (f64)."""
    return _gyre.bincount(tensor(x), None if weights is None else tensor(weights, "f64"), minlength=minlength)


# ---- histograms ----


def _spread_of(x):
    return float(_gyre.std(x, (), False, 0.0))


def _freedman_diaconis(x):
    low, high = (float(_gyre.quantile(x, q)) for q in (0.25, 0.75))
    return 2 * (high - low) / x.numel() ** (1 / 3)


def _doane(x):
    n = x.numel()
    sigma = math.sqrt(6 * (n - 2) / ((n + 1) * (n + 3))) if n > 2 else 0.0
    if not sigma or not _spread_of(x):
        return 0.0
    skewness = float(_gyre.mean(((x - _gyre.mean(x)) / _spread_of(x)) ** 3))
    return _range_of(x) / (1 + math.log2(n) + math.log2(1 + abs(skewness) / sigma))


def _range_of(x):
    return float(_gyre.max(x) - _gyre.min(x))


def _sturges(x):
    return _range_of(x) / (math.log2(x.numel()) + 1)


def _auto(x):
    width = _freedman_diaconis(x)
    return min(max(width, _range_of(x) / math.sqrt(x.numel()) / 2), _sturges(x)) if width else _sturges(x)


# widths of bins by rules
RULES = {"auto": _auto, "fd": _freedman_diaconis, "doane": _doane, "sturges": _sturges,
         "rice": lambda x: _range_of(x) / (2 * x.numel() ** (1 / 3)), "sqrt": lambda x: _range_of(x) / math.sqrt(x.numel()),
         "scott": lambda x: (24 * math.sqrt(math.pi) / x.numel()) ** (1 / 3) * _spread_of(x)}


def _by_rule(x, rule, range):
    if rule not in RULES:
        raise ValueError(f"histogram: expected a number of bins, edges, or a rule ({', '.join(RULES)}), got {reprlib.repr(rule)}")
    whole = not x.is_floating_point()
    x = x.reshape(-1).to("f64")
    x = x if range is None else x[(x >= range[0]) & (x <= range[1])]
    width = RULES[rule](x) if x.numel() else 0.0
    width = max(width, 1.0) if whole and width else width
    extent = _range_of(x) if range is None and x.numel() else range[1] - range[0] if range else 0.0
    return math.ceil(extent / width) if width else 1


def histogram_bin_edges(a, bins=10, range=None, weights=None):
    """Edges of the bins of histogram."""
    return histogram(a, bins, range, weights=weights)[1]


def histogram(a, bins=10, range=None, density=None, weights=None):
    """Counts in bins and their edges: a number of bins of equal width over `range` (by default that of the data), that of a
    rule such as "auto", or ascending edges; the last bin is closed. Counts are i64, with `density` or inexact weights f64."""
    x = tensor(a)
    if isinstance(bins, str):
        bins = _by_rule(x, bins, range)
    w = None if weights is None else tensor(weights)
    given = None if isinstance(bins, int) else tensor(bins)
    counts, edges = torch_named.histogram(x.to("f64"), bins if given is None else given.to("f64"), range=range,
                                          weight=None if w is None else w.to("f64"), density=bool(density))
    edges = edges if given is None else given
    if density:
        return counts, edges
    return (counts.to("i64") if w is None else counts.to(w.dtype)), edges


def histogramdd(sample, bins=10, range=None, density=None, weights=None):
    """Counts (f64) of points, the rows, in the bins of a grid, and the edges of each axis: a number of bins, or edges, for all
    axes or a list with one for each."""
    points = tensor(sample, "f64")
    points = points.unsqueeze(1) if points.ndim == 1 else points
    rank = points.shape[1]
    listed = isinstance(bins, (list, tuple)) and len(bins) == rank
    each = list(bins) if listed else [bins] * rank
    ranges = [None] * rank if range is None else range
    edges = [histogram_bin_edges(points[:, i], each[i], ranges[i]) for i in builtins.range(rank)]
    inside, flat = _gyre.ones((points.shape[0],), dtype="boolean"), 0
    for i, ends in enumerate(edges):
        x, ends = points[:, i], ends.to("f64")
        inside = inside & (x >= ends[0]) & (x <= ends[-1])
        place = _gyre.clamp(_gyre.searchsorted(ends, x, True) - 1, 0, ends.numel() - 2)
        flat = flat * (ends.numel() - 1) + place
    w = _gyre.ones_like(points[:, 0]) if weights is None else tensor(weights, "f64")
    shape = [ends.numel() - 1 for ends in edges]
    counts = _gyre.bincount(flat[inside], w[inside], minlength=math.prod(shape)).reshape(shape)
    if density:
        counts = counts / _gyre.sum(counts)
        for i, ends in enumerate(edges):
            counts = counts / (ends[1:] - ends[:-1]).reshape([-1 if i == axis else 1 for axis in builtins.range(rank)])
    return counts, edges


def histogram2d(x, y, bins=10, range=None, density=None, weights=None):
    """Counts (f64) of the points (x, y) in the bins of a grid, and the edges along x and y; edges for both, or a list
    [of x, of y]."""
    both = not isinstance(bins, int) and len(bins) != 2  # edges, for x and for y
    points = _gyre.stack(*operands(x, y), axis=1)
    counts, edges = histogramdd(points, [bins, bins] if both else bins, range, density, weights)
    return counts, *edges


def interp(x, xp, fp, left=None, right=None, period=None):
    """Piecewise linear interpolation of the points (xp, fp) with ascending xp; fp[0] or `left` before them, fp[-1] or
    `right` after. With a period xp may be in any order, and the points repeat."""
    x, xp, fp = (tensor(part, "f64") for part in (x, xp, fp))
    if period is not None:
        x, xp = (_gyre.remainder(part, abs(period)) for part in (x, xp))
        order = _gyre.argsort(xp, -1)
        xp, fp, left, right = xp[order], fp[order], None, None
        xp = _gyre.cat(xp[-1:] - abs(period), xp, xp[:1] + abs(period))
        fp = _gyre.cat(fp[-1:], fp, fp[:1])
    if xp.numel() < 2:
        result = fp[0].expand(x.shape)
    else:
        after = _gyre.clamp(_gyre.searchsorted(xp, x, True), 1, xp.numel() - 1)
        slope = (fp[1:] - fp[:-1]) / (xp[1:] - xp[:-1])
        result = fp[after - 1] + slope[after - 1] * (x - xp[after - 1])
    result = _gyre.where(x < xp[0], fp[0] if left is None else left, result)
    return _gyre.where(x > xp[-1], fp[-1] if right is None else right, result)


# ---- quantiles ----

# what the op computes, and the continuous methods by alpha and beta (Hyndman and Fan, 1996)
_OF_OP = ("linear", "lower", "higher", "midpoint", "nearest")
_CONTINUOUS = {"linear": (1, 1), "interpolated_inverted_cdf": (0, 1), "hazen": (0.5, 0.5), "weibull": (0, 0),
               "median_unbiased": (1 / 3, 1 / 3), "normal_unbiased": (3 / 8, 3 / 8)}
_DISCRETE = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
METHODS = (*_OF_OP, *[m for m in _CONTINUOUS if m != "linear"], "inverted_cdf", "averaged_inverted_cdf", "closest_observation")


def _places(method, n, q):
    """Indices of the two ordered elements of n between which a quantile lies, and the weight of the second."""
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        place = n * q + (alpha + q * (1 - alpha - beta)) - 1
    else:
        place = n * q - {"inverted_cdf": 1, "averaged_inverted_cdf": 1, "closest_observation": 1.5}[method] if "_" in method \
            else (n - 1) * q
    below, above = _gyre.floor(place), _gyre.ceil(place)
    if method in _CONTINUOUS:
        weight = place - below
    elif method == "midpoint":
        weight = 0.5 + 0 * place
    elif method == "averaged_inverted_cdf":
        weight = _gyre.where(below == above, 0.5, 1.0)
        above = _gyre.where(below == above, above + 1, above)
    elif method == "closest_observation":  # of two at the same distance the one with an even number, from 1
        tie = (below == above) & (_gyre.remainder(below, 2) == 1)
        weight, below = 0 * place, _gyre.where(tie, below, below + 1)
    else:
        chosen = {"lower": _gyre.floor, "nearest": _gyre.round}.get(method, _gyre.ceil)(place)
        weight, below, above = 0 * place, chosen, chosen
    below, above = (_gyre.maximum(_gyre.minimum(i, n - 1), 0) for i in (below, above))
    return below.to("i64"), above.to("i64"), weight


def _of_rows(rows, count, fractions, method):
    """Quantiles of the first `count` elements of sorted rows, for each fraction along a first axis."""
    below, above, weight = _places(method, count, fractions.reshape(-1))
    low, high = (_gyre.gather(rows, _gyre.minimum(i, rows.shape[-1] - 1), axis=-1) for i in (below, above))
    weight = weight.to(rows.dtype).expand(low.shape)
    return _gyre.where(weight == 0, low, _gyre.lerp(low, high, weight)).movedim(-1, 0)  # inf * 0 is NaN


def _as_rows(x, axis, name):
    """Sorted rows of the elements over axes, NaN last; the other sizes; all sizes with 1 for these axes."""
    axes = tuple(range(x.ndim)) if axis is None else axes_of(axis, x.ndim, name)
    kept = [i for i in range(x.ndim) if i not in axes]
    rows = _gyre.sort(x.permute([*kept, *axes]).reshape(*[x.shape[i] for i in kept], -1), -1).values
    return rows, [x.shape[i] for i in kept], [1 if i in axes else n for i, n in enumerate(x.shape)]


def _fractions(q, method, name):
    if method not in METHODS:
        raise ValueError(f"{name}: expected method {', '.join(METHODS)}, got {reprlib.repr(method)}")
    fractions = tensor(q, "f64")
    if fractions.numel() and not bool(((fractions >= 0) & (fractions <= 1)).all()):
        raise ValueError(f"{name}: expected quantiles in [0, 1] (percentiles in [0, 100])")
    return fractions


def _quantiles(x, q, axis, keepdims, method, name):
    fractions = _fractions(q, method, name)
    if method in _OF_OP:
        axes = None if axis is None else axes_of(axis, x.ndim, name)
        q = fractions.item() if fractions.ndim == 0 else fractions
        return torch_named.quantile(x, q, axes, bool(keepdims), interpolation=method)
    rows, kept, full = _as_rows(x, axis, name)
    count = _gyre.full(rows.shape[:-1] + (1,), rows.shape[-1], dtype="f64")
    result = _gyre.where(_gyre.isnan(rows[..., -1]), math.nan, _of_rows(rows, count, fractions, method))
    return result.reshape(*fractions.shape, *(full if keepdims else kept))


def quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Quantiles of all elements or over axes; for an array of q along new first axes."""
    x, fractions = tensor(a), tensor(q, "f64")
    flat = fractions.reshape(-1) if fractions.ndim else fractions
    result = _quantiles(inexact(x), flat, axis, keepdims, method, "quantile")
    result = result.to(x.dtype) if method in _DISCRETE else result
    return finished("quantile", result.reshape(*fractions.shape, *result.shape[1:]) if fractions.ndim else result, out)


def percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Percentiles of all elements or over axes."""
    return quantile(a, tensor(q, "f64") / 100, axis, out, method=method, keepdims=keepdims)


def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Median, the mean of the two middle elements of an even number; NaN if one is NaN."""
    x = inexact(a)
    if x.numel() == 0:
        return finished("median", _gyre.mean(x, () if axis is None else axis, bool(keepdims)), out)
    low, high = (_quantiles(x, 0.5, axis, keepdims, side, "median") for side in ("lower", "higher"))
    return finished("median", (low + high) / 2, out)


def nanquantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Quantiles of the elements that are not NaN; NaN where there are none."""
    x, fractions = tensor(a), _fractions(q, method, "nanquantile")
    rows, kept, full = _as_rows(inexact(x), axis, "nanquantile")
    count = _gyre.sum(_gyre.logical_not(_gyre.isnan(rows)), -1, True).to("f64")
    result = _of_rows(rows, count, fractions, method).reshape(*fractions.shape, *(full if keepdims else kept))
    return finished("nanquantile", result.to(x.dtype) if method in _DISCRETE else result, out)


def nanpercentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False):
    """Percentiles of the elements that are not NaN."""
    return nanquantile(a, tensor(q, "f64") / 100, axis, out, method=method, keepdims=keepdims)


def nanmedian(a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """Median of the elements that are not NaN."""
    return nanquantile(a, 0.5, axis, out, keepdims=keepdims)


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None):
    """Covariance matrix of variables, the rows (the columns unless `rowvar`)."""
    x = inexact(m)
    x = x.T if not rowvar and x.ndim == 2 else x
    if y is not None:
        other = inexact(y)
        other = other.T if not rowvar and other.ndim == 2 else other
        x = _gyre.cat(*[part.reshape(1, -1) if part.ndim < 2 else part for part in operands(x, other)])
    correction = int(not bias) if ddof is None else ddof
    return gyre.cov(x, correction=correction, fweights=fweights, aweights=aweights)


def corrcoef(x, y=None, rowvar=True):
    """Correlation matrix of variables, the rows (the columns unless `rowvar`)."""
    return torch_named.correlation(cov(x, y, rowvar))


functions = [bincount, histogram, histogram_bin_edges, histogramdd, histogram2d, interp, quantile, percentile, median,
             nanquantile, nanpercentile, nanmedian, cov, corrcoef]
