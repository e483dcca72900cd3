"""What changed since a commit, for checks of the files that it concerns (scripts/tidy, scripts/check_portable)."""

import functools
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"


def changed_since(commit, *checks):
    """The files that differ from a commit, as paths; None, with the reason printed, if all are to be checked: git does
    not know the commit, or one of the files `checks`, which say what is checked, differs."""
    answer = subprocess.run(["git", "diff", "--name-only", commit, "--"], cwd=ROOT, capture_output=True, text=True)
    names = {str(ROOT / name) for name in answer.stdout.split()}
    if answer.returncode or names & {str(ROOT / check) for check in checks}:
        print("checking all files: " + (answer.stderr.strip() or "the checks changed"), flush=True)
        return None
    return names


@functools.cache
def dependencies():
    """The files that each source of the release build includes, itself among them."""
    lists = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True).stdout.split("\n\n")
    files = [[os.path.normpath(BUILD / line.strip()) for line in part.splitlines()[1:]] for part in lists]
    return {paths[0]: set(paths) for paths in files if paths}
