"""Translates PyTorch calls to gyre: names, argument order, keywords."""

import gyre
import torch

# Modules in op_db names whose functions have the same name in gyre.
MODULES = ("", "nn.functional.", "linalg.", "special.")
# Entries of op_db with another name; by default the entry's name without its module.
ALIASES = {
    "amax": "max", "amin": "min", "max.binary": "maximum", "min.binary": "minimum",
    "div.floor_rounding": "floor_divide", "bitwise_left_shift": "shift_left", "bitwise_right_shift": "shift_right",
    "mm": "matmul", "bmm": "matmul", "mv": "matmul", "dot": "matmul", "view": "reshape", "broadcast_to": "expand",
    "split_with_sizes": "split", "nn.functional.unfold": "im2col", "linalg.inv": "inverse",
    "linalg.vector_norm": "norm", "linalg.solve_triangular": "triangular_solve",
    "nn.functional.mse_loss": "mse", "nn.functional.l1_loss": "l1", "nn.functional.huber_loss": "huber",
    "nn.functional.smooth_l1_loss": "smooth_l1", "nn.functional.nll_loss": "nll",
    "nn.functional.binary_cross_entropy": "bce", "nn.functional.binary_cross_entropy_with_logits": "bce_with_logits",
}
# Entries that share their name with a gyre op but compute something else: matrix norms, ops
# superseded by torch.linalg, and views that count the elements of the storage.
OTHERS = ("linalg.pinv.singular", "linalg.norm", "linalg.norm.subgradients_at_zero", "svd", "triangular_solve", "as_strided",
          "as_strided.partial_views", "as_strided_scatter")
# PyTorch's argument order where it differs from gyre's: tensors first, then attributes.
ORDER = {
    "where": "x condition y",
    "gather": "x axis index", "scatter": "x axis index src", "scatter_add": "x axis index src",
    "scatter_reduce": "x axis index src reduce", "index_select": "x axis index", "index_add": "x axis index src",
    "index_put": "x indices values accumulate",
    "layer_norm": "x normalized_shape weight bias eps", "rms_norm": "x normalized_shape weight eps",
    "group_norm": "x groups weight bias eps", "batch_norm": "x mean variance weight bias training momentum eps",
    "norm": "x p axes keepdim", "std": "x axes correction keepdim", "var": "x axes correction keepdim",
    "conv_transpose1d": "x weight bias stride padding output_padding groups dilation",
    "conv_transpose2d": "x weight bias stride padding output_padding groups dilation",
    "im2col": "x kernel dilation padding stride", "pad": "x widths mode value",
    "searchsorted": "sorted values right side", "adaptive_max_pool1d": "x size return_indices", "adaptive_max_pool2d": "x size return_indices",
}
# Keywords that the ops do not accept directly; others (`dim`, `kernel_size`) are in the spelling
# tables.
KEYWORDS = {"dim2": "axis1", "end": "stop", "is_causal": "causal", "unbiased": "correction", "ord": "p",
            "attn_mask": "mask", "pad": "widths", "split_size": "sizes"}
# PyTorch's defaults where gyre's op has no default or another one.
DEFAULTS = {
    "elu": {"alpha": 1.0}, "leaky_relu": {"slope": 0.01},
    "layer_norm": {"weight": 1.0, "bias": 0.0}, "rms_norm": {"weight": 1.0}, "one_hot": {"dtype": torch.int64},
    "linalg.diagonal": {"axis0": -2, "axis1": -1},
}
# Keyword values with no effect: gyre has no such option or always behaves this way.
NEUTRAL = {"alpha": (1,), "decimals": (0,), "dropout_p": (0.0,), "enable_gqa": (False, True), "approximate": ("none",),
           "reduction": ("mean",), "beta": (1,), "sparse": (False,), "scale_grad_by_freq": (False,),
           "stable": (False, True), "return_indices": (False, True), "return_inverse": (False, True),
           "return_counts": (False, True), "sorted": (False, True), "out_int32": (False,), "as_tuple": (False,),
           "upper": (False,), "full_matrices": (False,), "some": (True,), "UPLO": ("L", "U"),
           "driver": ("gels", "gelsy", "gelss", "gelsd"), "size_average": (None,), "momentum": (0.1, 0.5, -1.2, 0.0)}
# Arguments that PyTorch treats as constants.
CONSTANT = {"batch_norm": ("mean", "variance"), "cross_entropy": ("weight",), "nll": ("weight",),
            "bce_with_logits": ("pos_weight",)}


class NotTaken(Exception):
    """The call has an argument that gyre's op does not support."""


def name_of(info):
    return info.name + (f".{info.variant_test_name}" if info.variant_test_name else "")


def op_of(info):
    """The name of gyre's op; None for functions of other modules or for complex numbers only."""
    module, _, last = info.name.rpartition(".")
    known = ALIASES.get(name_of(info)) or ALIASES.get(info.name)
    if name_of(info) in OTHERS:
        return None
    if not {torch.float64, torch.float32, torch.int64} & info.dtypes:
        return None
    return known or (last if (module + "." if module else "") in MODULES else None)


def for_sample(ops, op, sample):
    """gelu with approximate="tanh" is a separate op in gyre."""
    return ops["gelu_tanh"] if op.name == "gelu" and sample.kwargs.get("approximate") == "tanh" else op


def changes_nothing(op, sample, key, value):
    if key == "dtype":
        return value == sample.input.dtype
    return value in NEUTRAL.get(key, ()) or (op.name, key) in (("floor_divide", "rounding_mode"),
                                                            ("gelu_tanh", "approximate"))


def bound(info, op, sample):
    """The sample's arguments by gyre's names; those in NEUTRAL and ORDER are unchanged."""
    known = [a["name"] for a in op.arguments] + [a["name"] for a in op.attributes]
    spelled = {**KEYWORDS, **{also: a["name"] for a in op.attributes for also in a["also"]}}
    order = ORDER.get(op.name, " ".join(known)).split()
    values = (sample.input, *sample.args)
    if len(values) > len(order):
        raise NotTaken(f"argument {len(order) + 1}")
    by_name = dict(zip(order, values))
    for key, value in sample.kwargs.items():
        name = spelled.get(key, key)
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


def moments(values, sample):
    """unbiased, by position or as a bool."""
    if isinstance(values.get("axes"), bool):
        values["correction"] = values.pop("axes")
    if isinstance(values.get("correction"), bool):
        values["correction"] = float(values["correction"])


def power(values, sample):
    if values.get("p") == "nuc":
        raise NotTaken("nuclear norm")
    if values.get("p") == "fro":
        values["p"] = 2


def put_indices(values, sample):
    values["indices"] = list(values["indices"])


def statistics(values, sample):
    values.pop("momentum", None)
    if values.pop("training", False):
        values["mean"] = values["variance"] = None


def widths(values, sample):
    """PyTorch's widths are pairs, starting at the last axis."""
    given = values.pop("widths")
    if min(given, default=0) < 0:
        raise NotTaken("negative widths")
    rest = [0] * (sample.input.dim() - len(given) // 2)
    values["before"], values["after"] = (rest + list(given[k::2])[::-1] for k in (0, 1))


def parts(values, sample):
    if isinstance(values["sizes"], int):
        axis, size = values.get("axis", 0), values["sizes"]
        length = sample.input.shape[axis]
        values["sizes"] = [min(size, length - at) for at in range(0, length, size or 1)] or [0]


def counts(values, sample):
    if isinstance(values["count"], torch.Tensor):
        raise NotTaken("repeats of a tensor")
    if "axis" not in values:
        raise NotTaken("no axis")


def windows(values, sample):
    if isinstance(values.get("padding"), str):
        raise NotTaken("padding by name")


def side(values, sample):
    values["right"] = values.get("right", False) or values.pop("side", "left") == "right"


def without_indices(values, sample):
    values.pop("return_indices", None)


ADAPTERS = {"layer_norm": rows_of_shape, "rms_norm": rms_of_shape, "cross_entropy": classes_axis,
            "nll": classes_axis, "std": moments, "var": moments, "norm": power, "index_put": put_indices,
            "batch_norm": statistics, "pad": widths, "split": parts, "repeat_interleave": counts, "conv1d": windows,
            "conv2d": windows, "searchsorted": side, "adaptive_max_pool1d": without_indices, "adaptive_max_pool2d": without_indices}


def value_for(attribute, value):
    """An attribute value in gyre's form."""
    if attribute["choices"] and value not in attribute["choices"]:
        raise NotTaken(f"{attribute['name']} {value}")
    if isinstance(value, torch.dtype):
        return str(value)
    return tuple(value) if isinstance(value, torch.Size) else value


def function_of(info):
    """gyre's function of that name, which takes the call as it is; None for an op."""
    home, _, last = info.name.rpartition(".")
    if name_of(info) in ("where", "linalg.lstsq", "linalg.lstsq.grad_oriented"):  # with another order, other results
        return None
    if home == "linalg":
        return getattr(gyre.linalg, last, None)
    return None if home else gyre._functions.functions.get(last)


def call_of(info, op, sample, function=None):
    """(tensors, argument names, attributes) of gyre's call; raises NotTaken."""
    if function:
        if info.name == "scatter" and "reduce" in sample.kwargs:
            raise NotTaken("argument reduce")
        tensors = [sample.input, *sample.args]
        return tensors, [""] * len(tensors), {k: str(v) if isinstance(v, torch.dtype) else v for k, v in sample.kwargs.items()}
    values = bound(info, op, sample)
    for name, value in {**DEFAULTS.get(op.name, {}), **DEFAULTS.get(info.name, {})}.items():
        if values.get(name) is None:
            values[name] = value
    ADAPTERS.get(op.name, lambda *_: None)(values, sample)
    tensors, names = [], []
    for argument in op.arguments:
        value = values.pop(argument["name"], None)
        value = list(value) if argument["variadic"] and value is not None else [value]
        tensors += value
        names += [argument["name"]] * len(value)
    while tensors and tensors[-1] is None:
        tensors.pop()
    kinds = {a["name"]: a for a in op.attributes}
    return tensors, names, {k: value_for(kinds[k], v) for k, v in values.items() if v is not None}
