# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

class EmbedReport:
    """Results of training an embedding; notebooks show it."""
    def __init__(self, mean_rank: typing.Any, map: typing.Any, seconds: typing.Any, nodes: typing.Any, pairs: typing.Any, epochs: typing.Any, new_epochs: typing.Any, loss: typing.Any, pairs_per_second: typing.Any, best_epoch: typing.Any, best_mean_rank: typing.Any, baseline_mean_rank: typing.Any, baseline_map: typing.Any, interrupted: typing.Any, stopped_early: typing.Any) -> None: ...
    def __getattr__(self, name: str, /) -> Any: ...
class Embedding:
    """An embedding from a folder written by embed() or `gyre embed`. A word is the name of a node
    ("dog.n.01") or its lemma ("dog").
    """
    def __init__(self, folder: Any) -> None: ...
    @property
    def names(self) -> Any: ...
    @property
    def points(self) -> Any: ...
    @property
    def model(self) -> Any: ...
    def index(self, word: str) -> int:
        """index in `names` of a node's name, or of the first node with a lemma"""
    def distance(self, a: str, b: str) -> float:
        """distance between two nodes"""
    def __len__(self) -> int: ...
    def __getitem__(self, word: Any) -> Any: ...
    def query(self, word: Any, neighbours: int = 10) -> Any:
        """The nearest nodes and the ancestors of a word, as Neighbours."""
    def __getattr__(self, name: str, /) -> Any: ...
class Generated:
    """Generated text: prompt and continuation as text and as token ids, the continuation alone
    (new_text) and the number of its tokens, why it ended (finish_reason "stop": at a token or string
    that ends it, or as complete JSON; "length": after max_tokens), and the time in seconds. With
    logprobs=n also the log-probability of each new token, and for each of them the n most likely tokens
    as pairs of id and log-probability. `notes` says, as the UserWarnings do, what of the prompt or of
    the model's settings has no effect.
    """
    def __init__(self, text: str, new_text: str, ids: Any, new_tokens: int, finish_reason: str, seconds: float, logprobs: Any = ..., top_logprobs: Any = ..., notes: Any = ...) -> None: ...
class LanguageModel:
    """A language model and its tokenizer: LanguageModel(path) of a folder of gyre or Hugging Face, a
    GGUF file or one of llama2.c (.bin), or LanguageModel(module, tokenizer) of a language model such as
    gyre.nn.GPT. A `tokenizer` that is given, one or its path, is used instead of that of the path.
    Without a tokenizer, prompts are lists of token ids; an error of the path's tokenizer is raised
    where a text needs it.
    """
    def __init__(self, model: Any, tokenizer: Any = None) -> None: ...
    def ids(self, text: Any) -> Any:
        """The token ids of a text as the model gets them; lists of ids pass unchanged."""
    def generate(self, prompt: Any = '', *, max_tokens: int = 100, logit_bias: Any = ..., repetition_penalty: float = 1.0, presence_penalty: float = 0.0, frequency_penalty: float = 0.0, no_repeat_ngram_size: int = 0, dry_multiplier: float = 0.0, dry_base: float = 1.75, dry_allowed_length: int = 2, greedy: bool = False, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0, min_p: float = 0.0, typical_p: float = 1.0, xtc_probability: float = 0.0, xtc_threshold: float = 0.1, seed: int = 0, beams: int = 1, length_penalty: float = 1.0, stop: Any = ..., ignore_eos: bool = False, logprobs: int = -1, json_schema: Any = '', draft: str = '', cache_dtype: Any = 'model', overflow: Any = 'rotate', int8_activations: bool = False) -> Any:
        """Continues a prompt, a text or a list of token ids, and returns a Generated. A list of prompts is
        continued as         a batch, which is faster than one after the other, and gives a list; prompt i
        gets seed + i. logit_bias may be a         dict {id: value}, json_schema a dict.
        """
    def stream(self, prompt: Any = '', *, max_tokens: int = 100, logit_bias: Any = ..., repetition_penalty: float = 1.0, presence_penalty: float = 0.0, frequency_penalty: float = 0.0, no_repeat_ngram_size: int = 0, dry_multiplier: float = 0.0, dry_base: float = 1.75, dry_allowed_length: int = 2, greedy: bool = False, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0, min_p: float = 0.0, typical_p: float = 1.0, xtc_probability: float = 0.0, xtc_threshold: float = 0.1, seed: int = 0, beams: int = 1, length_penalty: float = 1.0, stop: Any = ..., ignore_eos: bool = False, logprobs: int = -1, json_schema: Any = '', draft: str = '', cache_dtype: Any = 'model', overflow: Any = 'rotate', int8_activations: bool = False) -> Any:
        """The pieces of new text, one by one as soon as they are final: an iterator. Closing it ends the
        generation.
        """
    def logits(self, text: Any) -> Any:
        """Next-token logits [tokens, vocabulary] of a text or a list of token ids, f32."""
    def perplexity(self, text: Any, *, stride: int = 0, context: int = 0, max_tokens: int = 0, int8_activations: bool = False) -> Any:
        """How well the model predicts a text, as `gyre perplexity` does: a Perplexity with perplexity, loss
        in nats per         token, bits_per_byte, tokens, bytes, seconds.
        """
class Neighbours:
    """Neighbours of a node in an embedding: (name, distance) of the nearest nodes, nearest first, and
    of its ancestors, most specific first.
    """
    def __init__(self, name: str, neighbours: Any, ancestors: Any) -> None: ...
class Perplexity:
    """How well a model predicts a text."""
    def __init__(self, perplexity: typing.Any, loss: typing.Any, bits_per_byte: typing.Any, tokens: typing.Any, bytes: typing.Any, seconds: typing.Any) -> None: ...
class Predictions:
    """Predictions of a model: class indices or values, class probabilities for a classifier, and, if
    the targets are known, metrics by name, else NaN.
    """
    def __init__(self, values: Any, probabilities: Any, figures: Any) -> None: ...
class Predictor:
    """A trained network for images, arrays or a table: Predictor(folder). It encodes new data as in
    training.
    """
    def __init__(self, folder: Any) -> None: ...
    @property
    def classes(self) -> Any: ...
    @property
    def target(self) -> Any: ...
    def of_source(self, source: str, strict: bool) -> tuple[Any, ...]: ...
    def of_arrays(self, x: object, y: object | None) -> dict[Any, Any]: ...
    def __call__(self, data: Any, y: Any = None, *, unknown: Any = 'missing') -> Any: ...
    def __getattr__(self, name: str, /) -> Any: ...
class SentenceEncoder:
    """A text encoder of a folder of Hugging Face or sentence-transformers, with its tokenizer."""
    def __init__(self, folder: Any) -> None: ...
    @property
    def context(self) -> Any: ...
    @property
    def width(self) -> Any: ...
    def encode(self, texts: Any, *, pooling: Any = 'stated', normalize: bool = False, max_tokens: int = 0, batch: int = 32) -> Any:
        """Vectors [texts, width] f32, as `gyre encode` computes them: of a list of texts, each a str or a
        list of token         ids with special tokens; of one str a vector [width]. With pooling="none"
        hidden states [texts, most tokens,         width], 0 after the end of a text.
        """
    def __getattr__(self, name: str, /) -> Any: ...
class TrainReport:
    """Results of a training run; notebooks show its loss curve."""
    def __init__(self, steps: typing.Any, new_steps: typing.Any, train_loss: typing.Any, val_loss: typing.Any, val_bits_per_byte: typing.Any, val_accuracy: typing.Any, val_mae: typing.Any, val_r2: typing.Any, best_step: typing.Any, best_loss: typing.Any, initial_loss: typing.Any, seconds: typing.Any, tokens_per_second: typing.Any, peak_bytes: typing.Any, state_bytes: typing.Any, bytes_per_weight: typing.Any, checkpoint: typing.Any, lr: typing.Any, parameters: typing.Any, unit: typing.Any, interrupted: typing.Any, stopped_early: typing.Any) -> None: ...
    def __getattr__(self, name: str, /) -> Any: ...
def compress(module: Any, format: Any = None, *, target: Any = None, policy: Any = None, least_weights: Any = 4096, progress: Any = None) -> Any:
    """Packs the weights of a module in place, and returns a list of CompressedTensor; of a state dict,
    returns a new one. Tensors of one axis, or with fewer than `least_weights` elements, stay as they
    are. The format is D4 unless given.
    """
def embed(data: Any = '', *, model: Any = 'poincare', dim: int = 5, epochs: int = 0, lr: float = 0.0, negatives: int = 50, batch_size: int = 0, burn_in: int = 10, baseline: bool = True, picture: bool = True, columns: str = '', header: Any = 'detect', closure: bool = False, eval_every: int = 50, patience: int = 0, eval_nodes: int = 100000, until_rank: float = 0.0, save_every: int = 200, stop_at: int = 0, resume: bool = False, out: str = '', config: str = '', print_config: bool = False, seed: int = 1, threads: int = 0, progress: Any = True, watch: Any = None) -> Any:
    """Trains an embedding of a taxonomy as `gyre embed` does. `data` is a file of edges,
    "wordnet:mammals",     "wordnet:nouns" or "wordnet:WORD", and the options are those of the command.
    Returns an EmbedReport and     writes the same folder `out` as the command; Embedding(out) loads it.
    """
def generate(model: Any, prompt: Any = '', *, ids: Any = ..., max_tokens: int = 100, logit_bias: Any = ..., repetition_penalty: float = 1.0, presence_penalty: float = 0.0, frequency_penalty: float = 0.0, no_repeat_ngram_size: int = 0, dry_multiplier: float = 0.0, dry_base: float = 1.75, dry_allowed_length: int = 2, greedy: bool = False, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0, min_p: float = 0.0, typical_p: float = 1.0, xtc_probability: float = 0.0, xtc_threshold: float = 0.1, seed: int = 0, beams: int = 1, length_penalty: float = 1.0, stop: Any = ..., ignore_eos: bool = False, logprobs: int = -1, json_schema: Any = '', draft: str = '', cache_dtype: Any = 'model', overflow: Any = 'rotate', int8_activations: bool = False, tokenizer: Any = None, stream: Any = None) -> Any:
    """Continues a prompt as `gyre generate` does. `model` is a path as LanguageModel takes it, or a GPT
    module (from     load_model() or gyre.nn). `tokenizer` is a gyre.Tokenizer, or the path of one or of
    another model: needed for a     module and for a path without any, unless `ids` are given; then
    there is no text. logit_bias may be a dict     {id: value}, json_schema a dict. stream(piece) is
    called with each piece of new text as soon as it is final.
    """
def load_model(folder: Any) -> Any:
    """Loads a model from a training folder, one of its checkpoints, a folder of Hugging Face, a GGUF
    file or one of llama2.c: a gyre.nn.Module in eval mode. For networks of layers, `model.save_info` is
    the content of model.json (input, target, data encoding); Predictor encodes data with it.
    """
def save_model(folder: Any, model: Any, tokenizer: Any = None) -> Any:
    """Saves a gyre.nn.GPT and its tokenizer for `gyre generate` and load_model(): in the GPT-2 format
    of Hugging Face, which transformers opens too, or, if an option is not GPT-2's (positions="rotary"),
    in gyre's own format. For other modules use gyre.save(model.state_dict(), path).
    """
def train(data: Any = (), *, val_fraction: float = 0.1, epochs: float = 0.0, num_workers: int = 0, preset: str = '', model: str = '', out: str = '', config: str = '', print_config: bool = False, seed: int = 1, threads: int = 0, batch_size: int = 12, gradient_accumulation_steps: int = 1, gradient_checkpointing: int = 0, steps: int = 2000, optimizer: str = 'adamw', optimizer_options: str = '', weight_decay: float = 0.1, beta1: float = 0.9, beta2: float = 0.99, packed_mode: str = 'shadow', max_grad_norm: float = 1.0, non_finite: Any = 'raise', ema_decay: float = 0.0, lr: float = 0.001, min_lr: float = -1.0, warmup_steps: int = 100, schedule: Any = 'cosine', lr_gamma: float = 0.1, lr_every: int = 1000, lr_decay: float = 0.2, dtype: Any = 'f32', loss_scale: float = 0.0, eval_every: int = 250, patience: int = 0, save_every: int = 500, stop_at: int = 0, resume: bool = False, sample_every: int = 0, sample_tokens: int = 64, sample_prompt: str = '', log_every: int = 10, trace: str = '', trace_steps: int = 5, check_nan: bool = False, check_overflow: bool = False, compare: Any = ..., split: Any = 'auto', tokenizer: str = 'bpe:2048', sequence_length: int = 0, eval_batches: int = 200, init: str = '', packed: Any = 'none', target: str = '', exclude: Any = ..., task: Any = 'detect', header: Any = 'detect', decimal: Any = 'detect', include: Any = ..., block_size: int = 64, layers: int = 4, width: int = 128, heads: int = 4, inner: int = 0, bias: bool = True, activation: Any = 'gelu_tanh', tie_embeddings: bool = True, dropout: float = 0.0, positions: Any = 'learned', rope_base: float = 10000.0, norm: Any = 'layer', norm_place: Any = 'before', norm_embeddings: bool = False, head_norm: Any = 'none', gated: bool = False, kv_heads: int = 0, head_size: int = 0, window: int = 0, separate: bool = False, attention_bias: Any = 'as_bias', norm_offset: bool = False, rotary_size: int = 0, rope_scaling: Any = 'none', rope_factor: float = 1.0, rope_slow: float = 1.0, rope_fast: float = 4.0, rope_attention: float = 1.0, rope_original: int = 0, rope_truncate: bool = True, rope_interleaved: bool = False, rope_short: Any = ..., rope_long: Any = ..., layer_types: Any = ..., window_rope_base: float = 0.0, embedding_scale: float = 1.0, attention_scale: float = 0.0, residual_scale: float = 1.0, logit_scale: float = 1.0, score_cap: float = 0.0, logit_cap: float = 0.0, progress: Any = True, watch: Any = None) -> Any:
    """Trains a model as `gyre train` does. `data` is one source or a list, as for the command (files,
    "wordnet:glosses", "mnist:FOLDER"), and the options are those of the command. Returns a TrainReport
    and     writes the same folder `out` as the command.
    """
