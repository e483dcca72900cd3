"""The Python examples in the documentation: programs of README.md run, sessions in docs/ give the shown output,
the notebook runs."""

import contextlib
import doctest
import io
import os
import pathlib
import re
import tempfile
import unittest

from common import ROOT, gyre, needs_packages

NOTEBOOK = ROOT / "docs/quick_start.ipynb"


def setUpModule():
    needs_packages()


def blocks(page):
    return re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.M | re.S)


class Pages(unittest.TestCase):
    def test_sessions_give_what_they_say(self):
        pages = [page for page in sorted((ROOT / "docs").glob("*.md")) if any(">>> " in block for block in blocks(page))]
        self.assertIn("python.md", [page.name for page in pages])
        for page in pages:
            session = doctest.DocTestParser().get_doctest("\n".join(blocks(page)), {}, page.name, str(page), 0)
            told = []
            result = doctest.DocTestRunner(verbose=False).run(session, out=told.append)
            self.assertEqual(result.failed, 0, "".join(told))
            print(f"| {page.name}: {result.attempted} lines")

    def test_programs_run(self):
        """The code blocks of a page in order, in a temporary folder."""
        before = os.getcwd()
        for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
            names = {"__name__": "page"}
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
                os.chdir(folder)
                try:
                    for program in blocks(page):
                        with self.subTest(page=page.name, program=program.splitlines()[0]):
                            if ">>> " not in program:
                                exec(compile(program, str(page), "exec"), names)
                finally:
                    os.chdir(before)

    def test_the_notebook_runs(self):
        try:
            import matplotlib  # noqa: F401
            import nbclient
            import nbformat
        except ImportError as missing:
            self.skipTest(f"{missing.name} is not installed")
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        self.assertFalse(any(cell.get("outputs") for cell in notebook.cells), "committed without outputs")
        package = str(pathlib.Path(gyre.__file__).parents[1])
        before = os.environ.get("PYTHONPATH")
        os.environ["PYTHONPATH"] = package
        try:
            with tempfile.TemporaryDirectory() as folder:
                client = nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": folder}})
                client.execute()
        finally:
            os.environ.pop("PYTHONPATH")
            if before is not None:
                os.environ["PYTHONPATH"] = before
        shown = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
        self.assertTrue(any("image/png" in data for data in shown), "no picture")
        self.assertTrue(any("<table>" in data.get("text/html", "") for data in shown), "no table")


if __name__ == "__main__":
    unittest.main()
