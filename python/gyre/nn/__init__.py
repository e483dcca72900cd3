"""Neural-network modules: the base class Module, containers, and a class for each layer of the layer table.

    model = gyre.nn.Sequential(gyre.nn.Linear(784, 128), gyre.nn.ReLU(), gyre.nn.Linear(128, 10))

Weights are drawn from the generator that gyre.manual_seed seeds, in the order in which layers are created.
`help(gyre.nn.LSTM)` shows the options, inputs and results of a layer."""

import json

from gyre._gyre import _nn
from gyre.nn import convolution, function_layers, functional, init, normalization, recurrent, transformer, utils, weighted
from gyre.nn.containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from gyre.nn.layers import Layer, classes
from gyre.nn.lazy import lazy_layers
from gyre.nn.module import Buffer, Module, Parameter, functional_call, value_and_grad

_layers = dict(classes)
for _module in (convolution, function_layers, normalization, recurrent, transformer, weighted):
    _layers.update(_module.layers)
_layers.update(lazy_layers(_layers))
globals().update(_layers)
__all__ = ["Buffer", "Layer", "Module", "ModuleDict", "ModuleList", "Parameter", "ParameterDict", "ParameterList", "Sequential",
           "functional", "functional_call", "init", "make_model", "utils", "value_and_grad", *_layers]


def _made(description, create=lambda layer, options: layer(**options)):
    if isinstance(description, list):
        return Sequential(*[_made(part, create) for part in description])
    options = dict(description)
    name = options.pop("layer")
    if name == "Sequential" and list(options) == ["layers"] and isinstance(options["layers"], list):
        return _made(options["layers"], create)
    return create(classes[name], options)


def make_model(description):
    """Creates a model from its description: a dict, a list or JSON text. Format: {"layer": NAME, ...options},
    {"layer": "Sequential", "layers": [descriptions]}, or just a list of descriptions. Errors give the location
    in the description."""
    parsed = json.loads(description) if isinstance(description, str) else description
    try:
        return _made(parsed)
    except Exception:
        _nn.check_model(json.dumps(parsed))  # raises errors with their location
        raise
