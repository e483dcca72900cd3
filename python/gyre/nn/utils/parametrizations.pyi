# Written by scripts/stubs from the tables of the package.
import builtins
import collections.abc
import enum
import os
import types
import typing
from typing import Any, Literal, SupportsFloat, SupportsIndex, overload

from gyre.typing import DTypeLike, ShapeLike, TensorLike

def orthogonal(module: Any, name: Any = 'weight', orthogonal_map: Any = None, *, use_trivialization: Any = True) -> Any:
    """Orthogonal or semi-orthogonal matrices (Lezcano-Casado 2019) by the map "matrix_exp", "cayley" or
    "householder"; by default matrix_exp for square weights and householder for others.
    use_trivialization: the map is around the present weight. Returns the module.
    """
def spectral_norm(module: Any, name: Any = 'weight', n_power_iterations: Any = 1, eps: Any = 1e-12, dim: Any = None) -> Any:
    """Spectral normalisation (Miyato et al. 2018): the weight divided by its largest singular value as
    a matrix of axis `dim` by the others; by default axis 1 of transposed convolutions and axis 0 of
    other layers. Returns the module.
    """
def weight_norm(module: Any, name: Any = 'weight', dim: Any = 0) -> Any:
    """Weight normalisation (Salimans and Kingma 2016): the weight is g v / |v|, with the norm over all
    axes but `dim`, or over all for dim=None. Returns the module.
    """
