"""What docs/pytorch.md shows works."""

import re
import subprocess
import sys
import unittest

from common import ROOT, needs_packages


def setUpModule():
    needs_packages()


class Page(unittest.TestCase):
    def test_programs_run(self):
        programs = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/pytorch.md").read_text(), re.M | re.S)
        self.assertGreaterEqual(len(programs), 5)
        for program in programs:
            with self.subTest(program.splitlines()[-1]):
                answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
                self.assertEqual(answer.returncode, 0, answer.stderr)
                self.assertNotIn("False", answer.stdout)
                self.assertNotEqual(answer.stdout, "")


if __name__ == "__main__":
    unittest.main()
