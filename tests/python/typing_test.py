"""Stubs, signatures and docs, generated from the tables, for type checkers and help()."""

import ast
import contextlib
import inspect
import io
import os
import pathlib
import pydoc
import re
import site
import subprocess
import sys
import tempfile
import unittest

from common import ROOT, gyre, needs_packages

HERE = pathlib.Path(__file__).resolve().parent


def setUpModule():
    needs_packages()


def environment():
    """An environment in which mypy finds the package under test."""
    folder = str(pathlib.Path(gyre.__file__).parents[1])
    installed = folder in site.getsitepackages()
    return {**os.environ, "PYTHONPATH": "" if installed else folder, "MYPYPATH": "" if installed else folder}


def run(*command):
    return subprocess.run([sys.executable, *map(str, command)], cwd=ROOT, env=environment(), capture_output=True, text=True)


class Derived(unittest.TestCase):
    def test_what_is_committed_is_what_the_tables_give(self):
        answer = run("scripts/stubs", "--check")
        self.assertEqual((answer.returncode, answer.stdout + answer.stderr), (0, ""))

    def test_it_is_written_anew_and_a_change_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "scripts/stubs"
            script.parent.mkdir()
            script.write_text((ROOT / "scripts/stubs").read_text())
            self.assertEqual(run(script).returncode, 0)
            stub = pathlib.Path(folder) / "python/gyre/data/__init__.pyi"
            self.assertEqual(stub.read_text(), (ROOT / "python/gyre/data/__init__.pyi").read_text())
            stub.write_text("old")
            answer = run(script, "--check")
            self.assertEqual((answer.returncode, answer.stdout.count("\n"), "gyre/data/__init__.pyi" in answer.stdout), (1, 1, True))
            written = {path.relative_to(folder) for path in pathlib.Path(folder).rglob("*.pyi")}
            self.assertEqual(written, {path.relative_to(ROOT) for path in (ROOT / "python").rglob("*.pyi")})

    def test_the_reference_lists_everything(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "docs/reference.md"
            self.assertEqual(run("scripts/stubs", "--reference", page).returncode, 0)
            headings = re.findall(r"^##+ `?([\w.]+)", page.read_text(), re.M)
            self.assertEqual(list(pathlib.Path(folder).rglob("*.pyi")), [])
        names = [op.name for op in gyre.ops()] + ["zeros", "save", "backward", "gyre.Tensor", "gyre.func", "vmap"]
        for module in (gyre.nn, gyre.optim, gyre.hyperbolic, gyre.torch):
            public = getattr(module, "__all__", ())
            names += [module.__name__, *(name for name in public if callable(getattr(module, name)))]
        self.assertEqual([name for name in names if name not in headings], [])

    def test_the_version_is_that_of_the_project(self):
        told = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M)
        self.assertEqual(gyre.__version__, told[1])


class Checked(unittest.TestCase):
    """Runs mypy in strict mode."""

    def setUp(self):
        if run("-m", "mypy", "--version").returncode:
            self.skipTest("mypy is not installed")

    def mypy(self, *files):
        cache = tempfile.mkdtemp()
        self.addCleanup(subprocess.run, ["rm", "-r", cache])
        return run("-m", "mypy", "--strict", "--follow-imports", "silent", "--cache-dir", cache, *files)

    def test_a_program_and_the_stubs(self):
        package = ROOT / "python/gyre"
        sources = [package / f"{name}.py" for name in ("__init__", "func", "typing")]
        answer = self.mypy(HERE / "typed_program.py", *sources, *package.rglob("*.pyi"))
        self.assertEqual(answer.returncode, 0, answer.stdout + answer.stderr)

    def test_wrong_programs(self):
        wrong = ("gyre.softmax()", "gyre.softmax(gyre.ones(2), axis='a')", "gyre.no_such_op(1)", "gyre.exp({})",
                 "x: str = gyre.exp(1.0)", "gyre.mse(1, 2, reduction='most')", "gyre.ones(2).softmax(nonsense=1)",
                 "gyre.ones(2).sort()[2]", "gyre.save({})", "gyre.ones(2).shape = (1,)", "gyre.load()")
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file:
            file.write("import gyre\n" + "".join(f"{line}\n" for line in wrong))
            file.flush()
            answer = self.mypy(file.name)
        lines = {int(number) - 2 for number in re.findall(r"\.py:(\d+): error", answer.stdout)}
        self.assertEqual([wrong[n] for n in range(len(wrong)) if n not in lines], [], answer.stdout)


class Told(unittest.TestCase):
    def test_signatures_of_all_ops(self):
        for op in gyre.ops():
            parameters = inspect.signature(op).parameters
            self.assertEqual(list(parameters), [a["name"] for a in op.arguments + op.attributes], op.name)
            for attribute in op.attributes:
                default = parameters[attribute["name"]].default
                self.assertIn(attribute["default"], (default, (default,)), (op.name, attribute["name"]))
        self.assertEqual(str(inspect.signature(gyre.softmax)), "(x, axis=-1)")
        self.assertEqual(str(inspect.signature(gyre.zeros(2).softmax)), "(axis=-1)")
        self.assertEqual(str(inspect.signature(gyre.layer_norm)), "(x, weight=None, bias=None, axis=-1, eps=1e-05)")

    def test_help_reads_well(self):
        page = pydoc.plain(pydoc.render_doc(gyre.softmax))
        for part in ("softmax(x, axis=-1)", "softmax along an axis: e^x / sum e^x", "x: tensor", "axis: ", "(int, default -1)",
                     "Differentiable"):
            self.assertIn(part, page)
        self.assertIn("No gradient", gyre.argmax.__doc__)
        self.assertIn("0.01 by default", gyre.leaky_relu.__doc__)
        self.assertIn("mean, sum, none", gyre.mse.__doc__)
        for name in ("zeros", "save", "Tensor", "func"):
            with contextlib.redirect_stdout(io.StringIO()) as out:
                help(getattr(gyre, name))
            self.assertGreater(len(out.getvalue()), 100, name)

    def test_everything_has_a_doc(self):
        for owner in (gyre, gyre.Tensor, gyre.func):
            for name in getattr(owner, "__all__", dir(owner)):
                value = getattr(owner, name)
                if name.startswith("_") or not callable(value) or inspect.isclass(value):
                    continue
                with self.subTest(f"{owner.__name__}.{name}"):
                    doc = value.__doc__ or ""
                    lines = [line for line in doc.splitlines() if line and not line.startswith(name + "(")]
                    self.assertTrue(lines, doc)

    def test_the_stub_names_what_there_is(self):
        tree = ast.parse((ROOT / "python/gyre/_gyre.pyi").read_text())
        named = {node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        named |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
        named |= {target.id for node in tree.body if isinstance(node, ast.Assign) for target in node.targets}
        self.assertEqual({n for n in vars(gyre._gyre) if not n.startswith("__")} - named, set())


if __name__ == "__main__":
    unittest.main()
