"""Precompiled character maps of tokenizer.json, which replace what users perceive as characters (Unicode's Annex 29): texts
normalized as `tokenizers` does, of Hangul, emoji, flags, marks, conjuncts and other characters."""

import io
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

try:
    import sentencepiece
    import tokenizers
except ImportError:
    tokenizers = None

BINARY = os.environ["GYRE_BINARY"]
STRINGS = int(os.environ.get("GYRE_TOKENIZER_STRINGS", "20000"))
LETTERS = (
    [chr(code) for code in range(0x1100, 0x1200)] + list("가각\uac01\ua960\ud7b0\ud7cb"),
    list("👩👨👧❤©®☺✈\u200d\ufe0f\U0001f3fd\U0001f3fb\u20e3"),
    [chr(0x1F1E6 + i) for i in range(26)],
    list("\u0301\u0308\u0323\u0489\u05b0\u064b\u0e33\u0e31\u200c\u034f"),
    list("\u0915\u0937\u093f\u094d\u093c\u0995\u09cd\u0a95\u0acd\u0b15\u0b4d\u0c15\u0c4d\u0d15\u0d4d\u0bb8\u0bcd\u0bbf"
         "\u1000\u1039\u1780\u17d2\u1b05\u1b44\u200d\u200c"),
    list("\u0600\u0605\u06dd\u070f\u08e2\u0d4e\U000110bd"),
    list("abcé \t\r\n\0\u00ad\u200b\u2028\ufeff"),
)
# What the map replaces: if a cluster of less than six bytes begins with one of them, all of it is replaced.
MAPPED = ["a", "b", "é", "\r", "\n", "\u0301", "\u0915", "\u0937", "\u094d", "한", "\u1100", "\u1161", "©", "®", "❤", "\u0600",
          "\u0bbf", "\u200d", "\U0001f1eb", "\u0e33", "a\u0301", "\u00ad", "\u1000"]


def fields(message):
    """Numbers and contents of the fields of a Protocol Buffers message."""
    at = 0

    def integer():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        number, kind = divmod(integer(), 8)
        size = {1: 8, 2: None, 5: 4}.get(kind, 0)
        if kind == 0:
            yield number, integer()
            continue
        size = integer() if size is None else size
        yield number, message[at:at + size]
        at += size


def compiled(pairs, folder):
    """A map as SentencePiece compiles it, from the model that has it."""
    rules, model = folder / "rules.tsv", io.BytesIO()
    codes = lambda text: " ".join(f"{ord(c):X}" for c in text)  # noqa: E731
    rules.write_text("".join(f"{codes(a)}\t{codes(b)}\n" for a, b in pairs))
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(["ab cd ef"] * 20), model_writer=model, vocab_size=20, hard_vocab_limit=False, minloglevel=2,
        normalization_rule_tsv=str(rules))
    normalizer = dict(fields(model.getvalue()))[3]
    return dict(fields(normalizer))[2]


def random_text(draw):
    parts = []
    for _ in range(draw.randint(1, 14)):
        kind = draw.random()
        if kind < 0.75:
            parts.append(draw.choice(draw.choice(LETTERS)))
        elif kind < 0.9:
            parts.append(draw.choice(MAPPED))
        else:
            code = draw.choice((draw.randrange(0x20, 0x3000), draw.randrange(0xA000, 0xAC00), draw.randrange(0x10000, 0x1FA00)))
            parts.append(chr(code))
    return "".join(parts)


@unittest.skipUnless(tokenizers, "sentencepiece or tokenizers is not installed; scripts/test --with-torch installs them")
class PrecompiledMaps(unittest.TestCase):
    def test_texts_are_normalized_as_by_tokenizers(self):
        with tempfile.TemporaryDirectory() as holder:
            folder = pathlib.Path(holder)
            made = compiled([(text, chr(ord("A") + i) * (i % 3)) for i, text in enumerate(MAPPED)], folder)
            theirs = tokenizers.normalizers.Precompiled(made)
            draw = random.Random(0)
            texts = [random_text(draw) for _ in range(STRINGS)]
            wanted = [theirs.normalize_str(text) for text in texts]
            self.assertGreater(sum(a != b for a, b in zip(texts, wanted)), STRINGS // 2)
            letters = sorted({letter for text in wanted for letter in text})
            ids = {letter: i for i, letter in enumerate(letters)}
            model = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=ids, merges=[]))
            model.normalizer, model.decoder = theirs, tokenizers.decoders.Fuse()
            model.save(str(folder / "tokenizer.json"))
            (folder / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
            answer = subprocess.run([BINARY, "tokenize", folder / "tokenizer.json", "--jsonl", folder / "texts.jsonl", "--json"],
                                    capture_output=True, text=True, timeout=600)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            found = ["".join(letters[i] for i in json.loads(line)["ids"]) for line in answer.stdout.split("\n") if line]
            wrong = [(ascii(a), ascii(b), ascii(c)) for a, b, c in zip(texts, found, wanted, strict=True) if b != c]
            self.assertEqual((len(wrong), wrong[:3]), (0, []))


if __name__ == "__main__":
    unittest.main()
