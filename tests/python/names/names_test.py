"""Functions and methods by PyTorch's and NumPy's names: the same lines in gyre and PyTorch."""

import copy
import pathlib
import pickle
import unittest

import common
from common import gyre, numpy
from name_lines import NAME_LINES, RANDOM_LINES, run_in_both

setUpModule = common.needs_packages


class Names(unittest.TestCase):
    def test_lines(self):
        run_in_both(self, NAME_LINES)

    def test_functions_can_be_pickled(self):
        for name, function in gyre._functions.functions.items():
            self.assertIs(pickle.loads(pickle.dumps(function)), function, name)

    def test_every_function_has_a_line(self):
        text = "\n".join([*NAME_LINES, *RANDOM_LINES, (pathlib.Path(__file__).parent / "lines.txt").read_text()])
        ours_only = {"tri", "imag", "isinf", "DoubleTensor", "HalfTensor", "BFloat16Tensor", "ByteTensor", "CharTensor",
                     "ShortTensor", "IntTensor", "initial_seed", "inference_mode", "set_grad_enabled",
                     "set_default_dtype", "get_num_threads", "is_inference_mode_enabled", "clip", "take_along_axis",
                     "grad", "backward", "save", "load", "autocast", "is_autocast_enabled",
                     "set_float32_matmul_precision", "use_deterministic_algorithms", "set_printoptions",
                     "are_deterministic_algorithms_enabled"}
        for name in sorted(set(gyre._functions.functions) - ours_only):
            self.assertTrue(f".{name}(" in text, name)

    def test_numpy_forms(self):
        x = gyre.tensor([[1.0, 5.0], [2.0, 3.0]])
        self.assertEqual(x.max(axis=1).tolist(), [5, 3])
        self.assertEqual(x.min(axis=0, keepdims=True).tolist(), [[1, 3]])
        self.assertEqual(x.size, 4)
        self.assertEqual(numpy.std(x).item(), numpy.std(x.numpy()).item())
        self.assertEqual(x.repeat(2, axis=0).shape, (4, 2))
        self.assertEqual(gyre.take_along_axis(x, [[1], [0]], axis=1).tolist(), [[5], [2]])
        self.assertEqual(gyre.tri(2).tolist(), [[1, 0], [1, 1]])
        self.assertEqual(gyre.imag(x).tolist(), [[0, 0], [0, 0]])
        values, first = gyre.unique([3, 1, 3], return_index=True)
        self.assertEqual((values.tolist(), first.tolist()), ([1, 3], [1, 0]))

    def test_results_have_names(self):
        result = gyre.sort([3.0, 1.0])
        self.assertEqual(result.values.tolist(), [1, 3])
        for again in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
            self.assertEqual((type(again), again.indices.tolist()), (type(result), [1, 0]))
        self.assertEqual(gyre.svd(gyre.eye(2)).s.tolist(), [1, 1])
