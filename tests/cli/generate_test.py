"""`gyre generate`, `gyre perplexity` and `gyre logits`: fields of the JSON, settings of the model, tokenizers, interrupts."""

import fcntl
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import termios
import time
import unittest
import zipfile

from command import CommandTest, run, start

DATA = pathlib.Path(os.environ.get("GYRE_TEST_DATA", "tests/data")) / "models/stories260K"


def waiting(pipe):
    """Bytes in a pipe that nobody has read."""
    return int.from_bytes(fcntl.ioctl(pipe, termios.FIONREAD, bytes(4)), sys.byteorder)


class Generate(CommandTest):
    def setUp(self):
        super().setUp()
        self.model, _ = self.train("m", "--steps", "2")

    def generate(self, *words):
        return self.json("generate", self.model, "--prompt", "the", "--greedy", *words)

    def test_the_new_text_alone(self):
        made = self.generate("--max-tokens", "9")
        self.assertEqual("the" + made["new_text"], made["text"])
        self.assertEqual((made["new_tokens"], made["finish_reason"]), (9, "length"))
        shown = self.good("generate", self.model, "--prompt", "the", "--greedy", "--max-tokens", "9")
        self.assertEqual(shown, made["text"] + "\n")
        stopped = self.generate("--max-tokens", "9", "--stop", made["new_text"][4])
        self.assertEqual(stopped["new_text"], made["new_text"].partition(made["new_text"][4])[0])
        self.assertEqual(stopped["finish_reason"], "stop")

    def test_json_that_is_cut_says_by_what(self):
        schema = ("--prompt", "the", "--json-schema", '{"const": true}')
        made = self.json("generate", self.model, *schema)
        self.assertEqual((json.loads(made["new_text"]), made["finish_reason"]), (True, "stop"))
        self.refused(1, "generate", self.model, *schema, "--max-tokens", "3", mentions=("cut after --max-tokens", "missing"))
        self.refused(1, "generate", self.model, *schema, "--stop", "u", mentions=("cut by a --stop string", "missing"))

    def test_settings_of_the_model(self):
        settings = self.model / "generation_config.json"
        greedy = self.generate("--max-tokens", "7")
        settings.write_text(json.dumps({"do_sample": False, "max_new_tokens": 7}))
        self.assertEqual(self.json("generate", self.model, "--prompt", "the")["ids"], greedy["ids"])
        self.assertEqual(self.json("generate", self.model, "--prompt", "the", "--max-tokens", "3")["new_tokens"], 3)
        settings.write_text(json.dumps({"num_beams": 3, "max_new_tokens": 7}))
        beams = self.json("generate", self.model, "--prompt", "the")
        settings.write_text(json.dumps({"max_length": 20}))
        self.assertEqual(self.json("generate", self.model, "--prompt", "the", "--beams", "3", "--max-tokens", "7")["ids"],
                         beams["ids"])
        for words in ((), ("--json",)):
            noted = run("generate", self.model, "--prompt", "the", *words)
            self.assertEqual(noted.returncode, 0)
            if words:
                self.assertEqual(json.loads(noted.stdout)["notes"], [noted.stderr[len("note: "):-1]])
            self.assertEqual(noted.stderr, "note: generation_config.json: max_length 20 is not applied: it counts the prompt, "
                                           "too; give --max-tokens\n")
        self.assertEqual(run("generate", self.model, "--prompt", "the", "--max-tokens", "3").stderr, "")

    def test_a_tokenizer_from_elsewhere(self):
        made, tokenizer = self.generate("--max-tokens", "5"), self.folder / "elsewhere.json"
        text = ("--file", self.text, "--max-tokens", "50")
        loss = self.json("perplexity", self.model, *text)["loss"]
        (self.model / "tokenizer.json").rename(tokenizer)
        small = ("--calibrate", self.text, "--least-weights", "16", "--out", self.folder / "small")
        for command, *words in (("generate", "--prompt", "the"), ("perplexity", *text), ("compress", *small)):
            self.refused(2, command, self.model, *words, mentions=("no tokenizer.json", "--tokenizer"))
        self.assertEqual(self.generate("--max-tokens", "5", "--tokenizer", tokenizer)["ids"], made["ids"])
        self.assertEqual(self.json("perplexity", self.model, *text, "--tokenizer", tokenizer)["loss"], loss)
        self.good("compress", self.model, *small, "--tokenizer", tokenizer)
        self.refused(1, "generate", self.model, "--tokenizer", self.folder / "nothere", mentions="nothere")
        self.refused(2, "compress", self.model, "--tokenizer", tokenizer, "--out", self.folder / "no",
                     mentions=("--tokenizer", "--calibrate FILE"))

    def test_a_draft_that_is_missing(self):
        self.refused(1, "generate", self.model, "--prompt", "the", "--draft", self.folder / "nosuch",
                     mentions=("--draft must be ngram or a smaller model", "nosuch"))

    def interrupted(self, *words, until=None, text=b""):
        """Outputs of a process that is interrupted when it has written `until` bytes, or else has begun to read `text`, more
        than a pipe holds."""
        process = start(*words, stdin=subprocess.PIPE)
        process.stdin.write(text)
        process.stdin.close()
        first = process.stdout.read(until) if until else b""
        process.send_signal(signal.SIGINT)
        process.stdin = None
        rest, complaint = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, complaint)
        return first + rest, complaint.decode()

    def test_interrupts_end_a_process_whose_output_nobody_reads(self):
        process = start("generate", self.model, "--prompt", "the", "--max-tokens", "100000000")
        self.addCleanup(process.kill)
        process.stdout.read(10)
        before = -1
        while before != (before := waiting(process.stdout)):
            time.sleep(0.5)  # until the pipe is full
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        process.communicate()

    def test_interrupts_are_told(self):
        endless = ("generate", self.model, "--max-tokens", "100000000")
        text, complaint = self.interrupted(*endless, "--prompt", "the", until=10)
        self.assertTrue(text.startswith(b"the") and text.endswith(b"\n"), text[-20:])
        self.assertEqual(complaint, "gyre: interrupted\n")
        long = b"the quick brown fox jumps over the lazy dog. " * 200000
        text, complaint = self.interrupted(*endless, "--prompt-file", "-", "--json", text=long)
        self.assertEqual(text, b"")
        self.assertEqual(json.loads(complaint)["error"]["code"], "interrupted")
        self.assertEqual(self.interrupted("perplexity", self.model, "--file", "/dev/stdin", text=long),
                         (b"", "gyre: interrupted\n"))

    def test_prompts_from_files(self):
        wanted = self.generate("--max-tokens", "5")["ids"]
        words = ("generate", self.model, "--greedy", "--max-tokens", "5", "--prompt-file")
        for ending in (b"", b"\n", b"\r\n"):
            self.assertEqual(self.json(*words, self.write("prompt.txt", b"the" + ending))["ids"], wanted)
        self.assertEqual(self.json(*words, "-", text="the\n")["ids"], wanted)
        self.refused(1, *words, "-", text="the\n\n", mentions="character U+000A")  # the newline that is left
        self.refused(1, *words, self.folder / "nothere", mentions="nothere")
        for other in (("--prompt", "a"), ("--ids", "1")):
            self.refused(2, *words, "-", *other, mentions="only one of --prompt, --prompt-file and --ids")
        (self.model / "generation_config.json").write_text(json.dumps({"num_beams": 2}))
        self.assertEqual(self.json(*words[:2], "--max-tokens", "5", *words[-1:], "-", text="the")["notes"], [])

    def test_log_probabilities_are_shown(self):
        words = ("--max-tokens", "3", "--logprobs", "2")
        made = self.generate(*words)
        text, title, *lines = self.good("generate", self.model, "--prompt", "the", "--greedy", *words).splitlines()
        self.assertEqual(text, made["text"])
        self.assertIn("log-probability", title)
        self.assertEqual(len(lines), 3)
        for line, character, token in zip(lines, made["new_text"], made["logprobs"], strict=True):
            for one, logprob in ([token["id"], token["logprob"]], *token["top"]):
                self.assertIn(f"{one} \"", line)
                self.assertIn(f"{logprob:.4f}", line)
            self.assertTrue(line.startswith(f"  {token['id']} \"{character}\""), line)
        ids = self.good("generate", self.model, "--ids", "1", "--greedy", "--max-tokens", "1", "--logprobs", "0")
        self.assertNotIn(";", ids.splitlines()[-1])
        (self.model / "tokenizer.json").unlink()
        last = self.good("generate", self.model, "--ids", "1", "--greedy", *words).splitlines()[-1]
        self.assertNotIn('"', last)

    def test_a_prompt_that_exceeds_the_context(self):
        words = ("generate", self.model, "--prompt", "the quick brown fox", "--max-tokens", "2", "--greedy")
        note = "the prompt has 19 tokens, the model's context 16: its first 11 have no effect"
        answer = run(*words)
        self.assertEqual((answer.returncode, answer.stderr), (0, f"note: {note}\n"))
        answer = run(*words, "--json")
        self.assertEqual(json.loads(answer.stdout)["notes"], [note])
        self.assertEqual(self.generate("--max-tokens", "2")["notes"], [])
        self.refused(2, *words, "--overflow", "error", mentions="give --overflow rotate")
        tokens = self.write("tokens.json", json.dumps({"input_ids": [[1] * 17]}).encode())
        said = self.refused(1, "logits", self.model, "--tokens", tokens, "--out", self.folder / "x.npy", mentions="at most 16")
        self.assertNotIn("overflow", said)

    def test_names_of_options_have_dashes(self):
        for bias in ("3", "900=1"):
            said = self.refused(2, "generate", self.model, "--prompt", "the", "--logit-bias", bias)
            self.assertIn("--logit-bias: ", said)
        fields = [word[2:].replace("-", "_") for word in self.good("generate", "--help").split() if word.startswith("--")]
        shown = self.good("generate", "--help")
        self.assertEqual([name for name in fields if "_" in name and name in shown], [])

    def test_an_error_begins_a_line(self):
        words = ("generate", self.model, "--prompt", "the", "--greedy", "--overflow", "error")
        answer = run(*words)
        self.assertEqual(answer.returncode, 2)
        self.assertTrue(answer.stdout.startswith("the") and answer.stdout.endswith("\n"), answer.stdout)
        together = run(*words, stderr=subprocess.STDOUT).stdout.splitlines()
        self.assertTrue(together[-1].startswith("gyre: generate: the text has 17 tokens"), together)
        answer = run(*words, "--json")
        self.assertEqual(answer.stdout, "")
        self.assertEqual(json.loads(answer.stderr)["error"]["actual"], "17")

    def test_files_of_tokens_say_their_form(self):
        out = ("--out", self.folder / "x.npy")
        for content in ([1, 2], {"input_ids": [1, 2]}, {"ids": [[1]]}, {"input_ids": 3}):
            tokens = self.write("tokens.json", json.dumps(content).encode())
            self.refused(2, "logits", self.model, "--tokens", tokens, *out, mentions='{"input_ids": [[1, 2], [3, 4]]}')
        tokenizer = self.model / "tokenizer.json"
        for line in ({"other": 1}, 3, {"text": 3}, {"ids": "1"}, [1]):
            lines = self.write("lines.jsonl", ('"the"\n' + json.dumps(line)).encode())
            self.refused(1, "tokenize", tokenizer, "--jsonl", lines, mentions=("line 2: ", '{"text": "..."} or {"ids": [...]}'))
        lines = self.write("lines.jsonl", b'{"ids": [4294967297]}')
        self.refused(1, "tokenize", tokenizer, "--jsonl", lines, mentions=("line 1: ", "4294967297"))

    @unittest.skipUnless(DATA.is_dir(), f"needs {DATA}")
    def test_a_model_with_its_tokenizer_in_another_file(self):
        text = self.write("story.txt", (DATA / "expected_greedy_200.txt").read_bytes() * 40)
        words = ("--file", text, "--tokenizer", DATA / "tok512.bin", "--max-tokens", "300")
        self.assertAlmostEqual(self.json("perplexity", DATA / "hf", *words)["loss"],
                               self.json("perplexity", DATA / "stories260K.bin", *words)["loss"], places=4)
        for name, model in (("folder", DATA / "hf"), ("file", DATA / "stories260K.bin")):
            out = self.folder / name
            report = self.json("compress", model, "--calibrate", text, "--tokenizer", DATA / "tok512.bin", "--windows", "8",
                               "--out", out)
            self.assertEqual(report["calibration"], "two-sided")
            self.assertLess(report["kl"], 0.2)
            self.assertEqual(json.loads((out / "config.json").read_text())["model_type"], "gyre_packed_llama")


class Inspect(CommandTest):
    def test_a_language_model(self):
        model, report = self.train("m", "--steps", "2", heads=2)
        shown = self.json("inspect", model)["language_model"]
        size = (model / "model.safetensors").stat().st_size
        wanted = {"layers": 1, "heads": 2, "key_value_heads": 2, "head_size": 8, "width": 16, "inner": 64, "context": 16,
                  "window": 0, "window_layers": 0, "parameters": report["parameters"], "bytes": size,
                  "dtypes": {"F32": report["parameters"]}, "cache_dtype": "f32", "cache_bytes_per_token": 2 * 16 * 4}
        self.assertEqual({name: shown[name] for name in wanted}, wanted)
        vocabulary = len(set(self.text.read_text()))
        self.assertEqual((shown["vocab_size"], shown["tokenizer"]["vocab_size"]), (vocabulary, vocabulary))
        said = self.good("inspect", model)
        for part in ("1 layers, width 16 (MLP 64), 2 heads of size 8", f"vocabulary {vocabulary}, context 16 tokens",
                     f"{report['parameters']} parameters in F32", "cache 128 bytes per token in f32"):
            self.assertIn(part, said)
        (model / "tokenizer.json").unlink()
        self.assertIn("tokenizer: none", self.good("inspect", model))
        config = json.loads((model / "config.json").read_text())
        for type in ("mixtral", "gemma4"):
            (model / "config.json").write_text(json.dumps({**config, "model_type": type}))
            refused = self.json("inspect", model)["language_model"]["refused"]
            self.assertIn(f'model_type is "{type}"', refused)
            self.assertRegex(refused, r"\bgemma3_text, .*\bgemma3\b(?!_)")
            self.assertIn("language model, refused: ", self.good("inspect", model))

    @unittest.skipUnless(DATA.is_dir(), f"needs {DATA}")
    def test_files_of_llama2c(self):
        for path in (DATA / "stories260K.bin", DATA / "hf"):
            shown = self.json("inspect", path)["language_model"]
            self.assertEqual((shown["model_type"], shown["layers"], shown["heads"], shown["key_value_heads"]), ("llama", 5, 8, 4))
            self.assertEqual(shown["cache_bytes_per_token"], 5 * 2 * 4 * 8 * 4)
            self.assertIn("8 heads of size 8 (4 of keys and values)", self.good("inspect", path))
        shown = self.json("inspect", DATA / "tok512.bin")
        self.assertEqual((shown["kind"], shown["model"], shown["vocab_size"]), ("tokenizer", "BPE", 512))
        self.assertIn("BPE tokenizer, 512 tokens", self.good("inspect", DATA / "tok512.bin"))
        whole = (DATA / "tok512.bin").read_bytes()
        self.refused(1, "inspect", self.write("cut.bin", whole[:-3]), mentions="cut.bin: this is not a model of llama2.c")

    def test_a_folder_without_weights(self):
        model, _ = self.train("m", "--steps", "2", save_every=0)
        (model / "model.safetensors").unlink()
        shutil.rmtree(model / "checkpoints", ignore_errors=True)
        sought = ("no weights in the folder", "model.safetensors.index.json", ".gguf", "pytorch_model*.bin")
        self.refused(1, "inspect", model, mentions=sought)
        answer = run("inspect", model, "--json")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("model.safetensors: no such file", json.loads(answer.stdout)["language_model"]["refused"])
        empty = self.folder / "empty"
        empty.mkdir()
        self.refused(1, "inspect", empty, mentions=sought[1:])

    def test_long_json_files_of_a_folder_are_not_shown(self):
        model, _ = self.train("m", "--steps", "2")
        (model / "long.json").write_text(json.dumps(list(range(9000))))
        self.assertRegex(self.good("inspect", model), r"long.json: JSON of \d+ bytes")
        self.assertIn("\n  8999\n", self.good("inspect", model / "long.json"))

    def test_json_lines(self):
        model, _ = self.train("m", "--steps", "2")
        shown = self.json("inspect", model / "log.jsonl")
        lines = [json.loads(line) for line in (model / "log.jsonl").read_text().splitlines()]
        self.assertEqual((shown["kind"], shown["lines"], shown["last"]), ("jsonl", len(lines), lines[-1]))
        self.assertEqual(set(shown["fields"]), {name for line in lines for name in line})
        self.assertIn(f"JSON Lines, {len(lines)} lines; fields: [", self.good("inspect", model / "log.jsonl"))
        self.refused(1, "inspect", self.write("bad.jsonl", b'{"a": 1}\n\n{"b": 2'), mentions="bad.jsonl: line 3: ")

    def test_a_folder_with_a_missing_shard(self):
        model, _ = self.train("m", "--steps", "2")
        (model / "model.safetensors").rename(model / "model-1.safetensors")
        names = [t["name"] for t in self.json("inspect", model / "model-1.safetensors")["tensors"]]
        index = {"weight_map": {name: "model-1.safetensors" for name in names} | {"more": "model-2.safetensors"}}
        (model / "model.safetensors.index.json").write_text(json.dumps(index))
        answer = run("inspect", model, "--json")
        self.assertEqual(answer.returncode, 1)
        shown = json.loads(answer.stdout)
        self.assertEqual(shown["missing"], [str(model / "model-2.safetensors")])
        self.assertIn("model-1.safetensors", "".join(f["file"] for f in shown["files"]))
        self.assertIn("model-2.safetensors", json.loads(answer.stderr)["error"]["message"])
        self.refused(1, "inspect", model, mentions=("model-2.safetensors", "missing"))
        self.assertIn(names[0], run("inspect", model).stdout)

    def test_weights_of_pytorch_in_a_folder(self):
        model, _ = self.train("m", "--model", "gpt2", "--steps", "2")
        (model / "model.safetensors").unlink()
        (model / "pytorch_model.bin").write_bytes(b"PK\x03\x04")
        for command, *words in (("generate", "--prompt", "the"), ("perplexity", "--file", self.text)):
            self.refused(1, command, model, *words, mentions=("no model.safetensors", "gyre.save(gyre.load("))
        (model / "pytorch_model.bin").rename(model / "pytorch_model.bin.index.json")
        self.refused(1, "generate", model, mentions=("no model.safetensors", "shards of pytorch_model.bin"))

    def test_arrays_of_numpy(self):
        self.write("tokens.json", json.dumps({"input_ids": [[1, 2, 3]]}).encode())
        model, _ = self.train("m", "--steps", "2")
        for ending in ("npz", "npy"):
            out = self.folder / f"logits.{ending}"
            self.good("logits", model, "--tokens", self.folder / "tokens.json", "--out", out)
            shown = self.json("inspect", out)
            self.assertEqual(shown["kind"], ending)
            [tensor] = shown["tensors"]
            self.assertEqual((tensor["name"], tensor["dtype"], tensor["shape"][:2]),
                             ("logits" if ending == "npz" else "", "F32", [1, 3]))
            self.assertIn("[1,3,", self.good("inspect", out))
            whole = out.read_bytes()
            for cut in (b"", whole[:30], whole[:-9]):
                out.write_bytes(cut)
                self.refused(1, "inspect", out, mentions=f"logits.{ending}")
        self.refused(1, "inspect", self.zip_of_text(), mentions="expected arrays of NumPy, found note.txt")

    def zip_of_text(self):
        path = self.folder / "other.npz"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("note.txt", "no array")
        return path


if __name__ == "__main__":
    unittest.main()
