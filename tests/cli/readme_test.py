"""Code in the documentation must work: commands are run, programs are those of examples/."""

import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import textwrap
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GUIDES = [page for page in PAGES if page.name.startswith("add_")]
LESS_WORK = [(r"--steps \d+", "--steps 2"), (r"--max-tokens \d+", "--max-tokens 2"),
             (r"--(layers|heads) \d+", r"--\1 1"), (r"--width \d+", "--width 16"), (r"bpe:\d+", "bpe:300"),
             (r"--target \d+x", "--target 2x")]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(), re.M | re.S)


def contains(program, block):
    """Whether consecutive lines of the program are the block, apart from common indentation."""
    lines, wanted = program.splitlines(), textwrap.dedent(block).splitlines()
    return any(textwrap.dedent("\n".join(lines[i:i + len(wanted)])).splitlines() == wanted
               for i in range(len(lines) - len(wanted) + 1))


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
            if page in GUIDES:
                continue
            for block in blocks(page, "cpp"):
                with self.subTest(page=page.name, first_line=block.splitlines()[0]):
                    self.assertTrue(any(block in text for text in examples),
                                    "this program is not part of any examples/*.cpp, which the tests run")

    def test_code_of_guides_is_that_of_their_examples(self):
        examples = {path.stem: path for path in (ROOT / "examples").glob("add_*.cpp")}
        # needs the test device
        examples["add_a_kernel"] = ROOT / "tests/conformance/add_a_kernel_test.cpp"
        self.assertEqual([page.stem for page in GUIDES], sorted(examples))
        for page in GUIDES:
            example = examples[page.stem]
            self.assertNotEqual(blocks(page, "cpp"), [], page.name)
            for block in blocks(page, "cpp"):
                with self.subTest(page=page.name, first_line=block.splitlines()[0]):
                    self.assertTrue(contains(example.read_text(), block), f"this is not part of {example}")

    def test_guides_name_files_that_exist(self):
        for page in GUIDES:
            for path in re.findall(r"`((?:gyre|tests|examples|docs|scripts)/[\w./-]+)", page.read_text()):
                with self.subTest(page=page.name):
                    self.assertTrue((ROOT / path).exists(), f"there is no {path}")


if __name__ == "__main__":
    unittest.main()
