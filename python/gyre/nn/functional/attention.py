"""Attention by PyTorch's names."""

import math

import gyre
from gyre.nn.functional.convolution import linear


def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None,
                                 enable_gqa=False):
    """softmax(scale q k^T) v of [..., heads, tokens, width]. A boolean mask is true for keys to attend to, others are
    added; is_causal: query i attends to keys 0 to i; enable_gqa: each key head serves several query heads."""
    if attn_mask is not None and is_causal:
        raise ValueError("scaled_dot_product_attention: expected either attn_mask or is_causal, got both")
    if enable_gqa and query.shape[-3] != key.shape[-3]:
        repeats = query.shape[-3] // key.shape[-3]
        key, value = (gyre.repeat_interleave(t, count=repeats, axis=-3) for t in (key, value))
    lead = _batch_shape(query, key, value)
    query, key, value = (gyre.expand(t, (*lead, *t.shape[-2:])) for t in (query, key, value))
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    if is_causal:
        attn_mask = gyre.tril(gyre.ones((query.shape[-2], key.shape[-2]), dtype="boolean"))
    plain = scale is None and not dropout_p and 0 not in query.shape and 0 not in key.shape
    if plain:
        return gyre.scaled_dot_product_attention(query, key, value, attn_mask)
    weights = attention_weights(query * factor, key, attn_mask)
    return gyre.matmul(gyre.dropout(weights, dropout_p) if dropout_p else weights, value)


def _batch_shape(*tensors):
    shapes = [t.shape[:-2] for t in tensors]
    longest = max(len(s) for s in shapes)
    return [max(s[i - longest] if len(s) >= longest - i else 1 for s in shapes) for i in range(longest)]


def attention_weights(query, key, mask=None):
    """softmax(q k^T + mask); a boolean mask is true for keys to attend to."""
    scores = gyre.matmul(query, gyre.transpose(key, -2, -1))
    if mask is None:
        return gyre.softmax(scores, axis=-1)
    if mask.dtype == gyre.boolean:
        none = gyre.any(mask, axes=(-1,), keepdim=True).logical_not()  # such a row has weights 0
        scores = gyre.where(mask, scores, -math.inf)
        return gyre.where(none, 0.0, gyre.softmax(gyre.where(none, 0.0, scores), axis=-1))
    return gyre.softmax(scores + mask, axis=-1)


def _added(mask, dtype):
    """A mask as numbers to add to the scores; in PyTorch's attention layers true means masked out."""
    if mask is None or mask.dtype != gyre.boolean:
        return mask
    return gyre.where(mask, gyre.tensor(-math.inf, dtype=dtype), 0.0)


def _projections(query, key, value, in_proj_weight, in_proj_bias, separate):
    """Query, key and value projected to the model width."""
    weights = separate or gyre.chunk(in_proj_weight, 3, axis=0)
    biases = (None,) * 3 if in_proj_bias is None else gyre.chunk(in_proj_bias, 3, axis=0)
    if separate is None and query is key and key is value:
        return gyre.chunk(gyre.linear(query, in_proj_weight, in_proj_bias), 3, axis=-1)
    return [linear(x, w, b) for x, w, b in zip((query, key, value), weights, biases)]


def _heads(x, batch, heads):
    """[tokens, batch, width] as [batch, heads, tokens, width / heads]."""
    return gyre.permute(x.reshape(x.shape[0], batch, heads, -1), (1, 2, 0, 3))


def _with_row(x, row):
    return gyre.cat([x, row], axis=0)


def _longer(mask):
    """A mask with a column for one more key."""
    return None if mask is None else gyre.pad(mask, [0] * mask.ndim, [0] * (mask.ndim - 1) + [1])


def multi_head_attention_forward(query, key, value, embed_dim_to_check, num_heads, in_proj_weight, in_proj_bias,
                                 bias_k, bias_v, add_zero_attn, dropout_p, out_proj_weight, out_proj_bias,
                                 training=True, key_padding_mask=None, need_weights=True, attn_mask=None,
                                 use_separate_proj_weight=False, q_proj_weight=None, k_proj_weight=None,
                                 v_proj_weight=None, static_k=None, static_v=None, average_attn_weights=True,
                                 is_causal=False):
    """Multi-head attention of query [tokens, batch, width] with PyTorch's arguments: (output, weights). Boolean masks
    are true for keys that are masked out. The batch axis is optional."""
    if static_k is not None or static_v is not None:
        raise ValueError("multi_head_attention_forward: gyre has no static_k and static_v; "
                         "call scaled_dot_product_attention")
    if query.shape[-1] != embed_dim_to_check:
        raise ValueError(f"multi_head_attention_forward: expected query width {embed_dim_to_check}, "
                         f"got {query.shape[-1]}")
    if is_causal and attn_mask is None:
        raise ValueError("multi_head_attention_forward: expected attn_mask with is_causal, got None")
    single = query.ndim == 2
    if single:
        one = key is query and value is query
        query = query.unsqueeze(1)
        key, value = (query, query) if one else (key.unsqueeze(1), value.unsqueeze(1))
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    batch, targets, width = query.shape[1], query.shape[0], query.shape[-1]
    separate = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None
    q, k, v = _projections(query, key, value, in_proj_weight, in_proj_bias, separate)
    attn_mask, key_padding_mask = _added(attn_mask, q.dtype), _added(key_padding_mask, q.dtype)
    rows = [] if bias_k is None else [tuple(gyre.expand(b, (1, batch, width)) for b in (bias_k, bias_v))]
    rows += [(gyre.zeros((1, batch, width), dtype=q.dtype),) * 2] if add_zero_attn else []
    for row_k, row_v in rows:
        k, v, attn_mask, key_padding_mask = (_with_row(k, row_k), _with_row(v, row_v), _longer(attn_mask),
                                             _longer(key_padding_mask))
    mask = _joined(attn_mask, key_padding_mask, batch, num_heads)
    q, k, v = (_heads(t, batch, num_heads) for t in (q, k, v))
    dropped = dropout_p if training else 0.0
    if need_weights:
        weights = attention_weights(q / math.sqrt(q.shape[-1]), k, mask)
        weights = gyre.dropout(weights, dropped) if dropped else weights
        seen = gyre.matmul(weights, v)
    else:
        seen = scaled_dot_product_attention(q, k, v, mask, dropped)
    out = gyre.linear(gyre.permute(seen, (2, 0, 1, 3)).reshape(targets, batch, width), out_proj_weight, out_proj_bias)
    out = out[:, 0] if single else out
    if not need_weights:
        return out, None
    weights = weights.mean(axes=(1,)) if average_attn_weights else weights
    return out, weights[0] if single else weights


def _joined(attn_mask, key_padding_mask, batch, heads):
    """The sum of both masks, broadcast to [batch, heads, queries, keys]."""
    if attn_mask is not None and attn_mask.ndim == 3:
        attn_mask = attn_mask.reshape(batch, heads, *attn_mask.shape[1:])
    if key_padding_mask is None:
        return attn_mask
    padding = key_padding_mask.reshape(batch, 1, 1, -1)
    return padding if attn_mask is None else attn_mask + padding
