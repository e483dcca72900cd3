"""Tensors compared with NumPy arrays and PyTorch tensors: shared memory, lifetimes, operators, errors,
printing."""

import ctypes
import gc
import itertools
import operator
import unittest
import zlib

from common import gyre, needs_packages, numpy, torch, torch_dtype

NUMPY_DTYPES = {"f16": "f2", "f32": "f4", "f64": "f8", "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "u8": "u1",
                "u16": "u2", "u32": "u4", "u64": "u8", "boolean": "?"}


def setUpModule():
    needs_packages()


def array(name, shape=(3, 4)):
    """Small integers, which every dtype represents."""
    return (numpy.arange(numpy.prod(shape)) % 100).reshape(shape).astype(NUMPY_DTYPES[name])


def resident():
    """Resident memory of this process in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


class Sharing(unittest.TestCase):
    def same(self, tensor, expected):
        self.assertEqual(tensor.tolist(), expected.tolist())

    def test_dtypes_are_all_of_gyre(self):
        self.assertEqual(sorted([*NUMPY_DTYPES, "bf16"]), sorted(d.name for d in gyre.DType))

    def test_dtypes_have_long_names(self):
        self.assertIs(gyre.float32, gyre.f32)
        self.assertIs(gyre.bfloat16, gyre.bf16)
        self.assertIs(gyre.uint8, gyre.u8)
        self.assertIs(gyre.bool, gyre.boolean)
        for name in NUMPY_DTYPES:
            self.assertEqual(gyre.zeros((1,), dtype=numpy.dtype(NUMPY_DTYPES[name]).name).dtype.name, name)

    def test_every_letter_of_whole_numbers(self):
        for letter in "bhilqBHILQ":
            x = numpy.arange(3, dtype=letter)
            t = gyre.from_numpy(x)
            self.assertEqual(t.nbytes, x.nbytes)
            self.assertEqual(t.tolist(), [0, 1, 2])

    def test_numpy_arrays_are_shared(self):
        for name in NUMPY_DTYPES:
            a = array(name)
            for t in (gyre.from_numpy(a), gyre.from_dlpack(a), gyre.reshape(a, a.shape)):
                self.assertEqual((t.dtype.name, t.shape, t.data_ptr()), (name, a.shape, a.ctypes.data))
            a[1, 2] = 0
            self.same(t, a)

    def test_numpy_sees_tensors(self):
        for name in NUMPY_DTYPES:
            t = gyre.tensor(array(name))
            for a in (t.numpy(), numpy.asarray(t), numpy.from_dlpack(t)):
                self.assertEqual((a.dtype, a.shape, a.ctypes.data), (NUMPY_DTYPES[name], t.shape, t.data_ptr()))
                self.same(t, a)
            t.numpy()[0, 0] = 1
            self.assertEqual(t[0, 0].item(), 1)

    def test_torch_both_ways(self):
        for dtype in gyre.DType:
            x = torch.arange(12).reshape(3, 4).to(torch_dtype(dtype.name))
            for t in (gyre.from_torch(x), gyre.from_dlpack(x), gyre.reshape(x, x.shape)):
                self.assertEqual((t.dtype, t.shape, t.data_ptr()), (dtype, tuple(x.shape), x.data_ptr()))
            for back in (t.torch(), torch.from_dlpack(t)):
                self.assertEqual((back.dtype, back.shape, back.data_ptr()), (x.dtype, x.shape, x.data_ptr()))
            back[2, 3] = 0
            self.same(t, x)

    def test_bf16_goes_through_torch_alone(self):
        t = gyre.tensor([1.5, -2.0]).to(dtype=gyre.bf16)
        self.assertEqual(t.torch().tolist(), [1.5, -2.0])
        for error, share in ((BufferError, memoryview), (gyre.DTypeError, numpy.asarray)):
            with self.assertRaisesRegex(error, "bf16"):
                share(t)

    def test_what_is_not_contiguous_is_shared(self):
        a = numpy.arange(60.0).reshape(3, 4, 5)
        for part in (a.T, a[::2, 1:, 3], a[:, :, ::2], a[1:2], a[:, :0], numpy.moveaxis(a, 0, 1)[..., 2:]):
            t = gyre.from_numpy(part)
            self.assertEqual(t.data_ptr(), part.ctypes.data)
            self.same(t, part)
            self.assertEqual([s for s, n in zip(t.numpy().strides, part.shape) if n > 1 and part.size],
                             [s for s, n in zip(part.strides, part.shape) if n > 1 and part.size])
            self.same(t.torch(), part)

    def test_what_cannot_be_shared_is_copied(self):
        a = numpy.arange(12.0).reshape(3, 4)
        fixed = a.copy()
        fixed.flags.writeable = False
        for part in (fixed, a[::-1], a[:, ::-2], numpy.broadcast_to(a[0], (2, 4))):
            t = gyre.reshape(part, part.shape)
            self.assertNotEqual(t.data_ptr(), part.ctypes.data)
            self.same(t, part)
            with self.assertRaises(gyre.ValueError):
                gyre.from_numpy(part)

    def test_foreign_elements_are_refused(self):
        for a in (numpy.zeros(2, "c8"), numpy.zeros(2, ">f4"), numpy.zeros(2, "M8[s]"),
                  numpy.array(["a"])):
            with self.assertRaises((gyre.DTypeError, gyre.ValueError, TypeError), msg=str(a.dtype)):
                gyre.from_numpy(a)

    def test_tracked_tensors_are_not_shared(self):
        t = gyre.tensor([1.0], requires_grad=True)
        for error, share in ((gyre.ValueError, numpy.asarray), (gyre.ValueError, lambda t: t.numpy()),
                             (BufferError, memoryview), (BufferError, torch.from_dlpack)):
            with self.assertRaisesRegex(error, "detach"):
                share(t)
        self.assertEqual(t.detach().numpy().tolist(), [1.0])


class Lifetime(unittest.TestCase):
    def test_the_owner_may_go_first(self):
        makers = ((lambda: numpy.arange(1000.0), gyre.from_numpy), (lambda: torch.arange(1000.0), gyre.from_torch),
                  (lambda: gyre.arange(1000.0), numpy.asarray), (lambda: gyre.arange(1000.0), torch.from_dlpack),
                  (lambda: gyre.arange(1000.0), lambda t: t[10:].numpy()))
        for make, share in makers:
            owner = make()
            shared = share(owner)
            expected = shared.tolist()
            del owner
            gc.collect()
            others = [make() for _ in range(20)]
            self.assertEqual(shared.tolist(), expected)
            del others

    def test_everything_is_given_back(self):
        gc.collect()
        before = gyre.live_tensors()
        t = gyre.zeros((100,))
        a, x = t.numpy(), t.torch()
        del t
        self.assertEqual(a.sum() + x.sum(), 0)
        del a, x
        gc.collect()
        self.assertEqual(gyre.live_tensors(), before)

    def test_round_trips_leave_nothing(self):
        a, x = numpy.zeros(1000), torch.zeros(1000)

        def trips(count):
            for _ in range(count):
                gyre.from_numpy(a).numpy()
                numpy.from_dlpack(gyre.from_dlpack(a))
                gyre.from_torch(x).torch()

        trips(1000)
        gc.collect()
        tensors, memory = gyre.live_tensors(), resident()
        trips(100_000)
        gc.collect()
        self.assertEqual(gyre.live_tensors(), tensors)
        self.assertLess(resident() - memory, 1 << 20)


class Buffers(unittest.TestCase):
    def test_the_order_that_is_asked_for(self):
        t = gyre.tensor(numpy.arange(6.0).reshape(2, 3))
        self.assertEqual(bytes(memoryview(t)), numpy.arange(6.0).tobytes())
        self.assertEqual(numpy.asarray(t.T, order="C").tolist(), t.numpy().T.tolist())
        self.assertEqual(zlib.crc32(t), zlib.crc32(numpy.arange(6.0)))  # needs a contiguous buffer
        with self.assertRaises(BufferError):
            zlib.crc32(t.T)

    def test_none_inside_vmap(self):
        expected = "expected a plain tensor on the host, got a slice of a batch inside vmap"
        unsupported = gyre.UnsupportedError
        for error, message, look in (
                (BufferError, "^" + expected, memoryview),
                (unsupported, "^numpy: " + expected, numpy.asarray),
                (unsupported, "^numpy: " + expected, lambda x: x.numpy()),
                (unsupported, "^to_dlpack: " + expected, lambda x: x.__dlpack__()),
                (unsupported, "^to_dlpack: " + expected, lambda x: x.__dlpack__(copy=True)),
                (unsupported, "^to_dlpack: " + expected, lambda x: x.torch()),
                (unsupported, "^to_dlpack: " + expected, numpy.from_dlpack),
                (unsupported, expected, lambda x: x.tolist()),
                (unsupported, expected, lambda x: x.data_ptr())):
            with self.subTest(message), self.assertRaisesRegex(error, message):
                gyre.func.vmap(lambda x: (look(x), x)[1])(gyre.ones((2, 3)))

    def test_torch_tensors_that_require_gradients(self):
        with self.assertRaisesRegex(ValueError, "requires grad; call gyre.torch.NAME"):
            gyre.exp(torch.ones(2, requires_grad=True))

    def test_one_array_twice(self):
        a = numpy.arange(5.0)
        late, early = gyre.from_numpy(a[1:]), gyre.from_numpy(a[:-1])
        late += early
        self.assertEqual(a.tolist(), [0, 1, 3, 5, 7])


class Operators(unittest.TestCase):
    FLOATS = (operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod,
              operator.pow, operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)
    WHOLE = (operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift, operator.add, operator.sub,
             operator.mul, operator.floordiv, operator.mod)
    UNARY = (operator.neg, operator.abs)

    def close(self, got, expected, what):
        self.assertIs(type(got), gyre.Tensor)
        numpy.testing.assert_allclose(got.detach().numpy(), expected, rtol=1e-12, err_msg=str(what))

    def test_pairs(self):
        a, b = numpy.array([[1.5, -2.0, 0.25]]), numpy.array([[3.0], [0.5]])
        x, y = gyre.tensor(a), gyre.tensor(b)
        for op in self.FLOATS:
            with numpy.errstate(invalid="ignore"):
                self.close(op(x, y), op(a, b), op)
                self.close(op(x, b), op(a, b), op)
                self.close(op(a, y), op(a, b), op)
                self.close(op(x, torch.from_numpy(b)), op(a, b), op)
                for number in (2, 0.5, numpy.float64(3)):
                    self.close(op(x, number), op(a, number), op)
                    self.close(op(number, y), op(number, b), op)

    def test_whole_numbers(self):
        a, b = numpy.array([[9, 4, 7]]), numpy.array([[3], [2]])
        x, y = gyre.tensor(a), gyre.tensor(b)
        for op in self.WHOLE:
            self.close(op(x, y), op(a, b), op)
            self.close(op(a, y), op(a, b), op)
            self.close(op(x, 2), op(a, 2), op)
            self.close(op(9, y), op(9, b), op)
        self.close(~x, ~a, "~")
        self.close(~(x > 5), ~(a > 5), "~")

    def test_products_and_signs(self):
        a, b = numpy.arange(6.0).reshape(2, 3), numpy.arange(12.0).reshape(3, 4)
        self.close(gyre.tensor(a) @ gyre.tensor(b), a @ b, "@")
        self.close(a @ gyre.tensor(b), a @ b, "@")
        for op in self.UNARY:
            self.close(op(gyre.tensor(a - 2)), op(a - 2), op)
        self.close(gyre.tensor(a).T, a.T, "T")

    def test_in_place(self):
        for op in (operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ipow, operator.imod,
                   operator.ifloordiv):
            a, b = numpy.array([1.5, 2.0, 0.25]), numpy.array([3.0, 0.5, 2.0])
            x = gyre.tensor(a)
            pointer, same = x.data_ptr(), x
            x = op(x, gyre.tensor(b))
            self.assertIs(x, same)
            self.assertEqual(x.data_ptr(), pointer)
            self.close(x, op(a, b), op)

    def test_truth_and_numbers(self):
        self.assertEqual((float(gyre.tensor(2.5)), int(gyre.tensor(7)), bool(gyre.tensor(0.0))), (2.5, 7, False))
        self.assertEqual([10, 20, 30][gyre.tensor(1)], 20)
        self.assertRaises(ValueError, bool, gyre.zeros((2,)))
        self.assertRaises(TypeError, operator.index, gyre.tensor(1.0))

    def test_strangers_are_refused(self):
        for op, other in itertools.product((operator.add, operator.mul, operator.matmul), ("a", {}, object())):
            self.assertRaises(TypeError, op, gyre.zeros((2,)), other)
            self.assertRaises(TypeError, op, other, gyre.zeros((2,)))


class PyBuffer(ctypes.Structure):
    """Py_buffer of Python's C interface."""
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p),
                ("internal", ctypes.c_void_p)]


def memory_of_format(text):
    """A memoryview of four bytes with this format, and the objects it refers to."""
    elements, size, stride = ctypes.create_string_buffer(4), ctypes.c_ssize_t(4), ctypes.c_ssize_t(1)
    view = PyBuffer(ctypes.addressof(elements), None, 4, 1, 0, 1, text, ctypes.pointer(size), ctypes.pointer(stride))
    make = ctypes.pythonapi.PyMemoryView_FromBuffer
    make.restype, make.argtypes = ctypes.py_object, [ctypes.POINTER(PyBuffer)]
    return make(ctypes.byref(view)), (elements, text)


class Errors(unittest.TestCase):
    def check(self, own, python, code, call):
        with self.assertRaises(own) as caught:
            call()
        error = caught.exception
        self.assertIsInstance(error, python)
        self.assertIsInstance(error, gyre.Error)
        self.assertEqual(error.code, code)
        return error

    def test_classes(self):
        x = gyre.zeros((2, 3))
        wrong = self.check(gyre.ShapeError, ValueError, "shape", lambda: x @ x)
        self.assertEqual((wrong.op, wrong.expected, wrong.actual), ("matmul", "3", "2"))
        self.check(gyre.DTypeError, TypeError, "dtype", lambda: x & x)
        self.check(gyre.IndexError, IndexError, "index", lambda: x.unsqueeze(5))
        self.check(gyre.ValueError, ValueError, "value", lambda: gyre.max(gyre.zeros((0,))))
        self.check(gyre.ResourceError, MemoryError, "resource", lambda: gyre.zeros((1 << 50,)))

    def test_calls_that_are_none(self):
        x = gyre.zeros((2, 3))
        self.assertRaises(OverflowError, gyre.softmax, x, 1 << 64)
        for call in (lambda: gyre.softmax(x, wrong=1), lambda: gyre.softmax(x, gyre.ones(())), lambda: gyre.softmax(x, axis="a"), lambda: gyre.softmax("x"),
                     lambda: gyre.softmax(x, -1, axis=0), lambda: gyre.exp(x, 1, 2), lambda: x.sum(keepdim=3),
                     lambda: gyre.tensor([1, "a"]), lambda: gyre.zeros((2,), dtype="no")):
            self.assertRaises(TypeError, call)
        self.assertRaises(ValueError, gyre.tensor, [[1, 2], [3]])

    def test_texts_of_any_bytes(self):
        error = self.check(gyre.ParseError, ValueError, "parse", lambda: gyre.einsum("ié->i", gyre.zeros((2, 3))))
        self.assertEqual(str(error), 'einsum: "ié->i": unexpected \'é\' at position 1')
        self.assertEqual(error.actual, "é->i")
        stranger, _owners = memory_of_format(b"\xff")
        error = self.check(gyre.DTypeError, TypeError, "dtype", lambda: gyre.tensor(stranger))
        self.assertIn(r"'\xff'", str(error))


if __name__ == "__main__":
    unittest.main()
