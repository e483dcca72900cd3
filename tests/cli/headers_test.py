"""Compile times of users' programs in CPU seconds, and that they link."""

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


class CompileTime(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.compiler = [cached("CMAKE_CXX_COMPILER"), "-std=gnu++20", "-O2", f"-I{ROOT}"]

    def test_tensor_header(self):
        source = pathlib.Path(self.folder.name) / "empty.cpp"
        source.write_text('#include "gyre/tensor/tensor.h"\n')
        taken = min(seconds(*self.compiler, "-c", source, "-o", "/dev/null") for _ in range(3))
        print(f"| gyre/tensor/tensor.h compiles in {taken:.2f} s")
        self.assertLessEqual(taken, 0.5)

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
        self.assertLessEqual(compiled + linked, 5)


if __name__ == "__main__":
    unittest.main()
