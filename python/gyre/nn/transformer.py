"""Multi-head attention and transformers with PyTorch's arguments. The transformer layers of the table are made by its
options: TransformerEncoder(layers=6, width=512, heads=8)."""

import copy
import inspect
import math
import reprlib

import gyre
import gyre.nn.functional as F
from gyre._gyre import _nn
from gyre.nn.containers import ModuleList
from gyre.nn.layers import classes, place, take_place
from gyre.nn.module import Module, Parameter
from gyre.nn.normalization import LayerNorm

Linear, Dropout = classes["Linear"], classes["Dropout"]


class MultiheadAttention(Module):
    """Multi-head attention of query, key and value [tokens, batch, width] (Vaswani et al. 2017), with batch_first
    [batch, tokens, width]; returns (output, weights). Boolean masks are true for keys that are masked out."""

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None,
                 vdim=None, batch_first=False, device=None, dtype=None):
        super().__init__()
        if embed_dim < 1 or num_heads < 1 or embed_dim % num_heads:
            raise ValueError("MultiheadAttention: expected embed_dim divisible by num_heads, "
                             f"got {embed_dim} and {num_heads}")
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim = kdim or embed_dim, vdim or embed_dim
        self.head_dim, self.add_zero_attn = embed_dim // num_heads, add_zero_attn
        self._separate = (self.kdim, self.vdim) != (embed_dim, embed_dim)
        if self._separate:
            for name, width in (("q", embed_dim), ("k", self.kdim), ("v", self.vdim)):
                setattr(self, f"{name}_proj_weight", _nn.init.xavier((embed_dim, width)))
        else:
            self.in_proj_weight = _nn.init.xavier((3 * embed_dim, embed_dim))
        self.register_parameter("in_proj_bias", Parameter(gyre.zeros((3 * embed_dim,))) if bias else None)
        for name in ("bias_k", "bias_v"):
            row = Parameter(gyre.randn((1, 1, embed_dim)) * math.sqrt(1 / embed_dim)) if add_bias_kv else None
            self.register_parameter(name, row)
        self.out_proj = Linear(embed_dim, embed_dim, bias)
        if bias:
            _nn.assign(self.out_proj.bias, gyre.zeros((embed_dim,)))
        place(self, device, dtype)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                average_attn_weights=True, is_causal=False):
        swap = self.batch_first and query.ndim == 3
        if swap:
            same = key is query and value is query
            query = gyre.transpose(query, 0, 1)
            key, value = (query, query) if same else (gyre.transpose(key, 0, 1), gyre.transpose(value, 0, 1))
        separate = {f"{n}_proj_weight": getattr(self, f"{n}_proj_weight") for n in "qkv"} if self._separate else {}
        out, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, None if separate else self.in_proj_weight,
            self.in_proj_bias, self.bias_k, self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight,
            self.out_proj.bias, training=self.training, key_padding_mask=key_padding_mask, need_weights=need_weights,
            attn_mask=attn_mask, use_separate_proj_weight=self._separate, average_attn_weights=average_attn_weights,
            is_causal=is_causal, **separate)
        return (gyre.transpose(out, 0, 1) if swap else out), weights

    def extra_repr(self):
        return f"embed_dim={self.embed_dim}, num_heads={self.num_heads}"


_ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu}


def _activation(activation):
    if callable(activation):
        return activation
    if activation not in _ACTIVATIONS:
        raise ValueError(f"activation: expected relu, gelu or a function, got {reprlib.repr(activation)}")
    return _ACTIVATIONS[activation]


def _either_form(cls):
    """Decorator: calls with an option of the table that PyTorch does not have make the table's layer in C++; forward
    is then the table's."""
    table, begin, alone = classes[cls.__name__], cls.__init__, cls.forward
    names = set(inspect.signature(begin).parameters)

    def __init__(self, *args, **kwargs):
        Module.__init__(self)
        if any(name not in names and self._options.option(name) for name in kwargs) or (not args and not kwargs):
            given = self._options.bind(args, kwargs)
            self._begin(self._definition.make(given), given)
        else:
            self._begin_alone({})
            begin(self, *args, **kwargs)

    def forward(self, *args, **kwargs):
        return table.forward(self, *args, **kwargs) if self._in_cpp else alone(self, *args, **kwargs)

    __init__.__signature__, forward.__signature__ = inspect.signature(begin), inspect.signature(alone)
    __init__.__qualname__, forward.__doc__ = f"{cls.__name__}.__init__", alone.__doc__
    cls.__init__, cls.forward, cls.__module__ = __init__, forward, "gyre.nn"
    cls.__doc__ = f"{cls.__doc__}\n\nAs a layer of the table: {table.__doc__}"
    return take_place(cls)


def _feed_forward(layer, d_model, dim_feedforward, dropout, activation, bias):
    layer.linear1 = Linear(d_model, dim_feedforward, bias)
    layer.dropout = Dropout(dropout)
    layer.linear2 = Linear(dim_feedforward, d_model, bias)
    layer.__dict__["activation"] = _activation(activation)


def _norms(layer, count, d_model, eps, bias, dropout):
    for k in range(1, count + 1):
        setattr(layer, f"norm{k}", LayerNorm(d_model, eps, bias=bias))
    for k in range(1, count + 1):
        setattr(layer, f"dropout{k}", Dropout(dropout))


def _fed(layer, x):
    return layer.linear2(layer.dropout(layer.activation(layer.linear1(x))))


@_either_form
class TransformerEncoderLayer(classes["TransformerEncoderLayer"]):
    """Self-attention and feed-forward network with residual connections, with PyTorch's arguments."""

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        _feed_forward(self, d_model, dim_feedforward, dropout, activation, bias)
        _norms(self, 2, d_model, layer_norm_eps, bias, dropout)
        self.__dict__["norm_first"] = norm_first
        place(self, device, dtype)

    def forward(self, src, src_mask=None, src_key_padding_mask=None, is_causal=False):
        """The encoded src."""
        def attend(x):
            return self.dropout1(self.self_attn(x, x, x, src_key_padding_mask, False, src_mask, is_causal=is_causal)[0])

        if self.norm_first:
            x = src + attend(self.norm1(src))
            return x + self.dropout2(_fed(self, self.norm2(x)))
        x = self.norm1(src + attend(src))
        return self.norm2(x + self.dropout2(_fed(self, x)))


@_either_form
class TransformerDecoderLayer(classes["TransformerDecoderLayer"]):
    """Self-attention, attention to memory and feed-forward network, with PyTorch's arguments."""

    def __init__(self, d_model, nhead, dim_feedforward=2048, dropout=0.1, activation=F.relu, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first)
        _feed_forward(self, d_model, dim_feedforward, dropout, activation, bias)
        _norms(self, 3, d_model, layer_norm_eps, bias, dropout)
        self.__dict__["norm_first"] = norm_first
        place(self, device, dtype)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=False, memory_is_causal=False):
        """The decoded tgt."""
        def attend(x):
            return self.dropout1(self.self_attn(x, x, x, tgt_key_padding_mask, False, tgt_mask,
                                                is_causal=tgt_is_causal)[0])

        def look(x):
            return self.dropout2(self.multihead_attn(x, memory, memory, memory_key_padding_mask, False, memory_mask,
                                                     is_causal=memory_is_causal)[0])

        if self.norm_first:
            x = tgt + attend(self.norm1(tgt))
            x = x + look(self.norm2(x))
            return x + self.dropout3(_fed(self, self.norm3(x)))
        x = self.norm1(tgt + attend(tgt))
        x = self.norm2(x + look(x))
        return self.norm3(x + self.dropout3(_fed(self, x)))


def _copies(layer, count):
    if not isinstance(layer, Module):
        raise TypeError(f"encoder_layer: expected a layer to copy, got {type(layer).__name__}; "
                        "by options of the table, give width= and heads=")
    return ModuleList(copy.deepcopy(layer) for _ in range(count))


def _stacked(stack, x, *inputs, **options):
    for layer in stack.layers:
        x = layer(x, *inputs, **options)
    return x if stack.norm is None else stack.norm(x)


@_either_form
class TransformerEncoder(classes["TransformerEncoder"]):
    """Stack of copies of an encoder layer with an optional final norm, with PyTorch's arguments."""

    def __init__(self, encoder_layer, num_layers, norm=None, enable_nested_tensor=True, mask_check=True):
        self.layers, self.num_layers = _copies(encoder_layer, num_layers), num_layers
        self.add_module("norm", norm)

    def forward(self, src, mask=None, src_key_padding_mask=None, is_causal=None):
        """The encoded src."""
        return _stacked(self, src, mask, src_key_padding_mask, bool(is_causal))


@_either_form
class TransformerDecoder(classes["TransformerDecoder"]):
    """Stack of copies of a decoder layer with an optional final norm, with PyTorch's arguments."""

    def __init__(self, decoder_layer, num_layers, norm=None):
        self.layers, self.num_layers = _copies(decoder_layer, num_layers), num_layers
        self.add_module("norm", norm)

    def forward(self, tgt, memory, tgt_mask=None, memory_mask=None, tgt_key_padding_mask=None,
                memory_key_padding_mask=None, tgt_is_causal=None, memory_is_causal=False):
        """The decoded tgt."""
        return _stacked(self, tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask,
                        bool(tgt_is_causal), memory_is_causal)


class Transformer(Module):
    """Encoder and decoder (Vaswani et al. 2017) with PyTorch's arguments."""

    def __init__(self, d_model=512, nhead=8, num_encoder_layers=6, num_decoder_layers=6, dim_feedforward=2048,
                 dropout=0.1, activation=F.relu, custom_encoder=None, custom_decoder=None, layer_norm_eps=1e-5,
                 batch_first=False, norm_first=False, bias=True, device=None, dtype=None):
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)

        def norm():
            return LayerNorm(d_model, layer_norm_eps, bias=bias)

        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*options), num_encoder_layers, norm())
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*options), num_decoder_layers, norm())
        for parameter in self.parameters():
            if parameter.ndim > 1:
                _nn.assign(parameter, _nn.init.xavier(parameter.shape))
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first
        place(self, device, dtype)

    def forward(self, src, tgt, src_mask=None, tgt_mask=None, memory_mask=None, src_key_padding_mask=None,
                tgt_key_padding_mask=None, memory_key_padding_mask=None, src_is_causal=None, tgt_is_causal=None,
                memory_is_causal=False):
        memory = self.encoder(src, src_mask, src_key_padding_mask, src_is_causal)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask,
                            tgt_is_causal, memory_is_causal)

    @staticmethod
    def generate_square_subsequent_mask(sz, device=None, dtype=None):
        """A causal mask to add to the scores: -inf above the diagonal."""
        mask = gyre.triu(gyre.ones((sz, sz), dtype="boolean"), diagonal=1)
        return gyre.where(mask, gyre.full((), -math.inf, dtype=dtype or gyre.f32), 0.0)


layers = {cls.__name__: cls for cls in (MultiheadAttention, Transformer, TransformerDecoder, TransformerDecoderLayer,
                                        TransformerEncoder, TransformerEncoderLayer)}
