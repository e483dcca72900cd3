"""Modules: classes of Python with parameters, and a class for each layer of gyre's table.

    model = gyre.nn.Sequential(gyre.nn.Linear(784, 128), gyre.nn.ReLU(), gyre.nn.Linear(128, 10))

Weights are drawn from the generator that gyre.manual_seed restarts, in the order in which layers are
made. `help(gyre.nn.LSTM)` tells options, inputs and results of a layer."""

import json

from gyre._gyre import _nn
from gyre.nn import init
from gyre.nn.containers import ModuleDict, ModuleList, Sequential
from gyre.nn.layers import Layer, classes
from gyre.nn.module import Module, Parameter, functional_call

globals().update(classes)
__all__ = ["Layer", "Module", "ModuleDict", "ModuleList", "Parameter", "Sequential", "functional_call", "init",
           "make_model", *classes]


def _made(description):
    if isinstance(description, list):
        return Sequential(*[_made(part) for part in description])
    options = dict(description)
    name = options.pop("layer")
    if name == "Sequential" and list(options) == ["layers"] and isinstance(options["layers"], list):
        return _made(options["layers"])
    return classes[name](**options)


def make_model(description):
    """A model by its description, a dict, a list or JSON text: {"layer": NAME, ...options}, or
    {"layer": "Sequential", "layers": [descriptions]}, or such a list alone. Errors tell where in it."""
    parsed = json.loads(description) if isinstance(description, str) else description
    try:
        return _made(parsed)
    except Exception:
        _nn.check_model(json.dumps(parsed))  # which tells where it is wrong
        raise
