"""The instruction sets of kernels, and which of them this CPU has."""

import os
import pathlib

FLAGS = {"v2": "", "v3": "avx2", "v4": "avx512f"}  # what /proc/cpuinfo calls them; v2 needs nothing


def available():
    """The instruction sets of this CPU, the best one last."""
    flags = set(pathlib.Path("/proc/cpuinfo").read_text().split())
    return [isa for isa, flag in FLAGS.items() if not flag or flag in flags]


def chosen():
    """The instruction set that the library uses unless a test forces another one."""
    return os.environ.get("GYRE_ISA") or available()[-1]
