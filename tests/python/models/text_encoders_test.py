"""Text encoders of Hugging Face's `transformers`: folders that it writes, with random weights, give its hidden states,
and the vectors of folders as sentence-transformers writes them, in each architecture and over variants of its config.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from common import gyre

try:
    import torch
    import transformers
    from safetensors.torch import load_file, save_file
except ImportError:
    transformers = None

GYRE = os.environ.get("GYRE_BINARY")
BOUND = 1e-4  # of the largest hidden state
SIZES = {"vocab_size": 97, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4,
         "max_position_embeddings": 40}
DISTIL = {"vocab_size": 97, "dim": 32, "hidden_dim": 48, "n_layers": 3, "n_heads": 4, "max_position_embeddings": 40}
MODERN = {**SIZES, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "cls_token_id": 1, "sep_token_id": 2,
          "local_attention": 8}
ROBERTA = {**SIZES, "pad_token_id": 1}
FULL = ["full_attention"] * 3
# Variants of each architecture's config, over those sizes.
VARIANTS = {
    "bert": (SIZES, [{}, {"hidden_act": "relu"}, {"hidden_act": "gelu_new", "type_vocab_size": 1}, {"layer_norm_eps": 0.1},
                     {"num_attention_heads": 2, "num_hidden_layers": 1}]),
    "distilbert": (DISTIL, [{}, {"activation": "relu"}, {"n_layers": 1, "n_heads": 8}, {"sinusoidal_pos_embds": True}]),
    "roberta": (ROBERTA, [{}, {"pad_token_id": 5}, {"hidden_act": "silu", "layer_norm_eps": 1e-5}]),
    "xlm-roberta": (ROBERTA, [{}, {"type_vocab_size": 1, "hidden_act": "gelu_pytorch_tanh"}]),
    "modernbert": (MODERN, [{}, {"norm_bias": True, "attention_bias": True, "mlp_bias": True}, {"layer_types": FULL},
                            {"local_attention": 2, "num_hidden_layers": 7}, {"norm_eps": 0.1, "hidden_activation": "silu"},
                            {"rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 50.0},
                                                 "sliding_attention": {"rope_type": "default", "rope_theta": 20.0}}}]),
    "nomic_bert": (SIZES, [{}, {"head_dim": 12}, {"hidden_act": "gelu"},
                           {"rope_parameters": {"rope_type": "default", "rope_theta": 50.0}, "layer_norm_eps": 0.1}]),
}
# Rules of gyre compress that keep all matrices but the embeddings of tokens.
KEPT = {kind: "h.*=f32,wpe.*=f32,wtt.*=f32" for kind in ("bert", "roberta", "xlm-roberta")}
KEPT |= {"distilbert": "h.*=f32,wpe.*=f32", "modernbert": "h.*=f32", "nomic_bert": "h.*=f32,wtt.*=f32"}
LENGTHS = (20, 3, 1, 13)


def run(*arguments):
    return subprocess.run([GYRE, *map(str, arguments)], capture_output=True, text=True, check=False)


def made(kind, options, cls=None):
    """A model of transformers with random weights, also of norms and biases."""
    config = transformers.AutoConfig.for_model(kind, **{**VARIANTS[kind][0], **options})
    model = (cls or transformers.AutoModel).from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += torch.randn_like(parameter) * (0.3 if parameter.ndim == 1 else 0.15)
    return model


@unittest.skipUnless(transformers, "transformers is not installed; scripts/test --with-torch installs it")
@unittest.skipUnless(GYRE, "GYRE_BINARY is not set")
class TextEncoders(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        torch.manual_seed(0)
        self.ids = [torch.randint(6, 97, (n,)).tolist() for n in LENGTHS]
        (self.folder / "ids.json").write_text(json.dumps({"input_ids": self.ids}))

    def encode(self, folder, *options):
        out = self.folder / "out.safetensors"
        result = run("encode", folder, "--ids", self.folder / "ids.json", "--out", out, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return load_file(out)

    def refused(self, folder, *parts, command=None, code=1):
        result = run(*(command or ("encode", folder, "--ids", self.folder / "ids.json", "--out", self.folder / "o.npz")))
        self.assertEqual(result.returncode, code, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertFalse((self.folder / "o.npz").exists())

    def wanted(self, model):
        """Hidden states of the rows, padded on the right and 0 there."""
        padding = model.config.pad_token_id or 0
        ids = torch.full((len(LENGTHS), max(LENGTHS)), padding)
        mask = torch.zeros_like(ids)
        for row, (tokens, n) in enumerate(zip(self.ids, LENGTHS)):
            ids[row, :n] = torch.tensor(tokens)
            mask[row, :n] = 1
        with torch.no_grad():
            return model(input_ids=ids, attention_mask=mask)[0] * mask[..., None], mask

    def close(self, found, wanted, bound=BOUND):
        self.assertEqual(found.shape, wanted.shape)
        self.assertLessEqual((found - wanted).abs().max().item(), bound * wanted.abs().max().item())

    def compressed(self, folder, *options):
        back = self.folder / "back"
        shutil.rmtree(back, ignore_errors=True)
        result = run("compress", folder, "--out", back, "--least-weights", 1, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return back

    def test_hidden_states(self):
        for kind, (_, variants) in VARIANTS.items():
            for number, options in enumerate(variants):
                with self.subTest(kind, **options):
                    model, folder = made(kind, options), self.folder / f"{kind}{number}"
                    model.save_pretrained(folder)
                    self.close(self.encode(folder, "--pooling", "none", "--batch", 3)["hidden"], self.wanted(model)[0])

    def test_every_variant_changes_the_hidden_states(self):
        sizes = {"head_dim", "num_hidden_layers", "num_attention_heads", "n_layers", "n_heads", "type_vocab_size"}
        for kind, (_, variants) in VARIANTS.items():
            for options in variants:
                if not options.keys() - sizes - {"sinusoidal_pos_embds"}:
                    continue
                with self.subTest(kind, **options):
                    model, other = made(kind, options), made(kind, {k: v for k, v in options.items() if k in sizes})
                    other.load_state_dict(model.state_dict(), strict=False)
                    self.assertFalse(torch.allclose(self.wanted(model)[0], self.wanted(other)[0], atol=1e-5))

    def test_models_with_heads_and_shards(self):
        for kind in VARIANTS:
            with self.subTest(kind):
                model, folder = made(kind, {}, transformers.AutoModelForMaskedLM), self.folder / kind
                model.save_pretrained(folder, max_shard_size="20KB")
                self.assertFalse((folder / "model.safetensors").exists())
                found = self.encode(folder, "--pooling", "none")["hidden"]
                self.close(found, self.wanted(getattr(model, model.base_model_prefix))[0])

    def test_folders_written_back(self):
        """gyre compress writes folders; here it packs the embeddings of tokens only, which then are put back."""
        for kind, (_, variants) in VARIANTS.items():
            for number, options in enumerate(variants):
                with self.subTest(kind, **options):
                    cls = transformers.AutoModelForMaskedLM if number % 2 else transformers.AutoModel
                    model, folder = made(kind, options, cls), self.folder / f"{kind}{number}"
                    model.save_pretrained(folder)
                    back = self.compressed(folder, "--format", "q8_0", "--policy", KEPT[kind])
                    given, found = load_file(folder / "model.safetensors"), load_file(back / "model.safetensors")
                    (name,) = given.keys() - found.keys()
                    self.assertEqual(found.keys() - given.keys(), {f"{name}.words", f"{name}.headers"})
                    for part in ("words", "headers"):
                        del found[f"{name}.{part}"]
                    save_file({name: given[name], **found}, back / "model.safetensors", {"format": "pt"})
                    config = json.loads((back / "config.json").read_text())
                    self.assertEqual(config.pop("quantization_config"), {"packed_by": "gyre"})
                    config["model_type"] = config["model_type"].removeprefix("gyre_packed_")
                    self.assertEqual(config, json.loads((folder / "config.json").read_text()))
                    (back / "config.json").write_text(json.dumps(config))
                    again = cls.from_pretrained(back, attn_implementation="eager").eval()
                    self.assertEqual(again.state_dict().keys(), model.state_dict().keys())
                    for name, tensor in model.state_dict().items():
                        self.assertTrue(torch.equal(again.state_dict()[name], tensor), name)

    def test_packed(self):
        for kind in VARIANTS:
            with self.subTest(kind):
                model, folder = made(kind, {}), self.folder / kind
                model.save_pretrained(folder)
                self.modules(folder, "cls", True, False)
                wanted = self.encode(folder)["vectors"]
                found = self.encode(self.compressed(folder, "--format", "q8_0"))["vectors"]
                self.close(found, wanted, 0.1)
                self.assertFalse(torch.equal(found, wanted))
                self.assertLess((self.folder / "back/model.safetensors").stat().st_size,
                                (folder / "model.safetensors").stat().st_size)
        self.refused(None, "--calibrate needs a language model", command=(
            "compress", self.folder / "bert", "--out", self.folder / "o", "--calibrate", "wordnet:glosses",
            "--least-weights", 1))
        self.assertFalse((self.folder / "o").exists())

    def test_old_names_of_norms(self):
        model, folder = made("bert", {}), self.folder / "bert"
        model.save_pretrained(folder)
        old = {name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): value
               for name, value in load_file(folder / "model.safetensors").items()}
        self.assertIn("embeddings.LayerNorm.gamma", old)
        save_file({f"bert.{name}": value for name, value in old.items()}, folder / "model.safetensors", {"format": "pt"})
        self.close(self.encode(folder, "--pooling", "none")["hidden"], self.wanted(model)[0])

    def test_config_of_nomics_authors(self):
        model, folder = made("nomic_bert", {"rope_parameters": {"rope_type": "default", "rope_theta": 70.0}}), self.folder / "n"
        model.save_pretrained(folder)
        config = {"model_type": "nomic_bert", "n_embd": 32, "n_head": 4, "n_inner": 48, "n_layer": 3, "n_positions": 40,
                  "vocab_size": 97, "activation_function": "swiglu", "rotary_emb_base": 70, "rotary_emb_fraction": 1.0,
                  "qkv_proj_bias": False, "mlp_fc1_bias": False, "mlp_fc2_bias": False, "layer_norm_epsilon": 1e-12,
                  "prenorm": False, "rotary_scaling_factor": None, "rotary_emb_interleaved": False, "type_vocab_size": 2}
        (folder / "config.json").write_text(json.dumps(config))
        self.close(self.encode(folder, "--pooling", "none")["hidden"], self.wanted(model)[0])
        for field, value in (("prenorm", True), ("rotary_scaling_factor", 2), ("rotary_emb_fraction", 0.5),
                             ("moe_every_n_layers", 2), ("activation_function", "glu"), ("mlp_fc2_bias", True)):
            with self.subTest(field):
                (folder / "config.json").write_text(json.dumps({**config, field: value}))
                self.refused(folder, "config.json", f"{field} is {json.dumps(value).strip(chr(34))}")

    def test_16_bits(self):
        for kind in ("bert", "modernbert"):
            with self.subTest(kind):
                model, folder = made(kind, {}).to(torch.bfloat16), self.folder / kind
                model.save_pretrained(folder)
                self.close(self.encode(folder, "--pooling", "none")["hidden"], self.wanted(model.float())[0], 3e-2)

    def pooled(self, hidden, mask, mode):
        n = mask.sum(1)
        if mode == "cls":
            return hidden[:, 0]
        if mode == "lasttoken":
            return hidden[torch.arange(len(n)), n - 1]
        if mode == "max":
            return hidden.masked_fill(mask[..., None] == 0, -1e9).max(1).values
        return hidden.sum(1) / n[:, None]

    def modules(self, folder, mode, normalize, inside):
        names = ["Transformer", "Pooling"] + ["Normalize"] * normalize
        paths = ["0_Transformer" if inside else "", "1_Pooling", "2_Normalize"]
        folder.mkdir(exist_ok=True)
        modules = [{"idx": i, "name": str(i), "path": path, "type": f"sentence_transformers.models.{name}"}
                   for i, (name, path) in enumerate(zip(names, paths))]
        (folder / "modules.json").write_text(json.dumps(modules))
        (folder / "1_Pooling").mkdir(exist_ok=True)
        flags = {"cls": "cls_token", "mean": "mean_tokens", "max": "max_tokens", "lasttoken": "lasttoken"}
        config = {f"pooling_mode_{flag}": name == mode for name, flag in flags.items()}
        (folder / "1_Pooling/config.json").write_text(json.dumps({"word_embedding_dimension": 32, **config}))

    def test_vectors_as_the_folder_states(self):
        for kind in VARIANTS:
            model, folder = made(kind, {}), self.folder / kind
            hidden, mask = self.wanted(model)
            for mode, option in (("mean", "mean"), ("cls", "cls"), ("max", "max"), ("lasttoken", "last")):
                for normalize in (False, True):
                    with self.subTest(kind, mode=mode, normalize=normalize):
                        shutil.rmtree(folder, ignore_errors=True)
                        self.modules(folder, mode, normalize, inside=normalize)
                        model.save_pretrained(folder / "0_Transformer" if normalize else folder)
                        wanted = self.pooled(hidden, mask, mode)
                        if normalize:
                            wanted = torch.nn.functional.normalize(wanted)
                        self.close(self.encode(folder, "--batch", 2)["vectors"], wanted, 1e-5)
                        if not normalize:
                            unit = torch.nn.functional.normalize(wanted)
                            plain = self.folder / "plain"
                            model.save_pretrained(plain)
                            self.close(self.encode(plain, "--pooling", option, "--normalize")["vectors"], unit, 1e-5)

    def test_in_python(self):
        folder = self.folder / "bert"
        made("bert", {}).save_pretrained(folder)
        (folder / "vocab.txt").write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "cat", "dog"]) + "\n")
        encoder = gyre.SentenceEncoder(folder)
        self.assertEqual(repr(encoder), f"SentenceEncoder({str(folder)!r}, width=32, context=40)")
        self.close(torch.from_numpy(encoder.encode(self.ids, normalize=True).numpy()),
                   self.encode(folder, "--normalize")["vectors"], 1e-6)
        self.assertEqual(encoder.encode(self.ids, pooling="none").shape, (4, 20, 32))
        texts, ids = ["a cat", "A dog"], [[2, 4, 5, 3], [2, 4, 6, 3]]
        self.assertEqual(encoder.encode(texts).tolist(), encoder.encode(ids).tolist())
        self.assertEqual(encoder.encode("a cat", batch_size=1).tolist(), encoder.encode(ids[:1])[0].tolist())
        for error, message, texts in ((gyre.ValueError, "at least one text", []), (gyre.IndexError, "token id 97", [[97]]),
                                      (gyre.ValueError, "line 1 has no tokens", [[]])):
            with self.assertRaisesRegex(error, message):
                encoder.encode(texts)
        with self.assertRaisesRegex(TypeError, "pool"):
            encoder.encode(["a"], pool="mean")

    def test_one_text_of_the_command_line(self):
        model, folder, out = made("bert", {}), self.folder / "bert", self.folder / "v.npy"
        model.save_pretrained(folder)
        (self.folder / "ids.json").write_text(json.dumps({"input_ids": [[3]]}))
        gyre.Tokenizer.characters("ab").save(folder / "tokenizer.json")
        [row] = json.loads(run("encode", folder, "ab", "--json").stdout)["vectors"]
        wanted = gyre.SentenceEncoder(folder).encode("ab").tolist()
        self.assertEqual(row, wanted)
        shown = run("encode", folder, "ab").stdout
        self.assertEqual(shown.count("\n"), 1)
        for found, number in zip(shown.split(), wanted, strict=True):
            self.assertAlmostEqual(float(found), number, delta=1e-6)
        self.assertEqual(run("encode", folder, "ab", "--out", out).returncode, 0)
        self.assertEqual(gyre.load(out).tolist(), [wanted])
        for words, part in ((("ab", "--ids", self.folder / "ids.json"), "exactly one of TEXT, --lines FILE or --ids FILE"),
                            ((), "exactly one of TEXT"), (("--ids", self.folder / "ids.json"), "--out FILE is missing"),
                            (("ab", "--pooling", "none"), "--pooling none needs --out FILE"),
                            (("ab", "--max-tokens", "41"), "--max-tokens must be at most the encoder's positions, got 41")):
            refused = run("encode", folder, *words)
            self.assertEqual((refused.returncode, refused.stdout), (2, ""), words)
            self.assertIn(part, refused.stderr)
        self.assertEqual(run("encode", folder, "ab", "--max-tokens", "40").returncode, 0)

    def test_inspect_shows_an_encoder(self):
        model, folder = made("roberta", {}), self.folder / "roberta"
        model.save_pretrained(folder)
        self.modules(folder, "lasttoken", True, False)
        shown = json.loads(run("inspect", folder, "--json").stdout)["encoder"]
        self.assertEqual(shown, {"model_type": "roberta", "width": 32, "layers": 3, "context": 38, "pooling": "last",
                                 "normalize": True})
        self.assertIn("text encoder: roberta, 3 layers, width 32, at most 38 tokens, last pooling, normalised",
                      run("inspect", folder).stdout)
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps({**config, "is_decoder": True}))
        self.assertIn("text encoder, refused:", run("inspect", folder).stdout)
        self.assertIn("is_decoder is true", json.loads(run("inspect", folder, "--json").stdout)["encoder"]["refused"])

    def test_modules_are_refused_by_name(self):
        model, folder = made("bert", {}), self.folder / "bert"
        model.save_pretrained(folder)
        self.modules(folder, "mean", True, False)
        good = (folder / "modules.json").read_text()
        (folder / "modules.json").write_text(good.replace("models.Normalize", "models.Dense"))
        self.refused(folder, "modules.json", "sentence_transformers.models.Dense")
        (folder / "modules.json").write_text(good.replace("1_Pooling", "../1_Pooling"))
        self.refused(folder, "modules.json", "`path` must be the name of a folder")
        (folder / "modules.json").write_text(json.dumps(json.loads(good)[:1]))
        self.refused(folder, "modules.json", "expected at least 2 modules")
        (folder / "modules.json").write_text(good)
        for config, message in (({"pooling_mode_weightedmean_tokens": True}, "pooling_mode_weightedmean_tokens is true"),
                                ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}, "mean_tokens is true"),
                                ({"pooling_mode": "weightedmean"}, "pooling_mode is weightedmean"),
                                ({}, "no pooling mode is set")):
            (folder / "1_Pooling/config.json").write_text(json.dumps(config))
            self.refused(folder, "1_Pooling/config.json", message)
        self.modules(folder, "mean", True, False)
        (folder / "sentence_bert_config.json").write_text(json.dumps({"do_lower_case": True}))
        self.refused(folder, "sentence_bert_config.json", "do_lower_case is true")

    def test_configs_are_refused_by_field_and_value(self):
        cases = [("bert", "hidden_act", "quick_gelu"), ("bert", "position_embedding_type", "relative_key"),
                 ("bert", "is_decoder", True), ("roberta", "add_cross_attention", True),
                 ("distilbert", "activation", "tanh"), ("modernbert", "layer_types", ["chunked_attention"] * 3),
                 ("modernbert", "rope_scaling", {"rope_type": "linear", "factor": 2}),
                 ("nomic_bert", "use_rms_norm", True), ("bert", "quantization_config", {"quant_method": "gptq"}),
                 ("bert", "model_type", "t5")]
        for kind, field, value in cases:
            with self.subTest(kind, field=field):
                folder = self.folder / kind
                made(kind, {}).save_pretrained(folder)
                config = json.loads((folder / "config.json").read_text())
                (folder / "config.json").write_text(json.dumps({**config, field: value}))
                self.refused(folder, "config.json", field)

    def test_tensors_that_do_not_fit(self):
        folder = self.folder / "bert"
        made("bert", {}).save_pretrained(folder)
        good = load_file(folder / "model.safetensors")
        for name, value in (("encoder.layer.1.output.dense.weight", None), ("embeddings.word_embeddings.weight", None),
                            ("encoder.layer.1.output.dense.weight", torch.zeros(3, 3)),
                            ("embeddings.word_embeddings.weight", torch.zeros(97, 31)), ("strange", torch.zeros(2))):
            with self.subTest(name):
                state = {key: tensor for key, tensor in good.items() if key != name}
                save_file(state if value is None else {**state, name: value}, folder / "model.safetensors", {"format": "pt"})
                self.refused(folder, "bert")

    def test_texts_that_do_not_fit(self):
        folder = self.folder / "roberta"
        made("roberta", {"max_position_embeddings": 20}).save_pretrained(folder)
        self.refused(folder, "line 1 has 20 tokens", "18 positions; cut texts with --max-tokens", code=2)
        self.assertEqual(self.encode(folder, "--max-tokens", 18)["vectors"].shape, (4, 32))
        for ids, message, code in (([[5, 97]], "token id 97", 1), ([[5], []], "line 2 has no tokens", 2), ([[-1]], "token id -1", 1)):
            (self.folder / "ids.json").write_text(json.dumps({"input_ids": ids}))
            self.refused(folder, message, code=code)
        (self.folder / "lines.txt").write_text("a\n")
        self.refused(folder, "no tokenizer.json", code=2, command=(
            "encode", folder, "--lines", self.folder / "lines.txt", "--out", self.folder / "o.npz"))

    def test_length_that_the_folder_states(self):
        folder = self.folder / "bert"
        made("bert", {}).save_pretrained(folder)
        self.modules(folder, "mean", True, False)
        (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 12, "do_lower_case": False}))
        self.refused(folder, "line 1 has 20 tokens", "max_seq_length of the folder is 12", code=2)
        self.assertEqual(self.encode(folder, "--max-tokens", 12)["vectors"].shape, (4, 32))
        self.assertEqual(json.loads(run("inspect", folder, "--json").stdout)["encoder"]["context"], 12)

    def test_cut_texts_are_shorter_texts(self):
        folder = self.folder / "bert"
        made("bert", {}).save_pretrained(folder)
        cut = self.encode(folder, "--max-tokens", 5)["vectors"]
        (self.folder / "ids.json").write_text(json.dumps({"input_ids": [ids[:5] for ids in self.ids]}))
        self.close(self.encode(folder)["vectors"], cut, 1e-6)

    def test_encoders_and_language_models_are_told_apart(self):
        made("bert", {}).save_pretrained(self.folder / "bert")
        self.refused(None, "a text encoder", "gyre encode", command=(
            "generate", self.folder / "bert", "--ids", "5", "--max-tokens", "1"))
        config = transformers.AutoConfig.for_model("gpt2", vocab_size=97, n_embd=32, n_layer=1, n_head=2, n_positions=40)
        transformers.AutoModelForCausalLM.from_config(config).save_pretrained(self.folder / "gpt2")
        self.refused(self.folder / "gpt2", "a language model", "gyre generate")
        self.refused(self.folder / "missing", "no such folder")


if __name__ == "__main__":
    unittest.main()
