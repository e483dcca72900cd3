"""Random calls of the command: options with odd values, odd environments, files that are cut or changed meanwhile.

A call may succeed or be refused. It must not crash, hang or speak of its own inside; what is refused is one line of
text, and leaves the folder as it was.

    GYRE_FUZZ_SECONDS=600 GYRE_FUZZ_SEED=7 python3 tests/cli/fuzz_test.py    longer than the 10 seconds of the suite
"""

import json
import os
import random
import re
import shutil
import time
import unittest

from command import CommandTest, run, start, tiny

SECONDS = float(os.environ.get("GYRE_FUZZ_SECONDS", "10")) / 2
SEED = int(os.environ.get("GYRE_FUZZ_SEED", "1"))
ODD = ["", " ", "0", "-1", "1", "3", "2.5", "-0", "nan", "inf", "-inf", "1e400", "1e-400", "9223372036854775807",
       "9223372036854775808", "-9223372036854775809", "0x10", "1e3", "true", "none", "[]", "{}", "null", "a,b", "a=1,b=",
       "\x1b[31m", "é", "\u202e", "x" * 3000, ".", "..", "/dev/null", "/dev/null/x", "%s%n", "--help", "-", "@",
       "lr=1", "momentum=0.9", "cpu", "cuda", "cuda:9", "best", "f32", "bf16", "i64"]
ENVIRONMENT = ["GYRE_THREADS", "GYRE_ISA", "GYRE_DEVICE", "GYRE_TEST_DATA", "NO_COLOR", "COLUMNS", "LANG", "LC_ALL", "TERM",
               "TMPDIR", "HOME"]
# Commands with words that make them end at once where the options leave them as they are.
CALLS = {
    "train": lambda f: ["train", f / "text.txt", "--out", f / "out", *tiny(steps=1)],
    "table": lambda f: ["train", f / "table.csv", "--out", f / "out", "--epochs", "1"],
    "embed": lambda f: ["embed", f / "edges.tsv", "--out", f / "out", "--epochs", "1", "--dim", "2"],
    "generate": lambda f: ["generate", f / "model", "--prompt", "the", "--max-tokens", "2"],
    "perplexity": lambda f: ["perplexity", f / "model", "--file", f / "text.txt", "--max-tokens", "9"],
    "compress": lambda f: ["compress", f / "model", "--out", f / "out"],
    "logits": lambda f: ["logits", f / "model", "--ids", "1,2"],
    "tokenize": lambda f: ["tokenize", f / "model/tokenizer.json", "the fox"],
    "inspect": lambda f: ["inspect", f / "model"],
    "fmt": lambda f: ["fmt", f / "program.tl"],
    "predict": lambda f: ["predict", f / "tables", f / "table.csv"],
    "ops": lambda f: ["ops", "softmax"],
    "layers": lambda f: ["layers", "LSTM"],
    "devices": lambda f: ["devices"],
}
TABLE = "a,b,c\n" + "".join(f"{i},{i * 7 % 5},{'xy'[i % 2]}\n" for i in range(60))
INSIDE = re.compile(r"std::|bad_cast|terminate|Assertion|\.cpp|\.h:\d|basic_string|vector::|stoi|stod")


class Fuzz(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("table.csv", TABLE.encode())
        self.write("program.tl", b"R(A, B)\nS(x) <- R(x, y)\nT[i] = 2 U[i]\n")
        self.write("edges.tsv", b"dog\tmammal\ncat\tmammal\nmammal\tanimal\nwren\tbird\nbird\tanimal\n")
        self.good("train", self.text, "--out", self.folder / "model", *tiny(steps=2))
        self.good("train", self.folder / "table.csv", "--out", self.folder / "tables", "--epochs", "2")
        self.here = self.folder / "here/now"  # relative names lead here, and to its parent
        self.here.mkdir(parents=True)
        self.options = {name: self.options_of(make(self.folder)[0]) for name, make in CALLS.items()}

    def options_of(self, command):
        page = self.good(command, "--help")
        return re.findall(r"^  (?:-h,)?(--[a-z0-9-]+)", page, re.M)

    def state(self):
        """The names and bytes of all files but those in folders that a call may write to."""
        return {path: path.read_bytes() for path in sorted(self.folder.rglob("*"))
                if path.is_file() and not {self.folder / "out", self.folder / "here"} & set(path.parents)}

    def judge(self, answer, words, environment):
        call = f"{environment} gyre {' '.join(map(repr, map(str, words)))}\n{answer.stderr[-1500:]}"
        self.assertIn(answer.returncode, (0, 1, 2), call)
        self.assertFalse(INSIDE.search(answer.stderr.replace(str(self.folder), "")), call)
        self.assertNotIn("\x1b[31m", answer.stderr, call)
        if answer.returncode == 0:
            return 0
        last = answer.stderr.splitlines()[-1]
        if last.startswith('{"error"'):
            self.assertTrue(json.loads(last)["error"]["message"], call)
        else:
            self.assertTrue(last.startswith("gyre: "), call)
            self.assertLess(len(last), 4000, call)
        return 1

    def test_options_and_environment(self):
        draw, before = random.Random(SEED), self.state()
        end, calls, refused = time.monotonic() + SECONDS, 0, 0
        while time.monotonic() < end:
            name = draw.choice(sorted(CALLS))
            words = list(map(str, CALLS[name](self.folder)))
            for _ in range(draw.randint(0, 3)):
                at = draw.randint(1, len(words))
                options = draw.choice(self.options[name]), draw.choice(ODD)
                if options[0] in ("--steps", "--epochs", "--max-tokens", "--dim", "--width", "--layers", "--vocab-size",
                                  "--block", "--batch-size", "--num-workers") and options[1].startswith("92"):
                    continue  # asked for, and long
                words[at:at] = options if draw.random() < 0.8 else options[:1]
            if draw.random() < 0.2:
                words[draw.randrange(len(words))] = draw.choice(ODD)
            environment = {draw.choice(ENVIRONMENT): draw.choice(ODD).replace("\0", "") for _ in range(draw.randint(0, 2))}
            try:
                answer = run(*words, env=environment, timeout=60, cwd=self.here)
            except (ValueError, UnicodeDecodeError) as error:
                self.fail(f"{environment} {words}: {error}")
            calls, refused = calls + 1, refused + self.judge(answer, words, environment)
            if answer.returncode == 2:
                self.assertFalse((self.folder / "out").exists(), f"{environment} {words} left a folder")
            shutil.rmtree(self.folder / "out", ignore_errors=True)
        self.assertEqual(self.state(), before)
        self.assertGreater(calls, 20)
        print(f"\n| {calls} calls with random options, {refused} refused")

    def test_files_that_change_while_they_are_read(self):
        draw, end, calls = random.Random(SEED), time.monotonic() + SECONDS, 0
        whole = self.state()
        while time.monotonic() < end:
            name = draw.choice(["generate", "logits", "inspect", "predict", "train", "table", "tokenize"])
            words = list(map(str, CALLS[name](self.folder)))
            victim = draw.choice([path for path in whole if any(str(path).startswith(w) for w in words[1:3])])
            process = start(*words, cwd=self.here)
            time.sleep(draw.random() * 0.03)
            content = whole[victim]
            how = draw.choice(["cut", "empty", "change", "grow"])
            if how == "cut":
                os.truncate(victim, draw.randrange(len(content) or 1))
            elif how == "empty":
                os.truncate(victim, 0)
            elif how == "grow":
                victim.write_bytes(content + content[:draw.randrange(len(content) or 1)])
            else:
                at = draw.randrange(len(content) or 1)
                victim.write_bytes(content[:at] + bytes([draw.randrange(256)]) + content[at + 1:])
            out, err = process.communicate(timeout=60)
            self.judge(run_result(process, out, err), [how, victim.name, *words], {})
            for path, bytes_ in whole.items():
                if not path.is_file() or path.read_bytes() != bytes_:
                    path.write_bytes(bytes_)
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            calls += 1
        self.assertGreater(calls, 10)
        print(f"\n| {calls} calls whose files were cut or changed")


def run_result(process, out, err):
    process.stdout, process.stderr = out.decode("utf-8", "replace"), err.decode("utf-8", "replace")
    return process


if __name__ == "__main__":
    unittest.main()
