"""`gyre compress` and `gyre perplexity`: what they write and print, and what they refuse."""

import json
import shutil
import signal
import time
import unittest

from command import TEXT, UNDER_SANITIZER, CommandTest, run, start

FORMATS = "D4, D3, D2, D1, T4, T2, q8_0, q4_0, int8, nf4, vq, low_rank, F"


class Compress(CommandTest):
    def setUp(self):
        super().setUp()
        self.model, _ = self.train("m", width=64, steps=30)

    def compress(self, *options):
        return json.loads(self.good("compress", self.model, *options, "--json"))

    def perplexity(self, model, *options):
        return json.loads(self.good("perplexity", model, "--file", self.text, *options, "--json"))

    def test_a_packed_model_is_small_and_serves_every_command(self):
        dense = self.perplexity(self.model)
        before = {path.name: path.read_bytes() for path in self.model.iterdir() if path.is_file()}
        for bits, form in enumerate(("D1", "D2", "D3", "D4"), 1):
            out = self.folder / form
            report = self.compress("--format", form, "--out", out)
            self.assertEqual(report["bytes"], (out / "model.safetensors").stat().st_size)
            packed = [t for t in report["tensors"] if t["format"] == form]
            self.assertTrue(packed)
            for tensor in packed:
                self.assertLess(8 * tensor["bytes"] / tensor["weights"], 1.4 * bits + .3)
                self.assertTrue(0 < tensor["error"] < .7)
            self.assertEqual({path.name for path in out.iterdir()}, {"config.json", "model.safetensors", "tokenizer.json"})
            self.assertEqual(self.perplexity(out)["tokens"], dense["tokens"])
            self.assertTrue(self.good("generate", out, "--prompt", "the", "--max-tokens", "5").startswith("the"))
            shown = json.loads(self.good("inspect", out, "--json"))
            file = next(f for f in shown["files"] if f["kind"] == "safetensors")
            self.assertEqual({t["name"] for t in file["tensors"] if t["dtype"] == form}, {t["name"] for t in packed})
            self.assertEqual(file["parameters"], sum(t["weights"] for t in report["tensors"]))
        self.assertLess(self.perplexity(self.folder / "D4")["perplexity"], 1.2 * dense["perplexity"])
        self.assertEqual(before, {path.name: path.read_bytes() for path in self.model.iterdir() if path.is_file()})

    def test_formats_without_rings_serve_every_command(self):
        dense = self.perplexity(self.model)["perplexity"]
        for form in FORMATS.split(", ")[6:]:
            out = self.folder / form
            report = self.compress("--format", form, "--out", out)
            self.assertEqual(report["bytes"], (out / "model.safetensors").stat().st_size)
            self.assertTrue(any(t["format"] == form and t["error"] <= 1 for t in report["tensors"]))
            if form in ("q8_0", "q4_0", "int8", "nf4"):
                self.assertLess(self.perplexity(out)["perplexity"], 1.1 * dense)
            self.good("generate", out, "--prompt", "the", "--max-tokens", "5")
            self.refused(1, "generate", out, "--int8-activations", mentions="--int8-activations has no effect")
            shown = json.loads(self.good("inspect", out, "--json"))
            self.assertTrue(any(t["dtype"] == form for f in shown["files"] for t in f.get("tensors", [])))
        self.refused(2, "train", self.text, "--init", out, "--out", self.folder / "on",
                     mentions=("--init", f"packed in {form} cannot be trained"))
        mixed = self.compress("--policy", "h.0.attn*=nf4", "--calibrate", self.text, "--out", self.folder / "mixed")
        self.assertIn("nf4", {t["format"] for t in mixed["tensors"]})
        only = self.compress("--format", "q8_0", "--calibrate", self.text, "--out", self.folder / "only")
        self.assertLess(only["kl"], 0.01)
        self.refused(2, "compress", self.model, "--format", "q8_0", "--calibrate", self.text, "--polish", "3", "--out",
                     self.folder / "no", mentions=("--polish", "q8_0"))
        larger = self.compress("--target", "7", "--out", self.folder / "larger")
        self.assertIn("q8_0", {t["format"] for t in larger["tensors"]})

    def memory_of(self, model):
        """What generate, perplexity and logits say of their memory: weights as stored, as f32, and peaks."""
        text = ("--file", self.text, "--max-tokens", "64")
        tokens = self.write("tokens.json", json.dumps({"input_ids": [list(range(16))]}).encode())
        logits = ("--tokens", tokens, "--out", self.folder / "logits.npy")
        threads = {"GYRE_THREADS": "2"}  # each has buffers of its own
        answers = [self.json("generate", model, "--prompt", "the", "--max-tokens", "20", env=threads),
                   self.json("perplexity", model, *text, env=threads),
                   self.json("logits", model, *logits, env=threads)]
        self.assertEqual(len({(a["weight_bytes"], a["weight_bytes_f32"]) for a in answers}), 1)
        for shown in (self.good("perplexity", model, *text), self.good("logits", model, *logits)):
            self.assertRegex(shown, r"\npeak memory [\d.]+ MB beyond [^;]+; weights [\d.]+ MB, [\d.]+ MB as f32\n$")
        return answers[0]["weight_bytes"], answers[0]["weight_bytes_f32"], [a["peak_memory_bytes"] for a in answers]

    @unittest.skipIf(UNDER_SANITIZER, "the sanitizer adds memory of its own")
    def test_packed_weights_are_never_dense_as_a_whole(self):
        model, trained = self.train("large", width=384, heads=4, layers=4, batch=1, steps=2, val_fraction=0)
        packed = self.folder / "packed"
        self.good("compress", model, "--out", packed)
        dense = 4 * trained["parameters"]
        self.assertEqual(self.memory_of(model)[:2], (dense, dense))
        stored, as_f32, peaks = self.memory_of(packed)
        self.assertEqual(as_f32, dense)
        self.assertLess(stored, dense / 7)
        for peak in peaks:
            self.assertTrue(stored < peak < dense, (stored, peaks, dense))

    @unittest.skipIf(UNDER_SANITIZER, "the sanitizer adds memory of its own")
    def test_the_memory_of_a_model_does_not_count_the_text(self):
        long = self.write("long.txt", (TEXT * 500).encode())  # with tokens of 36 MB
        peaks = [self.json("perplexity", self.model, "--file", file, "--max-tokens", "64")["peak_memory_bytes"]
                 for file in (self.text, long)]
        self.assertLess(abs(peaks[1] - peaks[0]), 3e6, peaks)

    def test_a_table_shows_what_was_packed(self):
        shown = self.good("compress", self.model, "--out", self.folder / "small").splitlines()
        head, rows = shown[0], [line for line in shown if line.startswith("  ")][1:]
        self.assertEqual(head.split(), ["tensor", "format", "weights", "bytes", "error"])
        self.assertEqual(len(rows), len(self.json("compress", self.model, "--out", self.folder / "again")["tensors"]))
        self.assertEqual({len(row) for row in rows}, {len(head)}, "aligned")
        self.assertEqual({len(row.split()) for row in rows}, {5})

    def test_8_bit_activations_are_refused_where_they_have_no_effect(self):
        model, _ = self.train("untied", "--no-tie-embeddings", width=256, steps=2)
        tokens = self.write("tokens.json", b'{"input_ids": [[1, 2]]}')
        calls = (("generate", ("--prompt", "the", "--max-tokens", "2")), ("perplexity", ("--file", self.text)),
                 ("logits", ("--tokens", tokens, "--out", self.folder / "logits.npy")))
        cases = (("wte.weight=D4,*=f32", False), ("lm_head.weight=q8_0,*=f32", False), ("lm_head.weight=D4,*=f32", True))
        for number, (policy, used) in enumerate(cases):
            small = self.folder / f"small-{number}"
            self.good("compress", model, "--policy", policy, "--out", small)
            for command, options in calls:
                for folder in (small, model):
                    if used and folder == small:
                        self.good(command, folder, *options, "--int8-activations")
                    else:
                        self.refused(1, command, folder, *options, "--int8-activations",
                                     mentions=("--int8-activations has no effect", "gyre compress"))

    def test_the_same_words_on_any_number_of_threads(self):
        files = set()
        for threads in ("1", "2", "7"):
            out = self.folder / f"t{threads}"
            self.good("compress", self.model, "--out", out, env={"GYRE_THREADS": threads})
            files.add((out / "model.safetensors").read_bytes())
        self.assertEqual(len(files), 1)

    def test_a_target_is_met_by_the_length_of_the_file(self):
        plain = (self.model / "model.safetensors").stat().st_size
        for number, target in enumerate(("6x", "8x", "11x", "3.5")):
            out = self.folder / f"t{number}"
            report = self.compress("--target", target, "--out", out)
            size = (out / "model.safetensors").stat().st_size
            weights = sum(t["weights"] for t in report["tensors"])
            most = plain / float(target[:-1]) if target.endswith("x") else float(target) * weights / 8
            self.assertEqual((report["target"], report["bytes"], report["bytes_f32"]), (target, size, plain))
            self.assertEqual(report["bytes_allowed"], int(most))
            self.assertLessEqual(size, most)
            self.assertAlmostEqual(report["bits"], 8 * size / weights)
            self.assertTrue(0 < report["error"] < .7)
            self.assertEqual(self.perplexity(out)["tokens"], self.perplexity(self.model)["tokens"])
        shown = self.good("compress", self.model, "--target", "8x", "--out", self.folder / "shown")
        self.assertRegex(shown, r"\ntarget 8x: \d+ bytes of at most \d+\n")
        self.assertNotIn("target", self.compress("--out", self.folder / "plain"))
        best = self.refused(2, "compress", self.model, "--target", "50x", "--out", self.folder / "small",
                            mentions=("--target can be", "x at most, got 50x"))
        best = best.split("can be ")[1].split()[0]
        self.assertLessEqual(float(best[:-1]), self.compress("--target", best, "--out", self.folder / "best")["ratio"])

    def test_a_policy_names_formats(self):
        def formats(*options):
            out = self.folder / "small"
            shutil.rmtree(out, ignore_errors=True)
            return {t["name"]: t["format"] for t in self.compress(*options, "--out", out)["tensors"]}

        plain = formats("--format", "D3")
        packed = [name for name, form in plain.items() if form == "D3"]
        self.assertIn("h.0.mlp.c_fc.weight", packed)
        for options in (("--policy", "*c_fc*=T2,h.*=f32"), ("--policy", "*c_fc*=T2", "--policy", "h.*=f32"),
                        ("--policy=*c_fc*=T2, h.*=f32",)):
            self.assertEqual(formats("--format", "D3", *options), {
                name: "T2" if "c_fc" in name else "f32" if name.startswith("h.") else form
                for name, form in plain.items()})
        self.assertEqual(formats("--target", "8x", "--policy", "h.0.mlp.c_fc.weight=D1")["h.0.mlp.c_fc.weight"], "D1")

    def test_a_text_calibrates(self):
        kl = {}
        for mode in ("none", "one-sided", "two-sided"):
            out = self.folder / mode
            report = self.compress("--format", "D2", "--calibrate", self.text, "--calibration", mode, "--out", out)
            self.assertEqual(report["calibration"], mode)
            kl[mode] = report["kl"]
            self.assertEqual(self.perplexity(out)["tokens"], self.perplexity(self.model)["tokens"])
        self.assertLess(kl["one-sided"], kl["none"])
        self.assertLess(kl["two-sided"], kl["none"])
        default = self.compress("--format", "D2", "--calibrate", self.text, "--out", self.folder / "default")
        self.assertEqual((default["calibration"], default["kl"]), ("two-sided", kl["two-sided"]))
        self.assertNotIn("kl", self.compress("--out", self.folder / "plain"))
        report = self.compress("--target", "8x", "--calibrate", self.text, "--out", self.folder / "8x")
        self.assertLessEqual(report["bytes"], report["bytes_allowed"])
        shown = self.good("compress", self.model, "--calibrate", self.text, "--windows", "2", "--out", self.folder / "shown")
        self.assertRegex(shown, r"\nKL divergence from the dense model [\d.]+ nats per token\n")

    def test_calibration_refuses(self):
        out = self.folder / "small"
        for option, value in (("--calibration", "one-sided"), ("--windows", "4"), ("--polish", "4")):
            self.refused(2, "compress", self.model, option, value, "--out", out, mentions=(option, "--calibrate FILE"))
        self.refused(2, "compress", self.model, "--calibrate", "", "--out", out, mentions="--calibrate is empty")
        self.refused(2, "compress", self.model, "--calibrate", self.text, "--calibration", "both", "--out", out,
                     mentions=("one-sided", "both"))
        short = self.folder / "short.txt"
        short.write_text("the cat")
        self.refused(2, "compress", self.model, "--calibrate", short, "--out", out, mentions=("short.txt", "window"))
        self.refused(1, "compress", self.model, "--calibrate", self.folder / "nothere.txt", "--out", out)
        self.assertFalse(out.exists())

    def interrupt(self, *options):
        out = self.folder / "large"
        process = start("compress", self.large, "--out", out, *options)
        while not list(self.folder.glob("large.partial*")) and process.poll() is None:
            time.sleep(.001)
        time.sleep(.05)
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)  # like a signal sent to the process and its group
        answer, complaint = process.communicate(timeout=60)
        self.assertEqual((process.returncode, complaint.decode()), (130, ""))
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name.startswith("large.")], [])
        return answer.decode(), out

    def test_interrupted(self):
        self.large, _ = self.train("model", width=512, steps=2)
        answer, out = self.interrupt()
        self.assertEqual(answer, f"interrupted; {out} is not written\n")
        self.assertFalse(out.exists())
        out.mkdir()
        self.assertEqual(json.loads(self.interrupt("--json")[0]), {"out": str(out), "interrupted": True})
        self.assertEqual(list(out.iterdir()), [])

    def test_what_a_killed_call_left_is_removed(self):
        self.large, _ = self.train("model", width=512, steps=2)
        out, foreign = self.folder / "large", self.folder / "large.partial9"
        foreign.mkdir()  # a folder of somebody else
        process = start("compress", self.large, "--format", "T4", "--out", out)
        left = self.folder / "large.partial"
        while not list(left.glob(".*")) and process.poll() is None:
            time.sleep(.001)
        time.sleep(.05)  # it locks the file that it has just made
        process.send_signal(signal.SIGSTOP)
        second = start("compress", self.large, "--format", "T4", "--out", out)  # does not touch what is being written
        other = self.folder / "large.partial2"
        while not list(other.glob(".*")) and second.poll() is None:
            time.sleep(.001)
        self.assertTrue(left.is_dir())
        for killed in (process, second):
            killed.kill()
            killed.communicate(timeout=60)
        self.assertTrue(left.is_dir() and other.is_dir())
        shown = self.good("compress", self.model, "--out", out)
        for folder in (left, other):
            self.assertIn(f"removed {folder}, which a killed gyre compress had left\n", shown)
        self.assertEqual({path.name for path in self.folder.glob("large*")}, {"large", "large.partial9"})
        self.assertEqual({path.name for path in out.iterdir()}, {"config.json", "model.safetensors", "tokenizer.json"})

    def test_packed_training_has_no_moving_average(self):
        self.refused(2, "train", self.text, "--packed", "D4", "--ema-decay", "0.9", "--out", self.folder / "ema",
                     mentions="--ema-decay")

    def test_errors_in_json_have_both_values(self):
        def values(*options):
            answer = run("compress", self.model, "--out", self.folder / "small", "--json", *options)
            self.assertEqual(answer.returncode, 2)
            error = json.loads(answer.stderr)["error"]
            return error["expected"], error["actual"]

        self.assertEqual(values("--format", "D9"), (FORMATS, "D9"))
        self.assertEqual(values("--policy", "wte.weight=D9"), (FORMATS + ", f32", "D9"))
        self.assertEqual(values("--least-weights", "many"), ("an integer", "many"))
        self.assertEqual(values("--least-weights", "0"), ("1 or more", "0"))

    def test_refuses_what_it_cannot_do(self):
        out = self.folder / "small"
        self.refused(2, "compress", self.model, mentions="--out DIR is missing")
        self.refused(2, "compress", self.model, "--format", "D9", "--out", out, mentions="D9")
        self.refused(2, "compress", self.model, "--format", "D3", "--target", "8x", "--out", out,
                     mentions=("--format or --target", "not both"))
        self.refused(2, "compress", self.model, "--target", "", "--out", out, mentions="--target is empty")
        self.refused(2, "compress", self.model, "--target", "8y", "--out", out, mentions=("--target", "'8y'"))
        for policy, mentions in (("wtf.*=D4", "matches no tensor"), ("wte.weight", "PATTERN=FORMAT"),
                                 ("wte.weight=D9", ("--policy", "D9")), ("wte.weight=D4,", "PATTERN=FORMAT")):
            self.refused(2, "compress", self.model, "--policy", policy, "--out", out, mentions=mentions)
        self.refused(1, "compress", self.folder / "nothere", "--out", out, mentions="nothere: no such folder")
        self.refused(2, "compress", self.model, "--out", self.model, mentions="is not empty")
        self.good("compress", self.model, "--out", out)
        self.refused(1, "compress", out, "--out", self.folder / "again", mentions="packed already")
        self.refused(2, "perplexity", out, mentions="--file FILE is missing")
        self.refused(1, "perplexity", out, "--file", self.folder / "nothere.txt")
        self.refused(2, "perplexity", out, "--file", self.text, "--stride", "9999", mentions="stride")
        config = json.loads((out / "config.json").read_text())
        config["quantization_config"] = {"quant_method": "awq"}
        (out / "config.json").write_text(json.dumps(config))
        self.refused(1, "generate", out, mentions="awq")

    def test_packed_training_resumes_with_the_same_bytes(self):
        for mode in ("shadow", "shadow_free"):
            options = ("--tokenizer", "char", "--layers", "1", "--width", "64", "--heads", "2", "--block-size", "16",
                       "--packed", "T4", "--packed-mode", mode, "--steps", "24", "--eval-every", "0", "--val-fraction", "0")
            whole, parts = self.folder / f"{mode}-whole", self.folder / f"{mode}-parts"
            self.good("train", self.text, *options, "--out", whole)
            self.good("train", self.text, *options, "--stop-at", "13", "--out", parts)
            self.good("train", "--resume", "--out", parts)
            for file in ("model.safetensors", "checkpoints/step-24/optimizer.safetensors"):
                self.assertEqual((whole / file).read_bytes(), (parts / file).read_bytes(), (mode, file))

    def test_training_reports_what_it_holds(self):
        """Weights and optimiser state in bytes: those of a checkpoint."""
        options = ("--tokenizer", "char", "--layers", "1", "--width", "128", "--heads", "2", "--block-size", "16",
                   "--batch-size", "1", "--steps", "2", "--eval-every", "0", "--val-fraction", "0")
        held = {}
        for form, mode in (("none", "shadow"), ("T4", "shadow"), ("T4", "shadow_free"), ("D2", "shadow_free")):
            out = self.folder / f"{form}-{mode}"
            packed = ("--optimizer", "adamw") if form == "none" else ("--packed", form, "--packed-mode", mode)
            report = self.json("train", self.text, *options, *packed, "--out", out)
            stored = 0
            for name in ("model", "optimizer"):
                file = self.json("inspect", out / f"checkpoints/step-2/{name}.safetensors")
                stored += sum(t["bytes"] for t in file["tensors"])
            self.assertEqual(report["state_bytes"], stored)
            self.assertEqual(report["bytes_per_weight"], stored / report["parameters"])
            self.assertIn(f"{report['bytes_per_weight']:.2f} bytes a weight", (out / "report.html").read_text())
            held[form, mode] = report["bytes_per_weight"]
        self.assertAlmostEqual(held["none", "shadow"], 12, places=1)  # weights and two moments in f32
        self.assertLess(held["T4", "shadow_free"], 2)
        self.assertLess(held["D2", "shadow_free"], held["T4", "shadow_free"])
        self.assertGreater(held["T4", "shadow"], 16)  # the f32 weights, the last encoding's error and two moments
        shown = self.good("train", self.text, *options, "--optimizer", "adamw", "--out", self.folder / "shown")
        self.assertRegex(shown, r"\nweights and optimiser state 2\.\d MB, 12\.0\d bytes a weight\n$")

    def test_training_goes_on_from_a_folder(self):
        small, more = self.folder / "small", self.folder / "more"
        self.good("compress", self.model, "--format", "D2", "--out", small)
        before = self.perplexity(small)["perplexity"]
        options = ("--steps", "40", "--lr", "2e-3", "--eval-every", "0")
        report = self.json("train", self.text, "--init", small, *options, "--out", more)
        self.assertLess(report["bytes_per_weight"], 4, "without f32 weights, unless --packed-mode wants them")
        self.assertLess(self.perplexity(more)["perplexity"], before)
        self.assertEqual((more / "model.safetensors").stat().st_size, (small / "model.safetensors").stat().st_size)
        out = ("--out", self.folder / "never")
        self.refused(2, "train", self.text, "--init", small, "--layers", "3", *out, mentions=("--layers", "--init"))
        self.refused(2, "train", self.text, "--init", small, "--packed", "D4", *out, mentions=("--packed is D4", "in D2"))
        self.refused(2, "train", self.text, "--init", small, "--model", "gpt2", *out, mentions=("--model", "--init"))
        self.refused(2, "train", self.text, "--init", small, "--tokenizer", "bpe:300", *out,
                     mentions=("--tokenizer bpe:300", "--init"))
        self.refused(2, "train", self.text, "--init", self.folder / "nothere", *out, mentions=("--init", "nothere"))
        self.refused(2, "train", self.text, "--packed", "D4", "--width", "8", "--heads", "2", "--tokenizer", "char", *out,
                     mentions=("--packed D4 packs nothing", "--width"))
        self.refused(2, "train", self.text, "--packed", "T4", "--optimizer", "sgd", *out, mentions="hybrid")
        self.refused(2, "train", self.text, "--packed-mode", "shadow", *out, mentions=("--packed-mode", "--packed to", "--init to"))
        self.refused(2, "train", self.text, "--packed", "D4", "--packed-mode", "light", *out,
                     mentions=("--packed-mode", "shadow_free, got light"))

    def test_a_run_shows_what_is_packed_and_from_where_it_goes_on(self):
        small, more = self.folder / "small", self.folder / "more"
        self.good("compress", self.model, "--format", "D2", "--out", small)
        answer = run("train", self.text, "--init", small, "--steps", "4", "--out", more)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertRegex(answer.stderr, r"\npacked: \d+ of \d+ tensors, [\d,]+ of [\d,]+ weights in D2, 0\.\d\d bytes each, "
                                        r"mode shadow_free\n")
        self.assertRegex(answer.stderr, r"\nstep 0  validation loss [\d.]+, .*\n(.*\n)*1/4  loss")
        self.assertRegex(answer.stdout, r"\nvalidation loss before the first step [\d.]+\n")

    def test_a_damaged_file_is_refused(self):
        out = self.folder / "small"
        self.good("compress", self.model, "--out", out)
        whole = (out / "model.safetensors").read_bytes()
        for damaged in (whole[:-16], whole[:len(whole) // 2], whole.replace(b'"gyre.packed"', b'"gyre.packet"')):
            (out / "model.safetensors").write_bytes(damaged)
            self.refused(1, "generate", out, "--max-tokens", "2")
        shutil.rmtree(out)


if __name__ == "__main__":
    unittest.main()
