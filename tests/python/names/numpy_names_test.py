"""gyre.numpy: the same lines in gyre and NumPy, values, shapes and dtypes; NumPy's own functions of tensors."""

import inspect
import pathlib
import unittest
import warnings

from common import gyre, needs_packages, numpy

# The lines of numpy_lines/, a file for each topic, run with `lib` as gyre.numpy and as numpy; what stands before the last
# semicolon is run first. x, y: [3, 4] f64, f: [3, 4] f32, v: [6] f64, i, j: [6] i64, k: [3] i32, h: [3] i16, u: [3] u8,
# b, c: [6] boolean, q: [2, 3, 4] f64, n: [3, 4] f64 with NaN, w: [5] f64 with NaN and infinities, s: [3, 3] positive
# definite, a: [3, 3] f64.
LINES = [line for page in sorted((pathlib.Path(__file__).parent / "numpy_lines").glob("*.txt"))
         for line in page.read_text(encoding="utf-8").splitlines()]


def setUpModule():
    needs_packages()


def space(lib, floats="f8"):
    r = numpy.random.default_rng(3)
    draws = {"x": r.uniform(-1, 1, (3, 4)), "y": r.uniform(-1, 1, (3, 4)), "f": r.uniform(-1, 1, (3, 4)).astype("f4"),
             "v": r.uniform(-1, 1, 6), "i": numpy.array([3, 1, 2, 1, 0, 3]), "j": numpy.array([2, 1, 3, 1, 1, 0]),
             "k": numpy.array([3, 1, 2], "i4"), "h": numpy.array([1, 0, 2], "i2"), "u": numpy.array([3, 0, 200], "u1"),
             "b": r.uniform(size=6) > 0.5, "c": r.uniform(size=6) > 0.5, "q": r.uniform(-1, 1, (2, 3, 4)),
             "n": r.uniform(-1, 1, (3, 4)), "w": numpy.array([1, numpy.nan, numpy.inf, -numpy.inf, 0]),
             "a": r.uniform(-1, 1, (3, 3))}
    draws["n"][[0, 1, 1], [1, 0, 3]] = numpy.nan
    draws["s"] = draws["a"] @ draws["a"].T + 3 * numpy.eye(3)
    return {"lib": lib, "numpy": numpy, **{name: lib.array(array) for name, array in draws.items()}}


LONG = {"boolean": "bool", "bf16": "bfloat16"}


def plain(value):
    if isinstance(value, (gyre.Tensor, numpy.ndarray, numpy.generic)):
        return plain(value.dtype), tuple(value.shape), numpy.array(value.tolist())
    if isinstance(value, gyre.DType):
        name = LONG.get(value.name, value.name)
        long = {"f": "float", "i": "int", "u": "uint"}
        return long[name[0]] + name[1:] if name[1:].isdigit() else name
    if isinstance(value, numpy.dtype):
        return value.name
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


def outcome(line, lib):
    names = space(lib)
    *before, last = line.split("; ")
    for statement in before:
        exec(statement, names)
    return plain(eval(last, names))


class NumpyNames(unittest.TestCase):
    def same(self, ours, theirs, line):
        if isinstance(theirs, list):
            self.assertEqual(len(ours), len(theirs), line)
            for a, b in zip(ours, theirs):
                self.same(a, b, line)
        elif isinstance(theirs, tuple):
            if not isinstance(ours, tuple):  # a Python number
                ours = theirs[:2] + (numpy.array(ours),)
            self.assertEqual(ours[:2], theirs[:2], line)
            digits = {"float16": 2e-3, "float32": 1e-6}.get(theirs[0], 1e-12)
            numpy.testing.assert_allclose(ours[2], theirs[2], rtol=digits, atol=digits, err_msg=line)
        elif isinstance(ours, tuple):  # a Python number in NumPy
            self.assertEqual(ours[1], (), line)
            self.assertTrue(numpy.isclose(ours[2], theirs), line)
        else:
            self.assertEqual(ours, theirs, line)

    def test_lines(self):
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for line in LINES:
                with self.subTest(line):
                    self.same(outcome(line, gyre.numpy), outcome(line, numpy), line)

    def test_every_function_has_a_line(self):
        text = "\n".join(LINES)
        for name, value in vars(gyre.numpy).items():
            if name in gyre.numpy.__all__ and inspect.isfunction(value):
                self.assertIn(f"lib.{name}", text)
        for part in (gyre.numpy.fft, gyre.numpy.linalg, gyre.numpy.random):
            for name in set(part.__all__) - {"LinAlgError", "Generator"}:
                self.assertIn(f"lib.{part.__name__.rpartition('.')[2]}.{name}(", text)
        for name in set(gyre.numpy.__all__) - {"from_dlpack", "bfloat16"}:
            self.assertTrue(hasattr(numpy, name) or name in ("uint64",), name)

    def test_names_of_parameters(self):
        for name in {*gyre.numpy.functions} - {"clip"}:  # the standard says clip(x, min, max), NumPy a_min and a_max
            try:
                theirs = inspect.signature(getattr(numpy, name)).parameters
            except (TypeError, ValueError):  # no signature
                continue
            ours = inspect.signature(getattr(gyre.numpy, name)).parameters
            order = [p for p in ours if p in theirs]
            self.assertEqual(order, [p for p in theirs if p in ours], name)

    def test_gradients(self):
        r = numpy.random.default_rng(1)
        x = r.uniform(0.1, 1, (3, 3))
        for line in ("lib.median(x)", "lib.quantile(x, [0.3, 0.6], axis=0)", "lib.nanmean(x, axis=1)",
                     "lib.std(x, axis=0)",
                     "lib.average(x, axis=1, weights=[1, 2, 3])", "lib.where(x > 0.5, x, 0.0)", "lib.clip(x, 0.2, 0.8)",
                     "lib.concatenate([x, 2 * x])", "lib.array([x[0], x[1]])",
                     "lib.array([[x[0], x[1]], [x[1], x[2]]])", "lib.pad(x, 4, mode='reflect')",
                     "lib.take(x, [0, -1], axis=1)", "lib.linalg.norm(x, axis=1)", "lib.linalg.inv(x + 2 * lib.eye(3))",
                     "lib.linalg.svd(x).S", "lib.cumulative_prod(x, axis=0)", "lib.interp(0.3, [0.0, 1.0], x[0, :2])",
                     "lib.hypot(x, 2 * x)", "lib.cbrt(x)", "lib.einsum('ij,kj->ik', x, x)", "lib.sort(x)",
                     "lib.diff(x)",
                     "lib.convolve(x[0], x[1])", "lib.cov(x)", "lib.select([x > 0.5], [x * x], 1.0)", "numpy.exp(x)",
                     "numpy.stack([x, x])", "numpy.ones((3, 3)) @ x"):
            def value(v, lib):
                return eval(line, {"lib": lib, "numpy": numpy, "x": v})

            given = gyre.tensor(x, requires_grad=True)
            y = value(given, gyre.numpy)
            weights = numpy.arange(1.0, y.size + 1).reshape(y.shape)
            (y * weights).sum().backward()
            slope, step = numpy.zeros((3, 3)), 1e-6
            for place in numpy.ndindex(3, 3):
                moved = numpy.zeros((3, 3))
                moved[place] = step
                slope[place] = ((value(x + moved, numpy) - value(x - moved, numpy)) * weights).sum() / (2 * step)
            numpy.testing.assert_allclose(given.grad.numpy(), slope, rtol=1e-6, atol=1e-7, err_msg=line)

    def test_numpy_functions_of_tensors(self):
        x, array = gyre.tensor([[1.0, 2.0], [3.0, 4.0]]), numpy.array([[1.0, 2.0], [3.0, 4.0]])
        for line in ("numpy.exp(x)", "numpy.add(a, x)", "numpy.concatenate([x, x])", "numpy.where(x > 2, x, 0)",
                     "numpy.sum(x, axis=0)",
                     "numpy.linalg.norm(x)", "numpy.linalg.solve(x, a)", "a * x", "a @ x", "a < x",
                     "numpy.float32(2) * x",
                     "numpy.float64(2) - x", "numpy.stack([a, x])", "numpy.percentile(x, 50)", "numpy.add.reduce(x)",
                     "numpy.multiply.outer(x, a)", "numpy.divmod(x, 2)[1]", "numpy.shape(x)", "numpy.zeros_like(x)",
                     "numpy.einsum('ij->j', x)", "numpy.array_equal(x, a)", "numpy.modf(x)[0]", "numpy.invert(x > 2)"):
            ours, theirs = (eval(line, {"numpy": numpy, "x": part, "a": array}) for part in (x, array))
            self.assertIsInstance(ours, tuple if "shape" in line else bool if "equal" in line else gyre.Tensor, line)
            numpy.testing.assert_allclose(numpy.asarray(ours), theirs, rtol=1e-6, err_msg=line)
        self.assertEqual((numpy.float64(2) * x).dtype, gyre.f32)
        self.assertEqual((array * x).dtype, gyre.f64)
        self.assertIsInstance(numpy.asarray(x), numpy.ndarray)
        self.assertIsInstance(numpy.fft.fft(x), numpy.ndarray)  # gyre has no function of that name
        self.assertIsInstance(numpy.array_split([1, 2], 2)[0], numpy.ndarray)
        array += x
        self.assertEqual(array.tolist(), [[2, 4], [6, 8]])
        numpy.negative(x, out=x)
        self.assertEqual(x.tolist(), [[-1, -2], [-3, -4]])
        numpy.testing.assert_allclose(x, x.numpy())
        numpy.testing.assert_array_equal(x, x)
        numpy.testing.assert_array_less(x, x + 1)
        self.assertEqual(numpy.full(2, x[0, 0]).tolist(), [-1, -1])
        numpy.fill_diagonal(array, x[0, 0])
        self.assertEqual(array.tolist(), [[-1, 4], [6, -1]])
        with self.assertRaisesRegex(TypeError, "numpy.spacing: gyre has no function of that name"):
            numpy.spacing(x)
        with self.assertRaisesRegex(TypeError, "numpy.add.reduceat"):
            numpy.add.reduceat(x, [0])

    def test_array_namespace(self):
        x = gyre.ones(2)
        self.assertIs(x.__array_namespace__(), gyre.numpy)
        self.assertIs(x.__array_namespace__(api_version="2025.12"), gyre.numpy)
        with self.assertRaisesRegex(ValueError, "expected a version up to 2025.12, got '2030.12'"):
            x.__array_namespace__(api_version="2030.12")
        self.assertEqual(str(x.to_device("cpu").device), str(x.device))
        info = gyre.numpy.__array_namespace_info__()
        self.assertEqual(info.default_dtypes()["real floating"], gyre.f64)
        self.assertEqual([*info.dtypes(kind="real floating")], ["float32", "float64"])
        self.assertIn(info.default_device(), info.devices())
        self.assertTrue(info.capabilities()["boolean indexing"])
        self.assertEqual(dir(gyre.numpy), gyre.numpy.__all__)

    def test_copies(self):
        x = gyre.numpy.ones(2)
        for copied in (x.__copy__(), gyre.numpy.astype(x, x.dtype), gyre.numpy.asarray(x, copy=True)):
            self.assertNotEqual(copied.data_ptr(), x.data_ptr())
        for same in (gyre.numpy.astype(x, x.dtype, copy=False), gyre.numpy.asarray(x, dtype=x.dtype, copy=False),
                     gyre.numpy.asarray(x, copy=False, device=x.device)):
            self.assertIs(same, x)

    def test_random(self):
        r = gyre.numpy.random.default_rng(5)
        self.assertIs(gyre.numpy.random.default_rng(r), r)
        x = r.normal(2, 3, 100_000)
        self.assertLess(abs(x.mean().item() - 2), 0.05)
        self.assertLess(abs(r.uniform(-1, 3, 100_000).mean().item() - 1), 0.05)
        self.assertLess(abs(r.exponential(2.0, 100_000).mean().item() - 2), 0.05)
        self.assertEqual(r.integers(2, 3, size=2, endpoint=True, dtype="i4").dtype, gyre.i32)
        self.assertEqual(gyre.numpy.random.default_rng(5).random(3).tolist(),
                         gyre.numpy.random.default_rng(5).random(3).tolist())
        gyre.numpy.random.seed(2)
        first = gyre.numpy.random.rand(3).tolist()
        gyre.numpy.random.seed(2)
        self.assertEqual(gyre.numpy.random.rand(3).tolist(), first)

    def test_errors(self):
        lib = gyre.numpy
        m, v = lib.zeros((2, 3)), lib.zeros(3)
        for call, error, text in (
            (lambda: lib.zeros(2, dtype=complex), TypeError, "there are no complex, string"),
            (lambda: lib.zeros(2, dtype="u8"), TypeError, "no uint16 and uint64"),
            (lambda: lib.array(["a"]), TypeError, "expected numbers, got str"),
            (lambda: lib.array([1j]), TypeError, "expected numbers, got complex"),
            (lambda: lib.complex128, AttributeError, "there are no complex"),
            (lambda: lib.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.linalg.eig, AttributeError, "see eigh for symmetric"),
            (lambda: lib.linalg.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.fft.rfft, AttributeError, "spectra are complex"),
            (lambda: lib.fft.nothing, AttributeError, "no attribute nothing"),
            (lambda: lib.fft.fftfreq(0), ValueError, "fftfreq: expected at least 1 sample as n, got 0"),
            (lambda: lib.result_type(), ValueError, "at least one array or dtype"),
            (lambda: lib.can_cast("f4", "f8", "sometimes"), ValueError, "expected casting no, "),
            (lambda: lib.isdtype(m.dtype, "number"), ValueError, "expected a kind"),
            (lambda: lib.asarray([1.0], copy=False), ValueError, "must be copied"),
            (lambda: lib.asarray(numpy.ones(2), dtype="f4", copy=False), ValueError, "must be copied"),
            (lambda: lib.frombuffer(b"1234", "f2"), TypeError, "Python's buffers have, got f16"),
            (lambda: lib.linspace(0, 1, -1), ValueError, "num of at least 0, got -1"),
            (lambda: lib.geomspace(-1, 1), ValueError, "of the same sign"),
            (lambda: lib.diag(lib.zeros((1, 1, 1))), ValueError, "1 or 2 axes, got 3"),
            (lambda: lib.exp(m, where=m > 0), TypeError, "where= needs out="),
            (lambda: lib.where(m, m), ValueError, "both x and y or neither"),
            (lambda: lib.add(lib.zeros(2, dtype="u1"), 300), ValueError, "300 does not fit u8"),
            (lambda: lib.sum(m, axis=2), IndexError, "out of range for 2 axes"),
            (lambda: lib.sum(m, axis=(0, 0)), ValueError, "expected distinct axes"),
            (lambda: lib.reshape(m, 6, order="F"), ValueError, "expected order \"C\""),
            (lambda: lib.matrix_transpose(v), ValueError, "at least 2 axes, got 1"),
            (lambda: lib.split(v, 2), ValueError, "3 elements do not split into 2 equal parts; use array_split"),
            (lambda: lib.pad(v, -1), ValueError, "widths of at least 0"),
            (lambda: lib.pad(v, 1, mode="mean"), ValueError, "expected mode constant, edge"),
            (lambda: lib.take(v, 0.5), TypeError, "expected integers as indices, got f64"),
            (lambda: lib.take(v, 0, mode="any"), ValueError, "\"raise\", \"wrap\" or \"clip\""),
            (lambda: lib.take(v, 3), IndexError, "out of range"),
            (lambda: lib.select([], []), ValueError, "as many choices as conditions, got 0 and 0"),
            (lambda: lib.nextafter(lib.ones(1, "bfloat16"), lib.ones(1, "bfloat16")), TypeError,
             "expected f32 or f64, got bf16"),
            (lambda: lib.max(m, where=m > 0), ValueError, "where= needs initial="),
            (lambda: lib.average(m, weights=v), TypeError, "need an axis"),
            (lambda: lib.cumulative_sum(m), ValueError, "expected an axis for 2 axes"),
            (lambda: lib.gradient(m, 1, 2, 3), TypeError, "for each of 2 axes, got 3"),
            (lambda: lib.gradient(lib.zeros(1)), ValueError, "at least 2 elements"),
            (lambda: lib.nanargmax(lib.full(2, lib.nan)), ValueError, "got only NaN"),
            (lambda: lib.nonzero(1.0), ValueError, "at least 1 axis, got 0"),
            (lambda: lib.histogram(v, "auto"), TypeError, "a number of bins or edges"),
            (lambda: lib.quantile(v, 2), ValueError, "quantiles in \\[0, 1\\]"),
            (lambda: lib.quantile(v, 0.5, method="hazen"), ValueError, "expected method linear"),
            (lambda: lib.nanquantile(v, 0.5, method="lower"), ValueError, "expected method linear, got"),
            (lambda: lib.cross(v[:2], v[:2]), ValueError, "vectors of 3 elements, got 2 and 2"),
            (lambda: lib.vecdot(v, v[:1]), ValueError, "vectors of one size, got 3 and 1 elements"),
            (lambda: lib.convolve(v, v, "some"), ValueError, "mode full, same or valid"),
            (lambda: lib.linalg.qr(m, "raw"), ValueError, "expected mode"),
            (lambda: lib.linalg.norm(lib.zeros((2, 2, 2)), 1), ValueError, "1 or 2 axes for ord=1, got 3"),
            (lambda: lib.linalg.vector_norm(m, ord="fro"), ValueError, "expected a number as ord"),
            (lambda: lib.random.choice(2, 3, replace=False), ValueError, "at most 2 without replacement, got 3"),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


if __name__ == "__main__":
    unittest.main()
