"""The layers of the table in C++, by name. gyre.nn has those of PyTorch's names with PyTorch's arguments."""

from gyre.nn.layers import of_table

globals().update(of_table)
__all__ = list(of_table)
