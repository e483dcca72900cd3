"""Every op of gyre against its PyTorch counterpart: values, gradients, layouts, special values, integers.
Intended differences are explained in docs/torch_differences.md."""

import functools
import itertools
import unittest

from common import (DTYPES, INTEGERS, Explained, difference, gyre, is_floating, needs_packages, numpy,
                    several, to_torch, torch, torch_dtype)

if torch:
    import torch_ops

HEADING = "The same call in gyre and PyTorch"
SHAPES = ((7,), (2, 3), (4, 1, 5), (33, 17), (1,), (2, 3, 1, 2), (), (0,), (2, 0, 3))
SPECIAL = {"f64": (float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0,
                   5e-324, -1e-310, 1e308, -1e308),
           "f32": (float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0,
                   1e-45, -1e-40, 3e38, -3e38)}


def setUpModule():
    needs_packages()


class Case:
    """One call: gyre tensors, attributes, and the kind of case."""

    def __init__(self, kind, tensors, attributes, gradient=False):
        self.kind, self.tensors, self.attributes, self.gradient = kind, list(tensors), attributes, gradient

    def __str__(self):
        shapes = ", ".join("None" if t is None else f"{t.dtype.name}{list(t.shape)}/{list(t.strides)}"
                           for t in self.tensors)
        return f"({shapes}) {self.attributes}"

    def torch_tensors(self, dtype=None):
        return [to_torch(t, dtype) for t in self.tensors]

    def least(self, result):
        """The minimum scale of a bound of the norm: a few elements may be sums that cancel."""
        if self.kind != "shapes" and result.numel() > 1:
            return 0.0
        sizes = [float(t.double().abs().max()) for t in self.torch_tensors() if t is not None and t.numel()]
        return max(sizes, default=0.0)


# ---- inputs ----


def transposed(x):
    axes = tuple(reversed(range(x.dim())))
    return x.permute(axes).contiguous().permute(axes)


def stepped(x):
    space = x.new_zeros([2 * n + 1 for n in x.shape])
    part = space[tuple(slice(1, None, 2) for _ in x.shape)]
    return part.copy_(x)


def moved(x):
    return x.new_zeros(x.numel() + 3)[3:].view(x.shape).copy_(x)


LAYOUTS = (transposed, stepped, moved)


def lies_as(layout, tensor):
    """The values of a gyre tensor in another memory layout."""
    return None if tensor is None else gyre.from_torch(layout(to_torch(tensor)))


def pools(op, dtype):
    """For each argument the values from the samples, as a list of torch tensors."""
    found = {}
    for tensors, _ in op.samples(dtype=dtype, seed=3):
        for i, t in enumerate(tensors):
            found.setdefault(i, []).append(to_torch(t).reshape(-1))
    return [torch.cat(found[i]) for i in sorted(found)]


def drawn(pool, shape, random):
    count = int(numpy.prod(shape))
    return pool[torch.from_numpy(random.integers(0, len(pool), count))].reshape(shape)


def broadcast_part(shape, random):
    """A shape that broadcasts to `shape`."""
    cut = shape[int(random.integers(0, len(shape) + 1)):] if random.random() < 0.3 else shape
    return tuple(1 if random.random() < 0.3 else n for n in cut)


def sampled(op, dtype):
    for tensors, attributes in op.samples(dtype=dtype):
        yield Case("samples", tensors, attributes, True)
        for layout in LAYOUTS:
            yield Case("layouts", [lies_as(layout, t) for t in tensors], attributes, True)
    for tensors, attributes in op.samples(dtype=dtype, extremes=True):
        yield Case("extremes", tensors, attributes)


def shaped(op, dtype):
    """Elementwise ops on random broadcasting shapes, some operands expanded, in random layouts."""
    random = numpy.random.default_rng(11)
    values = pools(op, dtype)
    for shape, _ in itertools.product(SHAPES, range(4)):
        tensors = []
        for pool in values:
            part = drawn(pool, broadcast_part(shape, random) if tensors else shape, random)
            if random.random() < 0.2 and part.dim():
                part = part[..., :1].expand(part.shape)
            elif random.random() < 0.5:
                part = LAYOUTS[int(random.integers(len(LAYOUTS)))](part)
            tensors.append(gyre.from_torch(part))
        yield Case("shapes", tensors, {}, True)


def folded(op, dtype):
    """Reductions over random axes of random shapes."""
    random = numpy.random.default_rng(12)
    pool, = pools(op, dtype)
    one = op.name.startswith("arg")
    for shape, _ in itertools.product(SHAPES, range(4)):
        x = drawn(pool, shape, random)
        x = LAYOUTS[int(random.integers(len(LAYOUTS)))](x)
        axes = [int(a) for a in random.permutation(len(shape))][:int(random.integers(0, len(shape) + 1))]
        axes = tuple(a - len(shape) * bool(random.integers(2)) for a in (axes[:1] if one else axes))
        yield Case("shapes", [gyre.from_torch(x)], {"axes": axes, "keepdim": bool(random.integers(2))}, True)


def special(op, dtype):
    """All pairs of special values for elementwise ops; rows of them for reductions."""
    values = torch.tensor(SPECIAL[dtype], dtype=torch_dtype(dtype))
    count = len(op.arguments)
    if op.family == "elementwise":
        grids = torch.meshgrid(*[values] * count, indexing="ij")
        yield Case("special values", [gyre.from_torch(g.contiguous()) for g in grids], {})
    else:
        pairs = torch.cartesian_prod(values, values, torch.tensor([2.0], dtype=values.dtype))
        yield Case("special values", [gyre.from_torch(pairs)], {"axes": (1,), "keepdim": False})


def whole(op):
    """Integers and booleans."""
    random = numpy.random.default_rng(13)
    for names in itertools.product(INTEGERS, repeat=min(len(op.arguments), 2)):
        names = (names * 3)[:len(op.arguments)]
        tensors = []
        for i, name in enumerate(names):
            low = 1 if i else (0 if name in ("u8", "boolean") else -5)
            values = random.integers(low, 6, (3, 4)) if name != "boolean" else random.integers(0, 2, (3, 4))
            tensors.append(gyre.from_torch(torch.from_numpy(values).to(torch_dtype(name))))
        if op.family == "elementwise":
            yield Case("integers", tensors, {})
        else:
            yield Case("integers", tensors, {"axes": (0,), "keepdim": False})


def is_fold(op):
    return len(op.arguments) == 1 and [a["name"] for a in op.attributes][:2] == ["axes", "keepdim"]


def cases(op, dtype):
    yield from sampled(op, dtype)
    if op.family != "elementwise" and not is_fold(op):
        return
    yield from shaped(op, dtype) if op.family == "elementwise" else folded(op, dtype)
    if all(pool.is_floating_point() for pool in pools(op, dtype)):
        yield from special(op, dtype)
        if dtype == "f64":
            yield from whole(op)


# ---- one comparison ----


class Comparison:
    """All comparisons of one op: number of calls, and the differences as (what, example)."""

    def __init__(self, op):
        self.op, self.fn = op, torch_ops.counterpart(op.name)
        self.calls = self.gradients = self.refused = 0
        self.differences = []

    def run(self):
        for dtype in DTYPES:
            for case in cases(self.op, dtype):
                whole_numbers = case.kind == "integers"
                self.values(case, dtype, whole_numbers)
                if case.gradient and self.op.differentiable:
                    self.slopes(case, dtype)
        return self

    def note(self, what, case, wrong):
        self.differences.append((what, f"{wrong} in {self.op.name}{case}"))

    def both(self, case):
        """The results of gyre and torch (floats in f64); None if both raise."""
        try:
            wanted = several(self.fn(*case.torch_tensors("f64"), **case.attributes))
        except torch_ops.NotComparable:
            return None
        except (RuntimeError, IndexError, TypeError) as error:
            wanted = error
        try:
            got = several(self.op(*case.tensors, **case.attributes))
        except gyre.Error as error:
            got = error
        refusals = [isinstance(r, Exception) for r in (got, wanted)]
        if not any(refusals):
            return got, wanted
        self.refused += 1
        if not all(refusals) and not (case.kind == "integers" and refusals[1]):
            who = "gyre" if refusals[0] else "torch"
            self.note(f"{case.kind}: refused by {who}", case, got if refusals[0] else wanted)
        return None

    def values(self, case, dtype, integers):
        results = self.both(case)
        if results is None:
            return
        self.calls += 1
        if len(results[0]) != len(results[1]):
            self.note(f"{case.kind}: results", case, f"{len(results[0])}, torch {len(results[1])}")
        for got, wanted in zip(*results):
            if is_floating(got) != wanted.is_floating_point():
                self.note(f"{case.kind}: dtype", case, f"{got.dtype.name}, torch {wanted.dtype}")
                continue
            if not is_floating(got) and torch_dtype(got.dtype.name) != wanted.dtype:
                self.note(f"{case.kind}: dtype", case, f"{got.dtype.name}, torch {wanted.dtype}")
            of = "f32" if integers else dtype
            least = 0 if self.op.by_element else case.least(wanted)
            wrong = difference(got, wanted, of, self.op.ulp, self.op.by_element, least)
            if wrong and case.kind in ("special values", "extremes"):
                wrong = self.in_same_dtype(case, results[0], dtype)
            if wrong:
                self.note(f"{case.kind}: value", case, wrong)
                return

    def in_same_dtype(self, case, results, dtype):
        """Intermediate overflow in f32 but not in f64: compares with torch in f32."""
        wanted = several(self.fn(*case.torch_tensors(), **case.attributes))
        wrong = [difference(g, w, dtype, 2 * self.op.ulp, self.op.by_element) for g, w in zip(results, wanted)]
        return next(filter(None, wrong), None)

    def slopes(self, case, dtype):
        random = numpy.random.default_rng(17)
        arguments = self.op.arguments
        moves = [i for i, t in enumerate(case.tensors)
                 if is_floating(t) and arguments[min(i, len(arguments) - 1)]["differentiable"]]
        ours = [t.detach() if i in moves else t for i, t in enumerate(case.tensors)]
        theirs = case.torch_tensors("f64")
        for i in moves:
            ours[i].requires_grad_()
            theirs[i].requires_grad_()
        try:
            wanted = several(self.fn(*theirs, **case.attributes))
            got = several(self.op(*ours, **case.attributes))
        except (gyre.Error, RuntimeError, IndexError, TypeError, torch_ops.NotComparable):
            return  # values() has reported it
        if [t.shape for t in got] != [tuple(t.shape) for t in wanted]:
            return
        smooth = [k for k, t in enumerate(got) if is_floating(t) and wanted[k].requires_grad]
        weights = [torch.from_numpy(random.standard_normal(got[k].shape)).to(torch_dtype(got[k].dtype.name))
                   for k in smooth]
        if not smooth or not moves:
            return
        self.gradients += 1
        found = gyre.grad([got[k] for k in smooth], [ours[i] for i in moves],
                          [gyre.from_torch(w) for w in weights], allow_unused=True)
        known = torch.autograd.grad([wanted[k] for k in smooth], [theirs[i] for i in moves],
                                    [w.to(wanted[k].dtype) for k, w in zip(smooth, weights)], allow_unused=True)
        for i, g, w in zip(moves, found, known):
            w = torch.zeros_like(theirs[i]) if w is None else w
            g = gyre.zeros_like(ours[i]) if g is None else g
            wrong = difference(g, w, dtype, 8 * self.op.ulp, False, case.least(w))
            if wrong:
                self.note(f"{case.kind}: gradient", case, f"by argument {i}: {wrong}")
                return


@functools.cache
def comparison(op):
    return Comparison(op).run()


@functools.cache
def explained():
    return Explained(HEADING)


def compared():
    return [op for op in gyre.ops() if torch_ops.counterpart(op.name)] if gyre else []


class OpsVsTorch(unittest.TestCase):
    def check(self, op):
        found = comparison(op)
        self.assertGreater(found.calls, 0)
        rows = explained().rows
        wrong = {what: example for what, example in reversed(found.differences) if (op.name, what) not in rows}
        if wrong:
            self.fail("".join(f"\n{what}: {example}" for what, example in wrong.items()))

    def test_the_table(self):
        """Every op has a counterpart or a reason; every row of the tables is used."""
        names = {op.name for op in gyre.ops()}
        without = {name: torch_ops.WITHOUT.get(name) for name in names if not torch_ops.counterpart(name)}
        self.assertEqual([name for name, reason in without.items() if not reason], [])
        self.assertEqual([name for name in (*torch_ops.CALLS, *torch_ops.WITHOUT) if name not in names], [])
        results = [comparison(op) for op in compared()]
        for result in results:
            for what, example in result.differences:
                explained().note(result.op.name, what, example)
        self.assertEqual(explained().idle(), [])
        print(f"\n| {len(results)} ops compared with PyTorch {torch.__version__}: "
              f"{sum(r.calls for r in results)} calls, {sum(r.gradients for r in results)} gradients,"
              f" {sum(r.refused for r in results)} refused by both or explained")
        for reason in sorted(set(without.values())):
            print(f"| without: {' '.join(sorted(n for n in without if without[n] == reason))} ({reason})")


for one in compared():
    setattr(OpsVsTorch, f"test_{one.name}", functools.partialmethod(OpsVsTorch.check, one))

if __name__ == "__main__":
    unittest.main()
