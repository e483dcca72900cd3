"""tests/small_program.py PROGRAM KB: checks that a program runs and is at most that large."""

import os
import subprocess
import sys

program, most = sys.argv[1], int(sys.argv[2])
size = os.path.getsize(program) / 1000
print(f"| {os.path.basename(program)}: {size:.0f} KB", flush=True)
code = subprocess.run([program]).returncode
sys.exit(code or size > most)
