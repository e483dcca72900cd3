"""gyre.logic: programs that are given arrays and tuples."""

import gc
import os
import pathlib
import signal
import tempfile
import threading
import unittest

from common import gyre, needs_packages, numpy as np

if gyre:
    from gyre.logic import Program


def setUpModule():
    needs_packages()

FAMILY = """
Ancestor(x, y) <- Parent(x, y)
Ancestor(x, z) <- Ancestor(x, y), Parent(y, z)
Kids[x] = Parent(x, y)
"""
PARENTS = [("Alice", "Bob"), ("Bob", "Charlie"), ("Bob", "Eve")]


class Answers(unittest.TestCase):
    def test_queries(self):
        p = Program(FAMILY, Parent=PARENTS)
        self.assertEqual(p.query("Ancestor(Alice, x)?"), [("Bob",), ("Charlie",), ("Eve",)])
        self.assertIs(p.query("Ancestor(Eve, Alice)?"), False)
        self.assertEqual(p["Kids"].tolist(), [1.0, 2.0, 0.0, 0.0])
        self.assertEqual(p["Ancestor"].shape, (4, 4))

    def test_answers_and_proofs_display_themselves(self):
        p = Program(FAMILY + 'Likes("<a>", x) <- Parent(Alice, x)\n', Parent=PARENTS)
        found = p.query("Likes(who, x)?")
        self.assertEqual(found.variables, ["who", "x"])
        self.assertEqual(found._repr_html_(), "<table><tr><th>who</th><th>x</th></tr>"
                         "<tr><td>&lt;a&gt;</td><td>Bob</td></tr></table><p>1 answer</p>")
        many = Program("domain N = 100\nrelation R(x: N)\nR(x) <- S(x)\nrelation S(x: N)", S=list(range(100))).query("R(x)?")
        self.assertIn("<p>100 answers, 60 shown</p>", many._repr_html_())
        proof = p.why("Ancestor(Alice, Eve)?")[0]
        self.assertEqual([line.split("  line")[0].rstrip() for line in str(proof).splitlines()],
                         ["Ancestor(Alice, Eve)", "  Ancestor(Alice, Bob)", "    Parent(Alice, Bob)", "  Parent(Bob, Eve)"])
        self.assertIn("line 3: Ancestor(x, z) &lt;- Ancestor(x, y), Parent(y, z)", proof._repr_html_())

    def test_names(self):
        p = Program(FAMILY, Parent=PARENTS)
        self.assertEqual(sorted(p), ["Ancestor", "Kids", "Parent"])
        self.assertIn("Kids", p)
        self.assertNotIn("Aunt", p)
        with self.assertRaises(KeyError):
            p["Aunt"]

    def test_words_of_data_are_no_symbols_of_the_text(self):
        p = Program(FAMILY, Parent=[("x", "b"), ("b", "z")])
        self.assertEqual(len(p.query("Ancestor(x, y)?")), 3)
        p.add("Parent", [("z", "y")])
        self.assertEqual(len(p.query("Ancestor(x, y)?")), 6)
        self.assertEqual(p.query('Ancestor("x", y)?'), [("b",), ("y",), ("z",)])

    def test_a_relation_may_be_empty(self):
        p = Program(FAMILY, Parent=[])
        self.assertEqual(p.query("Ancestor(x, y)?"), [])
        p.add("Parent", PARENTS)
        self.assertEqual(len(p.query("Ancestor(x, y)?")), 5)

    def test_integers_have_their_values(self):
        p = Program("Got[x] = Edge(x, y) F[y]\nUp(x, y) <- Edge(x, y), x < y", Edge=[(2, 1), (1, 0), (0, 2)],
                    F=np.array([10.0, 20.0, 30.0]))
        self.assertEqual(p["Got"].tolist(), [30, 10, 20])
        self.assertEqual(p.query("Up(x, y)?"), [(0, 2)])
        p.add("Edge", [(1, 2)])
        self.assertEqual(p["Got"].tolist(), [30, 40, 20])
        with self.assertRaisesRegex(ValueError, "integers"):
            p.add("Edge", [("Ann", 1)])
        self.assertEqual(p["Got"].tolist(), [30, 40, 20])

    def test_limits(self):
        p = Program(FAMILY, max_tuples=3, Parent=[(i, i + 1) for i in range(10)])
        with self.assertRaisesRegex(gyre.ParseError, "new tuples"):
            p.query("Ancestor(x, y)?")
        p = Program("main { let a = 1; loop { a := 2 } }", max_seconds=0.05)
        with self.assertRaisesRegex(gyre.ParseError, "seconds"):
            p.run()

    def test_an_interrupt_ends_a_computation(self):
        p = Program("main { let a = 1; loop { a := 2 } }\nY = 2")
        before = signal.getsignal(signal.SIGINT)
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            p.run()
        timer.join()
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        self.assertEqual(p["Y"].item(), 2)

    def test_runs_are_in_order(self):
        p = Program("E(1, 2); E(2, 3)\nE(x, y)?\nT = E(x, y)\nT?\ntensor w[] learnable = 1\nL = (w - 3)^2\n"
                    "learn { objective: L, optimizer: sgd(lr=0.5), epochs: 2 }\nw?")
        answers = p.run()
        self.assertEqual([name for name, _ in answers], ["E(x, y)?", "T?", "w?", "learn"])
        self.assertEqual(answers[0][1], [(1, 2), (2, 3)])
        self.assertEqual(answers[1][1].item(), 2)
        self.assertEqual(answers[2][1].item(), 3)
        self.assertEqual(answers[3][1].tolist(), [4, 0])

    def test_added_tuples_give_the_answers_of_a_fresh_program(self):
        p = Program(FAMILY, Parent=PARENTS[:1])
        self.assertEqual(p["Kids"].tolist(), [1.0, 0.0])
        p.add("Parent", PARENTS[1:])
        fresh = Program(FAMILY, Parent=PARENTS)
        self.assertEqual(p.query("Ancestor(x, y)?"), fresh.query("Ancestor(x, y)?"))
        self.assertEqual(p["Kids"].tolist(), fresh["Kids"].tolist())

    def test_an_array_written_by_the_host_is_read_again_after_forget(self):
        x = np.ones(3)
        p = Program("Y = X[i]", X=x)
        self.assertEqual(p["Y"].item(), 3)
        x[0] = 5
        self.assertEqual(p["Y"].item(), 3)
        p.forget()
        self.assertEqual(p["Y"].item(), 7)

    def test_scripts_run_again(self):
        p = Program("V = [1, 2]\nlet n = 2\nS = V[i]\nmain { let total = 0\n for i in 0..n { total := total + V[i] }\n"
                    " assert(total == 3)\n S? }\n")
        self.assertEqual(p.run()[0][1].item(), 3)
        self.assertEqual(p.run()[0][1].item(), 3)

    def test_layouts_are_named(self):
        self.assertEqual(Program("E(1, 2)\nT(x, y) <- E(x, y)", layout="bits").query("T(x, y)?"), [(1, 2)])
        with self.assertRaisesRegex(gyre.ValueError, "'rows', 'bits' or None"):
            Program("E(1, 2)", layout="columns")

    def test_program_files(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "p.tl")
            np.save(path.with_suffix(".npy"), np.arange(3.0))
            path.write_text('X = "p.npy"\nY = X[i]\n"out.npy" = X\n')
            p = Program.read(path)
            p.run()
            self.assertEqual(p["Y"].item(), 3)
            np.testing.assert_array_equal(np.load(path.with_name("out.npy")), np.arange(3.0))


class Arrays(unittest.TestCase):
    def test_memory_is_shared(self):
        for dtype in ("float32", "float64"):
            x = np.arange(4, dtype=dtype)
            p = Program("Y = X[i]", X=x)
            self.assertEqual(p["X"].numpy().ctypes.data, x.ctypes.data)
            self.assertEqual(p["Y"].numpy().dtype, x.dtype)
        w = gyre.ones(3)
        p = Program("tensor W[n: 3]\nY[i] = 2 W[i]", W=w)
        self.assertEqual(p["Y"].tolist(), [2, 2, 2])
        p["W"] = gyre.zeros(3)
        self.assertEqual(p["Y"].tolist(), [0, 0, 0])

    def test_gradients_reach_the_arrays(self):
        w = gyre.tensor([1.0, 2.0]).requires_grad_()
        p = Program("L = (W[i] - 1)^2", W=w)
        p["L"].backward()
        self.assertEqual(w.grad.tolist(), [0, 2])

    def test_wrong_inputs(self):
        declared = "domain P = {Ann, Bob}\nrelation R(x: P)\ntensor T: f32[n: 2]\nS[n] = T[n]"
        for inputs, error in (({"T": np.zeros(3, "float32")}, r"'T' has shape \[2\], got \[3\]"),
                              ({"T": np.zeros(2)}, "'T' has dtype f32, got f64"),
                              ({"R": [("Eve",)]}, "'Eve' is not in domain P of 'R'"),
                              ({"R": [("Ann", "Bob")]}, "'R' has 1 indices, got 2"),
                              ({"R": [("Ann", "Bob"), ("Ann",)]}, "the tuples of 'R' have 2 values, got 1"),
                              ({"R": np.zeros(2)}, "'R' is a relation, got a tensor"),
                              ({"T": [("Ann",)]}, "'T' is a tensor, got tuples"),
                              ({"S": np.zeros(2, "float32")}, "'S' is defined by an equation")):
            with self.subTest(error=error), self.assertRaisesRegex(Exception, error):
                Program(declared, **inputs)

    def test_cycles_and_threads(self):
        p = Program(FAMILY, Parent=PARENTS)
        results = []
        threads = [threading.Thread(target=lambda: results.append(self.ask(p))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertTrue(all(r == [("Bob",)] or "another thread" in str(r) for r in results), results)
        before = gyre.live_tensors()
        for _ in range(10):
            Program("X = [1, 2]\nY = X[i]")["Y"]
        gc.collect()
        self.assertEqual(gyre.live_tensors(), before)

    @staticmethod
    def ask(p):
        try:
            return p.query("Parent(Alice, x)?")
        except ValueError as error:
            return error


class Embedded(unittest.TestCase):
    def test_random_rows(self):
        """100 pairs over random rows of 512 numbers are read without a mistake, and so is their closure."""
        rng = np.random.default_rng(1)
        pairs = {(int(a), int(b)) for a, b in rng.integers(0, 200, (110, 2)) if a < b}
        pairs = sorted(pairs)[:100]
        rules = "A(x, y) <- R(x, y)\nA(x, z) <- A(x, y), R(y, z)"
        head = "domain N = 200\nrelation R(x: N, y: N){0}\nrelation A(x: N, y: N){0}\n"
        plain = Program(head.format("") + rules, R=pairs)
        for dtype in ("f32", "f16", "f64"):
            noisy = Program(head.format(f" embed {dtype}[512]") + rules, R=pairs)
            self.assertEqual(noisy.query("R(x, y)?"), pairs)
            self.assertEqual(noisy.query("A(x, y)?"), plain.query("A(x, y)?"))
            self.assertEqual(noisy.query("A(x, y)? @embedded(cleanup=false)"), plain.query("A(x, y)?"))

    def test_temperature_borrows_from_similar_symbols(self):
        p = Program("""
            domain Animal = {Robin, Eagle, Trout}
            embedding Look { entities: Animal, dimension: 2 }
            relation Flies(x: Animal) embed f64[2]
            Flies(Robin)
        """)
        rows = p["Look"].detach().numpy()
        found = p.query("Flies(x)? @embedded(threshold=0.5, T=0.2)").numpy()
        np.testing.assert_allclose(found, 1 / (1 + np.exp(-(rows @ rows[0] - 0.5) / 0.2)))
        self.assertAlmostEqual(p.query("Flies(Robin)? @embedded(T=0.5)").item(), 1 / (1 + np.exp(-1)))
        for wrong in ("Flies(x)? @embedded(T=-1)", "Flies(x)? @embedded(t=1)", "(1 + 1)? @embedded",
                      "Flies(x)? where x != Robin @embedded"):
            with self.subTest(query=wrong), self.assertRaises(gyre.ParseError):
                p.query(wrong)


class Errors(unittest.TestCase):
    def test_places(self):
        with self.assertRaisesRegex(gyre.ParseError, r"program:2:8: error\[E0102\]: unknown function 'foo'"):
            Program("X = [1, 2]\nY[i] = foo(X[i])")
        p = Program("X = [1, 2]")
        for text in ("X[i", "Z?", "X[Ann]?", ""):
            with self.subTest(text=text), self.assertRaises(gyre.ParseError):
                p.query(text)
        with self.assertRaises(KeyError):
            p["Z"]
        with self.assertRaises(ValueError):
            p.add("X", [(1,)])

    def test_warnings(self):
        p = Program("tensor a[] = 6\nY = a / 2 a")
        self.assertRegex(p.warnings[0], r"W02")


if __name__ == "__main__":
    unittest.main()
