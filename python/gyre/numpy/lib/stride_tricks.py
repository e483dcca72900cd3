"""Views of the same memory by the names of numpy.lib.stride_tricks. Strides count elements in gyre and bytes in NumPy,
so as_strided is absent; gyre.as_strided(x, shape, strides) counts elements."""

from gyre import _gyre
from gyre.numpy.dtypes import tensor
from gyre.numpy.manipulation import axes_of, broadcast_arrays, broadcast_shapes, broadcast_to

__all__ = ["broadcast_arrays", "broadcast_shapes", "broadcast_to", "sliding_window_view"]


def sliding_window_view(x, window_shape, axis=None):
    """View of all windows of a shape, as new last axes; over axes, or over as many as the window has."""
    x = tensor(x)
    shape = tuple(window_shape) if isinstance(window_shape, (tuple, list)) else (window_shape,)
    if axis is None and len(shape) != x.ndim:
        raise ValueError(f"sliding_window_view: expected a window of {x.ndim} axes, got {list(shape)}; or give axis")
    axes = tuple(range(x.ndim)) if axis is None else axes_of(axis, x.ndim, "sliding_window_view")
    if len(shape) != len(axes):
        raise ValueError(f"sliding_window_view: expected a size for each of {len(axes)} axes, got {len(shape)}")
    for place, n in zip(axes, shape):
        x = _gyre.unfold(x, place, n, 1)
    return x
