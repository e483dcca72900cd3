"""PyTorch's op database with its sample calls (`op_db`), run by gyre: values and gradients of every op that
both have. Every unsupported call and every difference is explained in docs/torch_differences.md."""

import collections
import functools
import unittest

from common import DTYPES, Explained, difference, gyre, is_floating, needs_packages, several, torch, torch_dtype

if torch:
    from torch.testing._internal.common_methods_invocations import op_db

    import op_db_calls
    import torch_ops

HEADING = "PyTorch's database of calls"


def setUpModule():
    needs_packages()


def leaves(values):
    """The tensors of a call: its arguments and the items of list arguments."""
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from leaves(value)
        elif isinstance(value, torch.Tensor):
            yield value


def attributes_of(sample, function):
    """The keyword arguments of a function, which may be tensors."""
    return [value for name, value in sample.kwargs.items() if name not in ("rtol", "atol")] if function else ()


class Run:
    """The samples of one entry of the database."""

    def __init__(self, info, op):
        self.info, self.op = info, op
        self.name = op_db_calls.name_of(info)
        self.passed = self.total = 0
        self.differences = {}

    def run(self):
        for dtype in [d for d in DTYPES if torch_dtype(d) in self.info.dtypes] or ["i64"]:
            gradient = self.op.differentiable and self.info.supports_autograd
            for sample in self.info.sample_inputs("cpu", torch_dtype(dtype), requires_grad=False):
                self.total += 1
                what, example = self.compare(sample, dtype, gradient)
                self.passed += not what
                if what:
                    self.differences.setdefault(what, f"{example} in {sample.summary()}"[:600])
        return self

    def compare(self, sample, dtype, gradient):
        """What differs, and how; two empty strings if nothing does. Compares the results that both return."""
        function = op_db_calls.function_of(self.info)
        op = function or op_db_calls.for_sample(ops(), self.op, sample)
        try:
            tensors, names, attributes = op_db_calls.call_of(self.info, self.op if function else op, sample, function)
        except op_db_calls.NotTaken as why:
            return str(why), ""
        # gyre's call gets the sample's own tensors, torch's gets f64 copies
        ours = {id(t): gyre.from_torch(t) for t in leaves([*tensors, *attributes.values()])}

        def given(value):
            if isinstance(value, (list, tuple)):
                return type(value)(map(given, value)) if type(value) in (list, tuple) else tuple(map(given, value))
            return ours[id(value)] if isinstance(value, torch.Tensor) else value

        arguments, attributes = [given(t) for t in tensors], {name: given(value) for name, value in attributes.items()}
        op_name = self.op.name
        constant = {id(t) for t, name in zip(tensors, names) if name in op_db_calls.CONSTANT.get(op_name, ())}
        moving = [t for t in leaves([*tensors, *attributes_of(sample, function)]) if gradient and t.is_floating_point() and id(t) not in constant]
        for t in moving:
            ours[id(t)].requires_grad_()
        try:
            got = several(op(*arguments, **attributes))
        except (gyre.Error, TypeError) as error:
            return f"refused: {getattr(error, 'code', 'type')}", str(error)
        exact, wanted = self.by_torch(sample, moving)
        got = got[:len(wanted)]
        least = max([float(t.abs().max()) for t in exact.values() if t.numel() and t.is_floating_point()], default=0)
        for g, w in zip(got, wanted):
            if is_floating(g) != w.is_floating_point():
                return "dtype", f"{g.dtype.name}, torch {w.dtype}"
            wrong = difference(g, w, dtype, self.op.ulp, self.op.by_element, 0 if self.op.by_element else least)
            if wrong:
                return "value", wrong
        return self.slopes(got, wanted, [(ours[id(t)], exact[id(t)]) for t in moving], dtype, least)

    def by_torch(self, sample, moving):
        """torch's results in f64, and its copies of the sample's tensors."""
        exact, moves = {}, {id(t) for t in moving}

        def copied(t):
            if not isinstance(t, torch.Tensor):
                return t
            if id(t) not in exact:
                exact[id(t)] = t.detach().double().clone() if t.is_floating_point() else t
                exact[id(t)].requires_grad_(id(t) in moves)
            return exact[id(t)]

        same = sample.transform(copied)
        return exact, several(self.info.op(same.input, *same.args, **same.kwargs))

    def slopes(self, got, wanted, pairs, dtype, least):
        for k, t in enumerate(got):
            if not is_floating(t) or t.requires_grad or not wanted[k].requires_grad or not pairs:
                continue
            known = torch.autograd.grad(wanted[k].sum(), [t for _, t in pairs], retain_graph=True, allow_unused=True)
            if any(g is not None and g.any() for g in known):
                return "gradient", f"result {k} has none, torch's has"
        smooth = [k for k, t in enumerate(got) if is_floating(t) and t.requires_grad and wanted[k].requires_grad]
        if not smooth or not pairs:
            return "", ""
        generator = torch.Generator().manual_seed(5)
        weights = [torch.randn(got[k].shape, generator=generator, dtype=torch_dtype(got[k].dtype.name))
                   for k in smooth]
        found = gyre.grad([got[k] for k in smooth], [ours for ours, _ in pairs],
                          [gyre.from_torch(w) for w in weights], allow_unused=True)
        known = torch.autograd.grad([wanted[k] for k in smooth], [t for _, t in pairs],
                                    [w.to(wanted[k].dtype) for k, w in zip(smooth, weights)], allow_unused=True)
        for (ours, theirs), g, w in zip(pairs, found, known):
            g = gyre.zeros_like(ours) if g is None else g
            w = torch.zeros_like(theirs) if w is None else w
            wrong = difference(g, w, dtype, 8 * self.op.ulp, False, least)
            if wrong:
                return "gradient", wrong
        return "", ""


@functools.cache
def ran(position):
    return Run(*entries()[position]).run()


@functools.cache
def ops():
    return {op.name: op for op in gyre.ops()}


@functools.cache
def entries():
    """(entry of the database, op of gyre) pairs for ops that both have."""
    if not torch or not gyre:
        return []
    pairs = [(info, ops().get(op_db_calls.op_of(info))) for info in op_db]
    return [(info, op) for info, op in pairs if op and op.name not in torch_ops.WITHOUT]


@functools.cache
def explained():
    return Explained(HEADING)


class OpDb(unittest.TestCase):
    def check(self, position):
        found = ran(position)
        self.assertGreater(found.total, 0)
        wrong = {what: how for what, how in found.differences.items() if (found.name, what) not in explained().rows}
        if wrong:
            self.fail("".join(f"\n{what}: {how}" for what, how in wrong.items()))

    def test_the_table(self):
        """Every explanation is used, every name in the table exists in both libraries, and no keyword is one
        that the ops accept."""
        self.assertEqual([n for n in op_db_calls.ALIASES.values() if n not in ops()], [])
        taken = {also for op in ops().values() for a in op.attributes for also in a["also"]}
        self.assertEqual(taken & set(op_db_calls.KEYWORDS), set())
        results = [ran(i) for i in range(len(entries()))]
        for result in results:
            for what, how in result.differences.items():
                explained().note(result.name, what, how)
        self.assertEqual(explained().idle(), [])
        totals = collections.Counter()
        for result in results:
            totals.update(passed=result.passed, total=result.total)
        print(f"\n| {totals['passed']} of {totals['total']} calls of op_db equal, in {len(results)} of its entries;"
              " the others (docs/torch_differences.md):")
        for result in results:
            if result.differences:
                print(f"| {result.name} {result.passed} of {result.total} ({', '.join(result.differences)})")


for index, (entry, _) in enumerate(entries()):
    setattr(OpDb, "test_" + op_db_calls.name_of(entry).replace(".", "_"), functools.partialmethod(OpDb.check, index))

if __name__ == "__main__":
    unittest.main()
