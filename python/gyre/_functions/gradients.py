"""Differentiation by PyTorch's names."""

import functools

from gyre import _gyre


def within(mode, function):
    """The function, run in a mode such as no_grad()."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        with mode:
            return function(*args, **kwargs)

    return call


def inference_mode(mode=True) -> "Any":
    """Same as no_grad: disables autograd recording."""
    if callable(mode):
        return _gyre.no_grad(mode)
    return _gyre.no_grad() if mode else _gyre.enable_grad()


class set_grad_enabled:
    """Sets at once whether autograd records ops on this thread; as a context manager, until its end."""

    def __init__(self, mode):
        self._mode = _gyre.enable_grad() if mode else _gyre.no_grad()
        self._mode.__enter__()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._mode.__exit__(*error)

    def __call__(self, function):
        self._mode.__exit__(None, None, None)
        return within(self._mode, function)


def retain_grad(self) -> "Any":
    """Keeps the gradient of a result in its `grad` during backward(), as of a leaf."""
    if self.is_leaf:
        return

    def keep(gradient):
        self.grad = gradient if self.grad is None else self.grad + gradient

    self.register_hook(keep)


functions = [inference_mode, set_grad_enabled]
methods = [retain_grad]
