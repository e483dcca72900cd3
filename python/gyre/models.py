"""Training (`gyre train`), text generation (`gyre generate`), embeddings of taxonomies (`gyre embed`) and model
folders.

    report = gyre.train("wordnet:glosses", out="model", layers=2, width=128, steps=200)
    print(gyre.generate("model", prompt="a small").text)
    model = gyre.load_model("model")

    gyre.embed("wordnet:mammals", out="mammals", dim=5)
    print(gyre.Embedding("mammals").query("dog").ancestors)
"""

import dataclasses
import inspect
import os
import sys
import warnings

from gyre import _gyre
from gyre._gyre import _models, _optim
from gyre._options import Options, documented
from gyre.nn import _made
from gyre.nn.layers import _blank_layer, classes, held
from gyre.packed import compress

__all__ = ["EmbedReport", "Embedding", "Generated", "Neighbours", "Predictions", "Predictor", "TrainReport", "compress",
           "embed", "generate", "load_model", "save_model", "train"]

_train, _generate = Options("train", _models.train_options), Options("generate", _models.generate_options)
_embed, _query = Options("embed", _models.embed_options), Options("query", _models.query_options)


def _report(name, fields, doc):
    made = dataclasses.make_dataclass(name, [f["name"] for f in fields], frozen=True,
                                      namespace={"__doc__": f"{doc}\n\n{Options('', fields).describe()}"})
    made.__module__ = "gyre.models"
    return made


TrainReport = _report("TrainReport", _models.train_report, "Results of a training run.")
EmbedReport = _report("EmbedReport", _models.embed_report, "Results of training an embedding.")


@dataclasses.dataclass(frozen=True)
class Generated:
    """Generated text: prompt and continuation as text and as token ids, the number of new tokens, and the time
    in seconds."""

    text: str
    ids: list
    new_tokens: int
    seconds: float

    def __str__(self):
        return self.text


def _given(options, kwargs):
    given = options.bind((), kwargs)
    return {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in given.items()}


def _shown(progress):
    """The progress stream, and whether it supports redrawing lines: a terminal or a notebook cell."""
    stream = sys.stderr if progress is True else progress or None
    redraws = stream is not None and (stream.isatty() or type(stream).__module__.startswith("ipykernel"))
    return stream, redraws


@documented(_train, inspect.Parameter.KEYWORD_ONLY)
def train(data=(), *, progress=True, watch=None, **options):
    """Trains a model as `gyre train` does. `data` is one source or a list, as for the command (files,
    "wordnet:glosses", "mnist:FOLDER"), and the options are those of the command. Returns a TrainReport and
    writes the same folder `out` as the command.

    `progress`: a stream to show progress on; True: sys.stderr. watch(event, values) is called for each step
    ("stepped"), validation ("validated"), checkpoint ("saved") and so on; an exception in it ends the run
    without a checkpoint. Ctrl-C after the first step saves a checkpoint and ends the run with `interrupted`
    true in the report (resume it with train(out=..., resume=True)); before that it raises KeyboardInterrupt."""
    sources = [data] if isinstance(data, (str, os.PathLike)) else data
    report = _models.train([os.fspath(source) for source in sources], _given(_train, options), *_shown(progress),
                           watch)
    return TrainReport(**report)


train.__doc__ += "\n\nOptimisers: " + ", ".join(definition.name for definition in _optim.optimizers) + "."


@documented(_embed, inspect.Parameter.KEYWORD_ONLY)
def embed(data="", *, progress=True, watch=None, **options):
    """Trains an embedding of a taxonomy as `gyre embed` does. `data` is a file of edges, "wordnet:mammals",
    "wordnet:nouns" or "wordnet:WORD", and the options are those of the command. Returns an EmbedReport and
    writes the same folder `out` as the command; Embedding(out) loads it.

    `progress`, watch(event, values) and Ctrl-C are as in train(); the events are "started", "advanced" (an
    epoch), "evaluated", "noted" and "warned"."""
    return EmbedReport(**_models.embed(os.fspath(data), _given(_embed, options), *_shown(progress), watch))


@dataclasses.dataclass(frozen=True)
class Neighbours:
    """Neighbours of a node in an embedding: (name, distance) of the nearest nodes, nearest first, and of its
    ancestors, most specific first."""

    name: str
    neighbours: list
    ancestors: list


class Embedding(_models.Embedding):
    """An embedding from a folder written by embed() or `gyre embed`. A word is the name of a node ("dog.n.01")
    or its lemma ("dog")."""

    def __init__(self, folder):
        super().__init__(os.fspath(folder))

    def __len__(self):
        return len(self.points)

    def __getitem__(self, word):
        """The point of a word."""
        return self.points[self.index(word)]

    @documented(_query)
    def query(self, word, *args, **options):
        """The nearest nodes and the ancestors of a word, as Neighbours."""
        return Neighbours(**self._query(word, _query.bind(args, options)))


@documented(_generate, inspect.Parameter.KEYWORD_ONLY)
def generate(model, *, tokenizer=None, stream=None, **options):
    """Continues a prompt as `gyre generate` does. `model` is a folder with config.json, model.safetensors and
    tokenizer.json, or a GPT module (from load_model() or gyre.nn) with a gyre.Tokenizer (not needed with `ids`;
    then there is no text). stream(piece) is called with each piece of text as soon as it is final."""
    given = _given(_generate, options)
    if isinstance(model, (str, os.PathLike)):
        if tokenizer is not None:
            raise TypeError("a folder has its own tokenizer; omit `tokenizer`")
        return Generated(**_models.generate_in(os.fspath(model), given, stream))
    return Generated(**_models.generate_with(model, tokenizer, given, stream))


@dataclasses.dataclass(frozen=True)
class Predictions:
    """Predictions of a model: class indices or values, class probabilities for a classifier, and, if the
    targets are known, metrics by name, else NaN."""

    values: _gyre.Tensor
    probabilities: _gyre.Tensor
    figures: dict


class Predictor(_models.Predictor):
    """A trained network for images, arrays or a table: Predictor(folder). It encodes new data as in
    training."""

    def __init__(self, folder):
        super().__init__(os.fspath(folder))

    def __call__(self, data, y=None, *, unknown="missing"):
        """Predicts examples: an array of them, or a source as in train() ("mnist:FOLDER", an .npz file, a
        table, where the target column is optional). `unknown`: "missing" treats table values not seen
        in training as missing, with a UserWarning each; "error" raises."""
        if unknown not in ("missing", "error"):
            raise ValueError(f"unknown: expected \"missing\" or \"error\", got {unknown!r}")
        if isinstance(data, (str, os.PathLike)):
            if y is not None:
                raise TypeError("the targets are read from the file; omit `y`")
            predictions, notes = self.of_source(os.fspath(data), unknown == "error")
            for note in notes:
                warnings.warn(note, UserWarning, stacklevel=2)
            return Predictions(**predictions)
        return Predictions(**self.of_arrays(data, y))


def load_model(folder):
    """Loads a model from a training folder, one of its checkpoints, or a GPT-2 folder of Hugging Face: a
    gyre.nn.Module in eval mode. For networks of layers, `model.save_info` is the content of model.json (input,
    target, data encoding); Predictor encodes data with it."""
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


def save_model(folder, model, tokenizer=None):
    """Saves a gyre.nn.GPT and its tokenizer for `gyre generate` and load_model(): in the GPT-2 format of
    Hugging Face, which transformers opens too, or, if an option is not GPT-2's (positions="rotary"), in gyre's
    own format. For other modules use gyre.save(path, model.state_dict())."""
    _models.save_model(os.fspath(folder), model, tokenizer)
