"""Embedding tables, bilinear maps, PReLU and losses with weights, with PyTorch's arguments."""

import collections
import math

import gyre
import gyre.nn.functional as F
from gyre.nn.containers import ModuleList, Sequential
from gyre.nn.convolution import uniform
from gyre.nn.functional.lookup import refuse, row_of
from gyre.nn.layers import classes, place, torch_layer
from gyre.nn.module import Module, Parameter


def _as_parameter(weight, freeze):
    parameter = weight if isinstance(weight, Parameter) else Parameter(weight)
    return parameter.requires_grad_(not freeze)


@torch_layer
class Embedding(classes["Embedding"]):
    """Lookup table of learned embedding vectors, by index. The row padding_idx begins as zeros and gets no gradient."""

    padding_idx = None

    def __init__(self, num_embeddings, embedding_dim, padding_idx=None, max_norm=None, norm_type=2.0,
                 scale_grad_by_freq=False, sparse=False, _weight=None, _freeze=False, device=None, dtype=None):
        refuse("Embedding", max_norm, scale_grad_by_freq, sparse)
        given = {"count": num_embeddings, "width": embedding_dim}
        self._begin(self._definition.make(given, drawn=_weight is None), given)
        if _weight is not None:
            self._put({"weight": _as_parameter(_weight, _freeze)})
        self.__dict__["padding_idx"] = row_of(padding_idx, self.weight, "Embedding")
        if self.padding_idx is not None and _weight is None:
            with gyre.no_grad():
                self.weight[self.padding_idx] = 0.0
        place(self, device, dtype)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, padding_idx=None, max_norm=None, norm_type=2.0,
                        scale_grad_by_freq=False, sparse=False):
        """An embedding with these weights, which are not trained if `freeze`."""
        rows, width = embeddings.shape
        return cls(rows, width, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)

    def extra_repr(self):
        row = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return super().extra_repr() + row

    def forward(self, input):
        if self.padding_idx is None:
            return super().forward(input)
        return F.embedding(input, self.weight, self.padding_idx)


class EmbeddingBag(Module):
    """Sums, means or maxima of bags of embedding vectors."""

    def __init__(self, num_embeddings, embedding_dim, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                 mode="mean", sparse=False, _weight=None, include_last_offset=False, padding_idx=None, device=None,
                 dtype=None):
        super().__init__()
        refuse("EmbeddingBag", max_norm, scale_grad_by_freq, sparse)
        self.num_embeddings, self.embedding_dim, self.mode = num_embeddings, embedding_dim, mode
        self.include_last_offset = include_last_offset
        values = gyre.randn((num_embeddings, embedding_dim)) if _weight is None else _weight
        self.weight = _as_parameter(values, False)
        self.padding_idx = row_of(padding_idx, self.weight, "EmbeddingBag")
        if self.padding_idx is not None and _weight is None:
            with gyre.no_grad():
                self.weight[self.padding_idx] = 0.0
        place(self, device, dtype)

    @classmethod
    def from_pretrained(cls, embeddings, freeze=True, max_norm=None, norm_type=2.0, scale_grad_by_freq=False,
                        mode="mean", sparse=False, include_last_offset=False, padding_idx=None):
        """An embedding bag with these weights, which are not trained if `freeze`."""
        bag = cls(*embeddings.shape, max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings,
                  include_last_offset, padding_idx)
        bag.weight.requires_grad_(not freeze)
        return bag

    def forward(self, input, offsets=None, per_sample_weights=None):
        return F.embedding_bag(input, self.weight, offsets, mode=self.mode, per_sample_weights=per_sample_weights,
                               include_last_offset=self.include_last_offset, padding_idx=self.padding_idx)

    def extra_repr(self):
        return f"{self.num_embeddings}, {self.embedding_dim}, mode={self.mode!r}"


class Bilinear(Module):
    """x1^T W_k x2 + bias_k for each output k."""

    def __init__(self, in1_features, in2_features, out_features, bias=True, device=None, dtype=None):
        super().__init__()
        if in1_features < 1:
            raise ValueError(f"Bilinear: expected in1_features of 1 or more, got {in1_features}")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = uniform((out_features, in1_features, in2_features), in1_features)
        self.register_parameter("bias", uniform((out_features,), in1_features) if bias else None)
        place(self, device, dtype)

    def forward(self, input1, input2):
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self):
        return (f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
                f"out_features={self.out_features}, bias={self.bias is not None}")


class PReLU(Module):
    """x where x > 0, otherwise weight x; one learned weight, or one for each channel."""

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters = num_parameters
        self.weight = Parameter(gyre.full((num_parameters,), float(init)))
        place(self, device, dtype)

    def forward(self, input):
        return F.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class LinearCrossEntropyLoss(Module):
    """Cross entropy of the logits of a linear layer, `linear`, of num_classes times out_features outputs."""

    def __init__(self, in_features, num_classes, *, out_features=(), bias=False, device=None, dtype=None,
                 reduction="mean", weight=None, ignore_index=None, label_smoothing=0.0, options=None):
        super().__init__()
        self.in_features, self.num_classes, self.out_features = in_features, num_classes, tuple(out_features)
        self.reduction, self.ignore_index, self.label_smoothing = reduction, ignore_index, label_smoothing
        self.linear = classes["Linear"](in_features, num_classes * math.prod(self.out_features), bias)
        self.register_buffer("weight", weight)
        place(self, device, dtype)

    def forward(self, input, target):
        shape = (self.num_classes, *self.out_features)
        bias = None if self.linear.bias is None else self.linear.bias.reshape(shape)
        return F.linear_cross_entropy(
            input, self.linear.weight.reshape(*shape, self.in_features), target, linear_bias=bias, weight=self.weight,
            reduction=self.reduction, ignore_index=self.ignore_index, label_smoothing=self.label_smoothing)


AdaptiveOutput = collections.namedtuple("AdaptiveOutput", "output loss")


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-softmax of many classes, sorted by frequency: a head for the most frequent ones and smaller tails for the
    clusters between the cutoffs (Grave et al. 2017)."""

    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs or cutoffs != sorted(set(cutoffs)) or not 0 < cutoffs[0] or not cutoffs[-1] < n_classes:
            raise ValueError("AdaptiveLogSoftmaxWithLoss: expected increasing cutoffs from 1 to below n_classes "
                             f"{n_classes}, got {cutoffs}")
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, cutoffs + [n_classes]
        self.head = classes["Linear"](in_features, cutoffs[0] + len(cutoffs), head_bias)
        self.tail = ModuleList()
        for k, (start, stop) in enumerate(zip(self.cutoffs, self.cutoffs[1:])):
            width = int(in_features // div_value ** (k + 1))
            self.tail.append(Sequential(classes["Linear"](in_features, width, False),
                                        classes["Linear"](width, stop - start, False)))
        place(self, device, dtype)

    def log_prob(self, input):
        """Log-probabilities [..., n_classes]."""
        first = self.cutoffs[0]
        head = gyre.log_softmax(self.head(input), axis=-1)
        tails = [gyre.log_softmax(tail(input), axis=-1) + head[..., first + k:first + k + 1]
                 for k, tail in enumerate(self.tail)]
        return gyre.cat([head[..., :first], *tails], axis=-1)

    def predict(self, input):
        """The most likely classes."""
        return gyre.argmax(self.log_prob(input), axes=(-1,))

    def forward(self, input, target):
        output = gyre.gather(self.log_prob(input), target.unsqueeze(-1), axis=-1).squeeze(axes=(-1,))
        return AdaptiveOutput(output, -output.mean())


layers = {cls.__name__: cls for cls in (
    AdaptiveLogSoftmaxWithLoss, Bilinear, Embedding, EmbeddingBag, LinearCrossEntropyLoss, PReLU)}
