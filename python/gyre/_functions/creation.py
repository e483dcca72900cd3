"""New tensors: like others, in sequences and grids, by dtype."""

import reprlib

import builtins

from gyre import _gyre
from gyre._functions.memory import _formatted
from gyre._gyre import Tensor, arange as _arange, asarray, cat, eye as _eye, full, linspace as _linspace, ones, stack, zeros


def _options(x, dtype, device):
    return {"dtype": x.dtype if dtype is None else dtype, "device": x.device if device is None else device}


def full_like(input, fill_value, dtype=None, device=None, requires_grad=False):
    """Tensor of the shape and dtype of `input`, filled with a number."""
    x = asarray(input)
    return full(x.shape, fill_value, requires_grad=requires_grad, **_options(x, dtype, device))


def fill(input, value):
    """Tensor like `input` filled with a value; differentiable with respect to a 0-d tensor."""
    x, value = asarray(input), asarray(value)
    if value.ndim:
        raise ValueError(f"fill: expected a number or a 0-d tensor, got {list(value.shape)}")
    return value.to(dtype=x.dtype, device=x.device).expand(x.shape).clone()


def as_tensor(data, dtype=None, device=None):
    """The data as a tensor, as functions convert their arguments: shares the memory of writable arrays."""
    return asarray(data, dtype, device=device)


def _like(make):
    def like(input, dtype=None, device=None, requires_grad=False, memory_format=None):
        x = asarray(input)
        result = make(x.shape, **_options(x, dtype, device))
        result = result if memory_format is None else _formatted(result, memory_format)
        return result.requires_grad_() if requires_grad else result

    like.__name__ = like.__qualname__ = make.__name__ + "_like"
    like.__doc__ = f"{make.__name__}() of the shape, dtype and device of a tensor."
    return like


zeros_like, ones_like, empty_like = map(_like, (zeros, ones, _gyre.empty))


def arange(start, end=None, step=1, dtype=None, device=None, requires_grad=False, *, stop=None):
    """Evenly spaced values start, start + step, ... below the end; arange(n) counts from 0 to n - 1. i64 for ints,
    else f32."""
    end = stop if end is None else end
    if step and end is not None and (end - start) / step < 0:
        raise ValueError(f"arange: expected a step towards the end, got start {start}, end {end}, step {step}")
    x = _arange(start, end, step, dtype, device)
    return x.requires_grad_() if requires_grad else x


def eye(n, m=None, dtype=None, device=None, requires_grad=False):
    """Matrix with ones on the diagonal and zeros elsewhere."""
    x = _eye(n, m, dtype, device)
    return x.requires_grad_() if requires_grad else x


def linspace(start, end=None, steps=None, dtype=None, device=None, requires_grad=False, *, stop=None, count=None):
    """`steps` evenly spaced numbers from start to end, both included."""
    end, steps = stop if end is None else end, count if steps is None else steps
    if end is None or steps is None:
        raise TypeError("linspace: expected start, end and steps")
    x = _linspace(start, end, steps, dtype, device)
    return x.requires_grad_() if requires_grad else x


def logspace(start, end, steps, base=10.0, dtype=None, device=None, requires_grad=False):
    """`steps` numbers base ** x for evenly spaced x from start to end."""
    exponents = _linspace(start, end, steps, "f64", device)
    x = _gyre.pow(float(base), exponents).to(_gyre.f32 if dtype is None else dtype)
    return x.requires_grad_() if requires_grad else x


def scalar_tensor(s, *, dtype=None, device=None, requires_grad=False):
    """0-d tensor of a number, f32 by default."""
    return full((), s, dtype=_gyre.f32 if dtype is None else dtype, device=device, requires_grad=requires_grad)


def meshgrid(*tensors, indexing="ij") -> "tuple[Tensor, ...]":
    """Coordinate grids of vectors: views of shape [n0, n1, ...], or [n1, n0, ...] for indexing="xy"."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    if indexing not in ("ij", "xy"):
        raise ValueError(f"meshgrid: expected indexing \"ij\" or \"xy\", got {reprlib.repr(indexing)}")
    vectors = [asarray(x) for x in tensors]
    if any(x.ndim > 1 for x in vectors):
        raise ValueError("meshgrid: expected tensors with at most one axis")
    vectors = [x.reshape(-1) for x in vectors]
    shape = [x.shape[0] for x in vectors]
    grids = [x.reshape([-1 if i == n else 1 for i in range(len(vectors))]).expand(shape) for n, x in enumerate(vectors)]
    return tuple(grid.transpose(0, 1) if indexing == "xy" and len(grids) > 1 else grid for grid in grids)


def cartesian_prod(*tensors):
    """Cartesian product of vectors: the rows of a matrix, in lexicographic order; one vector as it is."""
    grids = [grid.reshape(-1) for grid in meshgrid(*tensors)]
    return grids[0] if len(grids) == 1 else stack(grids, axis=1)


def tri(n, m=None, k=0, dtype=None, device=None):
    """Matrix with ones at and below the k-th diagonal and zeros elsewhere."""
    return _gyre.tril(ones((n, n if m is None else m), dtype=dtype, device=device), k)


def tril_indices(row, col, offset=0, dtype=None, device=None):
    """Indices [2, n] of the elements of a row x col matrix on and below a diagonal."""
    return _triangle(_gyre.tril, row, col, offset, dtype, device)


def triu_indices(row, col, offset=0, dtype=None, device=None):
    """Indices [2, n] of the elements of a row x col matrix on and above a diagonal."""
    return _triangle(_gyre.triu, row, col, offset, dtype, device)


def _triangle(part, row, col, offset, dtype, device):
    places = _gyre.nonzero(part(ones((row, col), device=device), offset))
    return places.transpose(0, 1).contiguous().to(_gyre.i64 if dtype is None else dtype)


def vander(x, N=None, increasing=False):
    """Vandermonde matrix: powers of x along a new last axis, descending unless `increasing`."""
    x = asarray(x)
    count = x.shape[-1] if N is None else N
    powers = [x.new_ones(x.shape)]
    for _ in range(count - 1):
        powers.append(powers[-1] * x)
    return stack((powers if increasing else powers[::-1])[:count], axis=-1) if count else x.new_empty((*x.shape, 0))


def block_diag(*tensors):
    """Block diagonal matrix of matrices; vectors are rows, numbers 1 x 1."""
    blocks = [asarray(x) for x in tensors]
    blocks = [x.reshape(1, -1) if x.ndim < 2 else x for x in blocks]
    width, rows, before = builtins.sum(x.shape[1] for x in blocks), [], 0
    for x in blocks:
        rows.append(_gyre.pad(x, [0, before], [0, width - before - x.shape[1]]))
        before += x.shape[1]
    return cat(rows, axis=0)


# ---- methods ----


def new_zeros(self, *size, dtype=None, device=None, requires_grad=False):
    """Zeros with the dtype and device of the tensor."""
    return zeros(*size, requires_grad=requires_grad, **_options(self, dtype, device))


def new_ones(self, *size, dtype=None, device=None, requires_grad=False):
    """Ones with the dtype and device of the tensor."""
    return ones(*size, requires_grad=requires_grad, **_options(self, dtype, device))


def new_empty(self, *size, dtype=None, device=None, requires_grad=False):
    """Uninitialised tensor with the dtype and device of the tensor."""
    return _gyre.empty(*size, requires_grad=requires_grad, **_options(self, dtype, device))


def new_full(self, size, fill_value, dtype=None, device=None, requires_grad=False):
    """Tensor filled with a number, with the dtype and device of the tensor."""
    return full(size, fill_value, requires_grad=requires_grad, **_options(self, dtype, device))


def new_tensor(self, data, dtype=None, device=None, requires_grad=False):
    """Copy of data with the dtype and device of the tensor."""
    return _gyre.tensor(data, requires_grad=requires_grad, **_options(self, dtype, device))


def _typed(name, dtype):
    def make(*data):
        if not data or all(isinstance(n, int) for n in data):
            return zeros(data or (0,), dtype=dtype)
        return _gyre.tensor(data[0], dtype=dtype)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"Tensor of {dtype.name} from data, or zeros of a shape given as ints."
    make.dtype = dtype
    return make


typed = [_typed(name, getattr(_gyre, dtype)) for name, dtype in {
    "FloatTensor": "f32", "DoubleTensor": "f64", "HalfTensor": "f16", "BFloat16Tensor": "bf16", "ByteTensor": "u8",
    "CharTensor": "i8", "ShortTensor": "i16", "IntTensor": "i32", "LongTensor": "i64", "BoolTensor": "boolean"}.items()]

globals().update({f.__name__: f for f in typed})  # where pickles look for them
functions = [zeros_like, ones_like, empty_like, full_like, fill, as_tensor, arange, eye, linspace, logspace, scalar_tensor, meshgrid, cartesian_prod, tri, tril_indices, triu_indices, vander, block_diag,
             *typed]
methods = [new_zeros, new_ones, new_empty, new_full, new_tensor]
