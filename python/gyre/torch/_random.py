"""Where what gyre.torch draws begins: at a number out of PyTorch's generator for the CPU, so that
torch.manual_seed, fork_rng and checkpoints hold for gyre's random numbers too."""

import torch


def seed():
    """The next one: a number of 63 bits."""
    with torch._C._DisableFuncTorch():  # one number for all slices
        return torch.empty((), dtype=torch.int64, device="cpu").random_().item()
