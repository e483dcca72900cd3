"""Containers of modules and parameters: Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from gyre._gyre import Tensor
from gyre.nn.module import Module, Parameter


def _whole(index, count, what):
    if isinstance(index, int) and -count <= index < count:
        return index % count
    raise IndexError(f"{what}: index {index!r} is out of range for {count} members")


class _Members:
    """Members of one kind, by name."""

    _kind = "module"

    def _member(self, value):
        if not isinstance(value, Module):
            raise TypeError(f"{type(self).__name__}: expected a gyre.nn.Module, got {type(value).__name__}")
        return value

    def _put_member(self, name, value):
        self._set(name, self._member(value), self._kind)

    def _pairs(self):
        return [(name, self.__dict__[name]) for name, kind in self._kinds.items() if kind == self._kind]

    def __len__(self):
        return len(self._pairs())


class _Parameters(_Members):
    _kind = "parameter"

    def _member(self, value):
        if not isinstance(value, Tensor):
            raise TypeError(f"{type(self).__name__}: expected a gyre.nn.Parameter, got {type(value).__name__}")
        return value if isinstance(value, Parameter) else Parameter(value)

    def __repr__(self):
        rows = [f"  ({name}): Parameter of {list(p.shape)}" for name, p in self._pairs()]
        return "\n".join([f"{type(self).__name__}(", *rows, ")"]) if rows else f"{type(self).__name__}()"

    def forward(self, *args):
        raise TypeError(f"{type(self).__name__} cannot be called; use its parameters")


# ---- lists ----

class _List(_Members):
    """Members named "0", "1", ..."""

    def append(self, member):
        """Appends a member. Returns the container itself."""
        names = [int(name) for name, _ in self._pairs() if name.isdigit()]
        self._put_member(str(max(names, default=-1) + 1), member)
        return self

    def extend(self, members):
        """Appends members. Returns the container itself."""
        for member in list(members.values() if isinstance(members, dict) else members):
            self.append(member)
        return self

    def insert(self, index, member):
        """Inserts a member before an index. Returns the container itself."""
        members = list(self)
        members.insert(index, self._member(member))
        return self._renew(members)

    def pop(self, index=-1):
        """Removes and returns a member."""
        member = self[index]
        del self[index]
        return member

    def _renew(self, members):
        for name, _ in self._pairs():
            delattr(self, name)
        return self.extend(members)

    def _like(self, members):
        return type(self)(members)

    def __iter__(self):
        return iter([member for _, member in self._pairs()])

    def __getitem__(self, index):
        members = list(self)
        if isinstance(index, slice):
            return self._like(members[index])
        return members[_whole(index, len(members), type(self).__name__)]

    def __setitem__(self, index, member):
        names = [name for name, _ in self._pairs()]
        self._put_member(names[_whole(index, len(names), type(self).__name__)], member)

    def __delitem__(self, index):
        members = list(self)
        del members[index if isinstance(index, slice) else _whole(index, len(members), type(self).__name__)]
        self._renew(members)

    def __iadd__(self, members):
        return self.extend(members)

    def __add__(self, members):
        return self._like([*self, *members])


class Sequential(_List, Module):
    """Applies modules in order: Sequential(first, second) names them "0", "1", ...; Sequential(dict) uses the
    keys of the dict."""

    def __init__(self, *modules):
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], dict):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            self.extend(modules)

    def _like(self, members):
        return Sequential(*members)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential(dict(self._pairs()[index]))
        return super().__getitem__(index)

    def __mul__(self, count):
        return Sequential(*[member for _ in range(count) for member in self])

    __rmul__ = __mul__

    def __imul__(self, count):
        return self._renew([member for _ in range(count) for member in self])

    def forward(self, input):
        """Applies each module to the output of the previous one."""
        attributes = self.__dict__
        for name, kind in self._kinds.items():
            if kind == "module":
                input = attributes[name](input)
        return input


class ModuleList(_List, Module):
    """A list of modules, named "0", "1", ..."""

    def __init__(self, modules=None):
        super().__init__()
        self.extend(modules or ())


class ParameterList(_List, _Parameters, Module):
    """A list of parameters, named "0", "1", ...; other tensors become parameters."""

    def __init__(self, values=None):
        super().__init__()
        self.extend(values or ())


# ---- dicts ----

class _Dict(_Members):
    """A dict of members."""

    def update(self, members):
        """Adds or replaces members, given as a dict or pairs."""
        for name, member in dict(members.items() if hasattr(members, "items") else members).items():
            self[name] = member

    def clear(self):
        """Removes all members."""
        for name in self.keys():
            del self[name]

    def pop(self, name):
        """Removes and returns a member."""
        member = self[name]
        del self[name]
        return member

    def __setitem__(self, name, member):
        member = self._member(member)
        if hasattr(type(self), name):
            raise ValueError(f"{name} is a method of {type(self).__name__} and cannot be the name of a {self._kind}")
        self._put_member(name, member)

    def __getitem__(self, name):
        return dict(self._pairs())[name]

    def __delitem__(self, name):
        self[name]  # raises KeyError for unknown names
        delattr(self, name)

    def __iter__(self):
        return iter(self.keys())

    def __reversed__(self):
        return reversed(self.keys())

    def __contains__(self, name):
        return name in self.keys()

    def keys(self):
        """The names of the members."""
        return [name for name, _ in self._pairs()]

    def values(self):
        """The members."""
        return [member for _, member in self._pairs()]

    def items(self):
        """(name, member) pairs."""
        return self._pairs()


class ModuleDict(_Dict, Module):
    """A dict of modules."""

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or {})


class ParameterDict(_Dict, _Parameters, Module):
    """A dict of parameters; other tensors become parameters."""

    def __init__(self, parameters=None):
        super().__init__()
        self.update(parameters or {})

    def fromkeys(self, names, default=None):
        """A dict with a parameter for each name, made of the default."""
        return ParameterDict({name: default for name in names})

    def get(self, name, default=None):
        """The parameter of that name, or the default."""
        return dict(self._pairs()).get(name, default)

    def setdefault(self, name, default):
        """The parameter of that name, which is set to the default if there is none."""
        if name not in self:
            self[name] = default
        return self[name]

    def popitem(self):
        """Removes and returns the last (name, parameter) pair."""
        name = self.keys()[-1]
        return name, self.pop(name)

    def copy(self):
        """A dict with the same parameters."""
        return ParameterDict(self)

    def __or__(self, other):
        return ParameterDict({**dict(self.items()), **dict(other.items())})

    def __ior__(self, other):
        self.update(other)
        return self
