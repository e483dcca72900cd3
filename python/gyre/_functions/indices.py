"""Elements at indices and masks: read, replaced and added; PyTorch puts the axis before the indices."""

import reprlib

from gyre import _gyre
from gyre._functions.shapes import _axis, broadcast_shapes, diagonal, ravel
from gyre._gyre import Tensor, asarray

_op_masked_fill, _op_index_put = _gyre.masked_fill, _gyre.index_put


def _index_form(name, op):
    def call(input, *args, **options):
        if args and isinstance(args[0], int) and not isinstance(args[0], bool) and len(args) > 1:
            options["axis"], args = args[0], args[1:]
        elif len(args) == 1 and "index" in options and isinstance(args[0], int):
            options["axis"], args = args[0], ()
        x = asarray(input)
        args = [i.to("i64") if isinstance(i, Tensor) and not i.numel() else i for i in args]  # of any dtype
        if x.ndim or not any(isinstance(i, Tensor) and i.ndim for i in (*args, *options.values())):
            return op(x, *args, **options)
        result = op(x.reshape(1), *args, **options)  # x as an axis of size 1
        return result if name == "gather" else result.reshape(())

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{op.doc}; {name}(x, dim, index, ...) as in PyTorch, or {name}(x, index, ..., axis=...)."
    return call


gather, index_select = (_index_form(name, getattr(_gyre, name)) for name in ("gather", "index_select"))
_scatter, _scatter_add, _scatter_reduce, _index_add = (
    _index_form(name, getattr(_gyre, name)) for name in ("scatter", "scatter_add", "scatter_reduce", "index_add"))


def scatter(input, *args, reduce=None, value=None, **options):
    """Copy of x with elements replaced at the indices along an axis, by a tensor or a number:
    scatter(x, dim, index, src)."""
    args, x = list(args), asarray(input)
    if value is not None:
        args.append(value)
    if args and isinstance(args[-1], (int, float)) and len(args) + ("dim" in options) + ("axis" in options) > 2:
        index = args[1] if len(args) == 3 else options.get("index", args[0])
        args[-1] = _gyre.full(asarray(index).shape, args[-1], dtype=x.dtype)
    if reduce is not None:
        kinds = {"add": "sum", "multiply": "prod"}
        if reduce not in kinds:
            raise ValueError(f"scatter: expected reduce \"add\" or \"multiply\", got {reprlib.repr(reduce)}; see scatter_reduce")
        return _scatter_reduce(x, *args, reduce=kinds[reduce], **options)
    return _scatter(x, *args, **options)


def scatter_add(input, *args, **options):
    """Copy of x with src added at the indices along an axis: scatter_add(x, dim, index, src)."""
    return _scatter_add(input, *args, **options)


def scatter_reduce(input, *args, **options):
    """Copy of x with src reduced into it at the indices along an axis: scatter_reduce(x, dim, index, src, reduce)."""
    if len(args) == 4 and isinstance(args[3], str):
        args, options = args[:3], {**options, "reduce": args[3]}
    return _scatter_reduce(input, *args, **options)


def index_add(input, *args, alpha=1, **options):
    """Copy of x with slices of src added at the indices of an axis: index_add(x, dim, index, src)."""
    if asarray(input).ndim == 0:
        return index_add(asarray(input).reshape(1), *(a.reshape(-1) if hasattr(a, "reshape") else a for a in args),
                         alpha=alpha, **options).reshape(())
    if alpha != 1:
        args, options = list(args), dict(options)
        named = next((name for name in ("source", "src") if name in options), None)
        if named:
            options[named] = options[named] * alpha
        else:
            args[-1] = args[-1] * alpha
    return _index_add(input, *args, **options)


def index_copy(input, dim, index, source):
    """Copy of x with slices along an axis replaced at the indices."""
    x, index = asarray(input), asarray(index)
    return _along(x, dim, index, source)


def index_fill(input, dim, index, value):
    """Copy of x with slices along an axis filled with a number at the indices."""
    x, index = asarray(input), asarray(index)
    axis = _axis(dim, x.ndim, "index_fill")
    shape = [*x.shape[:axis], index.numel(), *x.shape[axis + 1:]]
    return _along(x, dim, index, asarray(value, dtype=x.dtype).expand(shape))


def _along(x, dim, index, source):
    axis = _axis(dim, x.ndim, "index_copy")
    source = asarray(source, dtype=x.dtype)
    if x.ndim == 0:
        return source.reshape(())
    places = index.reshape([-1 if i == axis else 1 for i in range(x.ndim)]).expand(source.shape)
    return _gyre.scatter(x, places, source, axis=axis)


def take_along_axis(input, indices, axis=-1):
    """Elements at indices along an axis; the other axes broadcast (numpy.take_along_axis)."""
    x, index = asarray(input), asarray(indices)
    axis = _axis(axis, x.ndim, "take_along_axis")
    shape = broadcast_shapes(x.shape[:axis] + x.shape[axis + 1:], index.shape[:axis] + index.shape[axis + 1:])
    full = [*shape[:axis], index.shape[axis], *shape[axis:]]
    return _gyre.gather(x.expand(*shape[:axis], x.shape[axis], *shape[axis:]), index.expand(full), axis=axis)


def take_along_dim(input, indices, dim=None):
    """Elements at indices along an axis, without one of the flattened tensor."""
    if dim is None:
        return take_along_dim(ravel(input), ravel(indices), 0)
    index, n = asarray(indices), asarray(input).shape[dim]
    return take_along_axis(input, _gyre.where(index < 0, index + n, index), dim)


def masked_fill(input, mask, value=0.0):
    """Copy of x, broadcast with the mask, with a number or a 0-d tensor where the mask is true."""
    x, mask = asarray(input), asarray(mask)
    shape = broadcast_shapes(x.shape, mask.shape)
    x = x if x.shape == shape else x.expand(shape)
    if not isinstance(value, Tensor):
        return _op_masked_fill(x, mask, value)
    if value.ndim:
        raise ValueError(f"masked_fill: expected a number or a 0-d tensor as value, got {list(value.shape)}")
    return _gyre.where(mask, value.to(x.dtype), x)


def masked_scatter(input, mask, source):
    """Copy of x, broadcast with the mask, with the elements of `source`, in order, where the mask is true."""
    x, mask, source = asarray(input), asarray(mask), asarray(source)
    shape = broadcast_shapes(x.shape, mask.shape)
    mask = mask.expand(shape)
    count = int(mask.sum())
    if source.numel() < count:
        raise ValueError(f"masked_scatter: expected source of at least {count} elements, as many as the mask selects, "
                         f"got {source.numel()}")
    if count == 0:
        return x.expand(shape).clone()
    places = _gyre.maximum(_gyre.cumsum(mask.reshape(-1).to(_gyre.i64), 0) - 1, 0)
    return _gyre.where(mask, ravel(source)[places].reshape(shape).to(x.dtype), x)


def put(input, index, source, accumulate=False):
    """Copy of x with values written, or added, at indices into its elements in row-major order."""
    x = asarray(input)
    values = asarray(source, dtype=x.dtype).reshape(-1)
    return _op_index_put(ravel(x), values, asarray(index).reshape(-1), accumulate=accumulate).reshape(x.shape)


def _written(name, view, input, src):
    result = asarray(input).clone()
    part = view(result)
    if asarray(src).shape != part.shape:
        raise ValueError(f"{name}: expected src of shape {list(part.shape)}, got {list(asarray(src).shape)}")
    part.copy_(src)
    return result


def select_scatter(input, src, dim, index):
    """Copy of x with the slice at an index of an axis replaced."""
    return _written("select_scatter", lambda x: _gyre.select(x, dim, index), input, src)


def slice_scatter(input, src, dim=0, start=None, end=None, step=1):
    """Copy of x with the slice from start to end along an axis replaced."""
    axis = _axis(dim, asarray(input).ndim, "slice_scatter")
    place = (slice(None),) * axis + (slice(start, end, step),)
    return _written("slice_scatter", lambda x: x[place], input, src)


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    """Copy of x with the diagonal of two axes replaced."""
    return _written("diagonal_scatter", lambda x: diagonal(x, offset, dim1, dim2), input, src)


def index_put(input, indices, values, accumulate=False):
    """Copy of x with values written, or added, at the elements selected by a list of index tensors."""
    return _op_index_put(input, values, *indices, accumulate=accumulate)


functions = [gather, index_select, scatter, scatter_add, scatter_reduce, index_add, index_copy, index_fill, take_along_axis,
             take_along_dim, masked_fill, masked_scatter, put, select_scatter, slice_scatter, diagonal_scatter, index_put]
methods = [gather, index_select, scatter, scatter_add, scatter_reduce, index_add, index_copy, index_fill, take_along_dim,
           masked_fill, masked_scatter, put, select_scatter, slice_scatter, diagonal_scatter, index_put]
