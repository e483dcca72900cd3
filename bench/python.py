"""Times the Python package, PyTorch and NumPy: small calls, a training step, start-up.

    PYTHONPATH=build/release/python python3 bench/python.py [WORK...] [--json]

One row per benchmark and library: median, minimum and maximum of 15 sets, alternating with the other
libraries, and the library's median over gyre's. Small benchmarks are loops of 1000 calls on 16 elements, `mlp_step` of 200
training steps, on one thread, in CPU time of the thread; `start` and `import` are whole processes with files in the page cache.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time

SETS, CALLS = 15, 1000
PREPARED = {
    "gyre": "import gyre; x, y = gyre.randn(16), gyre.randn(16); leaf = gyre.randn(16).requires_grad_(); "
            "relu, softmax = gyre.relu, gyre.softmax; gyre.set_num_threads(1)",
    "torch": "import torch; x, y = torch.randn(16), torch.randn(16); leaf = torch.randn(16, requires_grad=True); "
             "relu, softmax = torch.relu, torch.softmax; torch.set_num_threads(1)",
    "numpy": "import numpy; x, y = numpy.ones(16, 'f4'), numpy.ones(16, 'f4')"}
SMALL = {"small_add": "x + y", "small_scalar_mul": "x * 2.5", "small_relu": "relu(x)", "small_softmax": "softmax(x, -1)",
         "small_sum": "x.sum()", "small_add_recorded": "leaf + y", "small_item": "x[3]", "small_slice": "x[1:5]"}
# The ops of gyre on PyTorch's tensors, and PyTorch's own.
BRIDGE = {"bridge_add": "add(x, x)", "bridge_add_recorded": "add(leaf, x)"}
BRIDGED = {library: f"; import torch, gyre.torch; torch.set_num_threads(1); add = {add}; x = torch.randn(3); "
                    "leaf = torch.randn(3, requires_grad=True)"
           for library, add in (("gyre", "gyre.torch.add"), ("torch", "torch.add"))}
NOT_NUMPY = ("small_relu", "small_softmax", "small_add_recorded")
# A training step of 784 -> 128 -> 10 on 32 images: the setup and the step.
STEP_CALLS = 200
STEP = {
    "gyre": ("; nn, optim = gyre.nn, gyre.optim; net = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)); "
             "images, digits = gyre.randn((32, 784)), gyre.arange(32, dtype='i64') % 10; "
             "optimizer = optim.AdamW(net.parameters())",
             "gyre.cross_entropy(net(images), digits).backward(); optimizer.step(non_finite='apply'); optimizer.zero_grad()"),
    "torch": ("; nn, F = torch.nn, torch.nn.functional; "
              "net = nn.Sequential(nn.Linear(784, 128), nn.ReLU(), nn.Linear(128, 10)); "
              "images, digits = torch.randn(32, 784), torch.arange(32) % 10; "
              "optimizer = torch.optim.AdamW(net.parameters(), fused=True)",
              "F.cross_entropy(net(images), digits).backward(); optimizer.step(); optimizer.zero_grad()")}
PROCESSES = {
    "import": {"gyre": "import gyre", "torch": "import torch", "numpy": "import numpy", "python": "pass"},
    "start": {"gyre": "import gyre; print(gyre.ones(3) + 1)", "torch": "import torch; print(torch.ones(3) + 1)",
              "numpy": "import numpy; print(numpy.ones(3) + 1)", "python": "print(2)"}}


def loop(library, call, prepared="", count=CALLS):
    """Seconds of one call, over a set of calls."""
    names = {}
    exec(PREPARED[library] + prepared, names)
    exec(f"def calls():\n    for _ in range({count}):\n        {call}", names)

    def sample():
        names["calls"]()  # warm the caches after the other libraries
        begin = time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID)
        names["calls"]()
        return (time.clock_gettime(time.CLOCK_THREAD_CPUTIME_ID) - begin) / count

    return sample


def process(program):
    def sample():
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - begin

    return sample


def samplers(work):
    """A function for each library that takes a sample."""
    if work in PROCESSES:
        return {library: process(program) for library, program in PROCESSES[work].items()}, "ms", 1e3
    if work == "mlp_step":
        return {library: loop(library, call, prepared, STEP_CALLS)
                for library, (prepared, call) in STEP.items()}, "us", 1e6
    if work in BRIDGE:
        return {library: loop(library, BRIDGE[work], prepared) for library, prepared in BRIDGED.items()}, "ns", 1e9
    libraries = [library for library in PREPARED if library != "numpy" or work not in NOT_NUMPY]
    return {library: loop(library, SMALL[work]) for library in libraries}, "ns", 1e9


def rows(work):
    sample, unit, scale = samplers(work)
    times = {library: [] for library in sample}
    for turn in range(SETS + 2):  # two to warm up
        for library, take in sample.items():
            seconds = take()
            if turn > 1:
                times[library].append(seconds * scale)
    ours = statistics.median(times["gyre"])
    for library, taken in times.items():
        median = statistics.median(taken)
        yield {"work": work, "library": library, "unit": unit, "median": median, "min": min(taken), "max": max(taken),
               "ratio": median / ours}


def main():
    every = [*SMALL, *BRIDGE, "mlp_step", *PROCESSES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("works", nargs="*", metavar="WORK", help=", ".join(every))
    parser.add_argument("--json", action="store_true", help="print one line of JSON per row")
    options = parser.parse_args()
    unknown = set(options.works) - set(every)
    if unknown:
        parser.error(f"unknown benchmark {', '.join(sorted(unknown))}")
    if not options.json:
        print(f"{'work':20} {'library':8} {'median':>9}    {'min':>8} {'max':>8}  over gyre")
    for work in options.works or every:
        for row in rows(work):
            text = "{work:20} {library:8} {median:9.1f} {unit} {min:8.1f} {max:8.1f} {ratio:7.2f}".format(**row)
            print(json.dumps(row) if options.json else text, flush=True)


if __name__ == "__main__":
    main()
