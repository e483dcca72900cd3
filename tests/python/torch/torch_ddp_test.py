"""gyre.torch in two processes: torch.nn.parallel.DistributedDataParallel over gloo."""

import os
import pathlib
import tempfile
import unittest

from common import gyre, needs_packages, torch

SIZE, STEPS, RANKS = 16, 5, 2


def setUpModule():
    needs_packages()


def model():
    """The same model in every process: layers of PyTorch and gyre, and a gyre op between them."""
    import gyre.torch.nn

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.norm = gyre.torch.nn.Linear(4, 8), gyre.torch.nn.LayerNorm(8)
            self.last = torch.nn.Linear(8, 2)

        def forward(self, x):
            return self.last(gyre.torch.gelu(self.norm(self.first(x))))

    torch.manual_seed(0)
    gyre.manual_seed(0)
    return Net()


def data():
    generator = torch.Generator().manual_seed(1)
    return torch.randn(SIZE, 4, generator=generator), torch.randn(SIZE, 2, generator=generator)


def train(net, x, y, compiled):
    """The gradients of the first step, and the weights after the last."""
    forward = torch.compile(net, backend="aot_eager") if compiled else net
    optimizer = torch.optim.AdamW(net.parameters(), 1e-2)
    first = None
    for _ in range(STEPS):
        optimizer.zero_grad()
        (forward(x) - y).square().mean().backward()
        first = first or [p.grad.clone() for p in net.parameters()]
        optimizer.step()
    return first, [p.detach().clone() for p in net.parameters()]


def work(rank, folder, compiled):
    """One process, with its part of the data."""
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=RANKS)
    net = torch.nn.parallel.DistributedDataParallel(model())
    x, y = (t[rank::RANKS] for t in data())
    torch.save(train(net, x, y, compiled), f"{folder}/{rank}.pt")
    torch.distributed.destroy_process_group()


class TwoProcesses(unittest.TestCase):
    def check(self, compiled):
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        with tempfile.TemporaryDirectory() as folder:
            torch.multiprocessing.spawn(work, (folder, compiled), RANKS)
            ranks = [torch.load(pathlib.Path(folder) / f"{rank}.pt") for rank in range(RANKS)]
        alone = train(model(), *data(), False)
        for what in range(2):  # gradients, weights
            for a, b, whole in zip(ranks[0][what], ranks[1][what], alone[what]):
                self.assertTrue(torch.equal(a, b))
                self.assertTrue(torch.allclose(a, whole, atol=1e-5))

    def test_as_one_process_with_all_data(self):
        self.check(False)

    def test_compiled(self):
        self.check(True)


if __name__ == "__main__":
    unittest.main()
