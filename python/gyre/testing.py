"""Comparisons for tests by the names of torch.testing."""

import collections.abc

import gyre
from gyre._gyre import Tensor, asarray

__all__ = ["assert_close"]

_TOLERANCES = {"f16": (1e-3, 1e-5), "bf16": (1.6e-2, 1e-5), "f32": (1.3e-6, 1e-5), "f64": (1e-7, 1e-7)}  # rtol, atol


def assert_close(actual, expected, *, allow_subclasses=True, rtol=None, atol=None, equal_nan=False, check_device=True,
                 check_dtype=True, check_layout=True, check_stride=False, msg=None):
    """AssertionError unless tensors or numbers, or sequences and dicts of them, have equal shapes and dtypes and
    |actual - expected| <= atol + rtol |expected|. The tolerances are by default those of PyTorch for the dtype, and 0
    for integers. `msg` replaces the message, or makes one of it if it is a function."""
    if (rtol is None) != (atol is None):
        raise ValueError(f"assert_close: expected both rtol and atol or neither, got rtol={rtol} and atol={atol}")
    options = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan, "check_device": check_device, "check_dtype": check_dtype,
               "check_stride": check_stride, "allow_subclasses": allow_subclasses}
    try:
        _compare(actual, expected, "", options)
    except AssertionError as error:
        if msg is None:
            raise
        raise AssertionError(msg(str(error)) if callable(msg) else msg) from None


def _compare(a, b, path, options):
    if isinstance(b, (str, bytes)) or b is None:
        return _require(a == b, path, f"{b!r}", f"{a!r}")
    if isinstance(b, collections.abc.Mapping):
        _require(isinstance(a, collections.abc.Mapping) and a.keys() == b.keys(), path, f"keys {sorted(map(str, b))}",
                 f"keys {sorted(map(str, a))}" if isinstance(a, collections.abc.Mapping) else type(a).__name__)
        for key in b:
            _compare(a[key], b[key], f"{path}[{key!r}]", options)
    elif isinstance(b, collections.abc.Sequence):
        _require(isinstance(a, collections.abc.Sequence) and len(a) == len(b), path, f"{len(b)} elements",
                 f"{len(a)} elements" if isinstance(a, collections.abc.Sequence) else type(a).__name__)
        for i, (x, y) in enumerate(zip(a, b)):
            _compare(x, y, f"{path}[{i}]", options)
    else:
        _compare_tensors(a, b, path, options)


def _require(holds, path, expected, actual):
    if not holds:
        raise AssertionError(f"assert_close: expected {expected}, got {actual}{path and f' at {path}'}")


def _compare_tensors(a, b, path, options):
    _require(isinstance(a, Tensor) == isinstance(b, Tensor), path, type(b).__name__, type(a).__name__)
    if not options["allow_subclasses"]:
        _require(type(a) is type(b), path, type(b).__name__, type(a).__name__)
    a, b = (x.detach() if isinstance(x, Tensor) else asarray(x, "f64" if isinstance(x, float) else None) for x in (a, b))
    _require(a.shape == b.shape, path, f"shape {list(b.shape)}", f"shape {list(a.shape)}")
    for check, what in (("dtype", "dtype"), ("device", "device"), ("stride", "stride")):
        if options[f"check_{check}"]:
            x, y = (getattr(t, what) for t in (b, a))
            x, y = (v() if callable(v) and what == "stride" else v for v in (x, y))
            _require(x == y, path, f"{what} {getattr(x, 'name', x)}", f"{what} {getattr(y, 'name', y)}")
    tolerances = [_TOLERANCES.get(t.dtype.name, (0.0, 0.0)) for t in (a, b)]
    rtol, atol = map(max, zip(*tolerances)) if options["rtol"] is None else (options["rtol"], options["atol"])
    a, b = a.to(b.device), b
    if any(t.is_floating_point() for t in (a, b)) or rtol or atol:
        a, b = a.to("f64"), b.to("f64")
        wrong = ~gyre.isclose(a, b, rtol=rtol, atol=atol, equal_nan=options["equal_nan"])
    else:
        wrong = a != b
    if count := int(wrong.sum()):
        place = int(wrong.reshape(-1).to("i64").argmax())
        x, y = (t.reshape(-1)[place].item() for t in (a, b))
        raise AssertionError(f"assert_close: expected |actual - expected| <= {atol:g} + {rtol:g} |expected|, got {count} of "
                             f"{a.numel()} elements further apart{path and f' at {path}'}; the first, at index {place} in "
                             f"row-major order, is {x}, expected {y}")
