"""PyTorch's op database (`op_db`): its sample calls made with gyre as they are written, results and gradients compared in
f64. Every difference is explained in docs/torch_differences.md."""

import functools
import itertools
import types
import unittest

from common import Explained, gyre, needs_packages, torch

if torch:
    from torch.testing._internal.common_methods_invocations import op_db

    from torch_calls import converted, difference, leaves

HEADING = "PyTorch's database of calls"
MOST = 25  # samples of an entry
UNINITIALISED = ("empty", "empty_like", "new_empty")


def setUpModule():
    needs_packages()


def name_of(info):
    return info.name + (f".{info.variant_test_name}" if info.variant_test_name else "")


def with_names(op, **names):
    """A function of the database with these global names, for example gyre as torch; others as they are."""
    if not isinstance(op, types.FunctionType) or not op.__module__.startswith("torch.testing."):
        return op
    names["wrapper_set_seed"] = lambda function, *args, **kwargs: function(*args, **kwargs)
    return types.FunctionType(op.__code__, {**op.__globals__, **names}, op.__name__, op.__defaults__, op.__closure__)


def function_of(info):
    """gyre's function or method of that name, None if there is none. Where the database calls PyTorch in a function of
    its own, that function with gyre in place of torch."""
    found = gyre
    for part in info.name.split("."):
        found = getattr(found, part, None)
    found = getattr(gyre.Tensor, info.name, None) if found is None else found
    own = with_names(info.op, torch=gyre)
    return found if found is None or own is info.op else own


class Entry:
    """The samples of one entry of the database, compared."""

    def __init__(self, info):
        self.info, self.name, self.function = info, name_of(info), function_of(info)
        self.passed = self.total = 0
        self.differences = {}
        dtype = torch.float64 if torch.float64 in info.dtypes else torch.int64
        trains = dtype.is_floating_point and info.supports_autograd
        torch.manual_seed(0)
        for sample in itertools.islice(info.sample_inputs("cpu", dtype, requires_grad=trains), MOST):
            found = self.compare(sample)
            self.total += 1
            self.passed += not found
            if found:
                self.differences.setdefault(found[0], f"{found[1]} in {sample.summary()}"[:600])

    def compare(self, sample):
        """What differs, and how; None if nothing does."""
        tensors = {}
        given = converted([sample.input, *sample.args], tensors)
        named = {key: converted(value, tensors) for key, value in sample.kwargs.items()}
        try:
            got = self.function(*given, **named)
        except (gyre.Error, AttributeError, TypeError, ValueError, IndexError) as error:
            return f"refused: {getattr(error, 'code', type(error).__name__)}", str(error)
        want, copies = self.by_torch(sample, 0)
        if not isinstance(want, (tuple, list, torch.Tensor)):
            return None if got == want else ("value", f"{got!r}, torch {want!r}")
        found = difference(got, want, [(tensors[key], copies[key]) for key in copies if key in tensors])
        if found and (self.name in UNINITIALISED or self.is_random(sample, want)):  # shapes and dtypes only
            ours, theirs = (list(leaves(results, kind)) for results, kind in ((got, gyre.Tensor), (want, torch.Tensor)))
            return difference([gyre.zeros_like(t) for t in ours], [torch.zeros_like(t) for t in theirs], [])
        return found

    def is_random(self, sample, want):
        """Whether torch's results depend on the seed."""
        others = (leaves(self.by_torch(sample, seed)[0], torch.Tensor) for seed in range(1, 9))
        return any(not torch.allclose(a.detach().double(), b.detach().double(), equal_nan=True)
                   for other in others for a, b in zip(leaves(want, torch.Tensor), other))

    def by_torch(self, sample, seed):
        """torch's results, and its copies of the tensors of the sample."""
        copies = {}

        def copied(value):
            if not isinstance(value, torch.Tensor):
                return value
            if id(value) not in copies:
                copies[id(value)] = value.detach().clone().requires_grad_(value.requires_grad)
            return copies[id(value)]

        sample = sample.transform(copied)
        torch.manual_seed(seed)
        return with_names(self.info.op)(sample.input, *sample.args, **sample.kwargs), copies


@functools.cache
def entries():
    """The entries of real numbers and integers whose function gyre has."""
    if not torch or not gyre:
        return []
    return [info for info in op_db if {torch.float64, torch.int64} & info.dtypes and function_of(info)]


@functools.cache
def entry(position):
    return Entry(entries()[position])


@functools.cache
def explained():
    return Explained(HEADING)


class OpDb(unittest.TestCase):
    def check(self, position):
        found = entry(position)
        self.assertGreater(found.total, 0)
        wrong = {what: how for what, how in found.differences.items() if (found.name, what) not in explained().rows}
        if wrong:
            self.fail("".join(f"\n{what}: {how}" for what, how in wrong.items()))

    def test_all_explanations_are_used(self):
        results = [entry(k) for k in range(len(entries()))]
        for result in results:
            for what, how in result.differences.items():
                explained().note(result.name, what, how)
        self.assertEqual(explained().idle(), [])
        print(f"\n| {sum(r.passed for r in results)} of {sum(r.total for r in results)} calls of op_db equal, in "
              f"{len(results)} of its {len(op_db)} entries; the others (docs/torch_differences.md):")
        for result in results:
            if result.differences:
                print(f"| {result.name} {result.passed} of {result.total} ({', '.join(result.differences)})")


for index, info in enumerate(entries()):
    setattr(OpDb, "test_" + name_of(info).replace(".", "_"), functools.partialmethod(OpDb.check, index))

if __name__ == "__main__":
    unittest.main()
