#!/usr/bin/env python3
"""Checks includes between layers, third-party headers, plans of kernels, README files, numbers of decisions,
sizes of files and folders.

A folder of gyre/ may include itself and lower layers (floors). Tests next to their source may include anything.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLOORS = {
    "base": 0,
    "cuda": 0.5,  # the device runtime, which tensor/ allocates with
    "tensor": 1, "simd": 1,
    "io": 2, "op": 2,
    "kernel": 3, "text": 3, "relation": 3, "hub": 3,
    "ops": 4, "chat": 4,
    "autograd": 5,
    "graph": 6, "nn": 6, "optim": 6, "data": 6, "dist": 6,
    "hyperbolic": 7, "packed": 7, "train": 7,
    "models": 8, "embed": 8, "logic": 8,
    "registry": 9, "serve": 9,
}  # fmt: skip

# Within ops/, a folder may include itself and the folders before it.
OPS = ["create", "elementwise", "shape", "reduce", "index", "order", "random", "norm", "loss", "linalg", "sparse",
       "einsum", "conv", "attention"]

# (headers, files): a header that matches the first may be included only by files that match the second.
FOREIGN = [
    (r"cuda|cublas|nvrtc|curand", r"\.cu$|^gyre/cuda/"),
    (r"oneapi/|dnnl|cblas|lapack\.h|lapacke|openblas", r"_lapack\.cpp$|^bench/gemm_libraries\.cpp$"),
    (r"mpi\.h$", r"^gyre/dist/mpi_\w+\.cpp$"),
    (r"nccl", r"^gyre/dist/nccl_\w+\.cpp$"),
    (r"Python\.h|pybind|nanobind", r"^python/"),
    (r"CLI/", r"^cli/main\.cpp$"),
    (r"nlohmann/", r"\.cpp$"),
    (r"histedit\.h", r"^cli/logic/line_editor\.cpp$"),
    (r"^unicode/", r"_icu\.cpp$"),
    (r"zlib\.h", r"^gyre/io/deflate(_test)?\.cpp$"),
    (r"gtest/|gmock/", r"_test\.cpp$|^tests/"),
    (r"(unistd|pthread|fcntl|dlfcn|poll|sched|termios|signal)\.h$|^sys/|^csignal$", r"^gyre/base/|^tests/|_test\.cpp$"),
]
# (text, files, reason): text that only files that match the second may have
RESERVED = [
    (r"version\.fetch_add", r"^gyre/op/apply\.cpp$", "write() alone changes elements and raises versions"),
    # kernels, files, bindings, the definition of the door, and what makes or lists data on the host
    (r"\.data<\w+>\(\)|\bview_of\(",
     r"^gyre/(kernel|io|tensor|data)/|^python/|^tests/|^bench/|^examples/|_test\.cpp$|/test_\w+\.h$|/oracle/"
     r"|^gyre/op/(op_def\.h|literals\.cpp|samples\.cpp)$|^gyre/ops/(create/create|order/counting)\.cpp$"
     r"|^gyre/autograd/gradcheck\.cpp$", "memory may be on a device: use read_elements() or to_vector()"),
]
KERNEL_HEADERS = {"stdint.h", "stddef.h"}  # the only standard headers that *_tiles.cpp may reach
LIGHT = "gyre/tensor/tensor.h"  # included everywhere, so it must not reach heavy standard headers
HEAVY = {"functional", "memory", "algorithm", "optional", "iostream", "ranges", "regex", "map", "unordered_map"}
LONG_FILE = 600  # lines
FULL_FOLDER = 40  # files at one level

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def tracked_files():
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                             capture_output=True, text=True)
    return [path for path in listing.stdout.splitlines() if (ROOT / path).is_file()]


def folder_of(path):
    """The folder of gyre/ that holds a path, if any."""
    parts = path.split("/")
    return parts[1] if parts[0] == "gyre" and len(parts) > 2 else None


def floor_problems(path, includes):
    folder = folder_of(path)
    if folder and folder not in FLOORS:
        yield f"gyre/{folder} has no floor; add it to FLOORS in scripts/check_layers.py"
        return
    for target in includes:
        other = folder_of(target)
        if other == "registry" and folder not in (None, "registry"):
            yield f"includes {target}; only registry, cli, python, web and tests may include it"
        elif folder and other and other != folder and FLOORS.get(other, 99) >= FLOORS[folder]:
            yield f"includes {target}: floor {FLOORS.get(other, 99)} from floor {FLOORS[folder]}"


def kind_of_op(path):
    parts = path.split("/")
    return parts[2] if parts[:2] == ["gyre", "ops"] and len(parts) > 3 else None


def ops_problems(path, includes):
    """Files directly in ops/ have no rank, so their own includes are checked as well."""
    kind = kind_of_op(path)
    if kind and kind not in OPS:
        yield f"gyre/ops/{kind} has no rank; add it in scripts/check_layers.py"
        return
    targets = [target for _, target in includes[path]]
    for target in targets:
        if target.startswith("gyre/ops/") and not kind_of_op(target):
            targets += [more for _, more in includes.get(target, ()) if more not in targets]
        other = kind_of_op(target)
        if kind and other in OPS and OPS.index(other) > OPS.index(kind):
            yield f"includes {target}: ops/{other} comes after ops/{kind}"


def circle_problems(includes):
    """Circles of folders that include each other; a folder and its subfolders count as one idea."""
    arrows = {}
    for path, found in includes.items():
        folder = str(pathlib.PurePath(path).parent)
        for _, target in found:
            other = str(pathlib.PurePath(target).parent)
            nested = f"{other}/".startswith(f"{folder}/") or f"{folder}/".startswith(f"{other}/")
            if target in includes and not nested:
                arrows.setdefault(folder, {}).setdefault(other, f"{path} includes {target}")

    def route(start, folder, seen):
        for other, why in arrows.get(folder, {}).items():
            if other == start:
                return [why]
            if other not in seen:
                seen.add(other)
                if rest := route(start, other, seen):
                    return [why, *rest]
        return None

    shown = set()
    for folder in sorted(arrows):
        reasons = route(folder, folder, set())
        if reasons and not shown & set(reasons):
            shown |= set(reasons)
            yield "circle of folders: " + ", ".join(reasons)


def closure(start, includes):
    """Every project file that a file includes, directly or transitively."""
    found, waiting = set(), [start]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += [target for _, target in includes.get(path, ()) if target in includes]
    return sorted(found)


def plan_problems(text):
    """The run of a device includes the plan of the CPU's (gyre/op/launch.h), so a header declares it."""
    sources = {path: source for path, source in text.items()
               if path.startswith("gyre/") and path.endswith(".cpp") and not path.endswith("_test.cpp")}
    hidden = {name for source in sources.values() for name in re.findall(r"^ *(?:struct|class) (\w+)[^;]*?\{", source, re.M)}
    for path, source in sources.items():
        plans = re.findall(r"^Status run\w*\(const (\w+)&", source, re.M)
        yield from (f"{path}: declare {name} in a header: it is a plan" for name in sorted(hidden & set(plans)))
        yield from (f"{path}: launch<{run}>: expected a function with the name run or run_..."
                    for run in re.findall(r"\blaunch<(?!run\b|run_)([^(;]*)>", source))


def page_problems(paths):
    folders = {str(pathlib.PurePath(path).parent) for path in paths
               if re.search(r"\.(h|cpp|cu|py)$|^scripts/", path)}
    for folder in sorted(folders - {"."}):
        told = any((ROOT / folder / page).is_file() for page in ("README.md", "__init__.py"))
        if not told:
            yield f"{folder}: no README.md"


def folder_problems(paths):
    counts = collections.Counter(str(pathlib.PurePath(path).parent) for path in paths)
    for folder, count in sorted(counts.items()):
        if count > FULL_FOLDER:
            yield f"{folder}: {count} files at one level; move some to a subfolder ({FULL_FOLDER} at most)"


def decision_problems(paths):
    numbers = set()
    for path in paths:
        if name := re.match(r"docs/decisions/((\d+)-.*)", path):
            if not (ROOT / path).read_text().startswith(f"# {name[2]} "):
                yield f"{path}: expected a heading that starts with '# {name[2]} '"
            if name[2] in numbers:
                yield f"{path}: another decision has number {name[2]}"
            numbers.add(name[2])


def main():
    paths = tracked_files()
    sources = [path for path in paths if re.search(r"\.(h|cpp|cu|def|cuh)$", path)]
    text = {path: (ROOT / path).read_text(errors="replace") for path in sources}
    includes = {path: INCLUDE.findall(text[path]) for path in sources}
    problems = [*page_problems(paths), *folder_problems(paths), *decision_problems(paths), *plan_problems(text)]

    for path in sources:
        if not path.endswith("_test.cpp") and not path.startswith("tests/"):
            own = [target for _, target in includes[path]]
            problems += [f"{path}: {problem}" for problem in floor_problems(path, own)]
            problems += [f"{path}: {problem}" for problem in ops_problems(path, includes)]
        for _, target in includes[path]:
            for header, allowed in FOREIGN:
                if not target.startswith("gyre/") and re.search(header, target) and not re.search(allowed, path):
                    problems.append(f"{path}: {target} may only be included by {allowed}")
        problems += [f"{path}: {reason}" for words, allowed, reason in RESERVED
                     if re.search(words, text[path]) and not re.search(rf"{allowed}|_test\.cpp$", path)]
        if path.endswith(".h") and "#pragma once" not in text[path]:
            problems.append(f"{path}: no #pragma once")
        lines = text[path].count("\n")
        if lines > LONG_FILE:
            problems.append(f"{path}: {lines} lines; split it ({LONG_FILE} at most)")

    problems += circle_problems({path: found for path, found in includes.items()
                                 if not path.endswith("_test.cpp") and not path.startswith(("tests/", "bench/"))})
    for path in (p for p in sources if p.endswith("_tiles.cpp")):
        for file in closure(path, includes):
            foreign = {t for mark, t in includes[file] if mark == "<"} - KERNEL_HEADERS
            problems += [f"{file}: <{t}> reaches the kernel object {path}" for t in sorted(foreign)]
    if LIGHT in includes:
        for file in closure(LIGHT, includes):
            heavy = {t for mark, t in includes[file] if mark == "<"} & HEAVY
            problems += [f"{file}: <{t}> reaches {LIGHT}" for t in sorted(heavy)]

    print("\n".join(problems) if problems else f"{len(sources)} files checked, no problems")
    return 1 if problems else 0


if __name__ == "__main__":
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__.strip())
        sys.exit()
    sys.exit(main())
