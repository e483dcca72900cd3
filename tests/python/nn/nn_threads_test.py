"""Modules, optimisers and data loaders used by several Python threads at once: results equal those of one
thread, or an error is raised; no crash."""

import sys
import threading
import time
import unittest

from common import gyre, needs_packages, numpy

if gyre:
    from gyre import data, nn, optim


def setUpModule():
    needs_packages()


def together(*functions, times=200):
    """Runs each function repeatedly on its own thread, and raises the exceptions of the threads."""
    raised, interval = [], sys.getswitchinterval()
    sys.setswitchinterval(1e-5)

    def run(function):
        try:
            for i in range(times):
                function(i)
        except BaseException as error:  # re-raised by the test
            raised.append(error)

    threads = [threading.Thread(target=run, args=(f,)) for f in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    if raised:
        raise raised[0]


class Threads(unittest.TestCase):
    def test_one_model_serves_many(self):
        gyre.manual_seed(1)
        model = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 8)).eval()
        x = gyre.randn((512, 64))
        want = model(x).tolist()

        def call(_):
            self.assertEqual(model(x).tolist(), want)

        together(call, call, call, times=20)

    def test_weights_may_be_replaced_while_others_compute(self):
        layer, x = nn.Linear(64, 64), gyre.ones((512, 64))
        ones, zeros = nn.Parameter(gyre.ones((64, 64))), nn.Parameter(gyre.zeros((64, 64)))
        layer.bias = nn.Parameter(gyre.zeros((64,)))
        layer.weight = ones
        seen = set()

        def call(_):
            seen.update(numpy.unique(layer(x).detach().numpy()).tolist())

        def replace(i):
            layer.weight = (ones, zeros)[i % 2]

        def lend(_):
            got = nn.functional_call(layer, {"weight": gyre.ones((64, 64))}, (x,))
            seen.update(numpy.unique(got.detach().numpy()).tolist())

        together(call, call, replace, lend)
        self.assertLessEqual(seen, {0.0, 64.0})

    def test_lenders_take_turns(self):
        class Scale(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter([1.0])

            def forward(self, wait):
                before = self.w.item()
                wait()
                return before, self.w.item()

        model = Scale()
        whole = nn.Sequential(model)  # another module with the same parameter
        own, seen = model.w, []

        def lend(value, module, name):
            def call(_):
                got = nn.functional_call(module, {name: gyre.full((1,), value)}, (lambda: time.sleep(1e-4),))
                seen.append(got == (value, value))

            return call

        together(lend(10.0, model, "w"), lend(20.0, model, "w"), lend(30.0, whole, "0.w"), times=30)
        self.assertEqual(seen, [True] * 90)
        self.assertIs(model.w, own)
        self.assertEqual(own.item(), 1)

    def test_who_lends_already_does_not_wait(self):
        class Calls(nn.Module):
            def __init__(self):
                super().__init__()
                self.w = nn.Parameter([1.0])

            def forward(self, call):
                return call()

        mine, yours = Calls(), Calls()
        inside, done = threading.Event(), threading.Event()

        def lend(module, call):
            return nn.functional_call(module, {"w": gyre.zeros((1,))}, (call,))

        def hold():
            inside.set()
            done.wait()

        other = threading.Thread(target=lend, args=(yours, hold))
        other.start()
        inside.wait()
        try:
            with self.assertRaisesRegex(ValueError, "another thread"):
                lend(mine, lambda: lend(yours, int))
        finally:
            done.set()
            other.join()
        self.assertEqual(lend(mine, lambda: lend(yours, lambda: lend(mine, lambda: 5))), 5)
        self.assertEqual((mine.w.item(), yours.w.item()), (1, 1))

    def test_casting_while_others_compute(self):
        layer, x = nn.Linear(64, 64), gyre.ones((512, 64))

        def call(_):
            try:
                layer(x)
            except gyre.DTypeError:
                pass

        together(call, call, lambda i: layer.to(("f64", "f32")[i % 2]))
        self.assertEqual(layer.to("f32")(x).dtype, gyre.f32)

    def test_a_call_keeps_the_tensor_that_it_began_with(self):
        model, size = nn.Module(), 1 << 14
        model.w = nn.Parameter(gyre.ones(size), requires_grad=False)
        x, seen = gyre.ones((50, size)), set()
        others = (abs, lambda w: w.fill_(1), lambda w: w.copy(), lambda w: w.double(), lambda w: w[::-1],
                  lambda w: w.__setitem__(slice(None, None, -1), 1))

        def multiply(_):
            seen.add((model.w * x).max().item())

        def call(i):
            others[i % len(others)](model.w)

        def cast(i):
            for dtype in ("bf16", "f32"):
                model.to(dtype)
                [gyre.full((size,), 7, dtype=d) for d in ("f32", "bf16")]  # reuses freed memory
                time.sleep(1e-4)

        together(multiply, multiply, call, cast)
        self.assertEqual(seen, {1})

    def test_one_optimiser(self):
        p, q = nn.Parameter(gyre.ones((300, 300))), nn.Parameter(gyre.ones((2,)))
        optimizer = optim.AdamW([p], lr=0.001)
        p.grad = gyre.ones((300, 300))

        def add(i):
            if i == 20:
                optimizer.add_param_group({"params": [q]})
            optimizer.lr = 0.001

        def reload(_):
            try:
                optimizer.load_state_dict(optimizer.state_dict())
            except (ValueError, IndexError):  # a group was added meanwhile
                pass

        together(lambda _: optimizer.step(norm=True), lambda _: optimizer.step(), add, reload)
        self.assertEqual(len(optimizer.param_groups), 2)
        steps = optimizer.state_dict()["state"]["steps"].tolist()
        self.assertTrue(0 < steps[0] <= 400 and steps[1] == 0, steps)

    def test_one_loader(self):
        class Numbers:
            def __len__(self):
                return 40

            def __getitem__(self, i):
                return i

        for dataset in (Numbers(), data.TensorDataset(gyre.arange(40, dtype="i64"))):
            loader, seen = data.DataLoader(dataset, batch=1), []

            def take(_):
                batch = loader.next()
                seen.append((batch[0] if isinstance(batch, tuple) else batch).item())

            together(take, take, times=20)
            self.assertEqual(sorted(seen), list(range(40)))

    def test_a_generator_may_change_its_model(self):
        tokenizer = gyre.Tokenizer.characters("abc")
        gpt = nn.GPT(vocab=3, block=8, layers=1, heads=1, width=8)
        made = gyre.generate(gpt, tokenizer=tokenizer, prompt="a", max_tokens=6, stream=lambda piece: gpt.to("f64"))
        self.assertEqual(made.new_tokens, 6)
        self.assertEqual(gpt.parameters()[0].dtype, gyre.f64)


if __name__ == "__main__":
    unittest.main()
