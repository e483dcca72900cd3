"""Calls of the package with arguments of all kinds: each works or raises an error of one clear line, changes no
operand, and nothing crashes.

    python tests/python/fuzz_calls_test.py --seconds 600 --seed 7    (--only N repeats call N of that seed)
"""

import argparse
import faulthandler
import math
import os
import random
import re
import resource
import subprocess
import sys
import time
import unittest

from common import gyre, needs_packages, numpy

SECONDS = 10
LEAST = 100  # calls
MEMORY = 8 << 30  # so that huge sizes fail at once
HANG = 120
# own exceptions, and those of Python for arguments of the wrong kind, subscripts, ints beyond 64 bits, what cannot be shared
CLEAR = (TypeError, ValueError, IndexError, OverflowError, RecursionError, BufferError)
# Methods that change their operand.
WRITES = re.compile(r".*[a-z0-9]_|assign|grad|backward|__(i(add|sub|mul|truediv|floordiv|mod|pow|matmul|and|or|xor)|init|setitem|setstate)__")
RAW = ("incompatible function", "bad_cast", "nanobind", "std::", "NB_")
# they write files, change the whole process, or never end
LEFT_OUT = {"save", "train", "generate", "embed", "set_default_device", "set_num_threads", "manual_seed", "set_rng_state", "register_op",
            "load_model", "ops", "predict", "DType", "dtype"}


class Planned(Exception):
    """Raised by the strange arguments below: to be passed on as it is."""


def planned(*args, **kwargs):
    raise Planned


class Liar(list):
    def __len__(self):
        return 5


class Raises:
    __len__ = __iter__ = __index__ = __float__ = __getitem__ = __bool__ = __array__ = __dlpack__ = planned


class RaisingList(list):
    __len__ = __iter__ = __getitem__ = planned


class Ten:
    def __index__(self):
        return 10


def endless():
    items = []
    items.append(items)
    return items


DTYPES = [d for d in vars(gyre.DType).values() if isinstance(d, gyre.DType)] if gyre else []
SIZES = (0, 0, 1, 1, 2, 3, 4, 7, 17)
INTEGERS = (0, 1, -1, 2, 3, -2, 5, 16, 255, 256, 2**33, -2**33, 2**40, 2**53 + 1, 2**62, 2**63 - 1, -2**63, 2**63, 2**70)
REALS = (0.0, -0.0, 0.5, 1.5, -1.0, 1e-320, 1e308, -1e30, math.inf, -math.inf, math.nan)
OTHERS = (None, True, False, "", "a", "mean", "f32", "ij,jk->ik", "\x00", "\ud800", "ö" * 300, b"ab", 1j, ..., slice(None),
          slice(2, None, -1), int, list, object, len, lambda *a: a, lambda x: x, planned, {}, {"a": 0}, {0: 1}, {1, 2}, range(3))


class Draw:
    """The arguments of one call."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.values = numpy.random.default_rng(self.random.randrange(1 << 30))

    def shape(self):
        if self.random.random() < 0.03:
            return (1,) * self.random.choice((5, 16))
        return tuple(self.random.choice(SIZES) for _ in range(self.random.choice((0, 1, 1, 2, 2, 3, 4))))

    def array(self, shape):
        """float64, with extremes."""
        a = self.values.standard_normal(shape)
        if a.size and self.random.random() < 0.3:
            a.reshape(-1)[self.random.randrange(a.size)] = self.random.choice(REALS)
        return a

    def tensor(self, shape=None):
        t = gyre.tensor(self.array(self.shape() if shape is None else shape))
        t = t.to(self.random.choice(DTYPES)) if self.random.random() < 0.7 else t.to("f32")
        how = self.random.randrange(8)
        if how == 0 and t.ndim > 1:
            t = t.transpose(0, -1)
        elif how == 1 and t.ndim:
            t = gyre.cat([t, t], axis=-1)[..., ::2]
        elif how == 2 and t.ndim:
            t = t[..., :1].expand(*t.shape) if t.shape[-1] else t
        if t.is_floating_point() and self.random.random() < 0.3:
            t = t.detach().requires_grad_()
            if self.random.random() < 0.5:
                t = t * 2
        return t

    def foreign(self):
        a = self.array(self.shape())
        with numpy.errstate(all="ignore"):
            a = a.astype(self.random.choice(("f8", "f4", "f2", "i8", "i4", "u1", "u2", "u8", "?", "c16", "S3", "O", ">f4")))
        if a.ndim and self.random.random() < 0.3:
            a = a[::-1]
        return a

    def number(self):
        return self.random.choice(self.random.choice((INTEGERS, REALS)))

    def listed(self, depth=0):
        items = [self.anything(depth + 1) if self.random.random() < 0.2 else self.number()
                 for _ in range(self.random.randint(0, 4))]
        kind = self.random.choice((list, list, tuple, Liar, RaisingList))
        return kind(items)

    def anything(self, depth=0):
        return self.random.choices(
            (self.tensor, self.foreign, self.number, lambda: self.random.choice(OTHERS),
             lambda: self.listed(depth) if depth < 3 else [], lambda: self.random.choice(DTYPES),
             lambda: self.random.choice((Raises, Ten, endless, object, lambda: iter([1.0, 2.0]), lambda: gyre.Tensor,
                                         lambda: gyre.nn.Linear(2, 3), lambda: numpy.float64(2), lambda: numpy.int8(3)))()),
            (8, 2, 4, 4, 4, 1, 2))[0]()


def owners():
    """(owner, name) of everything that can be called."""
    for owner in (gyre, gyre.func, gyre.nn, gyre.nn.init, gyre.optim, gyre.data, gyre.hyperbolic, gyre.packed, gyre._gyre._data,
                  gyre._gyre._optim, gyre._gyre._nn, gyre._gyre._transforms, gyre.Tensor, gyre.Tokenizer, gyre._gyre._nn.Module):
        for name in sorted(dir(owner)):
            member = getattr(owner, name, None)
            if name in LEFT_OUT or not callable(member) or isinstance(member, type) and issubclass(member, BaseException):
                continue
            if name not in getattr(owner, "__all__", [name]):
                continue
            if not name.startswith("_") or owner is gyre.Tensor and name in SPECIAL:
                yield owner, name


SPECIAL = ("__getitem__", "__setitem__", "__contains__", "__add__", "__radd__", "__iadd__", "__sub__", "__mul__", "__pow__",
           "__imul__", "__matmul__", "__floordiv__", "__mod__", "__divmod__", "__and__", "__lt__", "__eq__", "__init__", "__dlpack__",
           "__format__", "__deepcopy__", "__setstate__", "__index__", "__int__", "__float__", "__bool__", "__len__")


class Fuzz:
    def __init__(self, seed):
        self.seed, self.calls = seed, sorted(owners(), key=lambda c: (str(c[0]), c[1]))
        self.ops = {op.name: op for op in gyre.ops()}
        self.samples = {}

    def sample(self, op, draw):
        """A valid call with one argument replaced, sometimes."""
        if op.name not in self.samples:
            self.samples[op.name] = op.samples(dtype="f64")
        tensors, attributes = draw.random.choice(self.samples[op.name] or [((), {})])
        args, names = list(tensors), dict(attributes)
        args = [t.to(draw.random.choice(DTYPES)) if isinstance(t, gyre.Tensor) and not t.is_packed and draw.random.random() < 0.3
                else t for t in args]
        for _ in range(draw.random.randint(0, 2)):
            if args and (not names or draw.random.random() < 0.6):
                at = draw.random.randrange(len(args))
                like = args[at]
                if isinstance(like, gyre.Tensor) and draw.random.random() < 0.5:
                    args[at] = draw.tensor(like.shape)
                else:
                    args[at] = draw.anything()
            elif names:
                names[draw.random.choice(sorted(names))] = draw.anything() if draw.random.random() < 0.5 else draw.number()
        args = [t.detach().requires_grad_() if isinstance(t, gyre.Tensor) and t.is_floating_point() and draw.random.random() < 0.3
                else t for t in args]
        return args, names

    def call(self, number):
        """(what was called, what is wrong or None)."""
        draw = Draw(f"{self.seed} {number}")
        if draw.random.random() < 0.5:
            op = draw.random.choice(list(self.ops.values()))
            function, what = op, op.name
            args, names = self.sample(op, draw)
            in_place = False
        else:
            owner, name = draw.random.choice(self.calls)
            function, what = getattr(owner, name), f"{getattr(owner, '__name__', owner)}.{name}"
            args = [draw.anything() for _ in range(draw.random.choice((0, 1, 1, 2, 2, 3, 4)))]
            names = {"axis": draw.number()} if draw.random.random() < 0.1 else {}
            if owner is gyre.Tensor and name != "__init__" and draw.random.random() < 0.9:
                args.insert(0, draw.tensor())
            in_place = owner is gyre.nn.init or bool(WRITES.fullmatch(name))
        before = [contents(a) for a in args]
        problem = self.outcome(function, args, names, draw)
        if not in_place and problem is None and [contents(a) for a in args] != before:
            problem = "changed an operand"
        return what, problem

    def outcome(self, function, args, names, draw):
        try:
            result = function(*args, **names)
            for y in result if isinstance(result, tuple) else (result,):
                if isinstance(y, gyre.Tensor):
                    repr(y) if y.size < 1000 else None
                    if y.requires_grad and y.size and draw.random.random() < 0.7:
                        y.sum().backward()
        except Planned:
            return None
        except (gyre.Error, *CLEAR) as error:
            text = str(error)
            if isinstance(error, gyre.InternalError):
                return f"InternalError: {text}"
            if not text or "\n" in text or any(part in text for part in RAW):
                return f"{type(error).__name__}: {text!r}"
        except BaseException as error:  # noqa: BLE001
            return f"{type(error).__name__}: {error}"
        return None


def contents(x):
    if isinstance(x, gyre.Tensor):
        x = x.detach().decode() if x.is_packed else x
        try:
            return x.dtype, x.shape, bytes(memoryview(x.detach().contiguous().view(x.size)).cast("B")) if x.size else b""
        except (gyre.Error, TypeError, BufferError):
            return x.dtype, x.shape, repr(x)
    if isinstance(x, numpy.ndarray) and x.dtype != object:
        return x.tobytes()
    return type(x)


def run(seconds, seed, only=None):
    """Prints each problem; the number of them."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
    faulthandler.enable()
    fuzz, problems, number = Fuzz(seed), 0, 0
    progress = os.open(os.environ.get("GYRE_FUZZ_PROGRESS", os.devnull), os.O_WRONLY | os.O_CREAT)  # which call a crash was in
    end = time.monotonic() + seconds
    # a call that fills the memory may take most of the time
    while time.monotonic() < end or number < LEAST if only is None else number == 0:
        at = number if only is None else only
        faulthandler.dump_traceback_later(HANG, exit=True)
        os.pwrite(progress, f"{at:12}\n".encode(), 0)
        what, problem = fuzz.call(at)
        faulthandler.cancel_dump_traceback_later()
        if problem:
            problems += 1
            print(f"call {at} of seed {seed}: {what}: {problem}", flush=True)
        number += 1
    print(f"{number} calls, {problems} problems", flush=True)
    return problems


@unittest.skipIf(sys.platform == "win32", "needs resource limits")
class Calls(unittest.TestCase):
    def test_every_call_works_or_tells_why_not(self):
        needs_packages()
        command = [sys.executable, __file__, "--seconds", str(SECONDS), "--seed", "1"]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"\d{3,} calls, 0 problems")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    options = parser.parse_args()
    sys.exit(run(options.seconds, options.seed, options.only) != 0)
