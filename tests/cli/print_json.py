#!/usr/bin/env python3
"""Prints its arguments as lines, or fails: a command for the tests of scripts/held."""

import sys

if sys.argv[1:] == ["--fail"]:
    sys.exit("asked to fail")
print("\n".join(sys.argv[1:]))
