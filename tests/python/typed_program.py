"""A typed user program, checked with mypy by typing_test.py."""

from __future__ import annotations

import pathlib

import gyre
from gyre.typing import DTypeLike, ShapeLike, TensorLike
from gyre.utils.data import DataLoader, TensorDataset


def normalised(x: TensorLike, dtype: DTypeLike = gyre.f32) -> gyre.Tensor:
    """x with its rows normalised to mean 0 and variance 1."""
    t = gyre.asarray(x, dtype)
    return (t - t.mean(axis=-1, keepdims=True)) / t.std(axes=-1, keepdim=True)


def made(shape: ShapeLike) -> list[gyre.Tensor]:
    return [gyre.zeros(shape), gyre.ones(2, 3, dtype="f64"), gyre.rand(2, 3), gyre.reshape([1.0, 2.0], 2, 1)]


def trained(steps: int) -> float:
    w = gyre.tensor([0.0, 0.0], requires_grad=True)
    x, y = gyre.randn(64, 2), gyre.ones(64)
    slope = gyre.func.grad(lambda w: gyre.mse(x @ w, y))
    for _ in range(steps):
        with gyre.no_grad():
            w -= 0.1 * slope(w)
    loss: gyre.Tensor = gyre.mse(x @ w, y, reduction="mean")
    loss.backward()
    return float(loss)


def trained_layers(x: gyre.Tensor, y: gyre.Tensor) -> gyre.nn.Module:
    model = gyre.nn.Sequential(gyre.nn.Linear(2, 8, bias=True), gyre.nn.ReLU(), gyre.nn.Linear(8, 1))
    optimizer = gyre.optim.AdamW(model.parameters(), lr=1e-3)
    scheduler = gyre.optim.lr_scheduler.StepLR(optimizer, step_size=1)
    for x, y in DataLoader(TensorDataset(x, y), batch_size=8, generator=gyre.Generator().manual_seed(1)):
        gyre.mse(model(x), y).backward()
        gyre.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
    return model


def parts(x: gyre.Tensor) -> tuple[int, ...]:
    values, places = x.sort(descending=True)
    first, *rest = gyre.split(values, [1, 2])
    x[places > 0] = 0
    x[::-1, None] += first
    shape: tuple[int, ...] = x.shape
    return shape if -x[0] in rest and bool((x == 1).any()) else (x.numel(), len(x), x.dtype.value)


def stored(folder: pathlib.Path, **tensors: TensorLike) -> None:
    gyre.save(tensors, folder / "x.safetensors", metadata={"made": "here"})
    gyre.einsum("ij,jk->ik", gyre.eye(2), gyre.eye(2), spec="ij,jk->ik")
    print(gyre.load_metadata(folder / "x.safetensors"), [op.name for op in gyre.ops()], gyre.softmax([1.0, 2.0]))


def grandparents(parents: list[tuple[str, str]]) -> list[str]:
    program = gyre.logic.Program("G(x, z) <- P(x, y), P(y, z)", P=parents)
    answer = program.query("G(x, z)?")
    proof: gyre.logic.Proof = program.why("G(x, z)?")[0]
    return [str(row[0]) for row in answer] + [str(proof)] if isinstance(answer, gyre.logic.Tuples) else []
