"""The editable install of scripts/dev, if it exists: the next import rebuilds changed sources."""

import subprocess
import unittest

from common import ROOT


class Editable(unittest.TestCase):
    @unittest.skipUnless((ROOT / "build/dev/bin/python").is_file(), "build/dev is not there; scripts/dev makes it")
    def test_import_builds_what_changed(self):
        answer = subprocess.run([ROOT / "scripts/dev", "--check"], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        self.assertEqual(answer.stdout.splitlines()[-1], "build/dev/bin/python")


if __name__ == "__main__":
    unittest.main()
