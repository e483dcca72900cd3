"""`gyre compress` and `gyre perplexity`: what they write and print, and what they refuse."""

import json
import shutil
import unittest

from command import CommandTest


class Compress(CommandTest):
    def setUp(self):
        super().setUp()
        self.model, _ = self.train("m", width=64, steps=30)

    def compress(self, *options):
        return json.loads(self.good("compress", self.model, *options, "--json"))

    def perplexity(self, model, *options):
        return json.loads(self.good("perplexity", model, "--file", self.text, *options, "--json"))

    def test_a_packed_model_is_small_and_serves_every_command(self):
        dense = self.perplexity(self.model)
        before = {path.name: path.read_bytes() for path in self.model.iterdir() if path.is_file()}
        for bits, form in enumerate(("D1", "D2", "D3", "D4"), 1):
            out = self.folder / form
            report = self.compress("--format", form, "--out", out)
            self.assertEqual(report["bytes"], (out / "model.safetensors").stat().st_size)
            packed = [t for t in report["tensors"] if t["format"] == form]
            self.assertTrue(packed)
            for tensor in packed:
                self.assertLess(8 * tensor["bytes"] / tensor["weights"], 1.4 * bits + .3)
                self.assertTrue(0 < tensor["error"] < .7)
            self.assertEqual({path.name for path in out.iterdir()}, {"config.json", "model.safetensors", "tokenizer.json"})
            self.assertEqual(self.perplexity(out)["tokens"], dense["tokens"])
            self.assertTrue(self.good("generate", out, "--prompt", "the", "--max-tokens", "5").startswith("the"))
            shown = json.loads(self.good("inspect", out, "--json"))
            file = next(f for f in shown["files"] if f["kind"] == "safetensors")
            self.assertEqual({t["name"] for t in file["tensors"] if t["dtype"] == form}, {t["name"] for t in packed})
            self.assertEqual(file["parameters"], sum(t["weights"] for t in report["tensors"]))
        self.assertLess(self.perplexity(self.folder / "D4")["perplexity"], 1.2 * dense["perplexity"])
        self.assertEqual(before, {path.name: path.read_bytes() for path in self.model.iterdir() if path.is_file()})

    def test_the_same_words_on_any_number_of_threads(self):
        files = set()
        for threads in ("1", "2", "7"):
            out = self.folder / f"t{threads}"
            self.good("compress", self.model, "--out", out, env={"GYRE_THREADS": threads})
            files.add((out / "model.safetensors").read_bytes())
        self.assertEqual(len(files), 1)

    def test_refuses_what_it_cannot_do(self):
        out = self.folder / "small"
        self.refused(2, "compress", self.model, mentions="--out DIR is missing")
        self.refused(2, "compress", self.model, "--format", "D9", "--out", out, mentions="D9")
        self.refused(1, "compress", self.folder / "nothere", "--out", out)
        self.refused(2, "compress", self.model, "--out", self.model, mentions="is not empty")
        self.good("compress", self.model, "--out", out)
        self.refused(1, "compress", out, "--out", self.folder / "again", mentions="packed already")
        self.refused(2, "perplexity", out, mentions="--file FILE is missing")
        self.refused(1, "perplexity", out, "--file", self.folder / "nothere.txt")
        self.refused(2, "perplexity", out, "--file", self.text, "--stride", "9999", mentions="stride")
        config = json.loads((out / "config.json").read_text())
        config["quantization_config"] = {"quant_method": "awq"}
        (out / "config.json").write_text(json.dumps(config))
        self.refused(1, "generate", out, mentions="awq")

    def test_a_damaged_file_is_refused(self):
        out = self.folder / "small"
        self.good("compress", self.model, "--out", out)
        whole = (out / "model.safetensors").read_bytes()
        for damaged in (whole[:-16], whole[:len(whole) // 2], whole.replace(b'"gyre.packed"', b'"gyre.packet"')):
            (out / "model.safetensors").write_bytes(damaged)
            self.refused(1, "generate", out, "--max-tokens", "2")
        shutil.rmtree(out)


if __name__ == "__main__":
    unittest.main()
