"""Shapes, joins and parts of tensors."""

import builtins
import math
import operator

from gyre import _gyre
from gyre._functions.keywords import _extend
from gyre._gyre import Tensor, asarray

_op_cat, _op_flip, _op_unfold = _gyre.cat, _gyre.flip, _gyre.unfold
_diagonal, _diag_embed = _gyre.diagonal, _gyre.diag_embed
_squeeze, _split, _roll, _repeat_interleave = _gyre.squeeze, _gyre.split, _gyre.roll, _gyre.repeat_interleave


class NumberOfElements(int):
    """Number of elements of a tensor, as in NumPy. A call gives its shape, as in PyTorch: x.size(), or the size of
    an axis, x.size(0)."""

    def __new__(cls, tensor):
        size = super().__new__(cls, tensor.numel())
        size._shape = tensor.shape
        return size

    def __call__(self, dim=None):
        return self._shape if dim is None else self._shape[operator.index(dim)]

    def __reduce__(self):
        return int, (int(self),)


def _axis(axis, rank, name):
    axis = operator.index(axis)
    if not -builtins.max(rank, 1) <= axis < builtins.max(rank, 1):
        raise IndexError(f"{name}: axis {axis} is out of range for {rank} axes")
    return axis % builtins.max(rank, 1)


def _listed(tensors):
    return [asarray(x) for x in tensors]


def t(input):
    """Matrix transpose; a vector as it is."""
    x = asarray(input)
    if x.ndim > 2:
        raise ValueError(f"t: expected at most 2 axes, got {x.ndim}; use transpose(axis0, axis1) or mT")
    return x.T


def _order_of_axes(x, order):
    """The axes in the order in which elements are read, the last changing fastest; the transpose of column-major memory, for
    example, is read as it lies for "A" and "K"."""
    axes = list(range(x.ndim))
    if order == "C":
        return axes
    if order == "F":
        return axes[::-1]
    if order == "A":
        return axes[::-1] if x.T.is_contiguous() and not x.is_contiguous() else axes
    if order == "K":
        return sorted(axes, key=lambda axis: -x.stride()[axis])
    found = repr(order) if isinstance(order, str) else type(order).__name__
    raise ValueError(f"expected order \"C\", \"F\", \"A\" or \"K\", got {found}")


def reshaped(x, shape, order="C"):
    """The elements in another shape, read and written in an order as in NumPy's reshape."""
    axes = _order_of_axes(x, order)
    if order != "F" and axes == sorted(axes):
        return x.reshape(shape)
    result = x.permute(axes).reshape(tuple(shape)[::-1])
    return result.permute(tuple(range(result.ndim))[::-1])


def _reshaped_in_order(op, order, input, *shape, **options):
    sizes = options.pop("shape", options.pop("size", shape[0] if len(shape) == 1 else shape))
    return reshaped(asarray(input), sizes if isinstance(sizes, (tuple, list)) else (sizes,), order)


def flatten(input, start_dim=0, end_dim=-1, *, order=None):
    """Merges the axes from start_dim to end_dim into one; all of them in NumPy's order "C", "F", "A" or "K"."""
    x = asarray(input)
    order = start_dim if isinstance(start_dim, str) else order
    if order is not None:
        return reshaped(x, (-1,), order).clone()
    first, last = _axis(start_dim, x.ndim, "flatten"), _axis(end_dim, x.ndim, "flatten")
    if first > last:
        raise ValueError(f"flatten: start_dim {start_dim} comes after end_dim {end_dim}")
    return x.reshape(*x.shape[:first], math.prod(x.shape[first:last + 1]), *x.shape[last + 1:])


def unflatten(input, dim, sizes):
    """Splits an axis into axes of these sizes, one of which may be -1."""
    x = asarray(input)
    axis = _axis(dim, x.ndim, "unflatten")
    return x.reshape(*x.shape[:axis], *sizes, *x.shape[axis + 1:])


def ravel(input, order="C"):
    """Flattens to one axis, in NumPy's order "C", "F", "A" or "K"."""
    return reshaped(asarray(input), (-1,), order)


_gyre.transpose._take_all_axes(lambda op, input, *axes: asarray(input).permute(*axes))


def view_as(self, other):
    """View with the shape of `other`."""
    return self.view(asarray(other).shape)


def reshape_as(self, other):
    """The same elements with the shape of `other`."""
    return self.reshape(asarray(other).shape)


def expand_as(self, other):
    """Broadcast to the shape of `other`."""
    return self.expand(asarray(other).shape)


def squeeze(input, dim=None, *, axis=None, axes=None):
    """Removes axes of size 1, or only those of `dim`. As in PyTorch, an axis of `dim` with another size stays; an
    axis of `axis` must have size 1, as in NumPy."""
    x, axis = asarray(input), axes if axis is None else axis
    if axis is not None:
        return _squeeze(x, axis if isinstance(axis, (list, tuple)) else [axis]) if axis != () else x
    if dim is None:
        return _squeeze(x)
    axes = [_axis(d, x.ndim, "squeeze") for d in (dim if isinstance(dim, (list, tuple)) else (dim,))]
    axes = [a for a in axes if x.ndim and x.shape[a] == 1]
    return _squeeze(x, axes) if axes else x.view(x.shape)


def movedim(input, source, destination):
    """Moves axes to other positions; the others keep their order."""
    x = asarray(input)
    pair = [[_axis(a, x.ndim, "movedim") for a in (axes if isinstance(axes, (list, tuple)) else (axes,))]
            for axes in (source, destination)]
    if len(pair[0]) != len(pair[1]) or builtins.any(len(set(axes)) != len(axes) for axes in pair):
        raise ValueError(f"movedim: expected distinct axes, as many as destinations, got {source} and {destination}")
    order = [axis for axis in range(x.ndim) if axis not in pair[0]]
    for axis, place in sorted(zip(*pair), key=lambda moved: moved[1]):
        order.insert(place, axis)
    return x.permute(order)


def moveaxis(input, source, destination):
    """Same as movedim."""
    return movedim(input, source, destination)


def unbind(input, dim=0, *, axis=None) -> "tuple[Tensor, ...]":
    """Slices along an axis, as a tuple of views without it."""
    x = asarray(input)
    axis = _axis(dim if axis is None else axis, x.ndim, "unbind")
    if x.ndim == 0:
        raise ValueError("unbind: a 0-d tensor has no axis")
    return tuple(_gyre.select(x, axis, i) for i in range(x.shape[axis]))


def cat(*tensors, **options):
    """Joins tensors, or those of a list, along an axis; next to tensors of more axes an empty vector, as PyTorch programs
    start from, is nothing."""
    listed = bool(tensors) and isinstance(tensors[0], (list, tuple))
    parts = tensors[0] if listed else tensors
    if len({x.ndim for x in parts if isinstance(x, Tensor)}) > 1:
        parts = [x for x in parts if not isinstance(x, Tensor) or x.shape != (0,)]
        tensors = (parts, *tensors[1:]) if listed else parts
    return _op_cat(*tensors, **options)


def _same_as_cat(name):
    def join(*tensors, **options):
        return cat(*tensors, **options)

    join.__name__ = join.__qualname__ = name
    join.__doc__ = "Same as cat."
    return join


concat, concatenate = map(_same_as_cat, ("concat", "concatenate"))


def split(input, split_size_or_sections=None, dim=0, *, axis=None, sizes=None) -> "tuple[Tensor, ...]":
    """Parts along an axis, as views: of a size (the last may be smaller), or of the sizes of a list."""
    x, parts = asarray(input), split_size_or_sections if sizes is None else sizes
    axis = _axis(dim if axis is None else axis, x.ndim, "split")
    if isinstance(parts, (list, tuple)):
        return _split(x, parts, axis)
    size, n = operator.index(parts), x.shape[axis]
    if size < 1 and not (size == n == 0):
        raise ValueError(f"split: expected a size of at least 1, got {size}")
    return _split(x, [builtins.min(size, n - i) for i in range(0, n, size)] if n else [0], axis)


def split_with_sizes(input, split_sizes, dim=0):
    """Parts of these sizes along an axis, as views."""
    return split(input, split_sizes, dim)


def tensor_split(input, indices_or_sections, dim=0, *, axis=None) -> "tuple[Tensor, ...]":
    """Parts along an axis, as views: that many of nearly equal size, or between the indices of a list."""
    x, axis = asarray(input), dim if axis is None else axis
    axis = _axis(axis, x.ndim, "tensor_split")
    n = x.shape[axis]
    if isinstance(indices_or_sections, Tensor) and indices_or_sections.ndim == 1:
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, (list, tuple)):
        ends = [builtins.min(builtins.max(i + n if i < 0 else i, 0), n) for i in map(operator.index, indices_or_sections)]
        bounds = [0, *ends, n]
        return tuple(_gyre.slice(x, axis, a, builtins.max(a, b)) for a, b in zip(bounds, bounds[1:]))
    count = operator.index(indices_or_sections)
    if count < 1:
        raise ValueError(f"tensor_split: expected at least 1 part, got {count}")
    return _split(x, [n // count + (i < n % count) for i in range(count)], axis)


def _split_along(name, axis_of, least):
    def part(input, indices_or_sections) -> "Any":
        x = asarray(input)
        if x.ndim < least:
            raise ValueError(f"{name}: expected at least {least} axes, got {x.ndim}")
        axis = axis_of(x)
        if not isinstance(indices_or_sections, (list, tuple)):
            count = operator.index(indices_or_sections)
            if count < 1:
                raise ValueError(f"{name}: expected at least 1 part, got {count}")
            if x.shape[axis] % count == 0:
                return tensor_split(x, count, axis)
            raise ValueError(f"{name}: {x.shape[axis]} elements do not split into {indices_or_sections} equal parts")
        return tensor_split(x, indices_or_sections, axis)

    part.__name__ = part.__qualname__ = name
    part.__doc__ = f"Equal parts along axis {least - 1}{' (0 of a vector)' if least == 1 else ''}, or between indices."
    return part


hsplit = _split_along("hsplit", lambda x: 0 if x.ndim == 1 else 1, 1)
vsplit = _split_along("vsplit", lambda x: 0, 2)
dsplit = _split_along("dsplit", lambda x: 2, 3)


def atleast_1d(*tensors) -> "Any":
    """Tensors with at least one axis."""
    return _each(tensors, lambda x: x.reshape(1) if x.ndim == 0 else x)


def atleast_2d(*tensors) -> "Any":
    """Tensors with at least two axes; a vector is a row."""
    return _each(tensors, lambda x: x.reshape(1, -1) if x.ndim < 2 else x)


def atleast_3d(*tensors) -> "Any":
    """Tensors with at least three axes: a vector is [1, n, 1], a matrix [m, n, 1]."""
    return _each(tensors, lambda x: x.reshape(1, -1, 1) if x.ndim < 2 else x.unsqueeze(-1) if x.ndim == 2 else x)


def _each(tensors, f):
    if len(tensors) == 1 and not isinstance(tensors[0], (list, tuple)):
        return f(asarray(tensors[0]))
    return tuple(f(x) for x in _listed(tensors[0] if len(tensors) == 1 else tensors))


def hstack(tensors):
    """Joins along axis 1, vectors along axis 0."""
    parts = [atleast_1d(x) for x in tensors]
    return cat(parts, axis=0 if parts and parts[0].ndim == 1 else 1)


def vstack(tensors):
    """Joins along axis 0; vectors are rows."""
    return cat([atleast_2d(x) for x in tensors], axis=0)


def row_stack(tensors):
    """Same as vstack."""
    return vstack(tensors)


def dstack(tensors):
    """Joins along axis 2; vectors are [1, n, 1], matrices [m, n, 1]."""
    return cat([atleast_3d(x) for x in tensors], axis=2)


def column_stack(tensors):
    """Joins along axis 1; vectors are columns."""
    return cat([x.reshape(-1, 1) if x.ndim < 2 else x for x in _listed(tensors)], axis=1)


def broadcast_tensors(*tensors) -> "tuple[Tensor, ...]":
    """Tensors broadcast to their common shape."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    shape = broadcast_shapes(*[asarray(x).shape for x in tensors])
    return tuple(asarray(x).expand(shape) for x in tensors)


def broadcast_shapes(*shapes) -> "tuple[int, ...]":
    """The shape to which tensors of these shapes broadcast."""
    result = []
    for shape in shapes:
        shape = [shape] if isinstance(shape, int) else list(shape)
        result, shape = [1] * (len(shape) - len(result)) + result, [1] * (len(result) - len(shape)) + shape
        for i, (m, n) in enumerate(zip(result, shape)):
            if m != n and 1 not in (m, n):
                raise ValueError(f"broadcast_shapes: {tuple(shapes)} do not broadcast")
            result[i] = n if m == 1 else m
    return tuple(result)


def rot90(input, k=1, dims=(0, 1)):
    """Rotates the plane of two axes by 90 degrees k times, from the first towards the second."""
    x, (a, b) = asarray(input), dims
    turns = k % 4
    if turns == 0:
        return x.clone()
    if turns == 2:
        return x.flip((a, b))
    return x.flip(b).transpose(a, b) if turns == 1 else x.transpose(a, b).flip(b)


def fliplr(input):
    """Reverses axis 1."""
    return asarray(input).flip(1)


def flipud(input):
    """Reverses axis 0."""
    return asarray(input).flip(0)


def flip(*args, **options):
    """Reverses the order of elements along axes, of all axes if none are given."""
    axes = args[1] if len(args) == 2 else next((options[key] for key in ("dims", "axis", "axes") if key in options), None)
    return asarray(args[0]).clone() if args and axes in ((), []) else _op_flip(*args, **options)


def unfold(input, dimension=0, size=1, step=1, *, dim=None, axis=None):
    """Sliding windows along an axis, as a view with a new last axis."""
    x, axis = asarray(input), next((given for given in (dim, axis) if given is not None), dimension)
    return _op_unfold(x, axis, size, step) if x.ndim else _op_unfold(x.reshape(1), axis, size, step)[0]


def roll(input, shifts, dims=None, *, axis=None, axes=None):
    """Circular shift along axes; without axes, of the flattened tensor."""
    x, axes = asarray(input), next((given for given in (dims, axis, axes) if given is not None), None)
    if axes is None or axes == ():
        return _roll(x.reshape(-1), shifts, 0).reshape(x.shape)
    axes = axes if isinstance(axes, (list, tuple)) else (axes,)
    shifts = shifts if isinstance(shifts, (list, tuple)) else (shifts,) * len(axes)
    return _roll(x, shifts, axes)


def repeat(self, *repeats, axis=None):
    """Repeats the tensor along each axis, as tile(); repeat(n, axis=k), as in NumPy, repeats each slice along an axis."""
    if axis is not None:
        return repeat_interleave(self, *repeats, axis)
    counts = repeats[0] if len(repeats) == 1 and isinstance(repeats[0], (list, tuple)) else repeats
    if len(counts) < self.ndim:
        raise ValueError(f"repeat: expected at least {self.ndim} repetitions, got {len(counts)}; "
                         "write repeat_interleave(n) to repeat elements")
    return self.tile(counts)


def repeat_interleave(input, repeats=None, dim=None, *, output_size=None, axis=None, count=None):
    """Repeats each slice along an axis consecutively, or each element of the flattened tensor. `repeats` is a number,
    or one for each slice."""
    x, axis, repeats = asarray(input), dim if axis is None else axis, repeats if count is None else count
    if repeats is None:  # repeat_interleave(counts): indices
        return repeat_interleave(_gyre.arange(x.shape[0]), x, 0)
    if axis is None:
        x, axis = x.reshape(-1), 0
    if isinstance(repeats, int):
        return _repeat_interleave(x, repeats, axis)
    counts = asarray(repeats).reshape(-1).to(_gyre.i64)
    if counts.shape[0] == 1:
        return _repeat_interleave(x, counts.item(), axis)
    n = x.shape[axis]
    if counts.shape[0] != n or (n and counts.min().item() < 0):
        raise ValueError(f"repeat_interleave: expected {n} counts of at least 0, got {list(counts.shape)}")
    ends = counts.cumsum(0)
    total = ends[-1].item() if n else 0
    return _gyre.index_select(x, _gyre.searchsorted(ends, _gyre.arange(total), right=True), axis)


def narrow(input, dim, start, length):
    """View of `length` indices along an axis, from `start`."""
    x = asarray(input)
    axis = _axis(dim, x.ndim, "narrow")
    n, start = x.shape[axis], operator.index(start)
    start = start + n if start < 0 else start
    if not (0 <= start and 0 <= length and start + length <= n):
        raise IndexError(f"narrow: {length} indices from {start} exceed axis {axis} with {n} elements")
    return _gyre.slice(x, axis, start, start + length)


def diag(input, diagonal=0):
    """Diagonal of a matrix, or the matrix with a vector on its diagonal."""
    x = asarray(input)
    if x.ndim not in (1, 2):
        raise ValueError(f"diag: expected 1 or 2 axes, got {x.ndim}; use diagonal() or diag_embed()")
    return _gyre.diag_embed(x, diagonal) if x.ndim == 1 else _gyre.diagonal(x, diagonal).clone()


def diagonal(input, offset=0, dim1=0, dim2=1, *, axis0=None, axis1=None):
    """View of the diagonal of two axes, as a new last axis."""
    return _diagonal(input, offset, dim1 if axis0 is None else axis0, dim2 if axis1 is None else axis1)


def fill_diagonal_(self, fill_value, wrap=False):
    """Sets the elements whose indices are all equal to a number, in place."""
    if wrap or self.ndim < 2:
        raise ValueError(f"fill_diagonal_: expected wrap=False and at least 2 axes, got wrap={wrap} and {self.ndim} axes")
    if self.ndim > 2 and len({*self.shape}) > 1:
        raise ValueError(f"fill_diagonal_: expected axes of one size, got {list(self.shape)}")
    every = _gyre.arange(builtins.min(self.shape))
    self[(every,) * self.ndim] = fill_value
    return self


def diag_embed(input, offset=0, dim1=-2, dim2=-1, *, axis0=None, axis1=None, rows=-1, columns=-1):
    """Zeros with the last axis on the diagonal of two axes of the result."""
    return _diag_embed(input, offset, dim1 if axis0 is None else axis0, dim2 if axis1 is None else axis1, rows, columns)


def diagflat(input, offset=0):
    """Matrix with the flattened tensor on its diagonal."""
    return _gyre.diag_embed(ravel(input), offset)


def adjoint(input):
    """Matrix transpose of the last two axes."""
    return asarray(input).mT


properties = {
    "size": property(NumberOfElements, doc="number of elements; called, the shape, x.size(), or the size of an axis, x.size(0)"),
    "H": property(t, doc="matrix transpose"),
    "mH": property(adjoint, doc="matrix transpose of the last two axes"),
}
functions = [t, flatten, unflatten, ravel, squeeze, movedim, moveaxis, unbind, cat, concat, concatenate, split, split_with_sizes,
             tensor_split, hsplit, vsplit, dsplit, atleast_1d, atleast_2d, atleast_3d, hstack, vstack, row_stack, dstack,
             column_stack, broadcast_tensors, broadcast_shapes, rot90, flip, fliplr, flipud, unfold, roll,
             repeat_interleave, narrow, diag, diagonal, diag_embed, diagflat, adjoint]
_extend((_gyre.reshape,), "order", _reshaped_in_order, "C")
methods = [t, flatten, unflatten, ravel, view_as, reshape_as, expand_as, squeeze, movedim, moveaxis, unbind, split,
           split_with_sizes, tensor_split, hsplit, vsplit, dsplit, rot90, flip, fliplr, flipud, unfold, roll, repeat,
           repeat_interleave, narrow, diag, diagonal, diag_embed, diagflat,
           fill_diagonal_, adjoint]
