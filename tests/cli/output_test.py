"""Standard output that is full, closed or not a terminal."""

import json
import os
import subprocess
import unittest

from command import BINARY, CommandTest, run, sha256, start, tiny

QUICK = (["ops"], ["ops", "--json"], ["ops", "softmax"], ["devices"], ["devices", "--json"], ["--help"],
         ["train", "--help"], ["bench", "--list"], ["bench", "small_relu", "--json"])
COMPLAINT = r'^(gyre: standard output: .*|{"error":{"code":"io","op":"standard output",.*}})\n$'


class StandardOutput(CommandTest):
    def test_full_disk(self):
        for words in QUICK:
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                answer = run(*words, stdout=full)
                self.assertEqual(answer.returncode, 1)
                self.assertRegex(answer.stderr, COMPLAINT)

    def test_closed(self):
        for words in QUICK:
            with self.subTest(words=words):
                answer = subprocess.run(["sh", "-c", '"$0" "$@" >&-', BINARY, *words], capture_output=True, text=True)
                self.assertEqual(answer.returncode, 1)
                self.assertRegex(answer.stderr, COMPLAINT)

    def test_closed_streams_do_not_go_to_files(self):
        whole, _ = self.train("whole", "--steps", "30", "--log-every", "1")
        for closed in (">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                out = self.folder / closed
                words = ["sh", "-c", f'exec "$0" "$@" {closed}', BINARY, "train", self.text, "--out", out, *tiny(),
                         "--steps", "30", "--log-every", "1"]
                answer = subprocess.run(words, capture_output=True, timeout=60)
                self.assertEqual(answer.returncode, 0 if closed == "2>&-" else 1)
                for line in (out / "log.jsonl").read_text().splitlines():
                    self.assertIn("step", json.loads(line))
                self.assertEqual(sha256(out / "model.safetensors"), sha256(whole / "model.safetensors"))

    def test_closed_pipe(self):
        for words in QUICK:
            with self.subTest(words=words):
                reading, writing = os.pipe()
                os.close(reading)
                process = start(*words, stdout=writing)
                os.close(writing)
                _, complaint = process.communicate(timeout=60)
                self.assertEqual((process.returncode, complaint), (0, b""))

    def test_pipe_closed_during_generation(self):
        model, _ = self.train("m", "--steps", "2")
        process = start("generate", model, "--max-tokens", "100000")
        self.assertTrue(process.stdout.read(20))
        process.stdout.close()
        complaint = process.stderr.read()
        process.stderr.close()
        self.assertEqual((process.wait(timeout=60), complaint), (0, b""))

    def test_training_is_saved_without_a_reader(self):
        reading, writing = os.pipe()
        os.close(reading)
        out = self.folder / "m"
        words = ["train", self.text, "--out", out, "--tokenizer", "char", "--layers", "1", "--heads", "1", "--width",
                 "16", "--block", "16", "--steps", "3", "--warmup", "1", "--eval-batches", "1"]
        answer = run(*words, stdout=writing, stderr=writing)
        os.close(writing)
        self.assertEqual(answer.returncode, 0)
        self.assertTrue((out / "model.safetensors").is_file())

    def test_no_colours_and_progress_redraws_in_files(self):
        _, _ = self.train("m", "--steps", "30")
        answers = [run(*words) for words in QUICK]
        answers.append(run("train", self.text, "--out", self.folder / "n", "--steps", "3", "--width", "16", "--heads", "1",
                           "--tokenizer", "char", "--block", "16", "--eval-batches", "1"))
        for answer in answers:
            self.assertEqual(answer.returncode, 0, answer.stderr)
            for text in (answer.stdout, answer.stderr):
                self.assertNotIn("\033", text)
                self.assertNotIn("\r", text)


if __name__ == "__main__":
    unittest.main()
