"""Shared by the comparisons with NumPy and PyTorch: imports, conversions, error measures."""

import pathlib
import re
import sys
import threading
import unittest

try:
    import gyre
    import numpy
    import torch.nn  # without PyTorch, `torch` is the folder tests/python/torch
    MISSING = None
except ImportError as error:
    gyre = numpy = torch = None
    MISSING = f"{error.name} is not installed; scripts/test --with-torch installs it"

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIFFERENCES = ROOT / "docs/torch_differences.md"
DTYPES = ("f64", "f32")
LEAST = {"f64": 5e-324, "f32": 2.0 ** -149}
INTEGERS = ("i32", "i64", "u8", "boolean")


def needs_packages():
    """For setUpModule: skips the file if a package is missing."""
    if MISSING:
        raise unittest.SkipTest(MISSING)
    torch.set_num_threads(1)


def torch_dtype(name):
    """The torch dtype for a gyre dtype name."""
    names = {"boolean": torch.bool, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
             "f64": torch.float64}
    return names.get(name) or getattr(torch, name.replace("i", "int").replace("u", "uint"))


def to_torch(tensor, dtype=None):
    """A torch copy of a gyre tensor, in a dtype given by its gyre name; None and packed weights stay as they are."""
    if tensor is None or tensor.is_packed:
        return tensor
    copy = torch.from_dlpack(tensor.detach()).clone()
    return copy.to(torch_dtype(dtype)) if dtype and copy.is_floating_point() else copy


def is_floating(tensor):
    return tensor is not None and not tensor.is_packed and tensor.dtype in (gyre.f16, gyre.bf16, gyre.f32, gyre.f64)


def takes_packed(op):
    """Whether an argument of the op may be packed weights, which PyTorch has no tensors for."""
    return any(argument["packed"] for argument in op.arguments)


def gives_packed(op):
    tensors, attributes = op.samples()[0]
    return any(y.is_packed for y in several(op(*tensors, **attributes)))


def several(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _spacing(magnitude, dtype):
    """One unit in the last place at the magnitude of these numbers (for binary64, 1e-12 relative, to allow for
    PyTorch's own errors)."""
    if dtype == "f32":
        with numpy.errstate(all="ignore"):
            return numpy.spacing(numpy.minimum(magnitude, numpy.finfo("f4").max).astype("f4")).astype("f8")
    return numpy.maximum(magnitude * 1e-12, 4 * LEAST["f64"])


def _norm(x):
    largest = abs(x[numpy.isfinite(x)]).max(initial=0)
    return largest * numpy.linalg.norm(x[numpy.isfinite(x)] / largest) if largest else 0.0


def difference(got, want, dtype, units, by_element, least=0.0):
    """Describes how `got` (gyre) differs from `want` (torch, in f64), or None: different shapes, NaN or
    infinities at different positions, or an error of more than `units` units in the last place (f32; 1e-12
    relative for f64), per element or in the norm, or more than `least` if that is larger."""
    if tuple(got.shape) != tuple(want.shape):
        return f"shape {tuple(got.shape)}, torch {tuple(want.shape)}"
    a = to_torch(got, "f64").numpy().astype("f8").ravel()
    b = want.detach().to(torch.float64).numpy().ravel()
    if not is_floating(got):
        return None if (a == b).all() else f"is {a[a != b][:3]}, torch {b[a != b][:3]}"
    with numpy.errstate(all="ignore"):
        rounded = b.astype("f4").astype("f8") if dtype == "f32" else b
        same = (a == b) | (a == rounded) | (numpy.isnan(a) & numpy.isnan(b))
        # an infinity counts as the first number beyond the dtype's range
        a = numpy.where(numpy.isinf(a) & numpy.isfinite(b) & (dtype == "f32"), numpy.sign(a) * 2.0 ** 128, a)
        error = numpy.where(same, 0, abs(a - b))
        size = numpy.maximum(abs(b) if by_element else numpy.full_like(b, _norm(b)), least)
        error = error / _spacing(numpy.nan_to_num(size), dtype)
    total = error.max(initial=0) if by_element else numpy.linalg.norm(error)
    if total <= (units if dtype == "f32" else 1):
        return None
    worst = int(numpy.argmax(numpy.where(numpy.isnan(error), numpy.inf, error)))
    return f"element {worst} of {a.size} is {float(a[worst])!r}, torch {float(b[worst])!r}"


def lets_others_run(call, tries=200_000):
    """Whether another thread runs during one of these calls. The interpreter never switches threads by itself,
    so the other thread runs only if a call releases the GIL."""
    ready, ran = threading.Lock(), []

    def wait():
        with ready:
            ran.append(True)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        ready.acquire()
        other = threading.Thread(target=wait)
        other.start()
        ready.release()
        for _ in range(tries):
            call()
            if ran:
                break
        return bool(ran)
    finally:
        sys.setswitchinterval(interval)
        other.join()


class Explained:
    """The rows of a table of docs/torch_differences.md, and which of them are used."""

    def __init__(self, heading):
        text = DIFFERENCES.read_text(encoding="utf-8")
        section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
        self.rows = set()
        for line in section[1].splitlines() if section else ():
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if line.startswith("| `") and len(cells) == 3 and cells[2]:
                self.rows |= {(op.strip("` "), cells[1]) for op in cells[0].split(",")}
        self.used = set()
        self.examples = {}

    def note(self, op, what, example):
        """Records a difference."""
        self.used.add((op, what))
        self.examples.setdefault((op, what), example)

    def unexplained(self):
        return [f"{op} | {what}: {self.examples[op, what]}" for op, what in sorted(self.used - self.rows)]

    def idle(self):
        """Rows that no difference uses."""
        return [f"{op} | {what}" for op, what in sorted(self.rows - self.used)]
