"""Seeds of gyre.torch's random ops, drawn from PyTorch's CPU generator, so that torch.manual_seed, fork_rng and
checkpoints apply to gyre's random numbers too."""

import torch


def seed():
    """The next seed: a 63-bit number."""
    with torch._C._DisableFuncTorch():  # the same number for all slices
        return torch.empty((), dtype=torch.int64, device="cpu").random_().item()
