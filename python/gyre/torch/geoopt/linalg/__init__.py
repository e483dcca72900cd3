"""Linear algebra on batches of matrices."""

from gyre.torch.geoopt.linalg import batch_linalg
from gyre.torch.geoopt.linalg.batch_linalg import *  # noqa: F401, F403

__all__ = [*batch_linalg.__all__, "batch_linalg"]
