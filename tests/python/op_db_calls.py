"""How a call of PyTorch is written for gyre: names, the order of arguments, keywords."""

import math

import torch

# Modules of op_db's names whose functions gyre has by the same name.
MODULES = ("", "nn.functional.", "linalg.", "special.")
# Entries of op_db under another name; by default that of the entry without its module.
ALIASES = {
    "amax": "max", "amin": "min", "max.binary": "maximum", "min.binary": "minimum",
    "div.floor_rounding": "floor_divide", "bitwise_left_shift": "shift_left", "bitwise_right_shift": "shift_right",
    "nn.functional.mse_loss": "mse",
}
# PyTorch's order where it is not that of gyre: arguments first, then attributes.
ORDER = {
    "where": "x condition y",
    "gather": "x axis index", "scatter_add": "x axis index src",
    "index_select": "x axis index", "index_add": "x axis index src",
    "layer_norm": "x normalized_shape weight bias eps", "rms_norm": "x normalized_shape weight eps",
}
KEYWORDS = {"dim": "axis", "other": "y", "input": "x", "min": "low", "max": "high", "end": "stop",
            "num_classes": "classes", "is_causal": "causal", "negative_slope": "slope"}
# What PyTorch takes when it is not told; gyre's op needs it.
DEFAULTS = {
    "clamp": {"low": -math.inf, "high": math.inf}, "elu": {"alpha": 1.0}, "leaky_relu": {"slope": 0.01},
    "layer_norm": {"weight": 1.0, "bias": 0.0}, "rms_norm": {"weight": 1.0},
    "one_hot": {"dtype": torch.int64},
}
# Keywords that change nothing with this value; gyre lacks them or has this as its only way.
NEUTRAL = {"alpha": 1, "decimals": 0, "dropout_p": 0.0, "enable_gqa": False, "approximate": "none",
           "reduction": "mean", "beta": 1, "sparse": False, "scale_grad_by_freq": False}


class NotTaken(Exception):
    """What gyre's op cannot be told."""


def name_of(info):
    return info.name + (f".{info.variant_test_name}" if info.variant_test_name else "")


def op_of(info):
    """The name of gyre's op; None for a function of another module, or of complex numbers alone."""
    module, _, last = info.name.rpartition(".")
    known = ALIASES.get(name_of(info)) or ALIASES.get(info.name)
    if not {torch.float64, torch.float32, torch.int64} & info.dtypes:
        return None
    return known or (last if (module + "." if module else "") in MODULES else None)


def for_sample(ops, op, sample):
    """gelu by tanh is another op in gyre."""
    return ops["gelu_tanh"] if op.name == "gelu" and sample.kwargs.get("approximate") == "tanh" else op


def changes_nothing(op, sample, key, value):
    if key == "dtype":
        return value == sample.input.dtype
    return value == NEUTRAL.get(key) or (op.name, key) in (("floor_divide", "rounding_mode"),
                                                            ("gelu_tanh", "approximate"))


def bound(op, sample):
    """The sample's values by gyre's names, and those of NEUTRAL and ORDER as they are."""
    known = [a["name"] for a in op.arguments] + [a["name"] for a in op.attributes]
    order = ORDER.get(op.name, " ".join(known)).split()
    values = (sample.input, *sample.args)
    if len(values) > len(order):
        raise NotTaken(f"argument {len(order) + 1}")
    by_name = dict(zip(order, values))
    for key, value in sample.kwargs.items():
        name = KEYWORDS.get(key, key)
        name = "axes" if name == "axis" and "axis" not in known else name
        name = name if name in known else key
        if name in known or name in order:
            by_name[name] = value
        elif value is not None and not changes_nothing(op, sample, key, value):
            raise NotTaken(f"argument {key}")
    return by_name


def rows_of_shape(values, sample):
    """normalized_shape as an axis."""
    if len(values.pop("normalized_shape")) != 1:
        raise NotTaken("normalized_shape of several axes")


def rms_of_shape(values, sample):
    rows_of_shape(values, sample)
    if "eps" not in values:
        raise NotTaken("eps of the dtype")


def classes_axis(values, sample):
    values["axis"] = min(1, sample.input.dim() - 1)


def one_axis(values, sample):
    axes = values.get("axis")
    if isinstance(axes, (tuple, list)):
        if len(axes) != 1:
            raise NotTaken("several axes")
        values["axis"] = axes[0]


ADAPTERS = {"layer_norm": rows_of_shape, "rms_norm": rms_of_shape, "cross_entropy": classes_axis,
           "logsumexp": one_axis}


def value_for(attribute, value):
    """An attribute as gyre takes it."""
    if isinstance(value, torch.dtype):
        return str(value)
    if attribute["type"] == "shape" and isinstance(value, torch.Size):
        return tuple(value)
    return value


def call_of(op, sample):
    """(tensors, attributes) of gyre's call; NotTaken."""
    values = bound(op, sample)
    for name, value in DEFAULTS.get(op.name, {}).items():
        if values.get(name) is None:
            values[name] = value
    ADAPTERS.get(op.name, lambda *_: None)(values, sample)
    if op.arguments and op.arguments[-1]["variadic"]:
        tensors = list(values.pop(op.arguments[-1]["name"]))
    else:
        tensors = [values.pop(a["name"], None) for a in op.arguments]
        while tensors and tensors[-1] is None:
            tensors.pop()
    kinds = {a["name"]: a for a in op.attributes}
    return tensors, {k: value_for(kinds[k], v) for k, v in values.items() if v is not None}
