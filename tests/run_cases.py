#!/usr/bin/env python3
"""tests/run_cases.py FILE: runs the unittest cases of one file.

Speaks GoogleTest's protocol, so that scripts/test counts both alike: a JUnit report is written
where GTEST_OUTPUT=xml:PATH says, and GTEST_FILTER=*PATTERN* selects cases.
"""

import importlib.util
import os
import pathlib
import signal
import sys
import time
import unittest
import xml.etree.ElementTree as ET


class Recorder(unittest.TextTestResult):
    """Keeps one row a case: name, seconds, kind (None, 'failure' or 'skipped'), message."""

    def __init__(self, *args):
        super().__init__(*args)
        self.rows = []

    def startTest(self, test):
        super().startTest(test)
        self.begin = time.monotonic()
        self.outcome = (None, "")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.outcome = ("failure", self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.outcome = ("failure", self.errors[-1][1])
        if not hasattr(test, "_testMethodName"):  # setUpClass or setUpModule failed
            self.rows.append((str(test), 0.0, *self.outcome))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.outcome = ("failure", f"{subtest}\n" + self._exc_info_to_string(err, test))

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.outcome = ("skipped", reason)
        if not hasattr(test, "_testMethodName"):
            self.rows.append((str(test), 0.0, *self.outcome))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.outcome = ("failure", "expected to fail, but passed")

    def stopTest(self, test):
        super().stopTest(test)
        name = ".".join(test.id().split(".")[-2:])
        self.rows.append((name, time.monotonic() - self.begin, *self.outcome))


def load(path):
    sys.path[:0] = [str(path.parent), str(path.parent.parent)]
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def main():
    # Whatever started this, a job in the background among it: cases send it and their children Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    path = pathlib.Path(sys.argv[1]).resolve()
    loader = unittest.TestLoader()
    pattern = os.environ.get("GTEST_FILTER", "*")
    if pattern != "*":
        loader.testNamePatterns = [pattern]
    suite = loader.loadTestsFromModule(load(path))
    runner = unittest.TextTestRunner(resultclass=Recorder, verbosity=2, stream=sys.stdout)
    result = runner.run(suite)

    output = os.environ.get("GTEST_OUTPUT", "")
    if output.startswith("xml:"):
        root = ET.Element("testsuites")
        group = ET.SubElement(root, "testsuite", name=path.stem)
        for name, seconds, kind, message in result.rows:
            case = ET.SubElement(group, "testcase", classname=path.stem, name=name, time=f"{seconds:.3f}")
            if kind:
                ET.SubElement(case, kind, message=message)
        ET.ElementTree(root).write(output[len("xml:"):])
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
