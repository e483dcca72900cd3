"""Programs written for PyTorch and geoopt (ports/), run by gyre with other imports and nothing else changed: the same
numbers, step by step, from equal weights."""

import pathlib
import re
import sys
import types
import unittest

import common
from common import numpy, torch

setUpModule = common.needs_packages

# In order; the rest of a program stays as it is.
IMPORTS = ((r"^import torch$", "import gyre as torch"), (r"^( *)(import|from) torch\b", r"\1\2 gyre"))
GEOOPT_IMPORTS = ((r"^import geoopt$", "import gyre.torch.geoopt as geoopt"),)


def numbers(value):
    """All numbers in tensors, arrays, lists and dicts."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, str):
        yield from map(ord, value)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from numbers(part)
    elif hasattr(value, "tolist"):
        yield from numbers((value.detach() if hasattr(value, "detach") else value).tolist())
    else:
        yield float(value)


class Programs(unittest.TestCase):
    def program(self, name, imports=()):
        path = pathlib.Path(__file__).parent / "ports" / f"{name}.py"
        text = path.read_text()
        for pattern, other in imports:
            text = re.sub(pattern, other, text, flags=re.MULTILINE)
        module = types.ModuleType(f"ports.{name}.{'gyre' if imports else 'torch'}")
        self.addCleanup(sys.modules.pop, module.__name__)
        sys.modules[module.__name__] = module  # which dataclasses look up
        exec(compile(text, str(path), "exec"), module.__dict__)
        return module

    def compare(self, name, imports=IMPORTS, steps=50):
        theirs, ours = self.program(name), self.program(name, imports)
        torch.manual_seed(0)
        model, port = theirs.make_model(), ours.make_model()
        arrays = {key: value.detach().numpy().copy() for key, value in model.state_dict().items()}
        self.assertEqual(list(port.state_dict()), list(arrays))
        port.load_state_dict({key: ours.torch.as_tensor(array) for key, array in arrays.items()})
        want, got = theirs.train(model, steps), ours.train(port, steps)
        self.assertGreaterEqual(len(want), steps)
        numpy.testing.assert_allclose(got, want, rtol=0, atol=1e-3)
        self.assertLess(want[steps - 1], want[0])

    def test_mnist_mlp(self):
        self.compare("mnist_mlp")

    def test_char_transformer(self):
        self.compare("char_transformer")

    def test_vae(self):
        self.compare("vae")

    def test_pinn(self):
        self.compare("pinn")

    def test_hyperbolic_classifier(self):
        self.compare("hyperbolic_classifier", GEOOPT_IMPORTS)

    def test_short_programs(self):
        theirs, ours = self.program("short_programs"), self.program("short_programs", IMPORTS)
        names = [name for name, value in vars(theirs).items() if isinstance(value, types.FunctionType)]
        for name in sorted(set(names) - {"normal", "with_weights"}):
            with self.subTest(name):
                want, got = (list(numbers(getattr(program, name)())) for program in (theirs, ours))
                self.assertEqual(len(got), len(want))
                numpy.testing.assert_allclose(got, want, rtol=1e-3, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
