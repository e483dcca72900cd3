"""TensorBoard reads the event files of a training run, including one that was killed and resumed, with the same
numbers as log.jsonl.

To run it alone: `python3 tests/python/tensorboard_test.py` with the command in GYRE_BINARY (default:
build/release/bin/gyre).
"""

import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

try:
    from tensorboard.backend.event_processing import event_accumulator
except ImportError:
    event_accumulator = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("GYRE_BINARY", ROOT / "build/release/bin/gyre")).resolve()
TINY = ("--tokenizer", "char", "--layers", "1", "--heads", "1", "--width", "16", "--block", "16", "--batch", "4",
        "--eval-batches", "2", "--log-every", "1")
OF_A_STEP = ("loss", "lr", "gradient_norm", "tokens_per_second")
OF_A_VALIDATION = ("val_loss", "val_bits_per_byte")


def f32(number):
    return struct.unpack("f", struct.pack("f", number))[0]


@unittest.skipUnless(event_accumulator, "tensorboard is not installed; scripts/test --with-torch installs it")
class EventFiles(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.out = self.folder / "model"
        (self.folder / "text.txt").write_text("the quick brown fox jumps over the lazy dog. " * 200)

    def train(self, *words):
        answer = subprocess.run([BINARY, "train", *map(str, words), "--out", self.out], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stderr)

    def read(self):
        reader = event_accumulator.EventAccumulator(str(self.out), size_guidance={"scalars": 0, "tensors": 0})
        reader.Reload()
        return reader

    def events(self):
        return sorted(self.out.glob("events.out.tfevents.*"))

    def check_scalars(self):
        """Exactly the numbers of log.jsonl."""
        reader = self.read()
        lines = [json.loads(line) for line in (self.out / "log.jsonl").read_text().splitlines()]
        self.assertEqual(sorted(reader.Tags()["scalars"]), sorted(OF_A_STEP + OF_A_VALIDATION))
        for tag in OF_A_STEP + OF_A_VALIDATION:
            wanted = [(line["step"], f32(line[tag])) for line in lines if tag in line]
            self.assertEqual([(event.step, event.value) for event in reader.Scalars(tag)], wanted, tag)
        return lines

    def test_have_the_numbers_of_the_log(self):
        self.train(self.folder / "text.txt", *TINY, "--steps", 30, "--eval-every", 10)
        lines = self.check_scalars()
        self.assertEqual(len(lines), 33)
        self.assertEqual(len(self.events()), 1)

    def test_steps_after_the_checkpoint_are_void_when_a_training_goes_on(self):
        self.train(self.folder / "text.txt", *TINY, "--steps", 30, "--save-every", 10, "--eval-every", 10)
        # as if killed after step 30: newest checkpoint is step 10, last event is incomplete
        for step in (20, 30):
            for file in sorted((self.out / f"checkpoints/step-{step}").iterdir()):
                file.unlink()
            (self.out / f"checkpoints/step-{step}").rmdir()
        first, = self.events()
        first.write_bytes(first.read_bytes()[:-5])
        self.train("--resume", "--steps", 25)
        self.assertEqual(len(self.events()), 2)
        lines = self.check_scalars()
        self.assertEqual([line["step"] for line in lines if "loss" in line], list(range(1, 26)))


if __name__ == "__main__":
    unittest.main()
