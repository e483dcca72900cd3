"""Switches of libraries that gyre does not use, by the names of torch.backends: programs may set them, without effect."""

import types


def _absent(**switches):
    return types.SimpleNamespace(is_available=lambda: False, is_built=lambda: False, version=lambda: None, **switches)


cudnn = _absent(enabled=False, benchmark=False, deterministic=True, allow_tf32=False)
cuda = _absent(matmul=types.SimpleNamespace(allow_tf32=False))
mps, mkldnn, mkl = _absent(), _absent(), _absent()
