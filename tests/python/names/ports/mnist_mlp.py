"""A multilayer perceptron that classifies images of digits."""

import argparse
import pathlib
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class MLP(nn.Module):
    def __init__(self, hidden=64, classes=10):
        super().__init__()
        self.register_buffer("mean", torch.tensor(0.2))
        self.layers = nn.Sequential(
            nn.Flatten(),
            nn.Linear(28 * 28, hidden),
            nn.BatchNorm1d(hidden),
            nn.ReLU(inplace=True),
            nn.Dropout(p=0.0),
            nn.Linear(hidden, classes),
        )
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.kaiming_uniform_(m.weight, nonlinearity="relu")
                nn.init.zeros_(m.bias)

    def forward(self, x):
        return self.layers(x - self.mean)


def digits(count, seed=0):
    """Images whose digit is the place of a bright block among noise."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 10, count)
    images = rng.random((count, 1, 28, 28)) * 0.3
    for image, label in zip(images, labels):
        row, column = divmod(label, 4)
        image[0, 4 + 8 * row:10 + 8 * row, 2 + 6 * column:8 + 6 * column] += 0.7
    return torch.from_numpy(images).float(), torch.from_numpy(labels).long()


def make_model():
    return MLP().to(device)


def evaluate(model, loader):
    model.eval()
    total, correct = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            x, y = x.to(device), y.to(device)
            logits = model(x)
            total += F.cross_entropy(logits, y, reduction="sum").item()
            pred = logits.argmax(dim=1, keepdim=True)
            correct += pred.eq(y.view_as(pred)).sum().item()
    model.train()
    return total / len(loader.dataset), correct / len(loader.dataset)


def train(model, steps=50):
    images, labels = digits(512)
    order = np.random.default_rng(1).permutation(len(images)).tolist()
    loader = DataLoader(TensorDataset(images, labels), batch_size=32, sampler=order, num_workers=0)
    test_loader = DataLoader(TensorDataset(*digits(128, seed=2)), batch_size=64, shuffle=False)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.999), weight_decay=1e-5)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.9)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    losses = []
    model.train()
    while len(losses) < steps:
        for batch_idx, (data, target) in enumerate(loader):
            data, target = data.to(device), target.to(device)
            optimizer.zero_grad(set_to_none=True)
            loss = criterion(model(data), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            if len(losses) == steps:
                break
        scheduler.step()

    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "checkpoint.pt"
        torch.save({"epoch": 3, "model": model.state_dict(), "optimizer": optimizer.state_dict(),
                    "scheduler": scheduler.state_dict(), "losses": losses}, path)
        checkpoint = torch.load(path, map_location=device)
    best = make_model()
    best.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    return losses + list(evaluate(best, test_loader)) + scheduler.get_last_lr()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    print(*(f"{loss:.4f}" for loss in train(make_model(), args.steps)))
