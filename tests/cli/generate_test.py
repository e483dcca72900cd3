"""`gyre generate`, `gyre perplexity` and `gyre logits`: fields of the JSON, settings of the model, tokenizers, interrupts."""

import json
import os
import pathlib
import re
import signal
import time
import unittest
import zipfile

from command import CommandTest, run, start

DATA = pathlib.Path(os.environ.get("GYRE_TEST_DATA", "tests/data")) / "models/stories260K"


def catches_interrupts(process):
    """Whether a process has a handler of SIGINT."""
    caught = re.search(r"SigCgt:\s*(\w+)", pathlib.Path(f"/proc/{process}/status").read_text())[1]
    return int(caught, 16) >> (signal.SIGINT - 1) & 1


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

    def interrupted(self, *words, until=None):
        process = start(*words)
        first = process.stdout.read(until) if until else b""
        while not until and not catches_interrupts(process.pid):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        rest, complaint = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, complaint)
        return first + rest, complaint.decode()

    def test_interrupts_end_a_process_whose_output_nobody_reads(self):
        process = start("generate", self.model, "--prompt", "the", "--max-tokens", "100000000")
        self.addCleanup(process.kill)
        process.stdout.read(10)
        written = 0
        while written != (written := int(re.search(r"wchar: (\d+)", pathlib.Path(f"/proc/{process.pid}/io").read_text())[1])):
            time.sleep(0.5)  # until the pipe is full
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        process.communicate()

    def test_interrupts_are_told(self):
        endless = ("generate", self.model, "--prompt", "the", "--max-tokens", "100000000")
        text, complaint = self.interrupted(*endless, until=10)
        self.assertTrue(text.startswith(b"the") and text.endswith(b"\n"), text[-20:])
        self.assertEqual(complaint, "gyre: interrupted\n")
        text, complaint = self.interrupted(*endless, "--json")
        self.assertEqual(text, b"")
        self.assertEqual(json.loads(complaint)["error"]["code"], "interrupted")
        long = self.write("long.txt", b"the quick brown fox jumps over the lazy dog. " * 200000)
        self.assertEqual(self.interrupted("perplexity", self.model, "--file", long), (b"", "gyre: interrupted\n"))

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
