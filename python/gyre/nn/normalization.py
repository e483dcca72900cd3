"""Normalisation layers with PyTorch's arguments."""

import gyre
import gyre.nn.functional as F
from gyre.nn.layers import classes, place, torch_layer
from gyre.nn.module import Module, Parameter


def _affine(module, shape, weight, bias):
    """Weight 1 and bias 0, or None for absent ones."""
    module.register_parameter("weight", Parameter(gyre.ones(shape)) if weight else None)
    module.register_parameter("bias", Parameter(gyre.zeros(shape)) if bias else None)


def _shape_of(normalized_shape):
    return tuple(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,)


@torch_layer
class LayerNorm(classes["LayerNorm"]):
    """Layer normalisation over the last axes, of shape normalized_shape, then learned weight and bias."""

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True, device=None, dtype=None):
        shape = _shape_of(normalized_shape)
        given = {"width": shape[0] if len(shape) == 1 else shape, "eps": eps, "bias": bias}
        if len(shape) == 1 and elementwise_affine:
            self._begin(self._definition.make(given), given)
        else:
            self._begin_alone(given)
            _affine(self, shape, elementwise_affine, elementwise_affine and bias)
        self.__dict__.update(normalized_shape=shape, eps=eps, elementwise_affine=elementwise_affine)
        place(self, device, dtype)

    def forward(self, input):
        if self._in_cpp:
            return super().forward(input)
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)


@torch_layer
class RMSNorm(classes["RMSNorm"]):
    """Root mean square normalisation over the last axes with a learned weight; eps: by default that of the dtype."""

    def __init__(self, normalized_shape, eps=None, elementwise_affine=True, device=None, dtype=None):
        shape = _shape_of(normalized_shape)
        given = {"width": shape[0] if len(shape) == 1 else shape, "eps": eps}
        if len(shape) == 1 and elementwise_affine and eps is not None:
            self._begin(self._definition.make(given), given)
        else:
            self._begin_alone(given)
            self.register_parameter("weight", Parameter(gyre.ones(shape)) if elementwise_affine else None)
        self.__dict__.update(normalized_shape=shape, eps=eps, elementwise_affine=elementwise_affine)
        place(self, device, dtype)

    def forward(self, input):
        if self._in_cpp:
            return super().forward(input)
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)


@torch_layer
class GroupNorm(classes["GroupNorm"]):
    """Group normalisation: mean 0 and variance 1 over each group of channels, then learned weight and bias."""

    def __init__(self, num_groups=1, num_channels=None, eps=1e-5, affine=True, device=None, dtype=None, *, bias=True):
        given = {"groups": num_groups, "channels": num_channels, "eps": eps, "affine": affine}
        if bias or not affine:
            self._begin(self._definition.make(given), given)
        else:
            self._begin_alone(given)
            _affine(self, (num_channels,), True, False)
        self.__dict__.update(num_groups=num_groups, num_channels=num_channels, eps=eps, affine=affine)
        place(self, device, dtype)

    def forward(self, input):
        if self._in_cpp:
            return super().forward(input)
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


def _ranked(name, input, ranks):
    if input.ndim not in ranks:
        raise ValueError(f"{name}: expected {' or '.join(map(str, ranks))} axes, got {list(input.shape)}")


def _tracked(module, channels, tracks):
    for buffer, value in (("running_mean", gyre.zeros), ("running_var", gyre.ones)):
        module.register_buffer(buffer, value((channels,)) if tracks else None)
    module.register_buffer("num_batches_tracked", gyre.tensor(0, dtype="i64") if tracks else None)


def _batch_norm(axes):
    table = classes["BatchNorm"]
    ranks = (2, 3) if axes == 1 else (axes + 2,)

    class BatchNorm(table):
        def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None,
                     dtype=None, *, bias=True):
            given = {"channels": num_features, "eps": eps, "momentum": momentum, "affine": affine,
                     "running": track_running_stats}
            if momentum is not None and (bias or not affine):
                self._begin(self._definition.make(given), given)
            else:
                self._begin_alone(given)
                _affine(self, (num_features,), affine, affine and bias)
                _tracked(self, num_features, track_running_stats)
            self.__dict__.update(num_features=num_features, eps=eps, momentum=momentum, affine=affine,
                                 track_running_stats=track_running_stats)
            place(self, device, dtype)

        def _set_option(self, option, value):
            if option != "momentum" or value is not None:  # which the layer of the table cannot have
                super()._set_option(option, value)

        def reset_running_stats(self):
            """Resets the running means and variances."""
            if self.running_mean is not None:
                with gyre.no_grad():
                    self.running_mean.zero_()
                    self.running_var.fill_(1)
                    self.num_batches_tracked.zero_()

        def forward(self, input):
            _ranked(type(self).__name__, input, ranks)
            if self._in_cpp and self.momentum is not None and input.shape[0]:
                return super().forward(input)
            return self._alone(input)

        def _alone(self, input):
            tracks, training = self.running_mean is not None, self.training
            momentum = self.momentum
            if training and tracks:
                with gyre.no_grad():
                    self.num_batches_tracked.copy_(self.num_batches_tracked + 1)
                if momentum is None:  # the average of all batches
                    momentum = 1.0 / self.num_batches_tracked.item()
            if not input.shape[0]:
                return input * 1.0
            statistics = (self.running_mean, self.running_var) if tracks else (None, None)
            return F.batch_norm(input, *statistics, self.weight, self.bias, training or not tracks, momentum or 0.0,
                                self.eps)

    BatchNorm.__name__ = BatchNorm.__qualname__ = f"BatchNorm{axes}d"
    shape = {1: "[batch, channels] or [batch, channels, length]", 2: "[batch, channels, height, width]",
             3: "[batch, channels, depth, height, width]"}[axes]
    BatchNorm.__doc__ = f"Batch normalisation of each channel of {shape}; momentum None: cumulative average."
    return torch_layer(BatchNorm)


def _instance_norm(axes):
    class InstanceNorm(Module):
        def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None,
                     dtype=None, *, bias=True):
            super().__init__()
            self.num_features, self.eps, self.momentum = num_features, eps, momentum
            self.affine, self.track_running_stats = affine, track_running_stats
            _affine(self, (num_features,), affine, affine and bias)
            _tracked(self, num_features, track_running_stats)
            place(self, device, dtype)

        def forward(self, input):
            _ranked(type(self).__name__, input, (axes + 1, axes + 2))
            x = input if input.ndim == axes + 2 else input.unsqueeze(0)
            result = F.instance_norm(x, self.running_mean, self.running_var, self.weight, self.bias,
                                     self.training or not self.track_running_stats, self.momentum or 0.0, self.eps)
            return result if input.ndim == axes + 2 else result[0]

        def extra_repr(self):
            return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                    f"track_running_stats={self.track_running_stats}")

    InstanceNorm.__name__ = InstanceNorm.__qualname__ = f"InstanceNorm{axes}d"
    InstanceNorm.__module__ = "gyre.nn"
    InstanceNorm.__doc__ = "Normalises each channel of each sample; the batch axis is optional."
    return InstanceNorm


layers = {cls.__name__: cls for cls in (LayerNorm, RMSNorm, GroupNorm)}
layers.update((cls.__name__, cls) for make in (_batch_norm, _instance_norm) for cls in map(make, (1, 2, 3)))
