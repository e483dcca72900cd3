"""`gyre run` and `gyre check` on the programs of tests/logic and docs/logic.md.

programs/*.tl: each query is followed by `//= ANSWER`, in JSON. errors and its folders: the first line is
`// expect: CODE LINE:COLUMN; ...`, all diagnostics in order, then `run` where only a run finds them, and options of
`gyre run` if it needs any.
"""

import json
import math
import pathlib
import re
import signal
import subprocess
import time
import unittest

from command import CommandTest, run, start

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAMS = ROOT / "tests/logic/programs"
ERRORS = ROOT / "tests/logic/errors"
CODES = re.findall(r"GYRE_LOGIC_CODE\(([EWR]\d+),", (ROOT / "gyre/logic/syntax/codes.def").read_text())


def diagnostics(answer):
    """Of a failed `gyre run --json`."""
    return json.loads(answer.stderr.splitlines()[-1])["diagnostics"]


def close(found, wanted):
    if isinstance(wanted, list) and isinstance(found, list):
        return len(found) == len(wanted) and all(map(close, found, wanted))
    if isinstance(wanted, (int, float)) and isinstance(found, (int, float)) and not isinstance(wanted, bool):
        return math.isclose(found, wanted, rel_tol=1e-9, abs_tol=1e-9)
    return found == wanted and type(found) is type(wanted)


class Programs(CommandTest):
    def check(self, path):
        wanted = re.findall(r"//= (.*)", path.read_text())
        answer = run("run", path, "--json")
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)
        found = [a for a in json.loads(answer.stdout) if a["kind"] != "loss_curve"]
        self.assertEqual(len(found), len(wanted))
        for a, text in zip(found, wanted):
            self.assertTrue(close(a["value"], json.loads(text)), f"{a['q']}: {a['value']}, expected {text}")

    def test_answers(self):
        for path in sorted(PROGRAMS.glob("*.tl")):
            with self.subTest(program=path.name):
                self.check(path)

    def test_page(self):
        programs = re.findall(r"^```tl\n(.*?)^```$", (ROOT / "docs/logic.md").read_text(), re.M | re.S)
        self.assertGreater(len(programs), 5)
        for text in programs:
            with self.subTest(program=text):
                path = self.folder / "page.tl"
                path.write_text(text)
                self.check(path)

    def test_text(self):
        answer = run("run", PROGRAMS / "relations.tl", "--query", "Line(x, Hamar)?")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertTrue(answer.stdout.endswith("Line(x, Hamar)?\n  Oslo\n  1 answer\n"), answer.stdout)

    def test_scripts(self):
        answer = run("run", PROGRAMS / "scripts.tl")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        self.assertIn("Oslo true\nCairo true\n", answer.stdout)
        answer = run("run", PROGRAMS / "scripts.tl", "--test")
        self.assertEqual(answer.returncode, 1)
        self.assertRegex(answer.stdout, r"adds: passed\nfails: failed\n.*error\[R05\]: the assertion failed: 1 == 2")
        answer = run("run", PROGRAMS / "scripts.tl", "--bench", "--json")
        self.assertEqual([b["bench"] for b in json.loads(answer.stdout)], ["sums"])
        self.assertEqual(run("run", PROGRAMS / "scripts.tl", "--bench", "--test").returncode, 2)
        self.assertEqual(run("run", PROGRAMS / "scripts.tl", "--bench", "--profile").returncode, 2)

    def test_explain_and_profile(self):
        path = self.folder / "p.tl"
        path.write_text("E(1, 2); E(2, 3)\nT(x, y) <- E(x, y)\nT(x, z) <- T(x, y), E(y, z)\nN = T(x, y)\n"
                        "A = [[1, 2], [3, 4]]\nB[i, k] = A[i, j] A[j, k]\nUnused = A[i, i]\nN?\nB?\n")
        answer = run("run", path, "--explain", "--profile", "--json")
        self.assertEqual(answer.returncode, 0, answer.stderr)
        *answers, statements = json.loads(answer.stdout)
        self.assertEqual([a["value"] for a in answers], [3, [[7, 10], [15, 22]]])
        self.assertEqual(statements["kind"], "statements")
        of = {s["line"]: s for s in statements["value"]}
        self.assertEqual([of[n]["runs"] for n in (2, 3, 4, 6, 7)], [1, 1, 1, 1, 0])
        self.assertEqual(of[3]["plan"], ["closure: strongly connected components"])
        self.assertRegex(of[3]["result"], "^3 tuples, layout sets, ")
        self.assertEqual(of[4]["plan"], ["count of a join: 3 bindings"])
        self.assertEqual(of[6]["plan"], ["einsum of A[i, j] A[j, k]: 1 step, 16 operations, 16 without an order"])
        self.assertEqual(of[6]["result"], "f64 [2, 2] on cpu")
        self.assertTrue(all(s["seconds"] >= 0 for s in statements["value"]))
        answer = run("run", path, "--explain", "--profile")
        self.assertIn("p.tl:7  Unused = A[i, i]\n  not evaluated: nothing asked for its value\n", answer.stdout)
        self.assertIn("  seconds  share      runs  statement\n", answer.stdout)

    def test_convolutions_are_recognised(self):
        path = self.folder / "p.tl"
        path.write_text("tensor I[2, 6, 7] = random()\ntensor K[3, 2, 3] = random()\n"
                        "Y[n, f, x, y] = I[n, x+a, y+b] K[f, a, b]\nZ[n, x] = I[n, x+a, 0] K[1, a, 1]\n"
                        "Not[n, x] = I[n, x*a, 0] K[1, a, 1]\nY?\nZ?\nNot?\n")
        answer = run("run", path, "--explain", "--json")
        of = {s["line"]: s["plan"] for s in json.loads(answer.stdout)[-1]["value"]}
        self.assertEqual(of[3], ["convolution of I[n, .., ..] by K[f, a, b]"])
        self.assertNotIn("convolution", of[4][0] + of[5][0])  # an index that is a number, one that is a product

    def test_the_expected_error_of_an_embedded_relation(self):
        path = self.folder / "p.tl"
        path.write_text("domain P = 6\nrelation R(x: P, y: P) embed f32[100]\nR(0, 1); R(0, 2); R(3, 4)\n"
                        "T(x, y) <- R(x, y)\nrelation S(x: P, y: P) embed f32[100]\nS(x, y) <- R(x, y)\nS(0, y)?\n")
        answer = run("run", path, "--explain", "--json", "--seed", "1")
        self.assertEqual(answer.returncode, 0, answer.stdout)
        (of,) = [s for s in json.loads(answer.stdout)[-1]["value"] if s["line"] == 6]
        # two of three pairs share an element with one other: sqrt(2 / 3 / 100 + 3 / 100^2)
        self.assertIn("embedded: expected error 0.083 of a reading", of["result"])

    def test_devices(self):
        path = PROGRAMS / "relations.tl"
        self.assertEqual(run("run", path, "--device", "cpu").stdout, run("run", path).stdout)
        answer = run("run", path, "--device", "cuda")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("no CUDA device", answer.stderr)

    def test_finite_programs_pass_the_check_of_overflow(self):
        for path in sorted(PROGRAMS.glob("*.tl")):
            with self.subTest(program=path.name):
                answer = run("run", path, "--check-overflow")
                self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def test_invalid_queries(self):
        for query, code in (("Line(x, Hamar", "E0002"), ("Lin(x, Hamar)?", "E0101"), ("Line(x, Paris)?", "E0103"),
                            ("Line(x)?", "E0202"), ("Line(x, y)? Line(y, x)?", "E0002")):
            with self.subTest(query=query):
                answer = run("run", PROGRAMS / "relations.tl", "--query", query, "--json")
                self.assertEqual(answer.returncode, 1)
                self.assertEqual(diagnostics(answer)[0]["code"], code)


class Errors(CommandTest):
    def test_diagnostics(self):
        for path in sorted(ERRORS.rglob("*.tl")):
            with self.subTest(program=path.name):
                first = path.read_text().splitlines()[0]
                wanted = re.findall(r"([EWR]\d+) (\d+):(\d+)", first)
                options = re.search(r" run(.*)", first)
                if options:
                    checked = run("check", path)
                    self.assertEqual((checked.returncode, checked.stdout), (0, ""))
                words = ["run", path, "--json", *options[1].split()] if options else ["check", path, "--json"]
                answer = run(*words)
                all_are_warnings = all(code.startswith("W") for code, _, _ in wanted)
                self.assertEqual(answer.returncode, 0 if all_are_warnings else 1, answer.stdout + answer.stderr)
                found = diagnostics(answer) if options else json.loads(answer.stdout)
                self.assertEqual([(d["code"], str(d["line"]), str(d["column"])) for d in found], wanted, answer.stdout)
                self.assertTrue(all(d["message"] for d in found))

    def test_files(self):
        (self.folder / "short.csv").write_text("a,b\nc\n")
        (self.folder / "closed.tsv").write_text("A\tB\nA\tC\n")
        (self.folder / "open.csv").write_text('1,"x, y"\n2,z\n')
        for text, code, message in (
                ('R(x, y) = "short.csv"', "E0402", "short.csv, line 2: 'R' has 2 indices, the record has 1 fields"),
                ('domain P = {A, B}\nrelation R(x: P, y: P)\nR(x, y) = "closed.tsv"', "E0103",
                 "line 2 of the file: 'C' is not in domain P"),
                ('R(x, y) = "missing.csv"', "E0402", "missing.csv"),
                ('R(x, y, z) = "wordnet:nouns"', "E0402", "wordnet has pairs, 'R' has 3 indices"),
                ('T = "short.csv"', "E0402", "short.csv")):
            with self.subTest(text=text):
                path = self.folder / "p.tl"
                path.write_text(text)
                answer = run("check", path, "--json")
                self.assertEqual(answer.returncode, 1)
                found = json.loads(answer.stdout)
                self.assertEqual(found[0]["code"], code)
                self.assertIn(message, found[0]["message"])
        path.write_text('R(x, y) = "open.csv"\nR(x, y)?\nR(3, " a ")\nR(10, "b\\"c")\n"out.csv" = R\n"out.tsv" = R\n')
        answer = run("run", path, "--json")
        rows = [[1, "x, y"], [2, "z"], [3, " a "], [10, 'b"c']]
        self.assertEqual(json.loads(answer.stdout)[0]["value"], rows)
        self.assertEqual((self.folder / "out.csv").read_text(), '1,"x, y"\n2,z\n3," a "\n10,"b""c"\n')
        for name in "out.csv", "out.tsv":
            path.write_text(f'R(x, y) = "{name}"\nR(x, y)?\n')
            self.assertEqual(json.loads(run("run", path, "--json").stdout)[0]["value"], rows)
        for text in ('T = [1, 2]\n"t.csv" = T', 'T = [1, 2]\n"t.txt" = T', 'R(A, B)\n"r.txt" = R'):
            path.write_text(text)
            answer = run("check", path, "--json")
            self.assertEqual(json.loads(answer.stdout)[0]["code"], "E0402")

    def test_standard_input(self):
        answer = run("run", "-", "--json", text="X = [1, 2]\nX?\n")
        self.assertEqual(json.loads(answer.stdout)[0]["value"], [1, 2])
        answer = run("check", "-", self.folder / "missing.tl", "-", text="Y = X\n")
        self.assertEqual(answer.returncode, 1)
        self.assertIn("<stdin>:1:5: error[E0101]", answer.stdout)
        self.assertIn("missing.tl", answer.stderr)

    def test_interrupted(self):
        path = self.folder / "p.tl"
        for text in ("main { loop { print(1) } }",
                     "tensor w[] learnable = 1\nL = w^2\nlearn { objective: L, optimizer: sgd(lr=0.1), epochs: 1000000000 }",
                     "domain N = 3000\nrelation Z(x: N)\nrelation A(x: N)\nA(x) <- not Z(x)\nE(x, y) <- A(x), A(y)\n"
                     "T(x, z) <- E(x, y), E(y, z), x < y\nT(1, 2)?"):
            with self.subTest(text=text):
                path.write_text(text)
                process = start("run", path, stdout=subprocess.DEVNULL)
                time.sleep(1)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=20)
                self.assertEqual(process.returncode, 130)

    def test_seconds(self):
        for text in ("main { loop { print(1) } }",
                     "tensor w[] learnable = 1\nL = w^2\nlearn { objective: L, optimizer: sgd(lr=0.1), epochs: 1000000000 }",
                     "tensor W[x: 4, y: 4] = random()\nD[x, y] min= W[x, y] - 2\nD[x, z] min= D[x, y] + W[y, z] - 2\n"
                     "tensor T[t: 100000000]\nT[0] = 1\nT[t+1] = T[t]\nT[5]?"):
            with self.subTest(text=text):
                path = self.folder / "p.tl"
                path.write_text(text)
                answer = run("run", path, "--max-seconds", "0.3", "--json", timeout=20)
                self.assertEqual(answer.returncode, 1)
                self.assertEqual(diagnostics(answer)[0]["code"], "R04")

    def test_every_code_has_a_program(self):
        have = {code for path in ERRORS.rglob("*.tl") for code in re.findall(r"[EWR]\d+", path.read_text().splitlines()[0])}
        self.assertEqual(set(CODES) - have, set())


if __name__ == "__main__":
    unittest.main()
