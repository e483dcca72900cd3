"""A few of the random programs of random_programs.py, which compares as many as wanted by hand."""

import unittest

from common import needs_packages, torch

if torch:
    import random_programs


def setUpModule():
    needs_packages()


class RandomPrograms(unittest.TestCase):
    def test_results_and_gradients_agree_with_pytorch(self):
        _, ran, differences = random_programs.compare(2000)
        self.assertEqual(differences, [])
        self.assertGreater(len(ran), 0.95 * len(random_programs.calls()))

    def test_differences_are_seen(self):
        """A result and a gradient changed by hand differ; so does a program that gyre refuses."""
        program = random_programs.Program(1)
        self.assertIsNone(program.compare())
        results, gradients = program.expected
        program.expected = results[:-1] + [results[-1] + 1], gradients
        self.assertRegex(program.compare(), "^result")
        program.expected = results, [gradients[0] + 1e-6] + gradients[1:]
        self.assertRegex(program.compare(), "^gradient 0")


if __name__ == "__main__":
    unittest.main()
