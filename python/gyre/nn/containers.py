"""Containers of modules: Sequential, ModuleList, ModuleDict."""

from gyre.nn.module import Module


def _whole(index, count, what):
    if isinstance(index, int) and -count <= index < count:
        return index % count
    raise IndexError(f"{what}: index {index!r} is out of range for {count} modules")


class _Numbered(Module):
    """Modules named "0", "1", ..."""

    def __init__(self, modules=()):
        super().__init__()
        for module in modules:
            self.append(module)

    def append(self, module):
        """Appends a module. Returns the container itself."""
        if not isinstance(module, Module):
            raise TypeError(f"{type(self).__name__}: expected a gyre.nn.Module, got {type(module).__name__}")
        names = [int(name) for name in self._kinds if name.isdigit()]
        self.add_module(str(max(names, default=-1) + 1), module)
        return self

    def extend(self, modules):
        """Appends modules. Returns the container itself."""
        for module in modules:
            self.append(module)
        return self

    def __len__(self):
        return sum(kind == "module" for kind in self._kinds.values())

    def __iter__(self):
        return self.children()

    def __getitem__(self, index):
        modules = list(self.children())
        if isinstance(index, slice):
            return type(self)(modules[index]) if type(self) is not Sequential else Sequential(*modules[index])
        return modules[_whole(index, len(modules), type(self).__name__)]

    def __setitem__(self, index, module):
        names = [name for name, _ in self.named_children()]
        self.add_module(names[_whole(index, len(names), type(self).__name__)], module)


class Sequential(_Numbered):
    """Applies modules in order: Sequential(first, second) names them "0", "1", ...; Sequential(dict) uses the
    keys of the dict."""

    def __init__(self, *modules):
        if len(modules) == 1 and isinstance(modules[0], dict):
            super().__init__()
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            super().__init__(modules)

    def forward(self, x):
        """Applies each module to the output of the previous one."""
        attributes = self.__dict__
        for name, kind in self._kinds.items():
            if kind == "module":
                x = attributes[name](x)
        return x


class ModuleList(_Numbered):
    """A list of modules, named "0", "1", ..."""


class ModuleDict(Module):
    """A dict of modules."""

    def __init__(self, modules=None):
        super().__init__()
        self.update(modules or {})

    def update(self, modules):
        """Adds or replaces modules."""
        for name, module in dict(modules).items():
            self[name] = module

    def __setitem__(self, name, module):
        if not isinstance(module, Module):
            raise TypeError(f"ModuleDict: expected a gyre.nn.Module, got {type(module).__name__}")
        if hasattr(type(self), name):
            raise ValueError(f"{name} is a method of ModuleDict and cannot be the name of a module")
        self.add_module(name, module)

    def __getitem__(self, name):
        return dict(self.named_children())[name]

    def __delitem__(self, name):
        self[name]  # raises KeyError for unknown names
        delattr(self, name)

    def __len__(self):
        return len(dict(self.named_children()))

    def __iter__(self):
        return iter(self.keys())

    def __contains__(self, name):
        return name in dict(self.named_children())

    def keys(self):
        """The names of the modules."""
        return [name for name, _ in self.named_children()]

    def values(self):
        """The modules."""
        return list(self.children())

    def items(self):
        """(name, module) pairs."""
        return list(self.named_children())
