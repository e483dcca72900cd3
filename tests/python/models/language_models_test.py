"""Language models of Hugging Face's `transformers`: folders that it writes, with random weights, give its logits and
come back as they were, in each architecture and over variants of its config; and the greedy tokens that it generates.
"""

import json
import pathlib
import tempfile
import unittest

from common import gyre, needs_packages

try:
    import torch
    import transformers
except ImportError:
    transformers = None

SIZES = {"vocab_size": 97, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4,
         "num_key_value_heads": 2, "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
BOUND = 1e-4  # of the largest logit


def rope(kind, factor, theta=10000.0, original=16, **more):
    return {"rope_type": kind, "factor": factor, "rope_theta": theta, "original_max_position_embeddings": original, **more}


LLAMA3 = rope("llama3", 8.0, 500.0, low_freq_factor=1.0, high_freq_factor=4.0)
YARN = rope("yarn", 4.0)
LONG = {"rope_type": "longrope", "rope_theta": 1000.0, "short_factor": [1.0, 1.5, 2.0, 4.0], "long_factor": [2.0, 8, 16.5, 40.0]}
HALF_LONG = {**LONG, "partial_rotary_factor": 0.5, "short_factor": [1.0, 1.5], "long_factor": [2.0, 8.0]}
NTK = {"rope_type": "dynamic", "factor": 4.0, "rope_theta": 1000.0}
ODD_YARN = rope("yarn", 4.0, 100.0, beta_fast=16.0, beta_slow=2.0, attention_factor=1.3, truncate=False)
WINDOW = {"use_sliding_window": True, "sliding_window": 4}
# Variants of each architecture's config.
VARIANTS = {
    "llama": [{}, {"attention_bias": True}, {"mlp_bias": True}, {"attention_bias": True, "mlp_bias": True},
              {"tie_word_embeddings": True}, {"head_dim": 12}, {"num_key_value_heads": 4, "hidden_act": "gelu"},
              {"num_key_value_heads": 1, "hidden_act": "relu"}, {"rms_norm_eps": 0.1}, {"hidden_act": "gelu_pytorch_tanh"},
              {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1000.0}},
              {"rope_parameters": LLAMA3}, {"rope_parameters": YARN}, {"rope_parameters": ODD_YARN},
              {"rope_parameters": NTK, "max_position_embeddings": 16}, {"rope_parameters": NTK, "max_position_embeddings": 20},
              {"rope_parameters": {**LONG, "original_max_position_embeddings": 16}},
              {"rope_parameters": {**LONG, "original_max_position_embeddings": 20, "factor": 3.0}}],
    "mistral": [{"sliding_window": 5}, {"sliding_window": None, "rms_norm_eps": 0.1}, {"sliding_window": 2, "head_dim": 16},
                {"tie_word_embeddings": True, "rope_parameters": YARN}],
    "qwen2": [{}, {"max_window_layers": 1, **WINDOW}, {"tie_word_embeddings": True}, {"rope_parameters": LLAMA3},
              {"layer_types": ["sliding_attention", "full_attention", "sliding_attention"], **WINDOW}],
    "qwen3": [{"head_dim": 16}, {"head_dim": 8, "attention_bias": True, "max_window_layers": 2, **WINDOW},
              {"head_dim": 8, "rope_parameters": YARN}, {"head_dim": 8, "tie_word_embeddings": True}],
    "gemma2": [{"head_dim": 8, "sliding_window": 4, "query_pre_attn_scalar": 24},
               {"head_dim": 16, "attn_logit_softcapping": None, "final_logit_softcapping": None, "sliding_window": 6},
               {"head_dim": 8, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 1.0, "attention_bias": True},
               {"head_dim": 8, "tie_word_embeddings": False, "layer_types": ["full_attention"] * 3},
               {"head_dim": 8, "sliding_window": 3, "layer_types": ["sliding_attention"] * 3}],
    "gemma3_text": [{"head_dim": 8, "sliding_window": 4, "num_hidden_layers": 7},
                    {"head_dim": 8, "sliding_window": 4, "layer_types": ["full_attention", "sliding_attention"],
                     "num_hidden_layers": 2},
                    {"head_dim": 8, "sliding_window": 4, "num_hidden_layers": 7, "rope_parameters": {
                        "full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
                        "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}}},
                    {"head_dim": 8, "final_logit_softcapping": 3.0}],
    "phi3": [{}, {"sliding_window": 4}, {"num_key_value_heads": 4},
             {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}},
             {"rope_parameters": LONG, "original_max_position_embeddings": 16},
             {"rope_parameters": LONG, "original_max_position_embeddings": 20},
             {"rope_parameters": {**LONG, "attention_factor": 1.7}, "original_max_position_embeddings": 19},
             {"rope_parameters": HALF_LONG, "original_max_position_embeddings": 8}],
    "smollm3": [{"num_hidden_layers": 5}, {"num_hidden_layers": 5, "attention_bias": True, **WINDOW},
                {"no_rope_layers": [1, 0, 1], "mlp_bias": True}, {"no_rope_layer_interval": 2},
                {"tie_word_embeddings": False, "no_rope_layers": [1, 1, 1]}],
    "olmo2": [{}, {"attention_bias": True, "num_key_value_heads": 4}, {"tie_word_embeddings": True}],
    "granite": [{}, {"embedding_multiplier": 12.0, "attention_multiplier": 0.2, "residual_multiplier": 0.22,
                     "logits_scaling": 8.0}, {"mlp_bias": True, "attention_bias": True}, {"tie_word_embeddings": True}],
}


def setUpModule():
    needs_packages()


def made(kind, options, dtype=None):
    """A model of transformers with random weights, also of norms and biases."""
    config = transformers.AutoConfig.for_model(kind, **{**SIZES, **options})
    model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += torch.randn_like(parameter) * (0.3 if parameter.ndim == 1 else 0.15)
    return model.to(dtype) if dtype else model


@unittest.skipUnless(transformers, "transformers is not installed; scripts/test --with-torch installs it")
class Architectures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        torch.manual_seed(0)
        self.ids = torch.randint(3, 97, (2, 20))

    def logits_of(self, model):
        with torch.no_grad():
            return model(self.ids).logits.double()

    def ours(self, folder):
        model = gyre.load_model(folder)
        return torch.from_numpy(model.eval()(gyre.tensor(self.ids.numpy())).detach().double().numpy())

    def close(self, found, wanted, bound=BOUND):
        self.assertLessEqual((found - wanted).abs().max().item(), bound * wanted.abs().max().item())

    def test_logits_and_folders_written_back(self):
        for kind, variants in VARIANTS.items():
            for number, options in enumerate(variants):
                with self.subTest(kind, **options):
                    model, folder, back = made(kind, options), self.folder / f"{kind}{number}", self.folder / "back"
                    model.save_pretrained(folder)
                    wanted = self.logits_of(model)
                    self.close(self.ours(folder), wanted)
                    gyre.save_model(back, gyre.load_model(folder))
                    config = json.loads((back / "config.json").read_text())
                    self.assertEqual((config["model_type"], config["eos_token_id"]), (kind, 2))
                    again = transformers.AutoModelForCausalLM.from_pretrained(back, attn_implementation="eager").eval()
                    self.assertEqual(again.state_dict().keys(), model.state_dict().keys())
                    for name, tensor in model.state_dict().items():
                        self.assertTrue(torch.equal(again.state_dict()[name], tensor), name)
                    self.assertTrue(torch.equal(self.logits_of(again), wanted))

    def test_every_variant_changes_the_logits(self):
        for kind, variants in VARIANTS.items():
            for options in variants:
                sizes = {"head_dim", "num_hidden_layers", "num_key_value_heads"}
                if not options.keys() - sizes - {"tie_word_embeddings"}:
                    continue
                with self.subTest(kind, **options):
                    plain = {name: value for name, value in options.items() if name in sizes}
                    model, other = made(kind, options), made(kind, plain)
                    other.load_state_dict(model.state_dict(), strict=False)
                    self.assertFalse(torch.allclose(self.logits_of(model), self.logits_of(other), atol=1e-5))

    def test_the_text_part_of_gemma3(self):
        """A model for images and text is read as its text part, and written as one."""
        text = {**SIZES, "head_dim": 8, "sliding_window": 4, "num_hidden_layers": 7, "query_pre_attn_scalar": 8}
        vision = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 28,
                  "patch_size": 14}
        config = transformers.Gemma3Config(text_config=text, vision_config=vision, mm_tokens_per_image=4, eos_token_id=[2, 9])
        model = transformers.Gemma3ForConditionalGeneration(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter += torch.randn_like(parameter) * (0.3 if parameter.ndim == 1 else 0.15)
        whole, part = self.folder / "whole", self.folder / "part"
        model.save_pretrained(whole)
        wanted = self.logits_of(model)
        self.close(self.ours(whole), wanted)
        gyre.save_model(part, gyre.load_model(whole))
        written = json.loads((part / "config.json").read_text())
        self.assertEqual((written["model_type"], written["eos_token_id"]), ("gemma3_text", [2, 9]))
        again = transformers.AutoModelForCausalLM.from_pretrained(part, attn_implementation="eager").eval()
        self.assertIsInstance(again, transformers.Gemma3ForCausalLM)
        self.close(self.logits_of(again), wanted)

    def test_16_bits(self):
        for kind, dtype, bound in (("llama", torch.bfloat16, 2e-2), ("gemma2", torch.bfloat16, 2e-2),
                                   ("qwen3", torch.float16, 2e-3)):
            with self.subTest(kind):
                model = made(kind, {"head_dim": 8}, dtype)
                model.save_pretrained(self.folder / kind)
                loaded = gyre.load_model(self.folder / kind)
                self.assertEqual(loaded.wte.weight.dtype.name, "bf16" if dtype is torch.bfloat16 else "f16")
                self.close(self.ours(self.folder / kind), self.logits_of(model.double()), bound)

    def test_shards(self):
        model = made("llama", {})
        model.save_pretrained(self.folder / "whole")
        model.save_pretrained(self.folder / "shards", max_shard_size="20KB")
        self.assertFalse((self.folder / "shards/model.safetensors").exists())
        self.assertTrue(torch.equal(self.ours(self.folder / "shards"), self.ours(self.folder / "whole")))

    def test_greedy_tokens(self):
        for kind, variants in VARIANTS.items():
            with self.subTest(kind):
                model = made(kind, variants[0])
                model.save_pretrained(self.folder / kind)
                prompt = self.ids[:1, :7]
                with torch.no_grad():
                    wanted = model.generate(prompt, max_new_tokens=30, do_sample=False, eos_token_id=None)[0].tolist()
                found = gyre.generate(self.folder / kind, ids=prompt[0].tolist(), max_tokens=30, greedy=True,
                                      ignore_eos=True).ids
                self.assertEqual([*found], wanted)

    def test_greedy_tokens_where_frequencies_depend_on_the_length(self):
        """The text grows from below the original context to beyond it; transformers computes each step anew, since it keeps
        keys of other frequencies in its cache."""
        for kind, options in (("llama", {"rope_parameters": NTK, "max_position_embeddings": 16}),
                              ("llama", {"rope_parameters": {**LONG, "original_max_position_embeddings": 16}}),
                              ("phi3", {"rope_parameters": LONG, "original_max_position_embeddings": 16})):
            with self.subTest(kind, **options):
                model = made(kind, options)
                model.save_pretrained(self.folder / "model")
                ids = self.ids[:1, :7]
                for _ in range(30):
                    with torch.no_grad():
                        ids = torch.cat([ids, model(ids, use_cache=False).logits[:, -1:].argmax(-1)], 1)
                found = gyre.generate(self.folder / "model", ids=ids[0, :7].tolist(), max_tokens=30, greedy=True, ignore_eos=True)
                self.assertEqual([*found.ids], ids[0].tolist())

    def test_an_end_token_ends_the_text(self):
        model = made("llama", {})
        prompt = self.ids[:1, :7]
        with torch.no_grad():
            free = model.generate(prompt, max_new_tokens=30, do_sample=False, eos_token_id=None)[0].tolist()
        model.save_pretrained(self.folder / "model")
        options = {"ids": prompt[0].tolist(), "max_tokens": 30, "greedy": True}
        path = self.folder / "model/generation_config.json"
        for end, first in ((free[12], free.index(free[12], 7)), ([free[15], 96], free.index(free[15], 7))):
            path.write_text(json.dumps({"eos_token_id": end}))
            self.assertEqual([*gyre.generate(self.folder / "model", **options).ids], free[:first + 1])
            self.assertEqual([*gyre.generate(self.folder / "model", ignore_eos=True, **options).ids], free)
        path.write_text(json.dumps({"eos_token_id": "end"}))
        with self.assertRaisesRegex(gyre.ParseError, "generation_config.json"):
            gyre.generate(self.folder / "model", **options)

    def test_older_spellings(self):
        model = made("llama", {"rope_parameters": LLAMA3})
        model.save_pretrained(self.folder / "model")
        path = self.folder / "model/config.json"
        config = json.loads(path.read_text())
        scaling = config.pop("rope_parameters")
        config["rope_theta"] = scaling.pop("rope_theta")
        config["torch_dtype"] = config.pop("dtype")
        for key in ("rope_type", "type"):
            scaling[key] = scaling.pop("rope_type", None) or scaling.pop("type")
            path.write_text(json.dumps({**config, "rope_scaling": scaling}))
            self.close(self.ours(self.folder / "model"), self.logits_of(model))

    def test_first_names_of_longrope(self):
        model = made("phi3", {"rope_parameters": LONG, "original_max_position_embeddings": 16})
        model.save_pretrained(self.folder / "model")
        path = self.folder / "model/config.json"
        config = json.loads(path.read_text())
        scaling = config.pop("rope_parameters")
        config["rope_theta"] = scaling.pop("rope_theta")
        for name in ("rope_type", "original_max_position_embeddings"):
            scaling.pop(name, None)
        for kind in ("su", "yarn", "longrope"):
            path.write_text(json.dumps({**config, "rope_scaling": {**scaling, "type": kind}}))
            self.close(self.ours(self.folder / "model"), self.logits_of(model))


if __name__ == "__main__":
    unittest.main()
