"""Figures: bench/held.json, scripts/held, and the marks of figures in the documents."""

import importlib.machinery
import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/held"
loader = importlib.machinery.SourceFileLoader("held", str(SCRIPT))
held = importlib.util.module_from_spec(importlib.util.spec_from_loader("held", loader))
loader.exec_module(held)
# Times, speeds, measures of quality, and comparisons. Sizes of bytes and numbers of steps are options or facts of a
# format, not figures.
UNIT = r"(?:ns|us|µs|ms|s|seconds|minutes|hours|GB/s|MB/s|GFLOP/s|tokens/s|ulp|bits (?:a|per) byte)\b|%(?=\s|[.,;)])"
CLAIM = re.compile(rf"(?<![\w.-])\d[\d.]* ?(?:{UNIT})|(?<![\w.-])\d[\d.]* times (?:as|faster|slower|the|those|less)"
                   r"|(?:mean ranks?|MAP|accuracy|speed-?up)(?: of| from)? \d[\d.]*")
# Sentences whose numbers define something, and say nothing about speed or quality.
DEFINITIONS = re.compile(r"warm-up calls|after \d+ seconds|every \d+ seconds")


def prose(page):
    """The lines of a page outside of code, with their numbers."""
    code = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            code = not code
        elif not code and not line.startswith("    "):
            yield number, re.sub(r"`[^`]*`", "``", line)


class Figures(unittest.TestCase):
    def test_documents_show_what_is_held(self):
        figures, wrong = held.figures(), []
        for page in held.PAGES:
            for number, line in prose(page):
                place = f"{page.relative_to(ROOT)}:{number}"
                for mark in held.MARK.finditer(line):
                    entry = figures.get(mark["name"])
                    if not entry or entry["figure"] != mark["number"]:
                        wrong.append(f"{place}: {mark[0]}, bench/held.json has {entry and entry['figure']}")
                rest = held.MARK.sub("", line)
                if not DEFINITIONS.search(rest):
                    wrong += [f"{place}: {claim[0]!r} has no mark held:NAME" for claim in CLAIM.finditer(rest)]
        self.assertEqual(wrong, [], "\n".join(wrong))

    def test_a_figure_without_a_mark_is_seen(self):
        for text in ("takes 8 minutes", "1.8 us a call", "mean rank 8.2", "is 3 times as fast", "2.32 bits a byte", "to 98 %."):
            self.assertTrue(CLAIM.search(text), text)
        for text in ("128 bits", "64 bytes", "a batch of 32", "version 2.13"):
            self.assertFalse(CLAIM.search(text), text)

    def test_commands_name_programs_of_the_repository(self):
        for entry in held.figures().values():
            self.assertRegex(entry["command"], r"^(build/(release|native|venv|sklearn)/bin/|scripts/)", entry["name"])


class Script(unittest.TestCase):
    def run_on(self, entries, *options):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "held.json"
            path.write_text(json.dumps(entries))
            return subprocess.run([sys.executable, SCRIPT, "--figures", path, *options], capture_output=True, text=True)

    @staticmethod
    def entry(**changes):
        return {"name": "one", "what": "a number", "command": "tests/cli/print_json.py {}", "value": "a.0.b",
                "better": "higher", "accepted": 2.0, "figure": "2.4", **changes}

    def test_worse_figures_fall(self):
        for better, accepted, figure, code in (("higher", 2.0, "2.4", 0), ("higher", 2.6, "2.7", 1), ("lower", 3.0, "2.4", 0),
                                               ("lower", 2.4, "2.3", 1)):
            entry = self.entry(better=better, accepted=accepted, figure=figure,
                               command="""tests/cli/print_json.py '{"a": [{"b": 2.5}]}'""")
            done = self.run_on([entry])
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertIn(f"{1 - code} held, {code} fell, 0 not measured", done.stdout)

    def test_what_cannot_be_measured_has_a_reason(self):
        for command, reason in (("build/no/such/program", "is not there"), ("tests/cli/print_json.py '{}'", "a.0.b"),
                                ("""tests/cli/print_json.py '{"peer_reason": "no torch"}'""", "no torch")):
            done = self.run_on([self.entry(command=command)])
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stdout, f"not measured: .*{reason}")

    def test_a_command_that_fails_is_a_figure_that_fell(self):
        done = self.run_on([self.entry(command="tests/cli/print_json.py --fail")])
        self.assertEqual(done.returncode, 1)
        self.assertIn("FAILED: asked to fail", done.stdout)

    def test_rows_are_chosen(self):
        lines = """'{"who": "x", "t": 1}' '{"who": "y", "t": 3}'"""
        done = self.run_on([self.entry(command=f"tests/cli/print_json.py {lines}", row={"who": "y"}, value="t")], "--json")
        self.assertEqual(json.loads(done.stdout)["measured"], 3)

    def test_wrong_entries_are_refused(self):
        for changes, what in (({"better": "more"}, "higher or lower"), ({"figure": "1.9"}, "worse than what is accepted"),
                              ({"accepted": "2"}, "accepted"), ({"colour": 1}, "colour")):
            done = self.run_on([self.entry(**changes)])
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(what, done.stderr)
        self.assertIn("twice", self.run_on([self.entry(), self.entry()]).stderr)
        self.assertIn("no figure two", self.run_on([self.entry()], "two").stderr)


if __name__ == "__main__":
    unittest.main()
