"""Code in the documentation must work: commands are run, programs are those of examples/."""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LESS_WORK = [(r"--steps \d+", "--steps 2"), (r"--max-tokens \d+", "--max-tokens 2"),
             (r"--(layers|heads) \d+", r"--\1 1"), (r"--width \d+", "--width 16"), (r"bpe:\d+", "bpe:300")]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


class Pages(unittest.TestCase):
    def test_commands_work(self):
        binary = pathlib.Path(os.environ["GYRE_BINARY"]).resolve()
        for page in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                for line in "".join(blocks(page, "sh")).splitlines():
                    if not line.startswith("gyre "):
                        continue
                    for long, short in LESS_WORK:
                        line = re.sub(long, short, line)
                    with self.subTest(page=page.name, line=line):
                        answer = subprocess.run([binary, *shlex.split(line)[1:]], cwd=folder, text=True,
                                                stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
                        self.assertEqual(answer.returncode, 0, answer.stderr)
                        self.assertNotEqual(answer.stdout.strip(), "")

    def test_programs_are_examples(self):
        examples = [path.read_text() for path in (ROOT / "examples").glob("*.cpp")]
        for page in PAGES:
            for block in blocks(page, "cpp"):
                with self.subTest(page=page.name, first_line=block.splitlines()[0]):
                    self.assertTrue(any(block in text for text in examples),
                                    "this program is not part of any examples/*.cpp, which the tests run")


if __name__ == "__main__":
    unittest.main()
