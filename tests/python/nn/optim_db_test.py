"""Every optimiser of torch.testing's optim_db with each of its option sets: six steps of gyre and of PyTorch in f64."""

import unittest
import warnings

import common
from common import gyre, numpy, torch

setUpModule = common.needs_packages

# Sparse gradients, which gyre does not have.
ABSENT = {"SparseAdam"}
# PyTorch's iterations are in bf16; its averaged SGD keeps the rate as a number of f32.
BOUNDS = {"Muon": 2e-2, "ASGD": 1e-7}


def option_sets():
    from torch.testing._internal.common_optimizers import optim_db

    for info in optim_db:
        if info.optim_cls.__name__ not in ABSENT:
            for options in info.optim_inputs_func(device="cpu"):
                yield info.optim_cls.__name__, options.kwargs


def trained(lib, name, options, starts):
    options = {key: lib.tensor(value.item()) if isinstance(value, torch.Tensor) else value
               for key, value in options.items()}
    parameters = [lib.nn.Parameter(lib.tensor(x.copy())) for x in starts]
    optimizer = getattr(lib.optim, name)(parameters, **options)

    def closure():
        optimizer.zero_grad()
        loss = sum(((p - 1) ** 2 * (i + 1)).sum() + (p**4).sum() * 0.01 for i, p in enumerate(parameters))
        loss.backward()
        return loss

    for _ in range(6):
        optimizer.step(closure)
    return [p.detach().numpy() for p in parameters]


class OptimDb(unittest.TestCase):
    def test_steps_are_those_of_torch(self):
        rng, count = numpy.random.default_rng(0), 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name, options in option_sets():
                count += 1
                with self.subTest(name, options=options):
                    starts = [rng.standard_normal((4, 3)), rng.standard_normal((3, 3) if name == "Muon" else 5)]
                    ours, theirs = (trained(lib, name, options, starts) for lib in (gyre, torch))
                    for mine, other in zip(ours, theirs):
                        numpy.testing.assert_allclose(mine, other, rtol=0, atol=BOUNDS.get(name, 1e-9))
        self.assertGreater(count, 70)


class Lbfgs(unittest.TestCase):
    def test_state_and_groups(self):
        def closure():
            optimizer.zero_grad()
            loss = ((p - gyre.tensor([1.0, 2.0])) ** 2).sum()
            loss.backward()
            return loss

        p = gyre.nn.Parameter(gyre.zeros(2))
        optimizer = gyre.optim.LBFGS([p], lr=0.5, max_iter=2)
        self.assertEqual(optimizer.param_groups[0]["max_iter"], 2)
        self.assertAlmostEqual(float(optimizer.step(closure)), 5.0, places=5)
        optimizer.param_groups[0]["lr"] = 0.25
        self.assertEqual(optimizer.lr, 0.25)
        state = optimizer.state_dict()
        other = gyre.optim.LBFGS([p])
        other.load_state_dict(state)
        self.assertEqual(other.state_dict()["state"]["direction"].tolist(), state["state"]["direction"].tolist())
        self.assertIn("line_search_fn: 'none'", repr(other))
        with self.assertRaisesRegex(ValueError, "one parameter group, got 2"):
            gyre.optim.LBFGS([{"params": [p]}, {"params": [gyre.nn.Parameter(gyre.zeros(1))]}])
        with self.assertRaisesRegex(TypeError, "expected ns_coefficients="):
            gyre.optim.Muon([p], ns_coefficients=(1, 2))


if __name__ == "__main__":
    unittest.main()
