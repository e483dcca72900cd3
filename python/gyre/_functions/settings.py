"""Constants, properties of dtypes, defaults and questions about tensors."""

import math
import reprlib
import warnings

from gyre import _gyre
from gyre._functions.creation import typed
from gyre._functions.shapes import broadcast_shapes
from gyre._gyre import DType, Tensor, asarray


class finfo:
    """Properties of a floating dtype: bits, eps, max, min, tiny, smallest_normal, resolution, dtype."""

    def __init__(self, dtype="f32"):
        self.dtype = asarray(0.0, dtype=dtype).dtype
        if not asarray(0, dtype=self.dtype).is_floating_point():
            raise TypeError(f"finfo: expected a floating dtype, got {self.dtype.name}; use iinfo")
        digits, largest = {"f16": (10, 15), "bf16": (7, 127), "f32": (23, 127), "f64": (52, 1023)}[self.dtype.name]
        self.bits = 8 * asarray(0.0, dtype=self.dtype).itemsize
        self.eps = 2.0 ** -digits
        self.max = (2 - self.eps) * 2.0 ** largest
        self.min = -self.max
        self.tiny = self.smallest_normal = 2.0 ** (1 - largest)
        self.resolution = 10.0 ** -math.floor(digits * math.log10(2))

    def __repr__(self):
        return f"finfo({self.dtype.name}, eps={self.eps:.6g}, max={self.max:.6g}, tiny={self.tiny:.6g})"


class iinfo:
    """Properties of an integer dtype: bits, max, min, dtype."""

    def __init__(self, dtype):
        self.dtype = asarray(0, dtype=dtype).dtype
        zero = asarray(0, dtype=self.dtype)
        if zero.is_floating_point() or self.dtype == _gyre.boolean:
            raise TypeError(f"iinfo: expected an integer dtype, got {self.dtype.name}; use finfo")
        self.bits = 8 * zero.itemsize
        signed = self.dtype.name.startswith("i")
        self.max = 2 ** (self.bits - signed) - 1
        self.min = -self.max - 1 if signed else 0

    def __repr__(self):
        return f"iinfo({self.dtype.name}, min={self.min}, max={self.max})"


def get_default_dtype() -> "DType":
    """Dtype of floats without another: f32."""
    return _gyre.f32


def set_default_dtype(dtype) -> "None":
    """Only f32 can be the default; name another in the call, or cast a module by double()."""
    if asarray(0.0, dtype=dtype).dtype != _gyre.f32:
        raise ValueError(f"set_default_dtype: the default dtype is f32; give dtype={dtype} in calls, or module.to({dtype})")


def get_num_threads() -> "int":
    """Number of threads that kernels use."""
    return _gyre.num_threads()


def is_tensor(obj) -> "bool":
    """Whether the object is a gyre.Tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input) -> "bool":
    """Whether the dtype is floating point."""
    return asarray(input).is_floating_point()


def is_complex(input) -> "bool":
    """False: there are no complex dtypes."""
    return False


def numel(input) -> "int":
    """Number of elements."""
    return asarray(input).numel()


def is_nonzero(input) -> "bool":
    """Whether a tensor of one element is not 0."""
    return bool(asarray(input).item() != 0)


def result_type(*operands) -> "DType":
    """Dtype of the result of an op on these tensors, dtypes and numbers."""
    tensors = [_gyre.zeros((), dtype=x) if isinstance(x, (DType, str)) else x for x in operands]
    total = tensors[0]
    for x in tensors[1:]:
        total = _gyre.maximum(_gyre.zeros_like(total) if isinstance(total, Tensor) else total,
                              _gyre.zeros_like(x) if isinstance(x, Tensor) else x)
    return asarray(total).dtype


def promote_types(type1, type2) -> "DType":
    """The smallest dtype to which both convert."""
    return result_type(type1, type2)


def can_cast(from_, to) -> "bool":
    """Whether a conversion keeps the kind of numbers: not from floats to integers, nor from numbers to booleans."""
    kinds = [0 if d == _gyre.boolean else 2 if asarray(0, dtype=d).is_floating_point() else 1
             for d in (asarray(0, dtype=from_).dtype, asarray(0, dtype=to).dtype)]
    return kinds[0] <= kinds[1]


def compile(model=None, **options) -> "Any":
    """Returns the function or module as it is: ops run when they are called, with kernels that need no compilation."""
    return (lambda f: f) if model is None else model


def vmap(func, in_dims=0, out_dims=0, randomness="error", *, in_axes=0, out_axes=0) -> "Any":
    """Vectorised map; see gyre.func.vmap."""
    from gyre import func as transforms

    return transforms.vmap(func, in_axes, out_axes, randomness, in_dims=in_dims, out_dims=out_dims)


class autocast:
    """Context manager and decorator of PyTorch for mixed precision. Ops of gyre always compute in the dtypes of their
    operands: with enabled=True it warns that it has no effect."""

    def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
        self.device_type, self.dtype, self.enabled = device_type, dtype, enabled
        if enabled:
            warnings.warn("autocast has no effect: ops compute in the dtypes of their operands; for 16 bits cast the model by "
                          "bfloat16(), or pass enabled=False", stacklevel=2)

    def __enter__(self) -> "autocast":
        return self

    def __exit__(self, *error):
        pass

    def __call__(self, function) -> "Any":
        return function


def is_autocast_enabled(device_type=None) -> "bool":
    """False: ops compute in the dtypes of their operands."""
    return False


def set_float32_matmul_precision(precision) -> "None":
    """Has no effect: products of f32 are computed in f32, PyTorch's "highest"."""
    if precision not in ("highest", "high", "medium"):
        raise ValueError(f"set_float32_matmul_precision: expected highest, high or medium, got {reprlib.repr(precision)}")


def get_float32_matmul_precision() -> "str":
    """"highest": products of f32 are computed in f32."""
    return "highest"


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None) -> "None":
    """Has no effect: tensors are printed with as many digits as their dtype has."""


def use_deterministic_algorithms(mode, *, warn_only=False) -> "None":
    """Has no effect: results do not depend on the run."""


def are_deterministic_algorithms_enabled() -> "bool":
    """True: results do not depend on the run."""
    return True


def is_inference_mode_enabled() -> "bool":
    """Whether autograd does not record ops on this thread."""
    return not _gyre.is_grad_enabled()


# ---- methods ----


def type_(self, dtype=None) -> "Any":
    """Name of the dtype; with a dtype, also as gyre.FloatTensor or "torch.FloatTensor", the tensor converted to it."""
    if dtype is None:
        return f"gyre.{self.dtype.name}"
    if isinstance(dtype, str) and dtype.endswith("Tensor"):
        name = dtype.rpartition(".")[2]
        dtype = next((make for make in typed if make.__name__ == name), dtype)
    return self.to(dtype.dtype if dtype in typed else dtype)


type_.__name__ = "type"


def type_as(self, other):
    """Converted to the dtype and device of another tensor."""
    return self.to(other)


def element_size(self) -> "int":
    """Bytes per element."""
    return self.itemsize


def ndimension(self) -> "int":
    """Number of axes."""
    return self.ndim


def nelement(self) -> "int":
    """Number of elements."""
    return self.numel()


def cuda(self, device=None, non_blocking=False):
    """Copy on a CUDA device."""
    return self.to(device="cuda" if device is None else device)


def is_complex_(self) -> "bool":
    """False: there are no complex dtypes."""
    return False


is_complex_.__name__ = "is_complex"


def is_same_size(self, other) -> "bool":
    """Whether another tensor has the same shape."""
    return self.shape == asarray(other).shape


def get_device(self) -> "int":
    """Number of the GPU that has the tensor, -1 on the CPU."""
    return -1 if self.device.type == "cpu" else self.device.index or 0


def sum_to_size(self, *size):
    """Sum over the axes along which a tensor of this shape would be broadcast to that of x."""
    shape = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (list, tuple)) else size
    if broadcast_shapes(self.shape, shape) != self.shape:
        raise ValueError(f"sum_to_size: expected a shape that broadcasts to {list(self.shape)}, got {list(shape)}")
    extra = self.ndim - len(shape)
    axes = [i for i in range(self.ndim) if i < extra or shape[i - extra] != self.shape[i]]
    return (_gyre.sum(self, axes) if axes else self).reshape(shape)


def is_signed(self) -> "bool":
    """Whether the dtype has negative numbers."""
    return self.dtype.is_signed


def apply_(self, function):
    """Applies a Python function to every element in place."""
    return self.copy_(asarray([function(x) for x in self.reshape(-1).tolist()], dtype=self.dtype).reshape(self.shape))


def _set_data(self, value):
    with _gyre.no_grad():
        self.copy_(value)


def _floating(self):
    return self.name.startswith(("f", "bf"))


def _converted(self, value=0) -> "Tensor":
    return value.to(self) if isinstance(value, Tensor) else _gyre.tensor(value, dtype=self)


def _is_same(self, other):
    if isinstance(other, DType):
        return self is other
    if isinstance(other, (str, type)) or hasattr(other, "kind"):  # a name, a Python type, NumPy's dtype
        try:
            return asarray(0, dtype=other).dtype is self
        except TypeError:
            return False
    return NotImplemented


DType.__call__, DType.__eq__ = _converted, _is_same
for _member in DType:
    _member.__doc__ = f"The dtype {_member.name}. A call converts to it, as NumPy's float32(1.5)."
DType.kind = property(lambda self: "b" if self == _gyre.boolean else "f" if _floating(self) else self.name[0],
                      doc="NumPy's letter: b for booleans, i and u for integers, f for floats")
DType.is_floating_point = property(_floating, doc="whether the dtype is floating point")
DType.is_complex = property(lambda self: False, doc="False: there are no complex dtypes")
DType.is_signed = property(lambda self: self.name[0] in "fi" or _floating(self), doc="whether the dtype has negative numbers")
DType.itemsize = property(lambda self: asarray(0, dtype=self).itemsize, doc="bytes per element")

constants = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "newaxis": None, "dtype": DType}
properties = {
    "data": property(Tensor.detach, _set_data, doc="the tensor detached from its graph; assignment copies into it"),
    "is_cuda": property(lambda self: self.device.type == "cuda", doc="whether the tensor is on a CUDA device"),
    "is_cpu": property(lambda self: self.device.type == "cpu", doc="whether the tensor is on the CPU"),
    "is_sparse": property(lambda self: False, doc="False: tensors are dense"),
    "real": property(lambda self: self, doc="the tensor itself, since there are no complex dtypes"),
}
functions = [finfo, iinfo, get_default_dtype, set_default_dtype, get_num_threads, is_tensor, is_floating_point, is_complex,
             numel, is_nonzero, result_type, promote_types, can_cast, compile, vmap, is_inference_mode_enabled, autocast, is_autocast_enabled,
             set_float32_matmul_precision, get_float32_matmul_precision, set_printoptions, use_deterministic_algorithms,
             are_deterministic_algorithms_enabled]
methods = [type_, type_as, element_size, ndimension, nelement, cuda, is_complex_, is_nonzero, is_same_size, get_device, sum_to_size,
           is_signed, apply_]
