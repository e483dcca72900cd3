"""Libraries that pack weights, for peers.py: onnxruntime (MatMulNBits) and llama.cpp.

llama.cpp's products call ggml in the libraries inside llama-cpp-python
(`CMAKE_ARGS=-DGGML_NATIVE=ON pip install llama-cpp-python gguf`, `pip install onnx onnxruntime`). A product
uses the next of several matrices each time; together they take more than 256 MB as stored, so that weights come from
memory. Definitions are those of bench/packed/ and bench/language/gpt2.cpp.
"""

import ctypes
import functools
import math
import os
import pathlib
import re
import sysconfig
import tempfile
import time

FROM_MEMORY = 256e6
KINDS = ("onnxruntime", *(f"llama_{name}" for name in ("f32", "f16", "q8_0", "q4_0", "q4_k", "iq2_s", "iq2_xxs")))
FORMAT = r"_(?:[a-z0-9]+|q[48]_0)(?:_int8)?"
ROW_PRODUCT = re.compile(rf"row_product_(\d+){FORMAT}")
LINEAR = re.compile(rf"packed_linear_(\d+){FORMAT}")
WRITTEN_TYPES = ("F32", "F16", "Q8_0", "Q4_0")  # those that the package gguf writes
CONTINUED = re.compile(r"(gpt2|smol)_(?:(prefill)_512|decode_128(?:_at_(4096))?)(?:_[a-z][a-z0-9_]*)?")
PROMPT, NEW, CONTEXT = 512, 128, 1024


def sizes_of(work):
    """Rows of x, inputs and outputs of a product; None for other works."""
    if match := ROW_PRODUCT.fullmatch(work):
        return 1, 4096, int(match[1])
    if match := LINEAR.fullmatch(work):
        return int(match[1]), 768, 3072
    return None


def matrices(rows, stored):
    """How many are used in turn: a large batch takes long and uses its weights often."""
    return min(math.ceil(FROM_MEMORY / stored), 16 if rows > 100 else 1 << 20)


@functools.cache
def gaussian():
    """The N(0, 1) numbers [256, 4096] of bench/packed/packed_weights.h."""
    import numpy as np
    with np.errstate(over="ignore"):
        z = np.uint64(11) + np.arange(1, 2 * 256 * 4096 + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    u = ((z >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    numbers = np.sqrt(-2 * np.log(u[::2])) * np.cos(2 * np.pi * u[1::2])
    return numbers.astype(np.float32).reshape(256, 4096)


def relative_error(found):
    import numpy as np
    return float(np.linalg.norm(found.astype(np.float64) - gaussian()) / np.linalg.norm(gaussian().astype(np.float64)))


class Parameters(ctypes.Structure):
    """ggml_init_params"""
    _fields_ = [("size", ctypes.c_size_t), ("buffer", ctypes.c_void_p), ("no_alloc", ctypes.c_bool)]


class Ggml:
    REPACKED = ("Q4_0", "Q4_K")  # types whose rows llama.cpp interleaves when it loads a model on a CPU
    BASE = {
        "ggml_init": "pP", "ggml_free": "vp", "ggml_new_tensor_2d": "ppill", "ggml_mul_mat": "pppp",
        "ggml_new_graph": "pp", "ggml_build_forward_expand": "vpp", "ggml_row_size": "zil",
        "ggml_quantize_chunk": "zipplllp", "ggml_backend_alloc_ctx_tensors_from_buft": "ppp",
        "ggml_backend_alloc_ctx_tensors": "ppp", "ggml_backend_buffer_free": "vp",
        "ggml_backend_tensor_set": "vppzz", "ggml_backend_graph_compute": "ipp", "ggml_log_set": "vpp"}
    CPU = {"ggml_backend_cpu_init": "p", "ggml_backend_cpu_set_n_threads": "vpi",
           "_Z35ggml_backend_cpu_repack_buffer_typev": "p"}
    CODES = {"v": None, "p": ctypes.c_void_p, "i": ctypes.c_int, "l": ctypes.c_int64, "z": ctypes.c_size_t,
             "P": Parameters}

    def __init__(self, threads):
        folder = pathlib.Path(sysconfig.get_paths()["purelib"], "llama_cpp", "lib")
        if not (folder / "libggml-base.so").exists():
            raise RuntimeError("llama-cpp-python is not installed")
        import llama_cpp  # which sets a function for messages of its own
        self.peer = f"llama.cpp {{}} (llama-cpp-python {llama_cpp.__version__})"
        for library, functions in (("libggml-base.so", self.BASE), ("libggml-cpu.so", self.CPU)):
            loaded = ctypes.CDLL(str(folder / library), ctypes.RTLD_GLOBAL)
            for name, (result, *arguments) in functions.items():
                function = getattr(loaded, name)
                function.restype, function.argtypes = self.CODES[result], [self.CODES[a] for a in arguments]
                setattr(self, "repacking" if "repack" in name else name.removeprefix("ggml_"), function)
        self.quiet = ctypes.CFUNCTYPE(None, ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p)(lambda *_: None)
        self.log_set(ctypes.cast(self.quiet, ctypes.c_void_p), None)  # it names each matrix that it interleaves
        self.backend = self.backend_cpu_init()
        self.backend_cpu_set_n_threads(self.backend, threads)
        self.context, self.buffers = [], []

    def close(self):
        for buffer in self.buffers:
            self.backend_buffer_free(buffer)
        for context in self.context:
            self.free(context)
        self.context, self.buffers = [], []

    def packed(self, kind, numbers):
        """Rows of f32 numbers in blocks of that type, as bytes [rows, row size]."""
        import gguf
        import numpy as np
        code, (rows, inputs) = gguf.GGMLQuantizationType[kind], numbers.shape
        if kind == "F32":
            return numbers.view(np.uint8)
        if kind == "F16":
            return numbers.astype(np.float16).view(np.uint8)
        out = np.zeros((rows, self.row_size(code, inputs)), dtype=np.uint8)
        equal = np.ones(inputs, dtype=np.float32).ctypes  # importances, which the types of two bits need
        self.quantize_chunk(code, numbers.ctypes.data, out.ctypes.data, 0, rows, inputs,
                            equal.data if kind.startswith("IQ") else None)
        return out

    def error(self, kind):
        import gguf
        return relative_error(gguf.quants.dequantize(self.packed(kind, gaussian()), gguf.GGMLQuantizationType[kind]))

    def new_context(self):
        self.context.append(self.init(Parameters(1 << 24, None, True)))
        return self.context[-1]

    def product(self, kind, rows, inputs, outputs):
        """A call of products with several matrices, and how many. 256 rows are repeated: the time does not depend
        on the numbers."""
        import gguf
        import numpy as np
        code = gguf.GGMLQuantizationType[kind]
        matrix = np.tile(self.packed(kind, gaussian().reshape(-1)[:256 * inputs].reshape(256, inputs)), (outputs // 256, 1))
        count = matrices(rows, matrix.nbytes)
        of_weights, of_steps = self.new_context(), self.new_context()
        weights = [self.new_tensor_2d(of_weights, code, inputs, outputs) for _ in range(count)]
        self.buffers.append(self.backend_alloc_ctx_tensors_from_buft(of_weights, self.repacking())
                            if kind in self.REPACKED else self.backend_alloc_ctx_tensors(of_weights, self.backend))
        for tensor in weights:
            self.backend_tensor_set(tensor, matrix.ctypes.data, 0, matrix.nbytes)
        x = self.new_tensor_2d(of_steps, gguf.GGMLQuantizationType.F32, inputs, rows)
        graph = self.new_graph(of_steps)
        for tensor in weights:
            self.build_forward_expand(graph, self.mul_mat(of_steps, tensor, x))
        self.buffers.append(self.backend_alloc_ctx_tensors(of_steps, self.backend))
        numbers = np.ascontiguousarray(gaussian().reshape(-1)[:rows * inputs])
        self.backend_tensor_set(x, numbers.ctypes.data, 0, numbers.nbytes)
        return lambda: self.backend_graph_compute(self.backend, graph), count


BITS, BLOCK = 4, 32


def onnxruntime_error():
    """Of symmetric blocks, by the library's own function."""
    import numpy as np
    from onnxruntime.capi._pybind_state import quantize_matmul_4bits
    inputs_first = np.ascontiguousarray(gaussian().T)
    inputs, outputs = inputs_first.shape
    blocks = inputs // BLOCK
    packed = np.zeros((outputs, blocks, BLOCK // 2), dtype=np.uint8)
    scales, zeros = np.zeros(outputs * blocks, dtype=np.float32), np.zeros(outputs * blocks // 2, dtype=np.uint8)
    quantize_matmul_4bits(packed, inputs_first, scales, zeros, BLOCK, outputs, inputs, True)
    digits = np.stack([packed & 15, packed >> 4], axis=-1).reshape(outputs, blocks, BLOCK)
    return relative_error(((digits.astype(np.float32) - 8) * scales.reshape(outputs, blocks, 1)).reshape(outputs, inputs))


def onnxruntime_product(threads, rows, inputs, outputs):
    import numpy as np
    import onnxruntime
    from onnx import TensorProto, helper
    blocks = inputs // BLOCK
    count = matrices(rows, outputs * blocks * (BLOCK * BITS // 8 + 4))
    random, scales = np.random.default_rng(0), np.full((outputs, blocks), 0.01, dtype=np.float32)
    shape = (outputs, blocks, BLOCK * BITS // 8)
    constants, nodes, results = [], [], []
    for i in range(count):  # of other bytes each, so that none is shared
        constants += [helper.make_tensor(f"w{i}", TensorProto.UINT8, shape, random.bytes(math.prod(shape)), raw=True),
                      helper.make_tensor(f"s{i}", TensorProto.FLOAT, scales.shape, scales.tobytes(), raw=True)]
        nodes.append(helper.make_node("MatMulNBits", ["x", f"w{i}", f"s{i}"], [f"y{i}"], domain="com.microsoft", K=inputs,
                                      N=outputs, bits=BITS, block_size=BLOCK, accuracy_level=4))  # 4: int8 activations
        results.append(helper.make_tensor_value_info(f"y{i}", TensorProto.FLOAT, [rows, outputs]))
    given = [helper.make_tensor_value_info("x", TensorProto.FLOAT, [rows, inputs])]
    model = helper.make_model(helper.make_graph(nodes, "products", given, results, constants), ir_version=10, opset_imports=[
        helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)])
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    x = gaussian().reshape(-1)[:rows * inputs].reshape(rows, inputs)
    return lambda: session.run(None, {"x": x}), count


class ModelFile:
    """Writes a GGUF model with random weights: matrices and the table of tokens in one type, all else in f32."""

    def __init__(self, path, architecture, kind, *, context, width, inner, layers, heads, vocabulary):
        import gguf
        import numpy as np
        self.np, self.gguf, self.random = np, gguf, np.random.default_rng(0)
        self.narrow, self.width = gguf.GGMLQuantizationType[kind], width
        self.writer = writer = gguf.GGUFWriter(str(path), architecture)
        writer.add_context_length(context)
        writer.add_embedding_length(width)
        writer.add_feed_forward_length(inner)
        writer.add_block_count(layers)
        writer.add_head_count(heads)
        writer.add_tokenizer_model("gpt2")
        writer.add_tokenizer_pre("gpt-2")
        writer.add_token_list([f"t{i}" for i in range(vocabulary)])
        writer.add_token_types([1] * vocabulary)
        writer.add_token_merges(["t 0"])
        writer.add_bos_token_id(vocabulary - 1)
        writer.add_eos_token_id(vocabulary - 1)
        self.matrix("token_embd.weight", vocabulary, width)

    def matrix(self, name, *shape, packed=True):
        values = self.random.standard_normal(shape, dtype=self.np.float32) * 0.02
        if packed and self.narrow.name != "F32":
            self.writer.add_tensor(name, self.gguf.quants.quantize(values, self.narrow), raw_dtype=self.narrow)
        else:
            self.writer.add_tensor(name, values)

    def vector(self, name, size, value):
        self.writer.add_tensor(name, self.np.full(size, value, dtype=self.np.float32))

    def close(self):
        self.writer.write_header_to_file()
        self.writer.write_kv_data_to_file()
        self.writer.write_tensors_to_file()
        self.writer.close()


def write_gpt2(path, kind):
    """GPT-2 with 124 M weights."""
    width, layers = 768, 12
    file = ModelFile(path, "gpt2", kind, context=CONTEXT, width=width, inner=4 * width, layers=layers, heads=12,
                     vocabulary=50257)
    file.writer.add_layer_norm_eps(1e-5)
    file.matrix("position_embd.weight", CONTEXT, width, packed=False)

    def norm(name):
        file.vector(f"{name}.weight", width, 1)
        file.vector(f"{name}.bias", width, 0)

    def layer(name, outputs, inputs):
        file.matrix(f"{name}.weight", outputs, inputs)
        file.vector(f"{name}.bias", outputs, 0)

    for i in range(layers):
        norm(f"blk.{i}.attn_norm")
        layer(f"blk.{i}.attn_qkv", 3 * width, width)
        layer(f"blk.{i}.attn_output", width, width)
        norm(f"blk.{i}.ffn_norm")
        layer(f"blk.{i}.ffn_up", 4 * width, width)
        layer(f"blk.{i}.ffn_down", width, 4 * width)
    norm("output_norm")
    file.close()


def write_smol(path, kind):
    """The shape of SmolLM2 with 135 M weights."""
    width, inner, keys = 576, 1536, 192
    file = ModelFile(path, "llama", kind, context=8192, width=width, inner=inner, layers=30, heads=9, vocabulary=49152)
    file.writer.add_head_count_kv(3)
    file.writer.add_rope_dimension_count(64)
    file.writer.add_rope_freq_base(10000.0)
    file.writer.add_layer_norm_rms_eps(1e-5)
    for i in range(30):
        file.vector(f"blk.{i}.attn_norm.weight", width, 1)
        file.vector(f"blk.{i}.ffn_norm.weight", width, 1)
        for name, outputs, inputs in (("attn_q", width, width), ("attn_k", keys, width), ("attn_v", keys, width),
                                      ("attn_output", width, width), ("ffn_gate", inner, width), ("ffn_up", inner, width),
                                      ("ffn_down", width, inner)):
            file.matrix(f"blk.{i}.{name}.weight", outputs, inputs)
    file.vector("output_norm.weight", width, 1)
    file.close()


def model_file(model, kind):
    folder = pathlib.Path(tempfile.gettempdir(), f"gyre-bench-{os.getuid()}-gguf")
    path = folder / f"{model}_{kind}.gguf"
    if not path.exists():
        folder.mkdir(exist_ok=True)
        {"gpt2": write_gpt2, "smol": write_smol}[model](path.with_suffix(".part"), kind)
        path.with_suffix(".part").rename(path)
    return path


class LlamaModel:
    """llama.cpp's default cache is f16."""

    def __init__(self, model, kind, prompt, threads):
        import llama_cpp
        import numpy as np
        self.np, self.prompt = np, prompt
        self.llama = llama_cpp.Llama(str(model_file(model, kind)), n_ctx=prompt + 2 * NEW, n_batch=PROMPT, n_ubatch=PROMPT,
                                     n_threads=threads, n_threads_batch=threads, verbose=False)
        self.vocabulary = self.llama.n_vocab()
        self.tokens = np.random.default_rng(0).integers(0, self.vocabulary, prompt).tolist()

    def prefill(self):
        self.llama.reset()
        self.llama.eval(self.tokens)

    def decode(self):
        """Seconds a token, over those of the last call."""
        self.llama.n_tokens = self.prompt
        start, token = time.perf_counter(), 1
        for _ in range(NEW):
            self.llama.eval([token])
            token = int(self.np.ctypeslib.as_array(self.llama._ctx.get_logits(), (self.vocabulary,)).argmax())
        return (time.perf_counter() - start) / NEW


class PackedPeers:
    def __init__(self, threads):
        self.threads, self.ggml = threads, functools.cache(lambda: Ggml(threads))

    def close(self):
        """Frees the matrices of the last benchmark."""
        if self.ggml.cache_info().currsize:
            self.ggml().close()

    def prepare(self, work, kind, looped, once):
        """The peer's name, its timer, and the relative error of its weights or None; `looped` and `once` are the timers
        of peers.py."""
        sizes, continued, name = sizes_of(work), CONTINUED.fullmatch(work), kind.partition("_")[2].upper()
        if not sizes and not (continued and name in WRITTEN_TYPES):
            raise RuntimeError(f"{kind} has no such work")
        if kind == "onnxruntime":
            import onnxruntime
            return (f"onnxruntime {onnxruntime.__version__} MatMulNBits {BITS} bit",
                    looped(*onnxruntime_product(self.threads, *sizes)), onnxruntime_error())
        ggml = self.ggml()
        peer = ggml.peer.format(name)
        error = None if name == "F32" else ggml.error(name)
        if sizes:
            return peer, looped(*ggml.product(name, *sizes)), error
        model = LlamaModel(continued[1], name, int(continued[3] or PROMPT), self.threads)
        if continued[2]:
            return peer, looped(model.prefill, warm=1), error
        model.prefill()
        model.decode()
        return peer, once(model.decode), error
