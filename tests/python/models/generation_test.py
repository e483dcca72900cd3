"""Text generation compared with `transformers`: left-padded batches, penalties, beam search, log-probabilities; and the
class LanguageModel."""

import json
import math
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

from common import gyre, needs_packages

from language_models_test import BOUND, VARIANTS, made

try:
    import torch
    import transformers
    from safetensors.torch import load_file
except ImportError:
    transformers = None

PROMPT = [5, 9, 30, 9, 30, 12]
STORIES = pathlib.Path(os.environ.get("GYRE_TEST_DATA") or "/nonexistent") / "models/stories260K/hf"


def setUpModule():
    needs_packages()


def padded(prompts):
    """Left-padded ids and mask."""
    longest = max(map(len, prompts))
    rows = [[0] * (longest - len(p)) + p for p in prompts]
    return rows, [[0] * (longest - len(p)) + [1] * len(p) for p in prompts]


@unittest.skipUnless(transformers, "transformers is not installed; scripts/test --with-torch installs it")
class Generation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        torch.manual_seed(0)

    def pair(self, kind="llama", **options):
        theirs, folder = made(kind, options), self.folder / kind
        theirs.save_pretrained(folder)
        return theirs, gyre.LanguageModel(folder)

    def theirs(self, model, prompt=PROMPT, **options):
        options = {"max_new_tokens": 25, "do_sample": False, "eos_token_id": None, "pad_token_id": 0, **options}
        with torch.no_grad():
            return model.generate(torch.tensor([prompt]), **options)[0].tolist()

    def test_left_padded_logits(self):
        rows, mask = padded([PROMPT, list(range(3, 23)), [7]])
        (self.folder / "ids.json").write_text(json.dumps({"input_ids": rows, "attention_mask": mask}))
        kept = torch.tensor(mask).bool()
        for kind, variants in VARIANTS.items():
            for options in variants:
                with self.subTest(kind, **options):
                    model = made(kind, options)
                    model.save_pretrained(self.folder / kind)
                    places = (torch.tensor(mask).cumsum(1) - 1).clamp(min=0)
                    with torch.no_grad():
                        wanted = model(torch.tensor(rows), attention_mask=torch.tensor(mask), position_ids=places).logits
                    out = self.folder / "logits.safetensors"
                    subprocess.run([os.environ["GYRE_BINARY"], "logits", self.folder / kind, "--tokens",
                                    self.folder / "ids.json", "--out", out], check=True, capture_output=True)
                    found = load_file(out)["logits"]
                    self.assertEqual(found[~kept].abs().max(), 0)
                    self.assertLessEqual((found - wanted)[kept].abs().max().item(), BOUND * wanted[kept].abs().max().item())

    def test_a_batch_gives_the_tokens_of_a_left_padded_batch(self):
        prompts = [PROMPT, list(range(3, 23)), [7]]
        for kind in ("llama", "gemma2", "qwen3"):
            model, ours = self.pair(kind, **VARIANTS[kind][0])
            rows, mask = (torch.tensor(x) for x in padded(prompts))
            with torch.no_grad():
                wanted = model.generate(rows, attention_mask=mask, max_new_tokens=20, do_sample=False, eos_token_id=None)
            found = ours.generate(prompts, max_tokens=20, greedy=True, ignore_eos=True)
            self.assertEqual([one.ids[-20:] for one in found], wanted[:, -20:].tolist())

    def test_penalties(self):
        model, ours = self.pair()
        plain = self.theirs(model)
        for options in ({"repetition_penalty": 1.4}, {"no_repeat_ngram_size": 2},
                        {"repetition_penalty": 0.8, "no_repeat_ngram_size": 3}):
            wanted = self.theirs(model, **options)
            self.assertNotEqual(wanted, plain)
            self.assertEqual(ours.generate(PROMPT, max_tokens=25, greedy=True, ignore_eos=True, **options).ids, wanted)

    def test_beam_search(self):
        model, ours = self.pair()
        for seed, (beams, penalty) in enumerate(((2, 1.0), (4, 1.0), (4, 0.5), (3, 2.0), (5, 0.0))):
            prompt = torch.randint(3, 97, (5,), generator=torch.Generator().manual_seed(seed)).tolist()
            for end in (None, 40, 11):
                with self.subTest(beams=beams, penalty=penalty, end=end):
                    wanted = self.theirs(model, prompt, num_beams=beams, length_penalty=penalty, eos_token_id=end)
                    (self.folder / "llama/generation_config.json").write_text(json.dumps({"eos_token_id": end}))
                    ours = gyre.LanguageModel(self.folder / "llama")
                    found = ours.generate(prompt, max_tokens=25, beams=beams, length_penalty=penalty).ids
                    self.assertEqual(found, wanted)

    def test_log_probabilities(self):
        model, ours = self.pair()
        found = ours.generate(PROMPT, max_tokens=6, greedy=True, ignore_eos=True, logprobs=3, repetition_penalty=1.2)
        with torch.no_grad():
            wanted = model(torch.tensor([found.ids])).logits[0].double().log_softmax(-1)[len(PROMPT) - 1:-1]
        new = found.ids[len(PROMPT):]
        for step, (token, logprob, top) in enumerate(zip(new, found.logprobs, found.top_logprobs, strict=True)):
            self.assertAlmostEqual(logprob, wanted[step, token].item(), delta=1e-4)
            best = wanted[step].topk(3)
            self.assertEqual([i for i, _ in top], best.indices.tolist())
            for (_, ours_p), theirs_p in zip(top, best.values.tolist()):
                self.assertAlmostEqual(ours_p, theirs_p, delta=1e-4)
        self.assertEqual(ours.generate(PROMPT, max_tokens=1).logprobs, [])


    def test_memory_is_that_of_the_file_and_the_cache(self):
        """Also where weights are copied for speed: GPT-2's files have them transposed."""
        layers, width, context, prompt = 8, 768, 1024, 600
        config = transformers.GPT2Config(
            vocab_size=1000, n_layer=layers, n_embd=width, n_head=12, n_positions=context
        )
        transformers.GPT2LMHeadModel(config).save_pretrained(self.folder)
        ids = ",".join(str(7 * i % 1000) for i in range(prompt))
        command = [os.environ["GYRE_BINARY"], "generate", str(self.folder), "--ids", ids, "--max-tokens", "20", "--json"]
        answer = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()[-1])
        cache = layers * 2 * context * width * 4
        self.assertGreater(answer["peak_memory_bytes"], answer["weight_bytes"])
        self.assertLess(answer["peak_memory_bytes"], answer["weight_bytes"] + cache + (64 << 20))


@unittest.skipUnless(STORIES.is_dir(), "GYRE_TEST_DATA does not name the folder of test data")
class Stories(unittest.TestCase):
    """A trained model: one sequence of ids, however it is computed."""

    @classmethod
    def setUpClass(cls):
        cls.wanted = json.loads((STORIES / "golden.json").read_text())["greedy_ids"]
        cls.model = gyre.LanguageModel(STORIES)

    def test_from_prompts_of_each_length(self):
        for length in (1, 2, 17, 64, 150, 200):
            made = self.model.generate(self.wanted[:length], max_tokens=201 - length, greedy=True)
            self.assertEqual(made.ids, self.wanted, length)

    def test_recomputed(self):
        best = self.model.logits(self.wanted).argmax(-1)
        self.assertEqual(best.tolist()[:-1], self.wanted[1:])

    def test_in_a_batch(self):
        others = [self.wanted[:40], [1, 300, 7], [1] * 90]
        found = self.model.generate([[1], *others], max_tokens=200, greedy=True)
        self.assertEqual(found[0].ids, self.wanted)
        self.assertEqual(found[1].ids[:201], self.wanted)

    def test_with_speculation(self):
        for draft in ("ngram", str(STORIES)):
            with self.subTest(draft):
                self.assertEqual(self.model.generate([1], max_tokens=200, greedy=True, draft=draft).ids, self.wanted)


class Texts(unittest.TestCase):
    """A model of characters with a tokenizer."""

    @classmethod
    def setUpClass(cls):
        gyre.manual_seed(1)
        cls.tokenizer = gyre.Tokenizer.characters("abcdefgh \n")
        gpt = gyre.nn.GPT(vocab=cls.tokenizer.vocab_size, block_size=64, layers=1, heads=2, width=16).eval()
        cls.model = gyre.LanguageModel(gpt, cls.tokenizer)

    def test_generates_from_folders_and_modules(self):
        with tempfile.TemporaryDirectory() as folder:
            gyre.save_model(folder, self.model.model, self.tokenizer)
            loaded = gyre.LanguageModel(folder)
            for options in ({"greedy": True}, {"seed": 3, "temperature": 0.7, "stop": ["h", "zz"]}):
                wanted = gyre.generate(folder, prompt="abc", **options)
                self.assertEqual(loaded.generate("abc", **options).text, wanted.text)
                self.assertEqual(self.model.generate("abc", **options).ids, wanted.ids)
                self.assertEqual("abc" + "".join(loaded.stream("abc", **options)), wanted.text)
            self.assertIs(gyre.LanguageModel(folder, self.tokenizer).tokenizer, self.tokenizer)
        self.assertRegex(repr(self.model), r"LanguageModel\(GPT of [\d,]+ parameters, vocabulary of 10\)")

    def test_needs_the_tokenizer_of_a_folder_only_for_texts(self):
        with tempfile.TemporaryDirectory() as folder:
            gyre.save_model(folder, self.model.model, self.tokenizer)
            (pathlib.Path(folder) / "tokenizer.json").write_text('{"model": {"type": "Other", "vocab": {}}}')
            loaded = gyre.LanguageModel(folder)
            wanted = self.model.generate([1, 2], greedy=True, max_tokens=5).ids
            self.assertEqual(loaded.generate([1, 2], greedy=True, max_tokens=5).ids, wanted)
            self.assertEqual(loaded.generate([[1, 2]], greedy=True, max_tokens=5)[0].ids, wanted)
            for call in (lambda: loaded.generate("abc"), lambda: list(loaded.stream("abc")), lambda: loaded.logits("abc"),
                         lambda: loaded.generate([1], stop=["a"]), lambda: loaded.generate([[1]], stop=["a"])):
                raised = []
                for _ in range(2):
                    with self.assertRaisesRegex(gyre.Error, "tokenizer.json: model.type: Other") as caught:
                        call()
                    raised.append(caught.exception)
                self.assertIsNot(*raised)  # else each traceback would be longer
            gyre.save_model(folder, self.model.model, self.tokenizer)
            self.assertEqual(loaded.generate("abc", max_tokens=0).text, "abc")

    def test_paths_of_any_kind(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            gyre.save_model(folder, self.model.model, self.tokenizer)
            elsewhere, options = folder / "elsewhere.json", {"max_tokens": 6, "seed": 2}
            wanted = gyre.generate(folder, prompt="abc", **options)
            (folder / "tokenizer.json").rename(elsewhere)
            for path in (elsewhere, str(elsewhere)):
                tokenizer = gyre.Tokenizer.load(path)
                for given in (path, tokenizer):
                    self.assertEqual(gyre.generate(folder, prompt="abc", tokenizer=given, **options).ids, wanted.ids)
                    self.assertEqual(gyre.LanguageModel(folder, given).generate("abc", **options).ids, wanted.ids)
            tokenizer.save(folder / "tokenizer.json")
            self.assertEqual((folder / "tokenizer.json").read_text(), elsewhere.read_text())
            self.assertEqual(gyre.generate(folder, ids=["1"], draft=folder, **options).new_tokens, 6)
            for wrong in (3, None):
                with self.assertRaises(TypeError):
                    gyre.Tokenizer.load(wrong)
            with self.assertRaisesRegex(TypeError, "tokenizer: expected a gyre.Tokenizer or a path, got int"):
                gyre.generate(folder, tokenizer=3)
            with self.assertRaisesRegex(gyre.Error, "null bytes"):
                gyre.Tokenizer.load("a\0b")
        program = gyre.logic.Program("P(A)", path=pathlib.Path("family.tl"))
        self.assertIn("family.tl", repr(program))

    def test_notes_warn_of_the_callers_line(self):
        long, note = "a" * 70, "the prompt has 70 tokens, the model's context 64: its first 38 have no effect"
        options = {"max_tokens": 1, "greedy": True}

        def stream():
            return list(self.model.stream(long, **options))

        for call in (lambda: self.model.generate(long, **options), lambda: self.model.generate([long, long], **options),
                     lambda: gyre.generate(self.model.model, long, tokenizer=self.tokenizer, **options), stream):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                call()
            self.assertEqual([(str(w.message), w.category, w.filename) for w in caught], [(note, UserWarning, __file__)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assertEqual(self.model.generate(long, **options).notes, [note])
            self.assertEqual([one.notes for one in self.model.generate(["a", long], **options)], [[], [note]])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(self.model.generate("abc", **options).notes, [])
            with self.assertRaisesRegex(UserWarning, "70 tokens"):
                next(self.model.stream(long, **options))
        with tempfile.TemporaryDirectory() as folder:
            gyre.save_model(folder, self.model.model, self.tokenizer)
            (pathlib.Path(folder) / "generation_config.json").write_text('{"forced_bos_token_id": 0}')
            with self.assertWarnsRegex(UserWarning, "forced_bos_token_id 0 is not applied") as caught:
                made = gyre.generate(folder, long, **options)
            self.assertEqual(caught.filename, __file__)
            self.assertEqual(len(made.notes), 2)

    def test_batches(self):
        found = self.model.generate(["abc", "h", "a b c d"], max_tokens=12, seed=4)
        for i, (prompt, one) in enumerate(zip(["abc", "h", "a b c d"], found)):
            self.assertEqual(one.text, self.model.generate(prompt, max_tokens=12, seed=4 + i).text)
        self.assertEqual(self.model.generate([]), [])
        self.assertEqual(self.model.generate([[0, 1], "abc"], max_tokens=0)[0].ids, [0, 1])

    def test_caches_of_each_dtype_give_nearly_the_same_logits(self):
        options = {"max_tokens": 12, "greedy": True, "logprobs": 0}
        plain = self.model.generate("abc", **options)
        for dtype in ("model", "f32", "f16", "bf16", "int8"):
            with self.subTest(dtype):
                made = self.model.generate("abc", cache_dtype=dtype, **options)
                self.assertEqual(made.new_tokens, 12)
                self.assertAlmostEqual(made.logprobs[0], plain.logprobs[0], delta=2e-2)

    def test_streams_can_be_closed_and_raise(self):
        stream = self.model.stream("abc", max_tokens=10**9)
        self.assertEqual(len(next(stream)), 1)
        stream.close()
        with self.assertRaisesRegex(gyre.Error, "character"):
            list(self.model.stream("xyz"))

    def test_logits_and_perplexity(self):
        text = "abc abd\nface"
        logits = self.model.logits(text)
        ids = self.model.ids(text)
        self.assertEqual(logits.shape, (len(ids), 10))
        loss = gyre.nn.functional.cross_entropy(logits[:-1], gyre.tensor(ids[1:])).item()
        found = self.model.perplexity(text)
        self.assertAlmostEqual(found.loss, loss, delta=1e-5)
        self.assertAlmostEqual(found.perplexity, math.exp(loss), delta=1e-4)
        self.assertEqual((found.tokens, found.bytes), (11, 11))
        self.assertAlmostEqual(self.model.perplexity(text, context=4).tokens, 11)

    def test_refused(self):
        alone = gyre.LanguageModel(self.model.model)
        with self.assertRaisesRegex(ValueError, "no tokenizer; give lists of token ids"):
            alone.logits("abc")
        for options, text in (({"top_k": 3, "greedy": True}, "greedy"), ({"beams": 2, "top_p": 0.5}, "beams"),
                              ({"draft": "missing"}, "missing"), ({"overflow": "stop"}, "overflow"),
                              ({"cache_dtype": "int4"}, "cache_dtype"),
                              ({"logit_bias": ["a"]}, "logit_bias"), ({"min_k": 1}, "min_k")):
            with self.subTest(**options), self.assertRaisesRegex((gyre.Error, TypeError, ValueError), text):
                self.model.generate("abc", **options)
        with self.assertRaisesRegex(gyre.Error, "context"):
            self.model.generate("a" * 70, overflow="error")


if __name__ == "__main__":
    unittest.main()
