"""gyre.data and gyre.Tokenizer: datasets in C++ and Python, data loaders, files, text, tokens."""

import gc
import gzip
import json
import os
import pickle
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref

from common import gyre, needs_packages, numpy, torch

if gyre:
    from gyre import data


def setUpModule():
    needs_packages()


def numbers(count=10):
    return data.TensorDataset(x=gyre.arange(count).reshape(count, 1), y=gyre.arange(count, dtype="i64"))


class Squares:
    """A Python dataset that does not depend on gyre."""

    def __init__(self, count, kind=tuple):
        self.count, self.kind, self.asked = count, kind, []

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        self.asked.append((i, threading.get_ident()))
        x = numpy.full(2, i * i, "f4")
        return {dict: {"x": x, "y": i}, tuple: (x, i), list: [1.0 * i, 2.0], float: i / 2}[self.kind]


class Datasets(unittest.TestCase):
    def test_rows_of_tensors(self):
        by_name, by_place = numbers(), data.TensorDataset(numpy.arange(4.0), torch.arange(4))
        self.assertEqual((len(by_name), len(by_place)), (10, 4))
        self.assertEqual({k: v.tolist() for k, v in by_name[-1].items()}, {"x": [9], "y": 9})
        self.assertEqual([v.tolist() for v in by_place[2]], [2, 2])
        self.assertEqual(by_name.batch([3, 1])["y"].tolist(), [3, 1])
        self.assertEqual([y.item() for x, y in by_place], [0, 1, 2, 3])
        for error, act in ((IndexError, lambda: by_name[10]), (IndexError, lambda: by_name[-11]),
                           (gyre.IndexError, lambda: by_name.batch([10])),
                           (TypeError, lambda: data.TensorDataset()),
                           (TypeError, lambda: data.TensorDataset(gyre.ones((1,)), y=gyre.ones((1,)))),
                           (gyre.ShapeError, lambda: data.TensorDataset(gyre.ones((1,)), gyre.ones((2,)))),
                           (TypeError, lambda: len(data.Dataset())), (TypeError, lambda: data.Dataset()[0]),
                           (TypeError, lambda: data.Dataset().batch([0])),
                           (TypeError, lambda: data.DataLoader(3))):
            with self.assertRaises(error):
                act()

    def test_cut_in_two(self):
        for dataset in (numbers(), Squares(10)):
            training, validation = data.split(dataset, 0.3, seed=4)
            self.assertEqual((len(training), len(validation)), (7, 3))
            rows = [e["y"] if isinstance(e, dict) else e[1] for part in (training, validation) for e in part]
            self.assertEqual(sorted(y.item() for y in rows), list(range(10)))
            self.assertEqual(len(list(data.DataLoader(training, batch=4))), 2)
        with self.assertRaisesRegex(gyre.ValueError, "fraction"):
            data.split(numbers(), 1.0)

    def test_datasets_of_python(self):
        for kind, want in ((tuple, ([[0, 0], [1, 1], [4, 4]], [0, 1, 2])), (float, [0, 0.5, 1]),
                           (list, [[0, 2], [1, 2], [2, 2]])):
            batch = data.DataLoader(Squares(3, kind), batch=3).next()
            got = tuple(t.tolist() for t in batch) if isinstance(batch, tuple) else batch.tolist()
            self.assertEqual(got, want)
        batch = data.DataLoader(Squares(3, dict), batch=3).next()
        self.assertEqual((batch["x"].dtype, batch["y"].dtype, batch["y"].tolist()), (gyre.f32, gyre.i64, [0, 1, 2]))

    def test_subclasses_of_dataset(self):
        class Mine(data.Dataset):
            def __init__(self):  # without super().__init__()
                self.rows = [[1.0], [2.0]]

            def __len__(self):
                return len(self.rows)

            def __getitem__(self, i):
                return gyre.tensor(self.rows[i])

        self.assertEqual([b.tolist() for b in data.DataLoader(Mine())], [[[1.0], [2.0]]])
        self.assertEqual(Mine().batch([1]).tolist(), [[2.0]])

    def test_subclasses_that_change_what_gyre_holds(self):
        class Flipped(data.TensorDataset):
            def __getitem__(self, i):
                x, y = super().__getitem__(i)
                return x[::-1], y

        class First(data.TensorDataset):
            def __len__(self):
                return 2

        rows = gyre.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), gyre.arange(3)
        flipped, want = Flipped(*rows), [[2, 1], [4, 3], [6, 5]]
        self.assertEqual(flipped[-1][0].tolist(), want[-1])
        self.assertEqual(data.DataLoader(flipped, batch=3).next()[0].tolist(), want)
        self.assertEqual(flipped.batch([2, 0])[0].tolist(), [want[2], want[0]])
        training, validation = data.split(flipped, 0.4)
        self.assertEqual(sorted(x.tolist() for part in (training, validation) for x, y in part), want)
        self.assertEqual(data.DataLoader(First(*rows), batch=3).next()[1].tolist(), [0, 1])

    def test_what_a_dataset_raises_comes_out(self):
        class Failing(Squares):
            def __getitem__(self, i):
                if i == 2:
                    raise LookupError("row 2 is gone")
                return super().__getitem__(i)

        loader = data.DataLoader(Failing(4), batch=2)
        loader.next()
        for _ in range(2):
            with self.assertRaisesRegex(LookupError, "row 2 is gone"):
                loader.next()
            self.assertEqual(loader.cursor, 1)
        with self.assertRaisesRegex(TypeError, "tensor"):
            data.DataLoader([object()]).next()
        with self.assertRaisesRegex(gyre.Error, "stack|shape"):
            data.DataLoader([[1.0], [1.0, 2.0]]).next()

    def test_loaders_leave_nothing(self):
        dataset = Squares(4)
        loader = data.DataLoader(dataset, batch=2)
        batch = loader.next()
        gone = weakref.ref(dataset)
        del dataset, loader
        gc.collect()
        self.assertIsNone(gone())
        self.assertEqual(batch[1].tolist(), [0, 1])


class Loaders(unittest.TestCase):
    def order(self, loader):
        return [batch["y"].tolist() for batch in loader]

    def test_epochs(self):
        loader = data.DataLoader(numbers(), batch=4)
        self.assertEqual(len(loader), 3)
        self.assertEqual(self.order(loader), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        self.assertEqual((loader.cursor, loader.epoch), (3, 1))
        self.assertEqual(len(self.order(loader)), 3)
        shuffled = data.DataLoader(numbers(), 4, shuffle=True, seed=3, drop_last=True)
        first, second = self.order(shuffled), self.order(shuffled)
        self.assertEqual((len(first), len(second)), (2, 2))
        self.assertNotEqual(first, second)
        self.assertEqual(self.order(data.DataLoader(numbers(), 4, shuffle=True, seed=3, drop_last=True)), first)
        self.assertNotEqual(self.order(data.DataLoader(numbers(), 4, shuffle=True, seed=4, drop_last=True)), first)
        self.assertEqual(shuffled.rows(0), first[0])
        self.assertEqual(shuffled.at(1)["y"].tolist(), first[1])
        self.assertEqual(shuffled.options["drop_last"], True)

    def test_workers_make_the_same(self):
        want = self.order(data.DataLoader(numbers(100), batch=7, shuffle=True, seed=5))
        self.assertEqual(self.order(data.DataLoader(numbers(100), batch=7, shuffle=True, seed=5, workers=3)), want)

    def test_a_cursor_goes_on(self):
        loader = data.DataLoader(numbers(), batch=3, shuffle=True, seed=1)
        all_of_it = self.order(loader) + self.order(loader)
        loader.cursor = 0
        loader.next()
        state = loader.state_dict()
        other = data.DataLoader(numbers(), batch=3, shuffle=True, seed=1, workers=2)
        other.load_state_dict(json.loads(json.dumps(state)))
        self.assertEqual(self.order(other.resume()) + self.order(other), all_of_it[1:])
        earlier = {"batch" if name == "batch_size" else name: value for name, value in state["options"].items()}
        other.load_state_dict({**state, "options": earlier})
        self.assertEqual(self.order(other.resume()) + self.order(other), all_of_it[1:])
        with self.assertRaisesRegex(ValueError, "seed=2, got 1"):
            data.DataLoader(numbers(), batch=3, shuffle=True, seed=2).load_state_dict(state)

    def test_each_loop_begins_an_epoch(self):
        loader = data.DataLoader(numbers(), batch=4)
        self.assertEqual(next(iter(loader))["y"].tolist(), [0, 1, 2, 3])
        self.assertEqual(self.order(loader), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        for _ in loader:
            break
        self.assertEqual(len(self.order(loader)), 3)
        pairs = [(x["y"].tolist(), y["y"].tolist()) for x in loader for y in loader]
        rows = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
        self.assertEqual(pairs, [(x, y) for x in rows for y in rows])
        self.assertEqual([x["y"].tolist() == y["y"].tolist() for x, y in zip(loader, loader)], [True] * 3)

    def test_collate_fn_takes_examples_of_any_type(self):
        texts = [("a", [1]), ("bc", [2, 3]), ("d", [])]
        loader = data.DataLoader(texts, batch=2, collate_fn=lambda rows: [text for text, _ in rows])
        self.assertIs(loader.dataset, texts)
        self.assertEqual(list(loader), [["a", "bc"], ["d"]])
        self.assertEqual(loader.at(1), ["d"])
        shuffled = data.DataLoader(texts, batch=3, shuffle=True, seed=4, collate_fn=lambda rows: rows)
        self.assertEqual(shuffled.at(0), [texts[i] for i in shuffled.rows(0)])

    def test_a_dataset_that_shrinks_is_refused(self):
        for options in ({}, {"shuffle": True}, {"num_workers": 2, "prefetch_factor": 1}, {"collate_fn": list}):
            for fewer in (9, 2, 0):
                with self.subTest(options=options, fewer=fewer):
                    dataset = Squares(20)
                    batches = iter(data.DataLoader(dataset, 2, **options))
                    next(batches)
                    dataset.count = fewer
                    with self.assertRaisesRegex(gyre.ValueError, f"shrank from 20 examples to {fewer}; create a new"):
                        list(batches)

    def test_a_dataset_that_grows_keeps_its_batches(self):
        for options in ({}, {"collate_fn": list}):
            dataset = Squares(5)
            loader = data.DataLoader(dataset, 2, shuffle=True, seed=1, **options)
            before = [loader.rows(i) for i in range(6)]
            dataset.count = 9
            self.assertEqual([loader.rows(i) for i in range(6)], before)

    def test_samplers_of_pytorch(self):
        kinds = torch.utils.data
        names = [f"row {i}" for i in range(9)]
        for dataset in (numbers(9), Squares(9)):
            chosen = kinds.WeightedRandomSampler([1.0] * 9, 20, generator=torch.Generator().manual_seed(3))
            loader = data.DataLoader(dataset, batch_size=8, sampler=chosen)
            self.assertEqual((len(loader), loader.sampler, loader.dataset), (3, chosen, dataset))
            first, second = ([n for batch in loader for n in (batch["y"] if isinstance(batch, dict) else batch[1]).tolist()]
                             for _ in range(2))
            self.assertEqual((len(first), len(second)), (20, 20))
            self.assertNotEqual(first, second)
            self.assertEqual((loader.cursor, loader.epoch), (6, 2))
        batches = kinds.BatchSampler(kinds.SequentialSampler(names), 4, drop_last=True)
        self.assertEqual(list(data.DataLoader(names, batch_sampler=batches, collate_fn=list)), [names[:4], names[4:8]])
        self.assertEqual(self.order(data.DataLoader(numbers(), batch_sampler=batches)), [[0, 1, 2, 3], [4, 5, 6, 7]])

    def test_orders_of_indices(self):
        order = numpy.array([3, 1, 2, 3, 0])
        self.assertEqual(self.order(data.DataLoader(numbers(), batch=2, sampler=order)), [[3, 1], [2, 3], [0]])
        loader = data.DataLoader(numbers(), batch=2, sampler=order, drop_last=True)
        self.assertEqual((len(loader), self.order(loader)), (2, [[3, 1], [2, 3]]))
        epochs = [[2, 0, 1], [1, 2, 0], [0, 1]]

        class ByEpoch:
            def __iter__(self):
                return iter(epochs.pop(0))

            def __len__(self):
                return 3

        loader = data.DataLoader(numbers(), batch=1, sampler=ByEpoch())
        self.assertEqual([[n for [n] in self.order(loader)] for _ in range(3)], [[2, 0, 1], [1, 2, 0], [0, 1]])
        self.assertEqual(loader.cursor, 9)  # also after fewer indices than the sampler's length
        lists = [[4, 5], [6], [7, 8, 9]]
        loader = data.DataLoader(numbers(), batch_sampler=lists)
        next(iter(loader))
        other = data.DataLoader(numbers(), batch_sampler=lists, num_workers=2)
        other.load_state_dict(json.loads(json.dumps(loader.state_dict())))
        self.assertEqual(self.order(other.resume()), lists[1:])
        self.assertEqual((self.order(other), other.epoch), (lists, 2))

    def test_orders_that_make_no_sense_are_refused(self):
        rows = [0, 1]
        sampled = data.DataLoader(numbers(), sampler=rows)
        for error, words, make in (
                (ValueError, "shuffle excludes sampler", lambda: data.DataLoader(numbers(), sampler=rows, shuffle=True)),
                (ValueError, "batch_size excludes batch_sampler", lambda: data.DataLoader(numbers(), 2, batch_sampler=[rows])),
                (ValueError, "drop_last excl", lambda: data.DataLoader(numbers(), drop_last=True, batch_sampler=[rows])),
                (ValueError, "sampler excl", lambda: data.DataLoader(numbers(), sampler=rows, batch_sampler=[rows])),
                (TypeError, "no len", lambda: data.DataLoader(numbers(), sampler=iter(rows))),
                (gyre.ValueError, "0 examples", lambda: data.DataLoader(numbers(), sampler=[])),
                (ValueError, "have no numbers", lambda: sampled.at(0)), (ValueError, "have no numbers", lambda: sampled.rows(0)),
                (ValueError, "have no numbers", sampled.next),
                (TypeError, "as an integer", lambda: list(data.DataLoader(numbers(), sampler=["a"]))),
                (gyre.IndexError, "10", lambda: list(data.DataLoader(numbers(), sampler=[10])))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                make()
        self.assertEqual(sampled.cursor, 0)

    def test_what_makes_no_sense_is_refused(self):
        for error, words, make in (
                (gyre.ValueError, "`batch_size` must be 1", lambda: data.DataLoader(numbers(), batch_size=0)),
                (gyre.ValueError, "too few", lambda: data.DataLoader(numbers(2), batch=3, drop_last=True)),
                (TypeError, "did you mean shuffle", lambda: data.DataLoader(numbers(), shufle=True)),
                (gyre.IndexError, "0 or more, got -1", lambda: setattr(data.DataLoader(numbers()), "cursor", -1))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                make()


class Noisy(Squares):
    """Random examples, which take unequal times."""

    def __getitem__(self, i):
        self.asked.append((i, threading.get_ident()))
        time.sleep(0.002 * (i % 3))
        return gyre.rand(2), i


class Workers(unittest.TestCase):
    def setUp(self):
        self.before = threading.active_count()

    def ended(self):
        """Whether no thread is left of those that a test began."""
        deadline = time.monotonic() + 30
        while threading.active_count() > self.before and time.monotonic() < deadline:
            time.sleep(0.01)
        return threading.active_count() == self.before

    def test_they_make_the_same_batches(self):
        for given in ({"shuffle": True, "seed": 3}, {"sampler": [5, 0, 7, 7, 2]}, {"shuffle": True, "collate_fn": list},
                      {"batch_sampler": [[1, 2], [0]]}):
            def text(batch):
                return [x.tolist() if isinstance(x, gyre.Tensor) else [x[0].tolist(), x[1]] for x in batch]

            size = {} if "batch_sampler" in given else {"batch_size": 4}
            one, many, busy = (data.DataLoader(Noisy(23), **size, **given, num_workers=n) for n in (0, 1, 3))
            with self.subTest(**given):
                want = [text(batch) for _ in range(2) for batch in one]
                for loader in (many, busy):
                    self.assertEqual([text(batch) for _ in range(2) for batch in loader], want)
                    self.assertNotIn(threading.get_ident(), {thread for _, thread in loader.dataset.asked})
        self.assertTrue(self.ended())

    def test_they_work_at_once_and_in_advance(self):
        both = threading.Barrier(2, timeout=60)

        class Meets(Squares):
            def __getitem__(self, i):
                both.wait()
                return super().__getitem__(i)

        self.assertEqual(len(list(data.DataLoader(Meets(8), batch=1, num_workers=2))), 8)
        dataset = Squares(40)
        batches = iter(data.DataLoader(dataset, batch=1, num_workers=2, prefetch_factor=3))
        next(batches)
        time.sleep(0.2)
        self.assertEqual(len(dataset.asked), 7)  # this one and 2 * 3 in advance
        batches.close()
        self.assertTrue(self.ended())

    def test_they_end_with_their_iterator(self):
        class Cycle:
            pass

        loader = data.DataLoader(Noisy(100), batch=2, num_workers=3)
        for _ in loader:
            break
        self.assertTrue(self.ended())
        self.assertEqual(loader.cursor, 1)
        cycle = Cycle()
        cycle.own, cycle.batches = cycle, iter(loader)
        next(cycle.batches)
        self.assertGreater(threading.active_count(), self.before)
        del cycle
        gc.collect()
        self.assertTrue(self.ended())
        program = "import gyre\nbatches = iter(gyre.data.DataLoader([1.0] * 50, num_workers=2, batch=1))\nprint(next(batches))"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "tensor([1.])\n", ""))

    def test_exceptions_come_with_the_index(self):
        class Failing(Noisy):
            def __getitem__(self, i):
                if i == 5:
                    raise LookupError("gone")
                return super().__getitem__(i)

        for given in ({}, {"num_workers": 2}, {"num_workers": 2, "collate_fn": list}, {"sampler": range(9)}):
            with self.subTest(**given):
                loader, seen = data.DataLoader(Failing(9), batch_size=2, **given), []
                with self.assertRaisesRegex(LookupError, "gone") as raised:
                    for batch in loader:
                        seen.append(batch)
                self.assertEqual((len(seen), loader.cursor), (2, 2))
                if sys.version_info >= (3, 11):
                    self.assertEqual(raised.exception.__notes__, ["dataset[5]"])
                self.assertTrue(self.ended())
        with self.assertRaises(LookupError):
            data.DataLoader(Failing(9), batch_size=9, collate_fn=list).next()
        with self.assertRaisesRegex(gyre.ValueError, "num_workers"):
            data.DataLoader(Squares(4), num_workers=-1)

    def test_a_forked_child_loads_by_itself(self):
        batches = iter(data.DataLoader(Squares(20), batch=1, num_workers=2))
        next(batches)
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            os._exit([batch[1].item() for batch in batches] != list(range(1, 20)))
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual([batch[1].item() for batch in batches], list(range(1, 20)))


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name, text=None):
        path = os.path.join(self.folder.name, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return path

    def test_tables(self):
        path = self.path("a.csv", "size,kind,label\n1,red,yes\n3,blue,no\n5,red,yes\n")
        table = data.read_table(path)
        self.assertEqual(table.classes, ["no", "yes"])
        self.assertEqual((table.data[0]["x"].shape, table.data[1]["y"].item()), ((3,), 0))
        again = data.read_table(path, encoding=json.loads(json.dumps(table.encoding)))
        self.assertEqual(again.data[2]["x"].tolist(), table.data[2]["x"].tolist())
        by_size = data.read_table(path, "size", without="label", task="number")
        self.assertEqual(by_size.data.batch([0, 1, 2])["y"].tolist(), [1, 3, 5])
        with self.assertRaisesRegex(gyre.ValueError, "heigth|height"):
            data.read_table(path, target="height")
        with self.assertRaisesRegex(TypeError, "did you mean target"):
            data.read_table(path, targt="size")

    def test_columns_and_rows_of_tables(self):
        path = self.path("a.csv", "size,kind,label\n1,red,yes\n3,,no\n,blue,\n5,red,yes\n4,n/a,no\n")
        table = data.read_table(path)
        self.assertEqual(len(table), 4)
        self.assertEqual(table.columns, ["size", "kind", "label"])
        self.assertEqual((table["size"].dtype, table["size"].tolist()), (gyre.f64, [1, 3, 5, 4]))
        self.assertEqual(table["kind"], ["red", None, "red", "n/a"])
        self.assertEqual(table["label"], ["yes", "no", "yes", "no"])
        self.assertTrue("kind" in table and "colour" not in table)
        with self.assertRaisesRegex(gyre.ValueError, 'no column "knd"; did you mean kind?'):
            table["knd"]
        with self.assertRaises(gyre.IndexError):
            table[4]
        self.assertRegex("".join(table.notes), "1 row of 5 left out: the target label is missing")
        self.assertEqual([example["y"].item() for example in table], [1, 0, 1, 0])
        for options in ({}, {"collate_fn": list}):
            self.assertEqual(len(list(data.DataLoader(table, 3, **options))), 2)
        self.assertEqual(next(iter(data.DataLoader(table, 4)))["y"].tolist(), [1, 0, 1, 0])
        new = data.read_table(self.path("b.csv", "label,size,kind\nno,2,red\n"), encoding=table.encoding)
        self.assertEqual((new.columns, new["size"].tolist(), new.notes), (["label", "size", "kind"], [2], []))

    def test_csv(self):
        path = self.path("a.csv", "n;t\n1;a\n;b\n3;\n")
        columns = data.read_csv(path)
        self.assertEqual(columns["t"], ["a", "b", None])
        self.assertEqual(columns["n"].dtype, gyre.f64)
        self.assertTrue(numpy.array_equal(columns["n"].numpy(), [1, numpy.nan, 3], equal_nan=True))
        self.assertEqual(data.read_csv(path, texts=["n"])["n"], ["1", None, "3"])
        with self.assertRaises(gyre.IOError):
            data.read_csv(self.path("none.csv"))

    def test_images(self):
        pixels = numpy.arange(2 * 3 * 4, dtype="u1")
        with gzip.open(self.path("train-images-idx3-ubyte.gz"), "wb") as file:
            file.write(struct.pack(">IIII", 2051, 2, 3, 4) + pixels.tobytes())
        with open(self.path("train-labels-idx1-ubyte"), "wb") as file:
            file.write(struct.pack(">II", 2049, 2) + bytes([7, 1]))
        images = data.mnist(self.folder.name)
        self.assertEqual((len(images), images[0]["x"].shape, images[1]["y"].item()), (2, (1, 3, 4), 1))
        with self.assertRaises(gyre.IOError):
            data.mnist(self.folder.name, "test")
        with self.assertRaisesRegex(gyre.ValueError, "training or test"):
            data.mnist(self.folder.name, "train")

    def test_texts(self):
        one, two = self.path("1.txt", "caf\u00e9 "), self.path("2.jsonl", '{"body": "x"}\n{"body": "y"}\n')
        self.assertEqual(data.read_text(one), "caf\u00e9 ")
        self.assertEqual(data.read_text([one, two], field="body", separator="|"), "caf\u00e9 x|y|")
        self.assertEqual(data.split_text("abcdefghij", 0.2), ("abcdefgh", "ij"))
        with self.assertRaises(gyre.ParseError):
            data.read_text(two)

    def test_tokens(self):
        batches = data.TokenBatches(list(range(100)), rows=2, block=5, seed=1)
        x, y = batches.at(3)
        self.assertEqual((x.shape, x.dtype, (x + 1).tolist()), ((2, 5), gyre.i32, y.tolist()))
        numpy.arange(100, dtype="<u2").tofile(self.path("t.bin"))
        for tokens in (numpy.arange(100), gyre.arange(100, dtype="i64"), self.path("t.bin")):
            self.assertEqual(data.TokenBatches(tokens, 2, 5, 1).at(3)[0].tolist(), x.tolist())
        self.assertEqual(len(batches), 100)
        with self.assertRaisesRegex(gyre.ValueError, "longer|block"):
            data.TokenBatches([1, 2], rows=1, block=5)


class Tokens(unittest.TestCase):
    TEXT = "the cat and the hat and the cat "

    def test_characters(self):
        tokenizer = gyre.Tokenizer.characters(self.TEXT)
        ids = tokenizer.encode("the hat")
        self.assertEqual((tokenizer.decode(ids), len(tokenizer)), ("the hat", tokenizer.vocab_size))
        self.assertEqual(tokenizer.token(ids[0]), "t")
        self.assertEqual(tokenizer.id("t"), ids[0])
        self.assertIsNone(tokenizer.id("q"))
        with self.assertRaises(gyre.ValueError):
            tokenizer.encode("q")
        with self.assertRaises(gyre.IndexError):
            tokenizer.decode([999])

    def test_learned_pairs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tokenizer.json")
            tokenizer = gyre.Tokenizer.train([self.TEXT] * 3, vocab_size=262, special=["<|end|>"])
            tokenizer.save(path)
            again = gyre.Tokenizer.load(path)
        for t in (tokenizer, again):
            ids = t.encode(self.TEXT)
            self.assertLess(len(ids), len(self.TEXT))
            for form in (ids, tuple(ids), numpy.array(ids), gyre.tensor(ids)):
                self.assertEqual(t.decode(form), self.TEXT)
            marked = t.encode("a<|end|>", special=True)
            self.assertEqual((marked[-1], t.is_special(0), t.decode(marked)), (0, True, "a<|end|>"))
            self.assertEqual(t.decode(marked, skip_special=True), "a")
            self.assertNotIn(0, t.encode("a<|end|>"))
        self.assertEqual(tokenizer.vocab_size, 262)
        self.assertEqual(tokenizer.decode(tokenizer.encode("\u00e9")[:1]), "\ufffd")
        with self.assertRaises(gyre.ValueError):
            gyre.Tokenizer.train(self.TEXT, vocab_size=10)
        with self.assertRaises(gyre.IOError):
            gyre.Tokenizer.load("/nowhere/tokenizer.json")

    def test_pickles(self):
        tokenizer = gyre.Tokenizer.train(self.TEXT, vocab_size=262)
        again = pickle.loads(pickle.dumps(tokenizer))
        self.assertEqual(again.encode(self.TEXT), tokenizer.encode(self.TEXT))
        with self.assertRaises(gyre.ParseError):
            gyre._gyre._tokenizer_of("{")


if __name__ == "__main__":
    unittest.main()
