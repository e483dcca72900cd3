"""gyre.logic programs that are given tensors of PyTorch."""

import unittest

from common import gyre, needs_packages, torch

if gyre and torch:
    from gyre.logic import Program


def setUpModule():
    needs_packages()

NET = """
tensor W[h: ?, i: 3]
Y[e, h] = tanh(W[h, i] X[e, i])
Loss = (Y[e, h] - T[e])^2
"""


def drawn(*shape):
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(sum(shape)))


class Torch(unittest.TestCase):
    def inputs(self):
        return {"W": drawn(4, 3).requires_grad_(), "X": drawn(5, 3), "T": drawn(5)}

    def reference(self, inputs):
        y = torch.tanh(inputs["X"] @ inputs["W"].T)
        return ((y - inputs["T"][:, None]) ** 2).sum()

    def test_values_are_tensors_of_torch(self):
        inputs = self.inputs()
        p = Program(NET, **inputs)
        self.assertIsInstance(p["Y"], torch.Tensor)
        self.assertIsInstance(p.query("Y[0, h]?"), torch.Tensor)
        torch.testing.assert_close(p["Loss"], self.reference(inputs))
        self.assertTrue(all(isinstance(v, torch.Tensor) for _, v in Program(NET + "Loss?", **inputs).run()))
        self.assertIsInstance(Program("Y = X[i]", X=drawn(2).numpy())["Y"], gyre.Tensor)

    def test_memory_is_shared(self):
        x = drawn(3)
        p = Program("Y[i] = 2 X[i]", X=x)
        self.assertEqual(p["X"].data_ptr(), x.data_ptr())
        x[0] = 7
        self.assertEqual(p["Y"][0].item(), 14)

    def test_backward_fills_the_gradient_of_a_parameter(self):
        inputs = self.inputs()
        w = inputs["W"] = torch.nn.Parameter(inputs["W"].detach())
        Program(NET, **inputs)["Loss"].backward()
        (wanted,) = torch.autograd.grad(self.reference(inputs), w)
        torch.testing.assert_close(w.grad, wanted)

    def test_gradients_of_gradients(self):
        inputs = self.inputs()
        p = Program(NET, **inputs)

        def loss(w, x):
            p["W"], p["X"] = w, x
            return p["Loss"]

        x = inputs["X"].requires_grad_()
        self.assertTrue(torch.autograd.gradcheck(loss, (inputs["W"], x)))
        self.assertTrue(torch.autograd.gradgradcheck(loss, (inputs["W"], x)))

    def test_an_optimizer_of_torch_trains_the_input_of_a_program(self):
        inputs = self.inputs()
        p = Program(NET, **inputs)
        adam = torch.optim.Adam([inputs["W"]], lr=0.1)
        losses = []
        for _ in range(30):
            adam.zero_grad()
            loss = p["Loss"]
            loss.backward()
            adam.step()
            losses.append(loss.item())
        self.assertLess(losses[-1], 0.7 * losses[0])
        torch.testing.assert_close(p["Loss"], self.reference(inputs))

    def test_relations_beside_tensors(self):
        w = drawn(3).requires_grad_()
        p = Program("domain P = 3\nrelation E(x: P, y: P)\nS = E(x, y) W[y]", E=[(0, 1), (1, 2), (2, 1)], W=w)
        p["S"].backward()
        self.assertEqual(w.grad.tolist(), [0, 2, 1])
        p.add("E", [(0, 0)])
        self.assertEqual(p.query("E(0, y)?"), [(0,), (1,)])
        torch.testing.assert_close(p["S"], w[0] + 2 * w[1] + w[2])

    def test_inputs_that_do_not_fit(self):
        with self.assertRaises(gyre.ShapeError):
            Program(NET, W=drawn(4, 2))
        p = Program(NET, **self.inputs())
        with self.assertRaises(gyre.ShapeError):
            p["X"] = drawn(4, 2)
        torch.testing.assert_close(p["Loss"], self.reference(self.inputs()))


if __name__ == "__main__":
    unittest.main()
