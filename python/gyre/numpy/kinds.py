"""NumPy's abstract kinds of dtypes: floating, integer, ..."""

from gyre._gyre import Tensor
from gyre.numpy import dtypes


class _Kind(type):
    """isinstance(x, floating) asks for a tensor without axes and of that kind."""

    def __instancecheck__(cls, x):
        return isinstance(x, Tensor) and x.ndim == 0 and x.dtype in cls.dtypes


def _kind(name, doc, *standard):
    members = [d for d in dtypes.BY_NAME.values() if any(dtypes.isdtype(d, kind) for kind in standard)]
    return _Kind(name, (), {"__doc__": doc, "dtypes": members, "__module__": __name__})


floating = _kind("floating", "Floating dtypes.", "real floating")
inexact = _kind("inexact", "Floating dtypes.", "real floating")
signedinteger = _kind("signedinteger", "Signed integer dtypes.", "signed integer")
unsignedinteger = _kind("unsignedinteger", "Unsigned integer dtypes.", "unsigned integer")
integer = _kind("integer", "Integer dtypes.", "integral")
number = _kind("number", "Dtypes of numbers.", "numeric")
generic = _kind("generic", "All dtypes.", "numeric", "bool")


def issubdtype(arg1, arg2):
    """Whether a dtype is another, or of a kind: floating, integer, signedinteger, unsignedinteger, number, generic."""
    first, second = ({*arg.dtypes} if isinstance(arg, _Kind) else {dtypes._dtype_of(arg)} for arg in (arg1, arg2))
    return first <= second


functions = [issubdtype]
classes = [floating, inexact, signedinteger, unsignedinteger, integer, number, generic]
