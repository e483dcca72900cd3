"""Settings of warnings and of printing."""

import reprlib

_EVENTS = ("divide", "over", "under", "invalid")


def seterr(all=None, divide=None, over=None, under=None, invalid=None):
    """Floating-point events such as a division by 0 give infinities and NaN without a warning: only "ignore" can be set.
    Returns the setting before."""
    for name, value in (("all", all), ("divide", divide), ("over", over), ("under", under), ("invalid", invalid)):
        if value not in (None, "ignore"):
            raise ValueError(f"seterr: expected {name}=\"ignore\", got {reprlib.repr(value)}; test results with isfinite()")
    return geterr()


def geterr():
    """What happens on each floating-point event: it is ignored."""
    return dict.fromkeys(_EVENTS, "ignore")


class errstate:
    """Context manager and decorator that sets what happens on floating-point events; see seterr."""

    def __init__(self, **events):
        seterr(**events)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def __call__(self, function):
        return function


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, suppress=None, **options):
    """Has no effect: tensors are printed with as many digits as their dtype has."""


functions = [seterr, geterr, set_printoptions]
classes = [errstate]
