"""`gyre bench`: the works, their lines, and peers that are not there."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from command import CommandTest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Bench(CommandTest):
    def works(self):
        return [json.loads(line)["work"] for line in self.good("bench", "--list", "--json").splitlines()]

    def test_list(self):
        works = self.works()
        self.assertEqual(len(works), len(set(works)))
        self.assertGreaterEqual(set(works), {"matmul_512", "mlp_batch32_step", "small_add", "point_exp", "chargpt_2000",
                                             "softmax_4096x1024_gradients", "attention_causal"})

    def test_line(self):
        row = self.json("bench", "matmul_256")
        self.assertEqual(row["work"], "matmul_256")
        self.assertGreater(row["min"], 0)
        self.assertLessEqual(row["min"], row["median"])
        self.assertLessEqual(row["median"], row["max"])
        self.assertAlmostEqual(row["of_limit"], row["limit"] / row["median"], delta=0.01 * row["of_limit"])
        self.assertGreaterEqual(row["peak_bytes"], 3 * 256 * 256 * 4)
        self.assertIsNone(row["peer"])
        self.assertIsNone(row["ratio"])

    def test_part_of_a_name(self):
        lines = self.good("bench", "small_", "--list").splitlines()
        self.assertEqual(len(lines), sum(name.startswith("small_") for name in self.works()))

    def test_absent_peer_gives_no_number(self):
        for python, reason in (("/nonexistent/python", "nonexistent"), ("true", "")):
            row = self.json("bench", "small_relu", "--peer", env={"GYRE_PEER_PYTHON": python}, cwd=ROOT)
            self.assertIsNone(row["peer"])
            self.assertIsNone(row["ratio"])
            self.assertIn(reason, row["peer_reason"])
            self.assertTrue(row["peer_reason"])
            self.assertGreater(row["median"], 0)

    def test_peers_answer_every_work_or_say_why_not(self):
        """Without torch every answer is a reason; unknown works and kinds are never timed."""
        asked = ["matmul_256 eager", "nonsense eager", "matmul_256 slow"]
        answer = subprocess.run([sys.executable, ROOT / "bench/peers.py"], input="\n".join(asked) + "\n", text=True,
                                capture_output=True, timeout=300, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        rows = [json.loads(line) for line in answer.stdout.splitlines()]
        self.assertEqual(len(rows), len(asked))
        self.assertTrue("seconds" in rows[0] or re.search("torch", rows[0]["reason"]))
        self.assertIn("reason", rows[1])
        self.assertIn("reason", rows[2])


if __name__ == "__main__":
    unittest.main()
