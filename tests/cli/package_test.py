"""An installed gyre works in an external project: find_package(gyre), gyre::gyre or gyre::shared, public headers."""

import os
import pathlib
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["GYRE_BINARY"]).resolve().parents[1]
PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES CXX)
find_package(gyre REQUIRED)
foreach(library gyre shared)
  add_executable(outside_${library} outside.cpp)
  target_link_libraries(outside_${library} PRIVATE gyre::${library})
endforeach()
"""
PROGRAM = """
#include <cstdio>

#include "gyre/base/build_info.h"
#include "gyre/tensor/tensor.h"

int main() {
  gyre::Tensor x = gyre::empty(gyre::Shape{2, 3});
  std::printf("gyre %s, %d elements\\n", gyre::build_info().version, static_cast<int>(x.numel()));
}
"""


def run(*command):
    answer = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    if answer.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{answer.stdout}")
    return answer.stdout


class Package(unittest.TestCase):
    def test_external_project_builds_and_runs(self):
        if "GYRE_SANITIZE:STRING=\n" not in (BUILD / "CMakeCache.txt").read_text():
            self.skipTest("a sanitized library links only with the same sanitizers")
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            run("cmake", "--install", BUILD, "--prefix", folder / "prefix")
            (folder / "CMakeLists.txt").write_text(PROJECT)
            (folder / "outside.cpp").write_text(PROGRAM)
            run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build",
                f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}")
            run("cmake", "--build", folder / "build")
            for library in ("gyre", "shared"):
                self.assertRegex(run(folder / "build" / f"outside_{library}"), r"^gyre \d+\.\d+\.\d+, 6 elements\n$")


if __name__ == "__main__":
    unittest.main()
