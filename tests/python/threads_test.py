"""Threads, processes and interrupts: long calls release the GIL, forks work, Ctrl-C ends a loop."""

import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

from common import ROOT, gyre, lets_others_run, needs_packages, numpy


LENGTH = 1 << 18  # long enough for a waiting thread to wake up


def setUpModule():
    needs_packages()


class LongCalls(unittest.TestCase):
    def test_long_calls_give_up_the_lock(self):
        x, whole = gyre.ones(LENGTH), gyre.ones(LENGTH, dtype="i64")
        places, mask = gyre.arange(LENGTH), gyre.ones(LENGTH) > 0
        square = gyre.ones(500, 500)
        folder = tempfile.mkdtemp()
        self.addCleanup(lambda: [os.unlink(os.path.join(folder, f)) for f in os.listdir(folder)] + [os.rmdir(folder)])
        gyre.save(f"{folder}/x.npy", x)

        def put():
            x[places] = x

        calls = {"x + x": lambda: x + x, "-x": lambda: -x, "~whole": lambda: ~whole, "abs(x)": lambda: abs(x),
                 "x < x": lambda: x < x, "x += x": lambda: x.__iadd__(x), "exp": x.exp, "sum": x.sum,
                 "softmax": lambda: gyre.softmax(x, axis=0), "@": lambda: square @ square, "x[places]": lambda: x[places],
                 "x[mask]": lambda: x[mask], "x[::-1]": lambda: x[::-1], "x[places] = x": put,
                 "x[:] = x": lambda: x.__setitem__(slice(None), whole), "copy": x.copy, "double": x.double,
                 "zeros": lambda: gyre.zeros(LENGTH), "arange": lambda: gyre.arange(LENGTH),
                 "tensor": lambda: gyre.tensor(x), "fill_": lambda: x.fill_(1), "contiguous": square.T.contiguous,
                 "copy_": lambda: x.copy_(whole), "save": lambda: gyre.save(f"{folder}/y.npy", x),
                 "load": lambda: gyre.load(f"{folder}/x.npy"), "divmod": lambda: divmod(x, 2),
                 "backward": lambda: gyre.ones(2, requires_grad=True).sum().backward()}
        for name, call in calls.items():
            with self.subTest(name):
                self.assertTrue(lets_others_run(call))

    def test_the_check_itself(self):
        self.assertFalse(lets_others_run(lambda: None))

    def test_many_threads_at_once(self):
        a = numpy.random.default_rng(1).standard_normal((60, 60))
        wanted, wrong = (a @ a).sum(), []

        def work():
            for _ in range(50):
                x = gyre.tensor(a, requires_grad=True)
                y = (x @ x).sum()
                y.backward()
                if abs(y.item() - wanted) > 1e-6 or x[::-1][gyre.arange(3)].shape != (3, 60):
                    wrong.append(y.item())

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Passes(unittest.TestCase):
    def test_one_graph_on_many_threads(self):
        x = gyre.tensor(numpy.random.default_rng(1).standard_normal((60, 60)), requires_grad=True)
        h = gyre.sin(x @ x)
        h.register_hook(lambda g: None)  # a backward pass that others wait for needs the GIL
        y = gyre.sum(gyre.gelu(h) @ x)
        wanted, wrong = gyre.grad(y, x, retain_graph=True)[0].tolist(), []

        def work():
            for _ in range(30):
                if gyre.grad(y, x, retain_graph=True)[0].tolist() != wanted:
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_hook_that_walks_the_same_graph_is_refused(self):
        x = gyre.tensor([2.0], requires_grad=True)
        h = x * x
        h.register_hook(lambda g: gyre.grad(h, x, retain_graph=True)[0])
        with self.assertRaisesRegex(ValueError, "a nested pass"):
            (h * h).backward()


class Modes(unittest.TestCase):
    def test_one_object_for_two_threads(self):
        mode, seen = gyre.no_grad(), []
        inside, left = threading.Event(), threading.Event()

        def work():
            with gyre.no_grad():
                with mode:
                    inside.set()
                    left.wait()
                seen.append(gyre.is_grad_enabled())
            seen.append(gyre.is_grad_enabled())

        other = threading.Thread(target=work)
        with mode:
            other.start()
            inside.wait()
        seen.append(gyre.is_grad_enabled())
        left.set()
        other.join()
        self.assertEqual(seen, [True, False, True])

    def test_leaving_what_was_not_entered(self):
        mode = gyre.no_grad()
        with self.assertRaisesRegex(ValueError, "without __enter__"):
            mode.__exit__(None, None, None)
        with mode:
            with mode:
                pass
            self.assertFalse(gyre.is_grad_enabled())
        self.assertTrue(gyre.is_grad_enabled())


    def test_overflow_is_a_mode_of_the_thread(self):
        x, seen = gyre.tensor([300.0], dtype="f16"), []

        def work():
            seen.append((x * x).tolist())

        with gyre.overflow("error"):
            with self.assertRaisesRegex(gyre.NumericError, r"infinity at \[0\] of f16\[1\] from 300, 300"):
                x * x
            other = threading.Thread(target=work)
            other.start()
            other.join()
            with gyre.overflow("ieee"):
                work()
            with self.assertRaises(gyre.NumericError):
                x * x
        work()
        self.assertEqual(seen, [[math.inf]] * 3)
        with self.assertRaisesRegex(ValueError, "mode: expected one of ieee, error, got raise"):
            gyre.overflow("raise")


class Processes(unittest.TestCase):
    def run_python(self, program, **how):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        return subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **how)

    def test_a_child_computes_on(self):
        program = """
import os, gyre
x = gyre.ones(400, 400)
(x @ x).sum().item()
for _ in range(3):
    child = os.fork()
    if child == 0:
        os._exit(0 if (x @ x).sum().item() == 400.0 ** 3 else 1)
    assert os.waitpid(child, 0)[1] == 0
print((x @ x).sum().item())
"""
        process = self.run_python(program)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, out.strip()), (0, str(400.0 ** 3)), err)

    def test_a_child_needs_no_lock_of_another_thread(self):
        program = """
import os, signal, threading, gyre
from gyre import data, nn, optim
inside, done = threading.Event(), threading.Event()

class Slow:
    def __len__(self):
        return 8

    def __getitem__(self, i):
        if threading.current_thread() is not threading.main_thread():
            inside.set()
            done.wait()
        return i

class Waits(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter([1.0])

    def forward(self, wait):
        if wait:
            inside.set()
            done.wait()
        return self.w.item()

def child_lives(call):
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        call()
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0

def beside(work, call):
    inside.clear(), done.clear()
    other = threading.Thread(target=work)
    other.start()
    inside.wait()
    print(child_lives(call))
    done.set()
    other.join()

loader, model, layer = data.DataLoader(Slow(), batch=1), Waits(), nn.Linear(2, 2)
beside(loader.next, loader.next)
beside(lambda: nn.functional_call(model, {"w": gyre.zeros((1,))}, (True,)),
       lambda: nn.functional_call(model, {"w": gyre.zeros((1,))}, (False,)))
p = gyre.ones((2,), requires_grad=True)
y = p * p

def stay(g):
    if threading.current_thread() is not threading.main_thread():
        inside.set()
        done.wait()

y.register_hook(stay)
z = y.sum()
beside(lambda: gyre.grad(z, p, retain_graph=True), lambda: gyre.grad(z, p, retain_graph=True))
big, x, stop = nn.Linear(1024, 1024), gyre.ones((1024, 1024)), []
worker = threading.Thread(target=lambda: [big(x) for _ in iter(lambda: bool(stop), True)])
worker.start()
print(all(child_lives(lambda: setattr(layer, "weight", nn.Parameter(gyre.ones((2, 2))))) for _ in range(5)))
stop.append(1)
worker.join()
"""
        process = self.run_python(program)
        out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, out.split()), (0, ["True"] * 4), err)

    def interrupted(self, program):
        """The exit of a program that was interrupted after its first line of output."""
        process = self.run_python(program, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.assertEqual(process.stdout.readline(), "begun\n")
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(timeout=60), process.stderr.read()
        finally:
            process.kill()

    def test_an_interrupt_ends_loops(self):
        start = "import gyre\nx = gyre.ones(300, 300)\nprint('begun', flush=True)\n"
        loops = ("while True: x @ x\n",
                 "def f(t):\n    for _ in range(10**9): t = t * 1.0\n    return t.sum()\ngyre.func.grad(f)(x)\n",
                 "def more(t):\n    while True: t = t + 1\ngyre.func.vmap(more)(x)\n")
        for loop in loops:
            with self.subTest(loop):
                code, err = self.interrupted(start + loop)
                self.assertNotEqual(code, 0)
                self.assertIn("KeyboardInterrupt", err)


if __name__ == "__main__":
    unittest.main()
