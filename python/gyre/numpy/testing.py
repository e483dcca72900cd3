"""Assertions about arrays by the names of numpy.testing."""

from gyre import _gyre
from gyre.numpy.dtypes import operands, tensor
from gyre.numpy.elementwise import isclose

__all__ = ["assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "assert_array_equal",
           "assert_array_less", "assert_equal"]


def _require(close, x, y, what, err_msg):
    wrong = _gyre.logical_not(close)
    count = int(_gyre.sum(wrong))
    if count:
        place = tuple(_gyre.nonzero(wrong.reshape(1) if wrong.ndim == 0 else wrong)[0].tolist())[:wrong.ndim]
        x, y = (part.expand(wrong.shape)[place].item() for part in (x, y))
        raise AssertionError(f"{what}: {count} of {wrong.numel()} elements differ, the first at {place}: {x} and {y}"
                             + (f"; {err_msg}" if err_msg else ""))


def _compared(actual, desired, what, err_msg):
    x, y = operands(tensor(actual), tensor(desired))
    if x.shape != y.shape and x.ndim and y.ndim:
        raise AssertionError(f"{what}: shapes {list(x.shape)} and {list(y.shape)} differ" + (f"; {err_msg}" if err_msg else ""))
    return x, y


def assert_allclose(actual, desired, rtol=1e-7, atol=0, equal_nan=True, err_msg="", verbose=True):
    """AssertionError unless |actual - desired| <= atol + rtol |desired| for all elements."""
    x, y = _compared(actual, desired, "assert_allclose", err_msg)
    _require(isclose(x, y, rtol, atol, equal_nan), x, y, "assert_allclose", err_msg)


def assert_array_equal(actual, desired, err_msg="", verbose=True):
    """AssertionError unless shapes and all elements are equal; NaN equals NaN, and a number all elements."""
    x, y = _compared(actual, desired, "assert_array_equal", err_msg)
    same = _gyre.logical_or(x == y, _gyre.logical_and(x != x, y != y))
    _require(same, x, y, "assert_array_equal", err_msg)


def assert_array_almost_equal(actual, desired, decimal=6, err_msg="", verbose=True):
    """AssertionError unless |actual - desired| < 1.5 * 10 ** -decimal for all elements."""
    x, y = _compared(actual, desired, "assert_array_almost_equal", err_msg)
    close = _gyre.logical_or(isclose(x, y, 0, 0, True), _gyre.abs(x - y) < 1.5 * 10.0 ** -decimal)
    _require(close, x, y, "assert_array_almost_equal", err_msg)


def assert_almost_equal(actual, desired, decimal=7, err_msg="", verbose=True):
    """AssertionError unless |actual - desired| < 1.5 * 10 ** -decimal for all elements."""
    assert_array_almost_equal(actual, desired, decimal, err_msg)


def assert_array_less(x, y, err_msg="", verbose=True):
    """AssertionError unless x < y for all elements."""
    a, b = _compared(x, y, "assert_array_less", err_msg)
    _require(a < b, a, b, "assert_array_less", err_msg)


def _are_numbers(*values):
    return all(isinstance(x, (bool, int, float)) for x in values)


def assert_equal(actual, desired, err_msg="", verbose=True):
    """AssertionError unless both are equal: arrays, numbers, or lists, tuples and dicts of these."""
    if isinstance(desired, dict) or isinstance(actual, dict):
        if not (isinstance(actual, dict) and isinstance(desired, dict) and actual.keys() == desired.keys()):
            raise AssertionError(f"assert_equal: expected equal keys, got {actual!r} and {desired!r}")
        for key in desired:
            assert_equal(actual[key], desired[key], f"key {key!r} {err_msg}".rstrip())
    elif isinstance(desired, (list, tuple)) and isinstance(actual, (list, tuple)):
        if len(actual) != len(desired):
            raise AssertionError(f"assert_equal: lengths {len(actual)} and {len(desired)} differ")
        for place, (a, b) in enumerate(zip(actual, desired)):
            assert_equal(a, b, f"item {place} {err_msg}".rstrip())
    elif not (hasattr(desired, "shape") or hasattr(actual, "shape")) and not _are_numbers(actual, desired):
        if actual != desired:
            raise AssertionError(f"assert_equal: {actual!r} and {desired!r} differ")
    else:
        assert_array_equal(actual, desired, err_msg)
