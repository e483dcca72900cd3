"""GGUF files that the `gguf` package writes: the numbers of each type are those of its own decoder bit for bit, models of
each architecture have the logits of transformers, and what cannot be read is refused by name."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

try:
    import gguf
    import numpy
    import torch
    import transformers
    from gguf_models import restored, stored, write_folder, write_model
    from safetensors.numpy import load_file
    from safetensors.torch import save_file
except ImportError as error:
    gguf, MISSING = None, f"{error.name} is not installed; scripts/test --with-torch installs it"
else:
    Type = gguf.GGMLQuantizationType
    QUANTISED = (Type.Q8_0, Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.F16, Type.BF16)
    BLOCKS = (Type.Q8_0, Type.Q4_0)  # which are not decoded
    DECODED = (*QUANTISED[:5], Type.Q2_K, Type.Q3_K, Type.Q4_K, Type.Q5_K, Type.Q6_K, Type.IQ4_NL, Type.IQ4_XS, Type.MXFP4)

try:
    import gyre
except ImportError:
    gyre = None
try:
    import llama_cpp
except ImportError:
    llama_cpp = None

BINARY = os.environ["GYRE_BINARY"]
DATA = pathlib.Path(os.environ.get("GYRE_TEST_DATA", "tests/data"))
STORIES = DATA / "models/stories260K"
SIZES = {"vocab_size": 97, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4,
         "num_key_value_heads": 2, "max_position_embeddings": 64, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
BOUND = 1e-4  # of the largest logit


def rope(kind, theta=10000.0, **more):
    return {"rope_parameters": {"rope_type": kind, "rope_theta": theta, **more}}


LLAMA3 = rope("llama3", 500.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)
YARN = rope("yarn", factor=4.0, original_max_position_embeddings=16)
LONG = rope("longrope", short_factor=[1.0, 1.5, 2.0, 4.0], long_factor=[2.0, 8.0, 16.5, 40.0])
VARIANTS = {
    "llama": [{}, {"tie_word_embeddings": True, "num_key_value_heads": 4}, {"attention_bias": True, "mlp_bias": True},
              {"head_dim": 12, "rms_norm_eps": 0.1}, LLAMA3, YARN, rope("linear", 1000.0, factor=2.0)],
    "mistral": [{"sliding_window": 5}, {"sliding_window": None}],
    "qwen2": [{}, {"tie_word_embeddings": True}, YARN],
    "qwen3": [{"head_dim": 16}, {"head_dim": 8, "tie_word_embeddings": True}],
    "gemma2": [{"head_dim": 8, "sliding_window": 4, "query_pre_attn_scalar": 8},
               {"head_dim": 16, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 1.0, "sliding_window": 6,
                "query_pre_attn_scalar": 16},
               {"head_dim": 8, "attn_logit_softcapping": None, "final_logit_softcapping": None, "query_pre_attn_scalar": 8}],
    "gemma3_text": [{"head_dim": 8, "sliding_window": 4, "num_hidden_layers": 7, "query_pre_attn_scalar": 8},
                    {"head_dim": 8, "sliding_window": 4, "num_hidden_layers": 7, "query_pre_attn_scalar": 8,
                     "rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1e6},
                                         "sliding_attention": {"rope_type": "default", "rope_theta": 100.0}}}],
    "phi3": [{}, {"sliding_window": 4}, rope("default", partial_rotary_factor=0.5),
             *({**LONG, "original_max_position_embeddings": original} for original in (16, 20))],
    "smollm3": [{"num_hidden_layers": 5}, {"num_hidden_layers": 5, "tie_word_embeddings": False}],
    "olmo2": [{}, {"tie_word_embeddings": True, "num_key_value_heads": 4}],
    "granite": [{}, {"embedding_multiplier": 12.0, "attention_multiplier": 0.2, "residual_multiplier": 0.22,
                     "logits_scaling": 8.0}],
}


def setUpModule():
    if gguf is None:
        raise unittest.SkipTest(MISSING)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()


def made(kind, options):
    """A model of transformers with random weights, also of norms and biases."""
    model = transformers.AutoModelForCausalLM.from_config(
        transformers.AutoConfig.for_model(kind, **options), attn_implementation="eager").eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter += torch.randn_like(parameter) * (0.3 if parameter.ndim == 1 else 0.15)
    return model


class GgufTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gyre-gguf-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        torch.manual_seed(0)
        self.ids = torch.randint(3, 97, (2, 20))

    def run_command(self, *words):
        return subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, timeout=120)

    def json(self, *words):
        answer = self.run_command(*words, "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        return json.loads(answer.stdout)

    def refused(self, *words):
        answer = self.run_command(*words)
        self.assertEqual(answer.returncode, 1, answer.stdout)
        return answer.stderr

    def logits(self, model, ids=None):
        tokens, out = self.folder / "tokens.json", self.folder / "logits.safetensors"
        tokens.write_text(json.dumps({"input_ids": (self.ids if ids is None else ids).tolist()}))
        self.json("logits", model, "--tokens", tokens, "--out", out)
        return load_file(out)["logits"].astype("f8")

    def close(self, found, wanted, bound=BOUND):
        self.assertLessEqual(abs(found - wanted).max(), bound * abs(wanted).max())


    def compare_with_decoded(self, config, state, kind, bound):
        """The logits of a quantised model are those of a folder with the numbers that the types stand for: those of blocks
        that are not decoded as they are, those of others rounded to 16 bits."""
        def chosen(name, array):
            return kind if array.shape[-1] % 32 == 0 else Type.F16

        other = torch.float32 if kind in BLOCKS else torch.bfloat16 if kind == Type.BF16 else torch.float16

        path, folder = self.folder / "model.gguf", self.folder / "decoded"
        write_model(path, config, state, quantise=chosen)
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps(config))
        decoded = {}
        for name, array in state.items():
            if array.ndim == 2:
                rows = stored(name, array, config)
                matrix = chosen(name, rows)
                numbers = gguf.quants.dequantize(gguf.quants.quantize(rows, matrix), matrix)
                array = restored(name, numbers, config)
            decoded[name] = torch.from_numpy(array).to(other)
        if config.get("tie_word_embeddings"):
            decoded.pop("lm_head.weight", None)
        save_file(decoded, folder / "model.safetensors")
        self.close(self.logits(path), self.logits(folder), bound)


class Numbers(GgufTest):
    """Every type, loaded by the package and by the `gguf` package."""

    @unittest.skipIf(gyre is None, "gyre's package is not installed")
    def test_blocks_are_decoded_bit_for_bit(self):
        draw = numpy.random.default_rng(0)
        for kind in DECODED:
            with self.subTest(kind.name):
                block, size = gguf.GGML_QUANT_SIZES[kind]
                path = self.folder / "x.gguf"
                writer = gguf.GGUFWriter(path, "llama")
                bytes_ = draw.integers(0, 256, (48, 512 // block * size), dtype="u1")  # also NaN and infinite scales
                writer.add_tensor("random", bytes_, raw_dtype=kind)
                try:
                    values = gguf.quants.quantize(draw.standard_normal((32, 512), "f4"), kind)
                    writer.add_tensor("values", values, raw_dtype=kind)
                except NotImplementedError:
                    values = None
                writer.write_header_to_file()
                writer.write_kv_data_to_file()
                writer.write_tensors_to_file()
                writer.close()
                found = gyre.load(path)
                for name, stored in (("random", bytes_), ("values", values)):
                    if stored is None:
                        continue
                    with numpy.errstate(all="ignore"):
                        wanted = gguf.quants.dequantize(stored, kind)
                    ours = numpy.asarray(found[name])
                    self.assertEqual((ours.shape, ours.dtype), (wanted.shape, wanted.dtype))
                    numbers = ~numpy.isnan(wanted)
                    self.assertTrue((numpy.isnan(ours) == ~numbers).all())
                    self.assertEqual(ours[numbers].tobytes(), wanted[numbers].tobytes())

    @unittest.skipIf(gyre is None, "gyre's package is not installed")
    def test_plain_types(self):
        arrays = {name: numpy.arange(6).reshape(2, 3).astype(name) for name in ("f2", "f4", "f8", "i1", "i2", "i4", "i8")}
        writer = gguf.GGUFWriter(self.folder / "x.gguf", "llama")
        for name, array in arrays.items():
            writer.add_tensor(name, array)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
        for mmap in (False, True):
            found = gyre.load(self.folder / "x.gguf", mmap=mmap)
            for name, array in arrays.items():
                self.assertTrue(numpy.array_equal(numpy.asarray(found[name]), array), name)


class Architectures(GgufTest):
    def compare(self, kind, options):
        model, path = made(kind, options), self.folder / "model.gguf"
        state = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
        write_model(path, model.config.to_dict(), state)
        with torch.no_grad():
            self.close(self.logits(path), model(self.ids).logits.double().numpy())

    def test_logits_are_those_of_transformers(self):
        for kind, variants in VARIANTS.items():
            for options in variants:
                with self.subTest(kind, **options):
                    self.compare(kind, {**SIZES, **options})

    def test_quantised_models_have_the_logits_of_their_decoded_weights(self):
        sizes = {"gpt2": {"vocab_size": 97, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64}}
        for architecture in ("qwen2", "olmo2", "phi3", "llama", "gpt2"):
            model = made(architecture, sizes.get(architecture, SIZES))
            state = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
            # rows for interleaved rope are summed in another order, which 16 bits show
            for kind in BLOCKS if architecture == "llama" else QUANTISED:
                with self.subTest(kind.name, architecture=architecture):
                    self.compare_with_decoded(model.config.to_dict(), state, kind, BOUND)

    def test_gpt2(self):
        self.compare("gpt2", {"vocab_size": 97, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64})

    def test_what_is_not_computed_is_refused_by_key(self):
        model, path = made("llama", SIZES), self.folder / "model.gguf"
        state = {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}
        for add, words in ((lambda w: w.add_expert_count(8), "llama.expert_count is 8"),
                           (lambda w: w.add_rope_scaling_type(gguf.RopeScalingType.LONGROPE), "llama.rope.scaling.type is longrope"),
                           (lambda w: w.add_max_alibi_bias(8.0), "llama.attention.max_alibi_bias is 8"),
                           (lambda w: w.add_tensor("blk.0.ffn_gate_inp.weight", numpy.zeros((4, 4), "f4")),
                            "tensor blk.0.ffn_gate_inp.weight is not one"),
                           (lambda w: w.add_tensor("rope_freqs.weight", numpy.arange(1, 5, dtype="f4")), "rope_freqs.weight")):
            with self.subTest(words):
                write_model(path, model.config.to_dict(), state, fields=add)
                self.assertIn(words, self.refused("generate", path, "--ids", "1"))


class Stories(GgufTest):
    """The trained model of the test data."""

    def setUp(self):
        super().setUp()
        if not STORIES.is_dir():
            self.skipTest(f"{STORIES} is not there; GYRE_TEST_DATA names the folder of such data")
        self.golden = json.loads((STORIES / "hf/golden.json").read_text())
        self.path = self.folder / "stories.gguf"
        self.ids = torch.randint(3, 500, (2, 30))

    def greedy(self, model):
        return self.json("generate", model, "--ids", "1", "--max-tokens", "200", "--greedy")["ids"]

    def test_greedy_ids(self):
        write_folder(self.path, STORIES / "hf")
        self.assertEqual(self.greedy(self.path), self.golden["greedy_ids"])
        self.close(self.logits(self.path), self.logits(STORIES / "hf"))
        self.assertEqual(self.greedy(STORIES / "stories260K.bin"), self.golden["greedy_ids"])

    def test_merges_that_cannot_be_used_are_refused_where_texts_need_them(self):
        def add_merges(writer):
            writer.add_tokenizer_model("gpt2")
            writer.add_token_list([f"token{i}" for i in range(512)])
            writer.add_token_merges(["x y"])

        write_folder(self.path, STORIES / "hf", fields=add_merges)
        self.assertEqual(self.greedy(self.path), self.golden["greedy_ids"])
        self.assertIn("no text, only ids", self.run_command("generate", self.path, "--ids", "1").stderr)
        for words in (("--prompt", "a"), ("--ids", "1", "--stop", "a")):
            self.assertIn('model.merges: "x", "y"', self.refused("generate", self.path, *words))

    def test_split_files(self):
        write_folder(self.path, STORIES / "hf", split_max_tensors=9)
        parts = sorted(self.folder.glob("stories-*.gguf"))
        self.assertGreater(len(parts), 3)
        self.assertEqual(self.greedy(parts[0]), self.golden["greedy_ids"])
        self.assertIn("give the first", self.refused("generate", parts[1], "--ids", "1"))
        parts[2].unlink()
        self.assertIn(f"no such part: {parts[2]}", self.refused("generate", parts[0], "--ids", "1"))

    def test_quantised_models_have_the_logits_of_their_decoded_weights(self):
        config = json.loads((STORIES / "hf/config.json").read_text())
        state = load_file(STORIES / "hf/model.safetensors")
        for kind in QUANTISED:
            with self.subTest(kind.name):
                # rows of queries and keys are in another order, so sums of products are rounded otherwise
                bound = BOUND if kind in BLOCKS else 2e-2 if kind == Type.BF16 else 2e-3
                self.compare_with_decoded(config, state, kind, bound)

    @unittest.skipIf(llama_cpp is None, "llama_cpp is not installed: pip install llama-cpp-python")
    def test_next_tokens_are_as_probable_as_for_llama_cpp(self):
        config = json.loads((STORIES / "hf/config.json").read_text())
        state = load_file(STORIES / "hf/model.safetensors")
        ids = [1, *self.golden["greedy_ids"]][:200]
        for kind in BLOCKS:
            with self.subTest(kind.name):
                write_model(self.path, config, state, fields=add_vocabulary,
                            quantise=lambda name, array, kind=kind: kind if array.shape[-1] % 32 == 0 else Type.F16)
                model = llama_cpp.Llama(str(self.path), n_ctx=256, n_batch=256, logits_all=True, verbose=False)
                model.eval(ids)
                theirs, ours = (logarithms(numpy.array(logits, "f8")) for logits in (
                    model.scores[:len(ids)], self.logits(self.path, torch.tensor([ids]))[0]))
                divergence = (numpy.exp(theirs) * (theirs - ours)).sum(-1).mean()
                self.assertLessEqual(divergence, 1e-3)


def add_vocabulary(writer):
    """One of 512 pieces for a file that llama.cpp opens."""
    kinds = [gguf.TokenType.UNKNOWN, gguf.TokenType.CONTROL, gguf.TokenType.CONTROL]
    pieces = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds += [gguf.TokenType.BYTE] * 256 + [gguf.TokenType.NORMAL] * (512 - 259)
    pieces += [f"piece{i}" for i in range(512 - 259)]
    writer.add_tokenizer_model("llama")
    writer.add_token_list(pieces)
    writer.add_token_scores([0.0] * 512)
    writer.add_token_types(kinds)


def logarithms(logits):
    """Of the probabilities."""
    logits = logits - logits.max(-1, keepdims=True)
    return logits - numpy.log(numpy.exp(logits).sum(-1, keepdims=True))


if __name__ == "__main__":
    unittest.main()
