"""Training (`gyre train`), text generation (`gyre generate`), vectors of texts (`gyre encode`), embeddings of
taxonomies (`gyre embed`) and model folders.

    report = gyre.train("wordnet:glosses", out="model", layers=2, width=128, steps=200)
    print(gyre.generate("model", prompt="a small").text)
    model = gyre.LanguageModel("model")
    print(model.generate(["a small", "a large"], greedy=True))

    encoder = gyre.SentenceEncoder("all-MiniLM-L6-v2")
    print(encoder.encode(["a small dog", "a large cat"]))

    gyre.embed("wordnet:mammals", out="mammals", dim=5)
    print(gyre.Embedding("mammals").query("dog").ancestors)
"""

import dataclasses
import inspect
import os
import reprlib
import sys
import warnings

from gyre import _gyre
from gyre._display import MOST_COLUMNS, MOST_ROWS, disk, figures, listed, named, picture, table, titled
from gyre._gyre import _models, _optim
from gyre._language_model import Generated, LanguageModel, Perplexity, generate, load_model
from gyre._options import Options, documented, given_options
from gyre._sentence_encoder import SentenceEncoder
from gyre.packed import compress

__all__ = ["EmbedReport", "Embedding", "Generated", "LanguageModel", "Neighbours", "Perplexity", "Predictions",
           "Predictor", "SentenceEncoder", "TrainReport", "compress", "embed", "generate", "load_model", "save_model", "train"]

_train = Options("train", _models.train_options)
_embed, _query = Options("embed", _models.embed_options), Options("query", _models.query_options)


class _Report:
    """A report, shown in notebooks as a table under a picture of the run."""

    _picture = ""

    def _drawn(self, options, file, width):
        """The report with the picture in an SVG file of the run as it is now, if there is one: another run may replace
        it."""
        folder = options["out"] if "out" in options else _models.read_json(options["config"])["out"]
        path = os.path.join(folder, file)
        if os.path.exists(path):
            object.__setattr__(self, "_picture", picture(_read(path), width))
        return self

    def _repr_html_(self):
        return titled(type(self).__name__, self._picture, figures(dataclasses.asdict(self)))


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _report(name, fields, doc):
    made = dataclasses.make_dataclass(name, [f["name"] for f in fields], frozen=True, bases=(_Report,),
                                      namespace={"__doc__": f"{doc}\n\n{Options('', fields).describe()}"})
    made.__module__ = "gyre.models"
    return made


TrainReport = _report("TrainReport", _models.train_report, "Results of a training run; notebooks show its loss curve.")
EmbedReport = _report("EmbedReport", _models.embed_report, "Results of training an embedding; notebooks show it.")


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
    given = given_options(_train, options)
    report = _models.train([os.fspath(source) for source in sources], given, *_shown(progress), watch)
    return TrainReport(**report)._drawn(given, "loss.svg", 640)


train.__doc__ += "\n\nOptimisers: " + ", ".join(definition.name for definition in _optim.optimizers) + "."


@documented(_embed, inspect.Parameter.KEYWORD_ONLY)
def embed(data="", *, progress=True, watch=None, **options):
    """Trains an embedding of a taxonomy as `gyre embed` does. `data` is a file of edges, "wordnet:mammals",
    "wordnet:nouns" or "wordnet:WORD", and the options are those of the command. Returns an EmbedReport and
    writes the same folder `out` as the command; Embedding(out) loads it.

    `progress`, watch(event, values) and Ctrl-C are as in train(); the events are "started", "advanced" (an
    epoch), "evaluated", "noted" and "warned"."""
    given = given_options(_embed, options)
    report = _models.embed(os.fspath(data), given, *_shown(progress), watch)
    return EmbedReport(**report)._drawn(given, "disk.svg", 800)


@dataclasses.dataclass(frozen=True)
class Neighbours:
    """Neighbours of a node in an embedding: (name, distance) of the nearest nodes, nearest first, and of its
    ancestors, most specific first."""

    name: str
    neighbours: list
    ancestors: list

    def _repr_html_(self):
        rows = [(kind, *pair) for kind, pairs in (("ancestor", self.ancestors), ("neighbour", self.neighbours))
                for pair in pairs]
        return titled(self.name, table(rows, ("", "name", "distance"), most=len(rows)))


class Embedding(_models.Embedding):
    """An embedding from a folder written by embed() or `gyre embed`. A word is the name of a node ("dog.n.01")
    or its lemma ("dog")."""

    def __init__(self, folder):
        super().__init__(os.fspath(folder))
        self._folder = os.fspath(folder)

    def __repr__(self):
        nodes, dim = self.points.shape
        return f"Embedding({self._folder!r}, {named(nodes=nodes, dim=dim, model=self.model)})"

    def _repr_html_(self):
        """The picture that embed() drew; if it drew none, the points themselves if they lie in a plane."""
        drawn = os.path.join(self._folder, "disk.svg")
        if os.path.exists(drawn):
            return titled(repr(self), picture(_read(drawn), 800))
        return titled(repr(self), self._plane() if self.points.shape[1] == 2 else "")

    def _plane(self):
        points = self.points
        if self.model == "lorentz":  # the isometry from the hyperboloid, of which these are the space coordinates
            points = points / (1 + (1 + (points * points).sum(-1, keepdim=True)).sqrt())
        return disk(points.tolist(), self.names, boundary=self.model != "euclidean")

    def __len__(self):
        return len(self.points)

    def __getitem__(self, word):
        """The point of a word."""
        return self.points[self.index(word)]

    @documented(_query)
    def query(self, word, *args, **options):
        """The nearest nodes and the ancestors of a word, as Neighbours."""
        return Neighbours(**self._query(word, _query.bind(args, options)))


@dataclasses.dataclass(frozen=True)
class Predictions:
    """Predictions of a model: class indices or values, class probabilities for a classifier, and, if the
    targets are known, metrics by name, else NaN."""

    values: _gyre.Tensor
    probabilities: _gyre.Tensor
    figures: dict

    def _repr_html_(self):
        head, columns = ["prediction"], [self.values[:MOST_ROWS].tolist()]
        if self.probabilities is not None:
            shown = self.probabilities[:MOST_ROWS, :MOST_COLUMNS]
            head += [f"p({i})" for i in range(shown.shape[1])]
            columns += shown.T.tolist()
        return table(list(zip(*columns)), head, "prediction", len(self.values)) + figures(self.figures)


class Predictor(_models.Predictor):
    """A trained network for images, arrays or a table: Predictor(folder). It encodes new data as in
    training."""

    def __init__(self, folder):
        super().__init__(os.fspath(folder))
        self._folder = os.fspath(folder)

    def __repr__(self):
        classes = f", classes=[{listed(self.classes)}]" if self.classes else ""
        return f"Predictor({self._folder!r}, {named(target=self.target)}{classes})"

    def _repr_html_(self):
        kind = "classification" if self.classes else "regression"
        classes = {"classes": listed(self.classes, 20)} if self.classes else {}
        return titled("Predictor", figures({"folder": self._folder, "task": kind, "target": self.target, **classes}))

    def __call__(self, data, y=None, *, unknown="missing"):
        """Predicts examples: an array of them, or a source as in train() ("mnist:FOLDER", an .npz file, a
        table, where the target column is optional). `unknown`: "missing" treats table values not seen
        in training as missing, with a UserWarning each; "error" raises."""
        if unknown not in ("missing", "error"):
            raise ValueError(f"unknown: expected \"missing\" or \"error\", got {reprlib.repr(unknown)}")
        if isinstance(data, (str, os.PathLike)):
            if y is not None:
                raise TypeError("the targets are read from the file; omit `y`")
            predictions, notes = self.of_source(os.fspath(data), unknown == "error")
            for note in notes:
                warnings.warn(note, UserWarning, stacklevel=2)
            return Predictions(**predictions)
        return Predictions(**self.of_arrays(data, y))


def save_model(folder, model, tokenizer=None):
    """Saves a gyre.nn.GPT and its tokenizer for `gyre generate` and load_model(): in the GPT-2 format of
    Hugging Face, which transformers opens too, or, if an option is not GPT-2's (positions="rotary"), in gyre's
    own format. For other modules use gyre.save(model.state_dict(), path)."""
    _models.save_model(os.fspath(folder), model, tokenizer)
