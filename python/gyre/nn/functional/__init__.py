"""Functions of neural networks by PyTorch's names, argument names, order and defaults (`torch.nn.functional`), composed
of the ops of gyre and differentiable to any order.

    import gyre.nn.functional as F
    loss = F.cross_entropy(F.linear(x, weight), target, label_smoothing=0.1)
"""

from gyre.nn.functional import (
    activations, attention, convolution, distances, images, lookup, losses, normalization, pooling)

# Functions that only the layers use.
_OWN = ("attention_weights", "batched", "crop", "epsilon", "per_axis", "refuse", "row_of", "same_padding")
__all__ = []
for _module in (activations, attention, convolution, distances, images, lookup, losses, normalization, pooling):
    for _name, _value in vars(_module).items():
        if getattr(_value, "__module__", None) == _module.__name__ and not _name.startswith("_") and _name not in _OWN:
            globals()[_name] = _value
            __all__.append(_name)
__all__.sort()
