"""Recurrent layers with PyTorch's arguments and results: (output, state), where the state of an LSTM is (h, c)."""

import gyre
from gyre.nn.convolution import uniform
from gyre.nn.layers import classes, place, torch_layer


def _tensors(state, kind):
    """The tensors of a state: None, (h, c) for an LSTM, otherwise h."""
    if kind != "LSTM" or state is None:
        return [] if state is None else [state]
    if not isinstance(state, (tuple, list)) or len(state) != 2:
        raise TypeError(f"LSTM: expected a state (h, c), got {type(state).__name__}")
    return list(state)


def _network(kind):
    table = classes[kind]

    class Network(table):
        proj_size = 0

        def _set_up(self, given, proj_size, device, dtype):
            if proj_size:
                self._begin_alone(given)
                for field in self._options.fields:
                    self.__dict__.update((name, self.options[field["name"]]) for name in field["also"])
                self.__dict__.update(bias=given["bias"], batch_first=given["batch_first"], dropout=given["dropout"],
                                     bidirectional=given["bidirectional"], proj_size=proj_size)
                _project(self)
            else:
                self._begin(self._definition.make(given), given)
            place(self, device, dtype)

        def flatten_parameters(self):
            """Has no effect: the weights need no particular memory layout."""

        def forward(self, input, hx=None, cell=None):
            state = _tensors((hx, cell) if cell is not None else hx, kind)
            single = input.ndim == 2
            if single:
                batch_axis = 0 if self.batch_first else 1
                input, state = input.unsqueeze(batch_axis), [s.unsqueeze(1) for s in state]
            results = super().forward(input, *state) if self._in_cpp else _run(self, input, *state)
            if single:
                results = (results[0].squeeze(axes=(batch_axis,)), *(s.squeeze(axes=(1,)) for s in results[1:]))
            return (results[0], tuple(results[1:])) if kind == "LSTM" else results

    Network.__name__ = Network.__qualname__ = kind
    Network.__doc__ = f"{table.__doc__.splitlines()[0]}; forward(input, state) returns (output, state)."
    return Network


class RNN(_network("RNN")):
    """Multi-layer Elman RNN over sequences; forward(input, h) returns (output, h)."""

    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity="tanh", bias=True, batch_first=False,
                 dropout=0.0, bidirectional=False, device=None, dtype=None):
        self._set_up({"in": input_size, "hidden": hidden_size, "layers": num_layers, "nonlinearity": nonlinearity,
                      "bias": bias, "batch_first": batch_first, "dropout": dropout, "bidirectional": bidirectional},
                     0, device, dtype)


class LSTM(_network("LSTM")):
    """Multi-layer long short-term memory (LSTM) over sequences; forward(input, (h, c)) returns (output, (h, c)).
    proj_size: width of the projected hidden state (Sak et al. 2014)."""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, proj_size=0, device=None, dtype=None):
        if not 0 <= proj_size < max(hidden_size, 1):
            raise ValueError(f"LSTM: expected proj_size from 0 to below hidden_size {hidden_size}, got {proj_size}")
        self._set_up({"in": input_size, "hidden": hidden_size, "layers": num_layers, "bias": bias,
                      "batch_first": batch_first, "dropout": dropout, "bidirectional": bidirectional},
                     proj_size, device, dtype)


class GRU(_network("GRU")):
    """Multi-layer gated recurrent unit (GRU) over sequences; forward(input, h) returns (output, h)."""

    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0,
                 bidirectional=False, device=None, dtype=None):
        self._set_up({"in": input_size, "hidden": hidden_size, "layers": num_layers, "bias": bias,
                      "batch_first": batch_first, "dropout": dropout, "bidirectional": bidirectional},
                     0, device, dtype)


# ---- LSTM with a projection, which the layer of the table does not have ----

def _directions(lstm):
    """(layer, suffix of the weights, reversed) of each layer and direction."""
    for layer in range(lstm.num_layers):
        for reverse in range(2 if lstm.bidirectional else 1):
            yield layer, f"_l{layer}" + "_reverse" * reverse, bool(reverse)


def _project(lstm):
    gates, ways = 4 * lstm.hidden_size, 2 if lstm.bidirectional else 1
    for layer, suffix, _ in _directions(lstm):
        into = lstm.input_size if layer == 0 else lstm.proj_size * ways
        shapes = {"weight_ih": (gates, into), "weight_hh": (gates, lstm.proj_size),
                  **({"bias_ih": (gates,), "bias_hh": (gates,)} if lstm.bias else {}),
                  "weight_hr": (lstm.proj_size, lstm.hidden_size)}
        for name, shape in shapes.items():
            setattr(lstm, name + suffix, uniform(shape, lstm.hidden_size))


def _run(lstm, x, h=None, c=None):
    x = gyre.transpose(x, 0, 1) if lstm.batch_first else x
    ways, batch = 2 if lstm.bidirectional else 1, x.shape[1]
    if h is None:
        h = gyre.zeros((lstm.num_layers * ways, batch, lstm.proj_size), dtype=x.dtype)
        c = gyre.zeros((lstm.num_layers * ways, batch, lstm.hidden_size), dtype=x.dtype)
    outputs, last_h, last_c = [], [], []
    for k, (layer, suffix, reverse) in enumerate(_directions(lstm)):
        if layer and k % ways == 0:
            x = gyre.cat(outputs, axis=-1)
            x, outputs = gyre.dropout(x, lstm.dropout) if lstm.dropout and lstm.training else x, []
        output, hidden, cell = _direction(lstm, suffix, x, h[k], c[k], reverse)
        outputs.append(output)
        last_h.append(hidden)
        last_c.append(cell)
    x = gyre.cat(outputs, axis=-1)
    return gyre.transpose(x, 0, 1) if lstm.batch_first else x, gyre.stack(last_h), gyre.stack(last_c)


def _direction(lstm, suffix, x, h, c, reverse):
    names = ("weight_ih", "weight_hh", "weight_hr", "bias_ih", "bias_hh")
    weights = {name: lstm.__dict__.get(name + suffix) for name in names}
    entering, outputs = gyre.linear(x, weights["weight_ih"], weights["bias_ih"]), []
    for step in reversed(range(len(x))) if reverse else range(len(x)):
        gates = entering[step] + gyre.linear(h, weights["weight_hh"], weights["bias_hh"])
        enter, forget, new, out = gyre.chunk(gates, 4, axis=-1)
        c = gyre.sigmoid(forget) * c + gyre.sigmoid(enter) * gyre.tanh(new)
        h = gyre.linear(gyre.sigmoid(out) * gyre.tanh(c), weights["weight_hr"])
        outputs.append(h)
    return gyre.stack(outputs[::-1] if reverse else outputs), h, c


# ---- one step ----

def _cell(kind):
    table = classes[f"{kind}Cell"]

    class Cell(table):
        def forward(self, input, hx=None, cell=None):
            state = _tensors((hx, cell) if cell is not None else hx, kind)
            single = input.ndim == 1
            if single:
                input, state = input.unsqueeze(0), [s.unsqueeze(0) for s in state]
            results = super().forward(input, *state)
            if not single:
                return results
            return tuple(r[0] for r in results) if isinstance(results, tuple) else results[0]

    Cell.__name__ = Cell.__qualname__ = f"{kind}Cell"
    Cell.__doc__ = table.__doc__
    return Cell


class RNNCell(_cell("RNN")):
    """One step of an Elman RNN: forward(input, h) returns h."""

    def __init__(self, input_size, hidden_size, bias=True, nonlinearity="tanh", device=None, dtype=None):
        given = {"in": input_size, "hidden": hidden_size, "bias": bias, "nonlinearity": nonlinearity}
        self._begin(self._definition.make(given), given)
        place(self, device, dtype)


class _GatedCell:
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        given = {"in": input_size, "hidden": hidden_size, "bias": bias}
        self._begin(self._definition.make(given), given)
        place(self, device, dtype)


class LSTMCell(_GatedCell, _cell("LSTM")):
    """One step of an LSTM: forward(input, (h, c)) returns (h, c)."""


class GRUCell(_GatedCell, _cell("GRU")):
    """One step of a GRU: forward(input, h) returns h."""


layers = {cls.__name__: torch_layer(cls) for cls in (RNN, LSTM, GRU, RNNCell, LSTMCell, GRUCell)}
