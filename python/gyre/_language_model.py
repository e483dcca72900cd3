"""Language models of folders: text generation, logits, perplexity."""

import collections.abc
import dataclasses
import inspect
import json
import os
import queue
import threading
import warnings

from gyre import _gyre
from gyre._gyre import _models
from gyre._options import Options, documented, given_options
from gyre.nn import _made
from gyre.nn.layers import _blank_layer, classes, held


def _options(owner, fields, *left_out):
    """Those of a command without some; json_schema may be a dict."""
    return Options(owner, [{**f, "type": "dict or str"} if f["name"] == "json_schema" else f
                           for f in fields if f["name"] not in left_out])


_generate = _options("generate", _models.generate_options, "prompt", "tokenizer")
_continue = _options("generate", _models.generate_options, "prompt", "ids", "tokenizer")
_perplexity = _options("perplexity", _models.perplexity_options, "file", "tokenizer")


def _given(options, kwargs):
    """given_options(), with what Python has as dicts as text: logit_bias {id: value}, json_schema."""
    given = given_options(options, kwargs)
    if isinstance(bias := given.get("logit_bias"), collections.abc.Mapping):
        given["logit_bias"] = [f"{int(token)}={float(value)!r}" for token, value in bias.items()]
    if isinstance(schema := given.get("json_schema"), collections.abc.Mapping):
        given["json_schema"] = json.dumps(dict(schema))
    return given


@dataclasses.dataclass(frozen=True)
class Generated:
    """Generated text: prompt and continuation as text and as token ids, the continuation alone (new_text) and the
    number of its tokens, why it ended (finish_reason "stop": at a token or string that ends it, or as complete JSON;
    "length": after max_tokens), and the time in seconds. With logprobs=n also the log-probability of each new token, and
    for each of them the n most likely tokens as pairs of id and log-probability. `notes` says, as the UserWarnings do,
    what of the prompt or of the model's settings has no effect."""

    text: str
    new_text: str
    ids: list
    new_tokens: int
    finish_reason: str
    seconds: float
    logprobs: list = dataclasses.field(default_factory=list)
    top_logprobs: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)

    def __str__(self):
        return self.text


def _warn(notes, level=3):
    """A UserWarning for each, of the caller's caller."""
    for note in dict.fromkeys(notes):
        warnings.warn(note, UserWarning, stacklevel=level)


Perplexity = dataclasses.make_dataclass("Perplexity", [f["name"] for f in _models.perplexity_fields], frozen=True)
Perplexity.__module__ = "gyre.models"
Perplexity.__doc__ = ("How well a model predicts a text.\n\n" + "\n".join(f"    {f['name']}: {f['doc']}"
                                                                      for f in _models.perplexity_fields))


@documented(_generate, inspect.Parameter.KEYWORD_ONLY)
def generate(model, prompt="", *, tokenizer=None, stream=None, **options):
    """Continues a prompt as `gyre generate` does. `model` is a path as LanguageModel takes it, or a GPT module (from
    load_model() or gyre.nn). `tokenizer` is a gyre.Tokenizer, or the path of one or of another model: needed for a
    module and for a path without any, unless `ids` are given; then there is no text. logit_bias may be a dict
    {id: value}, json_schema a dict. stream(piece) is called with each piece of new text as soon as it is final."""
    given = _given(_generate, options)
    if prompt != "":
        given["prompt"] = prompt
    if isinstance(tokenizer, (str, os.PathLike)):
        tokenizer = _gyre.Tokenizer.load(tokenizer)
    elif not isinstance(tokenizer, (_gyre.Tokenizer, type(None))):
        raise TypeError(f"tokenizer: expected a gyre.Tokenizer or a path, got {type(tokenizer).__name__}")
    is_path = isinstance(model, (str, os.PathLike))
    call = _models.generate_in if is_path else _models.generate_with
    made = Generated(**call(os.fspath(model) if is_path else model, tokenizer, given, stream))
    _warn(made.notes)
    return made


def load_model(folder):
    """Loads a model from a training folder, one of its checkpoints, a folder of Hugging Face, a GGUF file or one of
    llama2.c: a gyre.nn.Module in eval mode. For networks of layers, `model.save_info` is the content of model.json (input, target, data encoding);
    Predictor encodes data with it."""
    folder = os.fspath(folder)
    description = os.path.join(folder, "model.json")
    if not os.path.exists(description):
        name, options, core = _models.load_model(folder)
        return held(classes[name], core, options).eval()
    info = _models.read_json(description)
    model = _made(info["model"], _blank_layer)
    _models.lend_weights(os.path.join(folder, "model.safetensors"), model)
    model.save_info = {name: value for name, value in info.items() if name != "model"}
    return model.eval()


class LanguageModel:
    """A language model and its tokenizer: LanguageModel(path) of a folder of gyre or Hugging Face, a GGUF file or
    one of llama2.c (.bin), or LanguageModel(module, tokenizer) of a language model such as gyre.nn.GPT. A `tokenizer`
    that is given, one or its path, is used instead of that of the path. Without a tokenizer, prompts are lists of
    token ids; an error of the path's tokenizer is raised where a text needs it.

        model = gyre.LanguageModel("SmolLM2-135M")
        print(model.generate("The sun is", max_tokens=20, greedy=True))
        for piece in model.stream("The sun is"):
            print(piece, end="", flush=True)
    """

    def __init__(self, model, tokenizer=None):
        self._unread = None  # the path of a tokenizer that cannot be read, which only texts need
        if isinstance(tokenizer, (str, os.PathLike)):
            tokenizer = _gyre.Tokenizer.load(tokenizer)
        if isinstance(model, (str, os.PathLike)):
            if tokenizer is None:
                try:
                    tokenizer = _models.tokenizer_of(os.fspath(model))
                except _gyre.Error:
                    self._unread = os.fspath(model)
            model = load_model(model)
        self.model, self.tokenizer = model, tokenizer

    def __repr__(self):
        count = sum(p.numel() for p in self.model.parameters())
        words = f", vocabulary of {self.tokenizer.vocab_size}" if self.tokenizer else ", no tokenizer"
        return f"LanguageModel({type(self.model).__name__} of {count:,} parameters{words})"

    def ids(self, text):
        """The token ids of a text as the model gets them; lists of ids pass unchanged."""
        if not isinstance(text, str):
            return [int(i) for i in text]
        return _models.prompt_ids(self._tokenizer(), text)

    def _read(self):
        """Reads the tokenizer again where that failed, for its error."""
        if self.tokenizer is None and self._unread is not None:
            self.tokenizer = _models.tokenizer_of(self._unread)

    def _tokenizer(self):
        self._read()
        if self.tokenizer is None:
            raise ValueError("the model has no tokenizer; give lists of token ids instead of text, or "
                             "LanguageModel(model, tokenizer)")
        return self.tokenizer

    def _check_readable(self, is_text, given):
        if is_text or given.get("stop") or given.get("json_schema"):
            self._read()

    def _continued(self, prompt, given, stream):
        """The C++ function generate() for a text or a list of token ids."""
        is_text = isinstance(prompt, str)
        self._check_readable(is_text, given)
        given = given | ({"prompt": prompt} if is_text else {"ids": [str(i) for i in prompt]})
        return _models.generate_with(self.model, self.tokenizer, given, stream)

    @documented(_continue, inspect.Parameter.KEYWORD_ONLY)
    def generate(self, prompt="", **options):
        """Continues a prompt, a text or a list of token ids, and returns a Generated. A list of prompts is continued as
        a batch, which is faster than one after the other, and gives a list; prompt i gets seed + i. logit_bias may be a
        dict {id: value}, json_schema a dict."""
        given = _given(_continue, options)
        prompts = prompt if isinstance(prompt, str) else list(prompt)
        if isinstance(prompts, str) or (prompts and all(isinstance(i, int) for i in prompts)):
            made = Generated(**self._continued(prompts, given, None))
            _warn(made.notes)
            return made
        self._check_readable(False, given)
        batch = _models.generate_batch(self.model, self.tokenizer, [self.ids(p) for p in prompts], given)
        texts = [Generated(**one) for one in batch]
        _warn(note for one in texts for note in one.notes)
        return texts

    @documented(_continue, inspect.Parameter.KEYWORD_ONLY)
    def stream(self, prompt="", **options):
        """The pieces of new text, one by one as soon as they are final: an iterator. Closing it ends the generation."""
        given = _given(_continue, options)
        return self._pieces(prompt if isinstance(prompt, str) else list(prompt), given)

    def _pieces(self, prompt, given):
        self._check_readable(isinstance(prompt, str), given)
        prompt = self.ids(prompt)
        _warn(_models.generation_notes(self.model, self.tokenizer, given, len(prompt)))
        pieces, closed, end = queue.Queue(), threading.Event(), object()

        def put(piece):
            if closed.is_set():
                raise GeneratorExit
            pieces.put(piece)

        def run():
            try:
                self._continued(prompt, given, put)
                pieces.put(end)
            except BaseException as error:
                pieces.put(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        try:
            while (piece := pieces.get()) is not end:
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            closed.set()
            thread.join()

    def logits(self, text):
        """Next-token logits [tokens, vocabulary] of a text or a list of token ids, f32."""
        with _gyre.no_grad():
            return self.model(_gyre.tensor([self.ids(text)], dtype="i64"))[0].to("f32")

    @documented(_perplexity, inspect.Parameter.KEYWORD_ONLY)
    def perplexity(self, text, **options):
        """How well the model predicts a text, as `gyre perplexity` does: a Perplexity with perplexity, loss in nats per
        token, bits_per_byte, tokens, bytes, seconds."""
        given = given_options(_perplexity, options)
        return Perplexity(**_models.perplexity_with(self.model, self._tokenizer(), text, given))
