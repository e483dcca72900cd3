"""gyre.data with PyTorch's names: datasets of datasets, samplers, collating, arguments of the loader."""

import collections
import json
import threading
import unittest

from common import gyre, needs_packages, numpy, torch

if gyre:
    from gyre import data


def setUpModule():
    needs_packages()


def rows(dataset):
    return [example.tolist() if isinstance(example, gyre.Tensor) else example for example in dataset]


def numbers(count):
    return data.TensorDataset(gyre.arange(count), gyre.arange(count) * 10)


class Stream:
    """Iterable, without indices."""

    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return iter(range(self.count))


class Datasets(unittest.TestCase):
    def test_subsets(self):
        part = data.Subset(numbers(5), gyre.tensor([3, 1]))
        self.assertEqual((len(part), [t.item() for t in part[0]], [t.item() for t in part[-1]]), (2, [3, 30], [1, 10]))
        self.assertIsInstance(part, data.Dataset)
        self.assertEqual([b[0].tolist() for b in data.DataLoader(data.Subset(numbers(5), [4, 0, 2]), batch_size=2)],
                         [[4, 0], [2]])
        self.assertEqual(rows(data.Subset("abc", [2, 0])), ["c", "a"])
        self.assertEqual([t.tolist() for t in numbers(2).tensors], [[0, 1], [0, 10]])

    def test_concatenation(self):
        both = data.ConcatDataset([numbers(3), "", numbers(2)])
        self.assertEqual((len(both), both.cumulative_sizes), (5, [3, 3, 5]))
        self.assertEqual([both[i][0].item() for i in range(-5, 5)], [0, 1, 2, 0, 1] * 2)
        self.assertEqual([x.item() for x, _ in numbers(2) + numbers(1)], [0, 1, 0])
        self.assertEqual(len(data.Subset("abc", [0]) + "de" + "f"), 4)
        chain = data.ChainDataset([Stream(2), Stream(3)])
        self.assertEqual(list(chain), [0, 1, 0, 1, 2])
        self.assertEqual(len(data.ChainDataset(["ab", "c"])), 3)

    def test_datasets_side_by_side(self):
        pairs = data.StackDataset(numbers(2), "ab")
        self.assertEqual((len(pairs), pairs[1][1], pairs[1][0][1].item()), (2, "b", 10))
        named = data.StackDataset(x=[1.0, 2.0], y=[3, 4])
        self.assertEqual({k: v.tolist() for k, v in data.DataLoader(named, batch_size=2).next().items()},
                         {"x": [1, 2], "y": [3, 4]})

    def test_random_splits(self):
        for lengths, want in (([3, 1], [3, 1]), ([0.5, 0.3, 0.2], None), ([0.9, 0.1], None), ([1.0], None),
                              ([4, 0], [4, 0])):
            size = sum(want) if want else 13
            gyre.manual_seed(3)
            parts = data.random_split(range(size), lengths)
            theirs = torch.utils.data.random_split(range(size), lengths)
            self.assertEqual([len(part) for part in parts], [len(part) for part in theirs])
            self.assertEqual(sorted(i for part in parts for i in part.indices), list(range(size)))
            gyre.manual_seed(3)
            self.assertEqual([part.indices for part in data.random_split(range(size), lengths)],
                             [p.indices for p in parts])
        orders = {tuple(data.random_split(range(9), [9], generator=gyre.Generator().manual_seed(seed))[0].indices)
                  for seed in (1, 2, 2)}
        self.assertEqual(len(orders), 2)

    def test_what_makes_no_sense_is_refused(self):
        class Nothing(data.IterableDataset):
            pass

        for error, words, act in (
                (IndexError, "below 2, got 2", lambda: data.Subset("abc", [2, 0])[2]),
                (IndexError, "below 2, got -3", lambda: data.ConcatDataset(["a", "b"])[-3]),
                (ValueError, "ConcatDataset: expected at least one", lambda: data.ConcatDataset([])),
                (TypeError, "got an IterableDataset; use ChainDataset", lambda: data.ConcatDataset([Nothing()])),
                (ValueError, "all by position or all by keyword", lambda: data.StackDataset()),
                (ValueError, "all by position or all by keyword", lambda: data.StackDataset("a", y="b")),
                (ValueError, r"equal length, got lengths \[1, 2\]", lambda: data.StackDataset("a", "bc")),
                (ValueError, "lengths that sum to 3, .* got", lambda: data.random_split("abc", [1, 1])),
                (ValueError, "fractions that sum to 1, got", lambda: data.random_split("abc", [0.5, 0.4])),
                (ValueError, "lengths of 0 or more", lambda: data.random_split("abc", [4, -1])),
                (NotImplementedError, "Nothing must define __iter__", lambda: iter(Nothing())),
                (TypeError, "does not define __len__", lambda: len(Nothing())),
                (NotImplementedError, "Sampler must define __iter__", lambda: iter(data.Sampler()))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()


class Samplers(unittest.TestCase):
    def test_orders(self):
        self.assertEqual(list(data.SequentialSampler("abc")), [0, 1, 2])
        for make in (lambda g: data.RandomSampler(range(50), generator=g),
                     lambda g: data.SubsetRandomSampler(range(50), g)):
            sampler = make(gyre.Generator().manual_seed(1))
            first, second = list(sampler), list(sampler)
            self.assertEqual((sorted(first), len(sampler)), (list(range(50)), 50))
            self.assertNotEqual(first, second)
            self.assertEqual(list(make(gyre.Generator().manual_seed(1))), first)
            gyre.manual_seed(4)
            want = list(make(None))
            gyre.manual_seed(4)
            self.assertEqual(list(make(None)), want)
        self.assertEqual({int(i) for i in data.SubsetRandomSampler(gyre.tensor([5, 7]))}, {5, 7})

    def test_numbers_of_samples(self):
        more = list(data.RandomSampler(range(4), num_samples=10))
        self.assertEqual((len(more), sorted(more[:4]), sorted(more[4:8])), (10, [0, 1, 2, 3], [0, 1, 2, 3]))
        drawn = data.RandomSampler(range(4), replacement=True, num_samples=1000)
        self.assertEqual((len(drawn), set(drawn)), (1000, {0, 1, 2, 3}))

    def test_weights(self):
        gyre.manual_seed(1)
        drawn = list(data.WeightedRandomSampler([0.0, 1.0, 3.0, 0.0, 4.0], 8000))
        counts = numpy.bincount(drawn, minlength=5) / 1000
        self.assertTrue(numpy.allclose(counts, [0, 1, 3, 0, 4], atol=0.25), counts)
        firsts = collections.Counter()
        for _ in range(2000):
            order = list(data.WeightedRandomSampler([1.0, 0.0, 3.0], 2, replacement=False))
            self.assertEqual(sorted(order), [0, 2])
            firsts[order[0]] += 1
        self.assertAlmostEqual(firsts[2] / 2000, 0.75, delta=0.05)
        sampler = data.WeightedRandomSampler(gyre.ones(5), num_samples=3, generator=gyre.Generator().manual_seed(6))
        again = data.WeightedRandomSampler(torch.ones(5), 3, True, gyre.Generator().manual_seed(6))
        self.assertEqual((list(sampler), len(sampler)), (list(again), 3))

    def test_batches(self):
        for drop_last, want in ((False, [[0, 1, 2], [3, 4, 5], [6]]), (True, [[0, 1, 2], [3, 4, 5]])):
            sampler = data.BatchSampler(data.SequentialSampler(range(7)), batch_size=3, drop_last=drop_last)
            self.assertEqual((list(sampler), len(sampler)), (want, len(want)))
            loader = data.DataLoader(numbers(7), batch_sampler=sampler)
            self.assertEqual([x.tolist() for x, _ in loader], want)

    def test_what_makes_no_sense_is_refused(self):
        weighted, theirs = data.WeightedRandomSampler, torch.Generator()
        for error, words, act in (
                (TypeError, "RandomSampler: expected replacement to be a bool", lambda: data.RandomSampler("ab", 3)),
                (ValueError, "num_samples to be an int of at least 1, got 0", lambda: data.RandomSampler("")),
                (ValueError, "num_samples to be an int of at least 1, got float",
                 lambda: data.RandomSampler("ab", num_samples=2.5)),
                (TypeError, "expected a gyre.Generator, got Generator",
                 lambda: list(data.RandomSampler("ab", generator=theirs))),
                (TypeError, "WeightedRandomSampler: expected replacement", lambda: weighted([1.0], 1, 0)),
                (ValueError, "num_samples to be an int", lambda: weighted([1.0], True)),
                (ValueError, r"one weight per example, got shape \[1, 1\]", lambda: weighted([[1.0]], 1)),
                (ValueError, "finite weights of 0 or more, not all 0", lambda: weighted([0.0], 1)),
                (ValueError, "finite weights", lambda: weighted([1.0, float("nan")], 1)),
                (ValueError, "finite weights", lambda: weighted([1.0, -1.0], 1)),
                (ValueError, "at most 1, .* got 2; set replacement=True",
                 lambda: weighted([1.0, 0.0], 2, replacement=False)),
                (ValueError, "batch_size to be an int of at least 1, got 0", lambda: data.BatchSampler([0], 0, False)),
                (TypeError, "drop_last to be a bool, got int", lambda: data.BatchSampler([0], 1, 0))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()


class Collating(unittest.TestCase):
    def test_structures(self):
        Point = collections.namedtuple("Point", "x y")
        batch = data.default_collate([
            {"image": numpy.full((2,), i, "f4"), "text": "ab"[i], "nested": (i, [1.5, gyre.ones(1)]),
             "point": Point(i, torch.zeros(1)),
             "flag": True} for i in range(2)])
        self.assertEqual((batch["image"].tolist(), batch["text"]), ([[0, 0], [1, 1]], ["a", "b"]))
        self.assertEqual((batch["nested"][0].tolist(), batch["nested"][1][0].tolist(), batch["nested"][1][1].shape),
                         ([0, 1], [1.5, 1.5], (2, 1)))
        self.assertEqual((batch["point"].x.dtype, batch["point"].y.shape, batch["flag"].dtype),
                         (gyre.i64, (2, 1), gyre.boolean))
        self.assertIsInstance(batch["nested"], tuple)
        self.assertEqual(list(data.DataLoader(["a", "b", "c"], batch_size=2)), [["a", "b"], ["c"]])
        nested = list(data.DataLoader([{"x": (i, "t"), "y": i} for i in range(2)], sampler=[1, 0]))
        self.assertEqual((nested[0]["x"][0].tolist(), nested[0]["x"][1], nested[0]["y"].tolist()),
                         ([1, 0], ["t", "t"], [1, 0]))
        texts = data.DataLoader([("a", 1), ("b", 2)], batch_size=2, collate_fn=data.default_collate).next()
        self.assertEqual((texts[0], texts[1].tolist()), (["a", "b"], [1, 2]))

    def test_what_makes_no_sense_is_refused(self):
        for error, words, batch in ((ValueError, "at least one example", []),
                                    (ValueError, r"lengths \[1, 2\]; pad them", [[1], [1, 2]]),
                                    (gyre.ShapeError, "equal shapes", [gyre.ones(1), gyre.ones(2)]),
                                    (TypeError, "object", [object()])):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                data.default_collate(batch)


class Loaders(unittest.TestCase):
    def test_a_generator_draws_the_seed(self):
        def order(generator=None, **options):
            return [x.tolist() for x, _ in data.DataLoader(numbers(30), 8, shuffle=True, generator=generator,
                                                           **options)]

        one = order(gyre.Generator().manual_seed(1))
        self.assertEqual(order(gyre.Generator().manual_seed(1), num_workers=2), one)
        generator = gyre.Generator().manual_seed(2)
        self.assertEqual(len({str(o) for o in (one, order(generator), order(generator))}), 3)

    def test_workers_begin(self):
        class Numbers(list):
            def __getitem__(self, i):
                begun.wait(10)
                return super().__getitem__(i)

        begun, seen = threading.Barrier(2), []
        for _ in data.DataLoader(Numbers(range(4)), batch_size=2, num_workers=2, prefetch_factor=1,
                                 worker_init_fn=lambda n: seen.append((n, threading.get_ident()))):
            pass
        self.assertEqual((sorted(n for n, _ in seen), len({thread for _, thread in seen})), ([0, 1], 2))
        self.assertNotIn(threading.get_ident(), {thread for _, thread in seen})

        def fails(number):
            raise LookupError("no such file")

        with self.assertRaisesRegex(LookupError, "no such file"):
            list(data.DataLoader([1, 2], num_workers=1, worker_init_fn=fails))

    def test_arguments_without_a_meaning(self):
        loader = data.DataLoader(numbers(4), batch_size=2, shuffle=None, pin_memory=False, timeout=0,
                                 pin_memory_device="",
                                 multiprocessing_context=None, persistent_workers=False, in_order=True,
                                 prefetch_factor=None)
        self.assertEqual((len(loader), loader.batch_size, loader.drop_last, loader.num_workers), (2, 2, False, 0))
        self.assertIsNone(data.DataLoader(numbers(4), batch_sampler=[[0]]).batch_size)
        self.assertIsNone(data.get_worker_info())
        for words, options in (("pin_memory=False, got True; leave it out: there is no pinned", {"pin_memory": True}),
                               ("pin_memory_device='', got 'cuda'", {"pin_memory_device": "cuda"}),
                               ("timeout=0, got 3; .* threads", {"timeout": 3}),
                               ("multiprocessing_context=None, got 'fork'", {"multiprocessing_context": "fork"}),
                               ("persistent_workers=False, got True", {"persistent_workers": True}),
                               ("in_order=True, got False", {"in_order": False}),
                               ("seed excludes generator", {"seed": 1, "generator": gyre.Generator()})):
            with self.subTest(words), self.assertRaisesRegex(ValueError, words):
                data.DataLoader(numbers(4), **options)

    def test_datasets_without_indices(self):
        class Endless(data.IterableDataset):
            def __iter__(self):
                return iter(int, 1)

        class Known(Stream, data.IterableDataset):
            def __len__(self):
                return self.count

        for workers in (0, 2):
            loader = data.DataLoader(Stream(7), batch_size=3, num_workers=workers)
            self.assertEqual([[b.tolist() for b in loader] for _ in range(2)], [[[0, 1, 2], [3, 4, 5], [6]]] * 2)
            self.assertEqual(loader.epoch, 2)
        self.assertEqual(list(data.DataLoader(Stream(5), batch_size=2, drop_last=True, collate_fn=sum)), [1, 5])
        self.assertEqual([len(data.DataLoader(Known(7), batch_size=3, drop_last=drop)) for drop in (False, True)],
                         [3, 2])
        self.assertEqual(next(iter(data.DataLoader(Endless(), batch_size=2))).tolist(), [0, 0])
        loader, other = (data.DataLoader(Stream(7), batch_size=3) for _ in range(2))
        next(iter(loader))
        other.load_state_dict(json.loads(json.dumps(loader.state_dict())))
        self.assertEqual([b.tolist() for b in other.resume()], [[3, 4, 5], [6]])
        for error, words, act in ((ValueError, "shuffle excludes an IterableDataset",
                                   lambda: data.DataLoader(Stream(2), shuffle=True)),
                                  (ValueError, "sampler excludes an IterableDataset",
                                   lambda: data.DataLoader(Stream(2), sampler=[0])),
                                  (ValueError, "batch_sampler excludes",
                                   lambda: data.DataLoader(Stream(2), batch_sampler=[[0]])),
                                  (ValueError, "an IterableDataset have no numbers", lambda: loader.at(0)),
                                  (ValueError, "have no numbers", loader.next), (TypeError, "len",
                                   lambda: len(loader))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                act()

    def test_errors_name_the_examples(self):
        ragged = [gyre.ones(1), gyre.ones(2), gyre.ones(2)]

        def fails(batch):
            raise LookupError("no label")

        for error, words, note, make in (
                (gyre.ShapeError, "equal shapes", "[0, 1]", lambda: data.DataLoader(ragged, 2).next()),
                (gyre.ShapeError, "equal shapes", "[0, 1]", lambda: data.DataLoader(ragged, 2).at(0)),
                (gyre.ShapeError, "equal shapes", "[2, 0]", lambda: list(data.DataLoader(ragged, 2, sampler=[2, 0]))),
                (gyre.ShapeError, "equal shapes", "[0, 1]", lambda: list(data.DataLoader(ragged, 2, num_workers=1))),
                (LookupError, "no label", "[1, 2]",
                 lambda: list(data.DataLoader(ragged, 2, sampler=[1, 2], collate_fn=fails))),
                (LookupError, "no label", "[0, 1, 2]", lambda: data.DataLoader(ragged, 3, collate_fn=fails).next()),
                (gyre.IndexError, r"index in \[0, 3\), got 5", "[0, 5]",
                 lambda: list(data.DataLoader(numbers(3), sampler=[0, 5]))),
                (IndexError, "list index out of range", "dataset[5]",
                 lambda: list(data.DataLoader([1, 2], sampler=[0, 5]))),
                (IndexError, "out of range", "dataset[5]",
                 lambda: list(data.DataLoader([1, 2], batch_sampler=[[5]], collate_fn=list)))):
            with self.subTest(words, note=note), self.assertRaisesRegex(error, words) as caught:
                make()
            if hasattr(caught.exception, "add_note"):
                want = note if note.startswith("dataset") else f"batch of dataset[i] for i in {note}"
                self.assertEqual(caught.exception.__notes__, [want])

    def test_the_other_name_of_the_module(self):
        import gyre.utils.data
        from gyre.utils.data import DataLoader

        self.assertIs(DataLoader, data.DataLoader)
        self.assertIs(gyre.utils.data, data)


class WithoutBatches(unittest.TestCase):
    """DataLoader(batch_size=None)."""

    def test_examples_one_by_one(self):
        import torch.utils.data

        for lib in (gyre, torch):
            data = lib.utils.data

            class Stream(data.IterableDataset):
                def __iter__(self):
                    return iter([numpy.ones(2), {"a": [numpy.zeros(1), "x"], "n": 3}, lib.ones(1)])

            first, second, third = data.DataLoader(Stream(), batch_size=None)
            self.assertEqual((first.tolist(), first.dtype, third.tolist()), ([1, 1], lib.float64, [1]))
            self.assertEqual((second["a"][0].tolist(), second["a"][1], second["n"]), ([0], "x", 3))
            loader = data.DataLoader([1, 2, 3], batch_size=None, collate_fn=lambda x: 2 * x)
            self.assertEqual((list(loader), len(loader), loader.batch_size), ([2, 4, 6], 3, None))
            with self.assertRaisesRegex(ValueError, "drop_last"):
                data.DataLoader([1], batch_size=None, drop_last=True)
        pair = collections.namedtuple("pair", "x y")(numpy.ones(1), 2)
        self.assertEqual(gyre.data.default_convert(pair).x.tolist(), [1])

if __name__ == "__main__":
    unittest.main()
