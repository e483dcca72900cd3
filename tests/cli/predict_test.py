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

    def test_leaves_out_identifiers(self):
        rows = [f"{i + 7},{i % 2 * 10},text {i},{['rose', 'oak'][i % 2]}" for i in range(60)]
        table = self.write("notes.csv", "\n".join(["plant_id,length,note,kind", *rows]).encode())
        words = ("train", table, "--epochs", "1", "--out")
        said = run(*words, self.folder / "notes").stderr
        self.assertIn("warning: ", said)
        self.assertIn("note has 60 distinct texts in 60 rows, so it is left out; --include note uses it", said)
        self.assertIn("plant_id has another integer in each row, so it is left out", said)
        new = self.write("new.csv", b"length\n10\n")
        self.assertEqual(run("predict", self.folder / "notes", new).stderr, "")
        self.assertNotIn("warning: ", run(*words, self.folder / "lengths", "--without", "note,plant_id").stderr)
        said = run(*words, self.folder / "all", "--include", "note,plant_id").stderr
        self.assertNotIn("left out", said)
        self.refused(1, "predict", self.folder / "all", new, mentions="plant_id")

    def test_predicts_every_row(self):
        rows = [f"{i % 50},{['Rome', 'Oslo'][i % 2]},2023-{i % 12 + 1:02d}-0{i % 9 + 1},{['a', 'b'][i % 2]}"
                for i in range(120)]
        table = self.write("t.csv", "\n".join(["area,city,sold,kind", *rows]).encode())
        self.json("train", table, "--out", self.folder / "t", "--epochs", "20")
        new = self.write("new.csv", b"area,city,sold,kind\n1,Rome,2024-05-05,a\n2,Berlin,2031-12-31,b\n"
                                    b"much,Oslo,soon,c\n,Oslo,,\ninf,Rome,2023-01-01,a\n")
        answer = run("predict", self.folder / "t", new)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        kinds = [row["kind"] for row in csv.DictReader(io.StringIO(answer.stdout))]
        self.assertEqual([kinds[i] for i in (0, 2, 3)], ["a", "b", "b"])
        self.assertEqual(len(kinds), 5)
        for words in ('line 3: city is "Berlin", unknown', "line 4: area: expected numbers, got text (much)",
                      'line 4: sold is "soon", expected a date', "line 5: area is missing", "line 6: area is infinite",
                      'line 4: kind is "c"'):
            self.assertIn(words, answer.stderr)
        self.assertIn("accuracy", answer.stderr)
        self.refused(1, "predict", self.folder / "t", new, "--unknown", "error", mentions="line 4")

    def test_tables_as_people_have_them(self):
        rows = [f"{i % 40}.000,{i % 10}; {i % 10}% ;\u20ac {i * 37 % 100},5; {'yes' if i % 2 else 'no'}"
                for i in range(200)]
        rows[5] = rows[5].rsplit(";", 1)[0] + ";"
        table = self.write("eu.csv", "\n".join(["size; share; price; bought", *rows]).encode())
        answer = run("train", table, "--out", self.folder / "eu", "--epochs", "1")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("of [3], target bought (2 classes)", answer.stderr)
        self.assertIn("1 row of 200 left out: the target bought is missing", answer.stderr)
        new = self.write("new.csv", "size;share;price\n1.000,5;7%;\u20ac12,5\n".encode())
        self.assertEqual(run("predict", self.folder / "eu", new).stderr, "")
        one = self.write("one.csv", b"x,y\n1,a\n2,a\n3,a\n")
        self.refused(1, "train", one, "--out", self.folder / "one", mentions=("y has one class, a",))

    def test_errors(self):
        self.refused(2, "predict", self.folder / "none", self.others, "--out", self.folder / "p.txt",
                     mentions=("--out: expected a file that ends in .csv, .json or .npz", "p.txt"))
        self.refused(2, "predict", self.model, mentions="DATA")
        data, model = self.others.read_bytes(), (self.model / "model.json").read_bytes()
        self.refused(2, "predict", self.model, self.others, "--out", self.others, mentions="is the data")
        self.refused(2, "predict", self.model, self.others, "--out", self.model / "model.json", mentions="is the model")
        self.assertEqual((self.others.read_bytes(), (self.model / "model.json").read_bytes()), (data, model))
        self.refused(1, "predict", self.folder / "none", self.others, mentions="model.json")
        self.refused(1, "predict", self.model, self.folder / "none.csv", mentions="none.csv")
        self.refused(2, "predict", self.model, self.write("x.txt", b"text"), mentions="texts")
        self.refused(1, "generate", self.model, mentions="gyre predict")


if __name__ == "__main__":
    unittest.main()
