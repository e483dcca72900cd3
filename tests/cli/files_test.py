"""Missing, empty, truncated, binary, damaged or unreadable files: one line, exit code 1."""

import json
import random
import shutil
import subprocess
import unittest

from command import BINARY, UNDER_TSAN, CommandTest, run, sha256, tiny

NOISE = random.Random(5).randbytes(5000)


class BadFiles(CommandTest):
    def bad_files(self, ending):
        """Paths of invalid files, and their kind."""
        yield self.folder / f"missing{ending}", "missing"
        yield self.write(f"empty{ending}", b""), "empty"
        yield self.write(f"two{ending}", b"{\n"), "two bytes"
        yield self.write(f"noise{ending}", NOISE), "binary"
        yield self.write(f"letters{ending}", b"not a file of this kind\n" * 20), "another kind"
        yield "/proc/self/mem", "unreadable"
        locked = self.write(f"locked{ending}", b"\xff\xfe{}")
        locked.chmod(0)
        yield locked, "no permission"
        inside = self.folder / f"folder{ending}"
        inside.mkdir(exist_ok=True)
        yield inside, "a folder"

    def test_inspect(self):
        for ending in (".safetensors", ".json", ".bin"):
            for path, kind in self.bad_files(ending):
                with self.subTest(ending=ending, kind=kind):
                    self.refused(1, "inspect", path)

    def test_tokenizer(self):
        for path, kind in self.bad_files(".json"):
            with self.subTest(kind=kind):
                self.refused(1, "tokenize", path, "text")
        self.refused(1, "tokenize", self.write("other.json", b'{"model": {"type": "Unigram"}}'), "text")

    def test_texts_to_tokenize(self):
        model, _ = self.train("m", "--steps", "2")
        for path, kind in self.bad_files(".txt"):
            if kind in ("missing", "unreadable", "a folder"):
                with self.subTest(kind=kind):
                    self.refused(1, "tokenize", model / "tokenizer.json", "--file", path)
            if kind in ("missing", "unreadable", "a folder", "binary", "another kind", "two bytes"):
                with self.subTest(kind=kind, form="jsonl"):
                    self.refused(1, "tokenize", model / "tokenizer.json", "--jsonl", path)

    def test_texts_to_train_on(self):
        for path, kind in self.bad_files(".txt"):
            if kind == "another kind":
                continue
            with self.subTest(kind=kind):
                answer = run("train", path, "--out", self.folder / "m", *tiny(), "--steps", "2")
                self.assertIn(answer.returncode, (1, 2), answer.stderr)
                self.assertRegex(answer.stderr, r"(?m)^gyre: .+$")
                self.assertFalse((self.folder / "m/model.safetensors").exists())
                shutil.rmtree(self.folder / "m", ignore_errors=True)
                self.refused(1, "tokenize", "--train", path, "--vocab-size", "300", "--out", self.folder / "t.json") \
                    if kind != "two bytes" else None

    def test_model_folder(self):
        model, _ = self.train("m", "--steps", "2")
        for name in ("model.safetensors", "config.json", "tokenizer.json"):
            whole = (model / name).read_bytes()
            for content in (b"", b"{}", NOISE, whole[:len(whole) // 2]):
                with self.subTest(name=name, bytes=len(content)):
                    (model / name).write_bytes(content)
                    self.refused(1, "generate", model, "--max-tokens", "3")
            (model / name).unlink()
            with self.subTest(name=name, missing=True):
                answer = run("generate", model, "--max-tokens", "3")
                self.assertIn(answer.returncode, (1, 2))
                self.assertIn(name, answer.stderr)
            (model / name).write_bytes(whole)
        self.good("generate", model, "--max-tokens", "3")
        self.refused(1, "generate", self.folder / "nothere", mentions="no such folder")
        self.refused(1, "generate", self.text, mentions="is a file")

    def test_bit_flips_are_detected(self):
        model, _ = self.train("m", "--steps", "2")
        path = model / "model.safetensors"
        whole = path.read_bytes()
        draw = random.Random(3)
        for place in draw.sample(range(len(whole)), 40):
            with self.subTest(place=place):
                path.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << draw.randrange(8)]) + whole[place + 1:])
                self.refused(1, "generate", model, "--max-tokens", "3")
                self.refused(1, "inspect", path)


class FullDisk(CommandTest):
    def test_files_are_replaced_atomically(self):
        out, _ = self.train("m", "--steps", "4", "--stop-at", "2")
        before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
        largest = max(map(len, before.values()))
        for most in (*([] if UNDER_TSAN else [0]), largest // 2, largest - 1):
            with self.subTest(most=most):
                words = ["sh", "-c", f"ulimit -f {most // 512}; exec \"$@\"", "sh", BINARY, "train", "--out", out, "--resume"]
                answer = subprocess.run(words, capture_output=True, text=True, timeout=60)
                self.assertEqual(answer.returncode, 1, answer.stderr)
                self.assertRegex(answer.stderr.splitlines()[-1], "^gyre: cannot write .*: ")
                whole = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
                for path in set(before) | set(whole):
                    if path.name == "log.jsonl" or path.name.startswith("events.out.tfevents."):
                        continue  # logs grow as far as they can
                    self.assertEqual(whole.get(path), before.get(path), path)
        self.good("train", "--out", out, "--resume")


class DamagedCheckpoints(CommandTest):
    def damage(self, checkpoint):
        """Truncates, empties, corrupts and removes each file of a checkpoint in turn."""
        for path in sorted(p for p in checkpoint.iterdir() if p.is_file()):
            whole = path.read_bytes()
            middle = len(whole) // 2
            changes = {"cut": whole[:middle], "empty": b"", "gone": None,
                       "flipped": whole[:middle] + bytes([whole[middle] ^ 8]) + whole[middle + 1:]}
            for kind, content in changes.items():
                if content is None:
                    path.unlink()
                else:
                    path.write_bytes(content)
                yield path.name, kind
                path.write_bytes(whole)

    def test_damage_is_refused_or_harmless(self):
        """An error, or (if resuming does not need the file) the same bytes as without the damage."""
        out, _ = self.train("m", "--steps", "8", "--stop-at", "4")
        shutil.copytree(out, self.folder / "whole")
        self.good("train", self.text, "--out", self.folder / "whole", "--resume")
        expected = sha256(self.folder / "whole/model.safetensors")
        [checkpoint] = (out / "checkpoints").iterdir()
        trial, refused = self.folder / "trial", set()
        for name, kind in self.damage(checkpoint):
            shutil.rmtree(trial, ignore_errors=True)
            shutil.copytree(out, trial)
            answer = run("train", self.text, "--out", trial, "--resume")
            with self.subTest(file=name, kind=kind):
                if answer.returncode == 0:
                    self.assertEqual(sha256(trial / "model.safetensors"), expected)
                else:
                    refused.add(name)
                    self.assertIn(answer.returncode, (1, 2))
                    self.assertRegex(answer.stderr.splitlines()[-1], "^gyre: ")
        self.assertIn("model.safetensors", refused)

    def test_falls_back_to_older_checkpoint(self):
        out, whole = self.train("m", "--steps", "12", "--save-every", "4")
        other, _ = self.train("n", "--steps", "12", "--save-every", "4", "--stop-at", "8")
        newest = max((other / "checkpoints").iterdir(), key=lambda p: int(p.name.removeprefix("step-")))
        for victim in newest.iterdir():
            with self.subTest(file=victim.name):
                trial = self.folder / f"trial-{victim.name}"
                shutil.copytree(other, trial)
                damaged = trial / victim.relative_to(other)
                damaged.write_bytes(damaged.read_bytes()[:-7])
                answer = run("train", "--out", trial, "--resume", "--json")
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertIn("falling back to step 4", answer.stderr)
                self.assertEqual(json.loads(answer.stdout)["steps"], 12)
                self.assertEqual((trial / "model.safetensors").read_bytes(), (out / "model.safetensors").read_bytes())


if __name__ == "__main__":
    unittest.main()
