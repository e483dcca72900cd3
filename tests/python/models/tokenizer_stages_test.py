"""Tokenizers of every model and stage, built with Hugging Face's `tokenizers`: `gyre tokenize` gives their ids and texts
on random Unicode strings."""

import collections
import json
import math
import os
import pathlib
import random
import subprocess
import tempfile
import unicodedata
import unittest

try:
    import tokenizers
    from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, processors
except ImportError:
    tokenizers = None

ROOT = pathlib.Path(__file__).resolve().parents[3]
BINARY = pathlib.Path(os.environ.get("GYRE_BINARY", ROOT / "build/release/bin/gyre")).resolve()
STRINGS = int(os.environ.get("GYRE_TOKENIZER_STRINGS", "200"))  # of each configuration
WORDS = ("the quick brown fox jumps over lazy dog I'm don't you've 12 345 3.14 naïve Ça été ÅÄÖ straße ИСТОРИЯ мир "
         "你好 世界 日本語 テスト ひらがな 한국어 مرحبا שלום Ⅷ ½ ﬁne ™ … — “quotes” e\u0301 a\u0308 \u200b \u200d 👩\u200d👩\u200d👧 🇩🇪 🎉 "
         "<s> </s> [CLS] [MASK] <pad> ▁ Ġ hello, world! (a) [b] {c} a-b c_d #tag @user x=1; http://a.b/c?d=e").split(" ")
SPACES = [" "] * 12 + ["  ", "\n", "\t", "\r\n", "\u00a0", "\u3000", " \n ", ""]
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")


def assigned(draw):
    """A character of Unicode 14; newer ones are split by the installed ICU's version of Unicode."""
    while True:
        code = draw.choice((draw.randint(0xA0, 0x2FFF), draw.randint(0x3000, 0xD7FF), draw.randint(0xE000, 0x1FFFF)))
        if unicodedata.category(chr(code)) != "Cn":
            return chr(code)


def random_text(draw):
    parts = []
    for _ in range(draw.randint(0, 12)):
        kind = draw.random()
        if kind < 0.75:
            parts.append(draw.choice(WORDS))
        elif kind < 0.9:
            parts.append("".join(chr(draw.randint(32, 126)) for _ in range(draw.randint(1, 6))))
        else:
            parts.append("".join(assigned(draw) for _ in range(draw.randint(1, 4))))
        parts.append(draw.choice(SPACES))
    return "".join(parts)


def corpus():
    draw = random.Random(1)
    return [random_text(draw) for _ in range(400)]


def trained(model, trainer, normalizer=None, pre_tokenizer=None, decoder=None, post=None, **more):
    made = tokenizers.Tokenizer(model)
    if normalizer:
        made.normalizer = normalizer
    if pre_tokenizer:
        made.pre_tokenizer = pre_tokenizer
    made.train_from_iterator(corpus(), trainer(**{"vocab_size": 400, "show_progress": False, **more}))
    if decoder:
        made.decoder = decoder
    if post:
        made.post_processor = post(made) if callable(post) else post
    return made


def bpe(normalizer=None, pre_tokenizer=None, decoder=None, post=None, trainer=None, **options):
    return trained(models.BPE(**options), tokenizers.trainers.BpeTrainer, normalizer, pre_tokenizer, decoder, post,
                   **(trainer or {}))


def word_piece(normalizer=None, pre_tokenizer=None, decoder=None, post=None, trainer=None, **options):
    return trained(models.WordPiece(unk_token="[UNK]", **options), tokenizers.trainers.WordPieceTrainer, normalizer,
                   pre_tokenizer, decoder, post,
                   **{"special_tokens": ["[UNK]", "[CLS]", "[SEP]", "[MASK]"], **(trainer or {})})


def unigram(normalizer=None, pre_tokenizer=None, decoder=None, post=None, byte_fallback=False):
    """Of the most frequent parts of words, with their log-probabilities."""
    count = collections.Counter(("▁" + word)[i:i + n].lower() for word in WORDS * 3 for n in range(1, 6)
                                for i in range(len(word) + 2 - n))
    pieces = [(piece, math.log(times / 3000)) for piece, times in count.most_common(300)]
    special = [("<unk>", 0.0), ("<s>", 0.0), ("</s>", 0.0)]
    if byte_fallback:
        special += [(f"<0x{i:02X}>", -20.0) for i in range(256)]
    made = tokenizers.Tokenizer(models.Unigram(special + pieces, 0, byte_fallback))
    made.add_special_tokens(["<unk>", "<s>", "</s>"])
    if normalizer:
        made.normalizer = normalizer
    if pre_tokenizer:
        made.pre_tokenizer = pre_tokenizer
    if decoder:
        made.decoder = decoder
    if post:
        made.post_processor = post
    return made


def word_level(normalizer=None, pre_tokenizer=None, decoder=None, post=None):
    return trained(models.WordLevel(unk_token="[UNK]"), tokenizers.trainers.WordLevelTrainer, normalizer, pre_tokenizer,
                   decoder, post, special_tokens=["[UNK]"])


def llama():
    """As SentencePiece's BPE with byte fallback is written."""
    made = bpe(None, pre_tokenizers.Metaspace(), trainer={"special_tokens": ["<unk>", "<s>", "</s>"] + [
        f"<0x{i:02X}>" for i in range(256)], "vocab_size": 800})
    content = json.loads(made.to_str())
    content["model"].update(byte_fallback=True, unk_token="<unk>", fuse_unk=True)
    content["added_tokens"] = content["added_tokens"][:3]
    made = tokenizers.Tokenizer.from_str(json.dumps(content))
    made.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    made.pre_tokenizer = None
    made.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(),
                                      decoders.Strip(" ", 1, 0)])
    made.post_processor = processors.TemplateProcessing(single="<s> $A", pair="<s> $A <s> $B", special_tokens=[("<s>", 1)])
    return made


def with_added(made, *tokens):
    made.add_tokens([t for t in tokens if not t.special])
    made.add_special_tokens([t for t in tokens if t.special])
    return made


def bert_post(made):
    return processors.BertProcessing(("[SEP]", made.token_to_id("[SEP]")), ("[CLS]", made.token_to_id("[CLS]")))


def roberta_post(made):
    return processors.RobertaProcessing(("</s>", made.token_to_id("</s>")), ("<s>", made.token_to_id("<s>")))


def configurations():
    n, p, d = normalizers, pre_tokenizers, decoders
    byte = dict(pre_tokenizer=p.ByteLevel(add_prefix_space=False), decoder=d.ByteLevel(),
                trainer={"initial_alphabet": p.ByteLevel.alphabet()})
    alphabet = {"initial_alphabet": p.ByteLevel.alphabet()}
    added = tokenizers.AddedToken
    yield "gpt2", lambda: bpe(**byte)
    yield "gpt2 with a prefix space", lambda: bpe(pre_tokenizer=p.ByteLevel(), decoder=d.ByteLevel(), trainer=alphabet)
    yield "bytes without a pattern", lambda: bpe(pre_tokenizer=p.ByteLevel(use_regex=False), decoder=d.ByteLevel(),
                                                 trainer=alphabet)
    yield "llama 3", lambda: bpe(pre_tokenizer=p.Sequence([p.Split(Regex(LLAMA3), "isolated"), p.ByteLevel(
        add_prefix_space=False, use_regex=False)]), decoder=d.ByteLevel(), trainer=alphabet, ignore_merges=True)
    yield "qwen 2", lambda: bpe(n.NFC(), p.Sequence([p.Split(Regex(LLAMA3.replace("{1,3}", "")), "isolated"), p.ByteLevel(
        add_prefix_space=False, use_regex=False)]), d.ByteLevel(), trainer=alphabet)
    yield "digits, then bytes", lambda: bpe(pre_tokenizer=p.Sequence([p.Digits(individual_digits=True), p.ByteLevel(
        add_prefix_space=False)]), decoder=d.ByteLevel(), trainer=alphabet)
    yield "roberta", lambda: bpe(pre_tokenizer=p.ByteLevel(), decoder=d.ByteLevel(), post=roberta_post,
                                 trainer={**alphabet, "special_tokens": ["<s>", "<pad>", "</s>"]})
    yield "byte-level normalizer", lambda: bpe(n.ByteLevel(), None, d.ByteLevel(), trainer=alphabet)
    yield "llama", llama
    yield "bpe of characters", lambda: bpe(None, p.Whitespace(), d.BPEDecoder(), unk_token="<unk>",
                                           trainer={"special_tokens": ["<unk>"], "limit_alphabet": 60})
    yield "fused unknowns", lambda: bpe(None, p.WhitespaceSplit(), d.Fuse(), unk_token="<unk>", fuse_unk=True,
                                        trainer={"special_tokens": ["<unk>"], "limit_alphabet": 40})
    yield "suffix", lambda: bpe(n.Lowercase(), p.WhitespaceSplit(), d.BPEDecoder("</w>"), end_of_word_suffix="</w>",
                                unk_token="<unk>", trainer={"special_tokens": ["<unk>"], "end_of_word_suffix": "</w>",
                                                            "limit_alphabet": 80})
    yield "prefix", lambda: bpe(None, p.Whitespace(), d.WordPiece("##", False), continuing_subword_prefix="##",
                                unk_token="<unk>", trainer={"special_tokens": ["<unk>"], "limit_alphabet": 80,
                                                            "continuing_subword_prefix": "##"})
    yield "kogpt", lambda: bpe(n.NFKC(), p.Metaspace(), d.Metaspace(), unk_token="<unk>",
                               trainer={"special_tokens": ["<unk>"]})
    for scheme in ("always", "first", "never"):
        yield f"metaspace {scheme}", lambda s=scheme: with_added(
            bpe(None, p.Metaspace(prepend_scheme=s), d.Metaspace(prepend_scheme=s), unk_token="<unk>",
                trainer={"special_tokens": ["<unk>"]}), added("[MASK]", special=True), added("dog"))
    yield "metaspace unsplit", lambda: bpe(None, p.Metaspace(split=False), d.Metaspace(), unk_token="<unk>",
                                           trainer={"special_tokens": ["<unk>"]})
    yield "bert", lambda: word_piece(n.BertNormalizer(), p.BertPreTokenizer(), d.WordPiece(), bert_post)
    yield "bert cased", lambda: word_piece(n.BertNormalizer(lowercase=False), p.BertPreTokenizer(), d.WordPiece(), bert_post)
    yield "bert accents", lambda: word_piece(n.BertNormalizer(strip_accents=True, lowercase=False,
                                                              handle_chinese_chars=False), p.BertPreTokenizer(),
                                             d.WordPiece(cleanup=False), bert_post)
    yield "short words", lambda: word_piece(None, p.WhitespaceSplit(), d.WordPiece(), max_input_chars_per_word=6)
    yield "nfd lower strip", lambda: word_piece(n.Sequence([n.NFD(), n.Lowercase(), n.StripAccents()]), p.BertPreTokenizer(),
                                                d.WordPiece())
    yield "unigram", lambda: unigram(n.NFKC(), p.Metaspace(), d.Metaspace())
    yield "unigram nfkd", lambda: unigram(n.Sequence([n.NFKD(), n.StripAccents(), n.Strip()]), p.Metaspace(), d.Metaspace())
    yield "unigram nmt", lambda: unigram(n.Sequence([n.Nmt(), n.NFKC(), n.Replace(Regex(" {2,}"), " ")]), p.Metaspace(),
                                         d.Metaspace(), post=processors.TemplateProcessing(
                                             single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 2)]))
    yield "unigram replace", lambda: unigram(n.Sequence([n.Replace("``", '"'), n.Prepend("_")]), p.WhitespaceSplit(), d.Fuse())
    yield "unigram without stages", lambda: unigram(None, None, None)
    yield "unigram with bytes", lambda: unigram(None, p.Metaspace(prepend_scheme="first"), d.Sequence([
        d.Replace("▁", " "), d.ByteFallback(), d.Fuse(), d.Strip(" ", 1, 0)]), byte_fallback=True)
    yield "words", lambda: word_level(n.Lowercase(), p.Whitespace())
    yield "words, ctc", lambda: word_level(None, p.CharDelimiterSplit("|"), d.CTC("[PAD]", "|"))
    yield "characters, ctc", lambda: word_level(n.Replace(" ", "|"), p.Split("", "isolated"), d.CTC("a", "|", False))
    yield "punctuation", lambda: bpe(None, p.Punctuation(), d.Fuse())
    for behavior in ("removed", "merged_with_previous", "merged_with_next", "contiguous"):
        yield f"punctuation {behavior}", lambda b=behavior: bpe(None, p.Punctuation(b), d.Fuse())
        yield f"split {behavior}", lambda b=behavior: bpe(None, p.Split(Regex(r"\s+|\d"), b), d.Fuse())
    yield "split inverted", lambda: bpe(None, p.Split(Regex(r"\p{L}+|\p{N}"), "removed", invert=True), d.Fuse())
    yield "split at text", lambda: bpe(None, p.Split("o", "merged_with_previous"), d.Fuse())
    yield "scripts", lambda: bpe(None, p.Sequence([p.WhitespaceSplit(), p.UnicodeScripts()]), d.Fuse())
    yield "fixed length", lambda: bpe(None, p.FixedLength(3), d.Fuse())
    yield "replaced by a pattern", lambda: bpe(None, p.WhitespaceSplit(), d.Sequence([
        d.Replace(Regex("[aeiou]"), "*"), d.Strip("*", 1, 0), d.Fuse()]))
    yield "added tokens", lambda: with_added(
        word_piece(n.Lowercase(), p.BertPreTokenizer(), d.WordPiece()), added("fox", single_word=True),
        added("<s>", lstrip=True, rstrip=True, special=True), added("QUICK brown", normalized=True), added("o,", normalized=False),
        added("ИСТОРИЯ"), added("</s>", special=True, lstrip=True))


@unittest.skipUnless(tokenizers, "tokenizers is not installed; scripts/test --with-torch installs it")
class Stages(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def answers(self, path, lines, *words):
        (self.folder / "lines.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        answer = subprocess.run([BINARY, "tokenize", path, "--jsonl", self.folder / "lines.jsonl", "--json", *words],
                                capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return [json.loads(line) for line in answer.stdout.split("\n")[:-1]]

    def compare(self, made):
        path = self.folder / "tokenizer.json"
        made.save(str(path))
        draw = random.Random(7)
        texts = [random_text(draw) for _ in range(STRINGS)]
        wanted = [made.encode(text) for text in texts]
        ids = [one.ids for one in wanted]
        found = [one["ids"] for one in self.answers(path, texts, "--add-special-tokens")]
        for text, ours, theirs in zip(texts, found, ids, strict=True):
            self.assertEqual(ours, theirs, ascii(text))
        for words, skip in (((), False), (("--skip-special",), True)):
            decoded = [one["text"] for one in self.answers(path, [{"ids": one} for one in ids], *words)]
            for one, ours in zip(ids, decoded, strict=True):
                self.assertEqual(ours, made.decode(one, skip_special_tokens=skip), one)
        plain = [one["ids"] for one in self.answers(path, texts[:50], "--special")]
        self.assertEqual(plain, [made.encode(text, add_special_tokens=False).ids for text in texts[:50]])

    def test_configurations(self):
        count = 0
        for name, make in configurations():
            count += 1
            with self.subTest(name):
                self.compare(make())
        self.assertGreaterEqual(count, 40)


if __name__ == "__main__":
    unittest.main()
