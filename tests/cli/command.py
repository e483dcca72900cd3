"""Runs the command for the tests in this folder."""

import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import unittest

BINARY = pathlib.Path(os.environ["GYRE_BINARY"]).resolve()
# ThreadSanitizer writes its own files at start, and delays signals until calls that it intercepts.
UNDER_TSAN = b"__tsan_init" in BINARY.read_bytes()
# A sanitizer adds memory of its own.
UNDER_SANITIZER = UNDER_TSAN or b"__asan_init" in BINARY.read_bytes()
TEXT = "the quick brown fox jumps over the lazy dog. " * 200
# A model so small that a training step takes a millisecond.
TINY = {"tokenizer": "char", "layers": 1, "heads": 1, "width": 16, "block": 16, "batch": 4, "warmup": 2,
        "eval_batches": 2}


def options(defaults, **others):
    """Command-line options, some replaced: width=64 for --width 64, closure=True for the flag --closure."""
    words = []
    for name, value in {**defaults, **others}.items():
        name = "--" + name.replace("_", "-")
        words += [name] * value if isinstance(value, bool) else [name, str(value)]
    return words


def tiny(**others):
    return options(TINY, **others)


def _prepare():
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a background shell may ignore it


def start(*words, env=None, **how):
    how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **how}
    return subprocess.Popen([BINARY, *map(str, words)], env={**os.environ, **(env or {})}, preexec_fn=_prepare, **how)


def run(*words, env=None, timeout=120, text=None, **how):
    """The completed process, with outputs as text. `text`: standard input."""
    if text is not None:
        how["stdin"] = subprocess.PIPE
    process = start(*words, env=env, **how)
    try:
        out, err = process.communicate(None if text is None else text.encode(), timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    outputs = [(stream or b"").decode("utf-8") for stream in (out, err)]
    return subprocess.CompletedProcess(process.args, process.returncode, *outputs)


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


class CommandTest(unittest.TestCase):
    """Each case has a temporary folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gyre-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.text = self.write("text.txt", TEXT.encode())

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def good(self, *words, **how):
        """Standard output of a call that must succeed."""
        answer = run(*words, **how)
        self.assertEqual(answer.returncode, 0, f"gyre {' '.join(map(str, words))}\n{answer.stderr}")
        return answer.stdout

    def json(self, *words, **how):
        lines = self.good(*words, "--json", **how).splitlines()
        return json.loads(lines[-1])

    def refused(self, code, *words, mentions=(), **how):
        """The one line on standard error of a call that must exit with `code`."""
        answer = run(*words, **how)
        call = f"gyre {' '.join(map(str, words))}\n{answer.stdout[-500:]}\n{answer.stderr[-2000:]}"
        self.assertEqual(answer.returncode, code, call)
        last = answer.stderr.splitlines()[-1:] or [""]
        self.assertTrue(last[0].startswith("gyre: "), call)
        self.assertEqual(answer.stderr.count("gyre: "), 1, call)
        self.assertLess(len(last[0]), 400, call)
        for word in [mentions] if isinstance(mentions, str) else mentions:
            self.assertIn(word, last[0], call)
        return last[0]

    def train(self, name, *words, **options):
        """The folder of a tiny model and its training report."""
        out = self.folder / name
        return out, self.json("train", self.text, "--out", out, *tiny(**options), *words)
