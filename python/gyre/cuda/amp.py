"""Mixed precision by the names of torch.cuda.amp, which gyre.amp has with a device."""

from gyre import amp

__all__ = ["GradScaler", "autocast"]


class autocast(amp.autocast):
    """gyre.amp.autocast for CUDA devices."""

    def __init__(self, enabled=True, dtype=None, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(amp.GradScaler):
    """gyre.amp.GradScaler for CUDA devices."""

    def __init__(self, init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
