"""scripts/reference: every op and layer of the library has an entry that its search finds."""

import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from command import run

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = re.compile(r"_(rows|terms|backward)$")  # ops that a function of another name calls
MODELS = {"MLP": "Mlp", "GPT": "Decoder"}  # classes with another name than their layer


def table(command):
    return json.loads(run(command, "--json").stdout)


@unittest.skipUnless(shutil.which("doxygen"), "doxygen not found")
class Reference(unittest.TestCase):
    def test_every_op_and_layer_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([ROOT / "scripts/reference", "--out", folder], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            entries = "".join(file.read_text() for file in pathlib.Path(folder, "search").glob("all_*.js"))
            page = pathlib.Path(folder, "group__gyre__ops__elementwise__elementwise__h.html").read_text()
        found = set(re.findall(r"\['([^']+)',", entries))
        wanted = {op["name"] for op in table("ops") if not PARTS.search(op["name"])}
        wanted |= {MODELS.get(layer["name"], layer["name"]) for layer in table("layers")}
        self.assertGreater(len(wanted), 300)
        self.assertEqual(sorted(wanted - found), [])
        # A comment above several functions is that of each of them.
        self.assertEqual(page.count("x + y, x - y, x * y"), 6)  # in the list and below

    def test_leaves_other_folders_as_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            kept = pathlib.Path(folder, "notes.txt")
            kept.write_text("mine")
            made = subprocess.run([ROOT / "scripts/reference", "--out", folder], capture_output=True, text=True)
            self.assertNotEqual(made.returncode, 0)
            self.assertIn("has other files", made.stderr)
            self.assertEqual(kept.read_text(), "mine")
