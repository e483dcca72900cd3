"""Missing, empty, truncated, binary, damaged or unreadable files: one line, exit code 1."""

import json
import random
import re
import shutil
import subprocess
import unittest

from command import BINARY, UNDER_TSAN, CommandTest, run, sha256, start, tiny

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
        tokens = self.write("tokens.json", b'{"input_ids": [[1, 2]]}')
        out = self.folder / "out"
        for command, *options in (("generate",), ("perplexity", "--file", self.text), ("compress", "--out", out),
                                  ("logits", "--tokens", tokens, "--out", f"{out}.npy")):
            self.refused(1, command, self.folder / "nothere", *options, mentions="nothere: no such folder")
            self.refused(1, command, self.text, *options, mentions="is a file")
            self.refused(1, command, self.folder, *options, mentions="no config.json; expected the folder of a language model")
            self.assertFalse(out.exists())

    def test_token_ids_without_a_tokenizer(self):
        model, _ = self.train("m", "--steps", "2")
        (model / "tokenizer.json").unlink()
        shown = self.good("generate", model, "--ids", "3,1", "--max-tokens", "4", "--seed", "1")
        self.assertEqual(len(shown.split(",")), 6)
        self.assertTrue(shown.startswith("3,1,"))
        for dtype in ("model", "f32", "f16", "bf16", "int8"):
            self.good("generate", model, "--ids", "3,1", "--max-tokens", "4", "--cache-dtype", dtype)
        self.refused(2, "generate", model, "--ids", "3", "--cache-dtype", "q4",
                     mentions=("--cache-dtype", "model, f32, f16, bf16, int8"))
        for options in ((), ("--prompt", "a"), ("--ids", "3", "--stop", "x")):
            self.refused(2, "generate", model, *options, mentions=("no tokenizer.json", "--ids"))
        self.refused(2, "perplexity", model, "--file", self.text, mentions="no tokenizer.json")

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

    def test_files_of_another_checkpoint_are_noticed(self):
        other, _ = self.train("n", "--steps", "12", "--save-every", "4", "--stop-at", "8")
        for victim in ("model.safetensors", "optimizer.safetensors"):
            trial = self.folder / f"mixed-{victim}"
            shutil.copytree(other, trial)
            shutil.copy(trial / "checkpoints/step-4" / victim, trial / "checkpoints/step-8" / victim)
            answer = run("train", "--out", trial, "--resume")
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertIn(f"{victim} belongs to another checkpoint", answer.stderr)
            self.assertIn("falling back to step 4", answer.stderr)

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


class ForeignText(CommandTest):
    """Control characters in files reach no terminal."""

    HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e\nline"

    def shown(self, *words):
        answer = run(*words)
        for text in (answer.stdout, answer.stderr):
            for hidden in "\x1b\x07\x9b\u202e\r":
                self.assertNotIn(hidden, text, words)
        return answer

    def test_tensor_names_and_metadata(self):
        entry = {"dtype": "U8", "shape": [1], "data_offsets": [0, 1]}
        header = json.dumps({"__metadata__": {self.HOSTILE: self.HOSTILE}, self.HOSTILE: entry}).encode()
        path = self.write("x.safetensors", len(header).to_bytes(8, "little") + header + b"\0")
        said = self.shown("inspect", path).stdout.splitlines()
        self.assertEqual(len(said), 3)
        self.assertTrue(said[1].startswith("  \\x1b]0;title\\x07\\x1b[2J\\x9b31m\\u202e\\nline "), said[1])
        self.assertEqual(self.json("inspect", path)["tensors"][0]["name"], self.HOSTILE)
        path = self.write("x.json", json.dumps({self.HOSTILE: 1}, ensure_ascii=False).encode())
        self.assertIn('\n  "', self.shown("inspect", path).stdout)

    def test_nodes_of_an_embedding(self):
        edges = self.write("edges.tsv", "\x1b[2J\x9b\troot\nb\troot\nc\tb\n".encode())
        self.shown("embed", edges, "--out", self.folder / "e", "--epochs", "2", "--dim", "2")
        said = self.shown("embed", "query", self.folder / "e", "root").stdout
        self.assertIn("\\x1b[2J\\x9b", said)

    def test_columns_and_classes_of_a_table(self):
        name = '"' + self.HOSTILE + '"'
        rows = [f"x,{name}"] + [f"{i},{name if i % 2 else 'b'}" for i in range(40)]
        table = self.write("x.csv", "\n".join(rows).encode())
        self.assertIn("\\x1b]0;title", self.shown("train", table, "--out", self.folder / "t", "--epochs", "1").stderr)
        self.assertIn("\\x1b]0;title", self.shown("predict", self.folder / "t", table).stdout)
        out = self.folder / "p.csv"
        self.shown("predict", self.folder / "t", table, "--out", out)
        self.assertIn(self.HOSTILE[:-5], out.read_text())

    def test_bytes_of_a_damaged_checkpoint(self):
        out, _ = self.train("m", "--steps", "8", "--save-every", "4", "--stop-at", "8")
        state = out / "checkpoints/step-8/training.json"
        state.write_bytes(b'{"\xa3\x1b": \xa3' + state.read_bytes())
        said = self.shown("train", "--out", out, "--resume").stderr
        self.assertIn("falling back to step 4", said)

    def test_errors(self):
        entry = {"dtype": "BO" + self.HOSTILE + "x" * 5000, "shape": [1], "data_offsets": [0, 1]}
        header = json.dumps({"a": entry}).encode()
        path = self.write("x.safetensors", len(header).to_bytes(8, "little") + header + b"\0")
        said = self.shown("inspect", path).stderr
        self.assertIn("BO\\x1b]0", said)
        self.assertLess(len(said), 2500)


class CutFiles(CommandTest):
    def test_a_file_that_is_cut_while_it_is_mapped_is_named(self):
        tokens = self.write("b.bin", bytes(2 * 3000000))
        tokenizer = self.folder / "t.json"
        self.good("tokenize", "--train", self.text, "--vocab-size", "300", "--out", tokenizer)
        for extra in ((), ("--json",)):
            shutil.rmtree(self.folder / "m", ignore_errors=True)
            self.write("b.bin", bytes(2 * 3000000))
            words = ("train", tokens, "--tokenizer", tokenizer, "--out", self.folder / "m", "--steps", "100000",
                     *(word for word in tiny() if word not in ("--tokenizer", "char")))
            process = start(*words, *extra)
            while not b"loss" in process.stderr.readline():
                pass
            tokens.write_bytes(b"")
            last = process.stderr.read().decode().splitlines()[-1]
            process.communicate()
            self.assertEqual(process.returncode, 1)
            said = json.loads(last)["error"]["message"] if extra else last
            self.assertRegex(said, "cannot read .*b.bin: it was shortened meanwhile$")


class ContentOfJsonFiles(CommandTest):
    """Errors of what a JSON file holds name the file."""

    def variants(self, content):
        """The content with each member of the first levels missing or of another type."""
        def walk(value, place=()):
            members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
            for key, inner in list(members)[:12]:
                yield place + (key,)
                if len(place) < 2:
                    yield from walk(inner, place + (key,))
        for place in walk(content):
            for other in ("missing", "wrong", [], {}, -1, None, 1e300):
                copy = json.loads(json.dumps(content))
                inner = copy
                for key in place[:-1]:
                    inner = inner[key]
                if other == "missing":
                    del inner[place[-1]]
                else:
                    inner[place[-1]] = other
                yield place, other, copy
        yield from (((), other, other) for other in ({}, [], 3, None))

    def check(self, path, *words):
        content = json.loads(path.read_text())
        refused = 0
        for place, other, changed in self.variants(content):
            path.write_text(json.dumps(changed))
            answer = run(*words, timeout=60)
            if answer.returncode:
                refused += 1
                with self.subTest(place=place, value=other):
                    last = answer.stderr.splitlines()[-1]
                    if not re.match("gyre: (linear|mul): ", last):  # sizes that contradict each other
                        self.assertIn(str(self.folder), last)
                    self.assertNotRegex(last, "^gyre: json: (?!/)")
        path.write_text(json.dumps(content))
        self.assertGreater(refused, 5)

    def test_token_ids(self):
        model, _ = self.train("m", "--steps", "2")
        ids = self.write("ids.json", b'{"input_ids": [[1, 2], [3, 4]], "attention_mask": [[1, 1], [1, 1]]}')
        self.check(ids, "logits", model, "--tokens", ids, "--out", self.folder / "l.npy")

    def test_config(self):
        for kind in ("gyre", "gpt2"):
            model, _ = self.train(kind, "--model", kind, "--steps", "2")
            self.check(model / "config.json", "generate", model, "--max-tokens", "1")

    def test_model_description(self):
        table = self.write("x.csv", ("x,y\n" + "\n".join(f"{i},{'ab'[i % 2]}" for i in range(20))).encode())
        self.json("train", table, "--out", self.folder / "t", "--epochs", "1")
        self.check(self.folder / "t/model.json", "predict", self.folder / "t", table)

    def test_sizes_are_bounded_before_memory_is_taken(self):
        for kind, field in (("gyre", "layers"), ("gpt2", "n_layer")):
            model, _ = self.train(kind, "--model", kind, "--steps", "2")
            config = json.loads((model / "config.json").read_text())
            for layers in (2, 10**8, 2**63 - 1):
                (model / "config.json").write_text(json.dumps({**config, field: layers}))
                self.refused(1, "generate", model, mentions=("config.json", field), timeout=20)
        table = self.write("x.csv", ("x,y\n" + "\n".join(f"{i},{'ab'[i % 2]}" for i in range(20))).encode())
        description = self.write("r.json", b'[{"layer": "RNN", "in": 4, "hidden": 3, "layers": 100000000}]')
        self.refused(1, "train", table, "--model", description, "--out", self.folder / "t",
                     mentions=("r.json", "10000"), timeout=20)


if __name__ == "__main__":
    unittest.main()
