"""`import geoopt.NAME` for programs that put this package in geoopt's place: sys.modules["geoopt"] = it."""

import importlib
import importlib.abc
import importlib.util
import sys

_PACKAGE = __name__.rpartition(".")[0]


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds geoopt.NAME as gyre.torch.geoopt.NAME while sys.modules["geoopt"] is this package. Without it Python
    would import the file again, with a second copy of every class."""

    def find_spec(self, name, path, target=None):
        root, _, rest = name.partition(".")
        if root != "geoopt" or not rest or sys.modules.get("geoopt") is not sys.modules[_PACKAGE]:
            return None
        if importlib.util.find_spec(f"{_PACKAGE}.{rest}") is None:
            return None
        return importlib.util.spec_from_loader(name, self)

    def create_module(self, spec):
        module = importlib.import_module(_PACKAGE + spec.name.removeprefix("geoopt"))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        spec = module.__spec__
        module.__spec__ = spec.loader_state  # the import system has set that of the alias


def install():
    """Adds the finder to sys.meta_path once."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
