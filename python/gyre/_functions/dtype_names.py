"""Dtypes by NumPy's and PyTorch's names, derived from gyre's own: float32 for f32."""

from gyre import _gyre

_KINDS = {"b": "bfloat", "f": "float", "i": "int", "u": "uint"}


def _long_name(name):
    return "bool" if name == "boolean" else _KINDS[name[0]] + name.lstrip("bfiu")


BY_NAME = {_long_name(name): dtype for name, dtype in _gyre.DType.__members__.items()}
NAMES = {dtype: name for name, dtype in BY_NAME.items()}
