"""`gyre demo`: shows definitions and scores, and fails if the model does not beat the bigram model."""

import html.parser
import json
import pathlib
import re
import unittest

from command import CommandTest

WORDNET = pathlib.Path("/usr/share/wordnet/data.noun")

EMPTY = {"meta", "line", "polyline", "rect", "path"}  # void or self-closing elements


class Page(html.parser.HTMLParser):
    """The text, titles, quotations and links of a page; checks that its elements are properly nested."""

    def __init__(self, text):
        super().__init__()
        self.open, self.titles, self.links, self.tags, self.words = [], [], [], [], []
        self.quotes = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in EMPTY:
            self.open.append(tag)
        if tag == "blockquote":
            self.quotes.append("")

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if tag not in EMPTY and self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes another element")

    def handle_data(self, data):
        self.words.append(data)
        if self.open[-1:] == ["h2"]:
            self.titles.append(data)
        if "blockquote" in self.open:
            self.quotes[-1] += data

    def text(self):
        return " ".join(" ".join(self.words).split())


@unittest.skipUnless(WORDNET.is_file(), f"{WORDNET} not found (package wordnet-base)")
class Demo(CommandTest):
    def test_beats_the_bigram(self):
        report = self.json("demo", "--out", self.folder / "demo", "--steps", "90", "--samples", "2", timeout=300)
        self.assertLess(report["val_bits_per_byte"], report["bigram"])
        self.assertLess(report["bigram"], report["unigram"])
        self.assertLess(report["order_5"], report["bigram"])
        self.assertEqual(report["tokens"] % report["steps"], 0)
        self.assertEqual(len(report["definitions"]), 2)
        if report["xz"] is not None:
            self.assertLess(report["xz_after_training_text"], report["xz"])
        self.assertTrue((self.folder / "demo/model/model.safetensors").is_file())
        packed = report["packed"]
        file = pathlib.Path(packed["folder"]) / "model.safetensors"
        self.assertEqual((packed["format"], packed["bytes"]), ("D4", file.stat().st_size))
        self.assertLess(7 * packed["bytes"], packed["bytes_f32"])
        self.assertLess(packed["perplexity"], 1.05 * packed["perplexity_f32"])
        self.assertEqual(packed["definition_f32"], report["definitions"][0])
        self.assertLess(report["mammals"]["disk"]["mean_rank"], 3)
        self.assertLess(10 * report["mammals"]["disk"]["mean_rank"], report["mammals"]["plane"]["mean_rank"])
        nouns = report["nouns"]
        self.assertEqual(nouns["pairs"], 743241)
        self.assertIn("mammal.n.01", nouns["hypernyms"])
        self.assertIn('Is("dog.n.01", "domestic_animal.n.01")', nouns["proof"])
        self.assertTrue(pathlib.Path(nouns["program"]).is_file())
        self.check_page(report)

    def check_page(self, report):
        """The report contains all results of the demo and is self-contained."""
        self.assertEqual(report["report"], str(self.folder / "demo/report.html"))
        source = pathlib.Path(report["report"]).read_text(encoding="utf-8")
        page = Page(source)
        self.assertEqual(page.open, [])
        self.assertNotIn("script", page.tags)
        self.assertFalse(re.search(r"url\(|@import|\bsrc=", source))
        for link in page.links:
            self.assertTrue((self.folder / "demo" / link).is_file(), link)
        self.assertGreater(len(page.links), 3)
        for name in ("unigram", "bigram", "order_5", "xz", "xz_after_training_text", "val_bits_per_byte"):
            if report[name] is not None:
                self.assertIn(f"{report[name]:.3f}", page.text())
        packed = report["packed"]
        self.assertEqual(page.quotes, [*report["definitions"], packed["definition_f32"], packed["definition"]])
        for name in ("perplexity", "perplexity_f32"):
            self.assertIn(f"{packed[name]:.2f}", page.text())
        lines = [json.loads(line) for line in (self.folder / "demo/model/log.jsonl").read_text().splitlines()]
        last = [line["val_loss"] for line in lines if "val_loss" in line][-1]
        self.assertIn(f"{last:.4f}", page.text())
        self.assertEqual(page.tags.count("svg"), 5 + len(report["mammals"]))
        for place in report["mammals"].values():
            self.assertIn(f"{place['mean_rank']:.3f}", page.text())
            self.assertIn(f"{place['map']:.3f}", page.text())
        for title in ("Figures", "The same model with packed weights", "Mammals in two dimensions", "Curves", "Options", "Machine", "Files"):
            self.assertIn(title, page.titles)
        for option in ("tokenizer", "width", "weight_decay", "seed"):
            self.assertIn(option, page.text())

    def test_untrained_model_fails(self):
        out = self.folder / "demo"
        (out / "trial").mkdir(parents=True)
        others = [self.write(out / name, b"mine") for name in ("trial/treasure", "training.txt", "part.txt")]
        self.refused(1, "demo", "--out", out, "--minutes", "0.001", "--samples", "0", mentions="xz -9", timeout=300)
        for other in others:
            self.assertEqual(other.read_bytes(), b"mine")
        self.assertFalse(list((out / "model").glob("*.txt")))

    def test_foreign_folder_is_not_overwritten(self):
        for place in ("model", "mammals/disk", "mammals/plane"):
            out = self.folder / place.replace("/", "-")
            (out / place).mkdir(parents=True)
            treasure = self.write(out / place / "treasure", b"mine")
            self.refused(2, "demo", "--out", out, "--steps", "1", mentions="--out")
            self.assertEqual(treasure.read_bytes(), b"mine")

    def test_invalid_options(self):
        for option, value in (("--minutes", "0"), ("--minutes", "nan"), ("--steps", "-1"), ("--samples", "-2")):
            self.refused(2, "demo", option, value, mentions=option)


if __name__ == "__main__":
    unittest.main()
