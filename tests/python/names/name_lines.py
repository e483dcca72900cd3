"""Lines that run in gyre and in PyTorch, with the tensors that they name."""

import math
import pathlib

from common import gyre, numpy, torch

# Run with `lib` as gyre and as torch.
NAME_LINES = (pathlib.Path(__file__).parent / "name_lines.txt").read_text().splitlines()
# The same in shape and dtype: random or uninitialised values.
RANDOM_LINES = """
lib.empty_like(q)
lib.rand(2, 3)
lib.randn((2, 3))
lib.rand(2, dtype=lib.float64)
lib.rand_like(m)
lib.randn_like(q)
lib.randint(10, (3,))
lib.randint(0, 10, size=(3,))
lib.randint_like(m, 3)
lib.randint_like(m, 3, device="cpu", requires_grad=True)
lib.normal(1.6, 0.3, (2, 3), dtype=lib.float64, device="cpu", requires_grad=True)
lib.randperm(5)
lib.normal(0.0, 1.0, size=(2, 3))
lib.normal(v, 1.0)
lib.bernoulli(v.abs())
lib.multinomial(v.abs(), 2)
lib.multinomial(m.abs(), 3, replacement=True)
v.clone().uniform_(-1, 1)
v.clone().normal_(0, 2)
v.clone().exponential_()
v.clone().log_normal_()
v.clone().bernoulli_(0.3)
i.clone().random_(5)
lib.rand(2, generator=lib.Generator().manual_seed(1))
""".strip().splitlines()


def space(lib):
    """m: [3, 4] f32, v: [6] f32, w: [6] f32, i: [6] i64, b: [6] boolean, q: [2, 3, 4] f64, s: [3, 3] f64 positive
    definite, n: [5] f32 with NaN and infinities."""
    r = numpy.random.default_rng(3)
    draws = {"m": r.uniform(-1, 1, (3, 4)).astype("f"), "v": r.uniform(-1, 1, 6).astype("f"),
             "w": r.uniform(-1, 1, 6).astype("f"), "i": numpy.array([3, 1, 2, 1, 0, 3]), "b": r.uniform(size=6) > 0.5,
             "q": r.uniform(-1, 1, (2, 3, 4)), "n": numpy.array([1, numpy.nan, numpy.inf, -numpy.inf, 0], "f")}
    x = r.uniform(-1, 1, (3, 3))
    draws["s"] = x @ x.T + 3 * numpy.eye(3)
    return {"lib": lib, **{name: lib.tensor(array) for name, array in draws.items()}}


def plain(value):
    """A value as one that both libraries can have: tensors are (dtype, shape, numbers)."""
    if isinstance(value, (gyre.Tensor, torch.Tensor)):
        dtype = str(value.dtype).replace("torch.", "").replace("DType.", "")
        name = {"boolean": "bool", "bf16": "bfloat16"}.get(dtype, dtype)
        for short, long in (("f", "float"), ("i", "int"), ("u", "uint")):
            if name[0] == short and name[1:].isdigit():
                name = long + name[1:]
        return name, tuple(value.shape), numpy.array(value.tolist())
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


def check_same(case, ours, theirs, line, values=True):
    if isinstance(theirs, list):
        case.assertEqual(len(ours), len(theirs), line)
        for a, b in zip(ours, theirs):
            check_same(case, a, b, line, values)
    elif isinstance(theirs, tuple):
        case.assertEqual(ours[:2], theirs[:2], line)
        if values:
            numpy.testing.assert_allclose(ours[2], theirs[2], rtol=2e-5, atol=2e-6, err_msg=line)
    elif isinstance(theirs, float):
        case.assertTrue(math.isclose(ours, theirs, rel_tol=1e-6), line)
    else:
        case.assertEqual(ours, theirs, line)


def run_in_both(case, lines, values=True):
    """Fails unless the lines have the same results in both libraries: in shape and dtype, and in `values`."""
    for line in lines:
        with case.subTest(line):
            check_same(case, plain(eval(line, space(gyre))), plain(eval(line, space(torch))), line, values)
