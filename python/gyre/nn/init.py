"""Parameter initialisers: `xavier(shape, gain)` creates a parameter, `xavier_(tensor, gain)` fills a tensor in
place. All draw from the generator that gyre.manual_seed seeds."""

from gyre._gyre import Tensor, _nn


def _in_place(name, function):
    def fill(tensor, *args, **kwargs):
        if not isinstance(tensor, Tensor):
            raise TypeError(f"{name}: expected a gyre.Tensor, got {type(tensor).__name__}")
        _nn.assign(tensor, function(tensor.shape, *args, **kwargs).detach())
        return tensor

    fill.__name__ = fill.__qualname__ = name
    fill.__doc__ = f"In-place version of {function.__name__}; returns the tensor."
    return fill


__all__ = []
for _name, _function in vars(_nn.init).items():
    if not _name.startswith("_"):
        globals()[_name], globals()[_name + "_"] = _function, _in_place(_name + "_", _function)
        __all__ += [_name, _name + "_"]
