"""PyTorch's name of gyre.data: `from gyre.utils.data import DataLoader`."""

import sys

from gyre import data

sys.modules[f"{__name__}.data"] = data
__all__ = ["data"]
