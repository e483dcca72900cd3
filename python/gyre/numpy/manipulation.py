"""Shapes, joins, splits, repetitions and selections."""

import reprlib

import operator

from gyre import _gyre
from gyre._functions import indices as indices_of, shapes as torch_named
from gyre._functions.reductions import isin
from gyre.numpy.dtypes import arrays as as_arrays, operands, tensor
from gyre.numpy.elementwise import finished, writable


def axes_of(axis, rank, name):
    """Axes as a tuple of indices from 0."""
    axes = tuple(axis) if isinstance(axis, (tuple, list)) else (axis,)
    found = tuple(torch_named._axis(a, rank, name) for a in axes)
    if len({*found}) != len(found):
        raise ValueError(f"{name}: expected distinct axes, got {axis}")
    return found


def ndim(a):
    """Number of axes."""
    return tensor(a).ndim


def shape(a):
    """Sizes of the axes."""
    return tuple(tensor(a).shape)


def size(a, axis=None):
    """Number of elements, in all or along an axis."""
    x = tensor(a)
    return x.numel() if axis is None else x.shape[axis]


def reshape(a, /, shape, order="C", *, copy=None):
    """The same elements with another shape, of which one size may be -1; read and written with the first index changing
    fastest for order="F"."""
    result = torch_named.reshaped(tensor(a), shape if isinstance(shape, (tuple, list)) else (shape,), order)
    return _gyre.clone(result) if copy else result


def ravel(a, order="C"):
    """Flattened to one axis, with the first index changing fastest for order="F"."""
    return reshape(a, -1, order)


def transpose(a, axes=None):
    """Axes in another order, reversed by default."""
    x = tensor(a)
    return x.permute(tuple(range(x.ndim))[::-1] if axes is None else axes_of(axes, x.ndim, "transpose"))


def permute_dims(a, axes=None):
    """Axes in another order, reversed by default."""
    return transpose(a, axes)


def matrix_transpose(x, /):
    """Last two axes swapped."""
    x = tensor(x)
    if x.ndim < 2:
        raise ValueError(f"matrix_transpose: expected at least 2 axes, got {x.ndim}")
    return x.mT


def moveaxis(a, source, destination):
    """Moves axes to other positions; the others keep their order."""
    return torch_named.movedim(tensor(a), source, destination)


def rollaxis(a, axis, start=0):
    """Moves an axis before another."""
    x = tensor(a)
    (axis,) = axes_of(axis, x.ndim, "rollaxis")
    start = start + x.ndim if start < 0 else start
    return moveaxis(x, axis, start - (axis < start))


def swapaxes(a, axis1, axis2):
    """Two axes swapped."""
    return tensor(a).transpose(axis1, axis2)


def expand_dims(a, axis):
    """New axes of size 1 at these positions of the result."""
    x = tensor(a)
    count = len(axis) if isinstance(axis, (tuple, list)) else 1
    for place in sorted(axes_of(axis, x.ndim + count, "expand_dims")):
        x = x.unsqueeze(place)
    return x


def squeeze(a, axis=None):
    """Without axes of size 1: all, or these, which must have it."""
    x = tensor(a)
    return torch_named.squeeze(x) if axis is None else torch_named.squeeze(x, axis=axis)


def broadcast_to(array, shape, subok=False):
    """View broadcast to a shape."""
    return tensor(array).expand(shape if isinstance(shape, (tuple, list)) else (shape,))


def broadcast_arrays(*args, subok=False):
    """Views of the arrays broadcast to their common shape, as a tuple."""
    return torch_named.broadcast_tensors(*map(tensor, args)) if args else ()


def broadcast_shapes(*args):
    """The shape to which arrays of these shapes broadcast."""
    return torch_named.broadcast_shapes(*args)


def atleast_1d(*arys):
    """Arrays with at least one axis."""
    return torch_named.atleast_1d(*map(tensor, arys))


def atleast_2d(*arys):
    """Arrays with at least two axes; a vector is a row."""
    return torch_named.atleast_2d(*map(tensor, arys))


def atleast_3d(*arys):
    """Arrays with at least three axes: a vector is [1, n, 1], a matrix [m, n, 1]."""
    return torch_named.atleast_3d(*map(tensor, arys))


# ---- joins and splits ----


def concatenate(arrays, /, axis=0, out=None, *, dtype=None):
    """Joined along an axis; flattened first for axis=None."""
    parts = as_arrays(*arrays)
    parts, axis = ([x.reshape(-1) for x in parts], 0) if axis is None else (parts, axis)
    return finished("concatenate", _gyre.cat(*parts, axis=axis), out, dtype=dtype)


def concat(arrays, /, axis=0, out=None, *, dtype=None):
    """Same as concatenate."""
    return concatenate(arrays, axis, out, dtype=dtype)


def stack(arrays, axis=0, out=None, *, dtype=None):
    """Joined along a new axis."""
    return finished("stack", _gyre.stack(*as_arrays(*arrays), axis=axis), out, dtype=dtype)


def hstack(tup):
    """Joined along axis 1, vectors along axis 0."""
    return torch_named.hstack(as_arrays(*tup))


def vstack(tup):
    """Joined along axis 0; vectors are rows."""
    return torch_named.vstack(as_arrays(*tup))


def row_stack(tup):
    """Same as vstack."""
    return vstack(tup)


def dstack(tup):
    """Joined along axis 2; vectors are [1, n, 1], matrices [m, n, 1]."""
    return torch_named.dstack(as_arrays(*tup))


def column_stack(tup):
    """Joined along axis 1; vectors are columns."""
    return torch_named.column_stack(as_arrays(*tup))


def block(arrays):
    """Matrix of nested lists of blocks: inner lists are joined along the last axis, outer ones along those before."""
    def depth(x):
        return 1 + max(map(depth, x), default=0) if isinstance(x, list) else 0

    def joined(x, level, rank):
        if not isinstance(x, list):
            x = tensor(x)
            return x.reshape([1] * (rank - x.ndim) + list(x.shape))
        return concatenate([joined(part, level - 1, rank) for part in x], -level)

    def largest(x):
        return max(map(largest, x)) if isinstance(x, list) else tensor(x).ndim

    levels = depth(arrays)
    return joined(arrays, levels, max(levels, largest(arrays)))


def _bounds(indices_or_sections):
    return indices_or_sections.tolist() if hasattr(indices_or_sections, "tolist") else indices_or_sections


def array_split(ary, indices_or_sections, axis=0):
    """Parts along an axis, a list of views: that many of nearly equal size, or between indices."""
    return list(torch_named.tensor_split(tensor(ary), _bounds(indices_or_sections), axis))


def split(ary, indices_or_sections, axis=0):
    """Parts along an axis, a list of views: that many of equal size, or between indices."""
    x, parts = tensor(ary), _bounds(indices_or_sections)
    if not isinstance(parts, (list, tuple)) and x.shape[axis] % operator.index(parts):
        raise ValueError(f"split: {x.shape[axis]} elements do not split into {parts} equal parts; use array_split")
    return array_split(x, parts, axis)


def hsplit(ary, indices_or_sections):
    """Equal parts along axis 1 (0 of a vector), or between indices."""
    return list(torch_named.hsplit(tensor(ary), _bounds(indices_or_sections)))


def vsplit(ary, indices_or_sections):
    """Equal parts along axis 0, or between indices."""
    return list(torch_named.vsplit(tensor(ary), _bounds(indices_or_sections)))


def dsplit(ary, indices_or_sections):
    """Equal parts along axis 2, or between indices."""
    return list(torch_named.dsplit(tensor(ary), _bounds(indices_or_sections)))


def unstack(x, /, *, axis=0):
    """Slices along an axis, as a tuple of views without it."""
    return torch_named.unbind(tensor(x), axis)


def append(arr, values, axis=None):
    """Values joined to the end along an axis; both flattened without one."""
    return concatenate([arr, values], axis)


def delete(arr, obj, axis=None):
    """Without the slices at indices along an axis, of the flattened array without one."""
    x = tensor(arr)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axes_of(axis, x.ndim, "delete")[0])
    n = x.shape[axis]
    gone = _gyre.arange(n)[obj] if isinstance(obj, slice) else tensor(obj).reshape(-1)
    mask = gone if gone.dtype == _gyre.boolean else isin(_gyre.arange(n), from_end(gone, n, "delete"))
    return _gyre.index_select(x, _gyre.nonzero(_gyre.logical_not(mask)).reshape(-1), axis)


def insert(arr, obj, values, axis=None):
    """Values inserted before an index along an axis, of the flattened array without one; for several indices a value, or
    a slice along the axis, before each."""
    x = tensor(arr)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axes_of(axis, x.ndim, "insert")[0])
    if not hasattr(obj, "__index__") or getattr(obj, "ndim", 0):
        return _inserted(x, obj, values, axis)
    place = operator.index(obj)
    place = place + x.shape[axis] if place < 0 else place
    new = tensor(values).to(x.dtype)
    new = new.reshape([1] * (x.ndim - new.ndim) + list(new.shape)).movedim(0, axis)
    shape = [new.shape[axis] if i == axis else n for i, n in enumerate(x.shape)]
    return concatenate([_gyre.slice(x, axis, 0, place), new.expand(shape), _gyre.slice(x, axis, place)], axis)


def _inserted(x, places, values, axis):
    n = x.shape[axis]
    places = _gyre.arange(n)[places] if isinstance(places, slice) else from_end(places, n, "insert").reshape(-1)
    shape = [places.numel() if i == axis else size for i, size in enumerate(x.shape)]
    whole = concatenate([x, tensor(values).to(x.dtype).expand(shape)], axis)
    order = _gyre.argsort(_gyre.cat(_gyre.arange(n) * 2 + 1, places * 2), 0)  # each value before its index
    return _gyre.index_select(whole, order, axis)


def trim_zeros(filt, trim="fb"):
    """A vector without the zeros at its ends: "f" the front, "b" the back."""
    x = tensor(filt)
    if x.ndim != 1:
        raise ValueError(f"trim_zeros: expected 1 axis, got {x.ndim}")
    kept = _gyre.nonzero(x).reshape(-1)
    if not kept.numel():
        return x[:0]
    first, last = int(kept[0]) if "f" in trim.lower() else 0, int(kept[-1]) + 1 if "b" in trim.lower() else x.numel()
    return x[first:last]


# ---- repetitions and reversals ----


def repeat(a, repeats, axis=None):
    """Each element of the flattened array, or each slice along an axis, repeated consecutively."""
    return torch_named.repeat_interleave(tensor(a), repeats if isinstance(repeats, int) else tensor(repeats), axis)


def tile(A, reps):
    """The array repeated along each axis."""
    x, counts = tensor(A), tuple(reps) if isinstance(reps, (tuple, list)) else (reps,)
    counts = (1,) * (x.ndim - len(counts)) + counts
    return _gyre.tile(x.reshape([1] * (len(counts) - x.ndim) + list(x.shape)), counts) if counts else _gyre.clone(x)


def resize(a, new_shape):
    """The elements repeated to fill a new shape."""
    x, total = tensor(a).reshape(-1), 1
    new_shape = tuple(new_shape) if isinstance(new_shape, (tuple, list)) else (new_shape,)
    for n in new_shape:
        total *= n
    return x[_gyre.arange(total) % max(x.numel(), 1)].reshape(new_shape)


def roll(a, shift, axis=None):
    """Circular shift along axes; of the flattened array without them."""
    if isinstance(shift, (tuple, list)) and isinstance(axis, int):
        axis = (axis,) * len(shift)
    return torch_named.roll(tensor(a), shift, axis)


def flip(m, axis=None):
    """Reversed along axes, all by default."""
    x = tensor(m)
    if axis == () or x.ndim == 0:
        return _gyre.clone(x)
    return _gyre.flip(x, () if axis is None else axes_of(axis, x.ndim, "flip"))


def fliplr(m):
    """Axis 1 reversed."""
    return flip(m, 1)


def flipud(m):
    """Axis 0 reversed."""
    return flip(m, 0)


def rot90(m, k=1, axes=(0, 1)):
    """The plane of two axes rotated by 90 degrees k times, from the first towards the second."""
    return torch_named.rot90(tensor(m), k, axes)


# ---- selections ----


def from_end(indices, n, name, mode="raise"):
    """Indices from 0, of which negative ones count from the end."""
    i = tensor(indices)
    i = i if i.numel() else i.to("i64")
    if i.is_floating_point():
        raise TypeError(f"{name}: expected integers as indices, got {i.dtype.name}")
    if i.dtype == _gyre.u64:  # those above i64 stay out of range
        i = i % n if mode == "wrap" else _gyre.minimum(i, 2 ** 63 - 1)
    i = i.to("i64")
    if mode == "wrap":
        return i % n
    if mode == "clip":
        return _gyre.clamp(i, 0, n - 1)
    if mode != "raise":
        raise ValueError(f"{name}: expected mode \"raise\", \"wrap\" or \"clip\", got {reprlib.repr(mode)}")
    return _gyre.where(i < 0, i + n, i)


def take(a, indices, axis=None, out=None, mode="raise"):
    """Elements at indices along an axis, of the flattened array without one."""
    x = tensor(a)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axes_of(axis, x.ndim, "take")[0])
    places = from_end(indices, x.shape[axis], "take", mode)
    result = _gyre.index_select(x, places.reshape(-1), axis)
    return finished("take", result.reshape(*x.shape[:axis], *places.shape, *x.shape[axis + 1:]), out)


def take_along_axis(arr, indices, axis=-1):
    """Elements at indices along an axis, of the flattened array for axis=None; the other axes broadcast."""
    x = tensor(arr)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
    return indices_of.take_along_axis(x, from_end(indices, x.shape[axis], "take_along_axis"), axis)


def put_along_axis(arr, indices, values, axis):
    """Writes values at indices along an axis, in place."""
    x = writable(arr)
    x, axis = (x.reshape(-1), 0) if axis is None else (x, axis)
    places = from_end(indices, x.shape[axis], "put_along_axis")
    x.copy_(_gyre.scatter(x, places, tensor(values, x.dtype).expand(places.shape), axis=axis))


def put(a, ind, v, mode="raise"):
    """Writes values at indices into the flattened array, in place; fewer values are repeated."""
    x = writable(a)
    places = from_end(ind, x.numel(), "put", mode).reshape(-1)
    flat = x.reshape(-1)
    flat[places] = resize(tensor(v, x.dtype), (places.numel(),))
    x.copy_(flat.reshape(x.shape))


def place(arr, mask, vals):
    """Writes values where a mask is true, in place, one after the other; fewer values are repeated."""
    put(arr, _gyre.nonzero(tensor(mask, "bool").reshape(-1)).reshape(-1), vals)


def putmask(a, mask, values):
    """Writes values where a mask is true, in place; fewer values than elements of the array are repeated."""
    x = writable(a)
    copyto(x, resize(tensor(values, x.dtype), tuple(x.shape)), where=tensor(mask, "bool"))


def compress(condition, a, axis=None, out=None):
    """Slices along an axis where condition is true, of the flattened array without one."""
    places = _gyre.nonzero(tensor(condition) != 0).reshape(-1)
    return take(a, places, axis, out)


def extract(condition, arr):
    """Elements where condition is true."""
    return compress(tensor(condition).reshape(-1), arr)


def choose(a, choices, out=None, mode="raise"):
    """Elements of the arrays that the indices choose."""
    arrays = broadcast_arrays(*operands(*choices))
    places, table = broadcast_arrays(from_end(a, len(arrays), "choose", mode), arrays[0])
    stacked = _gyre.stack(*[x.expand(table.shape) for x in arrays])
    return finished("choose", _gyre.gather(stacked, places.unsqueeze(0), axis=0).squeeze(0), out)


def select(condlist, choicelist, default=0):
    """For each element the choice of the first condition that is true, else the default."""
    if len(condlist) != len(choicelist) or not condlist:
        raise ValueError(f"select: expected as many choices as conditions, got {len(condlist)} and {len(choicelist)}")
    *choices, result = operands(*choicelist, default)
    for condition, choice in reversed([*zip(condlist, choices)]):
        result = _gyre.where(tensor(condition), choice, result)
    return result


def diagonal(a, offset=0, axis1=0, axis2=1):
    """Diagonals over two axes."""
    return _gyre.diagonal(tensor(a), offset, axis1, axis2)


def unravel_index(indices, shape):
    """Index along each axis of indices into the flattened array, as a tuple."""
    places, found = tensor(indices), []
    for n in reversed(shape if isinstance(shape, (tuple, list)) else (shape,)):
        found.append(places % n)
        places = places // n
    return tuple(reversed(found))


def ravel_multi_index(multi_index, dims, mode="raise"):
    """Indices into the flattened array of a tuple of indices along each axis."""
    result = 0
    modes = mode if isinstance(mode, tuple) else (mode,) * len(dims)
    for places, n, how in zip(multi_index, dims, modes):
        found = tensor(places) if how == "raise" else from_end(places, n, "ravel_multi_index", how)
        if bool(_gyre.any((found < 0) | (found >= n))):
            raise ValueError(f"ravel_multi_index: expected indices from 0 to {n - 1}, got others")
        result = result * n + found
    return result


def ix_(*args):
    """Index grids that select all combinations of vectors of indices."""
    vectors = [_gyre.nonzero(x).reshape(-1) if x.dtype == _gyre.boolean else x for x in map(tensor, args)]
    return tuple(x.reshape([-1 if i == n else 1 for i in range(len(vectors))]) for n, x in enumerate(vectors))


def copyto(dst, src, casting="same_kind", where=True):
    """Writes src into dst, which is broadcast; only where a mask is true."""
    dst = writable(dst)
    source = tensor(src).to(dst.dtype)
    dst.copy_(source.expand(dst.shape) if where is True else _gyre.where(tensor(where), source, dst))


def fill_diagonal(a, val):
    """Writes a number to the diagonal of a matrix, in place."""
    places = _gyre.arange(min(a.shape))
    writable(a)[(places,) * a.ndim] = val


functions = [ndim, shape, size, reshape, ravel, transpose, permute_dims, matrix_transpose, moveaxis, rollaxis, swapaxes,
             expand_dims, squeeze, broadcast_to, broadcast_arrays, broadcast_shapes, atleast_1d, atleast_2d, atleast_3d,
             concatenate, concat, stack, hstack, vstack, dstack, column_stack, block, array_split, split, hsplit,
             vsplit, dsplit, unstack, append, delete, insert, repeat, tile, resize, roll, flip, fliplr, flipud, rot90,
             take, take_along_axis, put_along_axis, compress, extract, choose, select, diagonal, unravel_index,
             ravel_multi_index, ix_, copyto, fill_diagonal, trim_zeros, put, place, putmask, row_stack]
