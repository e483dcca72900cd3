"""docs/python_training.md: its programs run, one after the other."""

import contextlib
import io
import os
import re
import tempfile
import unittest

from common import ROOT, gyre, needs_packages


def setUpModule():
    needs_packages()


class Page(unittest.TestCase):
    def test_programs_run(self):
        text = (ROOT / "docs/python_training.md").read_text(encoding="utf-8")
        programs = re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)
        self.assertGreater(len(programs), 4)
        names, before = {}, os.getcwd()
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            os.chdir(folder)
            try:
                for program in programs:
                    exec(compile(program, "python_training.md", "exec"), names)
                self.assertTrue(os.path.exists("mine/config.json"))
            finally:
                os.chdir(before)
        self.assertIn("(hidden): Linear(in_=4, out=32)", out.getvalue())
        self.assertLess(names["loss"].item(), 0.5)
        self.assertEqual(names["again"].scale.tolist(), names["model"].scale.tolist())
        self.assertEqual(names["loader"].cursor, 40)
        gyre.manual_seed(0)


if __name__ == "__main__":
    unittest.main()
