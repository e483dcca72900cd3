"""Programs that write in place, to results and their views, and their gradients compared with PyTorch."""

import random
import unittest

from common import gyre, needs_packages, torch


def setUpModule():
    needs_packages()


def view_of(draw, rows, columns):
    """The source of an expression for a part of y."""
    i, j = draw.randrange(rows), draw.randrange(columns)
    return draw.choice(["y", f"y[{i}]", f"y[{i}:]", f"y[:, {j}]", f"y[{i}:, ::2]", "y.T", f"y.T[{j}]",
                        "y.reshape(-1)[1:7]", f"y[{i}][{j}:]", "kept", "kept[0]"])


def statement(draw, rows, columns):
    part = view_of(draw, rows, columns)
    i = draw.randrange(rows)
    return draw.choice([
        f"part = {part}; part *= 1.25", f"part = {part}; part += 0.5", f"part = {part}; part /= 2",
        f"part = {part}; part -= w[0, 0]", f"part = {part}; part *= w[0, 1]", f"{part}.tanh_()", f"{part}.sin_()",
        f"{part}.sigmoid_()", f"y[{i}] = w[{i}] * 2", f"y[{i}] = 0.75", f"y[:, 1] = y[:, 2]", f"y[y > 0.5] = 0.25",
        f"y[[0, 2]] = w[:2]", f"{part}.copy_(w[0, 2])", f"{part}.fill_(0.5)", "kept = y[1:]", "kept = y.T",
        "z = z + y.sum()", f"z = z + (kept * kept).sum()"])


class InPlace(unittest.TestCase):
    def run_program(self, library, tensor, lines):
        """The result and the gradients of the leaves."""
        x, w = tensor(0), tensor(1)
        names = {"library": library, "w": w, "y": x * 1.5, "z": (x * w).sum()}
        names["kept"] = names["y"][0:2]
        for line in lines:
            exec(line, names)
        y = names["y"]
        (names["z"] + (y * y * w).sum()).backward()
        return [y.tolist(), x.grad.tolist(), w.grad.tolist()]

    def test_random_programs(self):
        compared = 0
        for seed in range(600):
            draw = random.Random(seed)
            numbers = [[[draw.uniform(-1, 1) for _ in range(4)] for _ in range(3)] for _ in range(2)]
            lines = [statement(draw, 3, 4) for _ in range(draw.randint(1, 6))]
            with self.subTest(seed=seed, lines=lines):
                try:
                    expected = self.run_program(
                        torch, lambda i: torch.tensor(numbers[i], dtype=torch.float64, requires_grad=True), lines)
                except RuntimeError:  # PyTorch keeps no copy of a result that is overwritten
                    continue
                found = self.run_program(gyre, lambda i: gyre.tensor(numbers[i], dtype="f64", requires_grad=True), lines)
                for a, b in zip(found, expected):
                    torch.testing.assert_close(torch.tensor(a, dtype=torch.float64),
                                               torch.tensor(b, dtype=torch.float64), rtol=1e-10, atol=1e-12)
                compared += 1
        self.assertGreater(compared, 350)

    def test_results_that_are_filled_part_by_part(self):
        w = gyre.tensor([1.0, 2.0, 3.0], requires_grad=True)
        y = gyre.zeros(3)
        end = y[1:]
        for i in range(3):
            y[i] = w[i] ** 2
        self.assertTrue(y.requires_grad and end.requires_grad)
        self.assertFalse(end.is_leaf)
        end.sum().backward()
        self.assertEqual(w.grad.tolist(), [0, 4, 6])

    def test_leaves_are_not_written(self):
        x = gyre.ones(3, requires_grad=True)
        for write in (lambda: x.__setitem__(0, 1), lambda: x[1:].exp_(), lambda: x.mul_(2)):
            self.assertRaisesRegex(gyre.ValueError, "leaf", write)
        with gyre.no_grad():
            x[0] = 5
        self.assertEqual(x.tolist(), [5, 1, 1])


if __name__ == "__main__":
    unittest.main()
