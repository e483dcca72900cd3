"""Shortest paths by programs against scipy.sparse.csgraph."""

import unittest

from common import gyre, needs_packages, numpy as np

if gyre:
    from gyre.logic import Program

try:
    import scipy.sparse
    import scipy.sparse.csgraph
except ImportError:
    scipy = None

FORWARD = "D[x, z] min= D[x, y] + W[y, z]"
BACKWARD = "D[x, z] min= W[x, y] + D[y, z]"


def setUpModule():
    needs_packages()


@unittest.skipUnless(scipy, "SciPy is not installed")
class ShortestPaths(unittest.TestCase):
    def weights(self, nodes, edges, seed):
        random = np.random.default_rng(seed)
        w = np.full((nodes, nodes), np.inf)
        rows, columns = random.integers(0, nodes, (2, edges))
        np.minimum.at(w, (rows, columns), 1.0 + random.integers(0, 100, edges))
        return w

    def lengths(self, weights, rule):
        n = len(weights)
        program = Program(f"domain N = {n}\ntensor W[x: N, y: N]\nD[x, y] min= W[x, y]\n{rule}",
                          W=weights)
        d = program["D"].numpy().copy()
        np.fill_diagonal(d, 0)  # SciPy's paths may have no edge
        return d

    def test_random_graphs(self):
        for nodes, edges in ((1, 1), (7, 12), (60, 90), (60, 1500), (300, 900), (300, 3000)):
            for rule in (FORWARD, BACKWARD):
                with self.subTest(nodes=nodes, edges=edges, rule=rule):
                    w = self.weights(nodes, edges, nodes + edges)
                    graph = scipy.sparse.csr_matrix(np.where(np.isinf(w), 0, w))
                    np.testing.assert_array_equal(self.lengths(w, rule), scipy.sparse.csgraph.dijkstra(graph))

    def test_single_precision(self):
        w = self.weights(80, 400, 5).astype(np.float32)
        graph = scipy.sparse.csr_matrix(np.where(np.isinf(w), 0, w))
        np.testing.assert_array_equal(self.lengths(w, "pragma dtype f32\n" + FORWARD),
                                      scipy.sparse.csgraph.dijkstra(graph))


if __name__ == "__main__":
    unittest.main()
