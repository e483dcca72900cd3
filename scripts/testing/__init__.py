"""Parts of scripts/test: `plan` (which tests run where), `run` (build and run them), `report` (what is printed)."""

import collections
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]

Case = collections.namedtuple("Case", "name outcome message seconds", defaults=(0.0,))
Run = collections.namedtuple("Run", "name label preset cases seconds output")
