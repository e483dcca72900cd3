"""numpy.lib."""

from gyre.numpy.lib import stride_tricks

__all__ = ["stride_tricks"]
