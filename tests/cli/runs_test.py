"""Training runs: killed at any moment, on a full disk, with a config file, on data other than text."""

import json
import os
import pathlib
import random
import shutil
import signal
import struct
import subprocess
import time
import unittest

from command import CommandTest, run, sha256, start, tiny

KILLS = int(os.environ.get("GYRE_KILLS", "12"))  # use 500 for a long run


class Killed(CommandTest):
    def test_resumes_after_being_killed(self):
        steps, seed = str(30 * KILLS), random.randrange(1 << 30)
        draw = random.Random(seed)
        words = ("--log-every", "1", "--dropout", "0.1", "--steps", steps)
        out, done = self.folder / "killed", 0
        for kill in range(KILLS):
            resumed = ("--resume",) if (out / "checkpoints").is_dir() and done else ()
            if not resumed and out.exists():
                shutil.rmtree(out)
            process = start("train", *([] if resumed else [self.text]), "--out", out, *words,
                            "--save-every", "1", *([] if resumed else tiny()), *resumed)
            time.sleep(draw.uniform(0.02, 0.25) * (1 if done else kill + 1))  # a busy machine starts slowly
            process.send_signal(signal.SIGKILL)
            _, said = process.communicate()
            self.assertIn(process.returncode, (-signal.SIGKILL, 0), f"seed {seed}, kill {kill}: {said.decode()}")
            self.assertNotIn(b"is unusable", said, f"seed {seed}, kill {kill}")
            found = [int(p.name[5:]) for p in (out / "checkpoints").glob("step-*")]
            newest = max(found, default=0)
            self.assertGreaterEqual(newest, done, f"seed {seed}, kill {kill}")
            done = newest
        self.assertGreater(done, 0)
        report = self.json("train", "--out", out, "--resume", "--stop-at", str(min(int(steps), done + 3)))
        self.assertGreaterEqual(report["steps"], done)
        whole, _ = self.train("whole", *words, "--stop-at", str(report["steps"]), "--save-every", "0")
        self.assertEqual(sha256(whole / "model.safetensors"), sha256(out / "model.safetensors"))
        print(f"| killed {KILLS} times at random moments, {done} steps done: every start resumed")


class FullDisk(CommandTest):
    """On a file system of 8 MB, if the user may mount one."""

    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(self.disk)],
                              capture_output=True, text=True)
        if made.returncode:
            self.skipTest("cannot mount a small file system: " + made.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", str(self.disk)], check=False)

    def test_full_disk_loses_nothing(self):
        out = self.disk / "m"
        common = (self.text, "--out", out, *tiny(width=64), "--save-every", "10", "--steps", "40")
        self.good("train", *common, "--stop-at", "10")
        filler = self.disk / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        answer = run("train", *common, "--resume")
        self.assertEqual(answer.returncode, 1, answer.stderr)
        self.assertIn("space", answer.stderr)
        filler.unlink()
        self.assertEqual(self.json("train", *common, "--resume")["steps"], 40)
        whole, _ = self.train("whole", "--save-every", "10", "--steps", "40", width=64)
        self.assertEqual(sha256(whole / "model.safetensors"), sha256(out / "model.safetensors"))


class Config(CommandTest):
    def test_config_file(self):
        config = json.loads(self.good("train", self.text, "--out", self.folder / "m", *tiny(), "--steps", "6",
                                      "--optimizer", "lion", "--dtype", "bf16", "--print-config"))
        self.assertEqual((config["steps"], config["optimizer"], config["dtype"]), (6, "lion", "bf16"))
        self.assertEqual(config["data"], [str(self.text)])
        self.assertFalse((self.folder / "m").exists(), "nothing is done")
        path = self.write("config.json", json.dumps(config).encode())
        self.assertEqual(self.json("train", "--config", path)["steps"], 6)
        by_hand, _ = self.train("hand", "--steps", "6", "--optimizer", "lion", "--dtype", "bf16")
        self.assertEqual(sha256(self.folder / "m" / "model.safetensors"), sha256(by_hand / "model.safetensors"))

    def test_invalid_config_files(self):
        out = self.folder / "m"
        for content, mentions in ((b'{"stepz": 3}', ("stepz", "steps")), (b'{"steps": "many"}', ("steps",)),
                                  (b'{"steps": 3, "steps": 4}', ("steps",)), (b"", ()), (b"[]", ()),
                                  (b'{"lr": 1e-3, "min_lr": 1}', ("min-lr",)), (b'{"optimizer": "adamm"}', ("adam",))):
            path = self.write("config.json", content)
            for code in (1, 2):
                answer = run("train", self.text, "--out", out, "--config", path, *tiny())
                self.assertIn(answer.returncode, (1, 2), content)
                for word in mentions:
                    self.assertIn(word, answer.stderr, content)
            self.assertFalse(out.exists(), content)

    def test_optimizers_and_their_options(self):
        for optimizer, more in (("sgd", "momentum=0.9,nesterov=true"), ("adam", "amsgrad=true"), ("lion", ""),
                                ("muon", "ns_dtype=bf16"),
                                ("adamw", '{"eps": 1e-6}')):
            _, report = self.train(optimizer, "--steps", "5", "--optimizer", optimizer, "--optimizer-options", more)
            self.assertEqual(report["steps"], 5)
        self.refused(2, "train", self.text, "--out", self.folder / "x", *tiny(), "--optimizer", "adamw",
                     "--optimizer-options", "momentum=0.9",
                     mentions="momentum")

    def test_nan_names_the_op(self):
        for check, told in (("--check-nan", r"step \d+"), ("--check-overflow", r"produces (-?infinity|NaN) at")):
            answer = run("train", self.text, "--out", self.folder / check, *tiny(warmup=0), "--steps", "200", "--lr",
                         "1e30", "--clip", "0", check)
            self.assertEqual(answer.returncode, 1, answer.stderr)
            self.assertRegex(answer.stderr, told)

    def test_samples_trace_and_report(self):
        out = self.folder / "m"
        answer = run("train", self.text, "--out", out, *tiny(), "--steps", "20", "--sample-every", "10",
                     "--sample-prompt", "the", "--trace", self.folder / "trace.json", "--ema", "0.9", "--schedule", "wsd")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("sample at step 10:", answer.stderr)
        self.assertIn("matmul", answer.stderr)
        events = json.loads((self.folder / "trace.json").read_text())
        self.assertTrue(any(event.get("name") == "linear" for event in events))
        entries = [json.loads(line) for line in (out / "log.jsonl").read_text().splitlines()]
        self.assertTrue(any(entry.get("sample", "").startswith("the") for entry in entries))
        self.assertIn("<svg", (out / "report.html").read_text())
        self.assertTrue(list(out.glob("events.out.tfevents.*")))


class OtherData(CommandTest):
    def idx(self, name, kind, shape, data):
        header = bytes([0, 0, kind, len(shape)]) + b"".join(struct.pack(">I", n) for n in shape)
        return self.write(name, header + bytes(data))

    def test_images(self):
        draw = random.Random(1)
        labels = [i % 10 for i in range(400)]
        images = [255 if r == label * 2 + 3 else draw.randrange(60) for label in labels
                  for r in range(28) for _ in range(28)]
        self.idx("train-images-idx3-ubyte", 8, (400, 28, 28), images)
        self.idx("train-labels-idx1-ubyte", 8, (400,), labels)
        report = self.json("train", f"mnist:{self.folder}", "--out", self.folder / "m", "--epochs", "6", "--workers", "2")
        self.assertGreater(report["val_accuracy"], 0.9)
        self.assertEqual(report["unit"], "samples")

    def test_tables(self):
        draw = random.Random(1)
        rows = ["size,colour,kind"]
        for i in range(200):
            kind = i % 2
            rows.append(f"{draw.gauss(kind * 10, 1):.3f},{draw.choice(['red', 'blue'])},{'ab'[kind]}")
        table = self.write("table.csv", "\n".join(rows).encode())
        answer = run("train", table, "--out", self.folder / "m", "--epochs", "20")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("accuracy 100.00 %", answer.stdout)
        self.refused(1, "train", table, "--out", self.folder / "n", "--target", "knd", mentions="knd")
        ragged = self.write("ragged.csv", b"a,b\n1,2\n3\n")
        self.refused(1, "train", ragged, "--out", self.folder / "n", mentions="line 3")
        self.assertFalse((self.folder / "n").exists())

    def test_model_of_the_documentation(self):
        page = (pathlib.Path(__file__).parents[2] / "docs/training.md").read_text()
        model = self.write("net.json", page.split("```json")[1].split("```")[0].encode())
        draw = random.Random(1)
        rows = ["length,width,colour,kind"]
        for i in range(300):
            rows.append(f"{draw.gauss(i % 3, .2):.3f},{draw.gauss(1, 1):.3f},{'red' if i % 2 else 'blue'},{'abc'[i % 3]}")
        table = self.write("table.csv", "\n".join(rows).encode())
        report = self.json("train", table, "--out", self.folder / "m", "--model", model, "--epochs", "30",
                           "--lr", "0.01")
        self.assertGreater(report["val_accuracy"], 0.9)
        wrong = self.write("wrong.json", b'[{"layer": "Linaer"}]')
        self.refused(1, "train", table, "--out", self.folder / "n", "--model", wrong,
                     mentions=("wrong.json", "layers[0]", "Linear"))

    def test_tokens(self):
        out, _ = self.train("text", "--steps", "2")
        tokenizer = out / "tokenizer.json"
        size = json.loads((out / "config.json").read_text())["vocab"]
        ids = [i * 7 % size for i in range(5000)]
        tokens = self.write("train.bin", struct.pack(f"<{len(ids)}H", *ids))
        words = ("--out", self.folder / "m", *tiny(tokenizer=tokenizer), "--steps", "4")
        report = self.json("train", tokens, tokens, *words)
        self.assertIsNotNone(report["val_loss"])
        for fraction in ("0.2", "0"):
            report = self.json("train", tokens, "--out", self.folder / fraction, *words[2:], "--val-fraction", fraction)
            self.assertEqual(report["val_loss"] is None, fraction == "0")
        alone = ("train", tokens, "--out", self.folder / "n", *words[2:])
        self.refused(2, *alone, "--val-fraction", "0.9999", mentions=("the training part has", "a smaller --val-fraction"))
        self.refused(2, *alone, "--val-fraction", "0.0001", mentions=("the validation part has", "a larger --val-fraction"))
        self.refused(2, "train", tokens, self.write("few.bin", bytes(4)), *alone[2:],
                     mentions="the validation file has 2 tokens, too few for a block of")
        self.refused(2, *alone, "--split", "records", mentions="token files have no records to --split; set --split to end")
        self.write("bad.bin", struct.pack("<1000H", *[60000] * 1000))
        self.refused(1, "train", self.folder / "bad.bin", "--out", self.folder / "n", *words[2:], mentions="60000")
        self.refused(2, "train", tokens, self.text, *words, mentions="together")


if __name__ == "__main__":
    unittest.main()
