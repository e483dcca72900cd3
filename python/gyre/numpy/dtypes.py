"""Dtypes by NumPy's names, NumPy's type promotion, and conversion to tensors."""

import reprlib

import gyre
from gyre import _gyre
from gyre._functions.dtype_names import BY_NAME
from gyre._gyre import DType, Tensor

OTHER_NAMES = {
    "bool_": "bool", "byte": "int8", "ubyte": "uint8", "short": "int16", "ushort": "uint16", "intc": "int32",
    "uintc": "uint32", "int_": "int64", "intp": "int64", "long": "int64", "longlong": "int64", "uint": "uint64",
    "uintp": "uint64", "ulong": "uint64", "ulonglong": "uint64", "half": "float16", "single": "float32",
    "double": "float64"}
ABSENT_NAMES = ("complex64", "complex128", "complexfloating", "str_", "bytes_", "datetime64", "timedelta64", "object_",
                "longdouble")
WHAT_IS_ABSENT = "there are no complex, string, datetime and object dtypes"
FLOATS = (_gyre.bf16, _gyre.f16, _gyre.f32, _gyre.f64)
_BITS = {d: 8 * _gyre.zeros((), dtype=d).itemsize for d in BY_NAME.values()}
_CHARACTERS = {"?": "bool", "b": "int8", "h": "int16", "i": "int32", "l": "int64", "q": "int64", "p": "int64", "e": "float16",
               "f": "float32", "d": "float64"}
# NumPy's codes come after gyre's names: "i8" is int64.
_BY_CODE = {
    **{d.name: name for name, d in BY_NAME.items()},
    **{f"{name[0]}{_BITS[d] // 8}": name for name, d in BY_NAME.items() if name != "bfloat16"},
    **_CHARACTERS, **{code.upper(): f"u{name}" for code, name in _CHARACTERS.items() if name.startswith("int")},
    "int": "int64", "float": "float64", **OTHER_NAMES}
_SIGNED = {BY_NAME[f"int{bits}"]: bits for bits in (8, 16, 32, 64)}


def dtype(name):
    """gyre's dtype for a dtype, a Python type or a name, in NumPy's meaning: "i8" is int64."""
    if isinstance(name, DType):
        return name
    text = name if isinstance(name, str) else getattr(name, "__name__", getattr(name, "name", str(name)))
    text = text[1:] if text[:1] in "<=|" else text
    found = BY_NAME.get(_BY_CODE.get(text, text))
    if found is None:
        raise TypeError(f"dtype: expected one of {', '.join(BY_NAME)}, got {reprlib.repr(name)}; {WHAT_IS_ABSENT}")
    return found


def _leaf(data):
    while isinstance(data, (list, tuple)):
        data = data[0] if data else 0.0
    return data


def tensor(data, dtype_=None, device=None):
    """A tensor of the data, by reference where that is possible; Python floats are f64. Lists of tensors are stacked,
    so that gradients flow."""
    if dtype_ is not None:
        dtype_ = dtype(dtype_)
    if isinstance(data, range):
        data = list(data)
    if isinstance(data, (list, tuple)) and any(isinstance(_leaf(part), Tensor) for part in data):
        data = _gyre.stack(*arrays(*data))
    if isinstance(data, Tensor):
        x = data if dtype_ in (None, data.dtype) else data.to(dtype_)
        return x if device is None or x.device == device else x.to(device=device)
    if _is_number(data):  # asarray() makes a number of it, which does not raise the dtype of operators
        return _gyre.tensor(data, dtype=result_type(data) if dtype_ is None else dtype_, device=device)
    x = _gyre.asarray(data, dtype=dtype_, device=device)
    if dtype_ is None and x.dtype == _gyre.f32 and not hasattr(_leaf(data), "dtype"):
        x = _gyre.asarray(data, dtype="f64", device=device)
    return x


def floating(x):
    """The tensor, of integers the float that NumPy's mathematical functions give."""
    x = tensor(x)
    return x if x.is_floating_point() else x.to(_float_of(x.dtype))


def inexact(x):
    """The tensor, of integers as f64, as in NumPy's statistics and linear algebra."""
    x = tensor(x)
    return x if x.is_floating_point() else x.to("f64")


def gathered(x):
    """The tensor, of unsigned integers as u64, in which NumPy gathers their sums and products."""
    return x.to("u64") if x.dtype in _KINDS["unsigned integer"] else x


def _float_of(d):
    return _gyre.f16 if _BITS[d] == 8 else _gyre.f32 if _BITS[d] == 16 else _gyre.f64


def _common(a, b):
    if a == b or b == _gyre.boolean:
        return a
    if a == _gyre.boolean:
        return b
    if a in FLOATS or b in FLOATS:
        a, b = (d if d in FLOATS else _float_of(d) for d in (a, b))
        return _gyre.f32 if {a, b} == {_gyre.f16, _gyre.bf16} else a if FLOATS.index(a) > FLOATS.index(b) else b
    if (a in _SIGNED) == (b in _SIGNED):
        return a if _BITS[a] > _BITS[b] else b
    signed, unsigned = (a, b) if a in _SIGNED else (b, a)
    return BY_NAME.get(f"int{max(_BITS[signed], 2 * _BITS[unsigned])}", _gyre.f64)  # of u64 as in NumPy


def _is_number(x):
    return isinstance(x, (bool, int, float)) and not hasattr(x, "dtype")


def _dtype_of(x):
    if isinstance(x, (DType, str, type)):
        return dtype(x)
    found = getattr(x, "dtype", None)
    return tensor(x).dtype if found is None else dtype(found)


def result_type(*arrays_and_dtypes):
    """Dtype of the result of an operation on these arrays, dtypes and numbers; Python numbers take the dtype of the
    others."""
    if not arrays_and_dtypes:
        raise ValueError("result_type: expected at least one array or dtype, got none")
    result = None
    for x in arrays_and_dtypes:
        if not _is_number(x):
            result = _dtype_of(x) if result is None else _common(result, _dtype_of(x))
    for x in arrays_and_dtypes:
        if _is_number(x):
            weak = _gyre.boolean if isinstance(x, bool) else _of_int(x) if isinstance(x, int) else _gyre.f64
            if result is None or _kind(weak) > _kind(result):
                result = weak
    return result


def _of_int(x):
    return _gyre.i64 if x < 2 ** 63 else _gyre.u64


def _kind(d):
    return 0 if d == _gyre.boolean else 2 if d in FLOATS else 1


def operands(*inputs):
    """Tensors of the inputs in their common dtype."""
    common = result_type(*inputs)
    return [tensor(x, common) for x in inputs]


def arrays(*inputs):
    """Tensors of the inputs in their common dtype, to which numbers count as arrays."""
    return operands(*map(tensor, inputs))


def promote_types(type1, type2):
    """The smallest dtype to which both convert without loss."""
    return _common(dtype(type1), dtype(type2))


def can_cast(from_, to, casting="safe"):
    """Whether a conversion is allowed: without loss ("safe"), within a kind ("same_kind"), always ("unsafe"), never
    ("no")."""
    source, target = _dtype_of(from_), dtype(to)
    safe = _common(source, target) == target
    to_unsigned = source in _SIGNED and target in _KINDS["unsigned integer"]
    allowed = {"no": source == target, "equiv": source == target, "safe": safe, "unsafe": True,
               "same_kind": safe or (_kind(source) <= _kind(target) and not to_unsigned)}
    if casting not in allowed:
        raise ValueError(f"can_cast: expected casting {', '.join(allowed)}, got {reprlib.repr(casting)}")
    return allowed[casting]


_KINDS = {"bool": (_gyre.boolean,), "signed integer": tuple(_SIGNED), "unsigned integer": tuple(d for d in BY_NAME.values() if d.name.startswith("u")),
          "real floating": FLOATS, "complex floating": ()}
_KINDS["integral"] = _KINDS["signed integer"] + _KINDS["unsigned integer"]
_KINDS["numeric"] = _KINDS["integral"] + FLOATS


def isdtype(dtype, kind):
    """Whether a dtype is of a kind: "bool", "signed integer", "unsigned integer", "integral", "real floating", "complex
    floating", "numeric", another dtype, or one of a tuple of these."""
    if isinstance(kind, tuple):
        return any(isdtype(dtype, part) for part in kind)
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise ValueError(f"isdtype: expected a kind ({', '.join(_KINDS)}), got {reprlib.repr(kind)}")
        return _dtype_of(dtype) in _KINDS[kind]
    return _dtype_of(dtype) == _dtype_of(kind)


def finfo(dtype):
    """Properties of a floating dtype, or of that of an array: bits, eps, max, min, smallest_normal, ..."""
    return gyre.finfo(_dtype_of(dtype))


def iinfo(type):
    """Properties of an integer dtype, or of that of an array: bits, max, min."""
    return gyre.iinfo(_dtype_of(type))


class __array_namespace_info__:
    """What the namespace supports: capabilities, devices and dtypes, as the array API standard defines them."""

    def capabilities(self):
        """Optional features of the standard."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 16}

    def default_device(self):
        """Device of new arrays."""
        return _gyre.zeros(()).device

    def devices(self):
        """Devices of this machine."""
        return tuple(_gyre.device(name) for name in ("cpu", "cuda")[:1 + gyre.cuda.is_available()])

    def default_dtypes(self, *, device=None):
        """Dtypes of new arrays."""
        return {"real floating": _gyre.f64, "complex floating": None, "integral": _gyre.i64, "indexing": _gyre.i64}

    def dtypes(self, *, device=None, kind=None):
        """Dtypes of the standard by name, in all or of a kind."""
        return {name: d for name, d in BY_NAME.items()
                if name not in ("float16", "bfloat16") and (kind is None or isdtype(d, kind))}


functions = [dtype, result_type, promote_types, can_cast, isdtype, finfo, iinfo, __array_namespace_info__]
