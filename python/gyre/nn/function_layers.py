"""Layers without weights, made from the functions of gyre.nn.functional: losses, activations, pooling, padding,
resizing, dropout. The options of a layer are those of its function, in PyTorch's order, and its attributes."""

import inspect

import gyre.nn.functional as F
from gyre._gyre import Tensor
from gyre.nn.layers import classes, torch_layer
from gyre.nn.module import Module

# Layer, function, and its options if they are not all those of the function, in its order. The arguments of the
# function that have no default and are no options are the inputs of the layer.
_TABLE = """
AdaptiveAvgPool1d adaptive_avg_pool1d output_size
AdaptiveAvgPool2d adaptive_avg_pool2d output_size
AdaptiveAvgPool3d adaptive_avg_pool3d output_size
AdaptiveMaxPool1d adaptive_max_pool1d output_size return_indices
AdaptiveMaxPool2d adaptive_max_pool2d output_size return_indices
AdaptiveMaxPool3d adaptive_max_pool3d output_size return_indices
AlphaDropout alpha_dropout p inplace
AvgPool1d avg_pool1d kernel_size stride padding ceil_mode count_include_pad
AvgPool2d avg_pool2d kernel_size stride padding ceil_mode count_include_pad divisor_override
AvgPool3d avg_pool3d kernel_size stride padding ceil_mode count_include_pad divisor_override
BCELoss binary_cross_entropy
BCEWithLogitsLoss binary_cross_entropy_with_logits
CELU celu
CTCLoss ctc_loss
ChannelShuffle channel_shuffle groups
CosineEmbeddingLoss cosine_embedding_loss
CosineSimilarity cosine_similarity
CrossEntropyLoss cross_entropy
Dropout1d dropout1d p inplace
Dropout2d dropout2d p inplace
Dropout3d dropout3d p inplace
FeatureAlphaDropout feature_alpha_dropout p inplace
Fold fold output_size kernel_size dilation padding stride
FractionalMaxPool2d fractional_max_pool2d kernel_size output_size output_ratio return_indices _random_samples
FractionalMaxPool3d fractional_max_pool3d kernel_size output_size output_ratio return_indices _random_samples
GELU gelu
GLU glu
GaussianNLLLoss gaussian_nll_loss
Hardshrink hardshrink
Hardsigmoid hardsigmoid
Hardswish hardswish
Hardtanh hardtanh
HingeEmbeddingLoss hinge_embedding_loss
HuberLoss huber_loss reduction delta
KLDivLoss kl_div
L1Loss l1_loss size_average reduce reduction
LPPool1d lp_pool1d norm_type kernel_size stride ceil_mode
LPPool2d lp_pool2d norm_type kernel_size stride ceil_mode
LPPool3d lp_pool3d norm_type kernel_size stride ceil_mode
LocalResponseNorm local_response_norm size alpha beta k
LogSigmoid logsigmoid
LogSoftmax log_softmax dim
MSELoss mse_loss size_average reduce reduction
MarginRankingLoss margin_ranking_loss
MaxPool1d max_pool1d kernel_size stride padding dilation return_indices ceil_mode
MaxPool2d max_pool2d kernel_size stride padding dilation return_indices ceil_mode
MaxPool3d max_pool3d kernel_size stride padding dilation return_indices ceil_mode
MaxUnpool1d max_unpool1d kernel_size stride padding
MaxUnpool2d max_unpool2d kernel_size stride padding
MaxUnpool3d max_unpool3d kernel_size stride padding
Mish mish
MultiLabelMarginLoss multilabel_margin_loss
MultiLabelSoftMarginLoss multilabel_soft_margin_loss
MultiMarginLoss multi_margin_loss
NLLLoss nll_loss
PairwiseDistance pairwise_distance
PixelShuffle pixel_shuffle upscale_factor
PixelUnshuffle pixel_unshuffle downscale_factor
PoissonNLLLoss poisson_nll_loss
RReLU rrelu lower upper inplace
ReLU6 relu6
SELU selu
SmoothL1Loss smooth_l1_loss
SoftMarginLoss soft_margin_loss
Softmax softmax dim
Softmin softmin dim
Softplus softplus
Softshrink softshrink
Softsign softsign
Tanhshrink tanhshrink
Threshold threshold threshold value inplace
TripletMarginLoss triplet_margin_loss
TripletMarginWithDistanceLoss triplet_margin_with_distance_loss
Unfold unfold kernel_size dilation padding stride
Upsample interpolate size scale_factor mode align_corners recompute_scale_factor
"""


def _layer(name, function, options, doc, **fixed):
    """A layer class that calls function(*inputs, **options, **fixed); `options`: inspect.Parameters."""
    names = tuple(p.name for p in options)
    trains = "training" in inspect.signature(function).parameters
    base = classes.get(name, Module)
    signature = inspect.Signature(options)

    def __init__(self, *args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        if base is not Module:
            self._begin_alone({})
        for option, value in given.items():
            if isinstance(value, Tensor):  # such as the weights of classes: part of the state
                self.register_buffer(option, value)
            else:
                setattr(self, option, value)

    def forward(self, *inputs, **named):
        own = self.__dict__
        options = {option: own[option] for option in names}
        if trains:
            options["training"] = self.training
        return function(*inputs, **options, **fixed, **named)

    def extra_repr(self):
        shown = ((p.name, p.default, self.__dict__.get(p.name)) for p in options if not p.name.startswith("_"))
        return ", ".join(f"{option}={value!r}" for option, usual, value in shown
                         if not isinstance(value, Tensor) and value != usual)

    __init__.__signature__ = inspect.Signature([_parameter("self"), *options])
    cls = type(name, (base,), {"__init__": __init__, "forward": forward, "extra_repr": extra_repr, "__doc__": doc})
    if base is not Module:
        return torch_layer(cls)
    plain = cls.__init__

    def begin(self, *args, **kwargs):
        Module.__init__(self)
        plain(self, *args, **kwargs)

    begin.__signature__, begin.__name__, begin.__qualname__ = plain.__signature__, "__init__", f"{name}.__init__"
    cls.__init__, cls.__module__ = begin, "gyre.nn"
    return cls


def _of_function(name, function, *wanted):
    known = inspect.signature(function).parameters
    options = [known[option] for option in wanted] if wanted else [
        p for p in known.values() if p.default is not p.empty and not p.name.startswith("_") and p.name != "training"]
    doc = f"{function.__doc__}\n\ngyre.nn.functional.{function.__name__} as a layer."
    return _layer(name, function, options, doc)


def _parameter(name, default=inspect.Parameter.empty):
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)


def _padding(name, mode, axes):
    """Padding of the last axes by one width, or by (before, after) pairs that start with the last axis."""
    def padded(input, padding, value=0.0):
        widths = tuple(padding) if isinstance(padding, (tuple, list)) else (padding,) * (2 * axes)
        return F.pad(input, widths, mode, value if mode == "constant" else None)

    options = [_parameter("padding")] + [_parameter("value")] * name.startswith("Constant")
    return _layer(name, padded, options, f"{_padding.__doc__} Mode: {mode}.")


def _upsampling(name, mode, **fixed):
    options = [_parameter("size", None), _parameter("scale_factor", None)]
    return _layer(name, F.interpolate, options, f"interpolate() of mode {mode}.", mode=mode, **fixed)


layers = {}
for _row in _TABLE.split("\n"):
    if _row:
        _name, _function, *_options = _row.split()
        layers[_name] = _of_function(_name, getattr(F, _function), *_options)
for _prefix, _mode in {"Zero": "constant", "Constant": "constant", "Reflection": "reflect", "Replication": "replicate",
                       "Circular": "circular"}.items():
    for _axes in (1, 2, 3):
        _name = f"{_prefix}Pad{_axes}d"
        layers[_name] = _padding(_name, _mode, _axes)
layers["UpsamplingNearest2d"] = _upsampling("UpsamplingNearest2d", "nearest")
layers["UpsamplingBilinear2d"] = _upsampling("UpsamplingBilinear2d", "bilinear", align_corners=True)
layers["Softmax2d"] = _layer(
    "Softmax2d", F.softmax, [], "softmax() over the channels of [..., channels, height, width].", dim=-3)


class Identity(Module):
    """Returns its input; all options are ignored."""

    def __init__(self, *args, **kwargs):
        super().__init__()

    def forward(self, input):
        return input


class Unflatten(Module):
    """Splits an axis into several."""

    def __init__(self, dim, unflattened_size):
        super().__init__()
        self.dim, self.unflattened_size = dim, tuple(unflattened_size)

    def forward(self, input):
        axis = self.dim % input.ndim
        return input.reshape(*input.shape[:axis], *self.unflattened_size, *input.shape[axis + 1:])

    def extra_repr(self):
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"


layers["Identity"], layers["Unflatten"] = Identity, Unflatten
