"""Packed weights: the ops on them, gradients, copies and files, compression of modules and states, training."""

import copy
import os
import pathlib
import pickle
import tempfile
import unittest

from common import gyre, needs_packages

if gyre:
    from gyre import nn, packed


def setUpModule():
    needs_packages()


def weights(*shape, seed=1):
    gyre.manual_seed(seed)
    return gyre.randn(*shape)


def distance(a, b):
    return (((a - b) ** 2).sum().item() / max((b ** 2).sum().item(), 1e-300)) ** 0.5


def same(a, b):
    return a.format == b.format and a.shape == b.shape and bool((a.detach().decode() == b.detach().decode()).all())


class Ops(unittest.TestCase):
    def test_every_sample_runs(self):
        """Those of every op with packed arguments, and gradients of all arguments that have one."""
        ops = [op for op in gyre.ops() if any(argument["packed"] for argument in op.arguments)]
        self.assertGreaterEqual({op.name for op in ops}, {"packed_matmul", "packed_decode", "packed_rows", "packed_transition"})
        for op in ops:
            for tensors, attributes in op.samples(dtype="f32"):
                given = []
                for tensor, argument in zip(tensors, op.arguments):
                    self.assertLessEqual(tensor.is_packed, argument["packed"])
                    tracked = op.differentiable and argument["differentiable"]
                    given.append(tensor.detach().requires_grad_() if tracked else tensor)
                y = op(*given, **attributes)
                if not y.requires_grad:
                    continue
                (y * y).sum().backward()
                for x in given:
                    if x.requires_grad:
                        g = packed.dense_gradient(x.grad) if x.is_packed else x.grad
                        self.assertEqual(g.shape, x.shape)

    def test_products_and_rows_are_those_of_decoded_weights(self):
        x, ids = weights(5, 40), gyre.tensor([3, 0, 47])
        for name in packed.formats:
            w = packed.encode(weights(48, 40), name)
            dense = w.decode()
            self.assertLess(distance(gyre.packed_matmul(x, w), x @ dense.T), 1e-6)
            self.assertLess(distance(gyre.linear(x, w), x @ dense.T), 1e-6)
            self.assertTrue((w.packed_rows(ids) == dense[ids]).all().item())
            self.assertTrue((gyre.embedding(w, ids) == dense[ids]).all().item())

    def test_blocks_are_those_of_gguf(self):
        import gguf

        x = weights(48, 96).numpy()
        x[3, 32:64] = 0
        for name, kind in (("q8_0", gguf.GGMLQuantizationType.Q8_0), ("q4_0", gguf.GGMLQuantizationType.Q4_0)):
            w = packed.encode(gyre.tensor(x), name)
            blocks = gguf.quants.quantize(x, kind)
            words = w.words.numpy().view("uint8").reshape(-1)
            self.assertEqual(words[:blocks.size].tobytes(), blocks.tobytes(), name)
            self.assertEqual(w.decode().numpy().tobytes(), gguf.quants.dequantize(blocks, kind).tobytes(), name)

    def test_an_optimizer_made_before_packing_is_refused(self):
        model = gyre.nn.Sequential(gyre.nn.Linear(64, 128))
        for kind in (gyre.optim.AdamW, gyre.optim.HybridOptimizer):
            optimizer = kind(model.parameters(), lr=1e-3)
            gyre.compress(model, "D2")
            model(gyre.ones(2, 64)).sum().backward()
            with self.assertRaisesRegex(gyre.ValueError, "since the optimiser was made"):
                optimizer.step()
            model = gyre.nn.Sequential(gyre.nn.Linear(64, 128))

    def test_a_target_is_met_by_the_file(self):
        def model():
            gyre.manual_seed(4)
            return gyre.nn.Sequential(gyre.nn.Linear(64, 256), gyre.nn.ReLU(), gyre.nn.Linear(256, 128))

        def size(state):
            with tempfile.TemporaryDirectory() as folder:
                path = pathlib.Path(folder) / "m.safetensors"
                gyre.save(path, state)
                return path.stat().st_size

        dense, weights = size(model().state_dict()), 64 * 256 + 256 + 256 * 128 + 128
        for target, most in (("4x", dense / 4), ("9x", dense / 9), (5.5, 5.5 * weights / 8), ("8", weights)):
            packed_model = model()
            gyre.compress(packed_model, target=target, least_weights=1024)
            self.assertLessEqual(size(packed_model.state_dict()), most, target)
            self.assertGreater(size(packed_model.state_dict()), .5 * most, target)
            state = gyre.compress(model().state_dict(), target=target, least_weights=1024)
            self.assertEqual(size(state), size(packed_model.state_dict()), target)
        for wrong in ("100x", "none", 20, 0):
            self.assertRaises(gyre.ValueError, gyre.compress, model(), target=wrong)
        self.assertRaises(TypeError, gyre.compress, model(), "D4", target="8x")

    def test_a_transition_twice_is_the_identity(self):
        w = packed.encode(weights(20, 50), "T4")
        words, bits = gyre.tensor([0, 5]), gyre.tensor([127, 3])
        once = w.packed_transition(words, bits)
        self.assertFalse(same(once, w))
        self.assertTrue(same(once.packed_transition(words, bits), w))
        self.assertRaises(gyre.IndexError, w.packed_transition, words, gyre.tensor([128, 0]))

    def test_encoding_is_straight_through(self):
        x = weights(32, 24).requires_grad_()
        w = packed.encode(x, "D3", seed=5)
        y = weights(4, 24)
        gyre.linear(y, w).sum().backward()
        self.assertLess(distance(x.grad, gyre.ones(4, 32).T @ y), 1e-6)
        self.assertRaises(gyre.ValueError, packed.encode, x, "D3", 2048)

    def test_a_step_of_scales_and_angles(self):
        points = gyre.tensor([[1.0, 0.5]])
        zeros = gyre.zeros(1, 2)
        after, m, v = gyre.packed_riemannian_step(points, gyre.tensor([[1.0, -1.0]]), zeros, zeros, lr=0.1)
        self.assertAlmostEqual(after[0, 0].item(), 0.9, 5)
        self.assertGreater(after[0, 1].item(), 0.5)
        self.assertEqual((m.shape, v.shape), ((1, 2), (1, 2)))

    def test_an_op_of_the_user(self):
        def squares(x, w):
            y = gyre.packed_matmul(x, w)
            return y * y

        op = gyre.register_op("squares_of_a_packed_test", squares, packed=["w"])
        self.assertEqual([argument["packed"] for argument in op.arguments], [False, True])
        x, w = weights(3, 20), packed.encode(weights(6, 20), "T4").requires_grad_()
        dense = w.detach().decode().requires_grad_()
        op(x, w).sum().backward()
        (x @ dense.T).square().sum().backward()
        self.assertLess(distance(packed.dense_gradient(w.grad), dense.grad), 1e-5)
        with self.assertRaisesRegex(ValueError, "parameter of forward, got 'v'"):
            gyre.register_op("others_of_a_packed_test", squares, packed=["v"])

    def test_others_are_refused(self):
        w = packed.encode(weights(20, 30))
        with self.assertRaisesRegex(gyre.UnsupportedError, "packed_decode"):
            gyre.exp(w)
        self.assertRaises(gyre.UnsupportedError, gyre.ones(3, 3).decode)
        self.assertRaises(gyre.ValueError, w.packed_decode, "T4")
        self.assertRaises(ValueError, packed.encode, weights(20, 30), "D7")


class Tensors(unittest.TestCase):
    def setUp(self):
        self.w = packed.encode(weights(48, 40), "T4").requires_grad_()

    def test_properties(self):
        w, plain = self.w, gyre.ones(2, 3)
        self.assertEqual((w.is_packed, w.format, w.shape, w.dtype), (True, "T4", (48, 40), gyre.f32))
        self.assertEqual((plain.is_packed, plain.format, plain.nbytes), (False, None, 24))
        self.assertEqual(w.nbytes, 16 * (60 + 6))
        self.assertEqual(repr(w), "tensor(packed in T4, shape=[48, 40], 1056 bytes, requires_grad=True)")
        self.assertLess(distance(w.decode().detach(), weights(48, 40)), 0.2)

    def test_gradients(self):
        x, w = weights(6, 40), self.w
        dense = w.detach().decode().requires_grad_()
        self.assertRaisesRegex(ValueError, "no gradient", packed.full_grad, w)
        for v in (w, dense):
            (gyre.linear(x, v) ** 2).sum().backward()
        g = packed.dense_gradient(w.grad)
        self.assertLess(distance(g, dense.grad), 1e-5)
        full = packed.full_grad(w)
        self.assertEqual([t.shape for t in full], [(60, 128), (3, 2), (60, 128, 2)])
        self.assertTrue((full.hi == packed.full_grad(w, w.grad).hi).all().item())
        self.assertRaises(gyre.ShapeError, packed.full_grad, w, gyre.ones(3, 3))
        self.assertRaises(gyre.UnsupportedError, packed.full_grad, dense)
        self.assertRaises(TypeError, packed.full_grad, [1.0])

    def test_copies(self):
        w = self.w
        gyre.linear(weights(2, 40), w).sum().backward()
        twin = copy.deepcopy(w)
        self.assertTrue(same(twin, w))
        self.assertTrue(twin.requires_grad)
        self.assertLess(distance(packed.dense_gradient(twin.grad), packed.dense_gradient(w.grad)), 1e-9)
        for other in (w.detach(), w.detach().clone(), w.detach().copy(), copy.copy(w), pickle.loads(pickle.dumps(w))):
            self.assertTrue(same(other, w))
        self.assertTrue(pickle.loads(pickle.dumps(w)).requires_grad)

    def test_damaged_pickles_are_refused(self):
        restore, (dtype, shape, grad, data, checksum) = self.w.__reduce__()
        self.assertEqual(dtype, "packed in T4")
        for arguments in ((dtype, shape, grad, data[:-16], checksum), (dtype, shape, grad, bytes(len(data)), checksum),
                          ("packed in D7", shape, grad, data, checksum)):
            self.assertRaises(gyre.Error, restore, *arguments)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "weights.safetensors")
            gyre.save(path, {"w": self.w, "bias": gyre.ones(3)}, metadata={"by": "test"})
            state = gyre.load(path)
            self.assertTrue(same(state["w"], self.w))
            self.assertEqual(sorted(state), ["bias", "w"])
            self.assertEqual(gyre.load_metadata(path)["by"], "test")
            self.assertRaises(gyre.UnsupportedError, gyre.save, os.path.join(folder, "weights.npz"), {"w": self.w})
            pathlib.Path(path).write_bytes(pathlib.Path(path).read_bytes().replace(b"T4", b"T9"))
            self.assertRaises(gyre.Error, gyre.load, path)


def network():
    return nn.Sequential(nn.Linear(64, 96), nn.GELU(), nn.Linear(96, 64))


class Modules(unittest.TestCase):
    def test_compress(self):
        model, seen = network(), []
        x = weights(7, 64)
        before = model(x)
        report = gyre.compress(model, "D4", policy={"2.*": "T2"}, progress=lambda done, all: seen.append((done, all)))
        self.assertEqual([(e.name, e.format, e.packed) for e in report],
                         [("0.weight", "D4", True), ("0.bias", "f32", False), ("2.weight", "T2", True), ("2.bias", "f32", False)])
        self.assertLess(report[0].error, 0.08)
        self.assertEqual(seen[0], (0, 2 * 64 * 96))
        self.assertEqual(seen[-1], (2 * 64 * 96, 2 * 64 * 96))
        self.assertEqual((model[0].weight.format, model[2].weight.format), ("D4", "T2"))
        self.assertLess(distance(model(x), before), 0.4)

    def test_compress_a_state(self):
        state = network().state_dict()
        small = gyre.compress(state, "D2", policy=["0.*=f32"])
        self.assertEqual([t.format for t in small.values()], [None, None, "D2", None])
        self.assertFalse(any(t.is_packed for t in state.values()))
        model = network()
        model.load_state_dict(small)
        self.assertTrue(same(model[2].weight, small["2.weight"]))

    def test_an_error_changes_nothing(self):
        model = network()

        def stop(done, all):
            if done:
                raise KeyError("stop")

        self.assertRaises(KeyError, gyre.compress, model, progress=stop)
        self.assertFalse(model[0].weight.is_packed)
        self.assertRaises(gyre.ValueError, gyre.compress, model, policy={"9.*": "D4"})
        self.assertRaises(gyre.ValueError, gyre.compress, model, "D7")
        self.assertRaises(TypeError, gyre.compress, model, policy="D4")
        gyre.compress(model)
        self.assertRaises(gyre.UnsupportedError, gyre.compress, model)

    def test_hybrid_optimizer(self):
        for mode in ("shadow", "shadow_free"):
            with self.subTest(mode):
                model = network()
                gyre.compress(model, "D4")
                x, y = weights(64, 64, seed=2), weights(64, 64, seed=3) * 0.1
                optimizer = gyre.optim.HybridOptimizer(model.parameters(), lr=1e-2, mode=mode)
                before = model[0].weight.detach().clone()
                losses = []
                for _ in range(20):
                    loss = ((model(x) - y) ** 2).mean()
                    loss.backward()
                    optimizer.step()
                    optimizer.zero_grad()
                    losses.append(loss.item())
                self.assertLess(losses[-1], 0.6 * losses[0])
                self.assertTrue(model[0].weight.is_packed)
                self.assertFalse(same(model[0].weight, before))
                again = gyre.optim.HybridOptimizer(model.parameters(), lr=1e-2, mode=mode)
                again.load_state_dict(optimizer.state_dict())

    def test_int8_activations(self):
        w, x = gyre.packed.encode(weights(20, 64), "D4"), weights(3, 64, seed=2)
        exact, rounded = gyre.linear(x, w).tolist(), gyre.packed_matmul_int8(x, w).tolist()
        with gyre.packed.int8_activations():
            self.assertEqual(gyre.linear(x, w).tolist(), rounded)
            with gyre.packed.int8_activations(False):
                self.assertEqual(gyre.linear(x, w).tolist(), exact)
            leaf = x.clone().requires_grad_()
            self.assertEqual(gyre.linear(leaf, w).tolist(), exact)
            mapped = gyre.func.vmap(lambda v: gyre.linear(v, w))(leaf)
            self.assertEqual(mapped.tolist(), exact)
            mapped.sum().backward()
            self.assertIsNotNone(leaf.grad)
            for dtype in ("f16", "f64"):
                self.assertEqual(gyre.linear(x.to(dtype), w).dtype, x.to(dtype).dtype)
        self.assertLess(distance(gyre.packed_matmul_int8(x, w), gyre.linear(x, w)), 0.02)

    def test_a_callback_of_compress_may_use_the_module(self):
        model = gyre.nn.Sequential(gyre.nn.Linear(512, 512))
        x, before = weights(64, 512), model[0].weight.tolist()
        seen = []
        gyre.compress(model, "D2", progress=lambda done, every: seen.append(model(x).shape))
        self.assertGreater(len(seen), 1)
        self.assertTrue(model[0].weight.is_packed)
        self.assertLess(distance(model[0].weight.decode(), gyre.tensor(before)), 0.3)

    def test_repr_shows_the_formats_of_weights(self):
        self.assertEqual(repr(nn.PackedLinear(64, 128)), "PackedLinear(in_=64, out=128, format='D4')")
        self.assertEqual(repr(nn.PackedLinear(64, 128, "T2", bias=False)),
                         "PackedLinear(in_=64, out=128, bias=False, format='T2')")
        model = nn.Sequential(nn.Linear(64, 64), nn.MLP(64), nn.Linear(64, 2))
        gyre.compress(model, "D2", policy={"0.*": "D3"})
        shown = repr(model)
        for line in ("(0): Linear(in_=64, out=64, format='D3')", "(c_fc): Linear(weight=[256, 64] D2, bias=[256])",
                     "(2): Linear(in_=64, out=2)"):
            self.assertIn(line, shown)

    def test_folders_of_packed_models(self):
        """A model of text, and a network of layers whose file load_model() lends to it."""
        with tempfile.TemporaryDirectory() as folder:
            text, table = os.path.join(folder, "text"), os.path.join(folder, "data.csv")
            pathlib.Path(text).write_text("the cat sat. a dog ran.\n" * 200)
            pathlib.Path(table).write_text("a,b,y\n" + "".join(f"{i % 7},{i % 3},{i % 2}\n" for i in range(60)))
            runs = (("text", text, dict(tokenizer="char", layers=1, heads=2, width=64, block_size=16)), ("table", table, {}))
            for name, data, options in runs:
                with self.subTest(name):
                    made = os.path.join(folder, name + "_model")
                    gyre.train(data, out=made, steps=2, batch=2, progress=False, **options)
                    model = gyre.load_model(made)
                    gyre.compress(model, "D4", least_weights=1024)
                    gyre.save(os.path.join(made, "model.safetensors"), model.state_dict())
                    again = gyre.load_model(made)
                    self.assertTrue(any(p.is_packed for p in again.parameters()))
                    for (_, a), (_, b) in zip(model.named_parameters(), again.named_parameters()):
                        self.assertEqual((a.format, a.shape), (b.format, b.shape))


if __name__ == "__main__":
    unittest.main()
