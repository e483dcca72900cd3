"""Padding, resizing and sampling of images and volumes by PyTorch's names."""

import math
import reprlib

import gyre
from gyre.nn.functional.convolution import crop, per_axis
from gyre.nn.functional.pooling import adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d

_MODES = {"constant": "constant", "reflect": "reflect", "replicate": "replicate", "circular": "circular"}


def pad(input, pad, mode="constant", value=None):
    """Pads the last axes by (before, after) pairs, the last axis first; negative widths crop."""
    widths = [int(w) for w in pad]
    if len(widths) % 2 or len(widths) > 2 * input.ndim:
        raise ValueError(f"pad: expected at most {input.ndim} pairs of widths, got {widths}")
    if mode not in _MODES:
        raise ValueError(f"pad: expected mode {', '.join(_MODES)}, got {reprlib.repr(mode)}")
    if mode != "constant" and value not in (None, 0):
        raise ValueError(f"pad: mode {mode} takes no value, got {value}")
    rest = [0] * (input.ndim - len(widths) // 2)
    return crop(input, rest + widths[::2][::-1], rest + widths[1::2][::-1], mode=mode, value=float(value or 0))


# ---- resizing ----

_AXES = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}


def _scales(input, size, scale_factor, recompute, axes):
    """(output size, input elements per output element or None) for each axis."""
    if (size is None) == (scale_factor is None):
        raise ValueError("interpolate: expected either size or scale_factor")
    shape = input.shape[2:]
    if size is not None:
        return [(int(s), None) for s in per_axis(size, axes)]
    factors = [float(f) for f in per_axis(scale_factor, axes)]
    return [(math.floor(n * f), None if recompute else 1.0 / f) for n, f in zip(shape, factors)]


def interpolate(input, size=None, scale_factor=None, mode="nearest", align_corners=None,
                recompute_scale_factor=None, antialias=False):
    """Resizes the axes after batch and channels to a size or by a factor. Modes: nearest, nearest-exact, linear,
    bilinear, bicubic, trilinear, area."""
    axes = input.ndim - 2
    if align_corners is not None and mode not in _AXES:
        raise ValueError(f"interpolate: mode {mode} takes no align_corners; use a linear or cubic mode")
    if mode not in ("nearest", "nearest-exact", "area") and _AXES.get(mode) != axes:
        raise ValueError(f"interpolate: expected a mode for {axes} axes after batch and channels, got {reprlib.repr(mode)}")
    if antialias and mode not in ("bilinear", "bicubic"):
        raise ValueError(f"interpolate: expected mode bilinear or bicubic with antialias, got {reprlib.repr(mode)}")
    wanted = _scales(input, size, scale_factor, recompute_scale_factor, axes)
    if mode == "area":
        pool = (adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d)[axes - 1]
        return pool(input, [count for count, _ in wanted])
    for axis, (count, scale) in enumerate(wanted):
        input = _resized(input, 2 + axis, count, scale, mode, bool(align_corners), antialias)
    return input


def _resized(x, axis, count, scale, mode, align_corners, antialias):
    size = x.shape[axis]
    if mode.startswith("nearest"):
        if count == size and scale is None:
            return x
        place = gyre.arange(count).to(dtype="f64") + (0.5 if mode == "nearest-exact" else 0.0)
        index = gyre.floor(place * (scale or size / count)).to(dtype="i64")
        return gyre.index_select(x, gyre.clamp(index, 0, size - 1), axis=axis)
    if antialias:
        return _filtered(x, axis, count, scale or size / count, mode, align_corners)
    at = gyre.arange(count).to(dtype="f64")
    if align_corners:
        at = at * ((size - 1) / (count - 1) if count > 1 else 0.0)
    else:
        at = (at + 0.5) * (scale or size / count) - 0.5
        at = at if mode == "bicubic" else gyre.relu(at)
    low = gyre.floor(at)
    taps = _cubic_weights(at - low) if mode == "bicubic" else [(0, 1 - (at - low)), (1, at - low)]
    shape = [-1 if a == axis else 1 for a in range(x.ndim)]
    total = None
    for offset, weight in taps:
        index = gyre.clamp(low.to(dtype="i64") + offset, 0, size - 1)
        part = gyre.index_select(x, index, axis=axis) * weight.to(dtype=x.dtype).reshape(shape)
        total = part if total is None else total + part
    return total


def _cubic(distance, a):
    """The cubic convolution kernel (Keys 1981) at distances of 0 or more."""
    near = ((a + 2) * distance - (a + 3)) * distance * distance + 1
    far = ((distance - 5) * distance + 8) * distance * a - 4 * a
    return gyre.where(distance <= 1, near, gyre.where(distance < 2, far, 0.0))


def _cubic_weights(t):
    """(offset, weight) of the four elements around a fraction t."""
    return [(offset, _cubic(gyre.abs(t - offset), -0.75)) for offset in (-1, 0, 1, 2)]


def _filtered(x, axis, count, scale, mode, align_corners):
    """Resizing by a matrix whose rows are the kernel, widened when the image shrinks."""
    size = x.shape[axis]
    if align_corners:
        scale = (size - 1) / (count - 1) if count > 1 else 0.0
    width = max(scale, 1.0)
    centre = (gyre.arange(count).to(dtype="f64") + 0.5) * scale
    distance = gyre.abs(gyre.arange(size).to(dtype="f64").unsqueeze(0) + 0.5 - centre.unsqueeze(1)) / width
    weights = _cubic(distance, -0.5) if mode == "bicubic" else gyre.relu(1 - distance)
    weights = (weights / weights.sum(axes=(1,), keepdim=True)).to(dtype=x.dtype)
    return gyre.transpose(gyre.matmul(gyre.transpose(x, axis, -1), weights.T), axis, -1)


def upsample(input, size=None, scale_factor=None, mode="nearest", align_corners=None):
    """interpolate()."""
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input, size=None, scale_factor=None):
    """interpolate() of mode nearest."""
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(input, size=None, scale_factor=None):
    """interpolate() of mode bilinear with aligned corners."""
    return interpolate(input, size, scale_factor, "bilinear", True)


# ---- rearranging channels ----

def pixel_shuffle(input, upscale_factor):
    """[..., channels r^2, height, width] as [..., channels, height r, width r] (Shi et al. 2016)."""
    r, (channels, height, width) = upscale_factor, input.shape[-3:]
    if r < 1 or channels % (r * r):
        raise ValueError(f"pixel_shuffle: expected channels divisible by the square of {r}, got {channels}")
    lead = input.shape[:-3]
    x = input.reshape(math.prod(lead), channels // (r * r), r, r, height, width)
    return gyre.permute(x, (0, 1, 4, 2, 5, 3)).reshape(*lead, channels // (r * r), height * r, width * r)


def pixel_unshuffle(input, downscale_factor):
    """The inverse of pixel_shuffle."""
    r, (channels, height, width) = downscale_factor, input.shape[-3:]
    if r < 1 or height % r or width % r:
        raise ValueError(f"pixel_unshuffle: expected height and width divisible by {r}, got {height} and {width}")
    lead = input.shape[:-3]
    x = input.reshape(math.prod(lead), channels, height // r, r, width // r, r)
    return gyre.permute(x, (0, 1, 3, 5, 2, 4)).reshape(*lead, channels * r * r, height // r, width // r)


def channel_shuffle(input, groups):
    """Interleaves the groups of channels (axis 1)."""
    batch, channels = input.shape[:2]
    if groups < 1 or channels % groups:
        raise ValueError(f"channel_shuffle: expected a number of groups that divides {channels} channels, got {groups}")
    x = input.reshape(batch, groups, channels // groups, *input.shape[2:])
    return gyre.transpose(x, 1, 2).reshape(input.shape)


# ---- sampling ----

def affine_grid(theta, size, align_corners=None):
    """Sampling positions of an affine map theta [batch, n, n + 1] for outputs of that size."""
    shape = list(size)[2:]
    if theta.shape[1:] != (len(shape), len(shape) + 1):
        raise ValueError(f"affine_grid: expected theta [batch, {len(shape)}, {len(shape) + 1}], "
                         f"got {list(theta.shape)}")
    places = []
    for axis in reversed(range(len(shape))):
        count = shape[axis]
        place = (gyre.arange(count).to(dtype=theta.dtype) * 2 + 1) / count - 1 if not align_corners else \
            gyre.arange(count).to(dtype=theta.dtype) * (2 / (count - 1)) - 1 if count > 1 else \
            gyre.zeros((1,), dtype=theta.dtype)
        form = [-1 if a == axis else 1 for a in range(len(shape))]
        places.append(gyre.expand(place.reshape(form), shape))
    base = gyre.stack([*places, gyre.ones(shape, dtype=theta.dtype)], axis=-1).reshape(1, -1, len(shape) + 1)
    return gyre.matmul(base, gyre.transpose(theta, 1, 2)).reshape(theta.shape[0], *shape, len(shape))


def _unnormalised(coordinate, size, align_corners):
    """Positions in elements for positions from -1 to 1."""
    return (coordinate + 1) / 2 * (size - 1) if align_corners else ((coordinate + 1) * size - 1) / 2


def _within(position, size, padding_mode, align_corners):
    """Positions moved into the image: to the border, or reflected at it."""
    if padding_mode == "reflection":
        low, span = (0.0, size - 1.0) if align_corners else (-0.5, float(size))
        if span == 0:
            return position * 0.0
        away = gyre.abs(position - low)
        turns = gyre.floor(away.detach() / span)
        rest = away - turns * span
        position = gyre.where(gyre.remainder(turns, 2.0) == 0, rest + low, span - rest + low)
    if padding_mode in ("border", "reflection"):
        inside = (position > 0).logical_and(position < size - 1)
        position = gyre.where(inside, position, gyre.clamp(position.detach(), 0.0, size - 1.0))
    return position


def _corner(rows, shape, indices, zeros):
    """Elements of rows [batch, channels, elements] at integer positions, 0 outside the image."""
    flat, inside = 0, None
    for index, size in zip(indices, shape):
        own = (index >= 0).logical_and(index < size)
        inside = own if inside is None else inside.logical_and(own)
        flat = flat * size + gyre.clamp(index, 0, size - 1)
    lead = rows.shape[:2]
    places = flat.reshape(flat.shape[0], 1, -1)
    values = gyre.gather(rows, gyre.expand(places, (*lead, places.shape[-1])), axis=-1)
    values = gyre.where(inside.reshape(places.shape), values, 0.0) if zeros else values
    return values.reshape(*lead, *flat.shape[1:])


def grid_sample(input, grid, mode="bilinear", padding_mode="zeros", align_corners=None):
    """Samples images [batch, channels, ...] at the positions of a grid [batch, ..., n], which go from -1 to 1 with
    the last axis of the image first. Modes: bilinear, nearest, bicubic; padding: zeros, border, reflection."""
    shape, axes = input.shape[2:], input.ndim - 2
    if mode not in ("bilinear", "nearest", "bicubic") or (mode == "bicubic" and axes != 2):
        raise ValueError(f"grid_sample: expected mode bilinear, nearest or, for images, bicubic, got {reprlib.repr(mode)}")
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(f"grid_sample: expected padding_mode zeros, border or reflection, got {reprlib.repr(padding_mode)}")
    if grid.shape[-1] != axes or grid.ndim != axes + 2:
        raise ValueError(f"grid_sample: expected a grid [batch, ..., {axes}], got {list(grid.shape)}")
    rows = input.reshape(*input.shape[:2], -1)
    at = [_unnormalised(grid[..., axes - 1 - a], size, align_corners) for a, size in enumerate(shape)]
    if mode == "bicubic":
        return _bicubic_sample(rows, shape, at, padding_mode, align_corners)
    at = [_within(p, size, padding_mode, align_corners) for p, size in zip(at, shape)]
    if mode == "nearest":
        return _corner(rows, shape, [gyre.round(p).to(dtype="i64") for p in at], True)
    low = [gyre.floor(p.detach()) for p in at]
    total = None
    for corner in range(2 ** axes):
        bits = [corner >> a & 1 for a in range(axes)]
        weight = math.prod(p - l if bit else 1 - (p - l) for p, l, bit in zip(at, low, bits))
        part = _corner(rows, shape, [l.to(dtype="i64") + bit for l, bit in zip(low, bits)], True) * weight.unsqueeze(1)
        total = part if total is None else total + part
    return total


def _bicubic_sample(rows, shape, at, padding_mode, align_corners):
    low = [gyre.floor(p.detach()) for p in at]
    taps = [_cubic_weights(p - l) for p, l in zip(at, low)]
    total = None
    for dy, wy in taps[0]:
        for dx, wx in taps[1]:
            places = [_within(l + d, size, padding_mode, align_corners) for l, d, size in zip(low, (dy, dx), shape)]
            index = [gyre.round(p).to(dtype="i64") for p in places]
            part = _corner(rows, shape, index, True) * (wy * wx).unsqueeze(1)
            total = part if total is None else total + part
    return total
