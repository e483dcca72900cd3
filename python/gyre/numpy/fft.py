"""Frequencies and shifts by the names of numpy.fft. Spectra are complex, and there are no complex dtypes."""

import operator

from gyre import _gyre
from gyre._functions import shapes as torch_named
from gyre.numpy.creation import arange
from gyre.numpy.dtypes import dtype as _dtype, tensor
from gyre.numpy.manipulation import axes_of

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]
_SPECTRA = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", "rfft", "irfft", "rfft2", "irfft2", "rfftn", "irfftn",
            "hfft", "ihfft")


def __getattr__(name):
    if name in _SPECTRA:
        raise AttributeError(f"gyre.numpy.fft has no {name}: spectra are complex, and there are no complex dtypes; pass "
                             f"x.numpy() to numpy.fft.{name}")
    raise AttributeError(f"module {__name__} has no attribute {name}")


def _frequencies(cycles, name, n, d, dtype, device):
    n = operator.index(n)
    if n < 1:
        raise ValueError(f"{name}: expected at least 1 sample as n, got {n}")
    result = cycles(n, device) / (n * d)
    return result if dtype is None else result.to(_dtype(dtype))


def fftfreq(n, d=1.0, *, dtype=None, device=None):
    """Frequencies of the Fourier transform of n samples with a spacing d, from 0 up, then the negative ones."""
    def cycles(n, device):
        k = arange(n, dtype=float, device=device)
        return _gyre.where(k < (n + 1) // 2, k, k - n)

    return _frequencies(cycles, "fftfreq", n, d, dtype, device)


def rfftfreq(n, d=1.0, *, dtype=None, device=None):
    """Frequencies of the Fourier transform of n real samples with a spacing d, from 0 to the largest."""
    return _frequencies(lambda n, device: arange(n // 2 + 1, dtype=float, device=device), "rfftfreq", n, d, dtype,
                        device)


def _shifted(x, axes, name, step):
    x = tensor(x)
    axes = tuple(range(x.ndim)) if axes is None else axes_of(axes, x.ndim, name)
    return torch_named.roll(x, tuple(step(x.shape[axis]) for axis in axes), axes)


def fftshift(x, axes=None):
    """Frequency 0 moved to the centre of axes, all by default."""
    return _shifted(x, axes, "fftshift", lambda n: n // 2)


def ifftshift(x, axes=None):
    """Frequency 0 moved from the centre of axes, all by default, to their start."""
    return _shifted(x, axes, "ifftshift", lambda n: -(n // 2))
