"""A variational autoencoder of images, with convolutions."""

import argparse

import numpy as np
import torch
from torch import nn, optim
from torch.nn import functional as F
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Blobs(Dataset):
    """Images of a Gaussian blob at a random place."""

    def __init__(self, count, size=16, seed=0):
        rng = np.random.default_rng(seed)
        centres = rng.uniform(4, size - 4, (count, 2)).astype(np.float32)
        grid = np.stack(np.meshgrid(np.arange(size), np.arange(size), indexing="ij")).astype(np.float32)
        distance = ((grid[None] - centres[:, :, None, None]) ** 2).sum(1)
        self.images = torch.from_numpy(np.exp(-distance / 8))

    def __len__(self):
        return len(self.images)

    def __getitem__(self, index):
        return self.images[index].unsqueeze(0), index


class VAE(nn.Module):
    def __init__(self, latent=4):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, 8, kernel_size=3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.BatchNorm2d(16), nn.LeakyReLU(0.2),
            nn.Flatten(start_dim=1))
        self.fc_mu = nn.Linear(16 * 4 * 4, latent)
        self.fc_logvar = nn.Linear(16 * 4 * 4, latent)
        self.decoder_input = nn.Linear(latent, 16 * 4 * 4)
        self.decoder = nn.Sequential(
            nn.Unflatten(1, (16, 4, 4)),
            nn.ConvTranspose2d(16, 8, kernel_size=4, stride=2, padding=1), nn.ELU(),
            nn.Upsample(scale_factor=2, mode="nearest"),
            nn.Conv2d(8, 1, kernel_size=3, padding="same"), nn.Sigmoid())

    def encode(self, x):
        h = self.encoder(x)
        return self.fc_mu(h), self.fc_logvar(h)

    def reparameterize(self, mu, logvar, eps):
        std = torch.exp(0.5 * logvar)
        return mu + eps * std

    def forward(self, x, eps):
        mu, logvar = self.encode(x)
        z = self.reparameterize(mu, logvar, eps)
        return self.decoder(F.relu(self.decoder_input(z))), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    BCE = F.binary_cross_entropy(recon_x, x, reduction="sum")
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return (BCE + KLD) / x.size(0)


def make_model():
    return VAE().to(device)


def train(model, steps=50):
    rng = np.random.default_rng(1)
    loader = DataLoader(Blobs(160), batch_size=16, shuffle=False, drop_last=True)
    optimizer = optim.Adam(model.parameters(), lr=3e-3)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=steps, eta_min=1e-4)
    losses = []
    model.train()
    while len(losses) < steps:
        for data, _ in loader:
            data = data.to(device)
            noise = rng.standard_normal((data.shape[0], model.fc_mu.out_features))
            eps = torch.as_tensor(noise, dtype=data.dtype, device=device)
            optimizer.zero_grad()
            recon_batch, mu, logvar = model(data, eps)
            loss = loss_function(recon_batch, data, mu, logvar)
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses.append(loss.item())
            if len(losses) >= steps:
                break
    model.eval()
    with torch.inference_mode():
        z = torch.tensor(rng.standard_normal((4, 4)), dtype=torch.float32).to(device)
        sample = model.decoder(F.relu(model.decoder_input(z))).cpu()
    losses.append(sample.view(4, -1).mean().item())
    return losses


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="VAE")
    parser.add_argument("--steps", type=int, default=50)
    args = parser.parse_args()
    torch.manual_seed(1)
    print(*(f"{loss:.4f}" for loss in train(make_model(), args.steps)))
