"""What objects show: repr() of every public class, and HTML for notebooks."""

import base64
import importlib
import inspect
import math
import os
import pathlib
import pkgutil
import re
import tempfile
import types
import unittest
import xml.etree.ElementTree as ElementTree

from common import gyre, needs_packages, numpy, torch

if gyre:
    from gyre import data, hyperbolic, logic, nn, optim

SCRIPT = "<script>alert(1)</script>"
MOST_BYTES = 300_000


def setUpModule():
    needs_packages()


def numbers(count):
    return data.TensorDataset(gyre.zeros(count, 3), gyre.arange(count))


def in_a_folder(test):
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    return pathlib.Path(folder.name)


class Reprs(unittest.TestCase):
    def check(self, cases):
        for value, text in cases:
            with self.subTest(text):
                self.assertEqual(repr(value), text)

    def test_data(self):
        six, loader, table = numbers(6), data.DataLoader, self.table()
        parts = "TensorDataset(6 examples)"
        self.check((
            (six, "TensorDataset(6 examples: f32 [6, 3], i64 [6])"),
            (data.TensorDataset(x=gyre.zeros(1)), "TensorDataset(1 example: x=f32 [1])"),
            (data.split(six, 0.5)[0], "Dataset(3 examples)"),
            (data.Subset(six, [1, 2]), f"Subset(2 examples of {parts})"),
            (six + six, f"ConcatDataset({parts}, {parts})"),
            (data.StackDataset(six, "abcdef"), f"StackDataset({parts}, str(6 examples))"),
            (data.StackDataset(x=six), f"StackDataset(x={parts})"),
            (data.ChainDataset([six, iter([1])]), f"ChainDataset({parts}, list_iterator())"),
            (data.SequentialSampler(six), "SequentialSampler(6 samples)"),
            (data.RandomSampler(six), "RandomSampler(6 samples, replacement=False)"),
            (data.SubsetRandomSampler([1]), "SubsetRandomSampler(1 sample)"),
            (data.WeightedRandomSampler([1.0, 2.0], 1500), "WeightedRandomSampler(1,500 samples, replacement=True)"),
            (data.BatchSampler(range(6), 4, False),
             "BatchSampler(2 batches, sampler=range(0, 6), batch_size=4, drop_last=False)"),
            (loader(six), f"DataLoader({parts}, batch_size=32)"),
            (loader(six, batch_size=2, shuffle=True, seed=3), f"DataLoader({parts}, batch_size=2, shuffle=True, seed=3)"),
            (loader([0] * 1000, sampler=[1, 2], collate_fn=len),
             "DataLoader(list(1,000 examples), batch_size=32, sampler=list(2 samples), collate_fn=len)"),
            (loader(six, batch_sampler=data.BatchSampler([0, 1], 2, True)),
             f"DataLoader({parts}, batch_size=None, batch_sampler=BatchSampler(1 batch, sampler=[0, 1], batch_size=2, "
             "drop_last=True))"),
            (data.TokenBatches(list(range(100)), 2, 8), "TokenBatches(100 tokens, batches of [2, 8])"),
            (table, f"Table(40 rows, columns=['a', {SCRIPT!r}, 'y'])"),
        ))

    def table(self, columns=()):
        path = in_a_folder(self) / "t.csv"
        heads = ["a", SCRIPT, *columns, "y"]
        rows = [[str(i), "uv"[i % 2], *["1"] * len(columns), str(2 * i)] for i in range(40)]
        path.write_text("\n".join(map(",".join, [heads, *rows])))
        return data.read_table(path, target="y")

    def test_datasets_of_the_user(self):
        class Broken(data.Dataset):
            def __len__(self):
                raise RuntimeError

        class Squares(data.Dataset):
            def __len__(self):
                return 2

        class Endless(data.Sampler):
            pass

        self.check(((Broken(), "Broken()"), (Squares(), "Squares(2 examples)"), (Endless(), "Endless()")))

    def test_optimisers_list_their_groups_as_in_pytorch(self):
        """The first line, a line with each option of each group, and the parenthesis."""
        weight, bias = gyre.nn.Parameter(gyre.zeros(2, 3)), gyre.nn.Parameter(gyre.zeros(3))
        ours = optim.SGD([{"params": [weight], "lr": 0.5, "note": "x"}, {"params": [bias]}], lr=0.1)
        self.assertEqual(
            repr(ours).splitlines(),
            ["SGD (", "Parameter Group 0: 1 parameter, 6 elements", "    lr: 0.5", "    momentum: 0.0",
             "    dampening: 0.0", "    weight_decay: 0.0", "    nesterov: False", "    maximize: False",
             "    note: 'x'",
             "Parameter Group 1: 1 parameter, 3 elements", "    lr: 0.1", "    momentum: 0.0", "    dampening: 0.0",
             "    weight_decay: 0.0", "    nesterov: False", "    maximize: False", ")"])
        theirs = repr(torch.optim.SGD([torch.nn.Parameter(torch.zeros(2, 3))], lr=0.1)).splitlines()
        mine = repr(optim.SGD([weight], lr=0.1)).splitlines()
        self.assertEqual((mine[0], mine[-1]), (theirs[0], theirs[-1]))
        named = {line.split(":")[0]: line for line in theirs}
        for line in ("lr", "nesterov"):
            self.assertIn(named[f"    {line}"], mine)

    def test_training_parts(self):
        optimizer = optim.SGD([gyre.nn.Parameter(gyre.zeros(2))], lr=0.1)
        schedulers = optim.lr_scheduler
        self.check((
            (optim.Schedule(kind="cosine", steps=9), "Schedule(kind='cosine', lr=0.001, steps=9)"),
            (optim.Ema(nn.Linear(2, 2), decay=0.5), "Ema(decay=0.5, warmup=False, updates=0)"),
            (optim.LossScale(), "LossScale(scale=65536.0)"),
            (schedulers.StepLR(optimizer, 3), "StepLR(step_size=3, gamma=0.1, last_epoch=0, lr=[0.1])"),
            (gyre.Generator().manual_seed(3), "Generator(seed=3)"),
            (gyre.numpy.random.default_rng(3), "Generator(seed=3)"),
        ))
        self.assertRegex(repr(optimizer.param_groups[0]), r"^ParameterGroup\(\{'lr': .*\}, 1 parameter\)$")
        for cls, arguments in ((schedulers.CosineAnnealingLR, (10,)), (schedulers.ReduceLROnPlateau, ()),
                               (schedulers.OneCycleLR, (0.1, 10)), (schedulers.LambdaLR, (lambda epoch: 1.0,))):
            self.assertRegex(repr(cls(optimizer, *arguments)), rf"^{cls.__name__}\(.*lr=\[[\d.e-]+\]\)$")

    def test_tokenizers(self):
        characters = gyre.Tokenizer.characters("abc")
        self.check((
            (characters, "Tokenizer(vocab_size=3, kind='characters')"),
            (gyre.Tokenizer.train("abc abc abc", 300, special=["<|end|>"]),
             "Tokenizer(vocab_size=260, kind='byte-level BPE', special=['<|end|>'])"),
        ))
        path = in_a_folder(self) / "tokenizer.json"
        characters.save(os.fspath(path))
        self.assertEqual(repr(gyre.Tokenizer.load(os.fspath(path))), repr(characters))

    def test_parameters(self):
        plain = nn.Parameter(gyre.zeros(2))
        self.assertEqual(repr(plain), repr(torch.nn.Parameter(torch.zeros(2))))
        self.assertEqual((str(plain), f"{plain}"), (repr(plain), repr(plain)))
        ball = hyperbolic.PoincareBall(0.5)
        self.assertTrue(repr(hyperbolic.ManifoldParameter(gyre.zeros(3, 2), ball)).startswith(
            f"Parameter on {ball!r} containing:\ntensor("))

    def test_no_public_class_shows_an_address(self):
        """Every public class of Python code or C++ has its own repr, or is in `others`, with a reason."""
        others = {
            "contexts, used by `with` only": "CheckpointBudget GradMode OverflowScope set_grad_enabled autocast detect_anomaly "
                                             "set_detect_anomaly errstate",
            "handles with no state but what they remove": "HookHandle",
            "namespaces and bases without instances": "schedules functional Function CustomFunction SupportsDLPack "
                                                     "__array_namespace_info__ floating inexact signedinteger "
                                                     "unsignedinteger integer number generic",
        }
        excused = set(" ".join(others.values()).split())
        for module in modules():
            for name in public_names(module):
                cls = getattr(module, name)
                if isinstance(cls, type) and cls.__module__.startswith("gyre") and name not in excused:
                    with self.subTest(f"{module.__name__}.{name}"):
                        self.assertIsNot(cls.__repr__, object.__repr__)


def modules():
    """gyre and its modules that declare what is public in them."""
    names = [name for _, name, _ in pkgutil.walk_packages(gyre.__path__, "gyre.")]
    loaded = [importlib.import_module(name) for name in names if not re.search(r"\._|^gyre\.torch", name)]
    return [gyre, *(module for module in loaded if hasattr(module, "__all__"))]


def public_names(module):
    return getattr(module, "__all__", None) or [name for name in dir(module) if not name.startswith("_")]


class Tensors(unittest.TestCase):
    """repr() of tensors is PyTorch's, but for the names of dtypes and of what computed a tensor."""

    def check(self, theirs):
        ours = gyre.from_torch(theirs.detach())
        name = ours.dtype.name
        text = repr(theirs).replace(str(theirs.dtype), name)
        # the shorter name may fit into a line that PyTorch's does not
        self.assertEqual(repr(ours).replace(f",\n       dtype={name}", f", dtype={name}"),
                         text.replace(f",\n       dtype={name}", f", dtype={name}"))

    def test_values_and_dtypes(self):
        torch.manual_seed(0)
        inf, nan = math.inf, math.nan
        for values in (3.5, 3, 0.0, -0.0, True, 1e-5, 1e9, [1.0], [0.1, 0.25], [1.0, 2.5, -3.25], [1.0, 200.0, -3.0], [100.0, 0.5],
                       [1e-5, 1.0], [1.0, 1001.0], [1.5, 1e4], [123456789.0], [1e8], [1e-4, 2e-4], [1 / 3, 123456.789], [0.0, 0.0],
                       [nan, nan], [inf, 1.0], [inf, 1.5], [1.0, -inf, nan], [-0.0, 1e30], [0.0, 1e-10], [1, -200, 3], [10 ** 12, 1],
                       [True, False], [True, True], [[1.0, 2.0], [3.0, 4.5]], [[[1, 2]], [[3, 4]]], [[-1e-7, 1.0], [2.0, 3.0]]):
            with self.subTest(values=values):
                self.check(torch.tensor(values))
        for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.uint8, torch.bool):
            with self.subTest(dtype=dtype):
                self.check((torch.randn(3, 4) * 5).abs().to(dtype))
                self.check(torch.zeros(0, dtype=dtype))

    def test_shapes(self):
        torch.manual_seed(1)
        for shape in ((0,), (0, 3), (2, 0, 3), (1,), (1, 1, 1), (2, 3), (2, 3, 4), (2, 1, 2, 3), (30,), (2, 30), (1000,), (1001,), (30, 40),
                      (2000, 2), (3, 2000), (8, 8, 20), (7, 2, 2, 50), (1, 1200)):
            for values in (torch.randn(shape), torch.randn(shape) * 1e6, torch.randn(shape).mul(100).long(), torch.randn(shape) > 0):
                with self.subTest(shape=shape, dtype=values.dtype):
                    self.check(values)

    def test_autograd(self):
        x = gyre.ones(2, requires_grad=True)
        self.assertEqual(repr(x), repr(torch.ones(2, requires_grad=True)))
        ours, theirs = repr(x * 2), repr(torch.ones(2, requires_grad=True) * 2)
        self.assertEqual(ours, theirs.replace("MulBackward0", "mul"))
        # a note that does not fit begins a line
        ours = repr(gyre.ones(26, requires_grad=True) * 2)
        self.assertEqual(ours, repr(torch.ones(26, requires_grad=True) * 2).replace("MulBackward0", "mul"))


class Signatures(unittest.TestCase):
    def test_every_public_function_and_method_has_one(self):
        """But what Python's own classes define."""
        found = {}
        for module in modules():
            for value in (getattr(module, name) for name in public_names(module)):
                # a class without a constructor of its own has that of object, Exception or dict
                made = not isinstance(getattr(value, "__init__", None), types.WrapperDescriptorType)
                if callable(value) and (made or not isinstance(value, type)):
                    found[id(value)] = value
                for owner in value.__mro__ if isinstance(value, type) else ():
                    if owner.__module__.startswith("gyre"):
                        parts = [getattr(owner, key) for key in vars(owner) if not key.startswith("_")]
                        found.update({id(part): part for part in parts if callable(part)})
        self.assertGreater(len(found), 1500)
        for value in found.values():
            with self.subTest(value):
                inspect.signature(value)

    def test_functions_defined_in_c(self):
        self.assertEqual(
            str(inspect.signature(gyre.zeros)),
            "(*shape: 'ShapeLike | DTypeLike', dtype: 'DTypeLike | None' = None, device: 'str | device | None' = None, "
            "requires_grad: 'bool' = False) -> 'Tensor'")
        self.assertEqual(list(inspect.signature(gyre.Tensor.backward).parameters)[:2], ["self", "gradient"])
        self.assertEqual(list(inspect.signature(gyre.zeros(1).backward).parameters)[:1], ["gradient"])
        train = inspect.signature(gyre.Tokenizer.train).parameters
        self.assertEqual((train["vocab_size"].default, train["special"].default), (4096, []))
        self.assertEqual(list(inspect.signature(gyre.Tensor).parameters), ["data", "dtype", "device", "requires_grad"])
        self.assertEqual(list(inspect.signature(nn.Module().forward).parameters), ["args", "kwargs"])

    def test_functions_of_other_packages_keep_none(self):
        class Other:
            __module__ = "gyreless"

        with self.assertRaises(AttributeError):
            gyre._signatures.of_function(Other())


class Notebooks(unittest.TestCase):
    def html(self, value):
        """The HTML of a value: well-formed, without scripts, of bounded size."""
        html = value._repr_html_()
        self.assertNotIn("<script", html)
        self.assertLess(len(html), MOST_BYTES)
        ElementTree.fromstring(f"<div>{re.sub('&(hellip|#8942);', '', html).replace('<details open>', '<details>')}</div>")
        return html

    def test_tables(self):
        table = Reprs.table(self)
        html = self.html(table)
        self.assertIn("<tr><td>0</td><td>u</td><td>0</td></tr>", html)
        self.assertEqual((html.count("<tr>"), html.count("&lt;script&gt;")), (21, 1))
        self.assertIn("<p>40 rows, 20 shown</p>", html)
        wide = self.html(Reprs.table(self, [f"c{i}" for i in range(50)]))
        self.assertEqual(wide.count("<th>"), 13)
        self.assertIn("<th>…</th>", wide)

    def test_models_are_trees_with_numbers_of_parameters(self):
        class Named(nn.Module):
            def extra_repr(self):
                return SCRIPT

        model = nn.Sequential({"first": nn.Linear(3, 4), "rest": nn.Sequential(Named(), nn.ReLU())})
        model.add_module(SCRIPT, nn.ReLU())
        html = self.html(model)
        self.assertTrue(html.startswith("<details open><summary><strong>Sequential</strong> <small>16 parameters</small>"))
        self.assertIn("first: <strong>Linear</strong>", html)
        self.assertEqual((html.count("<details"), html.count("&lt;script&gt;")), (2, 2))
        self.assertNotIn("modules</small>", html)
        self.assertIn("0 parameters", self.html(nn.LazyLinear(3)))

    def test_large_models_are_cut(self):
        html = self.html(nn.Sequential(*[nn.Sequential(nn.ReLU()) for _ in range(500)]))
        self.assertEqual(html.count("<strong>"), 200)
        self.assertIn("<small>200 of 1,001 modules</small>", html)

    def test_training_and_predicting(self):
        folder = in_a_folder(self)
        x = numpy.random.default_rng(1).normal(size=(64, 3)).astype("f4")
        values = {"c": (x.sum(1) > 0).astype("i8"), "r": x.sum(1)}
        for name, y in values.items():
            numpy.savez(folder / f"{name}.npz", x=x, y=y)
            report = gyre.train(folder / f"{name}.npz", out=folder / name, epochs=2, batch=8, progress=None)
            html = self.html(report)
            self.assertEqual(drawn(html), (folder / name / "loss.svg").read_text())
            self.assertIn(f"<td>steps</td><td>{report.steps}</td>", html)
            self.assertNotIn("nan", html.replace(drawn(html), ""))
            predictor = gyre.Predictor(folder / name)
            classes = ", classes=['0', '1']" if name == "c" else ""
            self.assertEqual(repr(predictor), f"Predictor({str(folder / name)!r}, target='y'{classes})")
            self.assertIn("classification" if name == "c" else "regression", self.html(predictor))
            predictions = predictor(x, y)
            html = self.html(predictions)
            self.assertIn("<p>64 predictions, 20 shown</p>", html)
            self.assertEqual("<th>p(1)</th>" in html, name == "c")
            self.assertIn(f"<td>{'accuracy' if name == 'c' else 'mae'}</td>", html)

    def test_the_folder_of_a_configuration(self):
        folder = in_a_folder(self)
        (folder / "c.json").write_text(f'{{"out": "{folder / "out"}"}}')
        numpy.savez(folder / "d.npz", x=numpy.eye(8, dtype="f4"), y=numpy.arange(8) % 2)
        report = gyre.train(folder / "d.npz", config=folder / "c.json", epochs=1, progress=None)
        self.assertEqual(drawn(self.html(report)), (folder / "out" / "loss.svg").read_text())

    def test_embeddings(self):
        folder = in_a_folder(self)
        nodes = [SCRIPT, *"abc", *(f"{a}{b}" for a in "abc" for b in "xyz")]
        (folder / "e.tsv").write_text("".join(f"{n}\t{n[:-1] or SCRIPT}\n" for n in nodes[1:]))
        options = {"closure": True, "dim": 2, "epochs": 20, "baseline": False, "progress": None}
        for model in ("poincare", "lorentz", "euclidean"):
            out = folder / model
            report = gyre.embed(folder / "e.tsv", out=out, model=model, **options)
            embedding = gyre.Embedding(out)
            self.assertEqual(repr(embedding), f"Embedding({str(out)!r}, nodes=13, dim=2, model={model!r})")
            for value in (report, embedding):
                self.assertEqual(drawn(self.html(value)), (out / "disk.svg").read_text())
            (out / "disk.svg").unlink()
            html = self.html(embedding)
            places = numpy.array(re.findall(r"<circle cx=\"([\d.]+)\" cy=\"([\d.]+)\" r=\"3\"", html), "f8")
            self.assertEqual((len(places), html.count("currentColor")), (13, 1 if model == "euclidean" else 2))
            self.assertTrue((numpy.hypot(*(places - 210).T) <= 200.1).all())
            points = embedding.points
            if model == "lorentz":
                points = gyre.tensor(points) / (1 + (1 + (points ** 2).sum(1, keepdim=True)).sqrt())
            if model != "euclidean":
                numpy.testing.assert_allclose(places, 210 + 200 * points.numpy() * [1, -1], atol=0.051)
        self.assertIn("&lt;script&gt;", self.html(embedding.query("ax")))
        report = gyre.embed(folder / "e.tsv", out=folder / "no", picture=False, **{**options, "dim": 3})
        for value in (report, gyre.Embedding(folder / "no")):
            self.assertNotIn("<svg", self.html(value))
            self.assertNotIn("<img", self.html(value))

    def test_points_of_a_disk(self):
        ball = hyperbolic.PoincareBall(0.25)
        html = self.html(hyperbolic.ManifoldParameter(gyre.tensor([[1.0, 0.0], [0.0, -1.0]]), ball))
        for place in ("cx=\"310.0\" cy=\"210.0\"", "cx=\"210.0\" cy=\"310.0\"", "<table>"):
            self.assertIn(place, html)
        many = self.html(hyperbolic.ManifoldParameter(gyre.zeros(5000, 2), ball))
        self.assertIn("<small>1,000 of 5,000 points</small>", many)
        for other in (nn.Parameter(gyre.zeros(2, 2)), hyperbolic.ManifoldParameter(gyre.zeros(2, 3), ball)):
            self.assertNotIn("<svg", self.html(other))

    def test_programs(self):
        program = logic.Program("A(x, y) <- B(x, y)", path=SCRIPT, B=[("a", "<b>")])
        self.assertEqual(repr(program), f"Program({SCRIPT!r}, 2 names: 'B', 'A')")
        self.assertIn("<pre>A(x, y) &lt;- B(x, y)</pre>", self.html(program))
        self.assertIn("<td>&lt;b&gt;</td>", self.html(program.query("A(x, y)?")))
        facts = "".join(f"R{i}(x) <- S(x)\n" for i in range(3000))
        self.assertIn("... 2,993 more", repr(long := logic.Program(facts, S=[("a",)])))
        self.html(long)


def drawn(html):
    """The SVG document in the image of some HTML."""
    return base64.b64decode(re.search("data:image/svg\\+xml;base64,(.*?)\"", html)[1]).decode()


if __name__ == "__main__":
    unittest.main()
