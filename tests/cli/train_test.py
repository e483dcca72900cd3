"""Training: output files, stopping and resuming with identical bytes, independence of threads, and
failing allocations."""

import json
import math
import os
import signal
import time
import unittest

from command import UNDER_TSAN, CommandTest, run, sha256, start, tiny


class Training(CommandTest):
    def test_report_and_files(self):
        out, report = self.train("m", "--steps", "60", "--lr", "1e-2", "--eval-every", "20", "--save-every", "30")
        self.assertGreaterEqual(set(report), {"steps", "train_loss", "val_loss", "val_bits_per_byte", "seconds",
                                              "tokens_per_second", "peak_bytes", "checkpoint"})
        self.assertEqual(report["steps"], 60)
        self.assertLess(report["val_loss"], math.log(28))  # better than a uniform guess over its characters
        for name in ("config.json", "model.safetensors", "tokenizer.json", "log.jsonl", "loss.svg"):
            self.assertTrue((out / name).is_file(), name)
        self.assertGreaterEqual({p.name for p in (out / "checkpoints").iterdir()}, {"step-30", "step-60"})
        steps = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
        self.assertTrue(steps)

    def test_a_report_compares_runs(self):
        def comparison(out):
            page = (out / "report.html").read_text()
            return page.split("<h2>Compared with other runs</h2>")[1].split("</section>")[0]

        steps = ("--steps", "20", "--eval-every", "5")
        dense, _ = self.train("dense", *steps)
        self.assertNotIn("Compared", (dense / "report.html").read_text())
        packed, report = self.train("packed", *steps, "--packed", "T4", "--compare", dense, width=64)
        self.assertEqual(comparison(packed).count("<polyline"), 2)
        self.assertEqual(comparison(packed).count("<circle"), 8)
        for name in (">dense<", ">packed<", "Validation loss"):
            self.assertIn(name, comparison(packed))
        third, _ = self.train("third", *steps)
        self.json("train", "--out", dense, "--resume", "--compare", f"{packed},{third}")  # no step is left
        self.assertEqual(comparison(dense).count("<polyline"), 3)
        self.refused(2, "train", self.text, "--out", self.folder / "n", "--compare", self.folder / "nothere",
                     mentions=("--compare", "nothere holds no training run"))
        self.assertFalse((self.folder / "n").exists())

    def test_resumed_run_equals_uninterrupted_run(self):
        whole, _ = self.train("whole", "--steps", "50")
        parts, first = self.train("parts", "--steps", "50", "--stop-at", "20")
        self.assertEqual(first["steps"], 20)
        self.assertEqual(self.json("train", self.text, "--out", parts, "--resume")["steps"], 50)
        self.assertEqual(sha256(whole / "model.safetensors"), sha256(parts / "model.safetensors"))

    def test_resuming_a_finished_run(self):
        out, first = self.train("m", "--steps", "6")
        again = self.json("train", "--out", out, "--resume")
        for name in ("steps", "train_loss", "val_loss", "val_bits_per_byte"):
            self.assertEqual(again[name], first[name], name)
        self.assertEqual(again["new_steps"], 0)
        page, last = (out / "report.html").read_text(), json.loads((out / "log.jsonl").read_text().splitlines()[-2])
        self.assertIn(f"<dt>tokens per second</dt><dd>{last['tokens_per_second']:.0f}</dd>", page)
        self.assertNotIn("peak tensor memory", page)
        said = self.good("train", "--out", out, "--resume")
        self.assertIn("no steps left", said)
        self.assertIn(f"training loss {first['train_loss']:.4f}, validation loss {first['val_loss']:.4f}", said)

    def test_no_validation(self):
        out, report = self.train("m", "--steps", "3", "--val-fraction", "0")
        self.assertIsNone(report["val_loss"])
        self.assertIn("no validation", self.good("train", "--out", out, "--resume"))
        _, none = self.train("n", "--steps", "0")
        self.assertIsNone(none["train_loss"])
        self.assertIsNone(none["val_loss"])

    def test_extending_a_run(self):
        out = self.folder / "m"
        self.good("train", self.text.name, "--out", out, *tiny(), "--steps", "3", cwd=self.folder)
        self.assertEqual(self.json("train", "--out", out, "--resume", "--steps", "5")["steps"], 5)
        self.refused(2, "train", "--out", out, "--resume", "--steps", "4", mentions=("--steps 4", "5 steps"))
        self.text.write_text("something else. " * 200)
        self.refused(2, "train", "--out", out, "--resume", "--steps", "6", mentions="data differ")

    def test_model_too_large(self):
        for option in (("--layers", "10000", "--width", "10000"), ("--width", "100000000"), ("--block", "1000000000000"),
                       ("--batch", "1000000000")):
            self.refused(1, "train", self.text, "--out", self.folder / "m", *option, mentions=("parameters", "memory"))
            self.assertFalse((self.folder / "m").exists())

    def test_result_does_not_depend_on_threads(self):
        sums = set()
        for threads in (1, 2, 3, 7):
            out, _ = self.train(f"m{threads}", "--steps", "50", "--dropout", "0.1", "--threads", threads)
            sums.add(sha256(out / "model.safetensors"))
        self.assertEqual(len(sums), 1)

    def test_seed_matters(self):
        one, _ = self.train("one", "--steps", "3", "--seed", "1")
        two, _ = self.train("two", "--steps", "3", "--seed", "2")
        self.assertNotEqual(sha256(one / "model.safetensors"), sha256(two / "model.safetensors"))

    def interrupt(self, out, how, *words):
        process = start("train", self.text, "--out", out, *tiny(), "--steps", "100000000", "--log-every", "1", *words)
        log = out / "log.jsonl"
        while not (log.is_file() and log.stat().st_size > 0) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(how)
        process.send_signal(how)  # like a signal sent to the process and its group
        try:
            answer, complaint = process.communicate(timeout=60)
        finally:
            process.kill()
        self.assertIn(f"gyre train --out {out} --resume\n", answer.decode())
        return process.returncode, complaint.decode()

    def test_interrupted_training_is_saved(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=how.name):
                out = self.folder / how.name
                code, complaint = self.interrupt(out, how)
                self.assertEqual(code, 130, complaint)
                [checkpoint] = (out / "checkpoints").iterdir()
                done = int(checkpoint.name.removeprefix("step-"))
                report = self.json("train", self.text, "--out", out, "--resume", "--stop-at", done + 5)
                self.assertEqual(report["steps"], done + 5)

    def test_interrupted_between_batches(self):
        out = self.folder / "m"
        process = start("train", self.text, "--out", out, *tiny(), "--accumulate", "100000000")
        while (line := process.stderr.readline()) and b"transformer of" not in line:
            pass
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        answer, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("after 0 steps: no training loss, no validation", answer.decode())

    @unittest.skipIf(UNDER_TSAN, "ThreadSanitizer delays signals while a file is opened")
    def test_interrupted_during_preparation(self):
        text = self.folder / "pipe"  # without a writer
        os.mkfifo(text)
        for how in (signal.SIGINT, signal.SIGTERM):
            for there in (False, True):
                with self.subTest(signal=how.name, there=there):
                    out = self.folder / f"{how.name}-{there}"
                    if there:
                        out.mkdir()
                    process = start("train", text, "--out", out, *tiny(), "--steps", "2")
                    self.assertIn(b"reading", process.stderr.readline())
                    self.refused(1, "train", self.text, "--out", out, *tiny(),
                                 mentions="in use by another training run")
                    process.send_signal(how)
                    process.communicate(timeout=60)
                    self.assertEqual(process.returncode, 130)
                    self.assertEqual(list(out.iterdir()) if there else out.exists(), [] if there else False)
                    self.good("train", self.text, "--out", out, *tiny(), "--steps", "2")
                    self.assertFalse((out / ".lock").exists())

    def test_killed_during_preparation(self):
        text, out = self.folder / "pipe", self.folder / "m"
        os.mkfifo(text)
        process = start("train", text, "--out", out, *tiny(), "--steps", "2")
        self.assertIn(b"reading", process.stderr.readline())
        process.kill()
        process.communicate(timeout=60)
        (out / f".gyre-{process.pid}-2.tmp").touch()  # like a run killed while writing a file
        self.good("train", self.text, "--out", out, *tiny(), "--steps", "2")
        self.assertEqual([path.name for path in out.rglob(".*")], [])

    def test_interrupted_during_validation(self):
        whole, expected = self.train("whole", "--steps", "4", "--eval-every", "2")
        out = self.folder / "m"
        process = start("train", self.text, "--out", out, *tiny(eval_batches=100000000), "--steps", "4",
                        "--eval-every", "2", "--log-every", "1")
        log = out / "log.jsonl"
        while not (log.is_file() and log.read_text().count("\n") == 2):  # the step is logged, then validated
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        answer, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertIn("after 2 steps", answer.decode())
        report = self.json("train", "--out", out, "--resume", "--eval-batches", "2")
        self.assertEqual(report["val_loss"], expected["val_loss"])
        self.assertEqual([json.loads(line)["step"] for line in log.read_text().splitlines() if "val_loss" in line],
                         [2, 4])
        self.assertEqual(sha256(whole / "model.safetensors"), sha256(out / "model.safetensors"))

    def test_other_commands_are_interrupted(self):
        model, _ = self.train("m", "--steps", "2")
        process = start("generate", model, "--max-tokens", "100000000")
        process.stdout.read(10)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)

    def test_failing_allocations(self):
        failed = 0
        for n in range(1, 201):
            out = self.folder / f"m{n}"
            answer = run("train", self.text, "--out", out, *tiny(), "--steps", "3", env={"GYRE_FAIL_ALLOC": str(n)})
            if answer.returncode == 0:  # fewer requests than n
                self.assertTrue((out / "model.safetensors").is_file())
                continue
            failed += 1
            self.assertEqual(answer.returncode, 1, f"GYRE_FAIL_ALLOC={n}: {answer.stderr}")
            self.assertRegex(answer.stderr.splitlines()[-1], "^gyre: ", f"GYRE_FAIL_ALLOC={n}")
            self.assertFalse((out / "model.safetensors").exists(), f"GYRE_FAIL_ALLOC={n}")
        print(f"| GYRE_FAIL_ALLOC=1..200 in a training run: {failed} exited with code 1")
        self.assertEqual(failed, 200)


class Generation(CommandTest):
    def test_same_seed_same_text(self):
        model, _ = self.train("m", "--steps", "20")
        words = ("generate", model, "--prompt", "the ", "--max-tokens", "30")
        one = self.json(*words, "--seed", "1")
        self.assertEqual(one["text"], self.json(*words, "--seed", "1")["text"])
        self.assertNotEqual(one["text"], self.json(*words, "--seed", "2")["text"])
        self.assertEqual(len(one["ids"]), 4 + 30)
        self.assertTrue(one["text"].startswith("the "))
        self.assertEqual(self.good(*words, "--seed", "1"), one["text"] + "\n")
        ids = ",".join(map(str, one["ids"][:4]))
        for text in (ids, ids.replace(",", ", ")):
            self.assertEqual(self.json("generate", model, "--ids", text, "--max-tokens", "30", "--seed", "1")["ids"],
                             one["ids"])

    def test_greedy_and_stop(self):
        model, _ = self.train("m", "--steps", "60", "--lr", "1e-2")
        greedy = self.json("generate", model, "--prompt", "the ", "--greedy", "--max-tokens", "12")
        again = self.json("generate", model, "--prompt", "the ", "--greedy", "--max-tokens", "12")
        for name in ("text", "ids", "new_tokens"):
            self.assertEqual(again[name], greedy[name])
        made = greedy["text"][4:]
        cut = self.json("generate", model, "--prompt", "the ", "--greedy", "--max-tokens", "12", "--stop", made[3:5])
        self.assertEqual(cut["text"], "the " + made[:made.find(made[3:5])])


class Tokens(CommandTest):
    def test_train_encode_decode(self):
        path = self.folder / "t.json"
        learned = self.json("tokenize", "--train", self.text, "--vocab-size", "300", "--out", path)
        self.assertLessEqual(learned["vocab_size"], 300)
        short = self.write("short.txt", b"abc abc")
        words = ("tokenize", "--train", short, "--vocab-size", "300", "--out", self.folder / "short.json")
        why = "the vocabulary has 259 tokens instead of 300: no pair of tokens is left in the text"
        self.assertEqual(self.json(*words)["note"], why)
        self.assertIn(why, self.good(*words))
        text = "the quick f\u00f8x \U0001f98a\n"
        ids = self.json("tokenize", path, text)["ids"]
        for comma in (",", ", ", " , "):
            self.assertEqual(self.json("tokenize", path, "--decode", "--ids", comma.join(map(str, ids)))["text"], text)
        lines = self.write("l.jsonl", (json.dumps(text) + "\n" + json.dumps("the") + "\n").encode())
        answers = self.good("tokenize", path, "--jsonl", lines, "--json").splitlines()
        self.assertEqual([json.loads(line)["ids"] for line in answers],
                         [ids, self.json("tokenize", path, "the")["ids"]])
        source = self.write("f.txt", text.encode())
        self.assertEqual(self.json("tokenize", path, "--file", source)["ids"], ids)
        self.assertEqual(self.good("tokenize", path, "the").split(),
                         [str(i) for i in self.json("tokenize", path, "the")["ids"]])
        self.refused(1, "tokenize", path, "--decode", "--ids", "999999", mentions="999999")

    def test_text_equal_to_a_command_name(self):
        path = self.folder / "t.json"
        self.json("tokenize", "--train", self.text, "--vocab-size", "256", "--out", path)
        self.assertEqual(len(self.json("tokenize", path, "train")["ids"]), 5)


class Inspection(CommandTest):
    def test_model_folder(self):
        model, report = self.train("m", "--steps", "2")
        files = {f["kind"]: f for f in self.json("inspect", model)["files"]}
        self.assertEqual(files["safetensors"]["parameters"], report["parameters"])
        self.assertEqual(files["tokenizer"]["vocab_size"], len(set(self.text.read_text())))
        self.assertEqual(files["json"]["content"]["width"], 16)
        one = self.json("inspect", model / "model.safetensors")
        self.assertEqual(sum(math.prod(t["shape"]) for t in one["tensors"]), one["parameters"])
        self.assertIn("model.safetensors", self.good("inspect", model))


if __name__ == "__main__":
    unittest.main()
