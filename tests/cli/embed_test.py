"""gyre embed: embedding a taxonomy, reproducibility, resuming, and queries."""

import json
import math
import pathlib
import shlex
import signal
import time
import unittest
import xml.etree.ElementTree

from command import CommandTest, options, run, sha256, start

WORDNET = pathlib.Path("/usr/share/wordnet/data.noun").is_file()
QUICK = {"dim": 2, "epochs": 60, "batch": 8, "lr": 0.1, "negatives": 8, "burn_in": 5, "closure": True,
         "no_baseline": True, "no_picture": True}


def quick(**others):
    return options(QUICK, **others)


class Embedding(CommandTest):
    def setUp(self):
        super().setUp()
        lines = ["child\tparent"] + [f"n{i}\tn{(i - 1) // 3}" for i in range(1, 40)]
        self.edges = self.write("edges.tsv", "\n".join(lines).encode())

    def embed(self, name, *words, **others):
        out = self.folder / name
        return out, self.json("embed", self.edges, "--out", out, *quick(**others), *words)

    def test_report_and_files(self):
        out = self.folder / "m"
        answer = run("embed", self.edges, "--out", out, *quick(no_baseline=False, no_picture=False), "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        report = json.loads(answer.stdout)
        self.assertGreaterEqual(set(report), {"mean_rank", "map", "seconds", "nodes", "pairs"})
        self.assertEqual((report["nodes"], report["pairs"]), (40, 102))
        self.assertLess(report["mean_rank"], 4)
        self.assertGreater(report["baseline_mean_rank"], 1)
        self.assertEqual(json.loads((out / "metrics.json").read_text())["map"], report["map"])
        rows = [line.split("\t") for line in (out / "embedding.tsv").read_text().splitlines()]
        self.assertEqual(len(rows), 40)
        for name, *point in rows:
            self.assertEqual(len(point), 2)
            self.assertLess(math.hypot(*map(float, point)), 1, name)
        picture = xml.etree.ElementTree.parse(out / "disk.svg").getroot()
        titles = {e.text for e in picture.iter("{http://www.w3.org/2000/svg}title")}
        self.assertEqual(titles, {row[0] for row in rows})
        epochs = [json.loads(line)["epoch"] for line in (out / "log.jsonl").read_text().splitlines()]
        self.assertEqual(epochs, sorted(epochs))
        self.assertIn("mean rank", answer.stderr)
        self.assertNotIn("\x1b", answer.stderr)  # no terminal escapes in a pipe

    def test_geometries(self):
        for model in ("lorentz", "euclidean"):
            _, report = self.embed(model, "--model", model)
            self.assertGreater(report["map"], 0.2, model)

    def test_result_depends_on_seed_not_threads(self):
        sums = {sha256(self.embed(f"t{n}", "--threads", n)[0] / "embedding.safetensors") for n in (1, 2, 3, 7)}
        self.assertEqual(len(sums), 1)
        other, _ = self.embed("seed", "--seed", "2")
        self.assertNotIn(sha256(other / "embedding.safetensors"), sums)

    def test_resumed_run_equals_uninterrupted_run(self):
        whole, report = self.embed("whole")
        parts, first = self.embed("parts", "--stop-at", "17")
        self.assertEqual(first["epochs"], 17)
        again = self.json("embed", "--out", parts, "--resume", "--threads", "3")
        self.assertEqual((again["epochs"], again["new_epochs"], again["map"]), (60, 43, report["map"]))
        for name in ("embedding.safetensors", "embedding.tsv", "checkpoint.safetensors"):
            self.assertEqual(sha256(whole / name), sha256(parts / name), name)
        self.assertIn("no epochs left", self.good("embed", "--out", parts, "--resume"))

    def test_config(self):
        one, _ = self.embed("one")
        config = self.write("c.json", self.good("embed", self.edges, *quick(), "--print-config").encode())
        self.good("embed", "--config", config, "--out", self.folder / "two")
        self.assertEqual(sha256(one / "embedding.tsv"), sha256(self.folder / "two" / "embedding.tsv"))

    def test_interrupted_is_saved(self):
        for how in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=how.name):
                out = self.folder / f"it's {how.name}"
                process = start("embed", self.edges, "--out", out, *quick(epochs=100000000), "--save-every", "1",
                                "--eval-every", "0")
                while not (out / "checkpoint.safetensors").is_file() and process.poll() is None:
                    time.sleep(0.01)
                process.send_signal(how)
                answer, complaint = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 130, complaint)
                goes_on = answer.decode().splitlines()[-1].partition("to resume, run: ")[2]
                self.assertEqual(shlex.split(goes_on), ["gyre", "embed", "--out", str(out), "--resume"])
                done = int(answer.decode().split(" after ")[1].split(" epoch")[0])
                report = self.json("embed", "--out", out, "--resume", "--stop-at", done + 5)
                self.assertEqual(report["epochs"], done + 5)

    def test_query(self):
        edges = self.write("words.csv", b"dog.n.01,canine.n.01\ncanine.n.01,animal.n.01\ncat.n.01,animal.n.01\n")
        out = self.folder / "words"
        self.json("embed", edges, "--out", out, *quick())
        said = self.json("embed", "query", out, "dog", "--neighbours", "2")
        self.assertEqual(said["name"], "dog.n.01")
        self.assertEqual([n["name"] for n in said["ancestors"]], ["canine.n.01", "animal.n.01"])
        self.assertEqual(len(said["neighbours"]), 2)
        self.assertLessEqual(said["neighbours"][0]["distance"], said["neighbours"][1]["distance"])
        self.assertEqual(self.json("embed", "--threads", "1", "query", out, "dog", "--neighbours", "2"), said)
        text = self.good("embed", "query", out, "cat.n.01")
        self.assertRegex(text, r"nearest neighbours\n(  +[0-9.]+  \S+\n){3}ancestors\n  +[0-9.]+  animal.n.01\n")
        self.refused(2, "embed", "query", out, "cta.n.01", mentions=("cta.n.01", "did you mean cat.n.01?"))
        self.refused(2, "embed", "query", out, mentions=("WORD", "gyre embed query --help"))
        self.refused(2, "embed", "query", out, "dog", "more", mentions="more")
        self.refused(2, "embed", "query", out, "dog", "--neighbours", "-1", mentions=("--neighbours", "0 or more"))
        self.refused(2, "embed", "query", out, "dog", "--dim", "3", mentions="--dim")
        self.refused(2, "embed", edges, "--out", out, "--neighbours", "3", mentions="--neighbours")
        self.assertIn("--neighbours", self.good("embed", "query", "--help"))
        self.assertNotIn("--neighbours", self.good("embed", "--help"))
        self.refused(1, "embed", "query", self.folder / "none", "dog", mentions="none: no such folder")
        self.refused(1, "generate", out, mentions="gyre embed query")

    def test_errors(self):
        out = self.folder / "m"
        self.refused(2, "embed", self.edges, mentions="--out")
        self.refused(2, "embed", "--out", out, mentions="EDGES")
        self.refused(2, "embed", self.edges, "more", "--out", out, mentions="more")
        self.refused(2, "embed", self.edges, "--out", out, "--dim", "0", mentions=("--dim", "65536"))
        self.refused(2, "embed", self.edges, "--out", out, "--model", "sphere", mentions="--model")
        self.refused(2, "embed", "--out", out, "--resume", mentions="--resume")
        self.refused(1, "embed", self.write("empty.tsv", b""), "--out", out, mentions="empty.tsv is empty")
        self.refused(1, "embed", self.folder / "none.tsv", "--out", out, mentions="none.tsv")
        self.refused(1, "embed", self.edges, "--out", out, "--columns", "child,up", mentions=("up", "parent"))
        self.assertFalse(out.exists())
        self.embed("m")
        self.refused(2, "embed", self.edges, "--out", out, mentions="--resume")
        self.refused(2, "embed", "--out", out, "--resume", "--dim", "3", mentions="--dim 2 and cannot be resumed")

    @unittest.skipUnless(WORDNET, "wordnet-base is not installed")
    def test_wordnet(self):
        out = self.folder / "dogs"
        report = self.json("embed", "wordnet:canine.n.02", "--out", out, *quick(no_baseline=False, no_picture=False, negatives=20))
        self.assertEqual(self.json("embed", "query", out, "dog")["name"], "dog.n.01")
        self.assertLess(report["mean_rank"], report["nodes"] / 10)
        self.refused(1, "embed", "wordnet:dgo.n.01", "--out", self.folder / "x", mentions="wordnet:mammals")


if __name__ == "__main__":
    unittest.main()
