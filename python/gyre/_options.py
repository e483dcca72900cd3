"""Options of the tables (layers, optimisers, training) as Python arguments, by keyword or position."""

import inspect
import keyword
import os

_TYPES = {"bool": bool, "int": int, "float": float, "str": str, "list": list}


def public_name(name):
    """The name of an option in Python: Python keywords get a trailing underscore."""
    return name + "_" if keyword.iskeyword(name) else name


class Options:
    """The options declared by a C++ record; `owner` is the name in error messages."""

    def __init__(self, owner, fields):
        fields = [f for f in fields if not f["positional"]]
        self.owner, self.fields = owner, fields
        self._by_name = {public_name(f["name"]): f["name"] for f in fields}
        self._spelled = {also: f["name"] for f in fields for also in f["also"]}

    def bind(self, args, kwargs):
        """The option values of a call by their names in the record."""
        names = list(self._by_name)
        if len(args) > len(names):
            raise TypeError(f"{self.owner}({', '.join(names)}) got {len(args)} options by position")
        given = dict(zip(self._by_name.values(), args))
        for name, value in kwargs.items():
            field = self._by_name.get(name) or self._spelled.get(name, name)
            if field in given:
                raise TypeError(f"{self.owner} got {name} twice")
            given[field] = value
        return given

    def option(self, name):
        """The name in the record of an option by any of its names, or None."""
        return self._by_name.get(name) or self._spelled.get(name)

    def spellings(self, names):
        """Maps every name of the options that `names` contains, by any of their names, to the name there."""
        own = {self.option(name): name for name in names if self.option(name)}
        every = {**self._by_name, **self._spelled, **{f["name"]: f["name"] for f in self.fields}}
        return {name: own[option] for name, option in every.items() if option in own}

    def parameters(self, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD):
        """The parameters for an inspect.Signature."""
        return [inspect.Parameter(name, kind, default=f["default"],
                                  annotation=_TYPES.get(f["type"], inspect.Parameter.empty))
                for name, f in zip(self._by_name, self.fields)]

    def defaults(self):
        """The default values by name."""
        return {f["name"]: f["default"] for f in self.fields}

    def describe(self):
        """Lines for a docstring."""
        lines = []
        for name, f in zip(self._by_name, self.fields):
            choices = f" ({', '.join(f['choices'])})" if f["choices"] else ""
            also = f"; also {', '.join(f['also'])}" if f["also"] else ""
            lines.append(f"    {name}={f['default']!r}: {f['doc']}{choices}{also}")
        return "\n".join(lines)

    def changed(self, values, always=()):
        """`name=value, ...` for the values that differ from the defaults, and those of the options `always`, as
        arguments of a call."""
        return ", ".join(f"{name}={values[f['name']]!r}" for name, f in zip(self._by_name, self.fields)
                         if f["name"] in values and (f["name"] in always or values[f["name"]] != f["default"]))


def given_options(options, kwargs):
    """The option values of a call by keyword; paths as text."""
    given = options.bind((), kwargs)
    return {name: os.fspath(value) if isinstance(value, os.PathLike) else value for name, value in given.items()}


def with_options(function, options, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD):
    """Sets the signature and help() of a function whose *args and **kwargs are these options."""
    various = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    own = [p for p in inspect.signature(function).parameters.values() if p.kind not in various]
    positional = [p for p in own if p.kind <= inspect.Parameter.POSITIONAL_OR_KEYWORD]
    function.__signature__ = inspect.Signature(
        sorted(positional + options.parameters(kind) + own[len(positional):], key=lambda p: p.kind))
    return function


def documented(options, kind=inspect.Parameter.POSITIONAL_OR_KEYWORD):
    """Decorator: with_options(), and adds the options to the docstring."""

    def document(function):
        function.__doc__ += f"\n\nOptions:\n{options.describe()}"
        return with_options(function, options, kind)

    return document
