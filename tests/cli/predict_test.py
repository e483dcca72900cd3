"""gyre predict: predictions for new rows of a table."""

import csv
import io
import json
import unittest

from command import CommandTest, run


class Predict(CommandTest):
    def setUp(self):
        super().setUp()
        rows = ["length,kind"] + [f"{i % 2 * 10 + i % 7 / 10},{['ro,se', 'oak'][i % 2]}" for i in range(200)]
        self.table = self.write("plants.csv", "\n".join(row.replace("ro,se", '"ro,se"') for row in rows).encode())
        self.model = self.folder / "model"
        self.json("train", self.table, "--out", self.model, "--epochs", "20")
        self.others = self.write("others.csv", b"length\n0.3\n10.2\n")

    def test_prints_a_table(self):
        answer = run("predict", self.model, self.others)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        rows = list(csv.DictReader(io.StringIO(answer.stdout)))
        self.assertEqual([row["kind"] for row in rows], ["ro,se", "oak"])
        self.assertGreater(float(rows[0]["probability"]), 0.5)
        self.assertEqual(answer.stderr, "")
        self.assertIn("accuracy 100.00 %", run("predict", self.model, self.table).stderr)

    def test_writes_files_and_json(self):
        out = self.folder / "p.csv"
        answer = run("predict", self.model, self.others, "--out", out, "--probabilities")
        self.assertIn("2 predictions", answer.stdout)
        row = list(csv.DictReader(io.StringIO(out.read_text())))[0]
        self.assertAlmostEqual(float(row["ro,se"]) + float(row["oak"]), 1, 5)
        self.assertEqual(run("predict", self.model, self.others, "--out", self.folder / "p.npz").returncode, 0)
        said = self.json("predict", self.model, self.table, "--probabilities")
        out = self.folder / "p.json"
        self.assertIn("200 predictions", self.good("predict", self.model, self.table, "--out", out, "--probabilities"))
        self.assertEqual(json.loads(out.read_text()), said)
        self.assertEqual(said["accuracy"], 1)
        self.assertEqual(len(said["probabilities"]), 200)

    def test_numbers(self):
        table = self.write("line.csv", ("x,y\n" + "\n".join(f"{i},{1000 * i}" for i in range(100))).encode())
        self.json("train", table, "--out", self.folder / "line", "--epochs", "2")
        self.refused(2, "predict", self.folder / "line", table, "--probabilities", mentions="numbers")
        said = self.json("predict", self.folder / "line", table)
        self.assertEqual(len(said["predictions"]), 100)
        self.assertIn("r2", said)

    def test_warns_of_unique_text_column(self):
        rows = [f"{i % 2 * 10},text {i},{['rose', 'oak'][i % 2]}" for i in range(60)]
        table = self.write("notes.csv", "\n".join(["length,note,kind", *rows]).encode())
        words = ("train", table, "--epochs", "1", "--out")
        said = run(*words, self.folder / "notes").stderr
        self.assertIn("warning: ", said)
        self.assertIn("note has 60 distinct texts in 60 rows", said)
        self.assertIn("--exclude note leaves it out", said)
        new = self.write("new.csv", b"length,note\n10,another\n")
        self.refused(1, "predict", self.folder / "notes", new, mentions="note is \"another\"")
        self.assertNotIn("warning: ", run(*words, self.folder / "lengths", "--without", "note").stderr)
        self.good("predict", self.folder / "lengths", new)

    def test_errors(self):
        self.refused(2, "predict", self.folder / "none", self.others, "--out", self.folder / "p.txt",
                     mentions=("--out: expected a file that ends in .csv, .json or .npz", "p.txt"))
        self.refused(2, "predict", self.model, mentions="DATA")
        self.refused(1, "predict", self.folder / "none", self.others, mentions="model.json")
        self.refused(1, "predict", self.model, self.folder / "none.csv", mentions="none.csv")
        self.refused(2, "predict", self.model, self.write("x.txt", b"text"), mentions="texts")
        self.refused(1, "generate", self.model, mentions="gyre predict")


if __name__ == "__main__":
    unittest.main()
