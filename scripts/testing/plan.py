"""Which tests run in which preset, with which kernels and in how many parts."""

import json
import subprocess

from testing import ROOT, Case, Run, isas

LABELS = ("unit", "integration", "e2e")
# The default: the sanitized build finds more errors, the release build is the one that users run.
# preset, labels, instruction set (None: the best the CPU has)
PLAN = (("dev", ("unit", "integration"), None), ("tsan", ("threads",), None),
        ("release", ("e2e", "integration"), None), ("release", ("integration",), "v2"), ("release", ("integration",), "v3"))
LONG = ("demo_test", "torch_compile_test", "ops_tests", "models_tests")


def stages(options):
    """(preset, labels, instruction set) of each build to test."""
    for preset, labels, isa in ((options.preset, LABELS, None),) if options.preset else PLAN:
        labels = tuple(label for label in labels if options.only in (None, label))
        again = isa and (options.isa or isa == isas.chosen())  # tested with None already
        if labels and not again:
            yield preset, labels, options.isa or isa


def tests_of(listed, options, python):
    """The tests of a listing in the order in which they start. The interpreter `python`, if any, runs those of
    tests/python."""
    tests = [in_environment(test, python) for test in listed if not options.filter or has_cases(test)]
    tests = [shard for test in tests for shard in shards(test, options.jobs)]
    # What takes longest starts first, so that no core waits at the end: suites over the op table, then LONG in order.
    return sorted(tests, key=lambda test: (test["label"] != "integration",
                                           LONG.index(test["name"]) if test["name"] in LONG else len(LONG)))


def listed(preset, labels):
    """The tests of a built preset, as listed by ctest, and a failed Run for each label that has none."""
    command = ["ctest", "--test-dir", f"build/{preset}", "--show-only=json-v1"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    tests = [] if answer.returncode else list(read(answer.stdout, preset, labels))
    missing = [label for label in labels if label not in {test["label"] for test in tests}]
    return tests, [Run(f"{label} tests", label, preset, [Case(f"{label} tests", "failed", "ctest lists none")], 0.0,
                       answer.stderr) for label in missing]


def read(listing, preset, labels):
    for test in json.loads(listing)["tests"]:
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        label = (properties.get("LABELS") or ["unit"])[0]
        if label in labels:
            yield {"name": test["name"], "label": label, "preset": preset, "command": test.get("command"),
                   "environment": dict(e.split("=", 1) for e in properties.get("ENVIRONMENT", []))}


def in_environment(test, python):
    """The test, run by the environment's interpreter if it is in tests/python."""
    command = test["command"]
    if not python or "tests/run_cases.py" not in (command or ()) or "/tests/python/" not in command[-1]:
        return test
    return dict(test, command=[python, *command[1:]])


def shards(test, count):
    """Splits the tests that would take longest into `count` runs: a suite over the op table into runs of every
    count-th op, the tests of the thread sanitizer into runs of every count-th case."""
    if test["label"] not in ("integration", "threads") or not has_cases(test):
        return [test]
    # Parts have one thread, except in cases that choose another number: one that waits would take another part's time.
    parts = [{"GYRE_TEST_PART": f"{i + 1}/{count}", "GYRE_THREADS": "1"} if test["label"] == "integration" else
             {"GTEST_TOTAL_SHARDS": str(count), "GTEST_SHARD_INDEX": str(i)} for i in range(count)]
    return [dict(test, name=f"{test['name']}_{i + 1}of{count}", environment={**test["environment"], **part})
            for i, part in enumerate(parts)]


def has_cases(test):
    """GoogleTest programs and unittest files have named cases; checks and examples pass or fail as a whole."""
    command = test["command"] or [test["name"]]
    return command[0].endswith("_tests") or "tests/run_cases.py" in command
