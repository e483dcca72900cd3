"""gyre.save and gyre.load with files of NumPy, safetensors and PyTorch, and damaged files."""

import codecs
import collections
import io
import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile

from common import gyre, needs_packages, numpy, torch

NUMPY_DTYPES = ("f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u4", "?")


def setUpModule():
    needs_packages()


def stored(elements, values):
    """Parts of a zip archive: names of files and their contents."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, value in zip(elements, values):
            archive.writestr(name, value)
    return io.BytesIO(data.getvalue())


class Checkpoints(unittest.TestCase):
    """Nested objects in PyTorch's format."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def exchanged(self, lib, obj, other):
        """The object written by one library and read by the other."""
        file = io.BytesIO()
        lib.save(obj, file)
        file.seek(0)
        return other.load(file)

    def same(self, a, b):
        if hasattr(a, "shape"):
            a, b = a.detach(), b.detach()
            self.assertEqual((str(a.dtype)[-2:], tuple(a.shape), a.tolist()), (str(b.dtype)[-2:], tuple(b.shape), b.tolist()))
        elif isinstance(a, dict):
            self.assertEqual((type(a), list(a)), (type(b), list(b)))
            for key in a:
                self.same(a[key], b[key])
        elif isinstance(a, (list, tuple)):
            self.assertEqual((type(a), len(a)), (type(b), len(b)))
            for x, y in zip(a, b):
                self.same(x, y)
        else:
            self.assertEqual((type(a), a), (type(b), b))

    def nested(self, lib):
        m = lib.arange(6.0).reshape(2, 3)
        return {"model": collections.OrderedDict(weight=m, part=m[:, 1:], turned=m.T), "epoch": 3, "loss": 0.25,
                "none": None, "yes": True, "no": False, "é": ["ü", b"\x00\xff", -1, 2 ** 31, -2 ** 70, 1e300], 5: (),
                "pairs": ((1, 2.5), [], {}), "set": {1, 2}, "count": collections.Counter("aab"),
                "dtypes": [m.to(getattr(lib, d)) for d in ("float64", "float16", "bfloat16", "int64", "int32", "int16", "int8",
                                                           "uint8", "uint16", "uint32", "uint64", "bool")],
                "empty": [lib.zeros(0, 3), lib.zeros(3, 0)], "number": lib.tensor(2)}

    def test_both_ways_with_torch(self):
        ours, theirs = self.nested(gyre), self.nested(torch)
        self.same(self.exchanged(gyre, ours, torch), theirs)
        self.same(self.exchanged(torch, theirs, gyre), ours)
        self.same(self.exchanged(gyre, ours, gyre), ours)
        state = torch.optim.Adam(torch.nn.Linear(2, 1).parameters()).state_dict()
        self.same(self.exchanged(torch, state, gyre), state)
        linear = torch.nn.Linear(2, 1).state_dict()
        self.assertEqual(gyre.nn.Linear(2, 1).load_state_dict(self.exchanged(torch, linear, gyre)), ([], []))
        self.assertEqual(self.exchanged(gyre, [gyre.bf16, gyre.device("cpu")], torch), [torch.bfloat16, torch.device("cpu")])
        self.assertEqual(self.exchanged(torch, [torch.bfloat16, torch.device("cpu"), torch.Size([2])], gyre),
                         [gyre.bf16, gyre.device("cpu"), (2,)])

    def test_all_numbers_of_16_bits(self):
        bits = torch.arange(2 ** 16).to(torch.int16)
        for theirs, dtype in ((torch.float16, gyre.f16), (torch.bfloat16, gyre.bf16)):
            x = bits.view(theirs)
            got = self.exchanged(torch, x, gyre)
            self.assertEqual(got.dtype, dtype)
            numpy.testing.assert_array_equal(got.float().numpy(), x.float().numpy())
            numbers = ~x.isnan()
            self.assertTrue(torch.equal(self.exchanged(gyre, got, torch).view(torch.int16)[numbers], bits[numbers]))

    def test_parameters_and_shared_memory(self):
        w = gyre.nn.Parameter(gyre.ones(2))
        got = self.exchanged(gyre, {"w": w, "tied": w, "leaf": gyre.ones(2, requires_grad=True),
                                    "frozen": gyre.nn.Parameter(gyre.ones(1), requires_grad=False)}, gyre)
        self.assertIsInstance(got["w"], gyre.nn.Parameter)
        self.assertEqual([got[name].requires_grad for name in ("w", "leaf", "frozen")], [True, True, False])
        with gyre.no_grad():
            got["w"].add_(1)
        self.assertEqual(got["tied"].tolist(), [2, 2])
        theirs = self.exchanged(gyre, [w, w], torch)
        self.assertEqual((type(theirs[0]), theirs[0].data_ptr()), (torch.nn.Parameter, theirs[1].data_ptr()))
        x = torch.arange(6.0)
        a, b = self.exchanged(torch, [x, x[2:]], gyre)
        a[3] = 9
        self.assertEqual(b.tolist(), [2, 9, 4, 5])

    def test_training_resumes(self):
        def parts():
            gyre.manual_seed(0)
            model = gyre.nn.Sequential(gyre.nn.Linear(3, 4), gyre.nn.BatchNorm1d(4), gyre.nn.Linear(4, 1))
            optimizer = gyre.optim.AdamW(model.parameters(), lr=0.1)
            return model, optimizer, gyre.optim.lr_scheduler.MultiStepLR(optimizer, [2, 3])

        def run(model, optimizer, scheduler):
            for _ in range(2):
                optimizer.zero_grad()
                loss = (model(gyre.arange(6.0).reshape(2, 3)) ** 2).mean()
                loss.backward()
                optimizer.step()
                scheduler.step()
            return loss.item()

        one, path = parts(), self.folder / "checkpoint.pth"
        run(*one)
        gyre.save([part.state_dict() for part in one], path)
        other = parts()
        for part, state in zip(other, gyre.load(path, map_location="cpu", weights_only=True)):
            part.load_state_dict(state)
        self.assertEqual(run(*other), run(*one))
        self.assertEqual(os.listdir(self.folder), ["checkpoint.pth"])

    def test_paths_and_order_of_arguments(self):
        x = gyre.ones(2)
        for path in (str(self.folder / "a.pt"), self.folder / "b.ckpt", os.fsencode(self.folder / "c")):
            gyre.save({"x": x}, path)
            self.assertEqual(gyre.load(path, "cpu")["x"].tolist(), [1, 1])
            gyre.save(path, {"x": x + 1})
            self.assertEqual(gyre.load(path, map_location=gyre.device("cpu"))["x"].tolist(), [2, 2])
        for name, obj in (("x.safetensors", {"x": x}), ("x.npz", {"x": x}), ("x.npy", x)):
            gyre.save(obj, self.folder / name)
            got = gyre.load(self.folder / name, map_location="cpu")
            self.assertEqual((got if name == "x.npy" else got["x"]).tolist(), [1, 1])
        gyre.save("a text", self.folder / "text")
        self.assertEqual(gyre.load(self.folder / "text"), "a text")

    def test_what_is_refused(self):
        loop = []
        loop.append({"again": loop})
        linear, path = gyre.nn.Linear(2, 2), self.folder / "x.pt"
        gyre.save({"a": 1}, path)
        for call, error, text in (
            (lambda: gyre.save({"a": [linear]}, path), TypeError, r"obj\['a'\]\[0\]: expected .*got Linear; save its state_dict"),
            (lambda: gyre.save({"a": numpy.ones(2)}, path), TypeError, "got ndarray"),
            (lambda: gyre.save({lambda: 0: 1}, path), TypeError, "a key of obj: expected"),
            (lambda: gyre.save(loop, path), ValueError, r"obj\[0\]\['again'\] contains itself"),
            (lambda: gyre.save([gyre.packed.encode(gyre.ones(256, 256))], path), TypeError, "packed weights"),
            (lambda: gyre.save(2 ** 3000, path), ValueError, "at most 255 bytes"),
            (lambda: gyre.save({}, 3), TypeError, "a path or a binary file as f, got int"),
            (lambda: gyre.save({}, path, compressed=True), ValueError, "compressed ones end in .npz"),
            (lambda: gyre.load(3), TypeError, "a path or a binary file, got int"),
            (lambda: gyre.load(path, mmap=True), ValueError, "leave out mmap=True"),
            (lambda: gyre.load(path, map_location=len), TypeError, "a device as map_location"),
            (lambda: gyre.load(self.folder / "none.pt"), FileNotFoundError, "none.pt"),
            (lambda: gyre.load(io.BytesIO(b"hello")), gyre.ParseError, "is not a checkpoint of PyTorch"),
            (lambda: gyre.load(stored(["x/other"], [b""])), gyre.ParseError, "is not a checkpoint of PyTorch"),
            (lambda: gyre.load(stored(["x/data.pkl", "x/constants.pkl"], [b"", b""])), gyre.ParseError, "TorchScript"),
            (lambda: gyre.load(stored(["x/data.pkl", "x/byteorder"], [b"", b"big"])), gyre.ParseError, "big-endian"),
        ):
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()
        self.assertEqual(gyre.load(path), {"a": 1})
        self.assertEqual(os.listdir(self.folder), ["x.pt"])

    def test_files_run_no_code(self):
        class Evil:
            def __init__(self, *call):
                self.call = call

            def __reduce__(self):
                return self.call

        marker = self.folder / "ran"
        for evil in (Evil(os.mkdir, (str(marker),)), Evil(eval, (f"open({str(marker)!r}, 'w')",)),
                     Evil(codecs.encode, ("x", "zlib")), Evil(getattr, ("", "format"))):
            file = stored(["x/data.pkl"], [pickle.dumps({"a": evil})])
            self.assertRaisesRegex(gyre.ParseError, "it contains a |expected bytes in latin1", gyre.load, file)
        self.assertFalse(marker.exists())

    def test_damaged_checkpoints(self):
        file, refused = io.BytesIO(), 0
        gyre.save({"x": gyre.ones(3), "name": "a"}, file)
        whole = file.getvalue()
        for place in range(0, len(whole), 3):
            for data in (whole[:place], whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1:]):
                try:
                    gyre.load(io.BytesIO(data))
                except gyre.ParseError:
                    refused += 1
        self.assertGreater(refused, len(whole) / 3)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def arrays(self):
        shapes = ((), (3,), (2, 3), (0, 4))
        return {f"{d} {s}": numpy.arange(numpy.prod(s, dtype=int)).reshape(s).astype(d) for d in NUMPY_DTYPES for s in shapes}

    def same(self, got, wanted):
        self.assertEqual(sorted(got), sorted(wanted))
        for name, tensor in got.items():
            a, b = numpy.asarray(tensor), numpy.asarray(wanted[name])
            self.assertEqual((a.dtype, a.shape, a.tolist()), (b.dtype, b.shape, b.tolist()), name)

    def test_safetensors_both_ways(self):
        from safetensors import numpy as st

        arrays = self.arrays()
        ours, theirs = self.folder / "ours.safetensors", self.folder / "theirs.safetensors"
        gyre.save(ours, arrays, metadata={"format": "np", "é": "ü"})
        self.same(st.load_file(ours), arrays)
        st.save_file(arrays, theirs, metadata={"a": "b"})
        self.same(gyre.load(theirs), arrays)
        self.same(gyre.load(str(ours)), arrays)
        self.same(gyre.load(os.fsencode(ours), verify=False), arrays)
        self.assertEqual(gyre.load_metadata(theirs), {"a": "b"})
        self.assertEqual({k: v for k, v in gyre.load_metadata(ours).items() if not k.startswith("gyre.")},
                         {"format": "np", "é": "ü"})

    def test_sixteen_bits_with_torch(self):
        from safetensors import torch as st

        tensors = {"b": torch.tensor([1.5, -2.0], dtype=torch.bfloat16), "h": torch.tensor([0.1], dtype=torch.float16)}
        st.save_file(tensors, self.folder / "t.safetensors")
        got = gyre.load(self.folder / "t.safetensors")
        self.assertEqual((got["b"].dtype, got["h"].dtype), (gyre.bf16, gyre.f16))
        gyre.save(self.folder / "g.safetensors", got)
        back = st.load_file(self.folder / "g.safetensors")
        for name, tensor in tensors.items():
            self.assertTrue(torch.equal(back[name], tensor))

    def test_safetensors_are_in_the_order_of_the_reference(self):
        from safetensors import torch as st

        names = ("bool", "uint8", "int8", "int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32", "float64",
                 "int64", "uint64")
        tensors = {f"{letter}{i}": torch.ones(2).to(getattr(torch, name))
                   for i, name in enumerate(names) for letter in "ba"}
        st.save_file(tensors, self.folder / "theirs.safetensors")
        gyre.save(self.folder / "ours.safetensors", gyre.load(self.folder / "theirs.safetensors"))
        entries = []
        for file in ("ours", "theirs"):
            data = (self.folder / f"{file}.safetensors").read_bytes()
            header = json.loads(data[8:8 + int.from_bytes(data[:8], "little")])
            entries.append([entry for entry in header.items() if entry[0] != "__metadata__"])
        self.assertEqual(*entries)

    def test_npz_and_npy_both_ways(self):
        arrays = {name.replace(" ", ""): a for name, a in self.arrays().items()}
        for compressed in (False, True):
            gyre.save(self.folder / "ours.npz", arrays, compressed=compressed)
            self.same(dict(numpy.load(self.folder / "ours.npz")), arrays)
            (numpy.savez_compressed if compressed else numpy.savez)(self.folder / "theirs.npz", **arrays)
            self.same(gyre.load(self.folder / "theirs.npz"), arrays)
        for a in (*arrays.values(), numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3))):
            gyre.save(self.folder / "ours.npy", a)
            self.same({"": numpy.load(self.folder / "ours.npy")}, {"": a})
            numpy.save(self.folder / "theirs.npy", a)
            self.same({"": gyre.load(self.folder / "theirs.npy")}, {"": a})

    def test_parts_and_tracked_tensors_are_written_as_they_are(self):
        x = gyre.tensor(numpy.arange(12.0).reshape(3, 4), requires_grad=True)
        gyre.save(self.folder / "x.safetensors", {"x": x, "y": (x * 2).T, "row": x[1], "list": [1, 2]})
        got = gyre.load(self.folder / "x.safetensors")
        self.assertEqual((got["y"].tolist(), got["row"].tolist(), got["list"].tolist()),
                         ((x.detach() * 2).T.tolist(), x[1].tolist(), [1, 2]))
        self.assertFalse(got["x"].requires_grad)

    def test_loaded_tensors_keep_their_values_when_the_file_is_rewritten_in_place(self):
        path = self.folder / "x.npy"
        for later in (numpy.full(10**6, 7.0), numpy.ones(3)):
            numpy.save(path, numpy.ones(10**6))
            x = gyre.load(path)
            with open(path, "wb") as file:
                numpy.save(file, later)
            self.assertEqual(x.sum().item(), 10**6)
        path = self.folder / "x.safetensors"
        gyre.save(path, {"x": gyre.ones(10**6)})
        x = gyre.load(path)["x"]
        path.write_bytes(b"")
        self.assertEqual(x.sum().item(), 10**6)

    def test_a_mapped_file_that_is_cut_is_named(self):
        path = self.folder / "cut\x1b.npy"
        program = ("import gyre, os, sys\nx = gyre.load(sys.argv[1], mmap=True)\n"
                   "os.truncate(sys.argv[1], 100)\nx.sum()")
        for extra in ((), ("-X", "faulthandler")):
            numpy.save(path, numpy.ones(10**6))
            answer = subprocess.run([sys.executable, *extra, "-c", program, path], capture_output=True, text=True)
            self.assertEqual(answer.returncode, -signal.SIGBUS, answer.stderr)
            self.assertIn("cut\\x1b.npy, which is mapped: it was shortened", answer.stderr)
            self.assertEqual("Bus error" in answer.stderr, bool(extra))

    def test_files_are_mapped_on_request_and_never_changed(self):
        for name in ("x.safetensors", "x.npy"):
            path = self.folder / name
            gyre.save(path, gyre.zeros(1000) if name.endswith("npy") else {"x": gyre.zeros(1000)})
            before = path.read_bytes()
            self.assertNotIn(str(path), (gyre.load(path), pathlib.Path("/proc/self/maps").read_text())[1])
            got = gyre.load(path, mmap=True)
            tensor = got if name.endswith("npy") else got["x"]
            self.assertIn(str(path), pathlib.Path("/proc/self/maps").read_text())
            tensor += 1
            self.assertEqual(path.read_bytes(), before)
            path.unlink()
            self.assertEqual(tensor.sum().item(), 1000)

    def test_a_failed_save_leaves_the_old_file(self):
        path = self.folder / "x.safetensors"
        gyre.save(path, {"x": gyre.zeros(2)})
        before = path.read_bytes()
        for tensors in ({"x": object()}, {1: gyre.zeros(1)}, {"__metadata__": gyre.zeros(1)}, [gyre.zeros(1)], gyre.zeros(1)):
            with self.assertRaises((TypeError, ValueError)):
                gyre.save(path, tensors)
        self.assertEqual(path.read_bytes(), before)
        self.assertEqual(os.listdir(self.folder), ["x.safetensors"])

    def test_wrong_calls(self):
        x = {"x": gyre.zeros(2)}
        self.assertRaises(gyre.ValueError, gyre.save, self.folder / "x.npz", x, metadata={})
        self.assertRaises(gyre.ValueError, gyre.save, self.folder / "x.safetensors", x, compressed=True)
        self.assertRaises(TypeError, gyre.save, self.folder / "x.safetensors", x, metadata={"a": 1})
        self.assertRaises(TypeError, gyre.save, 3, x)
        self.assertRaises(ValueError, gyre.load, "a\0.npy")
        self.assertRaises(gyre.DTypeError, gyre.save, self.folder / "x.npy", gyre.zeros(2, dtype="bf16"))
        for name in ("none.npy", "none.npz", "none.safetensors", "none/x.npy"):
            with self.assertRaises(OSError) as caught:
                gyre.load(self.folder / name)
            self.assertIn("none", str(caught.exception))
        self.assertRaises(OSError, gyre.save, self.folder / "none/x.npy", gyre.zeros(2))

    def test_damaged_files(self):
        for name in ("x.safetensors", "x.npz", "x.npy"):
            path = self.folder / name
            x = gyre.tensor([1.0, 2.0, 3.0])
            gyre.save(path, x if name.endswith("npy") else {"x": x})
            whole = path.read_bytes()
            refused = 0
            for place in range(len(whole)):
                for data in (whole[:place], whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1:]):
                    path.write_bytes(data)
                    try:
                        gyre.load(path)
                    except (gyre.Error, ValueError):
                        refused += 1
            print(f"| {name}: {refused} of {2 * len(whole)} damaged files refused")
            self.assertGreaterEqual(refused, len(whole) - 1)

    def test_files_of_other_kinds(self):
        texts = (b"", b"hello", b"PK\x03\x04" + bytes(40), b"\x93NUMPY", bytes(100), b"{}" * 50)
        for name in ("x.safetensors", "x.npz", "x.npy"):
            for text in texts:
                (self.folder / name).write_bytes(text)
                with self.assertRaises(gyre.ParseError) as caught:
                    gyre.load(self.folder / name)
                self.assertIn(name, str(caught.exception))
        numpy.save(self.folder / "o.npy", numpy.array([{}], object), allow_pickle=True)
        self.assertRaises(gyre.DTypeError, gyre.load, self.folder / "o.npy")
        numpy.save(self.folder / "c.npy", numpy.zeros(2, "c8"))
        self.assertRaises(gyre.DTypeError, gyre.load, self.folder / "c.npy")
        numpy.save(self.folder / "b.npy", numpy.arange(3, dtype=">i4"))
        self.assertEqual(gyre.load(self.folder / "b.npy").tolist(), [0, 1, 2])

    @unittest.skipUnless("GYRE_BINARY" in os.environ, "GYRE_BINARY does not name the command")
    def test_a_trained_model(self):
        (self.folder / "text.txt").write_text("the quick brown fox jumps over the lazy dog. " * 100)
        command = [os.path.abspath(os.environ["GYRE_BINARY"]), "train", "text.txt", "--out", "m", "--tokenizer", "char", "--layers", "1",
                   "--heads", "1", "--width", "16", "--block", "16", "--batch", "2", "--steps", "2", "--warmup", "1"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 0, done.stderr)
        weights = gyre.load(self.folder / "m/model.safetensors")
        self.assertTrue(weights and all(gyre.isfinite(w).all() for w in weights.values()))


if __name__ == "__main__":
    unittest.main()
