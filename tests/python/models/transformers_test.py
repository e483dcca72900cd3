"""Hugging Face `transformers` loads GPT-2 folders written by `gyre train` and gives the same logits, in f32 and
bf16, and `tokenizers` their tokenizer.

To run it alone: `python3 tests/python/models/transformers_test.py` with the command in GYRE_BINARY (default:
build/release/bin/gyre).
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import torch
    import transformers
    from safetensors.torch import load_file
except ImportError:
    transformers = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("GYRE_BINARY", ROOT / "build/release/bin/gyre")).resolve()
TEXT = "the quick brown fox jumps over the lazy dog. " * 200


def gyre(*words):
    answer = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True)
    if answer.returncode:
        raise AssertionError(f"gyre {' '.join(map(str, words))}: {answer.stderr}")
    return answer.stdout


@unittest.skipUnless(transformers, "transformers is not installed; scripts/test --with-torch installs it")
class LoadedByTransformers(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        (self.folder / "text.txt").write_text(TEXT)

    def trained(self, *words):
        out = self.folder / "model"
        gyre("train", self.folder / "text.txt", "--out", out, "--model", "gpt2", "--tokenizer", "bpe:300", "--layers", "2",
             "--heads", "2", "--width", "32", "--block", "32", "--batch", "4", "--steps", "30", "--eval-batches", "2", *words)
        return out

    def same_logits(self, out, bound, dtype):
        ids = transformers.PreTrainedTokenizerFast(tokenizer_file=str(out / "tokenizer.json"))(TEXT[:300])["input_ids"]
        rows = [ids[:24], ids[24:48]]
        self.assertEqual(json.loads(gyre("tokenize", out / "tokenizer.json", TEXT[:300], "--json"))["ids"], ids)
        (self.folder / "ids.json").write_text(json.dumps({"input_ids": rows}))
        gyre("logits", out, "--tokens", self.folder / "ids.json", "--out", self.folder / "logits.safetensors")
        ours = load_file(self.folder / "logits.safetensors")["logits"]
        model = transformers.GPT2LMHeadModel.from_pretrained(out, dtype=dtype).eval()
        with torch.no_grad():
            theirs = model.double()(torch.tensor(rows)).logits
        self.assertEqual(ours.shape, theirs.shape)
        self.assertLessEqual((ours - theirs).abs().max().item(), bound * theirs.abs().max().item())

    def test_f32(self):
        self.same_logits(self.trained(), 1e-5, torch.float32)

    def test_without_biases_and_another_activation(self):
        self.same_logits(self.trained("--no-bias", "--activation", "relu"), 1e-5, torch.float32)

    def test_bf16(self):
        self.same_logits(self.trained("--dtype", "bf16"), 0.05, torch.bfloat16)

    def test_refused(self):
        out = self.trained()
        for content in ({"input_ids": [[1], [1, 2]]}, {"input_ids": []}, {"ids": [[1]]}, {"input_ids": [[100000]]},
                        {"input_ids": [[1, 2]], "attention_mask": [[0, 0]]},
                        {"input_ids": [[1, 2]], "attention_mask": [[2, 1]]},
                        {"input_ids": [[1, 2]], "attention_mask": [[1]]}, {"input_ids": [[1]], "attention_mask": []}):
            (self.folder / "ids.json").write_text(json.dumps(content))
            with self.assertRaises(AssertionError):
                gyre("logits", out, "--tokens", self.folder / "ids.json", "--out", self.folder / "l.safetensors")
            self.assertFalse((self.folder / "l.safetensors").exists())


if __name__ == "__main__":
    unittest.main()
