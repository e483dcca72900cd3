"""`import geoopt.NAME` for programs that put gyre.torch.geoopt in geoopt's place: sys.modules["geoopt"] = it. The same
for gyre.torch.hypll."""

import importlib
import importlib.abc
import importlib.util
import sys


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds NAME.rest as PACKAGE.rest while sys.modules[NAME] is that package. Without it Python would import the file
    again, with a second copy of every class."""

    def __init__(self, name, package):
        self.name, self.package = name, package

    def find_spec(self, name, path, target=None):
        root, _, rest = name.partition(".")
        if root != self.name or not rest or sys.modules.get(root) is not sys.modules[self.package]:
            return None
        if importlib.util.find_spec(f"{self.package}.{rest}") is None:
            return None
        return importlib.util.spec_from_loader(name, self)

    def create_module(self, spec):
        module = importlib.import_module(self.package + spec.name.removeprefix(self.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module):
        spec = module.__spec__
        module.__spec__ = spec.loader_state  # the import system has set that of the alias


def install(name, package):
    """Adds the finder of a package to sys.meta_path once."""
    if not any(isinstance(finder, _Finder) and finder.name == name for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(name, package))
