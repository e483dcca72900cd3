"""x[...] and x[...] = values compared with NumPy."""

import random
import unittest

from common import gyre, needs_packages, numpy, torch


def setUpModule():
    needs_packages()


class Subscripts(unittest.TestCase):
    SHAPES = ((5,), (3, 4), (2, 3, 4), (1, 6, 2, 3), (4, 0, 2))

    def key(self, draw, shape):
        """Ints, slices, None and at most one ..., for an array of this shape."""
        key, whole = [], False
        for size in shape:
            kind = draw.random()
            if kind < 0.1:
                key.append(None)
            if kind > 0.9 and not whole:
                key.append(Ellipsis)
                whole = True
                break
            if kind < 0.4 and size:
                key.append(draw.randrange(-size, size))
            else:
                ends = [draw.choice([None, draw.randint(-size - 2, size + 2)]) for _ in range(2)]
                key.append(slice(*ends, draw.choice([None, 1, 2, 3, -1, -2, -3])))
        return tuple(key[:draw.randint(0, len(key))]) if not whole else tuple(key)

    def test_reading_and_writing(self):
        draw = random.Random(1)
        for _ in range(3000):
            shape = draw.choice(self.SHAPES)
            a = numpy.arange(float(numpy.prod(shape))).reshape(shape)
            t = gyre.tensor(a)
            key = self.key(draw, shape)
            part = a[key]
            self.assertEqual((t[key].shape, t[key].tolist()), (part.shape, part.tolist()), key)
            values = draw.choice([7.0, numpy.arange(float(part.size)).reshape(part.shape) + 100])
            a[key] = values
            t[key] = values
            self.assertEqual(t.tolist(), a.tolist(), key)

    def test_by_arrays(self):
        a = numpy.arange(60.0).reshape(3, 4, 5)
        rows, columns = numpy.array([0, 2, -1]), numpy.array([[1], [3]])
        keys = ([0, 2], rows, (slice(None), rows), (rows, 1), (1, slice(None), rows), (rows, None, 2), (..., rows),
                (rows, columns), (rows, slice(1, 3), [4, 0, 1]), a > 30, a[:, :, 0] % 2 == 0,
                (1, a[0] > 5), (slice(None), numpy.array([True, False, True, True])), [], gyre.tensor([2, 0]))
        for key in keys:
            t, b = gyre.tensor(a), a.copy()
            plain = key.numpy() if isinstance(key, gyre.Tensor) else key
            part = a[plain]
            self.assertEqual((t[key].shape, t[key].tolist()), (part.shape, part.tolist()), key)
            for values in (7.0, numpy.arange(float(part.size)).reshape(part.shape) + 100):
                t[key] = values
                b[plain] = values
                self.assertEqual(t.tolist(), b.tolist(), key)
        with self.assertRaises(IndexError):
            t[[3]]
        with self.assertRaises(ValueError):
            t[numpy.array([True, False])]

    def test_a_part_is_a_view(self):
        t = gyre.zeros((3, 4))
        part = t[1:, ::2]
        part[0, 1] = 5
        self.assertEqual(t[1, 2].item(), 5)
        self.assertEqual(t[numpy.int64(1), 2].item(), 5)
        row = t[numpy.int64(1)]
        row += 1
        self.assertEqual(t[1, 2].item(), 6)
        self.assertEqual(t[gyre.tensor(1), 2].item(), 6)

    def test_refusals(self):
        t = gyre.zeros((3, 4))
        for key in (3, -4, (0, 4), (0, 0, 0), 1.0, "a"):
            with self.assertRaises(IndexError, msg=str(key)):
                t[key]
        for key in (slice(None, None, 0), (..., ...)):
            with self.assertRaises(ValueError, msg=str(key)):
                t[key]
        with self.assertRaises(ValueError):
            t[0] = numpy.zeros(3)
        with self.assertRaises(IndexError):
            t[0, 0, ::-1]
        with self.assertRaises(TypeError):
            t["a":]
        with self.assertRaises(TypeError):
            del t[0]
        with self.assertRaises(TypeError):
            t[[0.5]]
        with self.assertRaises(IndexError):
            t[:, numpy.array([4])] = 1
        self.assertEqual(t.tolist(), gyre.zeros((3, 4)).tolist())

    def test_arrays_beside_every_other_part(self):
        draw = random.Random(2)
        for _ in range(1500):
            shape = draw.choice(self.SHAPES[:4])
            a = numpy.arange(float(numpy.prod(shape))).reshape(shape)
            key = self.mixed_key(draw, shape)
            try:
                part = a[key]
            except IndexError:  # index arrays that do not broadcast
                continue
            t = gyre.tensor(a)
            self.assertEqual((t[key].shape, t[key].tolist()), (part.shape, part.tolist()), key)
            values = numpy.arange(float(part.size)).reshape(part.shape) + 100
            a[key] = t[key] = values
            self.assertEqual(t.tolist(), a.tolist(), key)

    def mixed_key(self, draw, shape):
        """Subscripts of all kinds, including index arrays and masks."""
        key, axis = [], 0
        while axis < len(shape):
            kind, size = draw.random(), shape[axis]
            if kind < 0.35:
                key.append(numpy.array([draw.randrange(-size, size) for _ in range(3)]))
            elif kind < 0.45:
                key.append([draw.randrange(size)])
            elif kind < 0.55:
                key.append(numpy.array([draw.random() < 0.5 for _ in range(size)]))
            elif kind < 0.65 and axis + 1 < len(shape):
                key.append(numpy.array([draw.random() < 0.5 for _ in range(size * shape[axis + 1])])
                           .reshape(size, shape[axis + 1]))
                axis += 1
            elif kind < 0.8:
                key.append(slice(None, None, draw.choice([1, 2, -1, -2])))
            elif kind < 0.9:
                key.append(draw.randrange(size))
            else:
                key.append(None)
                axis -= 1
            axis += 1
        return tuple(key)

    def test_reversed_parts_are_copies_with_gradients(self):
        t = gyre.tensor([1.0, 2.0, 3.0])
        part = t[::-1]
        part[0] = 7
        self.assertEqual(t.tolist(), [1, 2, 3])
        x = gyre.tensor([1.0, 2.0, 3.0], requires_grad=True)
        (x[::-1] * gyre.tensor([1.0, 10.0, 100.0])).sum().backward()
        self.assertEqual(x.grad.tolist(), [100, 10, 1])

    def test_changing_parts_in_place(self):
        a = numpy.arange(12.0).reshape(3, 4)
        t = gyre.tensor(a)
        for key in (1, (slice(None), 2), slice(None, None, -1), a > 5, [0, 2], (..., -1), (2, slice(None, None, -2))):
            plain = key
            a[plain] += 1
            t[key] += 1
            a[plain] *= 2
            t[key] *= 2
            self.assertEqual(t.tolist(), a.tolist(), key)
        a[a > 50] = 0
        t[t > 50] = 0
        self.assertEqual(t.tolist(), a.tolist())
        t[t == 0], a[a == 0] = -1, -1
        self.assertEqual(t.tolist(), a.tolist())

    def test_writing_a_part_of_itself(self):
        a = numpy.arange(10.0)
        t = gyre.tensor(a)
        a[:5], t[:5] = a[::-1][:5].copy(), t[::-1][:5]
        self.assertEqual(t.tolist(), a.tolist())
        a[1:], t[1:] = a[:-1].copy(), t[:-1]
        self.assertEqual(t.tolist(), a.tolist())
        a[::-1], t[::-1] = a.copy(), t
        self.assertEqual(t.tolist(), a.tolist())

    def test_whatever_counts_as_an_index(self):
        a = numpy.arange(24.0).reshape(2, 3, 4)
        t = gyre.tensor(a)
        keys = (numpy.int64(1), numpy.uint8(1), numpy.array(1), True, False, numpy.True_, range(2), ((0, 1), [1, 2]),
                slice(numpy.int64(0), numpy.int32(1)), (0, (0, 2)), (Ellipsis, None), ())
        for key in keys:
            self.assertEqual((t[key].shape, t[key].tolist()), (a[key].shape, a[key].tolist()), key)
        self.assertEqual(t[gyre.tensor(1), :gyre.tensor(2)].tolist(), a[1, :2].tolist())
        self.assertEqual(t[torch.tensor([1, 0])].tolist(), a[[1, 0]].tolist())
        self.assertEqual(t[gyre.tensor([True, False])].tolist(), a[[True, False]].tolist())


if __name__ == "__main__":
    unittest.main()
