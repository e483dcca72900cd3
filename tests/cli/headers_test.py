"""What users' programs pay for gyre's headers, and that the programs compile and link. Seconds are printed, not tested:
they differ by 2x between machines."""

import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["GYRE_BINARY"]).resolve().parents[1]


def cached(name):
    for line in (BUILD / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return line.split("=", 1)[1]
    return ""


def seconds(*command):
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = used()
    answer = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if answer.returncode:
        raise AssertionError(f"{' '.join(map(str, command))}\n{answer.stdout}")
    return used() - before


class Headers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.compiler = [cached("CMAKE_CXX_COMPILER"), "-std=gnu++20", "-O2", f"-I{ROOT}"]

    def preprocessed_lines(self, text):
        source = pathlib.Path(self.folder.name) / "headers.cpp"
        source.write_text(text)
        compiled = min(seconds(*self.compiler, "-c", source, "-o", "/dev/null") for _ in range(3))
        answer = subprocess.run([*self.compiler, "-E", "-P", source], cwd=ROOT, text=True, capture_output=True, check=True)
        lines = answer.stdout.count("\n")
        print(f"| {' '.join(text.split())}: {lines:,} lines, {compiled:.2f} s")
        return lines

    def test_tensor_header(self):
        # A tensor names its strings, lists and reference count: <string>, <span> and <atomic> are needed, no further
        # header of the standard library is.
        needed = self.preprocessed_lines("#include <atomic>\n#include <span>\n#include <string>\n")
        whole = self.preprocessed_lines('#include "gyre/tensor/tensor.h"\n')
        self.assertLessEqual(whole, needed + 2000)

    def test_training_program(self):
        if cached("GYRE_SANITIZE"):
            self.skipTest("a sanitized library links only with the same sanitizers")
        program = pathlib.Path(self.folder.name) / "train_mlp"
        object_file = program.with_suffix(".o")
        compiled = seconds(*self.compiler, "-c", ROOT / "examples/train_mlp.cpp", "-o", object_file)
        rule = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "example_train_mlp"], text=True,
                              capture_output=True, check=True).stdout.splitlines()[-1]
        link = rule.replace("CMakeFiles/example_train_mlp.dir/examples/train_mlp.cpp.o", str(object_file))
        linked = seconds("sh", "-c", f"cd '{BUILD}' && {link.replace('-o bin/example_train_mlp', f'-o {program}')}")
        self.assertTrue(program.is_file(), link)
        print(f"| examples/train_mlp.cpp compiles in {compiled:.2f} s and links in {linked:.2f} s at -O2")


if __name__ == "__main__":
    unittest.main()
