"""The installed package: its files, and that it works outside the project folder."""

import importlib.metadata
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from common import ROOT, gyre, needs_packages

SCRIPT = """
import gyre
x = gyre.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
(x @ x).sum().backward()
print(gyre.__file__, x.grad.tolist())
"""


def setUpModule():
    needs_packages()
    try:
        importlib.metadata.distribution("gyre")
    except importlib.metadata.PackageNotFoundError:
        raise unittest.SkipTest("gyre is on the path, but not installed") from None


class Package(unittest.TestCase):
    def test_its_files(self):
        found = [pathlib.PurePath(file) for file in importlib.metadata.distribution("gyre").files]
        found = [file for file in found if ".dist-info" not in file.parts[0] and "__pycache__" not in file.parts]
        sources = [file.relative_to(ROOT / "python") for file in (ROOT / "python/gyre").rglob("*")
                   if file.is_file() and "__pycache__" not in file.parts]
        modules = [file for file in found if re.match(r"_gyre\.(?!pyi$)", file.name)]
        self.assertEqual(len(modules), 1)
        self.assertEqual(sorted(map(str, found)), sorted(map(str, sources + modules)))

    def test_its_version(self):
        self.assertEqual(importlib.metadata.version("gyre"), gyre.__version__)

    def test_what_the_readme_shows(self):
        shown = re.findall(r"^```python\n(.*?)^```$", (ROOT / "README.md").read_text(), re.M | re.S)
        self.assertTrue(shown)
        for program in shown:
            answer = subprocess.run([sys.executable, "-c", program], cwd=tempfile.gettempdir(), capture_output=True,
                                    text=True)
            self.assertEqual((answer.returncode, answer.stderr), (0, ""))
            self.assertNotEqual(answer.stdout, "")

    def test_far_from_the_project(self):
        with tempfile.TemporaryDirectory() as folder:
            answer = subprocess.run([sys.executable, "-c", SCRIPT], cwd=folder, capture_output=True, text=True)
        self.assertEqual((answer.returncode, answer.stderr), (0, ""))
        self.assertEqual(answer.stdout.split(maxsplit=1), [gyre.__file__, "[[7.0, 11.0], [9.0, 13.0]]\n"])


if __name__ == "__main__":
    unittest.main()
