"""Random equations that read an array at sums of two indices, against loops: strides, dilations, offsets beyond the array,
batches, channels, one and two windows, with gradients."""

import itertools
import random
import unittest

from common import gyre, needs_packages, numpy as np

if gyre:
    from gyre.logic import Program


def setUpModule():
    needs_packages()

CASES = 150


class Case:
    def __init__(self, seed):
        draw, values = random.Random(seed), np.random.default_rng(seed)
        self.sizes = {}
        windows = [("x", "p"), ("y", "q")][:draw.randint(1, 2)]
        batch, channels, filters = [i for i in ("n",) if draw.random() < 0.4], [i for i in ("c",) if draw.random() < 0.5], \
            [i for i in ("f",) if draw.random() < 0.5]
        shared = draw.random() < 0.1  # an index of all three arrays
        image, index, self.terms = [], [], []
        for at, tap in windows:
            self.sizes[at], self.sizes[tap] = draw.randint(1, 5), draw.randint(1, 4)
            stride, dilation, offset = draw.choice((1, 1, 2, 3)), draw.choice((1, 1, 2)), draw.choice((0, 0, -1, -2, 1))
            text = f"{at if stride == 1 else f'{stride}*{at}'}+{tap if dilation == 1 else f'{dilation}*{tap}'}"
            index.append(text + (f"{offset:+d}" if offset else ""))
            self.terms.append((at, tap, stride, dilation, offset))
            image.append(draw.randint(2, 9))
        for i in batch + channels + filters + (["g"] if shared else []):
            self.sizes[i] = draw.randint(1, 3)
        g = ["g"] if shared else []
        self.image_axes, self.kernel_axes = batch + channels + g, filters + channels + g + [t for _, t in windows]
        self.out = batch + filters + g + [a for a, _ in windows]
        draw.shuffle(self.out)
        draw.shuffle(self.kernel_axes)
        self.tensors = {"I": values.standard_normal([self.sizes[i] for i in self.image_axes] + image),
                        "K": values.standard_normal([self.sizes[i] for i in self.kernel_axes])}
        factors = [f"I[{', '.join(self.image_axes + index)}]", f"K[{', '.join(self.kernel_axes)}]"]
        draw.shuffle(factors)
        self.text = (f"tensor Y[{', '.join(f'{i}: {self.sizes[i]}' for i in self.out)}]\n"
                     f"Y[{', '.join(self.out)}] = {' '.join(factors)}\n")

    def by_loops(self):
        image, kernel = self.tensors["I"], self.tensors["K"]
        result = np.zeros([self.sizes[i] for i in self.out])
        names = list(self.sizes)
        for values in itertools.product(*(range(self.sizes[i]) for i in names)):
            of = dict(zip(names, values))
            places = [s * of[a] + d * of[t] + o for a, t, s, d, o in self.terms]
            if all(0 <= p < n for p, n in zip(places, image.shape[len(self.image_axes):])):
                read = image[tuple(of[i] for i in self.image_axes) + tuple(places)]
                result[tuple(of[i] for i in self.out)] += read * kernel[tuple(of[i] for i in self.kernel_axes)]
        return result


class Convolutions(unittest.TestCase):
    def test_values(self):
        for seed in range(CASES):
            case = Case(seed)
            with self.subTest(seed=seed, text=case.text):
                found = Program(case.text, **case.tensors)["Y"].numpy()
                np.testing.assert_allclose(found, case.by_loops(), rtol=1e-12, atol=1e-12)

    def test_gradients(self):
        for seed in range(0, CASES, 5):
            case = Case(seed)
            inputs = [gyre.tensor(t).requires_grad_() for t in case.tensors.values()]

            def run(image, kernel):
                return Program(case.text, I=image, K=kernel)["Y"]

            with self.subTest(seed=seed, text=case.text):
                gyre.gradcheck(run, inputs, second=sum(t.numel() for t in inputs) < 60)


if __name__ == "__main__":
    unittest.main()
