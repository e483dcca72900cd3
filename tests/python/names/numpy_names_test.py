"""gyre.numpy: the same lines in gyre and NumPy, values, shapes and dtypes; NumPy's own functions of tensors."""

import contextlib
import inspect
import io
import math
import pathlib
import tempfile
import unittest
import warnings

from common import gyre, needs_packages, numpy

# The lines of numpy_lines/, a file for each topic, run with `lib` as gyre.numpy and as numpy; what stands before the last
# semicolon is run first. folder: an empty folder, x, y: [3, 4] f64, f: [3, 4] f32, v: [6] f64, i, j: [6] i64, k: [3] i32, h: [3] i16, u: [3] u8,
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
    with tempfile.TemporaryDirectory() if "folder" in line else contextlib.nullcontext(".") as folder:
        names = {**space(lib), "folder": pathlib.Path(folder), "io": io}
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
                place = part.__name__.rpartition(".")[2]
                self.assertTrue(f"lib.{place}.{name}(" in text or f'"{name}"' in text and f"getattr(lib.{place}" in text, name)
        for name in set(gyre.numpy.__all__) - {"from_dlpack", "bfloat16"}:
            self.assertTrue(hasattr(numpy, name), name)

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
        with self.assertRaisesRegex(TypeError, "numpy.frexp: gyre has no function of that name"):
            numpy.frexp(x)
        with self.assertRaisesRegex(TypeError, "numpy.negative.at"):
            numpy.negative.at(x, [0])

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

    def test_assertions(self):
        def refuses(lib, name, arguments):
            try:
                getattr(lib.testing, name)(*arguments)
            except AssertionError:
                return True
            return False

        values = ([1.0, 2.0], [1.0, 2.0 + 1e-9], [1.0, 2.0 + 1e-3], [1.0, numpy.nan], [1.0], 1.0, [3.0, numpy.inf], 2.0)
        for name in gyre.numpy.testing.__all__:
            for x in values:
                for y in values:
                    self.assertEqual(refuses(gyre.numpy, name, (x, y)), refuses(numpy, name, (x, y)), f"{name} of {x} and {y}")
        for x, y in (({"a": [1]}, {"a": [1]}), ({"a": 1}, {"b": 1}), ("a", "a"), ("a", "b"), (None, None), ([1, [2]], [1, [3]]),
                     ((1, 2), (1, 2, 3))):
            self.assertEqual(refuses(gyre.numpy, "assert_equal", (x, y)), refuses(numpy, "assert_equal", (x, y)))
        with self.assertRaisesRegex(AssertionError, r"1 of 2 elements differ, the first at \(1,\): 2.0 and 3.0; here"):
            gyre.numpy.testing.assert_allclose([1, 2.0], [1, 3.0], err_msg="here")

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
        for draws, mean, variance in (
            (r.standard_gamma(0.5, 20_000), 0.5, 0.5), (r.gamma(9.0, 2.0, 20_000), 18, 36), (r.beta(2, 3, 20_000), 0.4, 0.04),
            (r.chisquare(4, 20_000), 4, 8), (r.standard_t(10, 20_000), 0, 1.25), (r.laplace(1, 2, 20_000), 1, 8),
            (r.logistic(1, 2, 20_000), 1, 4 * math.pi ** 2 / 3), (r.gumbel(0, 1, 20_000), 0.5772, math.pi ** 2 / 6),
            (r.rayleigh(2, 20_000), 2 * math.sqrt(math.pi / 2), 2 * (4 - math.pi)), (r.weibull(1, 20_000), 1, 1),
            (r.pareto(5, 20_000), 0.25, 5 / 48), (r.power(3, 20_000), 0.75, 0.0375), (r.f(8, 12, 20_000), 1.2, 0.81),
            (r.triangular(0, 1, 2, 20_000), 1, 1 / 6), (r.lognormal(0, 0.5, 20_000), 1.1331, 0.3647),
            (r.geometric(0.4, 20_000), 2.5, 3.75), (r.binomial(9, 0.3, 20_000), 2.7, 1.89),
            (r.binomial(1000, 0.3, 20_000), 300, 210), (r.poisson(3, 20_000), 3, 3), (r.poisson(200, 20_000), 200, 200),
            (r.negative_binomial(4, 0.4, 20_000), 6, 15), (r.multinomial(30, [0.2, 0.8], 20_000)[:, 0], 6, 4.8),
            (r.dirichlet([2, 3], 20_000)[:, 0], 0.4, 0.04)):
            draws = draws.double().numpy()
            self.assertLess(abs(draws.mean() - mean), 5 * math.sqrt(variance / 20_000))
            self.assertLess(abs(draws.var() / variance - 1), 0.15)
        self.assertLess(abs(numpy.cov(r.multivariate_normal([1, 2], [[2, 1], [1, 1]], 20_000).numpy().T)
                            - [[2, 1], [1, 1]]).max(), 0.1)
        gyre.numpy.random.seed(2)
        first = gyre.numpy.random.rand(3).tolist()
        gyre.numpy.random.seed(2)
        self.assertEqual(gyre.numpy.random.rand(3).tolist(), first)


if __name__ == "__main__":
    unittest.main()
