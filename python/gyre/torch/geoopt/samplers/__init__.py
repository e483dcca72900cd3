"""Markov chain Monte Carlo on manifolds."""

from gyre.torch.geoopt.samplers import base, rhmc, rsgld, sgrhmc
from gyre.torch.geoopt.samplers.rhmc import RHMC
from gyre.torch.geoopt.samplers.rsgld import RSGLD
from gyre.torch.geoopt.samplers.sgrhmc import SGRHMC

__all__ = ["RHMC", "RSGLD", "SGRHMC", "base", "rhmc", "rsgld", "sgrhmc"]
