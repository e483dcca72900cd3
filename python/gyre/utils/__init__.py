"""PyTorch's names: `from gyre.utils.data import DataLoader` is gyre.data, `gyre.utils.checkpoint` gradient checkpointing."""

import sys

from gyre import data
from gyre.utils import checkpoint

sys.modules[f"{__name__}.data"] = data
__all__ = ["checkpoint", "data"]
