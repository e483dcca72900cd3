"""gyre.embed and gyre.Embedding: compatible with the command `gyre embed`."""

import io
import math
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from common import ROOT, gyre, needs_packages

COMMAND = os.environ.get("GYRE_BINARY", str(ROOT / "build/release/bin/gyre"))
# A tree with a root and two levels below it.
NODES = ["root", *(f"{a}" for a in "abc"), *(f"{a}{b}" for a in "abc" for b in "xyz")]
EDGES = [(n, n[:-1] or "root") for n in NODES[1:]]
SMALL = {"closure": True, "dim": 3, "epochs": 30, "seed": 5, "picture": False, "baseline": False, "threads": 2}


def setUpModule():
    needs_packages()


class Embedding(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.edges = self.folder / "edges.tsv"
        self.edges.write_text("".join(f"{below}\t{above}\n" for below, above in EDGES), encoding="utf-8")

    def embed(self, out="tree", **options):
        return gyre.embed(self.edges, out=self.folder / out, **{"progress": None, **SMALL, **options})

    def test_the_same_bytes_as_the_command(self):
        report = self.embed()
        self.assertEqual((report.nodes, report.pairs, report.epochs, report.interrupted), (13, 21, 30, False))
        self.assertTrue(1 <= report.mean_rank < 13 and math.isnan(report.baseline_mean_rank))
        flags = {True: "--{}", False: "--no-{}"}
        options = [flags.get(value, f"--{{}}={value}").format(name) for name, value in SMALL.items()]
        subprocess.run([COMMAND, "embed", self.edges, "--out", self.folder / "by_command", *options], check=True,
                       capture_output=True, timeout=120)
        for name in ("embedding.safetensors", "embedding.tsv"):
            self.assertEqual((self.folder / "tree" / name).read_bytes(),
                             (self.folder / "by_command" / name).read_bytes())
        again = gyre.embed(out=self.folder / "by_command", resume=True, progress=None)
        self.assertEqual((again.epochs, again.new_epochs, again.mean_rank), (30, 0, report.mean_rank))

    def test_what_lies_in_the_folder(self):
        self.embed()
        embedding = gyre.Embedding(self.folder / "tree")
        self.assertEqual((len(embedding), embedding.model, embedding.points.dtype), (13, "poincare", gyre.f64))
        self.assertEqual(set(embedding.names), set(NODES))
        self.assertEqual(embedding["ax"].tolist(), embedding.points[embedding.index("ax")].tolist())
        lines = (self.folder / "tree" / "embedding.tsv").read_text().splitlines()
        self.assertEqual([line.split("\t")[0] for line in lines], embedding.names)
        self.assertEqual([float(x) for x in lines[0].split("\t")[1:]], embedding.points[0].tolist())
        x, y = embedding["ax"], embedding["by"]
        self.assertAlmostEqual(embedding.distance("ax", "by"), gyre.poincare_dist(x, y, 1.0).item(), 12)
        answer = embedding.query("ax", neighbours=3)
        self.assertEqual((answer.name, len(answer.neighbours)), ("ax", 3))
        self.assertEqual([name for name, _ in answer.ancestors], ["a", "root"])
        distances = [distance for _, distance in answer.neighbours]
        self.assertEqual(distances, sorted(distances))
        self.assertEqual(len(embedding.query("root").neighbours), 10)
        for error, words, act in ((gyre.ValueError, "has no node aw", lambda: embedding.query("aw")),
                                  (gyre.ValueError, "has no node", lambda: embedding["aw"]),
                                  (gyre.ValueError, "0 or more, got -1", lambda: embedding.query("a", -1)),
                                  (gyre.IOError, "", lambda: gyre.Embedding(self.folder / "none"))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()

    def test_the_hyperboloid(self):
        self.embed(model="lorentz")
        embedding = gyre.Embedding(self.folder / "tree")
        self.assertEqual(embedding.model, "lorentz")
        distance = gyre.lorentz_dist(embedding["a"], embedding["b"], 1.0).item()
        self.assertAlmostEqual(embedding.distance("a", "b"), distance, 12)

    def test_options_are_those_of_the_command(self):
        for error, words, options in (
                (TypeError, "did you mean epochs", {"epoch": 2}),
                (TypeError, "no option neighbours", {"neighbours": 2}),
                (ValueError, "model: expected one of poincare, lorentz, euclidean", {"model": "klein"}),
                (gyre.ValueError, "`dim` must be from 1", {"dim": 0}),
                (gyre.ValueError, "`out` is missing", {"out": ""})):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                gyre.embed(self.edges, **{**SMALL, "out": self.folder / "no", "progress": None, **options})
        self.assertFalse((self.folder / "no").exists())
        self.assertIn("    dim=5: embedding dimension", gyre.embed.__doc__)

    def test_progress_and_events(self):
        stream, seen = io.StringIO(), []
        self.embed(progress=stream, eval_every=10, watch=lambda event, values: seen.append((event, values)))
        for words in ("13 nodes, 21 pairs", "30/30  loss", "mean rank"):
            self.assertIn(words, stream.getvalue())
        epochs = [values["epoch"] for event, values in seen if event == "advanced"]
        self.assertEqual(epochs, list(range(1, 31)))
        self.assertEqual([v["epoch"] for e, v in seen if e == "evaluated"], [10, 20, 30])
        self.assertTrue(all(v["map"] > 0 and v["mean_rank"] >= 1 for e, v in seen if e == "evaluated"))

    def test_ctrl_c_saves_and_the_rest_gives_the_same_bytes(self):
        def watch(event, values):
            if event == "advanced" and values["epoch"] == 3:
                signal.raise_signal(signal.SIGINT)

        report = self.embed(epochs=400, watch=watch)
        self.assertTrue(report.interrupted and report.epochs < 400)
        gyre.embed(out=self.folder / "tree", resume=True, progress=None)
        self.embed("whole", epochs=400)
        self.assertEqual((self.folder / "tree/embedding.tsv").read_bytes(),
                         (self.folder / "whole/embedding.tsv").read_bytes())

    def test_what_a_callback_raises_comes_out(self):
        class Enough(Exception):
            pass

        def watch(event, values):
            if event == "advanced":
                raise Enough(values["epoch"])

        with self.assertRaises(Enough):
            self.embed(watch=watch)


if __name__ == "__main__":
    unittest.main()
