"""gyre.nn.Parameter, where PyTorch's programs import it from."""

from gyre.nn.module import Parameter

__all__ = ["Parameter"]
