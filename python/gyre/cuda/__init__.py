"""CUDA devices by the names of torch.cuda."""

from gyre import _gyre


def device_count():
    """Number of CUDA devices that this build can use."""
    return sum(d.type == "cuda" for d in _gyre.devices())


def is_available():
    """Whether a CUDA device can be used."""
    return device_count() > 0


def manual_seed(seed):
    """Seeds the generator of this thread, from which all devices draw."""
    _gyre.manual_seed(seed)


manual_seed_all = manual_seed


def synchronize(device=None):
    """Waits for the device; ops on the CPU have ended when they return."""


def empty_cache():
    """Has no effect: freed memory is reused."""


def __getattr__(name):
    """Imports gyre.cuda.amp on first access."""
    if name != "amp":
        raise AttributeError(f"module {__name__} has no attribute {name}")
    import importlib

    return importlib.import_module(f"{__name__}.amp")
