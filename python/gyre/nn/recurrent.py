"""Recurrent layers with PyTorch's arguments and results: (output, state), where the state of an LSTM is (h, c)."""

import functools
import itertools

import gyre
from gyre.nn.convolution import uniform
from gyre.nn.layers import classes, held, of_table, place, torch_layer
from gyre.nn.utils.rnn import PackedSequence


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

        @property
        def all_weights(self):
            """Lists of the parameters of each layer and direction."""
            groups = {}
            for name, parameter in self.named_parameters():
                groups.setdefault(name[name.index("_l"):], []).append(parameter)
            return [*groups.values()]

        def flatten_parameters(self):
            """Has no effect: the weights need no particular memory layout."""

        def forward(self, input, hx=None, cell=None):
            state = _tensors((hx, cell) if cell is not None else hx, kind)
            if isinstance(input, PackedSequence):
                results = _run_packed(self, input, state)
                return (results[0], tuple(results[1:])) if kind == "LSTM" else results
            single = input.ndim == 2
            if single:
                batch_axis = 0 if self.batch_first else 1
                input, state = input.unsqueeze(batch_axis), [s.unsqueeze(1) for s in state]
            results = super().forward(input, *state) if self._in_cpp else _run_padded(self, input, state)
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


# ---- by layers and directions: what the layer of the table lacks, packed sequences and projections

def _directions(network):
    """(layer, suffix of the weights, reversed) of each layer and direction."""
    for layer in range(network.num_layers):
        for reverse in range(2 if network.bidirectional else 1):
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


def _initial(network, state, x, batch):
    """The states at the first step, [layers * directions, batch, width]: those given, or zeros."""
    ways = 2 if network.bidirectional else 1
    shapes = [(network.num_layers * ways, batch, network.proj_size or network.hidden_size)]
    if isinstance(network, classes["LSTM"]):
        shapes.append((network.num_layers * ways, batch, network.hidden_size))
    if not state:
        return [gyre.zeros(shape, dtype=x.dtype, device=x.device) for shape in shapes]
    for given, shape in zip(state, shapes):
        if given.shape != shape:
            raise ValueError(f"{type(network).__name__}: expected a state of shape {list(shape)}, "
                             f"got {list(given.shape)}")
    return state


def _run(network, x, state, run):
    """(output, *last states); run(suffix, x, states, reverse) gives those of one layer and direction."""
    ways, outputs, last = 2 if network.bidirectional else 1, [], []
    for k, (layer, suffix, reverse) in enumerate(_directions(network)):
        if layer and k % ways == 0:
            x = gyre.cat(outputs, axis=-1)
            x, outputs = gyre.dropout(x, network.dropout) if network.dropout and network.training else x, []
        output, *states = run(suffix, x, [s[k] for s in state], reverse)
        outputs.append(output)
        last.append(states)
    return gyre.cat(outputs, axis=-1), *map(gyre.stack, zip(*last))


def _run_padded(lstm, x, state):
    x = gyre.transpose(x, 0, 1) if lstm.batch_first else x

    def run(suffix, x, states, reverse):
        output, *states = _steps(lstm, suffix, x.flip(0) if reverse else x, *states)
        return output.flip(0) if reverse else output, *states

    output, *last = _run(lstm, x, _initial(lstm, state, x, x.shape[1]), run)
    return gyre.transpose(output, 0, 1) if lstm.batch_first else output, *last


def _run_packed(network, packed, state):
    sizes, order, back = packed.batch_sizes.tolist(), packed.sorted_indices, packed.unsorted_indices
    state = _initial(network, state, packed.data, sizes[0])
    state = state if order is None else [s.index_select(1, order) for s in state]
    stretches = [(size, len(list(steps))) for size, steps in itertools.groupby(sizes)]

    def run(suffix, data, states, reverse):
        return _direction(_one_layer(network, suffix), data, stretches, states, reverse)

    output, *last = _run(network, packed.data, state, run)
    last = last if back is None else [s.index_select(1, back) for s in last]
    return PackedSequence(output, packed.batch_sizes, order, back), *last


def _one_layer(network, suffix):
    """A function of (x, *states) that runs one layer in one direction, with weights of these names."""
    if not network._in_cpp:
        return functools.partial(_steps, network, suffix)
    given = {**network.options, "layers": 1, "bidirectional": False, "batch_first": False, "dropout": 0.0}
    weights = network._core_tensors()
    width = weights["weight_ih" + suffix].shape[-1]
    layer = held(of_table[network._definition.name], network._definition.make({**given, "in": width}, drawn=False), given)
    layer._put({name: weights[name.removesuffix("_l0") + suffix] for name, own in layer._core_tensors().items()
                if own is not None})
    return layer


def _direction(layer, data, stretches, first, reverse):
    """Runs a layer over packed data; each stretch of steps has a constant batch size, (size, steps)."""
    parts = data.split([size * steps for size, steps in stretches])
    states, outputs, finished = [s[:0] for s in first] if reverse else first, [], []
    for part, (size, steps) in reversed([*zip(parts, stretches)]) if reverse else zip(parts, stretches):
        if reverse:  # longer sequences are under way already, others begin
            states = [gyre.cat([s, begin[len(s):size]]) for s, begin in zip(states, first)]
        else:
            finished.append([s[size:] for s in states])
            states = [s[:size] for s in states]
        x = part.reshape(steps, size, *part.shape[1:])
        output, *states = layer(x.flip(0) if reverse else x, *(s.unsqueeze(0) for s in states))
        states = [s.squeeze(axes=(0,)) for s in states]
        outputs.append((output.flip(0) if reverse else output).reshape(steps * size, -1))
    outputs = outputs[::-1] if reverse else outputs
    last = [gyre.cat(ends) for ends in zip(states, *finished[::-1])]
    return gyre.cat(outputs), *last


def _steps(lstm, suffix, x, h, c):
    """An LSTM with a projection over x [steps, batch, width] with weights of these names; the states may have a further axis
    in front, as those of the layers of the table."""
    names = ("weight_ih", "weight_hh", "weight_hr", "bias_ih", "bias_hh")
    weights = {name: lstm.__dict__.get(name + suffix) for name in names}
    outputs = []
    for entering in gyre.linear(x, weights["weight_ih"], weights["bias_ih"]):
        gates = entering + gyre.linear(h, weights["weight_hh"], weights["bias_hh"])
        enter, forget, new, out = gyre.chunk(gates, 4, axis=-1)
        c = gyre.sigmoid(forget) * c + gyre.sigmoid(enter) * gyre.tanh(new)
        h = gyre.linear(gyre.sigmoid(out) * gyre.tanh(c), weights["weight_hr"])
        outputs.append(h)
    return gyre.stack(outputs), h, c


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
