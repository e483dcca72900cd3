"""scripts/test: which tests it runs, what it makes of programs that fail, crash or hang, and what it prints; --help of
every script."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))
import changed  # noqa: E402
from testing import Case, Run, isas, plan, report, run  # noqa: E402


def script(name):
    """The module of a script without a suffix."""
    loader = importlib.machinery.SourceFileLoader(name, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


def options(**given):
    return types.SimpleNamespace(**{"preset": None, "only": None, "filter": None, "isa": None, "jobs": 2, "timeout": 60,
                                    **given})


class Tidy(unittest.TestCase):
    """scripts/tidy --since: what changed, and a unit with each changed header."""

    def chosen(self, files, code=0):
        tidy = script("tidy")
        units = {"a.cxx": ["a/1.cpp", "a/2.cpp", "a/3.cpp", "a/4.cpp", "a/5.cpp"], "b.cxx": ["b/1.cpp"]}
        headers = {"a.cxx": {"a/a.h", "all.h"}, "b.cxx": {"b/b.h", "all.h"}}
        answer = types.SimpleNamespace(returncode=code, stdout="\0".join(files), stderr="no such commit")
        with mock.patch.object(changed.subprocess, "run", return_value=answer), \
                mock.patch.object(tidy, "included", lambda unit: [str(tidy.ROOT / name) for name in units[unit.name]]), \
                mock.patch.object(tidy, "dependencies",
                                  lambda: {unit: {str(tidy.ROOT / name) for name in names} for unit, names in headers.items()}), \
                contextlib.redirect_stdout(io.StringIO()):
            return [str(file).removeprefix(f"{tidy.ROOT}/") for file in tidy.changed([*map(pathlib.Path, units)], "commit")]

    def test_files(self):
        self.assertEqual(self.chosen(["a/1.cpp", "b/1.cpp", "docs/x.md"]), ["a.cxx", "b.cxx"])
        self.assertEqual(self.chosen(["a/1.cpp", "a/2.cpp", "a/3.cpp", "a/4.cpp", "a/a.h"]), ["a.cxx"])
        self.assertEqual(self.chosen(["docs/x.md"]), [])

    def test_headers(self):
        self.assertEqual(self.chosen(["b/b.h"]), ["b.cxx"])
        self.assertEqual(self.chosen(["all.h"]), ["a.cxx"])
        self.assertEqual(self.chosen(["a/1.cpp", "all.h", "b/b.h"]), ["a.cxx", "b.cxx"])

    def test_everything(self):
        self.assertEqual(self.chosen([], code=128), ["a.cxx", "b.cxx"])
        self.assertEqual(self.chosen([".clang-tidy"]), ["a.cxx", "b.cxx"])


class Plan(unittest.TestCase):
    def stages(self, **given):
        return list(plan.stages(options(**given)))

    def test_stages(self):
        with mock.patch.object(isas, "chosen", return_value="v4"):
            self.assertEqual(self.stages(), list(plan.PLAN))
            self.assertEqual([stage[0] for stage in self.stages(only="integration")], ["dev", "release", "release", "release"])
        with mock.patch.object(isas, "chosen", return_value="v3"):  # those of the best CPU are v3
            self.assertEqual(self.stages(), [stage for stage in plan.PLAN if stage[2] != "v3"])
        self.assertEqual(self.stages(preset="tsan"), [("tsan", plan.LABELS, None)])
        self.assertEqual(self.stages(only="unit"), [("dev", ("unit",), None)])
        self.assertEqual(self.stages(only="integration", isa="v3"),
                         [("dev", ("integration",), "v3"), ("release", ("integration",), "v3")])
        self.assertEqual(self.stages(preset="dev", only="e2e", isa="v2"), [("dev", ("e2e",), "v2")])

    def test_instruction_sets(self):
        for flags, found in (("sse2", ["v2"]), ("sse2 avx2", ["v2", "v3"]), ("avx2 avx512f", ["v2", "v3", "v4"])):
            with mock.patch.object(isas.pathlib.Path, "read_text", return_value=flags):
                self.assertEqual(isas.available(), found)
                with mock.patch.dict(isas.os.environ, clear=True):
                    self.assertEqual(isas.chosen(), found[-1])
                with mock.patch.dict(isas.os.environ, GYRE_ISA="v2"):
                    self.assertEqual(isas.chosen(), "v2")

    def test_a_suite_is_split(self):
        suite = {"name": "suite", "label": "integration", "command": ["bin/suite_tests"], "environment": {"A": "1"}}
        parts = plan.shards(suite, 3)
        self.assertEqual([part["name"] for part in parts], ["suite_1of3", "suite_2of3", "suite_3of3"])
        self.assertEqual(parts[1]["environment"], {"A": "1", "GYRE_TEST_PART": "2/3", "GYRE_THREADS": "1"})
        cases = plan.shards(dict(suite, label="threads"), 2)
        self.assertEqual([part["environment"] for part in cases],
                         [{"A": "1", "GTEST_TOTAL_SHARDS": "2", "GTEST_SHARD_INDEX": str(i)} for i in range(2)])
        for whole in (dict(suite, label="unit"), dict(suite, command=["scripts/format"])):
            self.assertEqual(plan.shards(whole, 3), [whole])

    def test_interpreter_of_the_package(self):
        for file, first in (("/tests/python/a_test.py", "venv"), ("/tests/cli/a_test.py", "python3")):
            test = {"command": ["python3", "tests/run_cases.py", file]}
            self.assertEqual(plan.in_environment(test, "venv")["command"], [first, "tests/run_cases.py", file])
        self.assertEqual(plan.in_environment({"command": None}, "venv"), {"command": None})


    def listed(self, code, *labels):
        tests = [{"name": label, "command": ["true"], "properties": [{"name": "LABELS", "value": [label]}]}
                 for label in labels]
        answer = types.SimpleNamespace(returncode=code, stdout=json.dumps({"tests": tests}), stderr="why")
        with mock.patch.object(plan.subprocess, "run", return_value=answer):
            tests, missing = plan.listed("dev", ("unit", "e2e"))
        return [test["name"] for test in tests], [(each.label, each.cases[0].outcome, each.output) for each in missing]

    def test_a_label_without_tests_fails(self):
        self.assertEqual(self.listed(0, "unit", "integration", "e2e"), (["unit", "e2e"], []))
        self.assertEqual(self.listed(0, "unit"), (["unit"], [("e2e", "failed", "why")]))
        self.assertEqual(self.listed(1, "unit", "e2e"), ([], [("unit", "failed", "why"), ("e2e", "failed", "why")]))


class Programs(unittest.TestCase):
    """Runs shell commands as tests."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(setattr, run, "ROOT", run.ROOT)
        run.ROOT = pathlib.Path(folder.name)

    def outcomes(self, script, **given):
        command = ["sh", "-c", script] if script else None
        test = {"name": "it", "label": "unit", "preset": "p", "command": command, "environment": {"B": "b"}}
        done = run.run_test(test, options(**given), "v2")
        self.assertEqual((run.ROOT / "build/p/test-results/it_v2.log").read_text(), done.output)
        return [(case.name, case.outcome, case.message) for case in done.cases]

    def test_checks(self):
        self.assertEqual(self.outcomes("test $B$GYRE_ISA = bv2"), [("it", "passed", "")])
        self.assertEqual(self.outcomes("exit 3"), [("it", "failed", "exit code 3")])
        self.assertEqual(self.outcomes("echo; echo skipped: no tool; exit 77"), [("it", "skipped", "no tool")])
        self.assertEqual(self.outcomes(None), [("it", "failed", "was not built")])
        self.assertEqual(self.outcomes("sleep 60", timeout=0.2), [("it", "failed", "still running after 0 s")])

    def test_a_program_that_ends_while_it_is_killed(self):
        def late(group, signal):
            kill(group, signal)
            raise ProcessLookupError

        kill = run.os.killpg
        with mock.patch.object(run.os, "killpg", late):
            self.assertEqual(self.outcomes("sleep 60", timeout=0.2), [("it", "failed", "still running after 0 s")])

    def test_each_instruction_set_has_its_files(self):
        test = {"name": "it", "label": "unit", "preset": "p", "command": ["sh", "-c", "echo $GYRE_ISA"],
                "environment": {"GYRE_ISA": "best"}}
        names = [run.run_test(test, options(), isa).name for isa in ("v2", "v3", None)]
        self.assertEqual(names, ["it_v2", "it_v3", "it"])
        for name, output in zip(names, ("v2\n", "v3\n", "best\n")):
            self.assertEqual((run.ROOT / f"build/p/test-results/{name}.log").read_text(), output)

    def test_crashes(self):
        done = "[ RUN      ] A.a\n[       OK ] A.a (0 ms)\n"
        crash = "it", "failed", "SIGSEGV; the cases after it did not run"
        first = "A.a", "passed", "reason lost, the program crashed later"
        self.assertEqual(self.outcomes("kill -SEGV $$"), [("it", "failed", "SIGSEGV")])
        self.assertEqual(self.outcomes(f"printf '{done}'; kill -SEGV $$"), [first, crash])
        self.assertEqual(self.outcomes(f"printf '{done}[ RUN      ] A.b\n'; kill -SEGV $$"), [first, ("A.b", *crash[1:])])

    def test_reports(self):
        cases = ('<testcase classname="A" name="a" time="2"/><testcase classname="A" name="off" status="notrun"/>'
                 '<testcase classname="A" name="b"><skipped message="first&#10;no GPU"/></testcase>')

        def script(*more):
            return f"cat > ${{GTEST_OUTPUT#xml:}} <<'XML'\n<x>{cases}{''.join(more)}</x>\nXML\n"

        good = [("A.a", "passed", ""), ("A.b", "skipped", "no GPU")]
        bad = '<testcase classname="A" name="c"><failure message="1 != 2"/></testcase>'
        self.assertEqual(self.outcomes(script()), good)
        self.assertEqual(self.outcomes(script() + "exit 1"), [*good, ("it", "failed", "exit code 1 after its last case")])
        self.assertEqual(self.outcomes(script(bad) + "exit 1"), [*good, ("A.c", "failed", "1 != 2")])

    def test_filter(self):
        self.assertEqual(self.outcomes("test $GTEST_FILTER = '*Softmax*'", filter="Softmax"), [("it", "passed", "")])
        self.assertEqual(self.outcomes("test $GTEST_FILTER = 'Soft*'", filter="Soft*"), [("it", "passed", "")])


class Report(unittest.TestCase):
    def printed(self, *cases):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = report.summarize([Run("it", "unit", "dev", cases, 1.0, "")], 1.0)
        return code, out.getvalue().splitlines()

    def test_summary(self):
        passed, skipped = Case("a", "passed", "", 2.0), Case("c", "skipped", "no GPU")
        self.assertEqual(self.printed(passed)[0], 0)
        self.assertEqual(self.printed(passed)[1][-1], "1 passed, 0 failed")
        self.assertEqual(self.printed(skipped)[0], 1)  # nothing ran
        code, lines = self.printed(passed, Case("b", "failed", "why\nmore"), skipped)
        self.assertEqual(code, 1)
        self.assertEqual(lines[-1], "1 passed, 1 failed, 1 skipped")
        self.assertEqual(lines[1:4], ["slowest: a 2.0 s", "FAILED dev it: b  why", "skipped (no GPU): it: c"])

    def test_output_of_a_failed_program(self):
        output = "[ RUN      ] A.a\n[       OK ] A.a (0 ms)\n| shown\nwhy\n"
        with contextlib.redirect_stdout(io.StringIO()) as out:
            report.show(Run("it", "unit", "dev", [Case("a", "failed", "")], 1.0, output), False)
        self.assertEqual(out.getvalue().splitlines()[1:], ["    | shown", "    | shown", "    why"])


class Help(unittest.TestCase):
    def test_every_script_says_what_it_does_and_ends(self):
        folder = pathlib.Path(plan.__file__).resolve().parents[1]
        scripts = [path for path in sorted(folder.iterdir()) if path.is_file() and os.access(path, os.X_OK)
                   and path.name != "help"]
        self.assertGreater(len(scripts), 12)
        with tempfile.TemporaryDirectory() as nowhere:
            for script in scripts:
                with self.subTest(script=script.name):
                    done = subprocess.run([script, "--help"], cwd=nowhere, capture_output=True, text=True, timeout=20)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertGreater(len(done.stdout), 60)


if __name__ == "__main__":
    unittest.main()
