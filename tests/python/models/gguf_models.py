"""Models of transformers as GGUF files, written by the `gguf` package with the names, fields and orders of rows that
llama.cpp's converter gives them."""

import json
import math

import gguf
import numpy

ARCHITECTURES = {"mistral": "llama", "gemma3_text": "gemma3"}  # where it is not the model type
INTERLEAVED = ("llama", "mistral", "smollm3", "granite")
OFFSET = ("gemma2", "gemma3_text")
CONV1D = ("c_attn.weight", "c_proj.weight", "c_fc.weight")
ROPE = {"linear": gguf.RopeScalingType.LINEAR, "yarn": gguf.RopeScalingType.YARN}


def permuted(rows, heads):
    """Rows for rope by halves in the order for interleaved rope."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def halved(rows, heads):
    """The inverse of permuted()."""
    return rows.reshape(heads, rows.shape[0] // heads // 2, 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


def llama3_factors(rope, head):
    base, factor, low, high = rope["rope_theta"], rope["factor"], rope["low_freq_factor"], rope["high_freq_factor"]
    turns = rope["original_max_position_embeddings"] * base ** (-numpy.arange(0, head, 2) / head) / (2 * math.pi)
    kept = numpy.clip((turns - low) / (high - low), 0, 1)
    return (1 / ((1 - kept) / factor + kept)).astype(numpy.float32)


def add_rope(writer, config, head):
    rope = config.get("rope_parameters") or {}
    rope = rope.get("full_attention", rope)
    kind = rope.get("rope_type", "default")
    writer.add_rope_freq_base(rope.get("rope_theta", 10000.0))
    writer.add_rope_dimension_count(int(head * rope.get("partial_rotary_factor", 1)))
    if kind in ROPE:
        writer.add_rope_scaling_type(ROPE[kind])
        writer.add_rope_scaling_factor(rope["factor"])
    if kind == "yarn":
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    if kind == "llama3":
        writer.add_tensor("rope_freqs.weight", llama3_factors(rope, head))
    if kind == "longrope":
        longer = config["max_position_embeddings"] / rope["original_max_position_embeddings"]
        attention = math.sqrt(1 + math.log(longer) / math.log(rope["original_max_position_embeddings"]))
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
        writer.add_rope_scaling_attn_factors(attention)
        for name in ("long", "short"):
            writer.add_tensor(f"rope_factors_{name}.weight", numpy.array(rope[f"{name}_factor"], "f4"))


def add_llama_fields(writer, config):
    kind, heads = config["model_type"], config["num_attention_heads"]
    head = config.get("head_dim") or config["hidden_size"] // heads
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(heads)
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_key_length(head)
    writer.add_value_length(head)
    add_rope(writer, config, head)
    if config.get("sliding_window") and kind not in ("qwen2", "qwen3", "smollm3"):
        writer.add_sliding_window(config["sliding_window"])
    if kind == "gemma2":
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"] or 0.0)
        writer.add_final_logit_softcapping(config["final_logit_softcapping"] or 0.0)
    if kind == "gemma3_text":
        windows = config["rope_parameters"]["sliding_attention"]
        writer.add_float32("gemma3.rope.freq_base_swa", windows["rope_theta"])
    if kind == "granite":
        writer.add_attention_scale(config["attention_multiplier"])
        writer.add_embedding_scale(config["embedding_multiplier"])
        writer.add_residual_scale(config["residual_multiplier"])
        writer.add_logit_scale(config["logits_scaling"])


def add_gpt2_fields(writer, config):
    writer.add_context_length(config["n_positions"])
    writer.add_embedding_length(config["n_embd"])
    writer.add_block_count(config["n_layer"])
    writer.add_feed_forward_length(4 * config["n_embd"])
    writer.add_head_count(config["n_head"])
    writer.add_layer_norm_eps(config["layer_norm_epsilon"])


def named(config):
    """The architecture of GGUF, and a function from names of transformers to its own."""
    kind = config["model_type"]
    architecture = ARCHITECTURES.get(kind, kind)
    number = next(key for key, name in gguf.MODEL_ARCH_NAMES.items() if name == architecture)
    layers = config["n_layer"] if kind == "gpt2" else config["num_hidden_layers"]
    names = gguf.get_tensor_name_map(number, layers)
    return architecture, lambda name: names.get_name(name, try_suffixes=(".weight", ".bias"))


def stored(name, array, config):
    """A tensor of transformers as it lies in GGUF."""
    kind = config["model_type"]
    if kind in INTERLEAVED and ".q_proj." in name:
        array = permuted(array, config["num_attention_heads"])
    if kind in INTERLEAVED and ".k_proj." in name:
        array = permuted(array, config["num_key_value_heads"])
    if kind in OFFSET and name.endswith("norm.weight"):
        array = array + 1
    if kind == "gpt2" and name.endswith(CONV1D):
        array = array.T
    return numpy.ascontiguousarray(array)


def restored(name, array, config):
    """The inverse of stored() for matrices."""
    kind = config["model_type"]
    if kind in INTERLEAVED and ".q_proj." in name:
        array = halved(array, config["num_attention_heads"])
    if kind in INTERLEAVED and ".k_proj." in name:
        array = halved(array, config["num_key_value_heads"])
    if kind == "gpt2" and name.endswith(CONV1D):
        array = array.T
    return numpy.ascontiguousarray(array)


def write_model(path, config, state, quantise=None, fields=lambda writer: None, **options):
    """Writes the tensors (arrays by name) of a model. `quantise`: the type of a matrix by its name and array, or None.
    `fields` adds more metadata; `options` are GGUFWriter's."""
    architecture, name_of = named(config)
    writer = gguf.GGUFWriter(path, architecture, **options)
    (add_gpt2_fields if config["model_type"] == "gpt2" else add_llama_fields)(writer, config)
    if config.get("eos_token_id") is not None:
        writer.add_eos_token_id(config["eos_token_id"])
    fields(writer)
    tied = config.get("tie_word_embeddings", config["model_type"] == "gpt2")
    for name, array in state.items():
        if (tied and name == "lm_head.weight") or name.endswith((".attn.bias", ".masked_bias")):
            continue
        array = stored(name, array, config)
        kind = quantise(name, array) if quantise and array.ndim == 2 else None
        if kind is None:
            writer.add_tensor(name_of(name), array)
        else:
            writer.add_tensor(name_of(name), gguf.quants.quantize(array, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_folder(path, folder, **options):
    """The GGUF file of a Hugging Face folder."""
    from safetensors.numpy import load_file
    config = json.loads((folder / "config.json").read_text())
    write_model(path, config, load_file(folder / "model.safetensors"), **options)
