# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class Error(builtins.Exception):
    code: str
    op: str
    expected: str
    actual: str
class ShapeError(Error, builtins.ValueError): ...
class DTypeError(Error, builtins.TypeError): ...
class DeviceError(Error, builtins.ValueError): ...
class IndexError(Error, builtins.IndexError): ...
class ValueError(Error, builtins.ValueError): ...
class UnsupportedError(Error, builtins.NotImplementedError): ...
class UnavailableError(Error, builtins.RuntimeError): ...
class IOError(Error, builtins.OSError): ...
class ParseError(Error, builtins.ValueError): ...
class NumericError(Error, builtins.ArithmeticError): ...
class ResourceError(Error, builtins.MemoryError): ...
class InternalError(Error, builtins.RuntimeError): ...
class DType(enum.Enum):
    f16 = 0
    bf16 = 1
    f32 = 2
    f64 = 3
    i8 = 4
    i16 = 5
    i32 = 6
    i64 = 7
    u8 = 8
    u32 = 9
    boolean = 10
f16: DType
bf16: DType
f32: DType
f64: DType
i8: DType
i16: DType
i32: DType
i64: DType
u8: DType
u32: DType
boolean: DType
float16: DType
bfloat16: DType
float32: DType
float64: DType
int8: DType
int16: DType
int32: DType
int64: DType
uint8: DType
uint32: DType
class HookHandle:
    """A hook that was registered."""
    def remove(self) -> None:
        """The hook is not called any more."""
class Tensor:
    """A strided n-dimensional array that remembers how it was made."""
    def __init__(self, data: TensorLike, dtype: DTypeLike | None = None, requires_grad: builtins.bool = False) -> None:
        """A copy of an array, a number or nested lists of numbers."""
    def __hash__(self) -> builtins.int: ...
    @property
    def shape(self) -> builtins.tuple[builtins.int, ...]:
        """sizes of the axes"""
    @property
    def strides(self) -> builtins.tuple[builtins.int, ...]:
        """distances in memory of neighbours along each axis, in elements"""
    @property
    def dtype(self) -> DType:
        """what an element is"""
    @property
    def device(self) -> builtins.str:
        """where the elements lie"""
    @property
    def ndim(self) -> builtins.int:
        """number of axes"""
    @property
    def size(self) -> builtins.int:
        """number of elements"""
    @property
    def itemsize(self) -> builtins.int:
        """bytes of an element"""
    @property
    def nbytes(self) -> builtins.int:
        """bytes of the elements"""
    @property
    def T(self) -> Tensor:
        """its axes in reverse"""
    @property
    def mT(self) -> Tensor:
        """its last two axes exchanged"""
    @property
    def is_leaf(self) -> builtins.bool:
        """whether it is no result of recorded ops"""
    @property
    def requires_grad(self) -> builtins.bool:
        """whether ops on it are recorded; to be set on leaves"""
    @requires_grad.setter
    def requires_grad(self, arg: builtins.bool, /) -> None:
        """whether ops on it are recorded; to be set on leaves"""
    @property
    def grad(self) -> Tensor | None:
        """the gradient gathered by backward(), or None"""
    @grad.setter
    def grad(self, value: TensorLike | None, /) -> None:
        """the gradient gathered by backward(), or None"""
    def backward(self, gradient: TensorLike | None = None, retain_graph: builtins.bool = False, create_graph: builtins.bool = False) -> None:
        """Adds the gradient of this (times `gradient`; 1 for one element) to the leaves."""
    def requires_grad_(self, requires_grad: builtins.bool = True) -> Tensor:
        """Sets requires_grad and gives itself."""
    def zero_grad(self) -> None:
        """Forgets the gradient."""
    def detach(self) -> Tensor:
        """The same memory without history."""
    def register_hook(self, hook: collections.abc.Callable[[Tensor], Tensor | None]) -> HookHandle:
        """Calls hook(gradient) in every backward pass; what it returns, unless None, goes on."""
    def __dlpack__(self, *, stream: typing.Any = None, max_version: builtins.tuple[builtins.int, builtins.int] | None = None, dl_device: builtins.tuple[builtins.int, builtins.int] | None = None, copy: builtins.bool | None = None) -> typing.Any: ...
    def __dlpack_device__(self) -> builtins.tuple[builtins.int, builtins.int]: ...
    def numpy(self) -> typing.Any:
        """A NumPy array over the same memory."""
    def __array__(self, dtype: typing.Any = None, copy: builtins.bool | None = None) -> typing.Any:
        """Asked by NumPy where there is no buffer: tells why."""
    def torch(self) -> typing.Any:
        """A PyTorch tensor over the same memory."""
    def data_ptr(self) -> builtins.int:
        """The address of the first element."""
    def __contains__(self, value: TensorLike, /) -> builtins.bool: ...
    def __float__(self) -> builtins.float: ...
    def __int__(self) -> builtins.int: ...
    def __index__(self) -> builtins.int: ...
    def __bool__(self) -> builtins.bool: ...
    def tolist(self) -> typing.Any:
        """Nested lists of Python numbers; a number where there are no axes."""
    def item(self) -> typing.Any:
        """The one element as a Python number."""
    def __copy__(self) -> Tensor: ...
    def __deepcopy__(self, memo: builtins.dict[builtins.int, typing.Any]) -> Tensor: ...
    def __reduce__(self) -> builtins.tuple[typing.Any, ...]: ...
    def __repr__(self) -> builtins.str: ...
    def __format__(self, format_spec: builtins.str, /) -> builtins.str: ...
    def _repr_html_(self) -> builtins.str:
        """What a notebook shows."""
    def numel(self) -> builtins.int:
        """The number of elements, as `size`."""
    def dim(self) -> builtins.int:
        """The number of axes, as `ndim`."""
    def stride(self, axis: builtins.int | None = None) -> typing.Any:
        """The distance in memory of neighbours along an axis, in elements; of all axes, a tuple."""
    def is_contiguous(self) -> builtins.bool:
        """Whether the elements lie in row-major order without gaps."""
    def contiguous(self) -> Tensor:
        """Itself where it is contiguous, else a copy that is."""
    def view(self, *shape: typing.Any) -> Tensor:
        """The same memory with other sizes. ValueError where that needs a copy."""
    def flatten(self) -> Tensor:
        """All elements along one axis."""
    def ravel(self) -> Tensor:
        """All elements along one axis."""
    def copy(self) -> Tensor:
        """A new contiguous tensor with the same values."""
    def to(self, *args: DTypeLike | Tensor, dtype: DTypeLike | None = None, device: builtins.str | None = None, copy: builtins.bool = False) -> Tensor:
        """The values in another dtype or that of another tensor; itself where nothing changes, unless
        `copy`. The one device is "cpu".
        """
    def astype(self, dtype: DTypeLike, *, copy: builtins.bool = True) -> Tensor:
        """The values in another dtype; a copy, as in NumPy, unless `copy` is false."""
    def cpu(self) -> Tensor:
        """Itself: the one device is the CPU."""
    def is_floating_point(self) -> builtins.bool:
        """Whether elements are floats."""
    def half(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def bfloat16(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def float(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def double(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def char(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def short(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def int(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def long(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def byte(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def bool(self) -> builtins.object:
        """The values in this dtype; itself where it has that one."""
    def copy_(self, values: TensorLike) -> Tensor:
        """Writes values, which broadcast, into this memory."""
    def fill_(self, value: builtins.float) -> Tensor:
        """Writes a number into every element."""
    def zero_(self) -> Tensor:
        """Writes zeros."""
    def add(self, y: TensorLike) -> Tensor:
        """x + y"""
    def add_(self, y: TensorLike) -> Tensor:
        """x + y"""
    def sub(self, y: TensorLike) -> Tensor:
        """x - y"""
    def sub_(self, y: TensorLike) -> Tensor:
        """x - y"""
    def mul(self, y: TensorLike) -> Tensor:
        """x * y"""
    def mul_(self, y: TensorLike) -> Tensor:
        """x * y"""
    def div(self, y: TensorLike) -> Tensor:
        """x / y"""
    def div_(self, y: TensorLike) -> Tensor:
        """x / y"""
    def pow(self, y: TensorLike) -> Tensor:
        """x to the power y"""
    def pow_(self, y: TensorLike) -> Tensor:
        """x to the power y"""
    def maximum(self, y: TensorLike) -> Tensor:
        """the larger of x and y; NaN wins"""
    def maximum_(self, y: TensorLike) -> Tensor:
        """the larger of x and y; NaN wins"""
    def minimum(self, y: TensorLike) -> Tensor:
        """the smaller of x and y; NaN wins"""
    def minimum_(self, y: TensorLike) -> Tensor:
        """the smaller of x and y; NaN wins"""
    def atan2(self, x: TensorLike) -> Tensor:
        """angle of the point (x, y) in radians"""
    def atan2_(self, x: TensorLike) -> Tensor:
        """angle of the point (x, y) in radians"""
    def logaddexp(self, y: TensorLike) -> Tensor:
        """log(e^x + e^y)"""
    def logaddexp_(self, y: TensorLike) -> Tensor:
        """log(e^x + e^y)"""
    def fmod(self, y: TensorLike) -> Tensor:
        """what is left of x / y rounded towards zero"""
    def fmod_(self, y: TensorLike) -> Tensor:
        """what is left of x / y rounded towards zero"""
    def remainder(self, y: TensorLike) -> Tensor:
        """what is left of x / y rounded down"""
    def remainder_(self, y: TensorLike) -> Tensor:
        """what is left of x / y rounded down"""
    def floor_divide(self, y: TensorLike) -> Tensor:
        """x / y rounded down"""
    def floor_divide_(self, y: TensorLike) -> Tensor:
        """x / y rounded down"""
    def eq(self, y: TensorLike) -> Tensor:
        """x == y"""
    def eq_(self, y: TensorLike) -> Tensor:
        """x == y"""
    def ne(self, y: TensorLike) -> Tensor:
        """x != y"""
    def ne_(self, y: TensorLike) -> Tensor:
        """x != y"""
    def lt(self, y: TensorLike) -> Tensor:
        """x < y"""
    def lt_(self, y: TensorLike) -> Tensor:
        """x < y"""
    def le(self, y: TensorLike) -> Tensor:
        """x <= y"""
    def le_(self, y: TensorLike) -> Tensor:
        """x <= y"""
    def gt(self, y: TensorLike) -> Tensor:
        """x > y"""
    def gt_(self, y: TensorLike) -> Tensor:
        """x > y"""
    def ge(self, y: TensorLike) -> Tensor:
        """x >= y"""
    def ge_(self, y: TensorLike) -> Tensor:
        """x >= y"""
    def logical_and(self, y: TensorLike) -> Tensor:
        """both true"""
    def logical_and_(self, y: TensorLike) -> Tensor:
        """both true"""
    def logical_or(self, y: TensorLike) -> Tensor:
        """one true at least"""
    def logical_or_(self, y: TensorLike) -> Tensor:
        """one true at least"""
    def logical_xor(self, y: TensorLike) -> Tensor:
        """one true, one not"""
    def logical_xor_(self, y: TensorLike) -> Tensor:
        """one true, one not"""
    def logical_not(self) -> Tensor:
        """not true"""
    def logical_not_(self) -> Tensor:
        """not true"""
    def isnan(self) -> Tensor:
        """is not a number"""
    def isnan_(self) -> Tensor:
        """is not a number"""
    def isinf(self) -> Tensor:
        """is infinite"""
    def isinf_(self) -> Tensor:
        """is infinite"""
    def isfinite(self) -> Tensor:
        """is a number and not infinite"""
    def isfinite_(self) -> Tensor:
        """is a number and not infinite"""
    def bitwise_and(self, y: TensorLike) -> Tensor:
        """bits set in both"""
    def bitwise_and_(self, y: TensorLike) -> Tensor:
        """bits set in both"""
    def bitwise_or(self, y: TensorLike) -> Tensor:
        """bits set in one at least"""
    def bitwise_or_(self, y: TensorLike) -> Tensor:
        """bits set in one at least"""
    def bitwise_xor(self, y: TensorLike) -> Tensor:
        """bits set in one only"""
    def bitwise_xor_(self, y: TensorLike) -> Tensor:
        """bits set in one only"""
    def bitwise_not(self) -> Tensor:
        """all bits turned; of boolean, not true"""
    def shift_left(self, y: TensorLike) -> Tensor:
        """x 2^y of integers"""
    def shift_left_(self, y: TensorLike) -> Tensor:
        """x 2^y of integers"""
    def shift_right(self, y: TensorLike) -> Tensor:
        """x / 2^y of integers, rounded down"""
    def shift_right_(self, y: TensorLike) -> Tensor:
        """x / 2^y of integers, rounded down"""
    def where(self, x: TensorLike, y: TensorLike) -> Tensor:
        """x where condition is not zero, else y"""
    def where_(self, x: TensorLike, y: TensorLike) -> Tensor:
        """x where condition is not zero, else y"""
    def clamp(self, low: TensorLike, high: TensorLike) -> Tensor:
        """min(max(x, low), high)"""
    def clamp_(self, low: TensorLike, high: TensorLike) -> Tensor:
        """min(max(x, low), high)"""
    def lerp(self, y: TensorLike, weight: TensorLike) -> Tensor:
        """x + weight (y - x)"""
    def lerp_(self, y: TensorLike, weight: TensorLike) -> Tensor:
        """x + weight (y - x)"""
    def neg(self) -> Tensor:
        """-x"""
    def neg_(self) -> Tensor:
        """-x"""
    def abs(self) -> Tensor:
        """absolute value"""
    def abs_(self) -> Tensor:
        """absolute value"""
    def sign(self) -> Tensor:
        """-1, 0 or 1"""
    def sign_(self) -> Tensor:
        """-1, 0 or 1"""
    def floor(self) -> Tensor:
        """rounded down"""
    def floor_(self) -> Tensor:
        """rounded down"""
    def ceil(self) -> Tensor:
        """rounded up"""
    def ceil_(self) -> Tensor:
        """rounded up"""
    def round(self) -> Tensor:
        """the nearest whole number, ties to even"""
    def round_(self) -> Tensor:
        """the nearest whole number, ties to even"""
    def trunc(self) -> Tensor:
        """rounded towards zero"""
    def trunc_(self) -> Tensor:
        """rounded towards zero"""
    def square(self) -> Tensor:
        """x x"""
    def square_(self) -> Tensor:
        """x x"""
    def reciprocal(self) -> Tensor:
        """1 / x"""
    def reciprocal_(self) -> Tensor:
        """1 / x"""
    def exp(self) -> Tensor:
        """e^x"""
    def exp_(self) -> Tensor:
        """e^x"""
    def exp2(self) -> Tensor:
        """2^x"""
    def exp2_(self) -> Tensor:
        """2^x"""
    def expm1(self) -> Tensor:
        """e^x - 1"""
    def expm1_(self) -> Tensor:
        """e^x - 1"""
    def log(self) -> Tensor:
        """natural logarithm"""
    def log_(self) -> Tensor:
        """natural logarithm"""
    def log1p(self) -> Tensor:
        """natural logarithm of 1 + x"""
    def log1p_(self) -> Tensor:
        """natural logarithm of 1 + x"""
    def log2(self) -> Tensor:
        """logarithm to base 2"""
    def log2_(self) -> Tensor:
        """logarithm to base 2"""
    def sqrt(self) -> Tensor:
        """square root"""
    def sqrt_(self) -> Tensor:
        """square root"""
    def rsqrt(self) -> Tensor:
        """1 / sqrt(x)"""
    def rsqrt_(self) -> Tensor:
        """1 / sqrt(x)"""
    def sin(self) -> Tensor:
        """sine of x in radians"""
    def sin_(self) -> Tensor:
        """sine of x in radians"""
    def cos(self) -> Tensor:
        """cosine of x in radians"""
    def cos_(self) -> Tensor:
        """cosine of x in radians"""
    def tan(self) -> Tensor:
        """tangent of x in radians"""
    def tan_(self) -> Tensor:
        """tangent of x in radians"""
    def asin(self) -> Tensor:
        """angle whose sine is x"""
    def asin_(self) -> Tensor:
        """angle whose sine is x"""
    def acos(self) -> Tensor:
        """angle whose cosine is x"""
    def acos_(self) -> Tensor:
        """angle whose cosine is x"""
    def atan(self) -> Tensor:
        """angle whose tangent is x"""
    def atan_(self) -> Tensor:
        """angle whose tangent is x"""
    def sinh(self) -> Tensor:
        """hyperbolic sine"""
    def sinh_(self) -> Tensor:
        """hyperbolic sine"""
    def cosh(self) -> Tensor:
        """hyperbolic cosine"""
    def cosh_(self) -> Tensor:
        """hyperbolic cosine"""
    def tanh(self) -> Tensor:
        """hyperbolic tangent"""
    def tanh_(self) -> Tensor:
        """hyperbolic tangent"""
    def asinh(self) -> Tensor:
        """inverse hyperbolic sine"""
    def asinh_(self) -> Tensor:
        """inverse hyperbolic sine"""
    def acosh(self) -> Tensor:
        """inverse hyperbolic cosine"""
    def acosh_(self) -> Tensor:
        """inverse hyperbolic cosine"""
    def atanh(self) -> Tensor:
        """inverse hyperbolic tangent"""
    def atanh_(self) -> Tensor:
        """inverse hyperbolic tangent"""
    def erf(self) -> Tensor:
        """error function"""
    def erf_(self) -> Tensor:
        """error function"""
    def erfc(self) -> Tensor:
        """1 - erf(x)"""
    def erfc_(self) -> Tensor:
        """1 - erf(x)"""
    def sigmoid(self) -> Tensor:
        """1 / (1 + e^-x)"""
    def sigmoid_(self) -> Tensor:
        """1 / (1 + e^-x)"""
    def softplus(self) -> Tensor:
        """log(1 + e^x)"""
    def softplus_(self) -> Tensor:
        """log(1 + e^x)"""
    def relu(self) -> Tensor:
        """max(x, 0)"""
    def relu_(self) -> Tensor:
        """max(x, 0)"""
    def gelu(self) -> Tensor:
        """x Phi(x), Phi the normal distribution function"""
    def gelu_(self) -> Tensor:
        """x Phi(x), Phi the normal distribution function"""
    def gelu_tanh(self) -> Tensor:
        """gelu in its tanh approximation"""
    def gelu_tanh_(self) -> Tensor:
        """gelu in its tanh approximation"""
    def silu(self) -> Tensor:
        """x sigmoid(x)"""
    def silu_(self) -> Tensor:
        """x sigmoid(x)"""
    def leaky_relu(self, slope: TensorLike | None = 0.01) -> Tensor:
        """x above 0, slope x below"""
    def leaky_relu_(self, slope: TensorLike | None = 0.01) -> Tensor:
        """x above 0, slope x below"""
    def elu(self, alpha: TensorLike | None = 1) -> Tensor:
        """x above 0, alpha (e^x - 1) below"""
    def elu_(self, alpha: TensorLike | None = 1) -> Tensor:
        """x above 0, alpha (e^x - 1) below"""
    def add_relu(self, y: TensorLike) -> Tensor:
        """relu(x + y) in one pass"""
    def add_relu_(self, y: TensorLike) -> Tensor:
        """relu(x + y) in one pass"""
    def mul_relu(self, y: TensorLike) -> Tensor:
        """relu(x y) in one pass"""
    def mul_relu_(self, y: TensorLike) -> Tensor:
        """relu(x y) in one pass"""
    def affine(self, scale: TensorLike, bias: TensorLike) -> Tensor:
        """x scale + bias in one pass"""
    def affine_(self, scale: TensorLike, bias: TensorLike) -> Tensor:
        """x scale + bias in one pass"""
    def sum(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """sum over axes"""
    def mean(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """mean over axes"""
    def prod(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """product over axes"""
    def max(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """largest over axes; NaN wins"""
    def min(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """smallest over axes; NaN wins"""
    def any(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """whether an element is not zero"""
    def all(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """whether no element is zero"""
    def argmax(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """position of the largest; the lowest among equals"""
    def argmin(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """position of the smallest; the lowest among equals"""
    def var_rows(self, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
        """variance along one axis"""
    def std_rows(self, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
        """standard deviation along one axis"""
    def norm_rows(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """square root of the sum of squares along one axis"""
    def var(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, correction: SupportsFloat = 1.0, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False, ddof: SupportsFloat = 1.0) -> Tensor:
        """variance over axes"""
    def std(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, correction: SupportsFloat = 1.0, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False, ddof: SupportsFloat = 1.0) -> Tensor:
        """standard deviation over axes"""
    def norm(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, p: SupportsFloat = 2.0, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """(sum |x|^p)^(1/p) over axes"""
    def cumsum(self, axis: SupportsIndex = -1, reverse: builtins.bool = False, *, dim: SupportsIndex = -1) -> Tensor:
        """running sum along an axis"""
    def cumprod(self, axis: SupportsIndex = -1, reverse: builtins.bool = False, *, dim: SupportsIndex = -1) -> Tensor:
        """running product along an axis"""
    def linear_recurrence(self, b: TensorLike, axis: SupportsIndex = -1, reverse: builtins.bool = False, *, dim: SupportsIndex = -1) -> Tensor:
        """y_k = a_k y_(k-1) + b_k along an axis"""
    @overload
    def reshape(self, shape: ShapeLike | None = ()) -> Tensor:
        """the elements in row-major order, other sizes"""
    @overload
    def reshape(self, *shape: SupportsIndex) -> Tensor:
        """the elements in row-major order, other sizes"""
    @overload
    def permute(self, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
        """axes in another order"""
    @overload
    def permute(self, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
        """axes in another order"""
    def transpose(self, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1) -> Tensor:
        """two axes exchanged"""
    @overload
    def expand(self, shape: ShapeLike | None = ()) -> Tensor:
        """repeated along axes of size 1 and new leading ones"""
    @overload
    def expand(self, *shape: SupportsIndex) -> Tensor:
        """repeated along axes of size 1 and new leading ones"""
    @overload
    def squeeze(self, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
        """without axes of size 1"""
    @overload
    def squeeze(self, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
        """without axes of size 1"""
    def unsqueeze(self, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """with a new axis of size 1"""
    def slice(self, axis: SupportsIndex = 0, start: SupportsIndex = 0, stop: SupportsIndex = 9223372036854775807, step: SupportsIndex = 1, *, dim: SupportsIndex = 0) -> Tensor:
        """x[start:stop:step] along an axis"""
    def select(self, axis: SupportsIndex = 0, index: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """x at one index of an axis, without that axis"""
    def slice_embed(self, axis: SupportsIndex = 0, start: SupportsIndex = 0, step: SupportsIndex = 1, size: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """zeros with x at [start::step] of a longer axis"""
    def clone(self) -> Tensor:
        """a new contiguous tensor with the same values"""
    def split(self, sizes: ShapeLike | None = (), axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> builtins.tuple[Tensor, ...]:
        """consecutive parts along an axis"""
    def chunk(self, chunks: SupportsIndex = 1, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> builtins.tuple[Tensor, ...]:
        """parts of equal length along an axis, the last may be shorter"""
    @overload
    def flip(self, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
        """axes from the last index to the first"""
    @overload
    def flip(self, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
        """axes from the last index to the first"""
    def roll(self, shifts: ShapeLike | None = (), axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
        """elements moved along axes, the last to the front"""
    def pad(self, before: ShapeLike | None = (), after: ShapeLike | None = (), mode: Literal['constant', 'reflect', 'replicate', 'circular'] = 'constant', value: SupportsFloat = 0.0) -> Tensor:
        """axes made longer on both sides"""
    @overload
    def tile(self, repeats: ShapeLike | None = ()) -> Tensor:
        """the tensor repeated along axes"""
    @overload
    def tile(self, *repeats: SupportsIndex) -> Tensor:
        """the tensor repeated along axes"""
    def repeat_interleave(self, count: SupportsIndex = 1, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """each slice along an axis several times in a row"""
    def unfold(self, axis: SupportsIndex = 0, size: SupportsIndex = 1, step: SupportsIndex = 1, *, dim: SupportsIndex = 0) -> Tensor:
        """windows along an axis"""
    def overlap_add(self, axis: SupportsIndex = 0, step: SupportsIndex = 1, length: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """windows added where they lie along an axis"""
    def diagonal(self, offset: SupportsIndex = 0, axis0: SupportsIndex = 0, axis1: SupportsIndex = 1) -> Tensor:
        """a diagonal of two axes"""
    def diag_embed(self, offset: SupportsIndex = 0, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, rows: SupportsIndex = -1, columns: SupportsIndex = -1) -> Tensor:
        """zeros with the last axis on a diagonal"""
    def tril(self, diagonal: SupportsIndex = 0) -> Tensor:
        """zeros above a diagonal"""
    def triu(self, diagonal: SupportsIndex = 0) -> Tensor:
        """zeros below a diagonal"""
    def gather(self, index: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """x at an index along an axis, for every place of the index"""
    def scatter(self, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """x with src written at an index along an axis"""
    def scatter_add(self, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """x with src added at an index along an axis"""
    def scatter_reduce(self, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, reduce: Literal['sum', 'prod', 'mean', 'amax', 'amin'] = 'sum', include_self: builtins.bool = True, *, dim: SupportsIndex = 0) -> Tensor:
        """x put together with src at an index along an axis"""
    def index_select(self, index: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """slices of x along an axis, in the order of the index"""
    def index_add(self, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
        """x with slices of src added to the slices that an index names"""
    def take(self, index: TensorLike) -> Tensor:
        """x at numbers of elements in row-major order"""
    def masked_select(self, mask: TensorLike) -> Tensor:
        """the elements of x where the mask is true"""
    def nonzero(self) -> Tensor:
        """coordinates of the elements that are not zero"""
    def embedding(self, index: TensorLike) -> Tensor:
        """rows of weight at an index of any shape"""
    def masked_fill(self, mask: TensorLike, value: SupportsFloat = 0.0) -> Tensor:
        """x with a value where the mask is true"""
    def one_hot(self, classes: SupportsIndex = 0, dtype: DTypeLike = 'f32') -> Tensor:
        """1 at the index along a new last axis, else 0"""
    def sort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """values in order along an axis, and where they were"""
    def argsort(self, axis: SupportsIndex = -1, descending: builtins.bool = False, *, dim: SupportsIndex = -1) -> Tensor:
        """where the values in order along an axis are"""
    def topk(self, k: SupportsIndex = 1, axis: SupportsIndex = -1, largest: builtins.bool = True, sorted: builtins.bool = True, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """the k largest or smallest along an axis, and where they are"""
    def searchsorted(self, values: TensorLike, right: builtins.bool = False) -> Tensor:
        """where values would be inserted into sorted rows"""
    def unique(self) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """distinct values, each element's index among them, and counts"""
    def bincount(self, weights: TensorLike | None = None, minlength: SupportsIndex = 0) -> Tensor:
        """how often each number occurs"""
    def dropout(self, p: SupportsFloat = 0.5, seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
        """0 with probability p, else x / (1 - p)"""
    def softmax(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """e^x / sum e^x along an axis"""
    def log_softmax(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x - log sum e^x along an axis"""
    def softmax_backward(self, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """cotangent of softmax's operand by its result"""
    def log_softmax_backward(self, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """cotangent of log_softmax's operand by its result"""
    def logsumexp_rows(self, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """log sum e^x along an axis"""
    def layer_norm(self, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1) -> Tensor:
        """(x - mean) / sqrt(variance + eps) * weight + bias"""
    def rms_norm(self, weight: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1) -> Tensor:
        """x / sqrt(mean of x^2 + eps) * weight"""
    def moments(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """mean and variance along an axis"""
    def standardize(self, mean: TensorLike, variance: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1) -> Tensor:
        """(x - mean) / sqrt(variance + eps) weight + bias"""
    def cosine_similarity(self, y: TensorLike, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-08, *, dim: SupportsIndex = -1) -> Tensor:
        """x . y / (|x| |y|) along an axis"""
    def group_norm(self, weight: TensorLike | None = None, bias: TensorLike | None = None, groups: SupportsIndex = 1, eps: SupportsFloat = 1e-05, *, num_groups: SupportsIndex = 1) -> Tensor:
        """groups of channels brought to mean 0 and variance 1"""
    def batch_norm(self, weight: TensorLike | None = None, bias: TensorLike | None = None, mean: TensorLike | None = None, variance: TensorLike | None = None, eps: SupportsFloat = 1e-05) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """channels brought to mean 0 and variance 1, and those"""
    def logsumexp(self, axes: ShapeLike | None = (), keepdim: builtins.bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: builtins.bool = False) -> Tensor:
        """log sum e^x over axes"""
    def mse_terms(self, y: TensorLike) -> Tensor:
        """(x - y)^2"""
    def mse_terms_(self, y: TensorLike) -> Tensor:
        """(x - y)^2"""
    def l1_terms(self, y: TensorLike) -> Tensor:
        """|x - y|"""
    def l1_terms_(self, y: TensorLike) -> Tensor:
        """|x - y|"""
    def huber_terms(self, y: TensorLike, delta: TensorLike) -> Tensor:
        """(x - y)^2 / 2 up to a difference of delta, then linear"""
    def huber_terms_(self, y: TensorLike, delta: TensorLike) -> Tensor:
        """(x - y)^2 / 2 up to a difference of delta, then linear"""
    def bce_terms(self, y: TensorLike) -> Tensor:
        """-(y log x + (1 - y) log(1 - x))"""
    def bce_terms_(self, y: TensorLike) -> Tensor:
        """-(y log x + (1 - y) log(1 - x))"""
    def bce_with_logits_terms(self, y: TensorLike, pos_weight: TensorLike) -> Tensor:
        """-(pos_weight y log s(x) + (1 - y) log s(-x)), s the sigmoid"""
    def bce_with_logits_terms_(self, y: TensorLike, pos_weight: TensorLike) -> Tensor:
        """-(pos_weight y log s(x) + (1 - y) log s(-x)), s the sigmoid"""
    def kl_div_terms(self, y: TensorLike) -> Tensor:
        """y (log y - x)"""
    def kl_div_terms_(self, y: TensorLike) -> Tensor:
        """y (log y - x)"""
    def kl_div_log_terms(self, y: TensorLike) -> Tensor:
        """e^y (y - x)"""
    def kl_div_log_terms_(self, y: TensorLike) -> Tensor:
        """e^y (y - x)"""
    def cross_entropy_rows(self, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, *, dim: SupportsIndex = -1) -> Tensor:
        """-log softmax(logits)[target] per row"""
    def weighted_cross_entropy_rows(self, weight: TensorLike | None, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1) -> Tensor:
        """cross entropy per row with weights and label smoothing"""
    def probability_cross_entropy_rows(self, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1) -> Tensor:
        """cross entropy per row by probabilities of the classes"""
    def mse(self, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """(x - y)^2, by default its mean"""
    def l1(self, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """|x - y|, by default its mean"""
    def huber(self, y: TensorLike, delta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """(x - y)^2 / 2 near 0 and linear far off, by default its mean"""
    def smooth_l1(self, y: TensorLike, beta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """huber over beta, by default its mean"""
    def bce(self, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """cross entropy of probabilities of yes and no, by default its mean"""
    def bce_with_logits(self, y: TensorLike, pos_weight: TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """bce of sigmoid(x), by default its mean"""
    def kl_div(self, y: TensorLike, log_target: builtins.bool = False, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
        """divergence of y from log-probabilities x, by default its mean"""
    def nll(self, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1) -> Tensor:
        """-x[target] of log-probabilities x, by default its mean"""
    def cross_entropy(self, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1) -> Tensor:
        """-log softmax(logits)[target], by default its mean"""
    def matmul(self, y: TensorLike) -> Tensor:
        """matrix product with broadcast batches and vectors"""
    def linear(self, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
        """x W^T + bias"""
    def linear_act(self, weight: TensorLike, bias: TensorLike | None = None, act: Literal['none', 'relu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'tanh'] = 'none') -> Tensor:
        """act(x W^T + bias)"""
    def outer(self, y: TensorLike) -> Tensor:
        """x_i y_j of two vectors"""
    def triangular_solve(self, b: TensorLike, upper: builtins.bool = False, transpose: builtins.bool = False, unitriangular: builtins.bool = False, left: builtins.bool = True) -> Tensor:
        """X of a X = b or X a = b with a triangular a"""
    def solve(self, b: TensorLike) -> Tensor:
        """X of a X = b"""
    def inverse(self) -> Tensor:
        """inverse matrices"""
    def matrix_power(self, power: SupportsIndex = 2) -> Tensor:
        """matrices to an integer power"""
    def det(self) -> Tensor:
        """determinants"""
    def slogdet(self) -> builtins.tuple[Tensor, Tensor]:
        """sign and logarithm of the magnitude of determinants"""
    def lstsq(self, b: TensorLike) -> Tensor:
        """X with the least |a X - b|, for a of full rank; another is refused"""
    def cholesky(self) -> Tensor:
        """L of x = L L^T, of the symmetric part of x"""
    def qr(self) -> builtins.tuple[Tensor, Tensor]:
        """orthonormal columns times an upper triangle"""
    def svd(self) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """singular values and vectors"""
    def eigh(self) -> builtins.tuple[Tensor, Tensor]:
        """eigenvalues and vectors of the symmetric part of x"""
    def conv2d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """windows of images times filters"""
    def conv1d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """windows of signals times filters"""
    def conv_transpose2d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """the transpose of conv2d as a map of images"""
    def conv_transpose1d(self, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
        """the transpose of conv1d as a map of signals"""
    def conv2d_weight_gradient(self, grad: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, kernel_size: ShapeLike | None = (1,), num_groups: SupportsIndex = 1) -> Tensor:
        """the gradient of conv2d by its weight"""
    def max_pool2d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: builtins.bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """the largest of each window of images"""
    def max_pool1d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: builtins.bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """the largest of each window of signals"""
    def avg_pool2d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """the mean of each window of images"""
    def avg_pool1d(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """the mean of each window of signals"""
    def avg_pool2d_gradient(self, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """the transpose of avg_pool2d"""
    @overload
    def adaptive_max_pool2d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """the largest of windows that share out images"""
    @overload
    def adaptive_max_pool2d(self, *size: SupportsIndex) -> Tensor:
        """the largest of windows that share out images"""
    @overload
    def adaptive_max_pool1d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """the largest of windows that share out signals"""
    @overload
    def adaptive_max_pool1d(self, *size: SupportsIndex) -> Tensor:
        """the largest of windows that share out signals"""
    @overload
    def adaptive_avg_pool2d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """the mean of windows that share out images"""
    @overload
    def adaptive_avg_pool2d(self, *size: SupportsIndex) -> Tensor:
        """the mean of windows that share out images"""
    @overload
    def adaptive_avg_pool1d(self, size: ShapeLike | None = (1,)) -> Tensor:
        """the mean of windows that share out signals"""
    @overload
    def adaptive_avg_pool1d(self, *size: SupportsIndex) -> Tensor:
        """the mean of windows that share out signals"""
    @overload
    def adaptive_avg_pool2d_gradient(self, size: ShapeLike | None = (1,)) -> Tensor:
        """the transpose of adaptive_avg_pool2d"""
    @overload
    def adaptive_avg_pool2d_gradient(self, *size: SupportsIndex) -> Tensor:
        """the transpose of adaptive_avg_pool2d"""
    def im2col(self, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """windows of images as columns"""
    def col2im(self, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
        """columns added up to images"""
    def scaled_dot_product_attention(self, k: TensorLike, v: TensorLike, mask: TensorLike | None = None, causal: builtins.bool = False, position: SupportsIndex = 0, scale: SupportsFloat = 0.0, window: SupportsIndex = 0, dropout: SupportsFloat = 0.0, seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
        """softmax(scale q k^T) v, block by block"""
    def rope(self, positions: TensorLike | None = None, base: SupportsFloat = 10000.0, position: SupportsIndex = 0, width: SupportsIndex = 0, interleaved: builtins.bool = False, inverse: builtins.bool = False) -> Tensor:
        """rows turned pair by pair by angles that grow with their position"""
    def poincare_add(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x + y, Moebius"""
    def poincare_gyration(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """gyr[x, y] v, Moebius"""
    def poincare_scalar_rows(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """r times x, Moebius"""
    def poincare_exp(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """where the geodesic from x by v ends"""
    def poincare_exp_backward(self, x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """cotangents of poincare_exp's operands for that of its result"""
    def poincare_log(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the tangent vector at x that leads to y"""
    def poincare_exp0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
    def poincare_log0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
    def poincare_transport(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """v at x carried along the geodesic to y"""
    def poincare_transport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """v at the origin carried to x"""
    def poincare_geodesic(self, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the point at t on the geodesic from x to y"""
    def poincare_egrad2rgrad(self, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """gradient g by coordinates in the metric at x"""
    def poincare_project(self, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1) -> Tensor:
        """x brought within 1 - margin of the ball's radius"""
    def poincare_lambda(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """2 / (1 - c|x|^2)"""
    def poincare_dist(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x and y"""
    def poincare_dist0(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x from the origin"""
    def poincare_dist2(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x and y, squared"""
    def poincare_inner(self, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """<u, v> in the metric at x"""
    def poincare_norm(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """|v| in the metric at x"""
    def poincare_to_lorentz(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x on the hyperboloid"""
    def poincare_to_klein(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x in the Klein ball"""
    def poincare_sub(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x + (-y), Moebius"""
    def poincare_scalar(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """r times x, Moebius"""
    def lorentz_add(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x + y: the boost that takes the origin to x, of y"""
    def lorentz_scalar_rows(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """r times x"""
    def lorentz_exp(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """where the geodesic from x by v ends"""
    def lorentz_log(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the tangent vector at x that leads to y"""
    def lorentz_exp0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """sinh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
    def lorentz_log0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
    def lorentz_transport(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """v at x carried along the geodesic to y"""
    def lorentz_transport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """v at the origin carried to x"""
    def lorentz_geodesic(self, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the point at t on the geodesic from x to y"""
    def lorentz_egrad2rgrad(self, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """gradient g by coordinates in the metric at x"""
    def lorentz_dist(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x and y"""
    def lorentz_dist_backward(self, y: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """cotangents of lorentz_dist's operands for that of its result"""
    def lorentz_dist0(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x from the origin"""
    def lorentz_dist2(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x and y, squared"""
    def lorentz_inner(self, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """<u, v> in the metric at x"""
    def lorentz_norm(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """|v| in the metric at x"""
    def lorentz_to_poincare(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x in the Poincare ball"""
    def lorentz_to_klein(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x in the Klein ball"""
    def lorentz_sub(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x + (-y)"""
    def lorentz_scalar(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """r times x"""
    def lorentz_gyration(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """gyr[x, y] v"""
    def lorentz_with_time(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """(sqrt(1 / c + |x|^2), x)"""
    def lorentz_without_time(self, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the space coordinates of (time, x)"""
    def klein_add(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x + y, Einstein"""
    def klein_scalar_rows(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """r times x, Einstein"""
    def klein_exp(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """where the geodesic from x by v ends"""
    def klein_log(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the tangent vector at x that leads to y"""
    def klein_exp0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
    def klein_log0(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
    def klein_transport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """v at the origin carried to x"""
    def klein_untransport0(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """v at x carried to the origin"""
    def klein_geodesic(self, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the point at t on the geodesic from x to y"""
    def klein_egrad2rgrad(self, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """gradient g by coordinates in the metric at x"""
    def klein_project(self, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1) -> Tensor:
        """x brought within 1 - margin of the ball's radius"""
    def klein_dist(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x and y"""
    def klein_dist0(self, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x from the origin"""
    def klein_dist2(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """distance of x and y, squared"""
    def klein_inner(self, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """<u, v> in the metric at x"""
    def klein_norm(self, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: builtins.bool = False, *, dim: SupportsIndex = -1, keepdims: builtins.bool = False) -> Tensor:
        """|v| in the metric at x"""
    def klein_to_poincare(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x in the Poincare ball"""
    def klein_to_lorentz(self, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x on the hyperboloid"""
    def klein_sub(self, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """x + (-y), Einstein"""
    def klein_scalar(self, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """r times x, Einstein"""
    def klein_gyration(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """gyr[x, y] v, Einstein"""
    def klein_transport(self, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """v at x carried along the geodesic to y"""
    def poincare_ball_layer(self, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the point at t on the geodesic from u to v"""
    def poincare_ball_layer_backward(self, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """cotangents of the layer's operands for that of its result"""
    def poincare_gyro_lerp(self, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """((1 - t) u) + (t v) by the model's sum and multiples"""
    def lorentz_layer(self, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the point at t on the geodesic from u to v"""
    def lorentz_layer_backward(self, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """cotangents of the layer's operands for that of its result"""
    def lorentz_gyro_lerp(self, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """((1 - t) u) + (t v) by the model's sum and multiples"""
    def klein_layer(self, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the point at t on the geodesic from u to v"""
    def klein_layer_backward(self, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """cotangents of the layer's operands for that of its result"""
    def klein_gyro_lerp(self, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """((1 - t) u) + (t v) by the model's sum and multiples"""
    def poincare_matvec(self, x: TensorLike, c: TensorLike) -> Tensor:
        """m times x: exp0(m log0(x))"""
    def poincare_pointwise(self, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1) -> Tensor:
        """exp0(f(log0(x)))"""
    def lorentz_matvec(self, x: TensorLike, c: TensorLike) -> Tensor:
        """m times x: exp0(m log0(x))"""
    def lorentz_pointwise(self, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1) -> Tensor:
        """exp0(f(log0(x)))"""
    def klein_matvec(self, x: TensorLike, c: TensorLike) -> Tensor:
        """m times x: exp0(m log0(x))"""
    def klein_pointwise(self, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1) -> Tensor:
        """exp0(f(log0(x)))"""
    def poincare_cdist(self, y: TensorLike, c: TensorLike) -> Tensor:
        """distances of all pairs of x [..., n, d] and y [..., m, d]"""
    def lorentz_cdist(self, y: TensorLike, c: TensorLike) -> Tensor:
        """distances of all pairs of x [..., n, d] and y [..., m, d]"""
    def klein_cdist(self, y: TensorLike, c: TensorLike) -> Tensor:
        """distances of all pairs of x [..., n, d] and y [..., m, d]"""
    def poincare_midpoint(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """the midpoint of points x [..., n, d] by weights [..., n]"""
    def lorentz_midpoint(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """the midpoint of points x [..., n, d] by weights [..., n]"""
    def klein_midpoint(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """the midpoint of points x [..., n, d] by weights [..., n]"""
    def poincare_frechet_mean(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """the point of the least sum of weights [..., n] times squared distances to points x"""
    def lorentz_frechet_mean(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """the point of the least sum of weights [..., n] times squared distances to points x"""
    def klein_frechet_mean(self, weights: TensorLike, c: TensorLike) -> Tensor:
        """the point of the least sum of weights [..., n] times squared distances to points x"""
    def poincare_exp0_add(self, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """exp0(v) + b, Moebius, drawn inside the ball"""
    def poincare_exp0_add_exp0(self, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """exp0(v) + exp0(b), Moebius, drawn inside the ball"""
    def poincare_lift(self, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """points of the ball, and their time on the hyperboloid"""
    def lorentz_lift(self, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """points of the hyperboloid, and their time"""
    def poincare_planes(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """normals z at gyrodistance r, and what turns products into scores"""
    def lorentz_planes(self, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: builtins.bool = False, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor, Tensor]:
        """normals z at distance r, and what turns products into scores"""
    def poincare_scores(self, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """scores of points of the ball by planes, of their product"""
    def lorentz_scores(self, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """scores of points of the hyperboloid by planes, of their product"""
    def poincare_from_planes(self, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """the point of the ball at scores by planes, of their product"""
    def lorentz_gate(self, v: TensorLike, by_time: TensorLike, bias: TensorLike, scale: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor, Tensor]:
        """points, their time, and how far out a linear layer puts each"""
    def lorentz_gated(self, w: TensorLike, b: TensorLike, time: TensorLike, gate: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """product + time w + b, brought to the length that the gate says"""
    def lorentz_affinity(self, key_time: TensorLike, time: TensorLike, slope: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
        """-slope times squared distances of queries and keys, of their products"""
    def lorentz_weights(self, key_time: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> builtins.tuple[Tensor, Tensor]:
        """softmax, and the mean of the keys' times by it"""
    def lorentz_centroid(self, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, narrow: builtins.bool = False, *, dim: SupportsIndex = -1) -> Tensor:
        """the point of the hyperboloid in the direction of (time, x)"""
    def poincare_boundary(self, c: TensorLike, margin: SupportsFloat = 0.05) -> Tensor:
        """mean of max(0, c|x|^2 - (1 - margin)^2)^2"""
    def curvature_penalty(self, target: SupportsFloat = 1.0) -> Tensor:
        """mean of log(c / target)^2"""
    def poincare_variance(self, c: TensorLike) -> Tensor:
        """mean squared distance of points from their midpoint"""
    def poincare_contrastive(self, labels: TensorLike, c: TensorLike, temperature: SupportsFloat = 0.1) -> Tensor:
        """supervised contrastive loss by distances"""
    def __add__(self, other: TensorLike, /) -> Tensor: ...
    def __radd__(self, other: TensorLike, /) -> Tensor: ...
    def __iadd__(self, other: TensorLike, /) -> Tensor: ...
    def __sub__(self, other: TensorLike, /) -> Tensor: ...
    def __rsub__(self, other: TensorLike, /) -> Tensor: ...
    def __isub__(self, other: TensorLike, /) -> Tensor: ...
    def __mul__(self, other: TensorLike, /) -> Tensor: ...
    def __rmul__(self, other: TensorLike, /) -> Tensor: ...
    def __imul__(self, other: TensorLike, /) -> Tensor: ...
    def __truediv__(self, other: TensorLike, /) -> Tensor: ...
    def __rtruediv__(self, other: TensorLike, /) -> Tensor: ...
    def __itruediv__(self, other: TensorLike, /) -> Tensor: ...
    def __floordiv__(self, other: TensorLike, /) -> Tensor: ...
    def __rfloordiv__(self, other: TensorLike, /) -> Tensor: ...
    def __ifloordiv__(self, other: TensorLike, /) -> Tensor: ...
    def __mod__(self, other: TensorLike, /) -> Tensor: ...
    def __rmod__(self, other: TensorLike, /) -> Tensor: ...
    def __imod__(self, other: TensorLike, /) -> Tensor: ...
    def __pow__(self, other: TensorLike, /) -> Tensor: ...
    def __rpow__(self, other: TensorLike, /) -> Tensor: ...
    def __ipow__(self, other: TensorLike, /) -> Tensor: ...
    def __matmul__(self, other: TensorLike, /) -> Tensor: ...
    def __rmatmul__(self, other: TensorLike, /) -> Tensor: ...
    def __and__(self, other: TensorLike, /) -> Tensor: ...
    def __rand__(self, other: TensorLike, /) -> Tensor: ...
    def __iand__(self, other: TensorLike, /) -> Tensor: ...
    def __or__(self, other: TensorLike, /) -> Tensor: ...
    def __ror__(self, other: TensorLike, /) -> Tensor: ...
    def __ior__(self, other: TensorLike, /) -> Tensor: ...
    def __xor__(self, other: TensorLike, /) -> Tensor: ...
    def __rxor__(self, other: TensorLike, /) -> Tensor: ...
    def __ixor__(self, other: TensorLike, /) -> Tensor: ...
    def __lshift__(self, other: TensorLike, /) -> Tensor: ...
    def __rlshift__(self, other: TensorLike, /) -> Tensor: ...
    def __ilshift__(self, other: TensorLike, /) -> Tensor: ...
    def __rshift__(self, other: TensorLike, /) -> Tensor: ...
    def __rrshift__(self, other: TensorLike, /) -> Tensor: ...
    def __irshift__(self, other: TensorLike, /) -> Tensor: ...
    def __lt__(self, other: TensorLike, /) -> Tensor: ...
    def __le__(self, other: TensorLike, /) -> Tensor: ...
    def __gt__(self, other: TensorLike, /) -> Tensor: ...
    def __ge__(self, other: TensorLike, /) -> Tensor: ...
    def __eq__(self, other: builtins.object, /) -> Tensor: ...  # type: ignore[override]
    def __ne__(self, other: builtins.object, /) -> Tensor: ...  # type: ignore[override]
    def __neg__(self) -> Tensor: ...
    def __pos__(self) -> Tensor: ...
    def __abs__(self) -> Tensor: ...
    def __invert__(self) -> Tensor: ...
    def __divmod__(self, other: TensorLike, /) -> builtins.tuple[Tensor, Tensor]: ...
    def __rdivmod__(self, other: TensorLike, /) -> builtins.tuple[Tensor, Tensor]: ...
    def __len__(self) -> builtins.int: ...
    def __iter__(self) -> collections.abc.Iterator[Tensor]: ...
    def __getitem__(self, key: Any, /) -> Tensor: ...
    def __setitem__(self, key: Any, value: TensorLike, /) -> None: ...
    def __buffer__(self, flags: builtins.int, /) -> memoryview: ...
_tensor_of_pickle: Any
tensor = Tensor
class Op:
    @property
    def name(self) -> str:
        """the op's name"""
    @property
    def doc(self) -> str:
        """what it does, in a line"""
    @property
    def arguments(self) -> list[dict[str, Any]]:
        """its tensors: dicts of name, optional, variadic, differentiable"""
    @property
    def attributes(self) -> list[dict[str, Any]]:
        """its attributes: dicts of name, type, default, doc, choices, also (other names), takes_all_numbers"""
    @property
    def outputs(self) -> int:
        """how many tensors it gives; 0: any number"""
    @property
    def kept(self) -> int:
        """how many more results it has for backward alone"""
    @property
    def reads(self) -> tuple[Any, ...]:
        """which inputs and results its reverse rule reads: bits, the last for all that follow"""
    @property
    def differentiable(self) -> bool:
        """whether gradients flow through it"""
    @property
    def ulp(self) -> float:
        """its error bound in units in the last place"""
    @property
    def by_element(self) -> bool:
        """whether the bound holds for each element, not only for the norm"""
    @property
    def family(self) -> str:
        """"elementwise", "row", "reduction" or """""
    @property
    def random(self) -> bool:
        """whether it draws random numbers"""
    def __call__(self, *args: Any, **attributes: Any) -> Any: ...
    def samples(self, dtype: DTypeLike = ..., seed: int = ..., extremes: bool = ...) -> list[tuple[tuple[Tensor | None, ...], dict[str, Any]]]: ...
def zeros(*shape: ShapeLike | DTypeLike, dtype: DTypeLike | None = None, requires_grad: bool = False) -> Tensor:
    """Zeros of a shape; f32 by default."""
def ones(*shape: ShapeLike | DTypeLike, dtype: DTypeLike | None = None, requires_grad: bool = False) -> Tensor:
    """Ones of a shape; f32 by default."""
def empty(*shape: ShapeLike | DTypeLike, dtype: DTypeLike | None = None, requires_grad: bool = False) -> Tensor:
    """A new tensor of a shape whose values are not set; f32 by default."""
def zeros_like(x: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Zeros of the shape and dtype of x."""
def ones_like(x: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """Ones of the shape and dtype of x."""
def empty_like(x: TensorLike, dtype: DTypeLike | None = None) -> Tensor:
    """A new tensor of the shape and dtype of x whose values are not set."""
def full(shape: ShapeLike, value: TensorLike, dtype: DTypeLike | None = None, requires_grad: bool = False) -> Tensor:
    """Every element `value`; f32, or i64 and boolean for an int and a bool."""
def arange(start: float, stop: float | None = None, step: float = 1, dtype: DTypeLike | None = None) -> Tensor:
    """start, start + step, ... before stop (from 0 to `start` where no stop is given); i64 of ints,
    else f32.
    """
def linspace(start: float, stop: float, count: int, dtype: DTypeLike | None = None) -> Tensor:
    """`count` numbers at equal distances, start and stop included."""
def eye(rows: int, columns: int | None = None, dtype: DTypeLike | None = None) -> Tensor:
    """Ones on the diagonal of a matrix, else zeros."""
def asarray(data: TensorLike, dtype: DTypeLike | None = None, *, copy: bool = False) -> Tensor:
    """What functions here make of an argument: arrays share their memory where it may be written, else
    they are copied.
    """
def from_numpy(array: typing.Any) -> Tensor:
    """A tensor over the memory of a NumPy array."""
def from_torch(tensor: typing.Any) -> Tensor:
    """A tensor over the memory of a PyTorch tensor, without its history."""
def from_dlpack(array: typing.Any) -> Tensor:
    """A tensor over the memory of anything with __dlpack__ or the buffer protocol."""
def manual_seed(seed: int) -> None:
    """Restarts the random numbers of this thread."""
def backward(outputs: TensorLike | collections.abc.Iterable[TensorLike], cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, create_graph: bool = False, retain_graph: bool = False) -> None:
    """Adds the gradient of the sum of <outputs[i], cotangents[i]> to the leaves."""
def grad(outputs: TensorLike | collections.abc.Iterable[TensorLike], inputs: Tensor | collections.abc.Iterable[Tensor], cotangents: TensorLike | collections.abc.Iterable[TensorLike | None] | None = None, create_graph: bool = False, retain_graph: bool = False, allow_unused: bool = False) -> typing.Any:
    """The gradients of the sum of <outputs[i], cotangents[i]> by inputs: a tensor for a tensor, else a
    tuple.
    """
def is_grad_enabled() -> bool:
    """Whether ops are recorded on this thread."""
class GradMode:
    """For `with`: ops are recorded in it, or not."""
    def __enter__(self) -> None: ...
    def __exit__(self, kind: object, value: object, trace: object, /) -> None: ...
def no_grad() -> GradMode:
    """`with gyre.no_grad():` nothing is recorded."""
def enable_grad() -> GradMode:
    """`with gyre.enable_grad():` recorded again inside of no_grad()."""
_transforms: Any
class CustomFunction:
    """A callable with a reverse rule of its own."""
    def __call__(self, *args: TensorLike | None) -> typing.Any: ...
def custom_function(forward: collections.abc.Callable[..., typing.Any], backward: collections.abc.Callable[..., typing.Any], visible: int = 0) -> CustomFunction:
    """A callable with a reverse rule of its own: forward(*inputs) gives a tensor or several,
    backward(inputs, results, cotangents) a cotangent for each input, None for zero. Results past
    `visible` (0: none) are kept for backward only.
    """
def _register_op(name: str, forward: typing.Any, backward: typing.Any, doc: str, arguments: collections.abc.Sequence[str]) -> Op: ...
class GradcheckReport:
    """What gradcheck found: true or false, a text."""
    @property
    def passed(self) -> bool: ...
    def __bool__(self) -> bool: ...
    def __repr__(self) -> str: ...
def gradcheck(f: collections.abc.Callable[..., typing.Any], inputs: TensorLike | collections.abc.Iterable[TensorLike], eps: float = 1e-6, rtol: float = 1e-6, atol: float = 1e-8, second: bool = False) -> GradcheckReport:
    """Compares gradients of f(*inputs) by those inputs that require one (with `second`, gradients of
    gradients) with difference quotients in f64. True or false; as text, what was found.
    """
class CheckpointBudget:
    """Bytes that checkpoints which share it may keep together: CheckpointBudget(bytes). As long as their values fit, nothing runs twice; then those that took the least time for their bytes go first. Belongs to one thread."""
    def __init__(self, bytes: int) -> None: ...
    @property
    def kept(self) -> int:
        """Bytes that are kept now."""
    @property
    def dropped(self) -> int:
        """How often the values of a checkpoint had to go."""
def checkpoint(function: collections.abc.Callable[..., typing.Any], *inputs: typing.Any, budget: CheckpointBudget | None = None) -> typing.Any:
    """function(*inputs), of which only the inputs stay in memory for backward: it runs again then, with
    the same random numbers, and must do the same. Gradients are those of function(*inputs) bit for bit,
    to any order. With a budget, values stay as far as it goes.
    """
class EinsumStep:
    """One step of an einsum."""
    @property
    def kind(self) -> str:
        """"view": permuted, a diagonal, or without axes of size 1; "sum": over axes of one operand;
        "pointwise": a product that broadcasts; "product": batches of matrix products
        """
    @property
    def operands(self) -> list[int]:
        """those of the call, then results of earlier steps"""
    @property
    def spec(self) -> str:
        """in which axes of an ellipsis have letters of their own"""
    @property
    def flops(self) -> float:
        """multiplications and additions"""
    @property
    def bytes(self) -> float:
        """of the result"""
    def __repr__(self) -> str: ...
class EinsumPath:
    """How an einsum is computed; as text, a table."""
    @property
    def steps(self) -> list[EinsumStep]: ...
    @property
    def flops(self) -> float:
        """of all steps"""
    @property
    def naive_flops(self) -> float:
        """of one loop over all indices"""
    @property
    def bytes(self) -> float:
        """of all results but the last"""
    def __repr__(self) -> str: ...
def einsum_path(spec: str, *tensors: TensorLike) -> EinsumPath:
    """In which steps einsum(spec, *tensors) is computed, and what each costs: the contractions that
    take the fewest FLOPs. Nothing is computed.
    """
_torch: Any
def save(file: str | os.PathLike[str], tensors: TensorLike | collections.abc.Mapping[str, TensorLike], *, metadata: collections.abc.Mapping[str, str] | None = None, compressed: bool = False) -> None:
    """Writes tensors by name into a new file, whole or not at all, in the format that the name ends in:
    .safetensors (with `metadata`, texts), .npz (`compressed`), .npy (one tensor).
    """
def load(file: str | os.PathLike[str], *, verify: bool = True) -> typing.Any:
    """The tensors of a .safetensors or .npz file by name, or the one of an .npy file. Files are mapped,
    not read, where the format allows, and writing to a tensor never changes them. With `verify` a
    checksum that a .safetensors file carries is compared, for which it is read.
    """
def load_metadata(file: str | os.PathLike[str]) -> dict[str, str]:
    """The metadata of a .safetensors file."""
def add(x: TensorLike, y: TensorLike) -> Tensor:
    """x + y"""
def sub(x: TensorLike, y: TensorLike) -> Tensor:
    """x - y"""
def mul(x: TensorLike, y: TensorLike) -> Tensor:
    """x * y"""
def div(x: TensorLike, y: TensorLike) -> Tensor:
    """x / y"""
def pow(x: TensorLike, y: TensorLike) -> Tensor:
    """x to the power y"""
def maximum(x: TensorLike, y: TensorLike) -> Tensor:
    """the larger of x and y; NaN wins"""
def minimum(x: TensorLike, y: TensorLike) -> Tensor:
    """the smaller of x and y; NaN wins"""
def atan2(y: TensorLike, x: TensorLike) -> Tensor:
    """angle of the point (x, y) in radians"""
def logaddexp(x: TensorLike, y: TensorLike) -> Tensor:
    """log(e^x + e^y)"""
def fmod(x: TensorLike, y: TensorLike) -> Tensor:
    """what is left of x / y rounded towards zero"""
def remainder(x: TensorLike, y: TensorLike) -> Tensor:
    """what is left of x / y rounded down"""
def floor_divide(x: TensorLike, y: TensorLike) -> Tensor:
    """x / y rounded down"""
def eq(x: TensorLike, y: TensorLike) -> Tensor:
    """x == y"""
def ne(x: TensorLike, y: TensorLike) -> Tensor:
    """x != y"""
def lt(x: TensorLike, y: TensorLike) -> Tensor:
    """x < y"""
def le(x: TensorLike, y: TensorLike) -> Tensor:
    """x <= y"""
def gt(x: TensorLike, y: TensorLike) -> Tensor:
    """x > y"""
def ge(x: TensorLike, y: TensorLike) -> Tensor:
    """x >= y"""
def logical_and(x: TensorLike, y: TensorLike) -> Tensor:
    """both true"""
def logical_or(x: TensorLike, y: TensorLike) -> Tensor:
    """one true at least"""
def logical_xor(x: TensorLike, y: TensorLike) -> Tensor:
    """one true, one not"""
def logical_not(x: TensorLike) -> Tensor:
    """not true"""
def isnan(x: TensorLike) -> Tensor:
    """is not a number"""
def isinf(x: TensorLike) -> Tensor:
    """is infinite"""
def isfinite(x: TensorLike) -> Tensor:
    """is a number and not infinite"""
def bitwise_and(x: TensorLike, y: TensorLike) -> Tensor:
    """bits set in both"""
def bitwise_or(x: TensorLike, y: TensorLike) -> Tensor:
    """bits set in one at least"""
def bitwise_xor(x: TensorLike, y: TensorLike) -> Tensor:
    """bits set in one only"""
def bitwise_not(x: TensorLike) -> Tensor:
    """all bits turned; of boolean, not true"""
def shift_left(x: TensorLike, y: TensorLike) -> Tensor:
    """x 2^y of integers"""
def shift_right(x: TensorLike, y: TensorLike) -> Tensor:
    """x / 2^y of integers, rounded down"""
def where(condition: TensorLike, x: TensorLike, y: TensorLike) -> Tensor:
    """x where condition is not zero, else y"""
def clamp(x: TensorLike, low: TensorLike, high: TensorLike) -> Tensor:
    """min(max(x, low), high)"""
def lerp(x: TensorLike, y: TensorLike, weight: TensorLike) -> Tensor:
    """x + weight (y - x)"""
def neg(x: TensorLike) -> Tensor:
    """-x"""
def abs(x: TensorLike) -> Tensor:
    """absolute value"""
def sign(x: TensorLike) -> Tensor:
    """-1, 0 or 1"""
def floor(x: TensorLike) -> Tensor:
    """rounded down"""
def ceil(x: TensorLike) -> Tensor:
    """rounded up"""
def round(x: TensorLike) -> Tensor:
    """the nearest whole number, ties to even"""
def trunc(x: TensorLike) -> Tensor:
    """rounded towards zero"""
def square(x: TensorLike) -> Tensor:
    """x x"""
def reciprocal(x: TensorLike) -> Tensor:
    """1 / x"""
def exp(x: TensorLike) -> Tensor:
    """e^x"""
def exp2(x: TensorLike) -> Tensor:
    """2^x"""
def expm1(x: TensorLike) -> Tensor:
    """e^x - 1"""
def log(x: TensorLike) -> Tensor:
    """natural logarithm"""
def log1p(x: TensorLike) -> Tensor:
    """natural logarithm of 1 + x"""
def log2(x: TensorLike) -> Tensor:
    """logarithm to base 2"""
def sqrt(x: TensorLike) -> Tensor:
    """square root"""
def rsqrt(x: TensorLike) -> Tensor:
    """1 / sqrt(x)"""
def sin(x: TensorLike) -> Tensor:
    """sine of x in radians"""
def cos(x: TensorLike) -> Tensor:
    """cosine of x in radians"""
def tan(x: TensorLike) -> Tensor:
    """tangent of x in radians"""
def asin(x: TensorLike) -> Tensor:
    """angle whose sine is x"""
def acos(x: TensorLike) -> Tensor:
    """angle whose cosine is x"""
def atan(x: TensorLike) -> Tensor:
    """angle whose tangent is x"""
def sinh(x: TensorLike) -> Tensor:
    """hyperbolic sine"""
def cosh(x: TensorLike) -> Tensor:
    """hyperbolic cosine"""
def tanh(x: TensorLike) -> Tensor:
    """hyperbolic tangent"""
def asinh(x: TensorLike) -> Tensor:
    """inverse hyperbolic sine"""
def acosh(x: TensorLike) -> Tensor:
    """inverse hyperbolic cosine"""
def atanh(x: TensorLike) -> Tensor:
    """inverse hyperbolic tangent"""
def erf(x: TensorLike) -> Tensor:
    """error function"""
def erfc(x: TensorLike) -> Tensor:
    """1 - erf(x)"""
def sigmoid(x: TensorLike) -> Tensor:
    """1 / (1 + e^-x)"""
def softplus(x: TensorLike) -> Tensor:
    """log(1 + e^x)"""
def relu(x: TensorLike) -> Tensor:
    """max(x, 0)"""
def gelu(x: TensorLike) -> Tensor:
    """x Phi(x), Phi the normal distribution function"""
def gelu_tanh(x: TensorLike) -> Tensor:
    """gelu in its tanh approximation"""
def silu(x: TensorLike) -> Tensor:
    """x sigmoid(x)"""
def leaky_relu(x: TensorLike, slope: TensorLike | None = 0.01) -> Tensor:
    """x above 0, slope x below"""
def elu(x: TensorLike, alpha: TensorLike | None = 1) -> Tensor:
    """x above 0, alpha (e^x - 1) below"""
def add_relu(x: TensorLike, y: TensorLike) -> Tensor:
    """relu(x + y) in one pass"""
def mul_relu(x: TensorLike, y: TensorLike) -> Tensor:
    """relu(x y) in one pass"""
def affine(x: TensorLike, scale: TensorLike, bias: TensorLike) -> Tensor:
    """x scale + bias in one pass"""
def sum(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """sum over axes"""
def mean(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """mean over axes"""
def prod(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """product over axes"""
def max(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """largest over axes; NaN wins"""
def min(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """smallest over axes; NaN wins"""
def any(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """whether an element is not zero"""
def all(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """whether no element is zero"""
def argmax(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """position of the largest; the lowest among equals"""
def argmin(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """position of the smallest; the lowest among equals"""
def var_rows(x: TensorLike, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
    """variance along one axis"""
def std_rows(x: TensorLike, axis: SupportsIndex = -1, correction: SupportsFloat = 1.0, *, dim: SupportsIndex = -1, ddof: SupportsFloat = 1.0) -> Tensor:
    """standard deviation along one axis"""
def norm_rows(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """square root of the sum of squares along one axis"""
def var(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, correction: SupportsFloat = 1.0, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False, ddof: SupportsFloat = 1.0) -> Tensor:
    """variance over axes"""
def std(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, correction: SupportsFloat = 1.0, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False, ddof: SupportsFloat = 1.0) -> Tensor:
    """standard deviation over axes"""
def norm(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, p: SupportsFloat = 2.0, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """(sum |x|^p)^(1/p) over axes"""
def cumsum(x: TensorLike, axis: SupportsIndex = -1, reverse: bool = False, *, dim: SupportsIndex = -1) -> Tensor:
    """running sum along an axis"""
def cumprod(x: TensorLike, axis: SupportsIndex = -1, reverse: bool = False, *, dim: SupportsIndex = -1) -> Tensor:
    """running product along an axis"""
def linear_recurrence(a: TensorLike, b: TensorLike, axis: SupportsIndex = -1, reverse: bool = False, *, dim: SupportsIndex = -1) -> Tensor:
    """y_k = a_k y_(k-1) + b_k along an axis"""
@overload
def reshape(x: TensorLike, shape: ShapeLike | None = ()) -> Tensor:
    """the elements in row-major order, other sizes"""
@overload
def reshape(x: TensorLike, *shape: SupportsIndex) -> Tensor:
    """the elements in row-major order, other sizes"""
@overload
def permute(x: TensorLike, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
    """axes in another order"""
@overload
def permute(x: TensorLike, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
    """axes in another order"""
def transpose(x: TensorLike, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1) -> Tensor:
    """two axes exchanged"""
@overload
def expand(x: TensorLike, shape: ShapeLike | None = ()) -> Tensor:
    """repeated along axes of size 1 and new leading ones"""
@overload
def expand(x: TensorLike, *shape: SupportsIndex) -> Tensor:
    """repeated along axes of size 1 and new leading ones"""
@overload
def squeeze(x: TensorLike, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
    """without axes of size 1"""
@overload
def squeeze(x: TensorLike, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
    """without axes of size 1"""
def unsqueeze(x: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """with a new axis of size 1"""
def slice(x: TensorLike, axis: SupportsIndex = 0, start: SupportsIndex = 0, stop: SupportsIndex = 9223372036854775807, step: SupportsIndex = 1, *, dim: SupportsIndex = 0) -> Tensor:
    """x[start:stop:step] along an axis"""
def select(x: TensorLike, axis: SupportsIndex = 0, index: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """x at one index of an axis, without that axis"""
def slice_embed(x: TensorLike, axis: SupportsIndex = 0, start: SupportsIndex = 0, step: SupportsIndex = 1, size: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """zeros with x at [start::step] of a longer axis"""
def clone(x: TensorLike) -> Tensor:
    """a new contiguous tensor with the same values"""
def to(x: TensorLike, dtype: DTypeLike = 'f32') -> Tensor:
    """the values in another dtype"""
def cat(*xs: TensorLike | None, axis: SupportsIndex = 0, dim: SupportsIndex = 0) -> Tensor:
    """tensors joined along an axis"""
def stack(*xs: TensorLike | None, axis: SupportsIndex = 0, dim: SupportsIndex = 0) -> Tensor:
    """tensors of one shape joined along a new axis"""
def split(x: TensorLike, sizes: ShapeLike | None = (), axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> tuple[Tensor, ...]:
    """consecutive parts along an axis"""
def chunk(x: TensorLike, chunks: SupportsIndex = 1, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> tuple[Tensor, ...]:
    """parts of equal length along an axis, the last may be shorter"""
@overload
def flip(x: TensorLike, axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
    """axes from the last index to the first"""
@overload
def flip(x: TensorLike, *axes: SupportsIndex, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
    """axes from the last index to the first"""
def roll(x: TensorLike, shifts: ShapeLike | None = (), axes: ShapeLike | None = (), *, axis: ShapeLike | None = (), dim: ShapeLike | None = ()) -> Tensor:
    """elements moved along axes, the last to the front"""
def pad(x: TensorLike, before: ShapeLike | None = (), after: ShapeLike | None = (), mode: Literal['constant', 'reflect', 'replicate', 'circular'] = 'constant', value: SupportsFloat = 0.0) -> Tensor:
    """axes made longer on both sides"""
@overload
def tile(x: TensorLike, repeats: ShapeLike | None = ()) -> Tensor:
    """the tensor repeated along axes"""
@overload
def tile(x: TensorLike, *repeats: SupportsIndex) -> Tensor:
    """the tensor repeated along axes"""
def repeat_interleave(x: TensorLike, count: SupportsIndex = 1, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """each slice along an axis several times in a row"""
def unfold(x: TensorLike, axis: SupportsIndex = 0, size: SupportsIndex = 1, step: SupportsIndex = 1, *, dim: SupportsIndex = 0) -> Tensor:
    """windows along an axis"""
def overlap_add(x: TensorLike, axis: SupportsIndex = 0, step: SupportsIndex = 1, length: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """windows added where they lie along an axis"""
def diagonal(x: TensorLike, offset: SupportsIndex = 0, axis0: SupportsIndex = 0, axis1: SupportsIndex = 1) -> Tensor:
    """a diagonal of two axes"""
def diag_embed(x: TensorLike, offset: SupportsIndex = 0, axis0: SupportsIndex = -2, axis1: SupportsIndex = -1, rows: SupportsIndex = -1, columns: SupportsIndex = -1) -> Tensor:
    """zeros with the last axis on a diagonal"""
def tril(x: TensorLike, diagonal: SupportsIndex = 0) -> Tensor:
    """zeros above a diagonal"""
def triu(x: TensorLike, diagonal: SupportsIndex = 0) -> Tensor:
    """zeros below a diagonal"""
def gather(x: TensorLike, index: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """x at an index along an axis, for every place of the index"""
def scatter(x: TensorLike, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """x with src written at an index along an axis"""
def scatter_add(x: TensorLike, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """x with src added at an index along an axis"""
def scatter_reduce(x: TensorLike, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, reduce: Literal['sum', 'prod', 'mean', 'amax', 'amin'] = 'sum', include_self: bool = True, *, dim: SupportsIndex = 0) -> Tensor:
    """x put together with src at an index along an axis"""
def index_select(x: TensorLike, index: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """slices of x along an axis, in the order of the index"""
def index_add(x: TensorLike, index: TensorLike, src: TensorLike, axis: SupportsIndex = 0, *, dim: SupportsIndex = 0) -> Tensor:
    """x with slices of src added to the slices that an index names"""
def index(x: TensorLike, *indices: TensorLike | None) -> Tensor:
    """the elements that index tensors choose"""
def index_put(x: TensorLike, values: TensorLike, *indices: TensorLike | None, accumulate: bool = False) -> Tensor:
    """x with values at the elements that index tensors choose"""
def take(x: TensorLike, index: TensorLike) -> Tensor:
    """x at numbers of elements in row-major order"""
def masked_select(x: TensorLike, mask: TensorLike) -> Tensor:
    """the elements of x where the mask is true"""
def nonzero(x: TensorLike) -> Tensor:
    """coordinates of the elements that are not zero"""
def embedding(weight: TensorLike, index: TensorLike) -> Tensor:
    """rows of weight at an index of any shape"""
def masked_fill(x: TensorLike, mask: TensorLike, value: SupportsFloat = 0.0) -> Tensor:
    """x with a value where the mask is true"""
def one_hot(index: TensorLike, classes: SupportsIndex = 0, dtype: DTypeLike = 'f32') -> Tensor:
    """1 at the index along a new last axis, else 0"""
def sort(x: TensorLike, axis: SupportsIndex = -1, descending: bool = False, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor]:
    """values in order along an axis, and where they were"""
def argsort(x: TensorLike, axis: SupportsIndex = -1, descending: bool = False, *, dim: SupportsIndex = -1) -> Tensor:
    """where the values in order along an axis are"""
def topk(x: TensorLike, k: SupportsIndex = 1, axis: SupportsIndex = -1, largest: bool = True, sorted: bool = True, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor]:
    """the k largest or smallest along an axis, and where they are"""
def searchsorted(sorted: TensorLike, values: TensorLike, right: bool = False) -> Tensor:
    """where values would be inserted into sorted rows"""
def unique(x: TensorLike) -> tuple[Tensor, Tensor, Tensor]:
    """distinct values, each element's index among them, and counts"""
def bincount(x: TensorLike, weights: TensorLike | None = None, minlength: SupportsIndex = 0) -> Tensor:
    """how often each number occurs"""
@overload
def rand(shape: ShapeLike | None = (), dtype: DTypeLike = 'f32', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """uniform random numbers in [0, 1)"""
@overload
def rand(*shape: SupportsIndex, dtype: DTypeLike = 'f32', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """uniform random numbers in [0, 1)"""
@overload
def randn(shape: ShapeLike | None = (), dtype: DTypeLike = 'f32', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """normal random numbers"""
@overload
def randn(*shape: SupportsIndex, dtype: DTypeLike = 'f32', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """normal random numbers"""
@overload
def randint(low: SupportsIndex = 0, high: SupportsIndex = 2, shape: ShapeLike | None = (), dtype: DTypeLike = 'i64', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """random integers in [low, high)"""
@overload
def randint(low: SupportsIndex = 0, high: SupportsIndex = 2, *shape: SupportsIndex, dtype: DTypeLike = 'i64', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """random integers in [low, high)"""
@overload
def bernoulli(p: SupportsFloat = 0.5, shape: ShapeLike | None = (), dtype: DTypeLike = 'boolean', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """1 with probability p"""
@overload
def bernoulli(p: SupportsFloat = 0.5, *shape: SupportsIndex, dtype: DTypeLike = 'boolean', seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """1 with probability p"""
def dropout(x: TensorLike, p: SupportsFloat = 0.5, seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """0 with probability p, else x / (1 - p)"""
def softmax(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """e^x / sum e^x along an axis"""
def log_softmax(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x - log sum e^x along an axis"""
def softmax_backward(g: TensorLike, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """cotangent of softmax's operand by its result"""
def log_softmax_backward(g: TensorLike, y: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """cotangent of log_softmax's operand by its result"""
def logsumexp_rows(x: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """log sum e^x along an axis"""
def layer_norm(x: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * weight + bias"""
def rms_norm(x: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1) -> Tensor:
    """x / sqrt(mean of x^2 + eps) * weight"""
def moments(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor]:
    """mean and variance along an axis"""
def standardize(x: TensorLike, mean: TensorLike, variance: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-05, *, dim: SupportsIndex = -1) -> Tensor:
    """(x - mean) / sqrt(variance + eps) weight + bias"""
def cosine_similarity(x: TensorLike, y: TensorLike, axis: SupportsIndex = -1, eps: SupportsFloat = 1e-08, *, dim: SupportsIndex = -1) -> Tensor:
    """x . y / (|x| |y|) along an axis"""
def group_norm(x: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, groups: SupportsIndex = 1, eps: SupportsFloat = 1e-05, *, num_groups: SupportsIndex = 1) -> Tensor:
    """groups of channels brought to mean 0 and variance 1"""
def batch_norm(x: TensorLike, weight: TensorLike | None = None, bias: TensorLike | None = None, mean: TensorLike | None = None, variance: TensorLike | None = None, eps: SupportsFloat = 1e-05) -> tuple[Tensor, Tensor, Tensor]:
    """channels brought to mean 0 and variance 1, and those"""
def logsumexp(x: TensorLike, axes: ShapeLike | None = (), keepdim: bool = False, *, axis: ShapeLike | None = (), dim: ShapeLike | None = (), keepdims: bool = False) -> Tensor:
    """log sum e^x over axes"""
def mse_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """(x - y)^2"""
def l1_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """|x - y|"""
def huber_terms(x: TensorLike, y: TensorLike, delta: TensorLike) -> Tensor:
    """(x - y)^2 / 2 up to a difference of delta, then linear"""
def bce_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """-(y log x + (1 - y) log(1 - x))"""
def bce_with_logits_terms(x: TensorLike, y: TensorLike, pos_weight: TensorLike) -> Tensor:
    """-(pos_weight y log s(x) + (1 - y) log s(-x)), s the sigmoid"""
def kl_div_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """y (log y - x)"""
def kl_div_log_terms(x: TensorLike, y: TensorLike) -> Tensor:
    """e^y (y - x)"""
def cross_entropy_rows(logits: TensorLike, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, *, dim: SupportsIndex = -1) -> Tensor:
    """-log softmax(logits)[target] per row"""
def weighted_cross_entropy_rows(logits: TensorLike, weight: TensorLike | None, target: TensorLike, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1) -> Tensor:
    """cross entropy per row with weights and label smoothing"""
def probability_cross_entropy_rows(logits: TensorLike, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, label_smoothing: SupportsFloat = 0.0, *, dim: SupportsIndex = -1) -> Tensor:
    """cross entropy per row by probabilities of the classes"""
def mse(x: TensorLike, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """(x - y)^2, by default its mean"""
def l1(x: TensorLike, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """|x - y|, by default its mean"""
def huber(x: TensorLike, y: TensorLike, delta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """(x - y)^2 / 2 near 0 and linear far off, by default its mean"""
def smooth_l1(x: TensorLike, y: TensorLike, beta: SupportsFloat = 1.0, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """huber over beta, by default its mean"""
def bce(x: TensorLike, y: TensorLike, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """cross entropy of probabilities of yes and no, by default its mean"""
def bce_with_logits(x: TensorLike, y: TensorLike, pos_weight: TensorLike | None = None, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """bce of sigmoid(x), by default its mean"""
def kl_div(x: TensorLike, y: TensorLike, log_target: bool = False, reduction: Literal['mean', 'sum', 'none'] = 'mean') -> Tensor:
    """divergence of y from log-probabilities x, by default its mean"""
def nll(x: TensorLike, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1) -> Tensor:
    """-x[target] of log-probabilities x, by default its mean"""
def cross_entropy(logits: TensorLike, target: TensorLike, weight: TensorLike | None = None, axis: SupportsIndex = -1, ignore_index: SupportsIndex = -100, label_smoothing: SupportsFloat = 0.0, reduction: Literal['mean', 'sum', 'none'] = 'mean', *, dim: SupportsIndex = -1) -> Tensor:
    """-log softmax(logits)[target], by default its mean"""
def matmul(x: TensorLike, y: TensorLike) -> Tensor:
    """matrix product with broadcast batches and vectors"""
def linear(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None) -> Tensor:
    """x W^T + bias"""
def linear_act(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, act: Literal['none', 'relu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'tanh'] = 'none') -> Tensor:
    """act(x W^T + bias)"""
def outer(x: TensorLike, y: TensorLike) -> Tensor:
    """x_i y_j of two vectors"""
def triangular_solve(a: TensorLike, b: TensorLike, upper: bool = False, transpose: bool = False, unitriangular: bool = False, left: bool = True) -> Tensor:
    """X of a X = b or X a = b with a triangular a"""
def solve(a: TensorLike, b: TensorLike) -> Tensor:
    """X of a X = b"""
def inverse(x: TensorLike) -> Tensor:
    """inverse matrices"""
def matrix_power(x: TensorLike, power: SupportsIndex = 2) -> Tensor:
    """matrices to an integer power"""
def det(x: TensorLike) -> Tensor:
    """determinants"""
def slogdet(x: TensorLike) -> tuple[Tensor, Tensor]:
    """sign and logarithm of the magnitude of determinants"""
def lstsq(a: TensorLike, b: TensorLike) -> Tensor:
    """X with the least |a X - b|, for a of full rank; another is refused"""
def cholesky(x: TensorLike) -> Tensor:
    """L of x = L L^T, of the symmetric part of x"""
def qr(x: TensorLike) -> tuple[Tensor, Tensor]:
    """orthonormal columns times an upper triangle"""
def svd(x: TensorLike) -> tuple[Tensor, Tensor, Tensor]:
    """singular values and vectors"""
def eigh(x: TensorLike) -> tuple[Tensor, Tensor]:
    """eigenvalues and vectors of the symmetric part of x"""
def einsum(*tensors: TensorLike | None, spec: str = '') -> Tensor:
    """sum of products by Einstein's convention"""
def conv2d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """windows of images times filters"""
def conv1d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """windows of signals times filters"""
def conv_transpose2d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """the transpose of conv2d as a map of images"""
def conv_transpose1d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), output_padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, num_groups: SupportsIndex = 1) -> Tensor:
    """the transpose of conv1d as a map of signals"""
def conv2d_weight_gradient(x: TensorLike, grad: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), groups: SupportsIndex = 1, *, kernel_size: ShapeLike | None = (1,), num_groups: SupportsIndex = 1) -> Tensor:
    """the gradient of conv2d by its weight"""
def max_pool2d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """the largest of each window of images"""
def max_pool1d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), ceil_mode: bool = False, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """the largest of each window of signals"""
def avg_pool2d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: bool = False, count_include_pad: bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """the mean of each window of images"""
def avg_pool1d(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: bool = False, count_include_pad: bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """the mean of each window of signals"""
def avg_pool2d_gradient(grad: TensorLike, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (), padding: ShapeLike | None = (0,), ceil_mode: bool = False, count_include_pad: bool = True, *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """the transpose of avg_pool2d"""
@overload
def adaptive_max_pool2d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """the largest of windows that share out images"""
@overload
def adaptive_max_pool2d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """the largest of windows that share out images"""
@overload
def adaptive_max_pool1d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """the largest of windows that share out signals"""
@overload
def adaptive_max_pool1d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """the largest of windows that share out signals"""
@overload
def adaptive_avg_pool2d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """the mean of windows that share out images"""
@overload
def adaptive_avg_pool2d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """the mean of windows that share out images"""
@overload
def adaptive_avg_pool1d(x: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """the mean of windows that share out signals"""
@overload
def adaptive_avg_pool1d(x: TensorLike, *size: SupportsIndex) -> Tensor:
    """the mean of windows that share out signals"""
@overload
def adaptive_avg_pool2d_gradient(grad: TensorLike, size: ShapeLike | None = (1,)) -> Tensor:
    """the transpose of adaptive_avg_pool2d"""
@overload
def adaptive_avg_pool2d_gradient(grad: TensorLike, *size: SupportsIndex) -> Tensor:
    """the transpose of adaptive_avg_pool2d"""
def im2col(x: TensorLike, kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """windows of images as columns"""
def col2im(x: TensorLike, size: ShapeLike | None = (1,), kernel: ShapeLike | None = (1,), stride: ShapeLike | None = (1,), padding: ShapeLike | None = (0,), dilation: ShapeLike | None = (1,), *, kernel_size: ShapeLike | None = (1,)) -> Tensor:
    """columns added up to images"""
def scaled_dot_product_attention(q: TensorLike, k: TensorLike, v: TensorLike, mask: TensorLike | None = None, causal: bool = False, position: SupportsIndex = 0, scale: SupportsFloat = 0.0, window: SupportsIndex = 0, dropout: SupportsFloat = 0.0, seed: SupportsIndex = 0, offset: SupportsIndex = 0) -> Tensor:
    """softmax(scale q k^T) v, block by block"""
def rope(x: TensorLike, positions: TensorLike | None = None, base: SupportsFloat = 10000.0, position: SupportsIndex = 0, width: SupportsIndex = 0, interleaved: bool = False, inverse: bool = False) -> Tensor:
    """rows turned pair by pair by angles that grow with their position"""
def poincare_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + y, Moebius"""
def poincare_gyration(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """gyr[x, y] v, Moebius"""
def poincare_scalar_rows(x: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x, Moebius"""
def poincare_exp(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """where the geodesic from x by v ends"""
def poincare_exp_backward(g: TensorLike, x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor]:
    """cotangents of poincare_exp's operands for that of its result"""
def poincare_log(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the tangent vector at x that leads to y"""
def poincare_exp0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def poincare_log0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def poincare_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at x carried along the geodesic to y"""
def poincare_transport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at the origin carried to x"""
def poincare_geodesic(x: TensorLike, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the point at t on the geodesic from x to y"""
def poincare_egrad2rgrad(x: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """gradient g by coordinates in the metric at x"""
def poincare_project(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1) -> Tensor:
    """x brought within 1 - margin of the ball's radius"""
def poincare_lambda(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """2 / (1 - c|x|^2)"""
def poincare_dist(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y"""
def poincare_dist0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x from the origin"""
def poincare_dist2(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y, squared"""
def poincare_inner(x: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """<u, v> in the metric at x"""
def poincare_norm(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """|v| in the metric at x"""
def poincare_to_lorentz(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x on the hyperboloid"""
def poincare_to_klein(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x in the Klein ball"""
def poincare_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + (-y), Moebius"""
def poincare_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x, Moebius"""
def lorentz_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + y: the boost that takes the origin to x, of y"""
def lorentz_scalar_rows(x: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x"""
def lorentz_exp(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """where the geodesic from x by v ends"""
def lorentz_log(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the tangent vector at x that leads to y"""
def lorentz_exp0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """sinh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def lorentz_log0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """arsinh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def lorentz_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at x carried along the geodesic to y"""
def lorentz_transport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at the origin carried to x"""
def lorentz_geodesic(x: TensorLike, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the point at t on the geodesic from x to y"""
def lorentz_egrad2rgrad(x: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """gradient g by coordinates in the metric at x"""
def lorentz_dist(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y"""
def lorentz_dist_backward(x: TensorLike, y: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor]:
    """cotangents of lorentz_dist's operands for that of its result"""
def lorentz_dist0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x from the origin"""
def lorentz_dist2(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y, squared"""
def lorentz_inner(x: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """<u, v> in the metric at x"""
def lorentz_norm(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """|v| in the metric at x"""
def lorentz_to_poincare(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x in the Poincare ball"""
def lorentz_to_klein(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x in the Klein ball"""
def lorentz_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + (-y)"""
def lorentz_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x"""
def lorentz_gyration(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """gyr[x, y] v"""
def lorentz_with_time(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """(sqrt(1 / c + |x|^2), x)"""
def lorentz_without_time(x: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the space coordinates of (time, x)"""
def klein_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + y, Einstein"""
def klein_scalar_rows(x: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x, Einstein"""
def klein_exp(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """where the geodesic from x by v ends"""
def klein_log(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the tangent vector at x that leads to y"""
def klein_exp0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def klein_log0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def klein_transport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at the origin carried to x"""
def klein_untransport0(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at x carried to the origin"""
def klein_geodesic(x: TensorLike, y: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the point at t on the geodesic from x to y"""
def klein_egrad2rgrad(x: TensorLike, g: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """gradient g by coordinates in the metric at x"""
def klein_project(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, margin: SupportsFloat = 2.384185791015625e-07, *, dim: SupportsIndex = -1) -> Tensor:
    """x brought within 1 - margin of the ball's radius"""
def klein_dist(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y"""
def klein_dist0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x from the origin"""
def klein_dist2(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y, squared"""
def klein_inner(x: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """<u, v> in the metric at x"""
def klein_norm(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """|v| in the metric at x"""
def klein_to_poincare(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x in the Poincare ball"""
def klein_to_lorentz(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x on the hyperboloid"""
def klein_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + (-y), Einstein"""
def klein_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x, Einstein"""
def klein_gyration(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """gyr[x, y] v, Einstein"""
def klein_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at x carried along the geodesic to y"""
def poincare_ball_layer(u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the point at t on the geodesic from u to v"""
def poincare_ball_layer_backward(grad: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """cotangents of the layer's operands for that of its result"""
def poincare_gyro_lerp(u: TensorLike, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """((1 - t) u) + (t v) by the model's sum and multiples"""
def lorentz_layer(u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the point at t on the geodesic from u to v"""
def lorentz_layer_backward(grad: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """cotangents of the layer's operands for that of its result"""
def lorentz_gyro_lerp(u: TensorLike, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """((1 - t) u) + (t v) by the model's sum and multiples"""
def klein_layer(u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the point at t on the geodesic from u to v"""
def klein_layer_backward(grad: TensorLike, u: TensorLike, v: TensorLike, c: TensorLike, t: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """cotangents of the layer's operands for that of its result"""
def klein_gyro_lerp(u: TensorLike, v: TensorLike, t: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """((1 - t) u) + (t v) by the model's sum and multiples"""
def poincare_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """m times x: exp0(m log0(x))"""
def poincare_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1) -> Tensor:
    """exp0(f(log0(x)))"""
def lorentz_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """m times x: exp0(m log0(x))"""
def lorentz_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1) -> Tensor:
    """exp0(f(log0(x)))"""
def klein_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """m times x: exp0(m log0(x))"""
def klein_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1) -> Tensor:
    """exp0(f(log0(x)))"""
def poincare_cdist(x: TensorLike, y: TensorLike, c: TensorLike) -> Tensor:
    """distances of all pairs of x [..., n, d] and y [..., m, d]"""
def lorentz_cdist(x: TensorLike, y: TensorLike, c: TensorLike) -> Tensor:
    """distances of all pairs of x [..., n, d] and y [..., m, d]"""
def klein_cdist(x: TensorLike, y: TensorLike, c: TensorLike) -> Tensor:
    """distances of all pairs of x [..., n, d] and y [..., m, d]"""
def poincare_midpoint(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """the midpoint of points x [..., n, d] by weights [..., n]"""
def lorentz_midpoint(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """the midpoint of points x [..., n, d] by weights [..., n]"""
def klein_midpoint(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """the midpoint of points x [..., n, d] by weights [..., n]"""
def poincare_frechet_mean(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """the point of the least sum of weights [..., n] times squared distances to points x"""
def lorentz_frechet_mean(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """the point of the least sum of weights [..., n] times squared distances to points x"""
def klein_frechet_mean(x: TensorLike, weights: TensorLike, c: TensorLike) -> Tensor:
    """the point of the least sum of weights [..., n] times squared distances to points x"""
def poincare_exp0_add(v: TensorLike, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """exp0(v) + b, Moebius, drawn inside the ball"""
def poincare_exp0_add_exp0(v: TensorLike, b: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """exp0(v) + exp0(b), Moebius, drawn inside the ball"""
def poincare_lift(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: bool = False, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor]:
    """points of the ball, and their time on the hyperboloid"""
def lorentz_lift(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: bool = False, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor]:
    """points of the hyperboloid, and their time"""
def poincare_planes(z: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: bool = False, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """normals z at gyrodistance r, and what turns products into scores"""
def lorentz_planes(z: TensorLike, r: TensorLike, c: TensorLike, axis: SupportsIndex = -1, wide: bool = False, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """normals z at distance r, and what turns products into scores"""
def poincare_scores(product: TensorLike, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """scores of points of the ball by planes, of their product"""
def lorentz_scores(product: TensorLike, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """scores of points of the hyperboloid by planes, of their product"""
def poincare_from_planes(product: TensorLike, slope: TensorLike, offset: TensorLike, gain: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the point of the ball at scores by planes, of their product"""
def lorentz_gate(x: TensorLike, v: TensorLike, by_time: TensorLike, bias: TensorLike, scale: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor, Tensor]:
    """points, their time, and how far out a linear layer puts each"""
def lorentz_gated(product: TensorLike, w: TensorLike, b: TensorLike, time: TensorLike, gate: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """product + time w + b, brought to the length that the gate says"""
def lorentz_affinity(product: TensorLike, key_time: TensorLike, time: TensorLike, slope: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """-slope times squared distances of queries and keys, of their products"""
def lorentz_weights(affinity: TensorLike, key_time: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> tuple[Tensor, Tensor]:
    """softmax, and the mean of the keys' times by it"""
def lorentz_centroid(x: TensorLike, time: TensorLike, c: TensorLike, axis: SupportsIndex = -1, narrow: bool = False, *, dim: SupportsIndex = -1) -> Tensor:
    """the point of the hyperboloid in the direction of (time, x)"""
def poincare_boundary(x: TensorLike, c: TensorLike, margin: SupportsFloat = 0.05) -> Tensor:
    """mean of max(0, c|x|^2 - (1 - margin)^2)^2"""
def curvature_penalty(c: TensorLike, target: SupportsFloat = 1.0) -> Tensor:
    """mean of log(c / target)^2"""
def poincare_variance(x: TensorLike, c: TensorLike) -> Tensor:
    """mean squared distance of points from their midpoint"""
def poincare_contrastive(x: TensorLike, labels: TensorLike, c: TensorLike, temperature: SupportsFloat = 0.1) -> Tensor:
    """supervised contrastive loss by distances"""
_ops: tuple[Op, ...]
def mobius_add(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + y, Moebius"""
def mobius_sub(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """x + (-y), Moebius"""
def mobius_scalar(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x, Moebius"""
def mobius_scalar_mul(r: TensorLike, x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """r times x, Moebius"""
def mobius_matvec(m: TensorLike, x: TensorLike, c: TensorLike) -> Tensor:
    """m times x: exp0(m log0(x))"""
def mobius_pointwise(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, f: Literal['relu', 'leaky_relu', 'elu', 'gelu', 'gelu_tanh', 'silu', 'sigmoid', 'softplus', 'tanh', 'sin'] = 'relu', *, dim: SupportsIndex = -1) -> Tensor:
    """exp0(f(log0(x)))"""
def expmap(x: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """where the geodesic from x by v ends"""
def logmap(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """the tangent vector at x that leads to y"""
def expmap0(v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """tanh(sqrt(c)|v|) v / (sqrt(c)|v|)"""
def logmap0(x: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """artanh(sqrt(c)|x|) x / (sqrt(c)|x|)"""
def parallel_transport(x: TensorLike, y: TensorLike, v: TensorLike, c: TensorLike, axis: SupportsIndex = -1, *, dim: SupportsIndex = -1) -> Tensor:
    """v at x carried along the geodesic to y"""
def poincare_distance(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y"""
def lorentz_distance(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y"""
def klein_distance(x: TensorLike, y: TensorLike, c: TensorLike, axis: SupportsIndex = -1, keepdim: bool = False, *, dim: SupportsIndex = -1, keepdims: bool = False) -> Tensor:
    """distance of x and y"""
_aliases: tuple[Op, ...]
_nn: Any
_optim: Any
_hyperbolic: Any
_data: Any
_models: Any
class Tokenizer:
    """Text to ids and back: Tokenizer.load(path), Tokenizer.train(texts), Tokenizer.characters(text)."""
    @staticmethod
    def load(path: str) -> Tokenizer:
        """The tokenizer of a tokenizer.json: byte-level BPE (GPT-2's) or characters."""
    @staticmethod
    def train(texts: object, vocab_size: int = 4096, min_frequency: int = 0, special: collections.abc.Sequence[str] = []) -> Tokenizer:
        """Learns a byte-level BPE from a text or several: pairs seen at least min_frequency times are
        merged until there are vocab_size tokens, of which the special ones are the first.
        """
    @staticmethod
    def characters(text: str) -> Tokenizer:
        """One token for each character of the text."""
    def encode(self, text: str, special: bool = False) -> list[int]:
        """The ids of a text; with `special`, marks such as <|endoftext|> in it become their token."""
    def decode(self, ids: object, skip_special: bool = False) -> object:
        """The text of ids; bytes that are no text become U+FFFD."""
    @property
    def vocab_size(self) -> int:
        """one more than the largest id"""
    def __len__(self) -> int: ...
    def token(self, id: int) -> str:
        """The token as tokenizer.json writes it."""
    def id(self, token: str) -> object:
        """The id of a token, None if there is none."""
    def is_special(self, id: int) -> bool: ...
    def save(self, path: str) -> None:
        """Writes a tokenizer.json."""
    def __reduce__(self) -> tuple[Any, ...]: ...
_tokenizer_of: Any
def set_num_threads(count: int) -> None:
    """How many threads kernels share their work among."""
def num_threads() -> int:
    """How many threads kernels share their work among."""
def live_tensors() -> int:
    """Tensors alive in this process."""
_version: str
