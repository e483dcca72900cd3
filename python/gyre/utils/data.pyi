# Written by scripts/stubs from the tables of the package.
from gyre.data import *
