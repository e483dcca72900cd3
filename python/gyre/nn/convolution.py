"""Convolutions with learned weights and PyTorch's arguments."""

import math
import reprlib

import gyre
import gyre.nn.functional as F
from gyre.nn.functional.convolution import per_axis, same_padding
from gyre.nn.layers import classes, place, torch_layer
from gyre.nn.module import Module, Parameter

_MODES = ("zeros", "reflect", "replicate", "circular")


def uniform(shape, fan_in):
    """A parameter uniform in [-1 / sqrt(fan_in), 1 / sqrt(fan_in)], PyTorch's initial values of weights and biases."""
    bound = 1 / math.sqrt(fan_in) if fan_in else 0.0
    return Parameter(gyre.rand(shape) * (2 * bound) - bound)


class _Convolution:
    """What convolutions of all axes have in common: options, weights and a forward pass by the functions."""

    axes, transposed = 2, False

    def _set_up(self, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode,
                device, dtype, output_padding=0):
        name, axes = type(self).__name__, self.axes
        if padding_mode not in _MODES or (self.transposed and padding_mode != "zeros"):
            known = _MODES[:1] if self.transposed else _MODES
            raise ValueError(f"{name}: expected padding_mode {', '.join(known)}, got {reprlib.repr(padding_mode)}")
        if isinstance(padding, str) and (self.transposed or padding not in ("same", "valid")):
            raise ValueError(f"{name}: expected padding of numbers, same or valid, got {reprlib.repr(padding)}")
        values = [per_axis(v, axes) for v in (kernel_size, stride, dilation, output_padding)]
        kernel, stride, dilation, output_padding = values
        if padding == "same" and any(s != 1 for s in stride):
            raise ValueError(f'{name}: expected stride 1 with padding="same", got {stride}')
        padding = padding if isinstance(padding, str) else per_axis(padding, axes)
        widths = (0,) * axes if isinstance(padding, str) else padding
        self._make({"in": in_channels, "out": out_channels, "kernel": kernel_size, "stride": stride, "padding": widths,
                    "dilation": dilation, "groups": groups, "bias": bias,
                    **({"output_padding": output_padding} if self.transposed else {})})
        self.__dict__.update(
            in_channels=in_channels, out_channels=out_channels, kernel_size=kernel, stride=stride, padding=padding,
            dilation=dilation, groups=groups, padding_mode=padding_mode, output_padding=output_padding)
        place(self, device, dtype)

    def _make(self, given):
        """Without a layer of the table: the weights as parameters."""
        into, out, groups, kernel = given["in"], given["out"], given["groups"], per_axis(given["kernel"], self.axes)
        for name, value in (("in_channels", into), ("out_channels", out), ("groups", groups)):
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"{type(self).__name__}: expected {name} that is an int, got {type(value).__name__}")
        if groups < 1 or into % groups or out % groups:
            raise ValueError(f"{type(self).__name__}: expected groups that divide {into} and {out} channels, "
                             f"got {groups}")
        shape = (into, out // groups, *kernel) if self.transposed else (out, into // groups, *kernel)
        fan_in = math.prod(shape[1:])
        self.weight = uniform(shape, fan_in)
        self.register_parameter("bias", uniform((out,), fan_in) if given["bias"] else None)

    def _general(self, input):
        convolve = getattr(F, f"conv{self.axes}d")
        if self.padding_mode == "zeros":
            return convolve(input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups)
        before = after = self.padding
        if isinstance(self.padding, str):
            same = self.padding == "same"
            before, after = same_padding(self.kernel_size if same else (1,) * self.axes, self.dilation)
        widths = [w for pair in zip(reversed(before), reversed(after)) for w in pair]
        return convolve(F.pad(input, widths, self.padding_mode), self.weight, self.bias, self.stride, 0, self.dilation,
                        self.groups)

    def extra_repr(self):
        usual = {"stride": (1,) * self.axes, "padding": (0,) * self.axes, "dilation": (1,) * self.axes, "groups": 1,
                 "output_padding": (0,) * self.axes, "padding_mode": "zeros"}
        shown = [f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}"]
        own = {name: getattr(self, name) for name in usual}
        shown += [f"{name}={value!r}" for name, value in own.items() if value != usual[name]]
        return ", ".join(shown + ["bias=False"] * (self.bias is None))


class _FromTable(_Convolution):
    """Weights and the usual forward pass are those of the layer of the table."""

    def _make(self, given):
        self._begin(self._definition.make(given), given)

    def __getattr__(self, name):
        if name in ("padding_mode", "padding", "output_padding"):  # of a layer that was made by the table
            return "zeros" if name == "padding_mode" else per_axis(self.options.get(name, 0), self.axes)
        return super().__getattr__(name)


def _conv(axes):
    name, table = f"Conv{axes}d", classes.get(f"Conv{axes}d")
    bases = (_FromTable, table) if table else (_Convolution, Module)

    class Conv(*bases):
        def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                     padding_mode="zeros", device=None, dtype=None):
            if not table:
                Module.__init__(self)
            self._set_up(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode,
                         device, dtype)

        def forward(self, input):
            if table and input.ndim == axes + 2 and self.padding_mode == "zeros" and type(self.padding) is tuple:
                return table.forward(self, input)
            return self._general(input)

    return _named(Conv, name, axes, table,
                  f"{axes}-D convolution of [batch, in_channels, ...] with PyTorch's arguments. padding: numbers, "
                  '"same" or "valid"; padding_mode: zeros, reflect, replicate, circular. The batch axis is optional.')


def _conv_transpose(axes):
    name, table = f"ConvTranspose{axes}d", classes.get(f"ConvTranspose{axes}d")
    bases = (_FromTable, table) if table else (_Convolution, Module)

    class ConvTranspose(*bases):
        transposed = True

        def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1,
                     bias=True, dilation=1, padding_mode="zeros", device=None, dtype=None):
            if not table:
                Module.__init__(self)
            self._set_up(in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode,
                         device, dtype, output_padding)

        def forward(self, input, output_size=None):
            if table and output_size is None and input.ndim == axes + 2:
                return table.forward(self, input)
            more = self.output_padding if output_size is None else self._missing(input, output_size)
            return getattr(F, f"conv_transpose{axes}d")(input, self.weight, self.bias, self.stride, self.padding, more,
                                                        self.groups, self.dilation)

        def _missing(self, input, output_size):
            """The output_padding that gives an output of that size."""
            own = [(n - 1) * s - 2 * p + d * (k - 1) + 1 for n, s, p, d, k in zip(
                input.shape[-axes:], self.stride, self.padding, self.dilation, self.kernel_size)]
            more = tuple(wanted - least for wanted, least in zip(tuple(output_size)[-axes:], own))
            if any(not 0 <= m < s for m, s in zip(more, self.stride)):
                raise ValueError(f"{name}: expected an output_size from {own} to less than one stride more, "
                                 f"got {list(output_size)}")
            return more

    return _named(ConvTranspose, name, axes, table,
                  f"Transposed {axes}-D convolution of [batch, in_channels, ...] with PyTorch's arguments. The batch "
                  "axis is optional.")


def _named(cls, name, axes, table, doc):
    cls.__name__ = cls.__qualname__ = name
    cls.__init__.__qualname__ = f"{name}.__init__"
    cls.axes, cls.__doc__, cls.__module__ = axes, doc, "gyre.nn"
    return torch_layer(cls) if table else cls


layers = {cls.__name__: cls for make in (_conv, _conv_transpose) for cls in map(make, (1, 2, 3))}
