"""Folders with packed weights in `transformers`: it refuses their models, whose weights it cannot read, and opens their
tokenizers with special tokens and chat template, as it does those of `gyre train --init`.

To run it alone: `python3 tests/python/models/packed_folders_test.py` with the command in GYRE_BINARY (default:
build/release/bin/gyre).
"""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

try:
    import tokenizers
    import torch
    import transformers
except ImportError:
    transformers = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("GYRE_BINARY", ROOT / "build/release/bin/gyre")).resolve()
TEXT = "the quick brown fox jumps over the lazy dog. "
TEMPLATE = "{% for m in messages %}{{ m.role }}: {{ m.content }}</s>{% endfor %}"
MESSAGES = [{"role": "user", "content": "the fox"}, {"role": "assistant", "content": "jumps"}]
SIZES = {"vocab_size": 99, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4}


def run(*words):
    answer = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True)
    if answer.returncode:
        raise AssertionError(answer.stderr)
    return json.loads(answer.stdout.splitlines()[-1])


@unittest.skipUnless(transformers, "transformers is not installed; scripts/test --with-torch installs it")
class PackedFolders(unittest.TestCase):
    def setUp(self):
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        torch.manual_seed(0)

    def made(self, config):
        model = (transformers.BertModel if config.model_type == "bert" else transformers.AutoModelForCausalLM.from_config)(config)
        folder = self.folder / config.model_type
        model.save_pretrained(folder)
        return type(model), folder

    def gpt2(self):
        return self.made(transformers.GPT2Config(vocab_size=99, n_positions=64, n_embd=64, n_layer=2, n_head=4))

    def add_tokenizer(self, folder):
        """One of words, with a special token and a chat template."""
        words = ["<unk>", "</s>", *dict.fromkeys(TEXT.split()), "user", "assistant", ":"]
        model = tokenizers.Tokenizer(tokenizers.models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
        model.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=model, eos_token="</s>", unk_token="<unk>")
        tokenizer.chat_template = TEMPLATE
        tokenizer.save_pretrained(folder)
        return tokenizer

    def same_tokenizer(self, wanted, folder):
        found = transformers.AutoTokenizer.from_pretrained(folder)
        self.assertEqual(found.eos_token_id, wanted.eos_token_id)
        self.assertEqual(found(TEXT).input_ids, wanted(TEXT).input_ids)
        chat = [t.apply_chat_template(MESSAGES, tokenize=False) for t in (found, wanted)]
        self.assertEqual(*chat)
        self.assertIn("assistant: jumps</s>", chat[0])

    def test_transformers_refuses_their_models(self):
        configs = (transformers.GPT2Config(vocab_size=99, n_positions=64, n_embd=64, n_layer=2, n_head=4),
                   transformers.LlamaConfig(**SIZES), transformers.BertConfig(**SIZES))
        for config in configs:
            with self.subTest(config.model_type):
                model, folder = self.made(config)
                out = self.folder / f"{config.model_type} packed"
                run("compress", folder, "--out", out, "--json")
                for auto in (transformers.AutoModel, transformers.AutoModelForCausalLM, transformers.AutoConfig):
                    with self.assertRaisesRegex(ValueError, f"gyre_packed_{config.model_type}"):
                        auto.from_pretrained(out)
                with self.assertRaisesRegex(ValueError, "quantization config"):
                    model.from_pretrained(out)

    def test_gyre_opens_them_and_those_written_before(self):
        _, folder = self.gpt2()
        out = self.folder / "packed"
        run("compress", folder, "--out", out, "--json")
        generate = ("generate", out, "--ids", "1,2,3", "--max-tokens", 12, "--greedy", "--json")
        wanted = run(*generate)["ids"]
        config = json.loads((out / "config.json").read_text())
        config.update(model_type="gpt2", quantization_config={"quant_method": "gyre"})
        (out / "config.json").write_text(json.dumps(config))
        self.assertEqual(run(*generate)["ids"], wanted)

    def test_the_tokenizer_comes_along(self):
        _, folder = self.gpt2()
        tokenizer = self.add_tokenizer(folder)
        packed, trained, text = self.folder / "packed", self.folder / "trained", self.folder / "text"
        run("compress", folder, "--out", packed, "--json")
        self.same_tokenizer(tokenizer, packed)
        text.write_text(TEXT * 60)
        for init, out in ((folder, trained), (packed, self.folder / "trained further")):
            run("train", text, "--init", init, "--out", out, "--steps", 2, "--batch-size", 2, "--sequence-length", 16, "--json")
            self.same_tokenizer(tokenizer, out)
        transformers.AutoModelForCausalLM.from_pretrained(trained)
        with self.assertRaisesRegex(ValueError, "gyre_packed_gpt2"):
            transformers.AutoModelForCausalLM.from_pretrained(self.folder / "trained further")

    def test_a_tokenizer_that_gyre_cannot_read_comes_along(self):
        _, folder = self.gpt2()
        (folder / "tokenizer.json").write_text('{"model": {"type": "Other", "vocab": {}}}')
        out = self.folder / "packed"
        answer = run("compress", folder, "--out", out, "--json")
        self.assertIn("Other", answer["unread_tokenizer"])
        self.assertEqual((out / "tokenizer.json").read_text(), (folder / "tokenizer.json").read_text())
        shown = subprocess.run([BINARY, "compress", folder, "--out", self.folder / "again"], capture_output=True, text=True)
        self.assertIn("the tokenizer is copied, but gyre cannot read it: ", shown.stdout)


if __name__ == "__main__":
    unittest.main()
