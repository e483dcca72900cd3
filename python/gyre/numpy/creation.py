"""New tensors: from data, filled, in sequences and grids; f64 by default, as in NumPy."""

import itertools
import math
import operator

import gyre
from gyre import _gyre
from gyre._functions import creation as torch_named, reductions as torch_reductions
from gyre.numpy.dtypes import dtype as _dtype, result_type, tensor


def _or_f64(dtype):
    return _gyre.f64 if dtype is None else _dtype(dtype)


def _shape(shape):
    return tuple(map(operator.index, shape)) if hasattr(shape, "__iter__") else (operator.index(shape),)


def asarray(a, dtype=None, order=None, *, device=None, copy=None):
    """Tensor of an array, numbers or nested lists, of tensors as well; copied if `copy`, never if it is False."""
    x = tensor(a, dtype, device)
    if copy is False and x is not a and (not hasattr(a, "__array_interface__") or _dtype(a.dtype) != x.dtype):
        raise ValueError("asarray: expected an array of that dtype for copy=False, got data that must be copied")
    return _gyre.clone(x) if copy else x


def asanyarray(a, dtype=None, order=None, *, device=None, copy=None):
    """Same as asarray."""
    return asarray(a, dtype, order, device=device, copy=copy)


def ascontiguousarray(a, dtype=None):
    """Tensor with contiguous memory."""
    return tensor(a, dtype).contiguous()


def asfortranarray(a, dtype=None):
    """Tensor of the data; all tensors are made in C order."""
    return tensor(a, dtype)


def array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, device=None):
    """Tensor of an array, numbers or nested lists, of tensors as well; a copy by default."""
    x = asarray(object, dtype, copy=copy, device=device)
    return x.reshape([1] * (ndmin - x.ndim) + list(x.shape)) if x.ndim < ndmin else x


def copy(a, order="K", subok=False):
    """Copy."""
    return _gyre.clone(tensor(a))


def astype(x, dtype, /, *, copy=True, device=None):
    """Converted to a dtype."""
    result = tensor(x, dtype, device)
    return _gyre.clone(result) if copy and result is x else result


def from_dlpack(x, /, *, device=None, copy=None):
    """Tensor that shares the memory of an array of another library."""
    result = gyre.from_dlpack(x)
    result = result if device is None else result.to(device=device)
    return _gyre.clone(result) if copy else result


def frombuffer(buffer, dtype=float, count=-1, offset=0):
    """Tensor of the bytes of a buffer."""
    return gyre.frombuffer(buffer, dtype=_dtype(dtype), count=count, offset=offset)


def fromiter(iter, dtype, count=-1):
    """Vector of the numbers of an iterable: all, or the first `count`."""
    numbers = list(iter if count < 0 else itertools.islice(iter, count))
    if len(numbers) < count:
        raise ValueError(f"fromiter: expected {count} numbers, got {len(numbers)}")
    return tensor(numbers, dtype)


def fromfunction(function, shape, *, dtype=float, **kwargs):
    """The function of the coordinates of a grid, a tensor for each axis."""
    return function(*indices(shape, dtype), **kwargs)


def require(a, dtype=None, requirements=None):
    """Tensor with contiguous memory."""
    return ascontiguousarray(a, dtype)


def asarray_chkfinite(a, dtype=None, order=None):
    """Tensor without NaN and infinities: ValueError if there are any."""
    x = asarray(a, dtype)
    if x.is_floating_point() and not bool(_gyre.all(_gyre.isfinite(x))):
        raise ValueError("asarray_chkfinite: expected finite numbers, got NaN or infinities")
    return x


def shares_memory(a, b):
    """Whether an element of one tensor lies in the memory of the other."""
    unit = min(a.itemsize, b.itemsize)
    return bool(_gyre.any(torch_reductions.isin(_addresses(a, unit), _addresses(b, unit))))


def _addresses(x, unit):
    """The address of every `unit` bytes of the elements, in such units."""
    places = _gyre.arange(x.itemsize // unit)
    for n, step in zip(x.shape, x.stride()):
        places = places.unsqueeze(-1) + _gyre.arange(n) * (step * x.itemsize // unit)
    return places.reshape(-1) + x.data_ptr() // unit


def zeros(shape, dtype=None, order="C", *, device=None):
    """Zeros of a shape."""
    return _gyre.zeros(_shape(shape), dtype=_or_f64(dtype), device=device)


def ones(shape, dtype=None, order="C", *, device=None):
    """Ones of a shape."""
    return _gyre.ones(_shape(shape), dtype=_or_f64(dtype), device=device)


def empty(shape, dtype=None, order="C", *, device=None):
    """Uninitialised tensor of a shape."""
    return _gyre.empty(_shape(shape), dtype=_or_f64(dtype), device=device)


def full(shape, fill_value, dtype=None, order="C", *, device=None):
    """Tensor of a shape filled with a number, or with an array that broadcasts."""
    value = tensor(fill_value, dtype, device)
    return _gyre.clone(value.expand(_shape(shape)))


def _like(make):
    def like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
        x = tensor(a)
        return make(x.shape if shape is None else shape, x.dtype if dtype is None else dtype,
                    device=x.device if device is None else device)

    like.__name__ = like.__qualname__ = make.__name__ + "_like"
    like.__doc__ = f"{make.__name__} of the shape and dtype of an array."
    return like


zeros_like, ones_like, empty_like = _like(zeros), _like(ones), _like(empty)


def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """Tensor of the shape and dtype of an array filled with a number."""
    x = tensor(a)
    return full(x.shape if shape is None else shape, fill_value, x.dtype if dtype is None else dtype,
                device=x.device if device is None else device)


def arange(start, stop=None, step=1, dtype=None, *, device=None):
    """Numbers from start, 0 by default, to stop (excluded) with a step; i64 of integers, u64 if one exceeds i64, else f64."""
    start, stop = (0, start) if stop is None else (start, stop)
    start, stop, step = (x.item() if hasattr(x, "item") else x for x in (start, stop, step))
    kind = result_type(start, stop, step) if dtype is None else _dtype(dtype)
    if kind in (_gyre.i64, _gyre.u64, _gyre.f64):
        return _gyre.arange(start, stop, step, kind, device)
    return _gyre.arange(start, stop, step, "f64" if float in map(type, (start, stop, step)) else "i64", device).to(kind)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """num evenly spaced numbers from start to stop, which is the last if `endpoint`; of arrays, along a new axis."""
    num = operator.index(num)
    if num < 0:
        raise ValueError(f"linspace: expected num of at least 0, got {num}")
    parts = num - 1 if endpoint else num
    first, last = (tensor(x) for x in (start, stop))
    kind = result_type(first, last, 1.0) if hasattr(start, "dtype") or hasattr(stop, "dtype") else _gyre.f64
    first, last = first.to(kind), last.to(kind)
    step = (last - first) / parts if parts > 0 else _gyre.full((), math.nan, dtype=kind)
    shape = [num] + [1] * max(first.ndim, last.ndim)
    places = _gyre.arange(0, num, 1, kind, device).reshape(shape)
    x = first + places * (step if parts > 0 else 0.0)
    if endpoint and num > 1:  # the end exactly
        x = _gyre.where(places == num - 1, last, x)
    wanted = kind if dtype is None else _dtype(dtype)
    x = (x if wanted.name[0] in "fb" else _gyre.floor(x)).to(wanted)
    x = x.movedim(0, axis) if axis else x
    return (x, step) if retstep else x


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """num numbers base ** x for evenly spaced x from start to stop."""
    x = _gyre.pow(float(base), linspace(start, stop, num, endpoint, axis=axis))
    return x if dtype is None else x.to(_dtype(dtype))


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """num numbers from start to stop with equal ratios."""
    first, last = tensor(start, "f64"), tensor(stop, "f64")
    if not bool((first * last > 0).all()):
        raise ValueError("geomspace: expected nonzero numbers of the same sign as start and stop")
    x = _gyre.sign(first) * _gyre.exp(linspace(_gyre.log(_gyre.abs(first)), _gyre.log(_gyre.abs(last)), num, endpoint,
                                               axis=axis))
    return x if dtype is None else x.to(_dtype(dtype))


def eye(N, M=None, k=0, dtype=None, order="C", *, device=None):
    """Matrix with ones on the k-th diagonal."""
    columns = N if M is None else M
    rows, places = _gyre.arange(N, device=device), _gyre.arange(columns, device=device)
    k = max(-N, min(operator.index(k), columns))  # any int, also one that exceeds i64
    return (places - k == rows.unsqueeze(1)).to(_or_f64(dtype))


def identity(n, dtype=None):
    """Identity matrix."""
    return eye(n, dtype=dtype)


def tri(N, M=None, k=0, dtype=float):
    """Matrix with ones at and below the k-th diagonal and zeros elsewhere."""
    return _gyre.tril(ones((N, N if M is None else M), dtype), k)


def _triangle(op, name, doc):
    def part(m, k=0):
        x = tensor(m)
        return op(x.expand(x.shape[0], x.shape[0]) if x.ndim == 1 else x, k)

    part.__name__ = part.__qualname__ = name
    part.__doc__ = doc
    return part


tril = _triangle(_gyre.tril, "tril", "Elements at and below the k-th diagonal of matrices, zeros elsewhere.")
triu = _triangle(_gyre.triu, "triu", "Elements at and above the k-th diagonal of matrices, zeros elsewhere.")


def tril_indices(n, k=0, m=None):
    """Indices of the elements of an n x m matrix at and below a diagonal, one vector for each axis."""
    return tuple(torch_named.tril_indices(n, n if m is None else m, k))


def triu_indices(n, k=0, m=None):
    """Indices of the elements of an n x m matrix at and above a diagonal, one vector for each axis."""
    return tuple(torch_named.triu_indices(n, n if m is None else m, k))


def tril_indices_from(arr, k=0):
    """Indices of the elements of a matrix at and below a diagonal."""
    return tril_indices(arr.shape[-2], k, arr.shape[-1])


def triu_indices_from(arr, k=0):
    """Indices of the elements of a matrix at and above a diagonal."""
    return triu_indices(arr.shape[-2], k, arr.shape[-1])


def diag_indices(n, ndim=2):
    """Indices of the diagonal of an array with ndim axes of size n."""
    return (_gyre.arange(n),) * ndim


def diag_indices_from(arr):
    """Indices of the diagonal of an array."""
    return diag_indices(min(arr.shape), arr.ndim)


def mask_indices(n, mask_func, k=0):
    """Indices of the nonzero elements of mask_func(ones((n, n)), k), for example of triu."""
    return tuple(_gyre.nonzero(mask_func(ones((n, n), int), k)).unbind(1))


def diag(v, k=0):
    """k-th diagonal of a matrix, or the matrix with a vector on it."""
    x = tensor(v)
    if x.ndim not in (1, 2):
        raise ValueError(f"diag: expected 1 or 2 axes, got {x.ndim}")
    return _gyre.diag_embed(x, k) if x.ndim == 1 else _gyre.diagonal(x, k)


def diagflat(v, k=0):
    """Matrix with the flattened array on its k-th diagonal."""
    return _gyre.diag_embed(tensor(v).reshape(-1), k)


def vander(x, N=None, increasing=False):
    """Vandermonde matrix: powers of x along a new last axis, descending unless `increasing`."""
    x = tensor(x)
    return torch_named.vander(x.to(result_type(x, _gyre.i64)), N, increasing)


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Coordinate grids of vectors, [n1, n0, ...] for indexing="xy" and [n0, n1, ...] for "ij"; a size of 1 in all axes
    but one if `sparse`."""
    if not xi:
        return ()
    vectors = [tensor(x).reshape(-1) for x in xi]
    if sparse:
        grids = [x.reshape([-1 if i == n else 1 for i in range(len(vectors))]) for n, x in enumerate(vectors)]
        return tuple(g.transpose(0, 1) if indexing == "xy" and len(grids) > 1 else g for g in grids)
    grids = torch_named.meshgrid(*vectors, indexing=indexing)
    return tuple(_gyre.clone(grid) for grid in grids) if copy else grids


def indices(dimensions, dtype=int, sparse=False):
    """Indices of the elements of a grid [axes, n0, n1, ...]."""
    grids = meshgrid(*[_gyre.arange(n).to(_dtype(dtype)) for n in dimensions], indexing="ij", sparse=sparse)
    return grids if sparse else _gyre.stack(*grids)


functions = [asarray, asanyarray, ascontiguousarray, array, copy, astype, from_dlpack, frombuffer, zeros, ones, empty,
             full, zeros_like, ones_like, empty_like, full_like, arange, linspace, logspace, geomspace, eye, identity,
             tri, tril, triu, tril_indices, triu_indices, diag, diagflat, vander, meshgrid, indices,
             shares_memory, asfortranarray, fromiter, fromfunction, require, asarray_chkfinite, tril_indices_from,
             triu_indices_from, diag_indices, diag_indices_from, mask_indices]
