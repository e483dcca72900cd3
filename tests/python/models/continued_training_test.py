"""`gyre train --init` trains models of others further: in each architecture the loss falls, a run that was stopped and
resumed gives the bytes of one that was not, and transformers opens the result with equal logits.

To run it alone: `python3 tests/python/models/continued_training_test.py` with the command in GYRE_BINARY (default:
build/release/bin/gyre).
"""

import json
import os
import pathlib
import string
import subprocess
import tempfile
import unittest

from common import gyre, needs_packages

try:
    import torch
    import transformers

    from language_models_test import VARIANTS, made
except ImportError:
    transformers = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("GYRE_BINARY", ROOT / "build/release/bin/gyre")).resolve()
TEXT = "the quick brown fox jumps over the lazy dog. "
LETTERS = string.printable[:95] + "\n"
DATA = pathlib.Path(os.environ.get("GYRE_TEST_DATA") or "/nonexistent")
STORIES = DATA / "models/stories260K"


def setUpModule():
    needs_packages()


@unittest.skipUnless(transformers, "transformers is not installed; scripts/test --with-torch installs it")
class ContinuedTraining(unittest.TestCase):
    def setUp(self):
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.text = self.folder / "text.txt"
        self.text.write_text(TEXT * 60)

    def train(self, out, *words):
        answer = subprocess.run([BINARY, "train", *map(str, words), "--out", out, "--json"],
                                capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return json.loads(answer.stdout.splitlines()[-1])

    def goes_on(self, init, steps, *words):
        """Trains on from `init`, at once and in two parts."""
        words = (self.text, "--init", init, "--batch-size", 4, "--steps", steps, "--lr", 3e-3, "--eval-batches", 2, *words)
        whole, parts = (self.folder / f"{init.name} {part}" for part in ("whole", "parts"))
        report = self.train(whole, *words)
        self.assertLess(report["val_loss"], 0.9 * report["initial_loss"])
        self.train(parts, *words, "--stop-at", steps // 2)
        self.train(parts, "--resume")
        for name in ("model.safetensors", "config.json", "tokenizer.json"):
            self.assertEqual((whole / name).read_bytes(), (parts / name).read_bytes(), name)
        model = transformers.AutoModelForCausalLM.from_pretrained(whole, attn_implementation="eager").eval()
        trained = gyre.LanguageModel(whole)
        ids = trained.ids(TEXT)
        with torch.no_grad():
            wanted = model(torch.tensor([ids])).logits[0].double()
        found = torch.from_numpy(trained.logits(TEXT).double().numpy())
        self.assertLessEqual((found - wanted).abs().max().item(), 1e-4 * wanted.abs().max().item())

    def test_each_architecture(self):
        for kind, variants in VARIANTS.items():
            with self.subTest(kind):
                torch.manual_seed(0)
                init = self.folder / kind
                made(kind, {**variants[0], "vocab_size": 99, "rms_norm_eps": 1e-3}).save_pretrained(init)
                gyre.Tokenizer.characters(LETTERS).save(str(init / "tokenizer.json"))
                self.goes_on(init, 8)

    def test_gpt2(self):
        torch.manual_seed(0)
        init = self.folder / "gpt2"
        config = transformers.GPT2Config(vocab_size=99, n_positions=64, n_embd=32, n_layer=2, n_head=4)
        transformers.GPT2LMHeadModel(config).save_pretrained(init)
        gyre.Tokenizer.characters(LETTERS).save(str(init / "tokenizer.json"))
        self.goes_on(init, 16)

    @unittest.skipUnless(STORIES.is_dir(), "GYRE_TEST_DATA does not name the folder of test data")
    def test_a_model_of_stories(self):
        tokens = ("--tokenizer", STORIES / "stories260K.bin")  # the folder has no tokenizer
        self.goes_on(STORIES / "hf", 10, "--sequence-length", 64, *tokens)
        self.goes_on(STORIES / "stories260K.bin", 10, "--sequence-length", 64)


if __name__ == "__main__":
    unittest.main()
