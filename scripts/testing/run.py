"""Builds and runs tests, and reads the outcome of each case."""

import contextlib
import os
import re
import signal
import subprocess
import time
import xml.etree.ElementTree as ET

from testing import ROOT, Case, Run

SKIPPED = 77  # exit code of a check that cannot run here


def build(preset, labels):
    """Builds the tests of the labels. A target that fails is reported by its own test."""
    print(f"building {preset}: {', '.join(labels)}", flush=True)
    begin = time.monotonic()
    configured = subprocess.run(["cmake", "--preset", preset, "--log-level=WARNING"], cwd=ROOT,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    failed = configured
    if configured.returncode == 0:
        targets = [f"tests_{label}" for label in labels]
        failed = subprocess.run(["cmake", "--build", f"build/{preset}", "--target", *targets, "--", "-k", "0"],
                                cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    seconds = time.monotonic() - begin
    if failed.returncode == 0:
        print(f"built {preset} in {seconds:.0f} s", flush=True)
        return []
    print(failed.stdout[-20000:])
    return [Run(f"build {preset}", labels[0], preset, [Case(f"build {preset}", "failed", "does not build")],
                seconds, "")]


def environment():
    """The interpreter of build/venv and the Run of its creation. Called after a preset is built, so that ccache
    has its objects."""
    print("creating build/venv", flush=True)
    begin = time.monotonic()
    made = subprocess.run([ROOT / "scripts/venv"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = made.stdout.strip().splitlines() or [""]
    case = Case("scripts/venv", "failed" if made.returncode else "passed", lines[-1], time.monotonic() - begin)
    return None if made.returncode else lines[-1], Run("venv", "e2e", "release", [case], case.seconds, made.stdout)


def run_test(test, options, isa):
    """Runs a test of the plan; its output and its report, one for each `isa`, are kept in
    build/<preset>/test-results."""
    folder = ROOT / "build" / test["preset"] / "test-results"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{test['name']}_{isa}" if isa else test["name"]
    report = folder / f"{name}.xml"
    report.unlink(missing_ok=True)
    environment = dict(os.environ, GTEST_OUTPUT=f"xml:{report}", GTEST_COLOR="no",
                       UBSAN_OPTIONS="print_stacktrace=1", **test["environment"])
    if options.filter:
        wild = any(c in options.filter for c in "*?")
        environment["GTEST_FILTER"] = options.filter if wild else f"*{options.filter}*"
    if isa:
        environment["GYRE_ISA"] = isa

    begin = time.monotonic()
    try:
        process = subprocess.Popen(test["command"], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output = process.communicate(timeout=options.timeout)[0]
            how = f"exit code {process.returncode}" if process.returncode >= 0 else \
                signal.Signals(-process.returncode).name
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):  # it may just have ended
                os.killpg(process.pid, signal.SIGKILL)
            output, how = process.communicate()[0], f"still running after {options.timeout:.0f} s"
        output, code = output.decode(errors="replace"), process.returncode
    except (OSError, TypeError):
        output, code, how = "", 127, "was not built"
    seconds = time.monotonic() - begin
    (folder / f"{name}.log").write_text(output)
    cases = list(cases_of(test["name"], report, code, output, how))
    return Run(name, test["label"], test["preset"], cases, seconds, output)


def cases_of(name, report, code, output, how):
    """The cases of a finished test, those of its report if it wrote one."""
    try:
        cases = list(cases_of_report(report))
    except (OSError, ET.ParseError):
        last = (output.strip().splitlines() or [""])[-1]
        if code == 0:
            return [Case(name, "passed", "")]
        if code == SKIPPED:
            return [Case(name, "skipped", last.removeprefix("skipped: "))]
        return cases_of_crash(name, output, how)
    if code != 0 and not any(case.outcome == "failed" for case in cases):
        cases.append(Case(name, "failed", f"{how} after its last case"))
    return cases


def cases_of_report(path):
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.get("status") == "notrun":
            continue
        name = f"{case.get('classname')}.{case.get('name')}"
        failure, skipped = case.find("failure"), case.find("skipped")
        seconds = float(case.get("time", 0))
        if failure is not None:
            yield Case(name, "failed", failure.get("message", ""), seconds)
        elif skipped is not None:
            reason = skipped.get("message", "").strip().splitlines() or ["no reason given"]
            yield Case(name, "skipped", reason[-1])
        else:
            yield Case(name, "passed", "", seconds)


def cases_of_crash(name, output, how):
    """The cases that ran before a GoogleTest program crashed, and the case in which it crashed."""
    for done, case in re.findall(r"^\[ +(OK|FAILED|SKIPPED) +\] (\S+?)(?:,.*)? \(\d+ ms\)$", output, re.M):
        yield Case(case, {"OK": "passed"}.get(done, done.lower()), "reason lost, the program crashed later")
    started = re.findall(r"^\[ RUN +\] (\S+)", output, re.M)
    if not started:
        yield Case(name, "failed", how)
        return
    last = output.rfind(f"[ RUN      ] {started[-1]}")
    inside = not re.search(r"^\[ +(OK|FAILED|SKIPPED) +\]", output[last:], re.M)
    yield Case(started[-1] if inside else name, "failed", f"{how}; the cases after it did not run")
