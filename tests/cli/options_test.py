"""Help of all commands, and wrong usage: one line with the error and a hint, exit code 2."""

import json
import re
import unittest

from command import CommandTest, run


def commands():
    listing = run("--help").stdout.split("Commands:")[1].split("Options:")[0]
    return re.findall(r"^  (\w+) ", listing, re.M)


class Help(CommandTest):
    def test_help_of_every_command(self):
        names = commands()
        self.assertGreaterEqual(set(names), {"train", "generate", "tokenize", "inspect", "ops", "devices", "bench",
                                             "demo"})
        for name in names:
            with self.subTest(command=name):
                page = self.good(name, "--help")
                self.assertIn(f"Usage: gyre {name}", page)
                self.assertIn("Example:\n  gyre " + name, page)
                options = re.findall(r"^  (?:-h,)?(--[a-z0-9-]+)(.*(?:\n {20,}.*)?)", page, re.M)
                self.assertGreaterEqual({option for option, _ in options}, {"--help", "--json", "--threads"})
                for option, rest in options:
                    self.assertRegex(rest, r"[a-z]{2,} ?", f"{option} is not explained")

    def test_defaults_are_shown(self):
        page = self.good("train", "--help")
        self.assertRegex(page, r"--weight-decay X=0\.1 ")
        self.assertRegex(page, r"--tokenizer NAME=bpe:2048 ")

    def test_help_before_the_command(self):
        for words in (("train",), ("embed", "query")):
            self.assertEqual(self.good("help", *words), self.good(*words, "--help"))
        self.assertEqual(self.good("--threads", "1", "help", "train"), self.good("train", "--help"))
        self.assertEqual(self.good("help"), self.good("--help"))
        self.refused(2, "help", "trian", mentions=("trian", "train"))

    def test_version(self):
        self.assertRegex(self.good("--version"), r"^gyre \d+\.\d+\.\d+\n$")


class WrongUsage(CommandTest):
    def test_commands(self):
        self.refused(2, mentions="no command")
        self.refused(2, "trian", mentions=("trian", "train"))
        self.refused(2, "xyzzy", mentions="xyzzy")

    def test_options(self):
        self.refused(2, "train", "x", "--out", "y", "--stpes", "4", mentions=("--stpes", "--steps"))
        self.refused(2, "train", "x", "--out", "y", "--steps", "many", mentions=("--steps", "many"))
        self.refused(2, "train", "x", "--out", "y", "--steps", "1.5", mentions="--steps")
        self.refused(2, "train", "x", "--out", "y", "--lr", "fast", mentions=("--lr", "fast"))
        self.refused(2, "train", "x", "--out", "y", "--steps", mentions="--steps needs a value")
        self.refused(2, "train", "x", "--out", "y", "--schedule", "steep",
                     mentions=("--schedule: expected one of constant, cosine", "got steep"))
        self.refused(2, "train", "x", "--out", "y", "--dtype", "f12", mentions=("f12", "f32"))
        self.refused(2, "train", "x", "--out", "y", "--dtype", "f64", mentions=("f64", "bf16"))
        self.refused(2, "train", "x", "--out", "y", "--resume=yes", mentions="--resume takes no value (see")
        for value in (["--bias=false"], ["--bias", "false"]):
            self.refused(2, "train", "x", "--out", "y", *value,
                         mentions="--bias takes no value")
        self.refused(2, "ops", "softmax", "gelu", mentions="gelu")
        for count in ("-1", "257", "99999999999999999999", "two"):
            self.refused(2, "devices", "--threads", count, mentions="--threads")

    def test_an_option_given_twice(self):
        self.refused(2, "devices", "--threads", "2", "--threads", "3", mentions=("--threads", "2 and 3", "once"))
        self.refused(2, "--threads", "2", "devices", "--threads", "3", mentions="2 and 3")
        self.refused(2, "train", "x", "--out", "y", "--lr", "1", "--lr=0.5", mentions=("--lr", "1 and 0.5"))
        self.refused(2, "train", "x", "--out", "y", "--batch", "4", "--batch-size", "8",
                     mentions="--batch-size: expected one value, got 4 and 8")
        self.refused(2, "train", "x", "--out", "y", "--bias", "--no-bias", mentions="--bias: given twice")
        self.refused(2, "train", "--out", "y", "--resume", "--resume", mentions="--resume: given twice")
        config = self.write("config.json", b'{"batch": 4, "batch_size": 8}')
        self.refused(2, "train", "x", "--out", "y", "--config", config, mentions=("batch_size twice", "config.json"))

    def test_other_names_of_an_option(self):
        plain = self.good("train", "x", "--out", "y", "--print-config")
        words = ("--batch", "4", "--accumulate", "2", "--clip", "3", "--block", "32", "--no-tied", "--ema", "0.5")
        config = json.loads(self.good("train", "x", "--out", "y", *words, "--print-config"))
        self.assertEqual([config[name] for name in ("batch_size", "gradient_accumulation_steps", "max_grad_norm", "block_size",
                                                    "tie_embeddings", "ema_decay")], [4, 2, 3, 32, False, 0.5])
        old = {"batch": 4, "accumulate": 2, "clip": 3, "block": 32, "tied": False, "ema": 0.5, "warmup": 100}
        file = self.write("old.json", json.dumps(old).encode())
        self.assertEqual(json.loads(self.good("train", "x", "--out", "y", "--config", file, "--print-config")), config)
        self.assertNotEqual(json.loads(plain), config)
        page = self.good("train", "--help")
        for hidden in ("--batch ", "--accumulate", "--clip", "--block ", "--tied"):
            self.assertNotIn(hidden, page)
        self.assertIn("--bias, --no-bias", page)
        columns = [json.loads(self.good("train", "x.csv", "--out", "y", *words, "--print-config"))["exclude"] for words in (
            ("--exclude", "a,b"), ("--exclude", "a", "--without", "b"), ("--exclude", "a", "--exclude", "b"))]
        self.assertEqual(columns, [["a", "b"]] * 3)

    def test_options_that_do_not_apply(self):
        self.refused(2, "train", "x.csv", "--out", "y", "--block-size", "3",
                     mentions=("--block-size is not an option of tables", "--epochs", "--target"))
        self.refused(2, "train", "x.csv", "--out", "y", "--model", "mlp", "--layers", "3",
                     mentions="--layers is not an option of the model mlp (options: none)")
        self.refused(2, "train", "x", "--out", "y", "--target", "a", mentions=("--target is not an option of texts", "--tokenizer"))
        self.refused(2, "train", "x", "--out", "y", "--model", "mlp", mentions="--model mlp does not take texts")
        self.refused(2, "train", "x", "--out", "y", "--model", "lstm", mentions="--model must be gpt2 or llama or gyre for texts, got lstm")
        self.refused(2, "train", "x", "--out", "y", "--optimizer", "sgd", "--beta1", "0.5",
                     mentions="--beta1 is not an option of sgd (options: --weight-decay, --lr)")

    def test_the_model_chooses_what_is_not_given(self):
        config = lambda *words: json.loads(self.good("train", "x", "--out", "y", *words, "--print-config"))
        own, gpt2 = config(), config("--model", "gpt2")
        self.assertEqual([own[k] for k in ("model", "positions", "norm", "optimizer", "schedule", "min_lr", "lr")],
                         ["gyre", "rotary", "rms", "muon", "wsd", 0, 0.02])
        self.assertEqual([gpt2[k] for k in ("model", "bias", "optimizer", "schedule", "lr")],
                         ["gpt2", True, "adamw", "cosine", 1e-3])
        self.assertNotIn("positions", gpt2)
        self.assertEqual(config("--model", "gpt"), gpt2)
        mixed = config("--norm", "layer", "--optimizer", "AdamW", "--schedule", "cosine")
        self.assertEqual([mixed[k] for k in ("positions", "norm", "optimizer", "schedule", "lr")],
                         ["rotary", "layer", "adamw", "cosine", 1e-3])
        self.assertEqual(config("--preset", "chargpt")["optimizer"], "adamw")
        self.assertEqual(config("--preset", "glosses")["optimizer"], "muon")
        self.refused(2, "train", "x", "--out", "y", "--model", "gpt2", "--norm", "rms",
                     mentions="--norm is not an option of the model gpt2")
        self.refused(2, "train", "x", "--out", "y", "--model", "llama", "--norm", "layer",
                     mentions="--norm layer is not an option of the model llama")
        self.refused(2, "train", "x", "--out", "y", "--model", "qwen2", mentions="--model must be gpt2 or llama or gyre")

    def test_options_of_the_schedule(self):
        words = ("train", "x", "--out", "y")
        self.refused(2, *words, "--schedule", "cosine", "--lr-gamma", "0.5",
                     mentions="--lr-gamma is not an option of the schedule cosine (options: none)")
        self.refused(2, *words, "--schedule", "wsd", "--lr-gamma", "0.5", mentions="schedule wsd (options: --lr-decay)")
        config = json.loads(self.good(*words, "--schedule", "step", "--lr-gamma", "0.5", "--print-config"))
        self.assertEqual(config["lr_gamma"], 0.5)
        self.assertNotIn("lr_decay", config)

    def test_names_and_options_of_the_optimiser(self):
        words = ("train", "no such file", "--out", "y", "--optimizer")
        self.assertEqual(json.loads(self.good(*words, "AdamW", "--print-config"))["optimizer"], "adamw")
        self.refused(2, *words, "adamm", mentions="--optimizer: unknown optimiser adamm")
        for options, word in (("momentum=-1", "`momentum` must be 0 or more"), ("nesterov=true", "nesterov requires"),
                              ("speed=1", "--optimizer-options: unknown option speed")):
            self.refused(2, *words, "SGD", "--optimizer-options", options, mentions=word)

    def test_errors_in_a_config_file_name_it(self):
        for content, word in ((b'{"epochs": 3}', "--epochs is not an option of texts"),
                              (b'{"lr_gamma": 0.5}', "--lr-gamma is not an option of the schedule"),
                              (b'{"preset": "huge"}', "--preset must be"), (b'{"optimizer": "x"}', "unknown optimiser x")):
            config = self.write("config.json", content)
            line = self.refused(2, "train", "x", "--out", "y", "--config", config, mentions=word)
            self.assertIn("config.json: ", line)
        line = self.refused(2, "train", "x", "--out", "y", "--config", config, "--optimizer", "sgd", "--epochs", "3",
                            mentions="--epochs")
        self.assertNotIn("config.json", line)

    def test_tokens_without_a_tokenizer(self):
        tokens = self.write("tokens.bin", bytes(400))
        self.refused(2, "train", tokens, "--out", self.folder / "m",
                     mentions=("--tokenizer is missing", "tokens.bin holds token ids", "tokenizer.json"))

    def test_shared_options_before_the_command(self):
        answers = [run(*words).stdout for words in (
            ("devices", "--json", "--threads", "3"), ("--json", "devices", "--threads=3"),
            ("--threads", "3", "--json", "devices"), ("--threads=3", "--json", "devices"))]
        self.assertEqual(json.loads(answers[0])["devices"][0]["threads"], 3)
        self.assertEqual(answers, answers[:1] * len(answers))
        page = self.good("--help")
        for option in ("--json", "--threads N"):
            self.assertIn(option, page)
        self.refused(2, "--json=1", "devices", mentions="--json takes no value")
        self.refused(2, "--threads", "many", "devices", mentions=("--threads", "many"))
        self.refused(2, "--threads", "3", mentions="no command")
        self.refused(2, "--threads", mentions="no command")
        self.refused(2, "--steps", "3", "train", mentions=("--steps before the command", "after its name"))

    def test_operands_that_look_like_options(self):
        tokenizer = self.folder / "t.json"
        self.good("tokenize", "--vocab-size", "256", "--out", tokenizer, "--train", "--", self.text)
        for text in ("--json", "--", "-x", "a"):
            self.assertEqual(self.good("tokenize", tokenizer, "--", text).split(),
                             [str(id) for id in self.json("tokenize", tokenizer, "--file",
                                                          self.write("t", text.encode()))["ids"]])
        self.refused(2, "tokenize", tokenizer, "-x", mentions="unknown option -x")
        self.refused(2, "devices", "--", "a", mentions="unexpected argument 'a'")

    def test_special_tokens_of_a_tokenizer(self):
        tokenizer = self.folder / "t.json"
        train = ("tokenize", "--train", self.text, "--vocab-size", "300", "--out", tokenizer, "--special-tokens")
        self.good(*train, "<|end|>,<pad>")
        self.assertEqual(self.json("tokenize", tokenizer, "<pad>", "--special"), {"ids": [1], "tokens": ["<pad>"]})
        self.assertGreater(len(self.json("tokenize", tokenizer, "<pad>")["ids"]), 1)
        self.assertEqual(self.json("tokenize", tokenizer, "--decode", "--ids", "0,1"), {"text": "<|end|><pad>"})
        self.assertEqual(self.json("tokenize", tokenizer, "--decode", "--ids", "0,1", "--skip-special"), {"text": ""})
        self.refused(1, *train, "<pad>,<pad>", mentions="<pad>")
        self.refused(2, "tokenize", tokenizer, "a", "--special-tokens", "<pad>", mentions="--special-tokens needs --train")

    def test_missing(self):
        self.refused(2, "train", "--out", "y", mentions="DATA")
        self.refused(2, "train", self.text, mentions="--out")
        self.refused(2, "generate", mentions="MODEL")
        self.refused(2, "tokenize", mentions="ARGUMENT")
        self.refused(2, "tokenize", "t.json", mentions="TEXT")
        self.refused(2, "tokenize", "--train", self.text, mentions="--out")
        self.refused(2, "tokenize", "--train", self.text, "--out", "t.json", "--vocab-size", "3", mentions="--vocab-size")
        self.refused(2, "tokenize", "--train", self.text, "--out", "t.json", "--vocab-size", "99999999999",
                     mentions="2147483647")
        self.refused(1, "logits", "none", "--tokens", "t.json", "--out", "l.txt", mentions="ends in .safetensors")

    def test_suggestions(self):
        self.refused(2, "ops", "sofmax", mentions="softmax")
        self.refused(2, "bench", "matmull_256", mentions="matmul_256")
        self.assertNotIn("did you mean", self.refused(2, "ops", "", mentions="''"))

    def test_invalid_train_options(self):
        out = ("--out", self.folder / "m", "--tokenizer", "char")
        self.refused(2, "train", self.text, *out, "--heads", "3", "--width", "16", mentions="heads")
        for option, value in (("--steps", "-1"), ("--layers", "0"), ("--batch", "-1"), ("--lr", "-1"),
                              ("--dropout", "1.5"), ("--min-lr", "nan"), ("--val-fraction", "0.9999"), ("--beta2", "1"), ("--val-fraction", "2"), ("--lr", "nan"),
                              ("--optimizer-options", '{"momentum":'), ("--preset", "huge"), ("--tokenizer", "bpe:x"), ("--tokenizer", "bpe:12"), ("--tokenizer", "bpe:99999999999"),
                              ("--tokenizer", "")):
            with self.subTest(option=option, value=value):
                words = [*out, option, value] if option != "--tokenizer" else [*out[:2], option, value]
                self.refused(2, "train", self.text, *words, mentions=option)

    def test_contradictions(self):
        model, _ = self.train("m", "--steps", "4")
        self.refused(2, "generate", model, "--prompt", "a", "--ids", "1", mentions=("--prompt", "--ids"))
        self.refused(2, "generate", model, "--greedy", "--top-k", "3", mentions=("--greedy", "--top-k"))
        self.refused(2, "generate", model, "--top-k", "-3", mentions="--top-k must be 0 or more, got -3 ")
        self.refused(2, "generate", model, "--temperature", "-1.5", mentions=("--temperature", "got -1.5 "))
        tokenizer = model / "tokenizer.json"
        self.refused(2, "tokenize", tokenizer, "--decode", mentions="--ids")
        self.refused(2, "tokenize", tokenizer, "a", "--file", self.text, mentions="--file")
        self.refused(2, "tokenize", tokenizer, "a", "--vocab-size", "300", mentions="--vocab-size needs --train")
        self.refused(2, "tokenize", tokenizer, "--decode", "--ids", "1, x,2", mentions=("--ids", "'x'"))
        self.refused(2, "generate", model, "--ids", "1, x,2", mentions=("--ids", "'x'"))
        self.refused(2, "train", self.text, "--out", model, "--steps", "4", mentions="resume")
        self.refused(2, "train", self.text, "--out", self.folder / "none", "--resume", mentions="resume")
        self.refused(2, "train", self.text, "--out", model, "--resume", "--width", "32", mentions="--width")


class JsonErrors(CommandTest):
    def error(self, code, *words, **how):
        answer = run(*words, **how)
        self.assertEqual((answer.returncode, answer.stdout), (code, ""), answer.stderr)
        whole = json.loads(answer.stderr.splitlines()[-1])
        self.assertEqual(list(whole), ["error"])
        self.assertEqual(list(whole["error"]), ["code", "op", "message", "expected", "actual", "hint"])
        return whole["error"]

    def test_wrong_usage(self):
        error = self.error(2, "train", "x", "--out", "y", "--stpes", "4", "--json")
        self.assertEqual((error["code"], error["op"], error["message"]), ("usage", "train", "unknown option --stpes"))
        self.assertIn("--steps", error["hint"])
        self.assertEqual(self.error(2, "--json")["message"], "no command")
        self.assertEqual(self.error(2, "trian", "--json")["op"], "")
        out = self.folder / "m"
        error = self.error(2, "--json", "train", self.text, "--out", out, "--width", "15", "--heads", "2")
        self.assertEqual((error["code"], error["op"], error["actual"]), ("value", "train", "15"))
        self.assertIn("--width must be divisible by --heads", error["message"])

    def test_failure(self):
        error = self.error(1, "inspect", self.folder / "none\n\u00fc\x1b", "--json")
        self.assertEqual(error["code"], "io")
        self.assertIn("none\\n\u00fc\\x1b", error["message"])
        error = self.error(2, "devices", "--json", env={"GYRE_ISA": "v9"})
        self.assertIn("v9", error["message"])
        with open("/dev/full", "wb") as full:
            answer = run("ops", "--json", stdout=full)
        self.assertEqual(answer.returncode, 1)
        self.assertEqual(json.loads(answer.stderr)["error"]["op"], "standard output")

    def test_names_that_are_not_utf8(self):
        error = self.error(1, "inspect", b"/no/\xff".decode("utf-8", "surrogateescape"), "--json")
        self.assertIn("/no/\\xff", error["message"])


class Tables(CommandTest):
    def test_ops(self):
        table = self.json("ops")
        names = {op["name"] for op in table}
        self.assertGreaterEqual(names, {"add", "gelu", "softmax", "matmul", "scaled_dot_product_attention"})
        for op in table:
            self.assertTrue(op["doc"], op["name"])
            if op["arguments"]:
                self.assertTrue(op["dtypes"], op["name"])
        one = self.json("ops", "softmax")
        self.assertEqual([a["name"] for a in one["attributes"]], ["axis"])
        self.assertEqual(one["attributes"][0]["default"], -1)
        self.assertTrue(one["differentiable"])
        self.assertIn("f32", one["dtypes"])
        self.assertNotIn("i64", self.json("ops", "scaled_dot_product_attention")["dtypes"])
        self.assertFalse(self.json("ops", "argmax")["differentiable"])
        self.assertIn("axis", self.good("ops", "softmax"))
        self.assertRegex(self.good("ops", "softmax"), r"error bound  \d+ units in the last place of ")
        self.assertIn("error bound  exact", self.good("ops", "unfold"))
        self.assertRegex(self.good("ops", "softmax"), "gradient     any order")
        self.assertIn("`first order only` once", self.good("ops", "--help"))

    def test_devices(self):
        found = {device["device"]: device for device in self.json("devices")["devices"]}
        self.assertTrue(found["cpu"]["available"])
        self.assertEqual(self.json("devices", "--threads", "3")["devices"][0]["threads"], 3)
        self.assertEqual(self.json("devices", env={"GYRE_THREADS": "5"})["devices"][0]["threads"], 5)
        for count in ("abc", "-1", "257", "2.5"):
            self.refused(2, "devices", env={"GYRE_THREADS": count}, mentions=("GYRE_THREADS", count))
        self.good("devices", "--threads", "2", env={"GYRE_THREADS": "abc"})
        self.good("devices", "--help", env={"GYRE_THREADS": "abc"})
        self.assertTrue(found["cuda"]["available"] or found["cuda"]["reason"])
        self.good("devices", "--device", "best")
        for code, device, mentions in ((1, "cuda:9", ("cuda:9", "available: cpu", "gyre devices")),
                                       (2, "tpu", ("tpu", "cuda:N"))):
            self.refused(code, "ops", "--device", device, mentions=mentions)
            self.refused(code, "ops", env={"GYRE_DEVICE": device}, mentions=("GYRE_DEVICE", *mentions))
            self.good("devices", env={"GYRE_DEVICE": device})
        self.assertEqual(self.json("devices", env={"GYRE_ISA": "v2"})["devices"][0]["isa"], "v2")
        self.refused(2, "devices", env={"GYRE_ISA": "v9"}, mentions="v9")
        self.refused(2, "inspect", self.folder, env={"GYRE_ISA": "v9"}, mentions=("GYRE_ISA: expected v2, v3 or v4",))


if __name__ == "__main__":
    unittest.main()
