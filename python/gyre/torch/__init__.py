"""gyre's ops on PyTorch's tensors: `gyre.torch.NAME(...)` for every op of the op table.

A call takes torch.Tensors on the CPU (and numbers), with attributes by position or keyword as in gyre.NAME, and
returns torch.Tensors. Inputs are not copied. PyTorch's autograd records the call, to any order of derivatives;
torch.compile sees a single op, `torch.ops.gyre.NAME`.
"""

try:
    import torch
except ImportError as error:
    raise ImportError("gyre.torch needs PyTorch: pip install torch") from error

import gyre
from gyre import _gyre
from gyre._gyre import _torch
from gyre.torch import _autograd, _library, _random, _signature

try:
    _torch.use(
        torch.Tensor, torch.nn.Parameter, torch.is_grad_enabled, modes=_autograd.MODES,
        transforms=_autograd.TRANSFORMS, record=_autograd.record, transform=_autograd.transform,
        dispatch=_library.dispatch, dense=_signature.dense, seed=_random.seed)
except TypeError as error:
    raise ImportError(f"gyre.torch needs PyTorch 2.10 or newer, this is {torch.__version__}") from error


def _function(op):
    """gyre.torch.NAME for an op of the table."""
    run, signature = _torch.function(op), _library.register(op)

    def function(*args, **kwargs):
        if torch.compiler.is_compiling():
            return _library.dispatch_bound(signature, *_signature.bind(signature, args, kwargs))
        return run(*args, **kwargs)

    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = op.doc
    function.__text_signature__ = op.__text_signature__
    return function


def _class_of(name, function):
    """The torch.autograd.Function of an op: NAME.apply(...) is gyre.torch.name(...) with positional
    arguments."""

    def forward(ctx, *args):
        raise RuntimeError(f"{name}.apply records the call itself")

    return type(name, (torch.autograd.Function,), {
        "forward": staticmethod(forward), "apply": staticmethod(function), "__doc__": function.__doc__,
        "__module__": __name__})


def __getattr__(name):
    """An op registered after this module was imported."""
    for op in gyre.ops():
        if op.name == name:
            return globals().setdefault(name, _function(op))
    raise AttributeError(f"module 'gyre.torch' has no attribute {name!r}: not an op of gyre")


for _op in gyre.ops():
    globals()[_op.name] = _function(_op)
# Ops with a separate op for the backward also get a class, like PyTorch's Functions.
for _op in gyre.ops():
    if f"{_op.name}_backward" in globals():
        _name = _op.name.title().replace("_", "")
        globals()[_name] = _class_of(_name, globals()[_op.name])
for _name, _op in _gyre._aliases:
    globals()[_name] = globals()[_op.name]
del _op, _name

from gyre.torch import hyperbolic, nn, optim  # noqa: E402, F401
