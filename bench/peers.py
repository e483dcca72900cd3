"""The benchmarks of `gyre bench` with other libraries, for `gyre bench --peer`.

Reads lines `WORK KIND` (KIND: eager, compile, fused (all torch), onednn, openblas or one of packed_peers.py). Whatever
KIND is, text benchmarks use tiktoken unless it is tokenizers, and BPE training uses tokenizers; benchmarks of the
Poincaré ball use geoopt, eager or compiled; those of rules one of logic/peers.py. Prints for
each one line of JSON: {"peer": "torch 2.13.0 eager", "seconds": s}, the time of one operation over
one set of calls of at least 20 ms, or {"reason": "..."} if this peer cannot run the benchmark; "error" is the
relative error of weights that the peer packs. The first
line of a benchmark prepares it and warms it up. Definitions are those of bench/*.cpp of the same names.
"""

import argparse
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import packed_peers
from logic import peers as logic_peers

HERE = pathlib.Path(__file__).resolve().parent
POINTS, ROWS, WIDTH, TOKENS, VOCABULARY = 1 << 24, 4096, 1024, 2048, 50257
PRODUCTS = {f"matmul_{n}": (1, n, n, n, "float32") for n in (256, 512, 1024, 2048)} | {
    "matmul_32x768x3072": (1, 32, 768, 3072, "float32"), "matmul_1x768x3072": (1, 1, 768, 3072, "float32"),
    "matmul_16x512": (16, 512, 512, 512, "float32"), "matmul_bf16_1024": (1, 1024, 1024, 1024, "bfloat16")}
EINSUMS = {
    "chain5": ("ij,jk,kl,lm,mn->in", dict(i=1024, j=512, k=16, l=1024, m=512, n=64)),
    "attention4": ("bhqd,bhkd,bhke,hef->bqf", dict(b=4, h=8, q=256, k=256, d=64, e=64, f=512)),
    "ring6": ("aib,bjc,ckd,dle,emf,fna->ijklmn", dict.fromkeys("abcdef", 16) | dict.fromkeys("ijklmn", 8))}
BALL = re.compile("(mobius_add|dist|exp0|log0)_([0-9]+x[0-9]+)(_gradients)?")
REST = 0.1  # seconds that OpenMP workers spin after their last loop


class Absent(Exception):
    """The reason why this peer cannot run a benchmark."""


class Looped:
    """Times a call repeated for at least 20 ms."""

    def __init__(self, call, operations=1, warm=2):
        self.call, self.operations = call, operations
        for _ in range(warm):
            call()
        self.loops = 1
        self.loops = max(1, int(0.02 / max(self.sample(), 1e-9)))

    def sample(self):
        self.call()
        start = time.perf_counter()
        for _ in range(self.loops):
            self.call()
        return (time.perf_counter() - start) / self.loops / self.operations


class Once:
    """A call that times itself."""

    def __init__(self, call):
        self.sample = call


def matmul(torch, batch, m, k, n, dtype):
    shape = (batch,) if batch > 1 else ()
    dtype = getattr(torch, dtype)
    a, b = torch.randn(*shape, m, k).to(dtype), torch.randn(*shape, k, n).to(dtype)
    c = torch.empty(*shape, m, n, dtype=dtype)
    return Looped(torch.no_grad()(lambda: torch.matmul(a, b, out=c)))


def perceptron(torch, kind, batch, step):
    net = torch.nn.Sequential(torch.nn.Linear(768, 3072), torch.nn.GELU(approximate="tanh"),
                              torch.nn.Linear(3072, 768))
    x, target = torch.randn(batch, 768), torch.randn(batch, 768)
    loss = lambda: torch.nn.functional.mse_loss(net(x), target)
    loss = torch.compile(loss) if kind == "compile" else loss
    adamw = torch.optim.AdamW(net.parameters(), lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01,
                              fused=kind != "eager")

    def gradients():
        adamw.zero_grad(set_to_none=True)
        loss().backward()

    def whole():
        gradients()
        adamw.step()

    return Looped(whole if step else gradients)


def linear_in_turn(torch, rows, inputs, outputs, backward):
    """x W^T, the next of several f32 matrices each time; they take more than 256 MB."""
    count = packed_peers.matrices(rows, 4 * inputs * outputs)
    x, g = torch.randn(rows, inputs, requires_grad=backward), torch.randn(rows, outputs)
    weights = [torch.randn(outputs, inputs, requires_grad=backward) for _ in range(count)]

    def forward():
        for w in weights:
            torch.nn.functional.linear(x, w)

    def gradients():
        for w in weights:
            x.grad = None
            torch.nn.functional.linear(x, w).backward(g)
            w.grad = None

    return Looped(gradients if backward else torch.no_grad()(forward), count)


def adamw(torch, kind):
    values = torch.nn.Parameter(torch.randn(1 << 24))
    values.grad = torch.randn(1 << 24)
    return Looped(torch.optim.AdamW([values], lr=1e-3, weight_decay=0.01, fused=kind != "eager").step)


def pointwise(torch, kind, name, into):
    functions = {"exp": torch.exp, "tanh": torch.tanh,
                 "gelu": lambda t: torch.nn.functional.gelu(t, approximate="tanh")}
    x = torch.randn(POINTS)
    if not into:
        function = torch.compile(functions[name]) if kind == "compile" else functions[name]
        return Looped(torch.no_grad()(lambda: function(x)))
    out = torch.empty(POINTS)
    calls = {"copy": lambda: out.copy_(x), "exp": lambda: torch.exp(x, out=out),
             "tanh": lambda: torch.tanh(x, out=out),
             "gelu": lambda: torch._C._nn.gelu(x, approximate="tanh", out=out)}
    return Looped(torch.no_grad()(calls[name]))


def rowwise(torch, kind, name, backward):
    x, g = torch.randn(ROWS, WIDTH, requires_grad=backward), torch.randn(ROWS, WIDTH)
    weight = torch.ones(WIDTH, requires_grad=backward)
    bias = torch.zeros(WIDTH, requires_grad=backward)
    functions = {"softmax": lambda t: torch.softmax(t, -1),
                 "layer_norm": lambda t: torch.nn.functional.layer_norm(t, (WIDTH,), weight, bias)}
    function = torch.compile(functions[name]) if kind == "compile" else functions[name]

    def both():
        x.grad = weight.grad = bias.grad = None
        function(x).backward(g)

    return Looped(both if backward else torch.no_grad()(lambda: function(x)))


def cross_entropy(torch, kind):
    logits = torch.randn(TOKENS, VOCABULARY, requires_grad=True)
    target = torch.randint(VOCABULARY, (TOKENS,))
    loss = lambda: torch.nn.functional.cross_entropy(logits, target)
    loss = torch.compile(loss) if kind == "compile" else loss

    def gradients():
        logits.grad = None
        loss().backward()

    return Looped(gradients, warm=1)


def attention(torch, backward):
    q, k, v = (torch.randn(1, 12, 1024, 64, requires_grad=True) for _ in range(3))
    g = torch.randn(1, 12, 1024, 64)
    forward = lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)

    def gradients():
        q.grad = k.grad = v.grad = None
        forward().backward(g)

    return Looped(gradients if backward else torch.no_grad()(forward))


def einsum(torch, name, backward):
    import opt_einsum  # torch needs it to choose the cheapest order
    spec, sizes = EINSUMS[name]
    terms, out = spec.split("->")
    operands = [torch.randn([sizes[i] for i in term], requires_grad=backward) for term in terms.split(",")]
    g = torch.ones([sizes[i] for i in out])
    torch.backends.opt_einsum.strategy = "optimal"

    def gradients():
        for t in operands:
            t.grad = None
        torch.einsum(spec, *operands).backward(g)

    return Looped(gradients if backward else torch.no_grad()(lambda: torch.einsum(spec, *operands)))


def convolution(torch, backward):
    """In the memory format that is faster in torch, NCHW or NHWC."""
    def timer(layout):
        x = torch.randn(32, 64, 56, 56).to(memory_format=layout).requires_grad_(backward)
        w = torch.randn(64, 64, 3, 3).to(memory_format=layout).requires_grad_(backward)
        g = torch.randn(32, 64, 56, 56).to(memory_format=layout)
        forward = lambda: torch.nn.functional.conv2d(x, w, padding=1)

        def gradients():
            x.grad = w.grad = None
            forward().backward(g)

        return Looped(gradients if backward else torch.no_grad()(forward))

    timers = [timer(layout) for layout in (torch.contiguous_format, torch.channels_last)]
    return min(timers, key=lambda t: min(t.sample() for _ in range(3)))


def decomposition(torch, name, batch, n):
    x = torch.randn(batch, n, n)
    x, b = x @ x.mT + n * torch.eye(n), torch.randn(batch, n, 1)
    linalg = torch.linalg
    calls = {"solve": lambda: linalg.solve(x, b), "inverse": lambda: linalg.inv(x), "det": lambda: linalg.det(x),
             "cholesky": lambda: linalg.cholesky(x), "qr": lambda: linalg.qr(x),
             "svd": lambda: linalg.svd(x, full_matrices=False), "eigh": lambda: linalg.eigh(x)}
    return Looped(torch.no_grad()(calls[name]))


def gradients_too(torch, call, *leaves):
    for leaf in leaves:
        leaf.requires_grad_()
    g = torch.randn_like(call())
    return Looped(lambda: torch.autograd.grad(call(), leaves, g))


def semiring(torch, size, *rest):
    """PyTorch has no such product: a loop over the inner axis, without the cube of all combinations."""
    n, dtype = int(size), torch.float64 if "f64" in rest else torch.float32
    x, y = torch.randn(n, n, dtype=dtype), torch.randn(n, n, dtype=dtype)

    def call():
        out = x[:, :1] + y[0]
        for i in range(1, n):
            out = torch.minimum(out, x[:, i:i + 1] + y[i])
        return out

    return gradients_too(torch, call, x, y) if "gradients" in rest else Looped(call, warm=1)


def csr(torch, size, *rest):
    n, per_row, k = map(int, size.split("x"))
    matrix = torch.sparse_csr_tensor(torch.arange(0, n * per_row + 1, per_row),
                                     torch.randint(0, n, (n, per_row)).sort()[0].reshape(-1), torch.randn(n * per_row))
    dense = torch.randn(n, k)
    call = lambda: matrix @ dense
    return gradients_too(torch, call, matrix, dense) if "gradients" in rest else Looped(torch.no_grad()(call))


def data_file(name, variable=None):
    folder = pathlib.Path(os.environ.get("GYRE_TEST_DATA") or HERE.parent / "tests/data")
    path = pathlib.Path(os.environ.get(variable or "") or folder / name)
    if not path.is_file():
        raise Absent(f"{path} not found")
    return path


class Gpt:
    """GPT-2's architecture with tied embeddings, as functions of dicts of tensors."""

    def __init__(self, torch, vocabulary, block, width, heads, layers, bias, gelu):
        self.torch, self.width, self.heads, self.gelu = torch, width, heads, gelu
        normal = lambda *shape, std=0.02: (torch.randn(*shape) * std).requires_grad_()
        ones = lambda: torch.ones(width, requires_grad=True)
        zeros = lambda n: torch.zeros(n, requires_grad=True) if bias else None
        small = 0.02 / math.sqrt(2 * layers)
        self.layers = [dict(norm1=ones(), qkv=normal(3 * width, width), proj=normal(width, width, std=small),
                            norm2=ones(), up=normal(4 * width, width), down=normal(width, 4 * width, std=small),
                            norm1_b=zeros(width), qkv_b=zeros(3 * width), proj_b=zeros(width),
                            norm2_b=zeros(width), up_b=zeros(4 * width), down_b=zeros(width))
                       for _ in range(layers)]
        self.top = dict(tokens=normal(vocabulary, width), places=normal(block, width), norm=ones(),
                        norm_b=zeros(width))

    def parameters(self):
        every = [*self.top.values(), *(p for layer in self.layers for p in layer.values())]
        return [p for p in every if p is not None]

    def groups(self, decay):
        every = self.parameters()
        return [{"params": [p for p in every if p.dim() >= 2], "weight_decay": decay},
                {"params": [p for p in every if p.dim() < 2], "weight_decay": 0.0}]

    def hidden(self, inputs, caches=None, start=0):
        """After the last norm; `caches` has keys and values of the `start` tokens before, for each layer."""
        F, width, top = self.torch.nn.functional, self.width, self.top
        batch, length = inputs.shape
        x = top["tokens"][inputs] + top["places"][start:start + length]
        split = lambda t: t.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        norm = lambda t, layer, name: F.layer_norm(t, (width,), layer[name], layer[name + "_b"])
        linear = lambda t, layer, name: F.linear(t, layer[name], layer[name + "_b"])
        for i, layer in enumerate(self.layers):
            q, k, v = map(split, linear(norm(x, layer, "norm1"), layer, "qkv").split(width, -1))
            if caches:
                for cache, new in zip(caches[i], (k, v)):
                    cache[:, :, start:start + length] = new
                k, v = (cache[:, :, :start + length] for cache in caches[i])
            y = F.scaled_dot_product_attention(q, k, v, is_causal=length > 1)
            x = x + linear(y.transpose(1, 2).reshape(batch, length, width), layer, "proj")
            hidden = F.gelu(linear(norm(x, layer, "norm2"), layer, "up"), approximate=self.gelu)
            x = x + linear(hidden, layer, "down")
        return norm(x, top, "norm")

    def logits(self, hidden):
        return self.torch.nn.functional.linear(hidden, self.top["tokens"])

    def loss(self, inputs, targets):
        logits = self.logits(self.hidden(inputs))
        return self.torch.nn.functional.cross_entropy(logits.view(-1, logits.shape[-1]), targets.reshape(-1))


class Chargpt:
    """chargpt_2000: 4 layers, 4 heads, width 128, block 64, no biases."""

    BLOCK, BATCH, STEPS = 64, 12, 2000

    def __init__(self, torch, kind, steps):
        self.torch, self.kind, self.steps = torch, kind, steps or self.STEPS
        raw = data_file("text/tinyshakespeare.txt", "GYRE_TINYSHAKESPEARE").read_bytes()
        vocabulary = sorted(set(raw))
        codes = torch.tensor([vocabulary.index(b) for b in raw])
        self.text, self.count = codes[:int(0.9 * len(codes))], len(vocabulary)

    def draw(self, seed, i):
        mask = (1 << 64) - 1
        z = (seed + (i + 1) * 0x9E3779B97F4A7C15) & mask
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & mask
        return z ^ z >> 31

    def batch(self, step):
        starts = [self.draw(1, self.BATCH * step + r) % (len(self.text) - self.BLOCK) for r in range(self.BATCH)]
        rows = self.torch.stack([self.text[s:s + self.BLOCK + 1] for s in starts])
        return rows[:, :-1], rows[:, 1:]

    def rate(self, step):
        if step < 100:
            return 1e-3 * (step + 1) / 101
        return 1e-4 + 4.5e-4 * (1 + math.cos(math.pi * (step - 100) / (self.STEPS - 100)))

    def run(self):
        torch = self.torch
        torch.manual_seed(1337)
        model = Gpt(torch, self.count, self.BLOCK, 128, 4, 4, bias=False, gelu="none")
        adamw = torch.optim.AdamW(model.groups(0.1), lr=1e-3, betas=(0.9, 0.99), fused=True)
        loss = torch.compile(model.loss) if self.kind == "compile" else model.loss
        loss(*self.batch(0)).backward()  # compiling is not timed
        start = time.perf_counter()
        for step in range(self.steps):
            for group in adamw.param_groups:
                group["lr"] = self.rate(step)
            adamw.zero_grad(set_to_none=True)
            loss(*self.batch(step)).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adamw.step()
        return time.perf_counter() - start


def gpt2(torch, kind, steps):
    model = Gpt(torch, VOCABULARY, 1024, 768, 12, 12, bias=True, gelu="tanh")
    adamw = torch.optim.AdamW(model.groups(0.1), lr=3e-4, betas=(0.9, 0.95), fused=True)
    tokens, targets = torch.randint(VOCABULARY, (4, 64)), torch.randint(VOCABULARY, (4, 64))
    loss = torch.compile(model.loss) if kind == "compile" else model.loss

    def call():
        adamw.zero_grad(set_to_none=True)
        loss(tokens, targets).backward()
        if steps:
            adamw.step()

    return Looped(call, warm=1)


def gpt2_continued(torch, decodes):
    """Continues a prompt greedily: the pass over the prompt, or seconds of one of the tokens after it."""
    prompt, new, context = packed_peers.PROMPT, packed_peers.NEW, packed_peers.CONTEXT
    model = Gpt(torch, VOCABULARY, context, 768, 12, 12, bias=True, gelu="tanh")
    tokens = torch.randint(VOCABULARY, (1, prompt))
    caches = [[torch.zeros(1, 12, context, 64) for _ in "kv"] for _ in model.layers]
    after = lambda tokens, start: model.logits(model.hidden(tokens, caches, start)[:, -1:]).argmax(-1)

    @torch.no_grad()
    def prefill():
        return after(tokens, 0)

    @torch.no_grad()
    def decode():
        token = first
        for i in range(new):
            token = after(token, prompt + i)

    first = prefill()
    return Looped(decode, new, warm=1) if decodes else Looped(prefill, warm=1)


def tokenizer_file(work):
    """GPT-2's, or the one that bench/language/text.cpp has learned."""
    if work in ("encode_llama3", "encode_qwen2"):
        cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
        return data_file(pathlib.Path(cache, "gyre-bench", f"{work}.json"))
    return data_file("tokenizers/gpt2/tokenizer.json")


def tiktoken_encoder(path):
    import tiktoken
    content = json.loads(path.read_text())
    vocabulary = content["model"]["vocab"]
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {chr(b): b for b in shown}
    letters |= {chr(256 + i): b for i, b in enumerate(b for b in range(256) if b not in shown)}
    special = {token["content"]: token["id"] for token in content["added_tokens"]}
    ranks = {bytes(letters[c] for c in piece): i for piece, i in vocabulary.items() if piece not in special}
    split = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
    for part in content["pre_tokenizer"].get("pretokenizers", []):
        split = part.get("pattern", {"Regex": split})["Regex"]
    encoding = tiktoken.Encoding("peer", pat_str=split, mergeable_ranks=ranks, special_tokens=special)
    return f"tiktoken {tiktoken.__version__}", encoding.encode_ordinary


def tokenizers_encoder(path):
    import tokenizers
    tokenizer = tokenizers.Tokenizer.from_file(str(path))
    whole = {"truncation": None}
    if hasattr(tokenizer, "no_truncation"):  # before 1.0
        tokenizer.no_truncation()
        whole = {}
    return f"tokenizers {tokenizers.__version__}", lambda text: tokenizer.encode(text, **whole).ids


def encoding(work, kind):
    peer, encode = (tokenizers_encoder if kind == "tokenizers" else tiktoken_encoder)(tokenizer_file(work))
    text = data_file("text/tinyshakespeare.txt", "GYRE_TINYSHAKESPEARE").read_text(encoding="utf-8")
    parts = text.splitlines(keepends=True) if work == "encode_lines" else [text]
    return peer, Looped(lambda: [encode(part) for part in parts], warm=1)


def learning_pieces():
    import tokenizers
    texts = []
    for part in ("noun", "verb", "adj", "adv"):
        try:
            lines = open(f"/usr/share/wordnet/data.{part}", encoding="utf-8")
        except OSError as missing:
            raise Absent(str(missing))
        with lines:
            texts += [line.split("| ", 1)[1].strip() for line in lines if not line.startswith("  ") and "| " in line]
    levels = tokenizers.pre_tokenizers.ByteLevel

    def work():
        tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
        tokenizer.pre_tokenizer = levels(add_prefix_space=False)
        trainer = tokenizers.trainers.BpeTrainer(vocab_size=4096, min_frequency=0, show_progress=False,
                                                 special_tokens=[], initial_alphabet=levels.alphabet())
        tokenizer.train_from_iterator(texts, trainer, length=len(texts))

    return f"tokenizers {tokenizers.__version__}", Looped(work, warm=1)


class Program:
    """A C++ program of this folder, built on demand. It prints its name, then reads a benchmark per line and
    prints the seconds of one operation over one set of calls, or the reason for having none."""

    def __init__(self, source, built_for, flags, words=()):
        source = HERE / source
        folder = pathlib.Path(tempfile.gettempdir()) / f"gyre-bench-{os.getuid()}-{built_for}"
        folder.mkdir(exist_ok=True)
        program = folder / source.stem
        if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
            built = subprocess.run(["g++", "-std=c++20", "-O2", str(source), "-o", str(program), *flags],
                                   capture_output=True, text=True)
            if built.returncode:
                raise Absent(f"{source.name} failed to build: " + built.stderr.strip().splitlines()[-1])
        self.process = subprocess.Popen([program, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.name = self.line()

    def line(self):
        text = self.process.stdout.readline().strip()
        if not text:
            raise Absent(f"{self.process.args[0].name} exited")
        return text

    def timer(self, work):
        def sample():
            self.process.stdin.write(work + "\n")
            self.process.stdin.flush()
            answer = self.line()
            try:
                return float(answer)
            except ValueError:
                raise Absent(answer)
        return Once(sample)


def in_the_ball(torch, kind, work):
    """geoopt's functions of the Poincaré ball, on points distributed as in hyperbolic.cpp."""
    import geoopt
    ball = geoopt.PoincareBall(c=1.0)
    name, shape = BALL.fullmatch(work).group(1, 2)
    function = {"mobius_add": ball.mobius_add, "dist": ball.dist, "exp0": lambda x, y: ball.expmap0(x),
                "log0": lambda x, y: ball.logmap0(x)}[name]
    function = torch.compile(function, dynamic=False) if kind == "compile" else function
    rows, width = map(int, shape.split("x"))
    reach = 2.0 if name == "exp0" else 0.9
    x, y = (torch.nn.functional.normalize(torch.randn(rows, width)) * reach * torch.rand(rows, 1) for _ in "xy")
    if not work.endswith("_gradients"):
        return f"geoopt {geoopt.__version__} {kind}", Looped(torch.no_grad()(lambda: function(x, y)))
    x.requires_grad_()
    y.requires_grad_()
    g = torch.randn_like(function(x, y))

    def both():
        x.grad = y.grad = None
        function(x, y).backward(g)

    return f"geoopt {geoopt.__version__} {kind}", Looped(both)


@functools.cache
def libtorch(torch, threads):
    root = pathlib.Path(torch.__file__).parent
    flags = [f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}", f"-I{root}/include",
             f"-I{root}/include/torch/csrc/api/include", f"-L{root}/lib", f"-Wl,-rpath,{root}/lib", "-ltorch",
             "-ltorch_cpu", "-lc10"]
    return Program("small_libtorch.cpp", torch.__version__, flags, [str(threads)])


class Torch:
    def __init__(self, options):
        try:
            import torch
        except ImportError as missing:
            raise Absent(f"{sys.executable}: {missing} (set GYRE_PEER_PYTHON to a Python with torch)")
        torch.set_num_threads(options.threads)
        torch.set_num_interop_threads(1)
        torch.manual_seed(0)
        self.torch, self.options = torch, options

    def prepare(self, work, kind):
        torch = self.torch
        group, _, rest = work.partition("_")
        if group == "small":
            program = libtorch(torch, self.options.threads)
            return program.name, program.timer(work)
        if BALL.fullmatch(work):
            return in_the_ball(torch, kind, work)
        return f"torch {torch.__version__} {kind}", self.timer(work, kind, group, rest)

    def timer(self, work, kind, group, rest):
        torch = self.torch
        if work in PRODUCTS:
            return matmul(torch, *PRODUCTS[work])
        if group == "row" or work.startswith("packed_linear_"):
            sizes = packed_peers.sizes_of(work.removesuffix("_gradients"))
            return linear_in_turn(torch, *sizes, work.endswith("_gradients"))
        if work.startswith("packed_step_"):
            return perceptron(torch, kind, int(work.split("_")[2]), True)
        if group == "mlp":
            batch, what = rest.removeprefix("batch").split("_")
            return perceptron(torch, kind, int(batch), what == "step")
        if work == "optim_adamw_f32":
            return adamw(torch, kind)
        if group == "point":
            return pointwise(torch, kind, rest.removesuffix("_into"), rest == "copy" or rest.endswith("_into"))
        if work.endswith(f"_{ROWS}x{WIDTH}") or work.endswith(f"_{ROWS}x{WIDTH}_gradients"):
            return rowwise(torch, kind, work.split(f"_{ROWS}")[0], work.endswith("_gradients"))
        if work == f"cross_entropy_{TOKENS}x{VOCABULARY}_gradients":
            return cross_entropy(torch, kind)
        if group == "attention":
            return attention(torch, work.endswith("_gradients"))
        if group == "einsum":
            return einsum(torch, rest.removesuffix("_gradients"), work.endswith("_gradients"))
        if group == "conv2d":
            return convolution(torch, work.endswith("_gradients"))
        if group == "linalg":
            name, size = rest.split("_")
            return decomposition(torch, name, *map(int, size.split("x")))
        if group in ("semiring", "csr"):
            return (semiring if group == "semiring" else csr)(torch, *rest.split("_"))
        if work.startswith(("gpt2_prefill", "gpt2_decode")):
            return gpt2_continued(torch, work.startswith("gpt2_decode"))
        if group == "gpt2":
            return gpt2(torch, kind, work.endswith("_step"))
        if work in ("chargpt_2000", "learning_chargpt"):
            return Once(Chargpt(torch, kind, self.options.steps).run)
        raise Absent("no peer has this benchmark")


GEMM_LIBRARIES = {
    "onednn": ("libdnnl-dev", ["libdnnl.so"]),
    "openblas": ("libopenblas-pthread-dev", ["openblas-pthread/libopenblas.so", "openblas-openmp/libopenblas.so",
                                             "openblas-serial/libopenblas.so", "libopenblas.so"])}


@functools.cache
def gemm_library(kind):
    """gemm_libraries.cpp with the first build of that library that is installed."""
    package, builds = GEMM_LIBRARIES[kind]
    for build in builds:
        path = subprocess.run(["g++", f"-print-file-name={build}"], capture_output=True, text=True).stdout.strip()
        if path != build:  # g++ found it
            path = pathlib.Path(path).resolve()
            flags = [f"-D{kind.upper()}", str(path), f"-Wl,-rpath,{path.parent}"]
            return Program("gemm_libraries.cpp", path.name, flags)
    raise Absent(f"{package} is not installed")


class Bench:
    def __init__(self, options):
        self.torch = functools.cache(lambda: Torch(options))
        self.threads = options.threads
        self.packed = packed_peers.PackedPeers(options.threads)
        self.ready = {}

    def prepare(self, work, kind):
        if work.startswith("encode_"):
            return encoding(work, kind)
        if work == "train_bpe_4096":
            return learning_pieces()
        if kind in logic_peers.KINDS:
            peer, sample = logic_peers.prepare(work, kind, self.threads)
            return peer, Once(sample)
        if kind in ("eager", "compile", "fused"):
            return self.torch().prepare(work, kind)
        if kind in packed_peers.KINDS:
            return self.packed.prepare(work, kind, Looped, Once)
        if kind not in GEMM_LIBRARIES:
            kinds = ", ".join((*GEMM_LIBRARIES, *packed_peers.KINDS, *logic_peers.KINDS))
            raise Absent(f"'{kind}' is not eager, compile, fused, {kinds}")
        if work not in PRODUCTS:
            raise Absent(f"{kind} has no such work")
        program = gemm_library(kind)
        return program.name, program.timer(" ".join(map(str, PRODUCTS[work])))

    def answer(self, work, kind):
        if (work, kind) not in self.ready:
            self.ready = {}  # releases the previous benchmark
            self.packed.close()
            self.ready = {(work, kind): self.prepare(work, kind)}
        peer, timer, *error = self.ready[work, kind]
        seconds = timer.sample()
        time.sleep(REST)
        return {"peer": peer, "seconds": seconds} | {"error": e for e in error if e is not None}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=0, help="steps of training benchmarks; 0: as defined by the benchmark")
    options = parser.parse_args()
    for name in ("OMP", "MKL", "OPENBLAS"):
        os.environ[f"{name}_NUM_THREADS"] = str(options.threads)
    bench = Bench(options)
    for line in sys.stdin:
        try:
            work, _, kind = line.strip().partition(" ")
            answer = bench.answer(work, kind)
        except Exception as failure:  # gyre bench continues without this peer
            answer = {"reason": (str(failure).strip().splitlines() or [repr(failure)])[-1][:200]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
