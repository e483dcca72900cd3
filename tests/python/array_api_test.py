"""The functions of the Python array API standard (data-apis.org, 2023.12) in gyre, beside NumPy's of the same name.

Input is made by hypothesis. How a function is written in gyre where it is not called the same, and where
results differ, stands in docs/numpy_differences.md; a difference that no row explains fails, and so does a row
that nothing needs.
"""

import re
import unittest
import warnings

from common import ROOT, gyre, needs_packages, numpy

try:
    import hypothesis
    from hypothesis import strategies as st
    from hypothesis.extra import numpy as arrays
except ImportError:
    hypothesis = None

PAGE = ROOT / "docs/numpy_differences.md"
FLOATS, WHOLE, TRUTH = ("f8", "f4"), ("i8", "i4", "u1"), ("?",)
NUMBERS, BITS, ALL = FLOATS + WHOLE, WHOLE + TRUTH, FLOATS + WHOLE + TRUTH
# names of functions, what they are called with, dtypes
CASES = (
    ("acos acosh asin asinh atan atanh ceil cos cosh exp expm1 floor log log10 log1p log2 signbit sin sinh sqrt tan tanh"
     " trunc round", "x", FLOATS),
    ("abs negative positive sign square isfinite isinf isnan conj real", "x", NUMBERS),
    ("logical_not bitwise_invert", "x", BITS),
    ("imag", "x", FLOATS),
    ("atan2 copysign hypot logaddexp", "x, y", FLOATS),
    ("add subtract multiply divide floor_divide remainder pow maximum minimum", "x, y", NUMBERS),
    ("equal not_equal less less_equal greater greater_equal", "x, y", ALL),
    ("logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor", "x, y", BITS),
    ("bitwise_left_shift bitwise_right_shift", "x, y % 4", WHOLE[:2]),
    ("clip", "x, -1, 2", NUMBERS), ("where", "x > y, x, y", NUMBERS),
    ("sum prod mean max min", "x, axis=axis", NUMBERS), ("std var", "x, axis=axis", FLOATS),
    ("all any", "x, axis=axis", ALL), ("argmax argmin cumulative_sum", "x, axis=axis", NUMBERS),
    ("sort flip", "x, axis=axis", NUMBERS), ("argsort", "x, axis=axis, stable=True", NUMBERS), ("nonzero", "x", ALL), ("searchsorted", "numpy.sort(x.ravel()), y", NUMBERS),
    ("unique_values unique_counts unique_inverse unique_all", "x", NUMBERS),
    ("zeros_like ones_like", "x", ALL), ("empty_like", "x", ()), ("full_like", "x, 3", NUMBERS), ("tril triu", "x", NUMBERS),
    ("zeros ones", "x.shape", ("f4",)), ("empty", "x.shape", ()), ("full", "x.shape, 2.5", ("f4",)),
    ("arange", "x.size", ("f4",)), ("eye", "x.size", ("f4",)), ("linspace", "0, 1, x.size", ("f4",)),
    ("asarray from_dlpack", "x", ALL), ("meshgrid", "x.ravel(), y.ravel()", NUMBERS),
    ("astype", "x, 'float32'", ALL), ("broadcast_to", "x, (2, *x.shape)", ALL), ("broadcast_arrays", "x, y", ALL),
    ("concat stack", "(x, x)", ALL), ("expand_dims", "x, axis=0", ALL), ("squeeze", "x[None], axis=0", ALL),
    ("moveaxis", "x, 0, -1", NUMBERS), ("permute_dims", "x, tuple(range(x.ndim))[::-1]", ALL), ("unstack", "x", ALL),
    ("repeat", "x, 2, axis=axis", ALL), ("reshape", "x, (-1,)", ALL), ("roll", "x, 1, axis=axis", ALL),
    ("tile", "x, (2, 1)", ALL), ("take", "x, [0, -1], axis=axis", ALL),
    ("matmul tensordot", "m, n", NUMBERS), ("vecdot", "x, x", FLOATS), ("matrix_transpose", "m", ALL),
    ("linalg.outer", "x.ravel(), y.ravel()", NUMBERS), ("linalg.cross", "m[:3, :3], n[:3, :3]", FLOATS),
    ("linalg.diagonal linalg.trace", "m", NUMBERS), ("linalg.matrix_norm linalg.vector_norm", "m", FLOATS),
    ("linalg.cholesky linalg.det linalg.eigvalsh linalg.inv linalg.slogdet linalg.svdvals linalg.pinv linalg.matrix_rank", "p",
     FLOATS),
    ("linalg.eigh linalg.qr linalg.svd", "p", FLOATS), ("linalg.solve", "p, n", FLOATS), ("linalg.matrix_power", "p, 3", FLOATS),
    ("can_cast finfo iinfo isdtype result_type", "x", ()),
)
EXAMPLES = 20


def setUpModule():
    needs_packages()
    if hypothesis is None:
        raise unittest.SkipTest("hypothesis is not installed; scripts/test --with-torch installs it")


def table(heading):
    """The rows of a table of the page."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)[1]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in section.splitlines()
            if line.startswith("| `")]
    return [[cell.replace("\\|", "|") for cell in row] for row in rows]


def several(result):
    return [part for part in result] if isinstance(result, (tuple, list)) else [result]


def as_array(part):
    return numpy.asarray(part.detach() if isinstance(part, gyre.Tensor) else part)


def difference(got, want):
    """None, "dtype", "shape" or "value" of results."""
    got, want = [as_array(part) for part in several(got)], [numpy.asarray(part) for part in several(want)]
    if [a.shape for a in got] != [a.shape for a in want]:
        return "shape"
    for a, b in zip(got, want):
        if not numpy.issubdtype(b.dtype, numpy.inexact):
            if (a != b).any():
                return "value"
            continue
        finite = numpy.abs(b[numpy.isfinite(b)]).max(initial=0)
        digits = 1e-11 if {a.dtype, b.dtype} == {numpy.dtype("f8")} else 2e-5
        if not numpy.allclose(a, b, rtol=digits, atol=digits * max(1.0, finite), equal_nan=True):
            return "value"
    return None if [a.dtype for a in got] == [a.dtype for a in want] else "dtype"


def operands(dtype, arguments):
    """Strategy: the variables of calls, those that the arguments name."""
    if dtype in FLOATS:
        wide = 64 if dtype == "f8" else 32
        elements = st.one_of(st.floats(-8, 8, width=wide, allow_subnormal=False).map(lambda v: v if abs(v) > 1e-3 else 0.0),
                             st.sampled_from([0.0, -0.0, numpy.nan, numpy.inf, -numpy.inf]))
        tame = st.floats(-3, 3, width=wide, allow_subnormal=False).map(lambda v: round(v, 2))
    else:
        elements = tame = st.booleans() if dtype == "?" else st.integers(0 if dtype == "u1" else -8, 8)
    shape = arrays.array_shapes(min_dims=1, max_dims=3, min_side=1, max_side=4)

    def named(*variables):
        return any(re.search(rf"\b{name}\b", arguments) for name in variables)

    @st.composite
    def draw(make):
        found = {"numpy": numpy}
        if named("x", "y"):
            x = found["x"] = make(arrays.arrays(dtype, shape, elements=elements))
            found["axis"] = make(st.integers(-x.ndim, x.ndim - 1))
        if named("y"):
            others = st.sampled_from([x.shape, x.shape[1:], (1,) * x.ndim])
            found["y"] = make(arrays.arrays(dtype, make(others), elements=elements))
        if named("m", "n", "p"):
            size = make(st.integers(1, 4))
            m = found["m"] = make(arrays.arrays(dtype, (size, size), elements=tame))
            found["n"] = make(arrays.arrays(dtype, (size, size), elements=tame))
            found["p"] = (m @ m.T + 9 * numpy.eye(size)).astype(dtype)
        return found

    return draw()


def extremes(dtype):
    """Variables that hold every special value of the dtype, x and y every pair of them."""
    values = [0.0, -0.0, 1.5, -2.5, numpy.inf, -numpy.inf, numpy.nan] if dtype in FLOATS else [0, 1, 3, 7]
    values = numpy.array(values).astype(dtype)
    m = numpy.array([[1, 5, 7], [2, 3, 4], [6, 0, 1]]).astype(dtype)
    return {"numpy": numpy, "axis": 0, "x": values[:, None], "y": values, "m": m, "n": 7 * m,
            "p": (m.astype("f8") @ m.T + 9 * numpy.eye(3)).astype(dtype)}


class ArrayApi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.written = {row[0].strip("`"): row[1] for row in table("The array API in gyre")}
        cls.explained = {(name.strip("` "), row[1]) for row in table("Results that differ") for name in row[0].split(",")}
        cls.used, cls.examples, cls.counts = set(), {}, {}

    def expression(self, name, arguments):
        """The call in gyre: as NumPy's, or as the page has it; None: there is none."""
        row = self.written.get(name)
        if row is None:
            return f"{name}({arguments})"
        return None if row.startswith("none") else row.strip("`")

    def compare(self, name, arguments, variables):
        theirs = f"numpy.{name}({arguments})"
        try:
            want = eval(theirs, {"numpy": numpy}, variables)
        except Exception:
            return "refused by NumPy"
        ours = self.expression(name, arguments)
        try:
            got = eval(ours, {**vars(gyre), "numpy": numpy}, {**variables, **{v: gyre.tensor(a) for v, a in variables.items() if len(v) == 1}})
        except gyre.Error as error:
            return f"refused: {error.code}"
        return difference(got, want)

    def check(self, name, arguments, dtype):
        passed = [0, 0]

        @hypothesis.settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
        @hypothesis.given(operands(dtype, arguments))
        @hypothesis.example(extremes(dtype))
        def look(variables):
            what = self.compare(name, arguments, variables)
            if what == "refused by NumPy":
                return
            passed[0] += 1
            if what is None:
                passed[1] += 1
                return
            self.used.add((name, what))
            shown = {key: value for key, value in variables.items() if re.search(rf"\b{key}\b", arguments)}
            self.examples.setdefault((name, what), f"{self.expression(name, arguments)} of {dtype}: {shown}")

        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            look()
        total, same = self.counts.get(name, (0, 0))
        self.counts[name] = total + passed[0], same + passed[1]

    def test_all_functions(self):
        absent = []
        for names, arguments, dtypes in CASES:
            for name in names.split():
                if self.expression(name, arguments) is None:
                    absent.append(name)
                    continue
                if not dtypes:
                    eval(self.expression(name, arguments), dict(vars(gyre)), {"x": gyre.ones(2)})
                for dtype in dtypes:
                    self.check(name, arguments, dtype)
        calls, same = (sum(count[k] for count in self.counts.values()) for k in (0, 1))
        print(f"| {len(self.counts)} functions of the array API beside NumPy {numpy.__version__}: {same} of {calls} calls the same,"
              f" {len(absent)} functions absent: {' '.join(absent)}")
        for name, (total, good) in self.counts.items():
            if good < total:
                print(f"| {name} {good} of {total} ({', '.join(sorted(w for n, w in self.used if n == name))})")
        unexplained = [f"{name} | {what}: {self.examples[name, what]}" for name, what in sorted(self.used - self.explained)]
        self.assertFalse(unexplained, "\n".join(unexplained))
        self.assertEqual(sorted(self.explained - self.used), [])

    def test_the_table_names_functions_of_the_standard(self):
        standard = {name for names, _, _ in CASES for name in names.split()}
        self.assertEqual(set(self.written) - standard, set())
        for name in standard - {"finfo", "iinfo"}:
            self.assertTrue(callable(eval(f"numpy.{name}")), name)


if __name__ == "__main__":
    unittest.main()
