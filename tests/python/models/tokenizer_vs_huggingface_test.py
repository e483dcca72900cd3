"""A tokenizer trained by gyre loads in Hugging Face `tokenizers` and gives the same ids, and other
`tokenizer.json` files give the same ids in gyre.

To run it alone: `python3 tests/python/models/tokenizer_vs_huggingface_test.py` with the command in GYRE_BINARY
(default: build/release/bin/gyre).
"""

import hashlib
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

try:
    import tokenizers
except ImportError:
    tokenizers = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("GYRE_BINARY", ROOT / "build/release/bin/gyre")).resolve()
WORDNET = pathlib.Path("/usr/share/wordnet")
DATA = pathlib.Path(os.environ.get("GYRE_TEST_DATA") or ROOT / "tests/data")
LAST = 0x110000
SURROGATES = range(0xD800, 0xE000)


def gyre(*arguments):
    answer = subprocess.run([BINARY, *arguments], text=True, encoding="utf-8", capture_output=True)
    if answer.returncode:
        raise AssertionError(f"gyre {' '.join(map(str, arguments))}: {answer.stderr}")
    return answer.stdout


def glosses():
    """The gloss after `| ` in each line of a synset (lines of the licence begin with two spaces)."""
    found = []
    for part in ("noun", "verb", "adj", "adv"):
        for line in (WORDNET / f"data.{part}").read_text(encoding="utf-8").split("\n"):
            if not line.startswith("  ") and "| " in line:
                found.append(line.split("| ", 1)[1].strip())
    return found


def planes():
    """Every code point once, 997 per text."""
    for first in range(0, LAST, 997):
        yield "".join(chr(c) for c in range(first, min(first + 997, LAST)) if c not in SURROGATES)


def noise(count):
    """Texts that are hard to pre-tokenise: all kinds of spaces, apostrophes, mixed scripts."""
    draw = random.Random(1)
    pools = [[chr(c) for c in range(32, 127)] + list(" \n\t\r'") * 10,
             list(" '\u2019stdmrevl\u00a0\u2003\u3000\u0085\n") * 3 + list("ab1\u00b2\u00e9\u4e2d\U0001f999"),
             [chr(c) for c in range(0x20, 0x3000)]]
    for _ in range(count):
        pool = draw.choice(pools)
        yield "".join(draw.choice(pool) for _ in range(draw.randint(0, 40)))


def setUpModule():
    if tokenizers is None:
        raise unittest.SkipTest("tokenizers is not installed")


class SameIds(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def gyre_ids(self, tokenizer, texts):
        lines = self.path("texts.jsonl")
        lines.write_text("".join(json.dumps(text) + "\n" for text in texts), encoding="utf-8")
        answers = gyre("tokenize", tokenizer, "--jsonl", lines, "--json").split("\n")
        return [json.loads(answer)["ids"] for answer in answers if answer]

    def compare(self, tokenizer, texts, whole=True):
        """Equal ids, and Hugging Face's decoder restores the text."""
        other = tokenizers.Tokenizer.from_file(str(tokenizer))
        other.no_truncation()
        texts = list(texts)
        expected = [encoding.ids for encoding in other.encode_batch_fast(texts)]
        got = self.gyre_ids(tokenizer, texts)
        self.assertEqual(len(got), len(texts))
        for text, ours, theirs in zip(texts, got, expected):
            self.assertEqual(ours, theirs, repr(text[:80]))
            if whole:
                self.assertEqual(other.decode(ours, skip_special_tokens=False), text)
        return got

    def decode_by_gyre(self, tokenizer, ids):
        listed = ",".join(map(str, ids))
        return json.loads(gyre("tokenize", tokenizer, "--decode", "--ids", listed, "--json"))["text"]

    def train(self, name, texts, *options):
        source, target = self.path(f"{name}.txt"), self.path(f"{name}.json")
        source.write_text("\n".join(texts), encoding="utf-8")
        gyre("tokenize", "--train", source, *options, "--out", target)
        return target

    def test_trained_on_glosses(self):
        if not WORDNET.is_dir():
            self.skipTest(f"{WORDNET} is not there (package wordnet-base)")
        texts = glosses()
        tokenizer = self.train("glosses", texts, "--vocab-size", "4096")
        self.compare(tokenizer, random.Random(0).sample(texts, 10000))

    def test_every_plane_and_noise(self):
        words = ["the quick brown fox", "jumps over it's", "na\u00efve \u4e2d\u6587 \U0001f999"] * 50
        tokenizer = self.train("small", words, "--vocab-size", "320")
        texts = list(planes())
        ids = self.compare(tokenizer, texts)
        self.compare(tokenizer, noise(5000))
        for at in range(0, len(texts), 100):
            self.assertEqual(self.decode_by_gyre(tokenizer, ids[at]), texts[at])

    def test_gpt2(self):
        folder = DATA / "tokenizers/gpt2"
        if not folder.is_dir():
            self.skipTest(f"{folder} is not there; GYRE_TEST_DATA names the folder of such data")
        text = (DATA / "text/tinyshakespeare.txt").read_text(encoding="utf-8")
        ids = self.compare(folder / "tokenizer.json", [text])[0]
        known = json.loads((folder / "cases.json").read_text(encoding="utf-8"))["tinyshakespeare"]
        digest = hashlib.sha256(b"".join(i.to_bytes(2, "little") for i in ids)).hexdigest()
        self.assertEqual((len(ids), digest), (known["n_tokens"], known["sha256_u16le"]))
        self.compare(folder / "tokenizer.json", noise(5000))


if __name__ == "__main__":
    if tokenizers is None:
        print("skipped: tokenizers is not installed")
    else:
        unittest.main()
