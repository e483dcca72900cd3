"""Trees of two commits, built, for scripts/compare_bits and scripts/compare_bench."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "compare"


def fail(message):
    """Ends the program: what was asked for could not be compared."""
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(2)


def run(command, what, **options):
    """Runs a command in silence; where it fails, prints the end of its output and ends the program."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode != 0:
        print("\n".join(done.stdout.splitlines()[-30:]), file=sys.stderr)
        fail(f"{what} failed")
    return done.stdout


def checkout(name):
    """The folder itself, or a git worktree of the commit in build/compare."""
    folder = pathlib.Path(name)
    if (folder / "CMakePresets.json").is_file():
        return folder.resolve()
    found = subprocess.run(["git", "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}"], cwd=ROOT,
                           capture_output=True, text=True)
    if found.returncode != 0:
        fail(f"expected a commit of this repository or a folder with a checkout, got {name}")
    commit = found.stdout.strip()
    tree = CACHE / commit[:12]
    if not (tree / "CMakePresets.json").is_file():
        run(["git", "worktree", "prune"], "git worktree prune", cwd=ROOT)
        run(["git", "worktree", "add", "--force", "--detach", tree, commit], f"the checkout of {name}", cwd=ROOT)
    return tree


def built_tree(name, jobs=os.cpu_count(), build=True):
    """The folder of a commit (or a folder with a checkout), with the library and the command in build/release."""
    tree = checkout(name)
    if build:
        print(f"building {name} in {tree}", file=sys.stderr, flush=True)
        run(["cmake", "--preset", "release", "--log-level=WARNING"], f"configuring {name}", cwd=tree)
        run(["cmake", "--build", "build/release", "--target", "product", "-j", jobs], f"building {name}", cwd=tree)
    for file in ("libgyre.a", "bin/gyre"):
        if not (tree / "build/release" / file).is_file():
            fail(f"expected {tree}/build/release/{file}; run scripts/build in {tree}")
    built = (tree / "build/release/libgyre.a").stat().st_mtime
    newer = [path for path in (tree / "gyre").rglob("*.h") if path.stat().st_mtime > built]
    if newer and not build:
        print(f"warning: {newer[0]} is newer than build/release; run scripts/build in {tree}", file=sys.stderr)
    return tree
