"""Random programs of ops in gyre and PyTorch: the same results and gradients.

A program begins with leaves that require gradients. Each of its steps calls an op on one of the op's own samples,
whose floating-point operands are mixed with results of earlier steps, or writes in place to a result or a view of
one. The loss is a weighted sum of all results; a part of the programs differentiates its gradient again.

  python tests/python/random_programs.py --programs 100000    compare that many and print how often each op ran
"""

import argparse
import collections
import functools
import random
import sys

from common import gyre, is_floating, several, to_torch, torch

import torch_ops

LEAVES = ((3, 4), (5,), (2, 3, 2))
LARGEST = 1e4   # steps with larger results are left out
WEIGHTS = torch.sin(torch.arange(1, 4097, dtype=torch.float64))
TOLERANCE = 1e-8


def as_strided_scatter(x, src, shape, strides, offset):
    """PyTorch's own gives the gradient to the elements that are replaced (docs/torch_differences.md)."""
    places = torch.as_strided(torch.arange(x.numel()), shape, strides, offset)
    return x.reshape(-1).index_put((places.reshape(-1),), src.reshape(-1)).reshape(x.shape)


# Ops whose results are copied before programs write to them: gyre's backward needs these results where PyTorch's
# counterpart is a composition whose parts keep others; PyTorch lets programs write to overlapping windows, to
# results that depend on the order of the writes, which gyre refuses.
COPIED = {"batch_norm", "qr", "svd", "eigh", "scaled_dot_product_attention", "linear_recurrence", "linear_act",
          "triangular_solve", "lstsq", "cumprod", "unfold", "as_strided"}
def batch_norm(x, weight=None, bias=None, mean=None, variance=None, *, eps):
    """PyTorch's own has a wrong second derivative by the bias without a weight (2.13: 1 % off)."""
    axes = [a for a in range(x.dim()) if a != 1]
    if mean is None:
        variance, mean = torch.var_mean(x, axes, correction=0)
    shape = [-1] + [1] * (x.dim() - 2)
    y = (x - mean.reshape(shape)) / torch.sqrt(variance.reshape(shape) + eps)
    return torch_ops.scaled(y, *(t if t is None else t.reshape(shape) for t in (weight, bias))), mean, variance


OWN = {"as_strided_scatter": as_strided_scatter, "batch_norm": batch_norm}


class Library:
    """One of the two libraries: how it makes tensors and calls ops."""

    def __init__(self, name):
        self.name, self.is_gyre = name, name == "gyre"
        self.module = gyre if self.is_gyre else torch

    def tensor(self, values, requires_grad=False):
        if self.is_gyre:
            made = gyre.from_torch(values.clone())
            return made.requires_grad_() if requires_grad else made
        return values.clone().requires_grad_(requires_grad)

    def call(self, op, tensors, attributes):
        fn = op if self.is_gyre else OWN.get(op.name) or torch_ops.counterpart(op.name)
        results = several(fn(*tensors, **attributes))
        return [r * 1 if op.name in COPIED and self.floating(r) else r for r in results]

    def floating(self, t):
        return is_floating(t) if self.is_gyre else t.is_floating_point()

    def gradients(self, loss, leaves, again):
        grad = self.module.grad if self.is_gyre else torch.autograd.grad
        first = [g for g in grad(loss, leaves, create_graph=again, allow_unused=True)]
        if not again:
            return first
        moved = [g for g in first if g is not None and g.requires_grad]
        if not moved:
            return first + [None] * len(leaves)
        return first + list(grad(weighted(self, moved), leaves, allow_unused=True))


def weighted(library, results):
    total = None
    for r in results:
        part = (r.reshape(-1) * library.tensor(WEIGHTS[:numel(r)])).sum()
        total = part if total is None else total + part
    return total


def numel(t):
    n = 1
    for size in t.shape:
        n *= size
    return n


class Call:
    """A sample of an op whose values PyTorch can compute."""

    def __init__(self, op, tensors, attributes):
        self.op, self.attributes = op, attributes
        self.values = [to_torch(t) for t in tensors]
        arguments = op.arguments
        self.moves = [i for i, t in enumerate(tensors)
                      if is_floating(t) and arguments[min(i, len(arguments) - 1)]["differentiable"]]


def runs_in_both(call, ours, theirs):
    """Whether PyTorch computes the sample, too, with a gradient; ops_vs_torch_test.py compares the values."""
    ours.call(call.op, [None if t is None else ours.tensor(t) for t in call.values], call.attributes)
    try:
        wanted = theirs.call(call.op, [t if i not in call.moves else t.clone().requires_grad_()
                                       for i, t in enumerate(call.values)], call.attributes)
    except (torch_ops.NotComparable, RuntimeError, IndexError, TypeError):
        return False
    return any(w.requires_grad for w in wanted)


@functools.cache
def calls():
    """The samples of each differentiable op with a counterpart in PyTorch, by name."""
    ours, theirs, found = Library("gyre"), Library("torch"), {}
    for op in gyre.ops():
        if not op.differentiable or not torch_ops.counterpart(op.name):
            continue
        for seed in (0, 1):
            for tensors, attributes in op.samples(dtype="f64", seed=seed):
                call = Call(op, tensors, attributes)
                if call.moves and runs_in_both(call, ours, theirs):
                    found.setdefault(op.name, []).append(call)
    return found


def fitted(v, shape, stride, library):
    """The elements of v, repeated, as a tensor of that shape, its elements `stride` apart in memory."""
    count = 1
    for size in shape:
        count *= size
    places = torch.arange(count) % max(numel(v), 1)
    flat = v.reshape(-1)[library.tensor(places)]
    if stride > 1:
        flat = library.module.stack([flat] * stride, **{"axis" if library.is_gyre else "dim": 1})[:, 0]
    return flat.reshape(shape)


class OpStep:
    """Calls an op on a sample mixed with earlier results: operand i is its sample * (1 + share * tanh(v))."""

    def __init__(self, draw, pool):
        self.call = draw.choice(calls()[draw.choice(sorted(calls()))])
        self.mixed = {}
        for i in self.call.moves:
            if draw.random() < 0.8 or len(self.call.moves) == 1:
                self.mixed[i] = (draw.randrange(pool), draw.choice([0.05, 0.3]), draw.choice([1, 1, 2]))

    def __str__(self):
        return (f"{self.call.op.name}({', '.join('None' if t is None else str(list(t.shape)) for t in self.call.values)}"
                f" {self.call.attributes}) of {self.mixed}")

    def run(self, library, pool):
        operands = [None if t is None else library.tensor(t) for t in self.call.values]
        for i, (k, share, stride) in self.mixed.items():
            v = fitted(pool[k], tuple(self.call.values[i].shape), stride, library)
            operands[i] = operands[i] * (1 + share * v.tanh())
        return [r for r in library.call(self.call.op, operands, self.call.attributes) if library.floating(r)]


class WriteStep:
    """Writes in place to a result or a view of one; PyTorch says whether it may."""

    WRITES = {
        "mul": lambda part, v: part.mul_(1.25),
        "div": lambda part, v: part.div_(v),
        "add": lambda part, v: part.add_(v),
        "sub": lambda part, v: part.sub_(0.5),
        "tanh": lambda part, v: part.tanh_(),
        "sigmoid": lambda part, v: part.sigmoid_(),
        "sin": lambda part, v: part.sin_(),
        "copy": lambda part, v: part.copy_(v),
        "fill": lambda part, v: part.fill_(0.75),
        "set": lambda part, v: part.__setitem__(0, v) if len(part.shape) else part.fill_(0.5),
        "mask": lambda part, v: part.__setitem__(part > 0.5, 0.25),
    }
    VIEWS = {
        "whole": lambda y: y,
        "row": lambda y: y[0],
        "rows": lambda y: y[1:],
        "column": lambda y: y[..., 0],
        "steps": lambda y: y[..., ::2],
        "turned": lambda y: y.transpose(0, -1),
        "wider": lambda y: y.unsqueeze(0)[0, ..., None],
    }

    def __init__(self, draw, pool):
        self.target = draw.randrange(len(LEAVES), pool)
        self.view, self.write = draw.choice(sorted(self.VIEWS)), draw.choice(sorted(self.WRITES))
        self.source, self.keeps = draw.randrange(pool), draw.random() < 0.3

    def __str__(self):
        return f"{self.view} of {self.target} {self.write} {self.source}"

    def run(self, library, pool):
        number = 1.5 + 0.3 * fitted(pool[self.source], (), 1, library).tanh()
        part = self.VIEWS[self.view](pool[self.target])
        self.WRITES[self.write](part, number)
        return [part] if self.keeps else []


class Program:
    def __init__(self, seed):
        self.seed, draw = seed, random.Random(seed)
        generator = torch.Generator().manual_seed(seed)
        self.leaves = [torch.randn(shape, dtype=torch.float64, generator=generator) for shape in LEAVES]
        self.again = draw.random() < 0.1
        self.steps = []
        self.expected = self.written(draw, draw.randint(1, 12))

    def written(self, draw, length):
        """Draws the steps while PyTorch runs them; a step that it refuses or whose results are too large is left
        out. Returns PyTorch's results and gradients, None where it refuses a write or its backward, or where its
        gradients are not finite (those of singular determinants)."""
        library = Library("torch")
        pool = [library.tensor(x, True) for x in self.leaves]
        leaves = list(pool)
        for _ in range(length):
            writes = len(pool) > len(LEAVES) and draw.random() < 0.15
            step = WriteStep(draw, len(pool)) if writes else OpStep(draw, len(pool))
            try:
                results = step.run(library, pool)
            except (RuntimeError, IndexError, TypeError, torch_ops.NotComparable):
                if writes:
                    return None  # a write may have happened in part
                continue
            if not all(map(moderate, results + (pool if writes else []))):
                if writes:
                    return None
                continue
            self.steps.append(step)
            pool += results
        return self.finished(library, pool, leaves)

    def finished(self, library, pool, leaves):
        try:
            results = [r for r in pool[len(LEAVES):] if r.requires_grad and numel(r)]
            gradients = library.gradients(weighted(library, results + leaves), leaves, self.again)
        except RuntimeError:
            if library.is_gyre:
                raise
            return None
        if not library.is_gyre and not all(torch.isfinite(g).all() for g in gradients if g is not None):
            return None
        return pool, gradients

    def compare(self):
        """None if both libraries agree, else what differs."""
        library = Library("gyre")
        pool = [library.tensor(x, True) for x in self.leaves]
        leaves = list(pool)
        try:
            for step in self.steps:
                pool += step.run(library, pool)
            found = self.finished(library, pool, leaves)
        except gyre.Error as error:
            return f"refused: {error}"
        for k, (a, b) in enumerate(zip(found[0], self.expected[0], strict=True)):
            if not close(a, b):
                return f"result {k}: {a} against {b}"
        for k, (a, b) in enumerate(zip(found[1], self.expected[1], strict=True)):
            if not close(a, b):
                return f"gradient {k}: {a} against {b}"
        return None

    def __str__(self):
        return "\n".join(f"  {step}" for step in self.steps) + ("\n  gradient of the gradient" if self.again else "")


def moderate(r):
    return r.numel() <= len(WEIGHTS) and bool((r.abs() <= LARGEST).all())


def close(ours, theirs):
    if theirs is None or ours is None:
        other = ours if theirs is None else theirs
        return other is None or float(abs(other).max()) == 0
    a, b = to_torch(ours), theirs.detach()
    if a.shape != b.shape:
        return False
    bound = TOLERANCE * max(1.0, float(b.abs().max()) if b.numel() else 0)
    both = torch.isfinite(a) | torch.isfinite(b)
    return bool(((a - b).abs() <= bound)[both].all())


def compare(programs, first=0, show=None):
    """Compares that many programs, from that seed on; returns how many seeds it took, how often each op ran, and the
    differences as texts."""
    ran, differences, compared, seed = collections.Counter(), [], 0, first
    while compared < programs:
        program = Program(seed)
        seed += 1
        if program.expected is None or not program.steps:
            continue
        wrong = program.compare()
        compared += 1
        ran.update(step.call.op.name if isinstance(step, OpStep) else f"write: {step.write}" for step in program.steps)
        if wrong:
            differences.append(f"seed {program.seed}: {wrong}\n{program}")
            if show:
                show(differences[-1])
    return seed - first, ran, differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=1000, help="how many to compare (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first (default: 0)")
    options = parser.parse_args()
    torch.set_num_threads(1)
    gyre.set_num_threads(1)
    seeds, ran, differences = compare(options.programs, options.seed, show=print)
    print(f"{options.programs} programs of {seeds} drawn (PyTorch refuses the others, or they are empty), "
          f"{sum(ran.values())} steps, {len(differences)} differ")
    for name, count in sorted(ran.items(), key=lambda item: item[1]):
        print(f"{count:8} {name}")
    idle = sorted(set(calls()) - set(ran))
    print("never ran:", " ".join(idle) or "none")
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
