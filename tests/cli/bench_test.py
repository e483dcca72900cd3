"""`gyre bench`: list, result rows and missing peers."""

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
        return [work["work"] for work in self.json("bench", "--list")]

    def test_list(self):
        works = self.works()
        self.assertEqual(len(works), len(set(works)))
        self.assertGreaterEqual(set(works), {"matmul_512", "mlp_batch32_step", "small_add", "point_exp", "chargpt_2000",
                                             "softmax_4096x1024_gradients", "attention_causal", "gpt2_decode_128_d4",
                                             "row_product_11008_d4", "packed_linear_32_t4_gradients", "packed_step_32"})

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

    def test_busy_fraction(self):
        row = self.json("bench", "matmul_256", "--busy")
        for share in ("busy", "in_kernels"):
            self.assertGreater(row[share], 0)
            self.assertLess(row[share], 1.05)
            self.assertNotIn(share, self.json("bench", "matmul_256"))

    def test_packed_weights(self):
        row = self.json("bench", "row_product_11008_d4")
        self.assertAlmostEqual(row["gweights_per_s"], 4096 * 11008 / row["median"] / 1e3, delta=0.01 * row["gweights_per_s"])
        self.assertAlmostEqual(row["error"], 0.0747, delta=0.001)
        self.assertNotIn("peer_error", row)
        self.assertIn("Gweights/s", self.good("bench", "packed_encode_t2"))
        dense = self.json("bench", "row_product_11008_f32")
        self.assertNotIn("error", dense)
        self.assertGreater(dense["peak_bytes"], 256e6)
        self.assertNotIn("gweights_per_s", self.json("bench", "matmul_256"))

    def test_name_substring(self):
        lines = self.good("bench", "small_", "--list").splitlines()
        self.assertEqual(len(lines), sum(name.startswith("small_") for name in self.works()))

    def test_missing_peer(self):
        for python, reason in (("/nonexistent/python", "nonexistent"), ("true", "")):
            row = self.json("bench", "small_relu", "--peer", env={"GYRE_PEER_PYTHON": python}, cwd=ROOT)
            self.assertIsNone(row["peer"])
            self.assertIsNone(row["ratio"])
            self.assertIn(reason, row["peer_reason"])
            self.assertTrue(row["peer_reason"])
            self.assertGreater(row["median"], 0)

    def test_peers_are_checked(self):
        self.refused(2, "bench", "small_add", "--against", "onednn", mentions="--against needs --peer")
        self.refused(2, "bench", "small_add", "--peer", "--against", "onednn,foo", mentions=("'foo'", "openblas"))

    def test_one_row_per_peer(self):
        lines = self.good("bench", "small_add", "small_relu", "--peer", "--against", "eager,onednn", "--json", cwd=ROOT,
                          env={"GYRE_PEER_PYTHON": "/nonexistent/python"}).splitlines()
        self.assertEqual([json.loads(line)["work"] for line in lines],
                         ["small_add", "small_add", "small_relu", "small_relu"])

    def ask(self, *lines, **env):
        """The answers of peers.py; it builds in the folder of this case."""
        answer = subprocess.run([sys.executable, ROOT / "bench/peers.py"], input="\n".join(lines) + "\n", text=True,
                                capture_output=True, timeout=300,
                                env={**os.environ, "CUDA_VISIBLE_DEVICES": "", "TMPDIR": str(self.folder), **env})
        rows = [json.loads(line) for line in answer.stdout.splitlines()]
        self.assertEqual(len(rows), len(lines), answer.stderr)
        return rows

    def test_peers_answer_or_give_a_reason(self):
        """Without torch every answer is a reason; unknown benchmarks and kinds are never timed."""
        rows = self.ask("matmul_256 eager", "nonsense eager", "matmul_256 slow", "matmul_256")
        self.assertTrue("seconds" in rows[0] or re.search("torch", rows[0]["reason"]))
        self.assertIn("reason", rows[1])
        self.assertIn("'slow' is not", rows[2]["reason"])
        self.assertIn("'' is not", rows[3]["reason"])

    def test_gemm_libraries(self):
        rows = self.ask("matmul_256 onednn", "matmul_256 openblas", "matmul_bf16_1024 openblas", "small_add onednn",
                        "small_add openblas")
        for row, name, package in zip(rows, ("oneDNN", "OpenBLAS"), ("libdnnl-dev", "libopenblas-pthread-dev")):
            if "reason" in row:
                self.assertEqual(row["reason"], f"{package} is not installed")
            else:
                self.assertRegex(row["peer"], rf"^{name} \d+\.\d+\.\d+")
                self.assertGreater(row["seconds"], 0)
        self.assertRegex(rows[2]["reason"], "no product of bf16|not installed")
        self.assertEqual([row["reason"] for row in rows[3:]], ["onednn has no such work", "openblas has no such work"])

    def test_packed_peers(self):
        rows = self.ask("packed_linear_1_d4 onnxruntime", "packed_linear_1_d4 llama_q4_0", "small_add onnxruntime",
                        "small_add llama_f32", "packed_linear_1_d4_gradients llama_f32", "gpt2_decode_128 onnxruntime",
                        "gpt2_decode_128 llama_iq2_s", "packed_linear_1_d4 llama_q9")
        for row, name, missing in zip(rows, ("onnxruntime", r"llama\.cpp Q4_0"), ("No module named|not installed",) * 2):
            if "reason" in row:
                self.assertRegex(row["reason"], missing)
            else:
                self.assertRegex(row["peer"], name)
                self.assertGreater(row["seconds"], 0)
                self.assertAlmostEqual(row["error"], 0.0855, delta=0.001)
        for row, kind in zip(rows[2:], ("onnxruntime", "llama_f32", "llama_f32", "onnxruntime", "llama_iq2_s")):
            self.assertEqual(row["reason"], f"{kind} has no such work")
        self.assertIn("'llama_q9' is not", rows[7]["reason"])

    def test_missing_gemm_libraries(self):
        self.write("g++", b"#!/bin/sh\necho ${1#-print-file-name=}\n").chmod(0o755)
        rows = self.ask("matmul_256 onednn", "matmul_256 openblas", PATH=str(self.folder))
        self.assertEqual([row["reason"] for row in rows],
                         ["libdnnl-dev is not installed", "libopenblas-pthread-dev is not installed"])


if __name__ == "__main__":
    unittest.main()
