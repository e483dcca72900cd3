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
ROW_PRODUCT = re.compile(r"row_product_(\d+)_[a-z0-9]+(?:_int8)?")
LINEAR = re.compile(r"packed_linear_(\d+)_[a-z0-9]+(?:_int8)?")
GPT2_TYPES = ("F32", "F16", "Q8_0", "Q4_0")  # those that the package gguf writes
GPT2 = re.compile(r"gpt2_(prefill_512|decode_128)(_[a-z0-9]+)?(_int8)?")
PROMPT, NEW, WIDTH, LAYERS, HEADS, CONTEXT, VOCABULARY = 512, 128, 768, 12, 12, 1024, 50257


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


def gpt2_file(kind):
    """A file of GPT-2 124M with random weights: matrices and the table of tokens in that type, all else in f32."""
    import gguf
    import numpy as np
    folder = pathlib.Path(tempfile.gettempdir(), f"gyre-bench-{os.getuid()}-gguf")
    path = folder / f"gpt2_{kind}.gguf"
    if path.exists():
        return path
    folder.mkdir(exist_ok=True)
    writer, random, narrow = gguf.GGUFWriter(str(path), "gpt2"), np.random.default_rng(0), gguf.GGMLQuantizationType[kind]

    def matrix(name, *shape, packed=True):
        values = random.standard_normal(shape, dtype=np.float32) * 0.02
        if packed and kind != "F32":
            writer.add_tensor(name, gguf.quants.quantize(values, narrow), raw_dtype=narrow)
        else:
            writer.add_tensor(name, values)

    def vector(name, size, value):
        writer.add_tensor(name, np.full(size, value, dtype=np.float32))

    def layer(name, outputs, inputs):
        matrix(f"{name}.weight", outputs, inputs)
        vector(f"{name}.bias", outputs, 0)

    def norm(name):
        vector(f"{name}.weight", WIDTH, 1)
        vector(f"{name}.bias", WIDTH, 0)

    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(4 * WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_head_count(HEADS)
    writer.add_layer_norm_eps(1e-5)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([f"t{i}" for i in range(VOCABULARY)])
    writer.add_token_types([1] * VOCABULARY)
    writer.add_token_merges(["t 0"])
    writer.add_bos_token_id(VOCABULARY - 1)
    writer.add_eos_token_id(VOCABULARY - 1)
    matrix("token_embd.weight", VOCABULARY, WIDTH)
    matrix("position_embd.weight", CONTEXT, WIDTH, packed=False)
    for i in range(LAYERS):
        norm(f"blk.{i}.attn_norm")
        layer(f"blk.{i}.attn_qkv", 3 * WIDTH, WIDTH)
        layer(f"blk.{i}.attn_output", WIDTH, WIDTH)
        norm(f"blk.{i}.ffn_norm")
        layer(f"blk.{i}.ffn_up", 4 * WIDTH, WIDTH)
        layer(f"blk.{i}.ffn_down", WIDTH, 4 * WIDTH)
    norm("output_norm")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


class LlamaGpt2:
    def __init__(self, kind, threads):
        import llama_cpp
        import numpy as np
        self.np, self.llama = np, llama_cpp.Llama(str(gpt2_file(kind)), n_ctx=CONTEXT, n_batch=PROMPT, n_ubatch=PROMPT,
                                                  n_threads=threads, n_threads_batch=threads, verbose=False)
        self.prompt = np.random.default_rng(0).integers(0, VOCABULARY, PROMPT).tolist()

    def prefill(self):
        self.llama.reset()
        self.llama.eval(self.prompt)

    def decode(self):
        """Seconds a token, without those of the prompt."""
        self.prefill()
        start, token = time.perf_counter(), 1
        for _ in range(NEW):
            self.llama.eval([token])
            token = int(self.np.ctypeslib.as_array(self.llama._ctx.get_logits(), (VOCABULARY,)).argmax())
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
        sizes, of_gpt2, name = sizes_of(work), GPT2.fullmatch(work), kind.partition("_")[2].upper()
        if not sizes and not (of_gpt2 and name in GPT2_TYPES):
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
        model = LlamaGpt2(name, self.threads)
        if of_gpt2[1] == "prefill_512":
            return peer, looped(model.prefill, warm=1), error
        model.decode()
        return peer, once(model.decode), error
