"""Training as `gyre train` does it, generating as `gyre generate` does, embedding as `gyre embed` does, and
what they leave in folders.

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

from gyre import _gyre
from gyre._gyre import _models, _optim
from gyre._options import Options, documented
from gyre.nn import make_model
from gyre.nn.layers import classes, held

__all__ = ["EmbedReport", "Embedding", "Generated", "Neighbours", "Predictions", "Predictor", "TrainReport", "embed",
           "generate", "load_model", "save_model", "train"]

_train, _generate = Options("train", _models.train_options), Options("generate", _models.generate_options)
_embed, _query = Options("embed", _models.embed_options), Options("query", _models.query_options)


def _report(name, fields, doc):
    made = dataclasses.make_dataclass(name, [f["name"] for f in fields], frozen=True,
                                      namespace={"__doc__": f"{doc}\n\n{Options('', fields).describe()}"})
    made.__module__ = "gyre.models"
    return made


TrainReport = _report("TrainReport", _models.train_report, "What a training has come to.")
EmbedReport = _report("EmbedReport", _models.embed_report, "What an embedding has come to.")


@dataclasses.dataclass(frozen=True)
class Generated:
    """What was generated: the prompt and what follows it as text and as tokens, how many of these were
    made, and in how many seconds."""

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
    """The stream that gets the progress, and whether lines on it can be drawn again: it is a terminal, or a
    cell of a notebook."""
    stream = sys.stderr if progress is True else progress or None
    redraws = stream is not None and (stream.isatty() or type(stream).__module__.startswith("ipykernel"))
    return stream, redraws


@documented(_train, inspect.Parameter.KEYWORD_ONLY)
def train(data=(), *, progress=True, watch=None, **options):
    """Trains as `gyre train` does: `data` is what the command takes (files, "wordnet:glosses",
    "mnist:FOLDER", one or a list), and options are its. Gives a TrainReport; the folder `out` is the
    command's, too.

    `progress` shows it on sys.stderr, or on another stream that is given. watch(event, values) is called
    for each step ("stepped"), validation ("validated"), checkpoint ("saved") and so on; what it raises
    ends the training without a checkpoint. Ctrl-C, once steps are done, saves them and ends the training
    with `interrupted` true in the report (train(out=..., resume=True) goes on); before that it is a
    KeyboardInterrupt."""
    sources = [data] if isinstance(data, (str, os.PathLike)) else data
    report = _models.train([os.fspath(source) for source in sources], _given(_train, options), *_shown(progress),
                           watch)
    return TrainReport(**report)


train.__doc__ += "\n\nOptimisers: " + ", ".join(definition.name for definition in _optim.optimizers) + "."


@documented(_embed, inspect.Parameter.KEYWORD_ONLY)
def embed(data="", *, progress=True, watch=None, **options):
    """Embeds a taxonomy as `gyre embed` does: `data` is a file of edges, "wordnet:mammals", "wordnet:nouns" or
    "wordnet:WORD", and options are the command's. Gives an EmbedReport; the folder `out` is the command's,
    too: Embedding(out) reads it.

    `progress`, watch(event, values) and Ctrl-C are as in train(); events are "started", "advanced" (an
    epoch), "evaluated", "noted" and "warned"."""
    return EmbedReport(**_models.embed(os.fspath(data), _given(_embed, options), *_shown(progress), watch))


@dataclasses.dataclass(frozen=True)
class Neighbours:
    """What an embedding says of a node: (name, distance) of the nearest nodes, the nearest first, and of those
    above it, that which is above fewest first."""

    name: str
    neighbours: list
    ancestors: list


class Embedding(_models.Embedding):
    """The embedding that embed() or the command left in a folder. A word is the name of a node ("dog.n.01"), or
    its lemma ("dog")."""

    def __init__(self, folder):
        super().__init__(os.fspath(folder))

    def __len__(self):
        return len(self.points)

    def __getitem__(self, word):
        """The point of a word."""
        return self.points[self.index(word)]

    @documented(_query)
    def query(self, word, *args, **options):
        """What is near to a word, and what is above it: Neighbours."""
        return Neighbours(**self._query(word, _query.bind(args, options)))


@documented(_generate, inspect.Parameter.KEYWORD_ONLY)
def generate(model, *, tokenizer=None, stream=None, **options):
    """Goes on from a prompt as `gyre generate` does. `model` is a folder with config.json,
    model.safetensors and tokenizer.json, or a module that load_model() gave or that stands in the layer
    table, with a gyre.Tokenizer (not needed where `ids` are given; then there is no text). stream(piece)
    is called with new text as soon as it is certain."""
    given = _given(_generate, options)
    if isinstance(model, (str, os.PathLike)):
        if tokenizer is not None:
            raise TypeError("a folder has its own tokenizer")
        return Generated(**_models.generate_in(os.fspath(model), given, stream))
    return Generated(**_models.generate_with(model, tokenizer, given, stream))


@dataclasses.dataclass(frozen=True)
class Predictions:
    """What a model says of examples: the numbers of classes, or values, the probabilities of the classes,
    if it has any, and, where it is known what is right, how good that is: figures by name, else NaN."""

    values: _gyre.Tensor
    probabilities: _gyre.Tensor
    figures: dict


class Predictor(_models.Predictor):
    """A network that a training has made of images, arrays or a table: Predictor(folder), which reads
    other data as it read its own."""

    def __init__(self, folder):
        super().__init__(os.fspath(folder))

    def __call__(self, data, y=None):
        """Predictions of examples: an array of them, or a source as train() takes it ("mnist:FOLDER", a
        .npz file, a table, whose target need not be there)."""
        if isinstance(data, (str, os.PathLike)):
            if y is not None:
                raise TypeError("a file says itself what is right")
            return Predictions(**self.of_source(os.fspath(data)))
        return Predictions(**self.of_arrays(data, y))


def load_model(folder):
    """The model of a folder that a training has made, or of one of its checkpoints, or of a GPT-2 of
    Hugging Face: a gyre.nn.Module in eval mode. `model.save_info` is what model.json says of a network of
    layers: its input, what it learned, how data were read; a Predictor reads data so."""
    folder = os.fspath(folder)
    description = os.path.join(folder, "model.json")
    if not os.path.exists(description):
        name, options, core = _models.load_gpt2(folder)
        return held(classes[name], core, options).eval()
    info = _models.read_json(description)
    model = make_model(info["model"])
    _models.load_weights(os.path.join(folder, "model.safetensors"), model)
    model.save_info = {name: value for name, value in info.items() if name != "model"}
    return model.eval()


def save_model(folder, model, tokenizer=None):
    """Writes a GPT of the layer table, and its tokenizer, as Hugging Face has GPT-2: for `gyre generate`,
    transformers and load_model(). Other modules: gyre.save(path, model.state_dict())."""
    _models.save_gpt2(os.fspath(folder), model, tokenizer)
