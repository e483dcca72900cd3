"""What changed since a commit, for checks of the files that it concerns (scripts/tidy, scripts/check_portable)."""

import functools
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"


def changed_since(commit, *checks):
    """The files that differ from a commit, as paths; None, with the reason printed, if all are to be checked: git does
    not know the commit, or one of the files `checks`, which say what is checked, differs."""
    answer = subprocess.run(["git", "diff", "-z", "--name-only", commit, "--"], cwd=ROOT, capture_output=True, text=True)
    names = {str(ROOT / name) for name in answer.stdout.split("\0") if name}
    if answer.returncode or names & {str(ROOT / check) for check in ("scripts/changed.py", *checks)}:
        print("checking all files: " + (answer.stderr.strip() or "the checks changed"), flush=True)
        return None
    return names


@functools.cache
def dependencies():
    """The files that each source of the release build includes, itself among them."""
    answer = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True)
    if answer.returncode or not answer.stdout.strip():
        sys.exit(f"no release build to read the included files from; run scripts/build release all first\n{answer.stderr}")
    found = {}
    for part in answer.stdout.split("\n\n"):
        if paths := [os.path.normpath(BUILD / line.strip()) for line in part.splitlines()[1:]]:
            found.setdefault(paths[0], set()).update(paths)
    return found
