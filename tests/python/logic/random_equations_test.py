"""Random dense equations against NumPy's einsum, with first and second gradients."""

import random
import unittest

from common import gyre, needs_packages, numpy as np

if gyre:
    from gyre.logic import Program


def setUpModule():
    needs_packages()

SIZES = {"a": 2, "b": 3, "c": 4, "d": 2, "e": 3}
CASES = 300


class Case:
    """An equation of one to three addends, each a product of one to four tensors, and what it is in NumPy."""

    def __init__(self, seed):
        draw = random.Random(seed)
        values = np.random.default_rng(seed)
        self.tensors = {}
        left = draw.sample(sorted(SIZES), draw.randint(0, 3))
        addends, self.terms = [], []
        for number in range(draw.randint(1, 3)):
            factors = []
            for _ in range(draw.randint(1, 4)):
                indices = [draw.choice(sorted(SIZES)) for _ in range(draw.randint(0, 3))]
                factors.append(indices)
            missing = [i for i in left if not any(i in f for f in factors)]
            if missing:
                factors.append(missing)
            names = []
            for indices in factors:
                name = f"T{len(self.tensors)}"
                self.tensors[name] = values.standard_normal([SIZES[i] for i in indices])
                names.append((name, indices))
            scale = draw.choice((1, 1, 2.5, -3))
            text = " ".join(n + (f"[{', '.join(i)}]" if i else "") for n, i in names)
            addends.append(f"{scale} {text}" if scale != 1 and scale > 0 else f"-3 {text}" if scale < 0 else text)
            self.terms.append((scale, names, "".join(left)))
        head = "Y" + (f"[{', '.join(left)}]" if left else "")
        if draw.random() < 0.3:  # equations with one left side add up
            self.text = "\n".join(f"{head} = {a}" for a in addends)
        else:
            self.text = f"{head} = {addends[0]}" + "".join(f" - {a[1:]}" if a.startswith("-") else f" + {a}" for a in addends[1:])

    def by_numpy(self):
        total = 0
        for scale, names, left in self.terms:
            spec = ",".join("".join(i) for _, i in names) + "->" + left
            total = total + scale * np.einsum(spec, *(self.tensors[n] for n, _ in names))
        return total


class Equations(unittest.TestCase):
    def test_values(self):
        for seed in range(CASES):
            case = Case(seed)
            with self.subTest(seed=seed, text=case.text):
                found = Program(case.text, **case.tensors)["Y"].numpy()
                np.testing.assert_allclose(found, case.by_numpy(), rtol=1e-12, atol=1e-12)

    def test_gradients(self):
        for seed in range(CASES):
            case = Case(seed)
            names = sorted(case.tensors)
            inputs = [gyre.tensor(case.tensors[n]).requires_grad_() for n in names]

            def run(*given):
                return Program(case.text, **dict(zip(names, given)))["Y"]

            with self.subTest(seed=seed, text=case.text):
                gyre.gradcheck(run, inputs, second=sum(t.numel() for t in inputs) < 60)


if __name__ == "__main__":
    unittest.main()
