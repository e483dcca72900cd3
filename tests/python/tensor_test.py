"""gyre.Tensor as NumPy and PyTorch users expect it: numbers, sequences, methods, creation, display."""

import copy
import math
import operator
import pickle
import threading
import unittest
import weakref

from common import gyre, needs_packages, numpy, torch


def setUpModule():
    needs_packages()


class Making(unittest.TestCase):
    def same(self, tensor, array):
        self.assertEqual((tensor.shape, tensor.tolist()), (array.shape, array.tolist()))

    def test_shapes_come_in_two_ways(self):
        for make in (gyre.zeros, gyre.ones, gyre.empty, gyre.rand, gyre.randn):
            for t in (make(2, 3), make((2, 3)), make([2, 3]), make(shape=(2, 3)) if make in (gyre.rand, gyre.randn)
                      else make((2, 3))):
                self.assertEqual((t.shape, t.dtype), ((2, 3), gyre.f32))
            self.assertEqual(make(4).shape, (4,))
            self.assertEqual(make((2, 3), "f64").dtype, gyre.f64)
            self.assertEqual(make(2, 3, dtype=gyre.f64).dtype, gyre.f64)
        self.assertEqual(gyre.zeros().shape, ())
        self.assertEqual(gyre.zeros(numpy.int64(2), 3).shape, (2, 3))
        self.assertTrue(gyre.ones(2, requires_grad=True).requires_grad)
        with self.assertRaises(TypeError):
            gyre.zeros(2.5)
        with self.assertRaises(TypeError):
            gyre.zeros("ab")

    def test_ranges_of_ints_are_ints(self):
        for args in ((5,), (2, 7), (7, 2, -2), (0, 10, 3), (3, 3), (-3, 4, 2)):
            self.same(gyre.arange(*args), numpy.arange(*args))
            self.assertEqual(gyre.arange(*args).dtype, gyre.i64)
        self.same(gyre.arange(2**60, 2**60 + 3), numpy.arange(2**60, 2**60 + 3))
        self.assertEqual(gyre.arange(3.0).dtype, gyre.f32)
        self.assertEqual(gyre.arange(0, 1, 0.25).tolist(), [0, 0.25, 0.5, 0.75])
        self.assertEqual(gyre.arange(3, dtype="f64").dtype, gyre.f64)
        for args in ((0, 5, 0), (0.0, 5.0, 0.0), (0, math.inf), (5, 2), (0, 5, -1)):
            self.assertRaises(ValueError, gyre.arange, *args)
        self.assertRaises(gyre.ResourceError, gyre.arange, -2**62, 2**62)

    def test_full_takes_the_type_of_its_number(self):
        for value, dtype in ((3, gyre.i64), (2.5, gyre.f32), (True, gyre.boolean)):
            t = gyre.full((2,), value)
            self.assertEqual((t.dtype, t.tolist()), (dtype, [value, value]))
        self.assertEqual(gyre.full((1,), 2**62 + 1).item(), 2**62 + 1)
        self.assertEqual(gyre.full(2, 3, dtype="f64").dtype, gyre.f64)
        t = gyre.full((2, 2), 1.0, requires_grad=True)
        self.assertTrue(t.requires_grad and t.is_contiguous())

    def test_like_another(self):
        x = numpy.zeros((2, 3), "f8")
        for make, value in ((gyre.zeros_like, 0), (gyre.ones_like, 1)):
            t = make(x)
            self.assertEqual((t.dtype, t.tolist()), (gyre.f64, [[value] * 3] * 2))
            self.assertEqual(make(x, dtype="i32").dtype, gyre.i32)
        self.assertEqual(gyre.empty_like(x).shape, (2, 3))

    def test_lists_of_whatever(self):
        a = numpy.arange(3.0)
        cases = (([1, 2.5], gyre.f32), ([1, 2], gyre.i64), ([True, False], gyre.boolean), ([True, 2], gyre.i64),
                 ([numpy.float64(1), 2.0], gyre.f64), ([numpy.int64(1), 2], gyre.i64), ([], gyre.f32),
                 ([a, a + 1], gyre.f64), ([a.astype("f4"), [1, 2, 3]], gyre.f32),
                 ([gyre.tensor(1.0), 2], gyre.f32), ([gyre.tensor(1), 2.5], gyre.f32),
                 ([torch.ones(2), gyre.zeros(2)], gyre.f32), ([[numpy.float32(1)], [numpy.float32(2)]], gyre.f32),
                 ([numpy.bool_(True)], gyre.boolean), ((1.0, (a[:0].size,)[0]), gyre.f32))
        for values, dtype in cases:
            t = gyre.tensor(values)
            plain = [v.tolist() if hasattr(v, "tolist") else v for v in values]
            self.assertEqual((t.dtype, t.tolist()), (dtype, plain), values)
        self.assertRaises(ValueError, gyre.tensor, [a, [1.0]])
        self.assertRaises(ValueError, gyre.tensor, [[1.0], a])
        self.assertRaises(TypeError, gyre.tensor, [a, "b"])

    def test_doubles_stay_doubles(self):
        self.assertEqual(gyre.tensor(numpy.float64(1.5)).dtype, gyre.f64)
        self.assertEqual(gyre.tensor(numpy.float32(1.5)).dtype, gyre.f32)
        self.assertEqual(gyre.tensor(1.5).dtype, gyre.f32)
        self.assertEqual(gyre.exp(numpy.ones(2)).dtype, gyre.f64)
        self.assertEqual(gyre.exp(torch.ones(2, dtype=torch.float64)).dtype, gyre.f64)

    def test_asarray_shares_or_copies(self):
        a = numpy.arange(4.0)
        self.assertEqual(gyre.asarray(a).data_ptr(), a.ctypes.data)
        self.assertNotEqual(gyre.asarray(a, copy=True).data_ptr(), a.ctypes.data)
        self.assertNotEqual(gyre.asarray(a, "f32").data_ptr(), a.ctypes.data)
        t = gyre.zeros(3)
        self.assertEqual(gyre.asarray(t).data_ptr(), t.data_ptr())
        self.assertEqual([gyre.asarray(v).dtype for v in (1, 1.5, True)], [gyre.i64, gyre.f32, gyre.boolean])


class RandomState(unittest.TestCase):
    def test_a_state_repeats_the_numbers_drawn_after_it(self):
        for seed in (0, 2**64 - 1):
            gyre.manual_seed(seed)
            gyre.rand(5)
            state = gyre.get_rng_state()
            drawn = [gyre.randn(3).tolist(), gyre.dropout(gyre.ones(9), p=0.5).tolist()]
            self.assertNotEqual(state.tolist(), gyre.get_rng_state().tolist())
            gyre.manual_seed(1)
            gyre.set_rng_state(state.numpy())
            self.assertEqual(gyre.get_rng_state().tolist(), state.tolist())
            self.assertEqual([gyre.randn(3).tolist(), gyre.dropout(gyre.ones(9), p=0.5).tolist()], drawn)

    def test_each_thread_has_its_own(self):
        gyre.manual_seed(4)
        mine, others = gyre.get_rng_state().tolist(), []
        thread = threading.Thread(target=lambda: (gyre.manual_seed(5), others.append(gyre.get_rng_state().tolist())))
        thread.start()
        thread.join()
        self.assertEqual(gyre.get_rng_state().tolist(), mine)
        self.assertNotEqual(others, [mine])

    def test_other_values_are_refused(self):
        before = gyre.get_rng_state().tolist()
        for error, state in ((gyre.ShapeError, gyre.zeros(3, dtype="i64")), (gyre.ShapeError, 7),
                             (gyre.DTypeError, gyre.zeros(2))):
            with self.assertRaisesRegex(error, "^set_rng_state: expected the tensor that get_rng_state"):
                gyre.set_rng_state(state)
        self.assertEqual(gyre.get_rng_state().tolist(), before)


class Numbers(unittest.TestCase):
    def test_python_takes_them_for_numbers(self):
        x = gyre.tensor(2.75)
        self.assertEqual((int(x), float(x), complex(x), round(float(x), 1)), (2, 2.75, 2.75 + 0j, 2.8))
        self.assertEqual((math.floor(x), math.ceil(x), math.trunc(float(x))), (2, 3, 2))
        self.assertEqual((f"{x:.1f}", f"{x}", f"{x.reshape(1)}", "%.1f" % x), ("2.8", "2.75", repr(x.reshape(1)), "2.8"))
        self.assertEqual(math.sqrt(gyre.tensor([[4.0]])), 2)
        self.assertEqual((operator.index(gyre.tensor(3)), hex(gyre.tensor(255)), "abc"[gyre.tensor([1])]),
                         (3, "0xff", "b"))
        self.assertEqual(list(range(gyre.tensor(2))), [0, 1])
        self.assertIs(gyre.tensor(True).item(), True)
        for call in (lambda: f"{gyre.zeros(2):.1f}", lambda: operator.index(gyre.zeros(2, dtype="i64")),
                     lambda: [][gyre.tensor(0.0)]):
            self.assertRaises(TypeError, call)
        for call in (lambda: float(gyre.zeros(2)), lambda: bool(gyre.zeros(0)), lambda: bool(gyre.zeros(2)),
                     lambda: int(gyre.tensor(math.nan))):
            self.assertRaises(ValueError, call)
        self.assertRaises(OverflowError, int, gyre.tensor(math.inf))

    def test_signs_and_quotients(self):
        a, b = numpy.array([7, -7]), numpy.array([2, 2])
        x, y = gyre.tensor(a), gyre.tensor(b)
        for left, right in ((x, y), (x, 2), (7, y)):
            plain = [v.numpy() if isinstance(v, gyre.Tensor) else v for v in (left, right)]
            for got, wanted in zip(divmod(left, right), divmod(*plain)):
                self.assertEqual(got.tolist(), wanted.tolist())
        self.assertIs(+x, x)
        self.assertRaises(TypeError, divmod, x, "a")
        self.assertRaises(TypeError, divmod, "a", x)
        self.assertRaises(gyre.ShapeError, divmod, x, gyre.zeros(3))

    def test_powers_with_a_modulus_are_none(self):
        self.assertRaises(TypeError, pow, gyre.tensor(2), 3, 5)

    def test_mixed_with_numpy_and_torch(self):
        t = gyre.tensor([1.0, 2.0])
        for other in (numpy.array([3.0, 4.0], "f4"), torch.tensor([3.0, 4.0]), [3.0, 4.0], numpy.float32(3),
                      numpy.float64(3), torch.tensor(3.0)):
            for op in (operator.add, operator.sub, operator.mul, operator.truediv, operator.pow, operator.lt,
                       operator.eq, operator.ge):
                plain = numpy.asarray(other)
                for got, wanted in ((op(t, other), op(t.numpy(), plain)), (op(other, t), op(plain, t.numpy()))):
                    self.assertIs(type(got), gyre.Tensor, (op, type(other)))
                    numpy.testing.assert_allclose(got.numpy(), wanted, rtol=1e-6)
        a = numpy.ones(2)
        a += t.numpy()
        self.assertEqual(a.tolist(), [2, 3])
        self.assertEqual(numpy.stack([t, t]).shape, (2, 2))
        numpy.testing.assert_allclose(numpy.exp(t), numpy.exp(t.numpy()), rtol=1e-6)
        a += t
        self.assertEqual(a.tolist(), [3, 5])
        for copied in (torch.as_tensor(t), torch.tensor(t.double())):
            self.assertEqual(copied.tolist(), [1, 2])
        self.assertEqual(numpy.ones(3)[gyre.tensor([0, 1])].tolist(), [1, 1])

    def test_no_digit_of_a_list_is_lost(self):
        numbers = [0.1, 1 / 3, 1e300, -5e-324, 2.0**53 - 1, float(2**24 + 1), 1.0009765625 + 2.0**-30]
        for dtype in ("f64", "f32", "f16"):
            with numpy.errstate(over="ignore"):
                wanted = numpy.array([numbers], {"f64": "f8", "f32": "f4", "f16": "f2"}[dtype]).tolist()
            for made in (gyre.tensor([numbers], dtype=dtype), gyre.asarray([numbers], dtype=dtype),
                         gyre.full((1, 7), [numbers], dtype=dtype), gyre.tensor([tuple(numbers)], dtype=dtype)):
                self.assertEqual(made.tolist(), wanted)
        self.assertEqual(gyre.tensor([2.0**40 + 1], dtype="i64").tolist(), [2**40 + 1])
        self.assertIs(gyre.tensor([numbers[:2]]).dtype, gyre.f32)
        x, zero = gyre.zeros(2, dtype="f64"), numpy.zeros(2)
        two = numbers[:2]
        for got in (x + two, two + x, gyre.add(x, two), gyre.add(two, x), gyre.add(x=x, y=two), gyre.add(zero, two),
                    gyre.add(two, zero), gyre.where([True, True], two, x), gyre.zeros(2, dtype="f64").copy_(two),
                    gyre.cat([x[:0], two]), gyre.stack([x, two])[1], gyre.tensor([zero, two])[1],
                    gyre.hyperbolic.Euclidean().exp(x, two)):
            self.assertEqual(got.tolist(), two)
        y = gyre.zeros(2, dtype="f64", requires_grad=True)
        y.grad = two
        x += two
        self.assertEqual((x.tolist(), y.grad.tolist(), (x == two).tolist(), two in x), (two, two, [True, True], True))
        x[:] = two[::-1]
        x.add_([0.0, 1e-18])
        self.assertEqual(x.tolist(), two[::-1])
        wide, narrow = gyre.tensor(1.0, dtype="f64"), gyre.tensor(1.0)
        for got, last in ((gyre.tensor([numpy.zeros(2, "f4"), two], dtype="f64"), two),
                          (gyre.tensor([narrow, 0.1], dtype="f64"), 0.1), (gyre.tensor([two, [wide, wide]])[::-1], two),
                          (gyre.zeros(2, dtype="f64") + [[narrow, narrow], two], two),
                          (gyre.cat([[0.1], [wide]])[:1], 0.1), (gyre.stack([two, [wide, wide]])[::-1], two)):
            self.assertEqual((got.dtype, got[-1].tolist()), (gyre.f64, last))
        self.assertIs(gyre.tensor([gyre.zeros(1, dtype="f16"), [0.1]]).dtype, gyre.f32)
        for backward in (lambda z: z.backward(two), lambda z: gyre.backward([z], [two])):
            y.grad = None
            backward(y * 1.0)
            self.assertEqual(y.grad.tolist(), two)
        self.assertEqual(gyre.grad([y * 1.0], [y], [two])[0].tolist(), two)
        whole = gyre.zeros(2, dtype="i64").copy_([2.0**40 + 1, 0.5])
        whole[1:] = [2.0**40 + 3]
        self.assertEqual(whole.tolist(), [2**40 + 1, 2**40 + 3])
        self.assertEqual(((x.float() + two).dtype, gyre.add(x.float(), two).dtype), (gyre.f32, gyre.f32))

    def test_equality_hash_and_membership(self):
        x, y = gyre.tensor([1.0, 2.0]), gyre.tensor([1.0, 2.0])
        self.assertEqual((x == y).tolist(), [True, True])
        self.assertFalse(x == None)  # noqa: E711
        self.assertTrue(x != None)  # noqa: E711
        self.assertEqual({x: 1, y: 2}[y], 2)
        module = gyre.nn.Module()
        module.w = gyre.nn.Parameter([1.0])
        known = {module.w: 1}
        module.to("f64")
        self.assertEqual(known[module.w], 1)
        module.w.grad = gyre.ones(1, dtype="f64")
        self.assertEqual(len({module.w.grad, module.w.grad, x.detach(), x}), 4)  # hashes by identity, not by value
        self.assertTrue(2 in x and 3 not in x and 2.0 in gyre.tensor([[1.0, 2.0]]))
        self.assertRaises(TypeError, operator.contains, x, "a")
        gone = weakref.ref(x)
        del x
        self.assertIsNone(gone())


class NumbersBesideTensors(unittest.TestCase):
    def test_truth_stays_truth(self):
        x = gyre.tensor([10.0, 20.0, 30.0])
        mask = x > 15
        self.assertEqual(x[mask & True].tolist(), [20, 30])
        for result in (mask & True, mask | False, mask ^ True, gyre.maximum(mask, True), gyre.where(mask, True, False)):
            self.assertEqual(result.dtype, gyre.boolean)
        y = x.clone()
        y[(y > 15) & True] = 0
        self.assertEqual(y.tolist(), [10, 0, 0])
        mask &= True
        self.assertEqual((~mask).tolist(), [True, False, False])
        self.assertEqual((gyre.tensor([2], dtype="u8") + True).dtype, gyre.u8)

    def test_numbers_must_fit(self):
        small = gyre.tensor([5], dtype="u8")
        for call in (lambda: small == 300, lambda: small + 300, lambda: gyre.maximum(small, -1),
                     lambda: gyre.tensor([0], dtype="i32") > 2**31, lambda: gyre.tensor([0], dtype="i32") == 2**40):
            with self.assertRaisesRegex(gyre.ValueError, "does not fit"):
                call()
        self.assertEqual((small + 250).tolist(), [255])
        self.assertEqual((gyre.tensor([1.0]) * 2**40).dtype, gyre.f32)

    def test_numbers_that_are_written_must_fit(self):
        small = gyre.zeros(2, dtype="u8")
        for call in (lambda: small.copy_(300), lambda: small.fill_(-1), lambda: small.__setitem__(0, 300),
                     lambda: small.__setitem__([0], 300), lambda: small.__setitem__(small == 0, -1),
                     lambda: small.__setitem__(slice(None, None, -1), 300),
                     lambda: gyre.full((2,), 300, dtype="u8"), lambda: gyre.tensor(300, dtype="u8"),
                     lambda: gyre.tensor([1, 300], dtype="u8"), lambda: gyre.asarray(-1, dtype="u32"),
                     lambda: gyre.tensor([1, -1], dtype="u64"), lambda: gyre.tensor([1, 2**63], dtype="i64"),
                     lambda: gyre.full((2,), 2**63, dtype="i64"), lambda: gyre.arange(2**63, 2**63 + 2, dtype="i64"),
                     lambda: gyre.zeros(2, dtype="i64").fill_(2**63)):
            with self.assertRaisesRegex(gyre.ValueError, "does not fit"):
                call()
        self.assertEqual(small.tolist(), [0, 0])
        self.assertEqual(gyre.zeros(1, dtype="i64").fill_(2**53 + 1).tolist(), [2**53 + 1])
        self.assertEqual(gyre.tensor([1, 255], dtype="u8").tolist(), [1, 255])
        with self.assertRaises(TypeError):
            small.fill_([1, 2])

    def test_numbers_above_the_largest_i64(self):
        most = 2**64 - 1
        x = gyre.tensor([most, 2**63, 7])
        self.assertEqual((x.dtype, x.tolist(), x[0].item(), int(x[0])), (gyre.u64, [most, 2**63, 7], most, most))
        self.assertEqual(str(x), f"tensor([{most},  {2**63},                    7],\n       dtype=u64)")
        self.assertEqual(gyre.full((2,), most).tolist(), [most, most])
        self.assertEqual(gyre.arange(2**63, 2**63 + 6, 2).tolist(), [2**63, 2**63 + 2, 2**63 + 4])
        self.assertEqual(gyre.arange(most, most - 3, -1).tolist(), [most, most - 1, most - 2])
        self.assertEqual((x - 1).tolist(), [most - 1, 2**63 - 1, 6])
        self.assertEqual((x >= 2**63).tolist(), [True, True, False])
        self.assertEqual((x // 2).tolist(), [2**63 - 1, 2**62, 3])
        self.assertEqual((x >> 60).tolist(), [15, 8, 0])
        self.assertEqual((~x).tolist(), [0, 2**63 - 1, most - 7])
        self.assertEqual(x.sort().values.tolist(), [7, 2**63, most])
        self.assertEqual((x.max().item(), x.min().item(), x.sum().item()), (most, 7, (most + 2**63 + 7) % 2**64))
        self.assertEqual(gyre.isin(x, gyre.tensor([most, 8], dtype="u64")).tolist(), [True, False, False])
        self.assertEqual(gyre.masked_fill(x, x == 7, most).tolist(), [most, 2**63, most])
        self.assertEqual((x.to("f64") / 2).tolist(), [2.0**63, 2.0**62, 3.5])
        self.assertTrue(most in x)
        x[2] = most - 1
        self.assertEqual(x.tolist(), [most, 2**63, most - 1])
        self.assertEqual(x.tolist(), gyre.from_numpy(numpy.array(x.tolist(), "u8")).tolist())
        for call in (lambda: x + gyre.tensor([1, 2, 3]), lambda: gyre.cat([x, gyre.tensor([1])])):
            with self.assertRaisesRegex(gyre.DTypeError, "u64 and i64; convert one"):
                call()
        for call in (lambda: gyre.tensor(2**64), lambda: gyre.tensor([2**64]), lambda: x + 2**64):
            self.assertRaises(OverflowError, call)
        with self.assertRaisesRegex(gyre.ValueError, "negative numbers and numbers above"):
            gyre.tensor([-1, most])

    @unittest.skipIf(numpy is None, "numpy is not installed")
    def test_numbers_of_numpy_keep_their_dtype(self):
        for make in (gyre.tensor, gyre.asarray, lambda x: gyre.full((2,), x), gyre.exp):
            self.assertEqual(make(numpy.float64(0.1)).dtype, gyre.f64)
        self.assertEqual(gyre.asarray(0.1).dtype, gyre.f32)

    def test_lists_by_name_and_flags(self):
        a = gyre.ones((2, 3))
        self.assertEqual(gyre.cat(xs=[a, a], axis=1).shape, (2, 6))
        self.assertEqual(gyre.stack(xs=(a, a)).shape, (2, 2, 3))
        with self.assertRaisesRegex(TypeError, "offset without seed"):
            gyre.rand((3,), offset=4)

        class Bool:
            def __bool__(self):
                raise KeyError

        with self.assertRaises(TypeError):
            gyre.sum(a, keepdim=Bool())
        self.assertEqual(pickle.loads(pickle.dumps(gyre.Tensor.relu_))(gyre.tensor([-1.0])).tolist(), [0])

    def test_negative_views_of_pytorch(self):
        if torch is None:
            self.skipTest("torch is not installed")
        view = torch.tensor([1 + 2j]).conj().imag
        with self.assertRaisesRegex(gyre.ValueError, "resolve_neg"):
            gyre.from_torch(view)
        self.assertEqual(gyre.from_torch(view.resolve_neg()).tolist(), [-2])


class Methods(unittest.TestCase):
    def test_what_it_tells(self):
        t = gyre.tensor(numpy.zeros((2, 3, 4), "f4"))
        x = t.torch()
        self.assertEqual((t.ndim, t.dim(), t.size, t.numel(), t.itemsize, t.nbytes, len(t)), (3, 3, 24, 24, 4, 96, 2))
        self.assertEqual((t.stride(), t.stride(1), t.stride(-1)), (x.stride(), x.stride(1), x.stride(-1)))
        self.assertEqual((t.device, t.is_contiguous(), t.T.is_contiguous()), ("cpu", True, False))
        self.assertEqual((t.T.shape, t.mT.shape), ((4, 3, 2), (2, 4, 3)))
        self.assertTrue(t.is_floating_point() and not t.long().is_floating_point())
        self.assertRaises(IndexError, t.stride, 3)
        self.assertRaises(IndexError, lambda: gyre.zeros(2).mT)

    def test_other_sizes(self):
        t = gyre.tensor(numpy.arange(24.0).reshape(2, 3, 4))
        for view in (t.view(6, 4), t.view((4, 6)), t.view(-1), t.flatten(), t.ravel(), t.reshape(8, 3)):
            self.assertEqual(view.data_ptr(), t.data_ptr())
            self.assertEqual(view.flatten().tolist(), t.ravel().tolist())
        self.assertEqual(t.T.flatten().tolist(), t.numpy().T.flatten().tolist())
        self.assertRaisesRegex(gyre.ValueError, "reshape", t.T.view, 24)
        self.assertRaises(gyre.ShapeError, t.view, 5)
        self.assertEqual(t.T.contiguous().stride(), (6, 2, 1))
        self.assertIs(type(t.contiguous()), gyre.Tensor)
        self.assertEqual(t.contiguous().data_ptr(), t.data_ptr())
        self.assertNotEqual(t.copy().data_ptr(), t.data_ptr())

    def test_devices(self):
        cpu = gyre.device("cpu")
        self.assertEqual((cpu.type, cpu.index, str(cpu), repr(cpu)), ("cpu", 0, "cpu", "device('cpu')"))
        self.assertEqual((gyre.device("cuda"), gyre.device(gyre.device("cuda:1"))), ("cuda:0", "cuda:1"))
        self.assertNotEqual(cpu, "cuda:0")
        self.assertEqual({cpu: 1}[gyre.zeros(1).device], 1)
        self.assertEqual((gyre.devices()[0], gyre.get_default_device()), (cpu, "cpu"))
        gyre.set_default_device("best")
        with gyre.device("cpu") as inner:
            made = [gyre.tensor([1.0], device=inner), gyre.zeros(2, device="cpu"), gyre.full((2,), 1, device=cpu),
                    gyre.arange(3, device="cpu"), gyre.arange(0.0, 1.0, device="cpu"), gyre.eye(2, device="cpu"),
                    gyre.linspace(0, 1, 3, device="cpu"), gyre.asarray([1], device="cpu"), gyre.empty(1, device="cpu"),
                    gyre.rand((2,)), gyre.nn.Linear(2, 3).to("cpu").weight, gyre.nn.Linear(2, 3).to(device=inner, dtype="f64").weight]
            self.assertEqual([t.device for t in made], ["cpu"] * len(made))
        for call in (lambda: gyre.zeros(1, device="cuda:7"), lambda: made[0].to("cuda:7"), lambda: made[0].to(device="cuda:7"),
                     lambda: gyre.set_default_device("cuda:7"), lambda: gyre.nn.Linear(2, 3).to("cuda:7"),
                     lambda: gyre.device("cuda:7").__enter__()):
            self.assertRaisesRegex(gyre.UnavailableError, "cuda:7 is not available; available: cpu", call)
        self.assertRaisesRegex(gyre.DeviceError, "'tpu' is not a device; expected cpu", gyre.device, "tpu")
        self.assertRaisesRegex(gyre.DeviceError, "'tpu' is not a device", gyre.zeros, 1, device="tpu")
        self.assertEqual(gyre.get_default_device(), "cpu")
        self.assertRaises(gyre.ValueError, cpu.__exit__, None, None, None)
        self.assertEqual((copy.deepcopy(cpu), pickle.loads(pickle.dumps(gyre.device("cuda:1")))), ("cpu", "cuda:1"))
        self.assertEqual(made[0].to(torch.device("cpu")).device, "cpu")
        for twice in (("f32", "f64"), ("cpu", "cpu"), (made[0], "f64")):
            self.assertRaisesRegex(TypeError, "got two", made[0].to, *twice)
        self.assertRaisesRegex(TypeError, "got two dtypes", made[0].to, "f64", dtype="f32")

    def test_casts(self):
        t = gyre.tensor([1.5, -2.5])
        for word in ("half", "bfloat16", "float", "double", "char", "short", "int", "long", "bool"):
            self.assertEqual(getattr(t, word)().torch().dtype, getattr(t.torch(), word)().dtype, word)
        self.assertEqual(t.byte().dtype, gyre.u8)
        for wanted in (gyre.f64, "f64", "float64", numpy.float64, numpy.dtype("f8"), torch.float64):
            for cast in (t.to(wanted), t.astype(wanted), t.to(dtype=wanted)):
                self.assertEqual(cast.dtype, gyre.f64)
        self.assertEqual(t.to(gyre.zeros(1, dtype="i32")).tolist(), [1, -2])
        self.assertEqual((t.to(float).dtype, t.to(int).dtype, t.to(bool).dtype), (gyre.f64, gyre.i64, gyre.boolean))
        for same in (t.to("cpu"), t.to(gyre.f32), t.to("cpu", "f32"), t.cpu(), t.float(), t.astype("f32", copy=False),
                     t.to(device="cpu", dtype=None)):
            self.assertEqual(same.data_ptr(), t.data_ptr())
        for own in (t.astype("f32"), t.to(gyre.f32, copy=True)):
            self.assertNotEqual(own.data_ptr(), t.data_ptr())
        self.assertRaises(gyre.UnavailableError, t.to, "cuda")
        self.assertRaises(gyre.UnavailableError, t.to, device="cuda:1")
        self.assertRaises(gyre.DeviceError, t.to, device="moon")
        self.assertRaises(TypeError, t.to, "f7")
        x = gyre.tensor([1.0], requires_grad=True)
        x.double().sum().backward()
        self.assertEqual(x.grad.dtype, gyre.f32)

    def test_writing_all_elements(self):
        t = gyre.zeros(2, 3)
        pointer = t.data_ptr()
        self.assertIs(t.copy_(numpy.arange(3)), t)
        self.assertEqual(t.tolist(), [[0, 1, 2]] * 2)
        self.assertIs(t.fill_(4), t)
        self.assertEqual(t.sum().item(), 24)
        self.assertIs(t.zero_(), t)
        self.assertEqual((t.sum().item(), t.data_ptr()), (0, pointer))
        self.assertRaises(gyre.ShapeError, t.copy_, gyre.zeros(4))
        leaf = gyre.zeros(2, requires_grad=True)
        self.assertRaises(gyre.ValueError, leaf.zero_)

    def test_names_of_numpy_and_torch_for_axes(self):
        a = numpy.arange(6.0).reshape(2, 3)
        t = gyre.tensor(a)
        for got in (t.sum(axis=0, keepdims=True), t.sum(dim=0, keepdim=True), t.sum(0, True), t.sum(axes=(0,), keepdim=1 > 0)):
            self.assertEqual(got.tolist(), a.sum(0, keepdims=True).tolist())
        self.assertEqual(t.softmax(dim=0).tolist(), t.softmax(axis=0).tolist())
        self.assertRaisesRegex(TypeError, "twice", t.sum, axis=0, dim=1)
        self.assertRaisesRegex(TypeError, "dim", t.exp, dim=0)

    def test_reductions_of_numpy(self):
        a = numpy.arange(6.0).reshape(2, 3)
        t = gyre.tensor(a)
        for f in (numpy.sum, numpy.prod, numpy.mean, numpy.max, numpy.min, numpy.all, numpy.any, numpy.std, numpy.var):
            for given in ({}, {"axis": 0}, {"axis": (0, 1)}, {"axis": 1, "keepdims": True}):
                with self.subTest(f.__name__, **given):
                    got = f(t, **given)
                    self.assertIsInstance(got, gyre.Tensor)
                    numpy.testing.assert_allclose(got, f(a, **given), rtol=1e-15)
        self.assertAlmostEqual(numpy.std(t, ddof=1).item(), a.std(ddof=1))
        for given in ({"out": t}, {"where": None}):
            self.assertRaisesRegex(TypeError, f"unexpected keyword argument '{[*given][0]}'", t.sum, **given)

    def test_ops_in_place_give_the_tensor_itself(self):
        t = gyre.ones(3)
        for op in gyre.ops():
            in_place = getattr(gyre.Tensor, op.name + "_", None)
            if in_place is None or op.outputs != 1 or len(op.arguments) != 1 or op.family != "elementwise" or op.arguments[0]["optional"]:
                continue
            with self.subTest(op.name):
                x = t.double().to("i64") if "bitwise" in op.name else t.copy()
                try:
                    self.assertIs(in_place(x), x)
                except gyre.DTypeError:  # ops with results of another dtype
                    pass
        self.assertIs(t.add_(1), t)
        self.assertIs(t.clamp_(min=0, max=1), t)
        self.assertEqual(t.tolist(), [1, 1, 1])

    def test_dtypes_of_ops(self):
        """Samples with operands in a dtype are refused if and only if the op does not list it."""
        names = ("f16", "f64", "i64", "boolean")
        for op in gyre.ops():
            if not op.arguments or not op.samples():
                self.assertEqual(op.dtypes, [], op.name)
                continue
            if all(argument["packed"] for argument in op.arguments):
                self.assertEqual(op.dtypes, [gyre.f32], op.name)
                continue
            tensors, attributes = op.samples()[0]
            floats = any(t is not None and t.dtype == gyre.f64 for t in tensors)
            for name in names:
                given = [t if t is None or t.dtype != (gyre.f64 if floats else gyre.i64) else t.to(name) for t in tensors]
                with self.subTest(op.name, dtype=name):
                    try:
                        op(*given, **attributes)
                        taken = True
                    except (gyre.DTypeError, gyre.UnsupportedError):
                        taken = False
                    except gyre.ValueError:  # values that the cast made, such as a singular matrix
                        taken = True
                    self.assertEqual(getattr(gyre, name) in op.dtypes, taken)
        self.assertEqual([d.name for d in gyre.Tensor.exp_.dtypes], ["f16", "bf16", "f32", "f64"])

    def test_any_number_of_operands(self):
        x, y = [[1.0, 2.0]], [[3.0, 4.0]]
        for args in (([x, y],), (x, y), ([x, y], 0), (gyre.tensor(x), numpy.array(y, "f4"))):
            self.assertEqual(gyre.cat(*args).tolist(), [[1, 2], [3, 4]])
        self.assertEqual(gyre.einsum("ij,kj->ik", x, y).item(), 11)
        self.assertEqual(gyre.einsum("ij->", [gyre.tensor(x)]).item(), 3)
        self.assertEqual(gyre.index(gyre.arange(4), [2, 0]).tolist(), [2, 0])
        self.assertRaises(gyre.ValueError, gyre.cat, [])
        self.assertRaises(gyre.ValueError, gyre.cat)

    def test_parts_are_always_a_tuple(self):
        t = gyre.arange(4)
        self.assertEqual([p.tolist() for p in t.chunk(1)], [[0, 1, 2, 3]])
        self.assertEqual([p.tolist() for p in t.split([4])], [[0, 1, 2, 3]])
        self.assertEqual([p.tolist() for p in t.split([1, 3])], [[0], [1, 2, 3]])


class Copies(unittest.TestCase):
    def test_of_values(self):
        t = gyre.tensor([[1.0, 2.0]], requires_grad=True)
        (t * 3).sum().backward()
        for make in (copy.copy, copy.deepcopy):
            other = make(t)
            self.assertEqual((other.tolist(), other.requires_grad, other.is_leaf), (t.tolist(), True, True))
            self.assertNotEqual(other.data_ptr(), t.data_ptr())
        self.assertEqual(copy.deepcopy(t).grad.tolist(), [[3, 3]])
        self.assertRaises(gyre.ValueError, copy.deepcopy, t * 2)
        part = gyre.zeros(3, 4).T[1:]
        self.assertEqual(copy.deepcopy(part).shape, (3, 3))

    def test_a_structure_keeps_what_is_one(self):
        t = gyre.zeros(2)
        first, second = copy.deepcopy([t, t])
        self.assertIs(first, second)
        self.assertIs(copy.deepcopy(gyre.softmax), gyre.softmax)


class Sequences(unittest.TestCase):
    def test_like_a_list_of_rows(self):
        a = numpy.arange(6.0).reshape(3, 2)
        t = gyre.tensor(a)
        self.assertEqual((len(t), [row.tolist() for row in t]), (3, a.tolist()))
        self.assertEqual([row.tolist() for row in reversed(t)], a[::-1].tolist())
        first, *rest = t
        self.assertEqual((first.tolist(), len(rest)), ([0, 1], 2))
        self.assertEqual(sum(gyre.arange(4)).item(), 6)
        self.assertEqual(sorted(gyre.tensor([3, 1, 2]).tolist()), [1, 2, 3])
        self.assertRaises(TypeError, len, t[0, 0])
        self.assertRaises(TypeError, iter, t[0, 0])

    def test_lists_of_every_shape(self):
        for dtype in ("f4", "f8", "i8", "?"):
            for shape in ((), (0,), (3,), (2, 0, 3), (2, 3, 2)):
                a = numpy.arange(numpy.prod(shape, dtype=int)).reshape(shape).astype(dtype)
                self.assertEqual(gyre.tensor(a).tolist(), a.tolist())
                self.assertEqual(gyre.tensor(a.T).tolist(), a.T.tolist())


class Showing(unittest.TestCase):
    def test_long_ones_are_summarised(self):
        self.assertIn("...", repr(gyre.zeros(2000)))
        self.assertLess(len(repr(gyre.zeros(2000, 2000))), 2000)

    def test_notebooks(self):
        html = gyre.tensor([[1.0, 2.5], [-3.0, 1e-9]])._repr_html_()
        for part in ("<table>", "<td>2.5</td>", "<td>1e-09</td>", "tensor [2, 2] f32"):
            self.assertIn(part, html)
        self.assertEqual(gyre.zeros(100, 100)._repr_html_().count("<td>"), 12 * 13 + 1)
        self.assertIn("<td>True</td>", gyre.tensor([True])._repr_html_())
        self.assertIn("<td>3</td>", gyre.tensor([3])._repr_html_())
        for other in (gyre.zeros(2, 2, 2), gyre.tensor(1.0), gyre.zeros(0)):
            self.assertIn("<pre>", other._repr_html_())
        self.assertIn("requires_grad", gyre.zeros(1, requires_grad=True)._repr_html_())


if __name__ == "__main__":
    unittest.main()
