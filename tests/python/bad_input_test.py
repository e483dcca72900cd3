"""Invalid input: an error with a reason, nothing written, no crash."""

import copy
import gc
import math
import pickle
import threading
import unittest
import warnings

from common import gyre, needs_packages, numpy, torch


def setUpModule():
    needs_packages()


def entries(x):
    """The ways to pass an array."""
    yield lambda: gyre.tensor(x)
    yield lambda: gyre.asarray(x)
    yield lambda: gyre.from_dlpack(x)
    yield lambda: gyre.exp(x)
    yield lambda: gyre.zeros(2) + x
    yield lambda: gyre.cat([gyre.zeros(2), x])


class Elements(unittest.TestCase):
    def test_numpy_dtypes_that_gyre_has_not(self):
        arrays = [numpy.zeros(2, d) for d in ("c8", "c16", ">f4", ">i8", "M8[s]", "m8[s]", "U3", "S3", "V4",
                                              "g", "G")]
        arrays += [numpy.array([{}, []], object), numpy.zeros(2, [("a", "f4"), ("b", "i4")])]
        for x in arrays:
            for call in entries(x):
                with self.subTest(dtype=str(x.dtype)), self.assertRaises((TypeError, ValueError)) as caught:
                    call()
                self.assertNotEqual(str(caught.exception), "")

    def test_torch_dtypes_that_gyre_has_not(self):
        for dtype in (torch.complex64, torch.complex128, torch.float8_e4m3fn, torch.float8_e5m2):
            x = torch.zeros(2).to(dtype)
            for call in entries(x):
                with self.subTest(dtype=str(dtype)), self.assertRaises((TypeError, BufferError, RuntimeError)):
                    call()

    def test_torch_tensors_without_elements_in_memory(self):
        strangers = (torch.zeros(2, 2).to_sparse(), torch.ones(2, dtype=torch.complex64).conj(), torch.empty(2, device="meta"),
                     torch.ones(2, requires_grad=True))
        for x in strangers:
            for call in entries(x):
                with self.subTest(str(x)), self.assertRaises((TypeError, BufferError, RuntimeError, ValueError)):
                    call()
        self.assertEqual(gyre.from_torch(torch.ones(2, requires_grad=True)).tolist(), [1, 1])

    def test_what_is_no_array(self):
        for x in ("text", b"bytes", bytearray(4), {1: 2}, {1, 2}, object(), 1j, lambda: 0, None, type, gyre, ...):
            with self.subTest(repr(x)), self.assertRaises(TypeError):
                gyre.tensor(x)
            if x is not None:
                with self.subTest(repr(x)), self.assertRaises(TypeError):
                    gyre.exp(x)
        for x in ([1, "a"], [[1], None], [1j], [{}], [[1, object()]]):
            with self.subTest(repr(x)), self.assertRaises((TypeError, ValueError)):
                gyre.tensor(x)
        self.assertRaises(OverflowError, gyre.tensor, 1 << 64)
        self.assertRaises(OverflowError, gyre.tensor, [1 << 64])

    def test_lists_that_never_end(self):
        endless = []
        endless.append(endless)
        self.assertRaises(gyre.ShapeError, gyre.tensor, endless)

    def test_lists_that_change_meanwhile(self):
        class Shrinks:
            def __index__(self):
                del values[1:]
                return 1

        values = [Shrinks(), 2, 3]
        self.assertRaises(ValueError, gyre.tensor, values)


class Layouts(unittest.TestCase):
    def test_reversed_arrays_are_copied(self):
        a = numpy.arange(12.0).reshape(3, 4)
        for part in (a[::-1], a[:, ::-1], a[::-1, ::-2], a[::-2].T):
            self.assertEqual((gyre.zeros(part.shape) + part).tolist(), part.tolist())
            self.assertEqual(gyre.tensor(part).tolist(), part.tolist())
            self.assertRaisesRegex(gyre.ValueError, "negative", gyre.from_numpy, part)

    def test_unaligned_arrays_are_copied(self):
        raw = numpy.zeros(17, "u1")
        part = raw[1:].view("f4")
        part[:] = [1, 2, 3, 4]
        self.assertEqual(gyre.asarray(part).tolist(), [1, 2, 3, 4])
        self.assertRaisesRegex(gyre.ValueError, "copy", gyre.from_numpy, part)
        packed = numpy.zeros(3, [("a", "i1"), ("b", "f4")])
        packed["b"] = [1, 2, 3]
        self.assertEqual(gyre.asarray(packed["b"]).tolist(), [1, 2, 3])

    def test_read_only_arrays_are_never_written(self):
        a = numpy.zeros(3)
        a.flags.writeable = False
        t = gyre.asarray(a)
        t += 1
        t[0] = 5
        gyre.Tensor.exp_(a)
        self.assertEqual(a.tolist(), [0, 0, 0])
        self.assertRaisesRegex(gyre.ValueError, "written", gyre.from_numpy, a)
        self.assertRaisesRegex(gyre.ValueError, "written", gyre.from_dlpack, a)
        self.assertEqual(gyre.asarray(memoryview(b"abc")).tolist(), [97, 98, 99])

    def test_more_axes_than_gyre_has(self):
        a = numpy.zeros((1,) * 20)
        for call in entries(a):
            self.assertRaises(gyre.ShapeError, call)
        self.assertRaises(gyre.ShapeError, gyre.zeros, (1,) * 17)
        self.assertRaises(gyre.ShapeError, lambda: gyre.zeros((1,) * 16)[None])
        deep = 1.0
        for _ in range(17):
            deep = [deep]
        self.assertRaises(gyre.ShapeError, gyre.tensor, deep)

    def test_what_shares_an_element_is_not_written(self):
        t = gyre.zeros(3, 1).expand(3, 4)
        for write in (lambda: t.__iadd__(1), lambda: t.zero_(), lambda: t.__setitem__(0, 1)):
            self.assertRaises(gyre.ValueError, write)


class Sizes(unittest.TestCase):
    def test_huge_shapes(self):
        for shape in ((2**62,), (2**40, 2**40), (2**31,) * 3, 2**50):
            for make in (gyre.zeros, gyre.ones, gyre.empty, gyre.rand, lambda s: gyre.full(s, 1.0)):
                with self.subTest(shape=shape), self.assertRaises((MemoryError, ValueError)):
                    make(shape)
        self.assertRaises(OverflowError, gyre.zeros, 2**64)
        self.assertRaises((MemoryError, ValueError), gyre.eye, 2**40)
        self.assertRaises((MemoryError, ValueError), gyre.arange, 2.0**60)
        self.assertRaises((MemoryError, ValueError), gyre.linspace, 0, 1, 2**60)
        self.assertRaises((MemoryError, ValueError), gyre.one_hot, gyre.zeros(4, dtype="i64"), classes=2**60)
        self.assertEqual(gyre.zeros(2**40, 0).shape, (2**40, 0))
        self.assertEqual(gyre.ones(1).expand(2**40).shape, (2**40,))

    def test_negative_sizes(self):
        for make in (gyre.zeros, gyre.empty, gyre.rand):
            self.assertRaises(gyre.ValueError, make, -1)
        self.assertRaises(gyre.ValueError, gyre.eye, -1)
        self.assertRaises(gyre.ValueError, gyre.linspace, 0, 1, -1)


class FakeDevice:
    """An array that claims to be on another device; accessing its memory would be an error."""

    def __init__(self, device):
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **how):
        raise AssertionError("asked for memory of another device")


class Lies:
    def __init__(self, answer, device=(1, 0)):
        self.answer, self.device = answer, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **how):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class Short(list):
    def __len__(self):
        return 1


class Lists(unittest.TestCase):
    def test_overridden_lengths_are_not_asked(self):
        self.assertEqual(gyre.tensor(Short()).shape, (0,))
        self.assertEqual(gyre.tensor([Short([1, 2]), [3, 4]]).tolist(), [[1, 2], [3, 4]])
        for length in (lambda self: 5, lambda self: -1, lambda self: 1 / 0):
            for kind in (list, tuple):
                lies = type("Lies", (kind,), {"__len__": length})
                for items in ([], [1, 2, 3]):
                    self.assertEqual(gyre.tensor(lies(items)).tolist(), items)
                    self.assertEqual(gyre.exp(lies(items)).shape, (len(items),))
                    self.assertEqual(gyre.cat([lies(items), lies(items)]).shape, (2 * len(items),))
                    self.assertEqual(gyre.cat(lies([lies(items)])).shape, (len(items),))
                self.assertEqual(gyre.zeros(lies([2, 3])).shape, (2, 3))
                self.assertEqual(gyre.zeros(2, 3).sum(axis=lies([0])).shape, (3,))
                self.assertEqual(gyre.zeros(5, 5)[lies([0, 1])].shape, (2, 5) if kind is list else ())

    def test_sizes_that_change_meanwhile(self):
        class Clears:
            def __index__(self):
                sizes.clear()
                return 1

        sizes = [Clears(), 2, 3]
        self.assertEqual(gyre.zeros(sizes).shape, (1, 2, 3))


class Exchange(unittest.TestCase):
    def test_other_devices_are_refused_unasked(self):
        for device in ((2, 0), (10, 1), (8, 0)):
            for call in entries(FakeDevice(device)):
                with self.assertRaises(gyre.UnavailableError) as caught:
                    call()
                self.assertIn("host", str(caught.exception))

    def test_capsules_that_are_none(self):
        for answer in (None, 1, "capsule", object()):
            self.assertRaises(TypeError, gyre.from_dlpack, Lies(answer))
        self.assertRaises(BufferError, gyre.from_dlpack, Lies(BufferError("no")))
        for device in (None, (), "ab", ("a", "b")):
            self.assertRaises((TypeError, IndexError), gyre.from_dlpack, Lies(None, device))

    def test_a_capsule_is_opened_once(self):
        capsule = gyre.zeros(2).__dlpack__()
        self.assertEqual(gyre.from_dlpack(Lies(capsule)).tolist(), [0, 0])
        self.assertRaises(TypeError, gyre.from_dlpack, Lies(capsule))

    def test_consumers_elsewhere(self):
        self.assertRaises(BufferError, gyre.zeros(2).__dlpack__, dl_device=(2, 0))
        t = gyre.zeros(2)
        self.assertNotEqual(gyre.from_dlpack(Lies(t.__dlpack__(dl_device=(1, 0), copy=True))).data_ptr(), t.data_ptr())
        self.assertEqual(t.__dlpack_device__(), (1, 0))

    def test_a_capsule_that_nobody_opens(self):
        gc.collect()
        before = gyre.live_tensors()
        for version in (None, (1, 0)):
            gyre.zeros(2).__dlpack__(max_version=version)
        gc.collect()
        self.assertEqual(gyre.live_tensors(), before)

    def test_memory_outlives_its_tensor(self):
        whole = gyre.arange(1000.0)
        parts = [whole[10:], whole.T, whole.view(10, 100), memoryview(whole), numpy.asarray(whole), whole.torch()]
        del whole
        gc.collect()
        others = [gyre.ones(1000) for _ in range(50)]
        self.assertEqual([float(numpy.asarray(p).ravel()[-1]) for p in parts], [999.0] * len(parts))
        self.assertEqual(len(others), 50)

    def test_it_goes_in_another_thread(self):
        held = [gyre.from_numpy(numpy.ones(1000)) for _ in range(100)]
        thread = threading.Thread(target=held.clear)
        thread.start()
        thread.join()
        self.assertEqual(held, [])


class Unset(gyre.Tensor if gyre else object):
    """A tensor whose class does not call super().__init__()."""

    def __init__(self):
        pass


class Objects(unittest.TestCase):
    def test_a_tensor_that_was_never_made(self):
        uses = (len, iter, list, repr, bool, float, int, memoryview, numpy.asarray, pickle.dumps, copy.copy, lambda x: x + 1,
                lambda x: 1 + x, lambda x: -x, lambda x: x[0], lambda x: x[:1], lambda x: x.__setitem__(0, 1), lambda x: x.shape,
                lambda x: gyre.exp(x), lambda x: x.exp_(), lambda x: gyre.ones(3)[x], lambda x: x.__iadd__(1),
                lambda x: gyre.tensor(x), lambda x: gyre.tensor([x, x]), lambda x: x.tolist(), torch.from_dlpack)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # nanobind warns about it too
            for make in (Unset, lambda: gyre.Tensor.__new__(gyre.Tensor)):
                for number, use in enumerate(uses):
                    with self.subTest(number), self.assertRaises((gyre.Error, TypeError, BufferError)):
                        use(make())

    def test_a_tensor_is_made_once(self):
        t = gyre.ones(2)
        with self.assertRaises(TypeError), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            t.__init__([3.0])
        self.assertEqual(t.tolist(), [1, 1])


class Calls(unittest.TestCase):
    def test_every_op_refuses_strangers(self):
        x = gyre.ones(2, 2)
        for op in gyre.ops():
            for args in ((object(),), ("a",), (x, object()), (x, x, x, x, x, x, x, x, object()), ({},), (None,) * 3):
                with self.subTest(op=op.name):
                    try:
                        op(*args)
                    except (TypeError, ValueError, RuntimeError, LookupError, NotImplementedError):
                        pass

    def test_every_op_refuses_unknown_names(self):
        for op in gyre.ops():
            self.assertRaisesRegex(TypeError, "nonsense", op, nonsense=1)

    def test_attributes_of_wrong_types(self):
        wrong = {"bool": "a", "int": "a", "float": "a", "str": 1, "dtype": 3, "shape": "a", "choice": "nonsense"}
        for op in gyre.ops():
            for attribute in op.attributes:
                with self.subTest(op=op.name, attribute=attribute["name"]), self.assertRaises((TypeError, ValueError)):
                    op(gyre.ones(2, 2), **{attribute["name"]: wrong[attribute["type"]]})


class Sentences(unittest.TestCase):
    """Wrong arguments are named in one sentence."""

    def refused(self, pattern, function, *args, error=TypeError, **names):
        with self.assertRaisesRegex(error, pattern) as caught:
            function(*args, **names)
        self.assertNotIn("\n", str(caught.exception))

    def test_arguments_that_no_signature_takes(self):
        x = gyre.ones(2)
        self.refused("^set_num_threads: count: expected int, got str$", gyre.set_num_threads, "a")
        self.refused("^set_num_threads: count is out of range$", gyre.set_num_threads, 2**70)
        self.refused("^set_num_threads: missing argument count$", gyre.set_num_threads)
        self.refused("^set_num_threads: takes at most 1 argument by position, got 2$", gyre.set_num_threads, 1, 2)
        self.refused("^set_num_threads: got an unexpected keyword argument 'n'$", gyre.set_num_threads, n=1)
        self.refused("^set_num_threads: got count twice$", gyre.set_num_threads, 1, count=1)
        self.refused("^linspace: stop: expected float, got str$", gyre.linspace, 0, "a", 3)
        self.refused("^tensor: missing argument data$", gyre.tensor)
        self.refused("^backward: self: expected Tensor, got int$", gyre.Tensor.backward, 3)
        for method in (gyre.Tensor.zero_, gyre.Tensor.requires_grad_, gyre.Tensor.__deepcopy__):
            self.refused("self: expected Tensor, got", method, 3, *((({}),) if method is gyre.Tensor.__deepcopy__ else ()))
        self.refused("self: expected Parameter, got Tensor", gyre.nn.Parameter.__deepcopy__, x, {})
        self.refused("^expected a PyTorch tensor, got int$", gyre.from_torch, 3)
        self.refused("^register_hook: hook: expected a callable, got int$", x.register_hook, 3)
        self.refused("^batch: rows: expected Sequence\\[int\\], got list of str$", gyre.data.TensorDataset(x).batch, ["a"])
        self.refused("^expected a tensor, .* got NoneType$", gyre.tensor, None)
        self.refused("^Dataset: .*expected dict, got int$", gyre.data.Dataset, 1, 2)

    def test_a_class_for_its_instance(self):
        for kind in (gyre.Tensor, numpy.ndarray, torch.Tensor, int):
            self.refused("^log: x: expected a tensor, .* got the class", gyre.log, kind)
            self.refused("got the class", gyre.tensor, kind)

    def test_items_of_other_types(self):
        tokenizer = gyre.Tokenizer.characters("abc")
        for ids in ([1.5], [2**63], ["a"], (None,)):
            self.refused("^ids: expected integers of 32 bits, got", tokenizer.decode, ids)
        for ids in (gyre.tensor([0.5]), numpy.array([1.7]), gyre.tensor([math.nan]), 1.5):
            self.refused("^ids: expected integers of 32 bits, got f", tokenizer.decode, ids)
            self.refused("^tokens: expected integers of 32 bits, got f", gyre.data.TokenBatches, ids, 2, 4)
        for ids in (gyre.tensor([2**40]), numpy.array([-2**33])):
            self.assertRaisesRegex(gyre.ValueError, "^ids: .* does not fit i32", tokenizer.decode, ids)
            self.assertRaisesRegex(gyre.ValueError, "^tokens: .* does not fit i32", gyre.data.TokenBatches, ids, 2, 4)
        self.refused("^texts: expected str items, got int", gyre.Tokenizer.train, [1], 300)
        for key in (0, None, (1, 2)):
            self.refused("^dataset: expected str keys in an example, got", lambda key: next(iter(gyre.data.DataLoader([{key: 1}], 1))),
                         key)
        for axes in ("x", {"a": 0}, [[0]], [1.5]):
            self.refused("^in_axes: expected an int or None", gyre.func.vmap(lambda x: x, in_axes=axes), gyre.ones(2))
            self.refused("^out_axes: expected an int or None", gyre.func.vmap(lambda x: x, out_axes=axes), gyre.ones(2))
        self.refused("^max_version: expected a pair of ints", gyre.ones(2).__dlpack__, max_version="ab")
        self.refused("^copy: expected a bool", gyre.ones(2).__dlpack__, copy="x")
        self.refused("^budget: expected a CheckpointBudget", gyre.checkpoint, gyre.exp, gyre.ones(2), budget=3)
        self.refused("^sources: expected a str or a list", gyre._gyre._data.read_text, 3, {})


    def test_dtypes_are_named(self):
        self.refused("^tensor: unsupported dtype complex128; convert", gyre.exp, numpy.zeros(2, "c16"))
        self.refused(r"^tensor: unsupported elements \(struct format 'c'\); convert", gyre.tensor, memoryview(b"a").cast("c"))

    def test_manifolds_and_devices(self):
        for make in (lambda m: gyre.hyperbolic.ManifoldParameter([0.1], m), lambda m: gyre.hyperbolic.TangentParameter([0.1], m),
                     lambda m: gyre.hyperbolic.Product((m, 2))):
            self.refused("^expected a manifold, got int$", make, 3)
        self.refused("^expected a device such as", gyre.zeros, 2, device=gyre.zeros(3))
        self.refused("^self: expected Tensor, got int$", gyre.Tensor.torch, 3)
        self.refused("^self: expected Tensor, got int$", gyre.Tensor.numpy, 3)

    def test_words_of_python(self):
        x = gyre.ones(2, requires_grad=True)
        self.refused(r"under no_grad\(\)", x.zero_, error=gyre.ValueError)
        y = (x * x).sum()
        y.backward()
        self.refused("set retain_graph in the earlier call", y.backward, error=gyre.ValueError)
        self.refused("pass a gradient of that shape", (x * 2).backward, error=gyre.ValueError)


class Numbers(unittest.TestCase):
    """Numbers that a dtype has not are refused, the others are exact."""

    def refused(self, function, *args, **names):
        with self.assertRaisesRegex(gyre.ValueError, "does not fit"):
            function(*args, **names)

    def test_attributes(self):
        mask, long = gyre.tensor([True, False]), 2**53 + 1
        i64, u8 = gyre.zeros(2, dtype="i64"), gyre.zeros(2, dtype="u8")
        for value in (long, numpy.int64(long), -long, 2.5):
            self.assertEqual(gyre.masked_fill(i64, mask, value).tolist(), [int(value), 0])
            self.assertEqual(gyre.pad(i64, [1], [0], value=value).tolist(), [int(value), 0, 0])
        for x, values in ((u8, (256, -1, 1e30, math.nan, math.inf)), (i64, (2**63, 2**70, -1e19, math.nan, -math.inf))):
            for value in values:
                self.refused(gyre.masked_fill, x, mask, value)
                self.refused(gyre.pad, x, [1], [0], value=value)
        self.assertEqual(gyre.masked_fill(gyre.zeros(2), mask, -math.inf).tolist(), [-math.inf, 0])
        self.assertEqual(gyre.masked_fill(mask, mask, 5).tolist(), [True, False])

    def test_random_integers(self):
        for low, high, dtype in ((256, 300, "u8"), (0, 257, "u8"), (-5, 0, "u8"), (0, 2**40, "i32"), (-129, 0, "i8"),
                                 (0, 3, "boolean")):
            self.refused(gyre.randint, low, high, shape=(8,), dtype=dtype)
        for low, high, dtype in ((0, 256, "u8"), (-128, 128, "i8"), (-2**63, 2**63 - 1, "i64"), (0, 2, "boolean")):
            drawn = gyre.randint(low, high, shape=(8,), dtype=dtype).tolist()
            self.assertTrue(all(low <= x < high for x in drawn))

    def test_lists_and_numbers(self):
        u8 = gyre.zeros(2, dtype="u8")
        for dtype, values in (("i32", (1e10, 2**31, -2**31 - 1)), ("i64", (math.nan, math.inf, 2.0**63)), ("u8", (-1.0, 256.0))):
            for value in values:
                for data in (value, [value], [[0, value]], numpy.array([value])):
                    self.refused(gyre.tensor, data, dtype=dtype)
                self.refused(gyre.asarray, [value], dtype=dtype)
                self.refused(gyre.full, (2,), value, dtype=dtype)
        self.assertEqual(gyre.tensor([2.9, -0.5, 255.9], dtype="u8").tolist(), [2, 0, 255])
        for value in (256, -1, math.nan):
            self.refused(u8.fill_, value)
            self.refused(u8.copy_, [value, 0])
            self.refused(u8.__setitem__, 0, value)
            self.refused(u8.__setitem__, slice(None), [0, value])
        self.assertEqual(u8.tolist(), [0, 0])

    def test_ranges(self):
        self.refused(gyre.arange, 300, dtype="u8")
        self.refused(gyre.arange, -1, 3, dtype="u8")
        self.refused(gyre.arange, 0.0, 1e10, 3e9, dtype="i32")
        self.refused(gyre.linspace, 0, 300, 4, dtype="u8")
        self.assertEqual(gyre.arange(250, 256, dtype="u8").tolist(), [250, 251, 252, 253, 254, 255])
        self.assertEqual(gyre.arange(0, 0, dtype="u8").shape, (0,))

    def test_booleans_are_not_subtracted(self):
        t = gyre.tensor([True, False])
        for call in (lambda: -t, lambda: t - t, lambda: t - True, lambda: True - t, lambda: gyre.neg(True)):
            with self.assertRaisesRegex(gyre.DTypeError, "booleans"):
                call()
        self.assertEqual((t - 1).tolist(), [0, -1])


class Results(unittest.TestCase):
    """Results of functional_call that contain themselves, as PyTorch returns them."""

    def call(self, make):
        class Net(gyre.nn.Module):
            def __init__(self):
                super().__init__()
                self.w = gyre.nn.Parameter([1.0])

            def forward(self, x):
                return make(self, x)

        return gyre.nn.functional_call(Net(), {"w": gyre.tensor([2.0])}, gyre.ones(1))

    def test_results_that_contain_themselves(self):
        def in_list(net, x):
            out = [x * net.w]
            out.append(out)
            return out

        def in_dict(net, x):
            out = {"w": net.w}
            out["all"] = (out, [net.w])
            return out

        out = self.call(in_list)
        self.assertEqual(out[0].tolist(), [2])
        self.assertIs(out[1], out)
        out = self.call(in_dict)
        self.assertEqual(out["w"].tolist(), [2])
        self.assertIs(out["all"][0], out)
        self.assertEqual(out["all"][1][0].tolist(), [2])

    def test_deeply_nested_results(self):
        def nest(net, inner):
            for _ in range(100000):
                inner = [inner]
            return inner

        self.assertIsInstance(self.call(nest), list)  # nothing of it was replaced
        self.assertRaises(RecursionError, self.call, lambda net, x: nest(net, net.w))


if __name__ == "__main__":
    unittest.main()
