"""gyre.train, gyre.generate and model folders: compatible with the command in both directions; progress,
interrupts, callbacks."""

import dataclasses
import io
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from common import ROOT, gyre, needs_packages, numpy

if gyre:
    from gyre import nn

COMMAND = os.environ.get("GYRE_BINARY", str(ROOT / "build/release/bin/gyre"))
TEXT = "the quick brown fox jumps over the lazy dog. " * 60
SMALL = {"tokenizer": "char", "layers": 1, "heads": 2, "width": 16, "block": 16, "batch": 4, "steps": 6, "seed": 3}


def setUpModule():
    needs_packages()


def command(*arguments):
    done = subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.text = self.folder / "text.txt"
        self.text.write_text(TEXT, encoding="utf-8")

    def train(self, out="model", **options):
        return gyre.train(self.text, out=self.folder / out, progress=None, **{**SMALL, **options})


class Training(InAFolder):
    def test_the_same_bytes_as_the_command(self):
        report = self.train()
        self.assertEqual((report.steps, report.new_steps, report.interrupted, report.unit), (6, 6, False, "tok"))
        self.assertTrue(math.isnan(report.val_accuracy) and report.val_loss < 4)
        options = [f"--{name.replace('_', '-')}={value}" for name, value in SMALL.items()]
        command("train", self.text, "--out", self.folder / "by_command", *options)
        for name in ("model.safetensors", "config.json", "tokenizer.json"):
            self.assertEqual((self.folder / "model" / name).read_bytes(),
                             (self.folder / "by_command" / name).read_bytes())
        again = gyre.train(out=self.folder / "by_command", resume=True, steps=8, progress=None)
        self.assertEqual((again.steps, again.new_steps), (8, 2))

    def test_options_are_those_of_the_command(self):
        shown = json.loads(command("train", "--print-config", "--out", "x", "a.txt"))
        self.assertLessEqual(set(shown) - {"data"}, {f["name"] for f in gyre.models._train.fields})
        for error, words, options in (
                (TypeError, "did you mean layers", {"layer": 2}),
                (TypeError, "layers: expected an int", {"layers": "two"}),
                (ValueError, "dtype: expected one of f32, bf16, f16", {"dtype": "f8"}),
                (gyre.ValueError, "`out` is missing", {"out": ""}),
                (gyre.ValueError, "divisible by `heads`", {"width": 15})):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                gyre.train(self.text, **{**SMALL, "out": self.folder / "no", "progress": None, **options})
        self.assertFalse((self.folder / "no").exists())
        with self.assertRaises(gyre.IOError):
            gyre.train("nothing.txt", out=self.folder / "no", progress=None)

    def test_networks_of_layers(self):
        x = numpy.random.default_rng(1).normal(size=(64, 3)).astype("f4")
        numpy.savez(self.folder / "d.npz", x=x, y=(x.sum(1) > 0).astype("i8"))
        report = gyre.train(self.folder / "d.npz", out=self.folder / "net", epochs=4, lr=0.05, batch=8, progress=None)
        self.assertGreater(report.val_accuracy, 0.5)
        model = gyre.load_model(self.folder / "net")
        self.assertEqual((model.save_info["input"], model.training), ([3], False))
        right = (model(x).argmax(1).numpy() == (x.sum(1) > 0)).mean()
        self.assertGreater(right, 0.8)
        self.assertIsInstance(model, nn.Sequential)
        predictor = gyre.Predictor(self.folder / "net")
        self.assertEqual((predictor.classes, predictor.target), (["0", "1"], "y"))
        of_arrays, of_file = predictor(x, (x.sum(1) > 0).astype("i8")), predictor(self.folder / "d.npz")
        self.assertEqual(of_arrays.values.tolist(), model(x).argmax(1).tolist())
        self.assertEqual(of_file.values.tolist(), of_arrays.values.tolist())
        self.assertAlmostEqual(of_arrays.figures["accuracy"], right)
        self.assertEqual(of_arrays.probabilities.shape, (64, 2))
        self.assertTrue(math.isnan(predictor(x).figures["loss"]))
        for error, act in ((TypeError, lambda: predictor("d.npz", 3)), (gyre.Error, lambda: predictor(x[:, :2])),
                           (gyre.IOError, lambda: gyre.Predictor(self.folder / "none"))):
            with self.assertRaises(error):
                act()

    def test_rows_of_a_table_are_read_as_its_file(self):
        path = self.folder / "rows.csv"
        path.write_text("a,b,y\n" + "".join(f"{1000 + i},{'NA' if i == 5 else i % 7},{3 * i}\n" for i in range(60)))
        gyre.train(path, out=self.folder / "table", epochs=2, progress=None)
        predictor = gyre.Predictor(self.folder / "table")
        rows = numpy.array([[1003, 3], [1050, math.nan]])
        (self.folder / "same.csv").write_text("b,a\n3,1003\n,1050\n")
        self.assertEqual(predictor(rows).values.tolist(), predictor(self.folder / "same.csv").values.tolist())
        with self.assertRaisesRegex(gyre.ShapeError, "2 columns"):
            predictor(rows[:, :1])

    def test_progress_is_written(self):
        stream, seen = io.StringIO(), []
        gyre.train(self.text, out=self.folder / "m", progress=stream, sample_every=3, sample_tokens=4,
                   watch=lambda event, values: seen.append((event, values)), **SMALL)
        text = stream.getvalue()
        for words in ("transformer of 1 layer", "6/6  loss", "validation loss", "saved", "sample at step"):
            self.assertIn(words, text)
        self.assertNotIn("\x1b", text)
        steps = [values for event, values in seen if event == "stepped"]
        self.assertEqual([v["step"] for v in steps], [1, 2, 3, 4, 5, 6])
        self.assertTrue(all(v["loss"] > 0 and v["total"] == 6 for v in steps))
        self.assertEqual({event for event, _ in seen}, {"preparing", "started", "stepped", "validated", "saved", "sampled"})

    def test_terminals_and_notebooks_are_redrawn(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        cell = type("OutStream", (io.StringIO,), {"__module__": "ipykernel.iostream"})
        for number, stream in enumerate((Terminal(), cell())):
            gyre.train(self.text, out=self.folder / str(number), progress=stream, **{**SMALL, "steps": 40})
            self.assertIn("\r\x1b[K", stream.getvalue())

    def test_standard_error_is_the_stream(self):
        kept, sys.stderr = sys.stderr, io.StringIO()
        try:
            gyre.train(self.text, out=self.folder / "m", **SMALL)
            self.assertIn("6/6  loss", sys.stderr.getvalue())
        finally:
            sys.stderr = kept

    def test_what_a_callback_raises_comes_out(self):
        class Enough(Exception):
            pass

        def watch(event, values):
            if event == "stepped" and values["step"] == 3:
                raise Enough(values["step"])

        with self.assertRaises(Enough):
            self.train(watch=watch)
        self.assertFalse((self.folder / "model" / "model.safetensors").exists())

        class Broken(io.StringIO):
            def write(self, text):
                raise OSError("no room")

        with self.assertRaisesRegex(OSError, "no room"):
            gyre.train(self.text, out=self.folder / "m", progress=Broken(), **SMALL)

    def test_ctrl_c_saves_and_ends(self):
        def watch(event, values):
            if event == "stepped" and values["step"] == 3:
                signal.raise_signal(signal.SIGINT)

        report = self.train(watch=watch, steps=500)
        self.assertTrue(report.interrupted)
        self.assertLess(report.steps, 500)
        self.assertTrue(os.path.isdir(report.checkpoint))
        rest = gyre.train(out=self.folder / "model", resume=True, progress=None, stop_at=report.steps + 2)
        self.assertEqual(rest.steps, report.steps + 2)

    def test_ctrl_c_before_the_first_step_is_an_interrupt(self):
        def watch(event, values):
            if event == "preparing":
                signal.raise_signal(signal.SIGINT)
                time.sleep(0.01)

        with self.assertRaises(KeyboardInterrupt):
            self.train(watch=watch, tokenizer="bpe:300")
        self.assertFalse((self.folder / "model").exists())

    def test_other_signals_raise_what_their_handlers_do(self):
        class Alarm(Exception):
            pass

        def handler(*_):
            raise Alarm()

        before = signal.signal(signal.SIGUSR1, handler)
        try:
            with self.assertRaises(Alarm):
                self.train(steps=500, watch=lambda e, v: e == "stepped" and signal.raise_signal(signal.SIGUSR1))
        finally:
            signal.signal(signal.SIGUSR1, before)

    def test_other_threads_go_on(self):
        ticks, done = [], threading.Event()

        def tick():
            while not done.is_set():
                ticks.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=tick)
        thread.start()
        begin = time.monotonic()
        self.train(steps=60, width=64, block=64)
        end = time.monotonic()
        done.set()
        thread.join()
        self.assertGreater(sum(begin < t < end for t in ticks), 3)


class Generating(InAFolder):
    def test_the_same_text_as_the_command(self):
        self.train()
        made = gyre.generate(self.folder / "model", prompt="the", max_tokens=12, seed=5, temperature=0.7)
        by_command = json.loads(command("generate", self.folder / "model", "--prompt", "the", "--max-tokens", 12,
                                        "--seed", 5, "--temperature", 0.7, "--json"))
        self.assertEqual((made.text, made.ids, made.new_tokens), (by_command["text"], by_command["ids"], 12))
        self.assertEqual(str(made), made.text)
        pieces = []
        model = gyre.load_model(self.folder / "model" / "checkpoints" / "step-6")
        tokenizer = gyre.Tokenizer.load(str(self.folder / "model" / "tokenizer.json"))
        again = gyre.generate(model, tokenizer=tokenizer, prompt="the", max_tokens=12, seed=5, temperature=0.7,
                              stream=pieces.append)
        self.assertEqual(again.text, made.text)
        self.assertEqual("the" + "".join(pieces), made.text)
        ids = gyre.generate(model, ids=made.ids[:3], max_tokens=2, greedy=True)
        self.assertEqual((ids.ids[:3], len(ids.ids)), (made.ids[:3], 5))

    def test_generates_with_values_of_python(self):
        self.train("model", steps=20)
        folder = self.folder / "model"
        made = gyre.generate(folder, "the", max_tokens=8, greedy=True)
        self.assertEqual(made, dataclasses.replace(gyre.generate(folder, prompt="the", max_tokens=8, greedy=True),
                                                   seconds=made.seconds))
        self.assertEqual(("the" + made.new_text, made.finish_reason), (made.text, "length"))
        first = made.ids[-8]
        biased = gyre.generate(folder, "the", max_tokens=8, greedy=True, logit_bias={first: -100})
        self.assertNotIn(first, biased.ids[-8:])
        model = gyre.LanguageModel(folder)
        for bias in ({str(first): -100.0}, [f"{first}=-100"]):
            self.assertEqual(model.generate("the", max_tokens=8, greedy=True, logit_bias=bias).ids, biased.ids)
        self.assertEqual("".join(model.stream("the", max_tokens=8, greedy=True, logit_bias={first: -100})), biased.new_text)
        for schema in ({"const": True}, json.dumps({"const": True})):
            one = model.generate("a", max_tokens=20, json_schema=schema)
            self.assertEqual((json.loads(one.new_text), one.finish_reason), (True, "stop"))
        (folder / "tokenizer.json").rename(self.folder / "moved.json")
        for tokenizer in (self.folder / "moved.json", gyre.Tokenizer.load(str(self.folder / "moved.json"))):
            again = gyre.generate(folder, "the", max_tokens=8, greedy=True, tokenizer=tokenizer)
            self.assertEqual(again.ids, made.ids)
            self.assertEqual(gyre.LanguageModel(folder, tokenizer).generate("the", max_tokens=8, greedy=True).ids, made.ids)
        with self.assertRaises(ValueError):
            model.generate("the", logit_bias={"the": 1})
        with self.assertWarnsRegex(UserWarning, "max_length 9 is not applied"):
            (folder / "generation_config.json").write_text(json.dumps({"max_length": 9}))
            gyre.generate(folder, ids=[1], greedy=True)

    def test_what_cannot_be_generated(self):
        self.train()
        model = gyre.load_model(self.folder / "model")

        def stop(piece):
            raise StopIteration("enough")

        for error, words, act in (
                (TypeError, "no option prmpt; did you mean prompt", lambda: gyre.generate("x", prmpt="a")),
                (gyre.IOError, "no such folder", lambda: gyre.generate("x", prompt="a")),
                (ValueError, "prompt: expected a str without null", lambda: gyre.generate("x", prompt="a\0b")),
                (ValueError, "ids: expected a str without null", lambda: gyre.generate("x", ids=["1", "2\0"])),
                (TypeError, "ids: expected .* sequence of them, got bytes", lambda: gyre.generate("x", ids=b"12")),
                (TypeError, "ids: expected .* got bytearray", lambda: gyre.generate("x", ids=bytearray(b"12"))),
                (TypeError, "ids: expected .* sequence of them, got dict", lambda: gyre.generate("x", ids={1: 2})),
                (TypeError, "expected a str", lambda: gyre.generate(self.folder / "model", prompt=["a", "b"])),
                (gyre.ValueError, "`ids`", lambda: gyre.generate(model, prompt="a")),
                (TypeError, "tokenizer: expected a gyre.Tokenizer or a path", lambda: gyre.generate("x", tokenizer=3)),
                (TypeError, "gyre.nn.Module", lambda: gyre.generate(3, ids=[1])),
                (gyre.UnsupportedError, "language model of the layer table", lambda: gyre.generate(nn.ReLU(), ids=[1])),
                (gyre.UnsupportedError, "language model of the layer table", lambda: gyre.save_model("x", nn.ReLU())),
                (gyre.IOError, "config.json", lambda: gyre.load_model(self.folder)),
                (StopIteration, "enough", lambda: gyre.generate(self.folder / "model", prompt="the", stream=stop))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()


if gyre:
    class MyGpt(nn.Module):
        """GPT-2 built from layers of the table, with its usual parameter names."""

        def __init__(self, vocab, block, layers, heads, width):
            super().__init__()
            self.wte, self.wpe = nn.Embedding(vocab, width), nn.Embedding(block, width)
            self.h = nn.ModuleList(nn.TransformerBlock(width, heads) for _ in range(layers))
            self.ln_f = nn.LayerNorm(width)

        def forward(self, tokens):
            x = self.wte(tokens) + self.wpe(gyre.arange(tokens.shape[1], dtype=gyre.i64))
            for block in self.h:
                x = block(x)
            return gyre.linear(self.ln_f(x), self.wte.weight)


class FromPython(InAFolder):
    """A model defined in Python, trained by gyre.optim, saved, and run by the command."""

    SIZES = {"block": 8, "layers": 2, "heads": 2, "width": 32}

    def learn(self, model, ids):
        batches = gyre.data.TokenBatches(ids, rows=8, block=8, seed=1)
        optimizer = gyre.optim.AdamW(model.parameters(), lr=3e-3)
        for step in range(150):
            x, y = batches.at(step)
            loss = gyre.cross_entropy(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step(clip=1.0)
        return loss.item()

    def test_both_ways_of_writing_it(self):
        words = "abcdefgh" * 40
        tokenizer = gyre.Tokenizer.characters(words)
        ids = tokenizer.encode(words)
        for make in (MyGpt, nn.GPT):
            gyre.manual_seed(1)
            model = make(vocab=tokenizer.vocab_size, **self.SIZES)
            self.assertLess(self.learn(model, ids), 0.5)
            export = nn.GPT(vocab=tokenizer.vocab_size, **self.SIZES)
            export.load_state_dict(model.state_dict())
            gyre.save_model(self.folder / make.__name__, export, tokenizer)
            text = command("generate", self.folder / make.__name__, "--prompt", "abc", "--max-tokens", 5, "--greedy")
            self.assertEqual(text, "abcdefgh\n")
            loaded = gyre.load_model(self.folder / make.__name__)
            tokens = gyre.tensor([ids[:8]])  # transposed weights of the file are summed in another order
            difference = (loaded(tokens) - model.eval()(tokens)).detach()
            self.assertLess(abs(difference.numpy()).max(), 1e-5)
            self.assertEqual(loaded.options, export.options)
            self.assertEqual(len(loaded.h), 2)

    def test_the_same_weights_from_the_same_seed(self):
        first = command("train", self.text, "--out", self.folder / "m", *[
            f"--{name}={value}" for name, value in {**SMALL, "steps": 1, "lr": 1e-30}.items()])
        self.assertTrue(first)
        trained = gyre.load_model(self.folder / "m")
        gyre.manual_seed(SMALL["seed"])
        mine = nn.GPT(**trained.options)
        for name, value in trained.state_dict().items():
            difference = abs(value.numpy() - mine.state_dict()[name].numpy()).max()
            self.assertLess(difference, 1e-29, name)  # one step with a rate of 1e-30


class Interrupts(InAFolder):
    def test_a_real_ctrl_c(self):
        options = {**SMALL, "steps": 10 ** 6, "out": str(self.folder / "m")}
        program = (f"import gyre\nreport = gyre.train({str(self.text)!r}, **{options!r})\n"
                   "print('interrupted', report.interrupted, report.steps)")
        child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 text=True)
        try:
            for line in child.stderr:
                if "loss" in line:
                    break
            child.send_signal(signal.SIGINT)
            out, _ = child.communicate(timeout=60)
        finally:
            child.kill()
        self.assertRegex(out, r"interrupted True \d+")
        self.assertEqual(child.returncode, 0)


if __name__ == "__main__":
    unittest.main()
