"""Tables of docs/ that list differences line by line, run in both libraries.

A table with the columns `LIBRARY | gyre | why` follows a Python block, which defines the names of its lines. The first
cell has lines of the library in backquotes, then possibly what they give there. The second cell is a line that gives
the same with gyre, alone in backquotes, or says what the same lines give: they must differ. `refused: NAME` is an error
of that class. `a; b` runs a, then gives b.
"""

import importlib.machinery
import importlib.util
import math
import re
import unittest

from common import ROOT, gyre, needs_packages, numpy, torch

loader = importlib.machinery.SourceFileLoader("aliases", str(ROOT / "scripts/aliases"))
aliases = importlib.util.module_from_spec(importlib.util.spec_from_loader("aliases", loader))
loader.exec_module(aliases)
# page: the library's name in the table, gyre's module in the block, the library's module
PAGES = {"geoopt.md": ("geoopt", "gyre.torch.geoopt", "geoopt"), "hypll.md": ("HypLL", "gyre.torch.hypll", "hypll"),
         "torch_differences.md": ("PyTorch", "gyre", "torch"), "numpy_differences.md": ("NumPy", "gyre.numpy", "numpy")}
CELL = r"((?:[^|`\\]|\\.|`[^`]*`)*)"
ROW = re.compile(rf"^\| {CELL} \| {CELL} \|{CELL}\|$", re.M)


def setUpModule():
    needs_packages()


def rows(page, name):
    """(block of Python, first cell, second cell) of each row of the tables."""
    block = ""
    for part in re.split(r"(^```python\n.*?^```$)", page.read_text(), flags=re.M | re.S):
        if part.startswith("```python"):
            block = part.removeprefix("```python").removesuffix("```")
            continue
        found = re.search(rf"^\| {name} \| gyre \| why \|\n\|[-|]+\n((?:\|.*\n)+)", part, re.M)
        for row in ROW.finditer(found[1] if found else ""):
            yield block, row[1].strip(), row[2].strip()


def plain(value):
    """A value that can be compared: arrays as (shape, dtype, numbers)."""
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    if hasattr(value, "detach"):
        value = value.detach()
    if not hasattr(value, "shape"):
        return value if isinstance(value, (bool, int, float, str, type(None))) else type(value).__name__
    dtype = str(value.dtype).rpartition(".")[2]
    for long, short in (("bfloat", "bf"), ("float", "f"), ("uint", "u"), ("int", "i"), ("boolean", "bool")):
        dtype = dtype.replace(long, short)
    return tuple(value.shape), dtype, value.tolist()


def outcome(line, names):
    """What a line gives: its value, or the name of the error."""
    names = dict(names)
    *before, last = re.split(r";\s*", line)
    torch.manual_seed(0)
    gyre.manual_seed(0)
    numpy.random.seed(0)
    try:
        for statement in before:
            exec(statement, names)
        return plain(eval(last, names))
    except Exception as error:
        return f"refused: {type(error).__name__}"


def same(a, b):
    if isinstance(a, (tuple, list)) and isinstance(b, (tuple, list)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-8) or a != a and b != b
    return a == b


class Lines(unittest.TestCase):
    def check(self, page):
        name, ours, theirs = PAGES[page]
        try:
            __import__(theirs)
        except ImportError:
            self.skipTest(f"{theirs} is not installed; scripts/test --with-torch installs it")
        spaces, count = {}, 0
        for block, there, here in rows(ROOT / "docs" / page, name):
            if block not in spaces:
                spaces[block] = ({}, {})
                torch.manual_seed(0)
                exec(re.sub(rf"\b{re.escape(ours)}\b", theirs, block), spaces[block][0])
                torch.manual_seed(0)
                exec(block, spaces[block][1])
            written, using = spaces[block]
            lines = re.findall(r"`([^`]+)`", re.match(r"(?:`[^`]+`(?:, )?)+", there)[0])
            self.assertTrue(lines, there)
            instead = re.fullmatch(r"`([^`]+)`", here)
            for line in (line.replace(r"\|", "|") for line in lines):
                with self.subTest(line):
                    wanted, got = outcome(line, written), outcome(line, using)
                    self.assertFalse(same(got, wanted), f"no difference: both give {got}")
                    if instead:
                        got = outcome(instead[1].replace(r"\|", "|"), using)
                        self.assertTrue(same(got, wanted), f"{got} instead of {wanted}")
                    for error in re.findall(r"refused: (\w+)", here):
                        self.assertEqual(got, f"refused: {error}")
                    if "refused" not in here:
                        self.assertFalse(str(got).startswith("refused"), got)
            count += len(lines)
        self.assertGreater(count, 0, "the page has no table")

    def test_tables_of_names_are_current(self):
        for page in sorted((ROOT / "docs").glob("*.md")):
            text = page.read_text()
            self.assertEqual(aliases.written(text), text, f"{page.name} is out of date: run scripts/aliases")
        self.assertIn("| `abs` | `absolute` |", (ROOT / "docs/torch_differences.md").read_text())

    def test_torch(self):
        self.check("torch_differences.md")

    def test_numpy(self):
        self.check("numpy_differences.md")

    def test_geoopt(self):
        self.check("geoopt.md")

    def test_hypll(self):
        self.check("hypll.md")


if __name__ == "__main__":
    unittest.main()
