"""`tokenizer.model` of SentencePiece: ids and texts of models that its own package trains, on random and real strings."""

import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import unittest

try:
    import sentencepiece
except ImportError:
    sentencepiece = None
try:
    import transformers
except ImportError:
    transformers = None

BINARY = os.environ["GYRE_BINARY"]
PROSE = pathlib.Path(__file__).resolve().parents[3] / "LICENSE"  # a text that does not change, so that runs are the same
LETTERS = ("abcdefghijklmnopqrstuvwxyz     ,.'\n\tABC0123", "àéüßñçøå½ﬁﬀ①²™\u00a0\u3000\u200b\u00ad", "дежзийклмн", "日本語の文字を分割する一二三",
           "가각한국어", "ｶﾞﾊﾟＡｂ１％", "هذا نص", "e\u0301a\u0308o\u0302\u0323n\u0303", "😀👩‍👩‍👧🇫🇷👍🏽", "▁<>s/", "\x00\x01\x7f\u2028\ufeff")
COUNT = 12000
CLASSES = {"T5Tokenizer": "t5", "BigBirdTokenizer": "big_bird"}
CHANGING = {"AlbertTokenizer": "albert", "XLNetTokenizer": "xlnet", "SiglipTokenizer": "siglip"}  # they change texts before
SETTINGS = {
    "unigram": {"model_type": "unigram"},
    "unigram_bytes": {"model_type": "unigram", "byte_fallback": True, "character_coverage": 0.98},
    "unigram_identity": {"model_type": "unigram", "normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    "unigram_nfkc_cf": {"model_type": "unigram", "normalization_rule_name": "nfkc_cf", "add_dummy_prefix": False},
    "unigram_symbols": {"model_type": "unigram", "user_defined_symbols": ["<sep>", "the", "  "], "control_symbols": ["<ctrl>"]},
    "unigram_suffix": {"model_type": "unigram", "treat_whitespace_as_suffix": True},
    "bpe": {"model_type": "bpe"},
    "bpe_llama": {"model_type": "bpe", "byte_fallback": True, "normalization_rule_name": "identity",
                  "remove_extra_whitespaces": False, "split_digits": True, "allow_whitespace_only_pieces": True,
                  "character_coverage": 0.98},
    "bpe_nfkc": {"model_type": "bpe", "normalization_rule_name": "nfkc", "byte_fallback": True},
    "bpe_symbols": {"model_type": "bpe", "user_defined_symbols": ["<sep>", "th", "\n"], "control_symbols": ["<ctrl>"],
                    "normalization_rule_name": "identity"},
    "bpe_plain": {"model_type": "bpe", "add_dummy_prefix": False, "remove_extra_whitespaces": False},
}


def strings():
    """Random strings of mixed scripts, lines of real text, and repeated letters."""
    draw, real = random.Random(0), PROSE.read_text().splitlines()
    made = ["", " ", "   ", "\n", "▁", "<s>", "</s> x", "<unk>", "<0x41>", "<ctrl> a", "<sep><sep> the  <sep>", "a" * 50, "aaa aaaa" * 9,
            "others are thers"]
    while len(made) < COUNT:
        kind = draw.randrange(4)
        if kind == 0:
            made.append(draw.choice(real)[draw.randrange(8):])
        elif kind == 1:
            made.append("".join(draw.choice(draw.choice(LETTERS)) for _ in range(draw.randrange(1, 40))))
        elif kind == 2:
            letters = draw.choice(LETTERS)
            made.append("".join(draw.choice(letters) * draw.randrange(1, 5) for _ in range(draw.randrange(1, 15))))
        else:
            made.append(" ".join(draw.choice(real)[:draw.randrange(20)] + draw.choice(draw.choice(LETTERS)) for _ in range(3)))
    return made


@unittest.skipUnless(sentencepiece, "sentencepiece is not installed; scripts/test --with-torch installs it")
class SentencePiece(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="gyre-sentence-piece-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.strings = strings()
        (cls.folder / "strings.jsonl").write_text("".join(json.dumps(one) + "\n" for one in cls.strings))

    def command(self, *words):
        return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=300)

    def lines(self, *words):
        answer = self.command(*words, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return [json.loads(line) for line in answer.stdout.split("\n") if line]

    def trained(self, name):
        options = {"vocab_size": 900, "hard_vocab_limit": False, "minloglevel": 2, "num_threads": 1, **SETTINGS[name]}
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(self.strings[20:3000]), model_writer=model, **options)
        path = self.folder / f"{name}.model"
        path.write_bytes(model.getvalue())
        return path, sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())

    def test_ids_and_texts(self):
        for name in SETTINGS:
            with self.subTest(name):
                path, theirs = self.trained(name)
                wanted = [theirs.encode(one) for one in self.strings]
                found = self.lines("tokenize", path, "--jsonl", self.folder / "strings.jsonl")
                wrong = [(text, a["ids"], b) for text, a, b in zip(self.strings, found, wanted) if a["ids"] != b]
                self.assertEqual((len(found), len(wrong), wrong[:3]), (len(wanted), 0, []))
                known = [ids for ids in wanted if theirs.unk_id() not in ids]
                self.assertGreater(len(known), 2000)
                (self.folder / "ids.jsonl").write_text("".join(json.dumps({"ids": ids}) + "\n" for ids in known))
                texts = self.lines("tokenize", path, "--jsonl", self.folder / "ids.jsonl")
                wrong = [(ids, a["text"], theirs.decode(ids)) for ids, a in zip(known, texts) if a["text"] != theirs.decode(ids)]
                self.assertEqual((len(texts), len(wrong), wrong[:3]), (len(known), 0, []))

    @unittest.skipUnless(transformers, "transformers is not installed; scripts/test --with-torch installs it")
    def test_classes_of_transformers(self):
        """Folders with spiece.model: what a class adds to inputs, named by tokenizer_config.json or by the model's type."""
        model, folder = io.BytesIO(), self.folder / "class"
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(self.strings[20:3000]), model_writer=model, model_type="unigram", vocab_size=900,
            hard_vocab_limit=False, minloglevel=2, num_threads=1, control_symbols=["<pad>", "[CLS]", "[SEP]", "[MASK]"])
        folder.mkdir()
        (folder / "spiece.model").write_bytes(model.getvalue())
        lines = [line for line in PROSE.read_text().splitlines() if line.strip()]
        lines += ["the <extra_id_0> of <extra_id_99>.", "work<extra_id_7>s <extra_id_7>"]
        (folder / "lines.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        for name, kind in (CLASSES | CHANGING).items():
            wanted = None
            for file, content in (("tokenizer_config.json", {"tokenizer_class": name}), ("config.json", {"model_type": kind})):
                with self.subTest(name, file=file):
                    for other in ("tokenizer_config.json", "config.json"):
                        (folder / other).unlink(missing_ok=True)
                    words = ("tokenize", folder, "--jsonl", folder / "lines.jsonl", "--add-special-tokens")
                    if wanted is None:
                        theirs = getattr(transformers, name).from_pretrained(folder)
                        wanted = [theirs(line)["input_ids"] for line in lines]
                    (folder / file).write_text(json.dumps(content))
                    if name in CHANGING:
                        answer = self.command(*words)
                        self.assertEqual(answer.returncode, 1, answer.stdout)
                        self.assertIn(f"{file}: {' is '.join(*content.items())}: its tokenizer removes", answer.stderr)
                    else:
                        self.assertEqual([one["ids"] for one in self.lines(*words)], wanted)


if __name__ == "__main__":
    unittest.main()
