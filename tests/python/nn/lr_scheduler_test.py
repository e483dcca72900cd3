"""gyre.optim.lr_scheduler: the rates of each scheduler, compared with PyTorch."""

import copy
import json
import math
import unittest
import warnings

from common import gyre, needs_packages, torch

if gyre:
    from gyre import nn, optim
    from gyre.optim import lr_scheduler

STEPS = 50


def setUpModule():
    needs_packages()


def pair(kind="SGD", groups=1, **options):
    """An optimiser of gyre and the same of PyTorch, with rates 0.5, 0.25, ..."""
    def made(module, parameter):
        params = [{"params": [parameter()], "lr": 0.5 ** (i + 1)} for i in range(groups)]
        return getattr(module, kind)(params, lr=1.0, **options)

    return (made(optim, lambda: nn.Parameter([1.0])),
            made(torch.optim, lambda: torch.nn.Parameter(torch.ones(1))))


def rates(optimizer):
    return [group["lr"] for group in optimizer.param_groups]


def momenta(optimizer):
    return [group["betas"][0] if "betas" in group else group["momentum"] for group in optimizer.param_groups]


class Warmup:
    """A callable with state, which state_dict() holds."""

    def __init__(self, steps):
        self.steps = steps

    def __call__(self, epoch):
        return min(1.0, (epoch + 1) / self.steps)


# Functions of a module of schedulers and an optimiser.
CASES = {
    "lambda": lambda s, o: s.LambdaLR(o, lambda epoch: 0.9 ** epoch),
    "lambda of groups": lambda s, o: s.LambdaLR(
        o, [lambda epoch, i=i: 1 / (epoch + 1 + i) for i in range(len(o.param_groups))]),
    "lambda object": lambda s, o: s.LambdaLR(o, Warmup(7)),
    "multiplicative": lambda s, o: s.MultiplicativeLR(o, lambda epoch: 0.9 if epoch % 2 else 1.05),
    "step": lambda s, o: s.StepLR(o, 7),
    "step by name": lambda s, o: s.StepLR(o, step_size=1, gamma=0.9),
    "multistep": lambda s, o: s.MultiStepLR(o, [30, 3, 9, 9], gamma=0.5),
    "constant": lambda s, o: s.ConstantLR(o),
    "constant by name": lambda s, o: s.ConstantLR(o, factor=0.25, total_iters=11),
    "linear": lambda s, o: s.LinearLR(o),
    "linear to zero": lambda s, o: s.LinearLR(o, start_factor=1.0, end_factor=0.0, total_iters=12),
    "linear up": lambda s, o: s.LinearLR(o, 0.01, 0.5, 20),
    "exponential": lambda s, o: s.ExponentialLR(o, gamma=0.93),
    "polynomial": lambda s, o: s.PolynomialLR(o),
    "polynomial of power 2": lambda s, o: s.PolynomialLR(o, total_iters=30, power=2.0),
    "cosine": lambda s, o: s.CosineAnnealingLR(o, T_max=10),
    "cosine with eta_min": lambda s, o: s.CosineAnnealingLR(o, 13, eta_min=0.01),
    "cosine, T_max beyond": lambda s, o: s.CosineAnnealingLR(o, T_max=80, eta_min=1e-4),
    "restarts": lambda s, o: s.CosineAnnealingWarmRestarts(o, T_0=6),
    "restarts, longer": lambda s, o: s.CosineAnnealingWarmRestarts(o, 3, T_mult=2, eta_min=0.001),
    "onecycle": lambda s, o: s.OneCycleLR(o, max_lr=2.0, total_steps=STEPS),
    "onecycle by epochs": lambda s, o: s.OneCycleLR(o, 0.3, epochs=6, steps_per_epoch=10, pct_start=0.2, div_factor=10,
                                                    final_div_factor=100),
    "onecycle, linear": lambda s, o: s.OneCycleLR(o, 0.3, total_steps=60, anneal_strategy="linear", base_momentum=0.5,
                                                  max_momentum=0.8),
    "onecycle, three phases": lambda s, o: s.OneCycleLR(o, 0.3, total_steps=55, three_phase=True),
    "onecycle of groups": lambda s, o: s.OneCycleLR(o, [0.1 * (i + 1) for i in range(len(o.param_groups))],
                                                    total_steps=STEPS),
    "onecycle, rising only": lambda s, o: s.OneCycleLR(o, 0.3, total_steps=STEPS + 1, pct_start=1.0),
    "onecycle, falling only": lambda s, o: s.OneCycleLR(o, 0.3, total_steps=STEPS, pct_start=0.0),
    "cyclic": lambda s, o: s.CyclicLR(o, base_lr=0.01, max_lr=0.1, step_size_up=5),
    "cyclic, unequal": lambda s, o: s.CyclicLR(o, 0.01, 0.1, step_size_up=3, step_size_down=8, mode="triangular2"),
    "cyclic, exp_range": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 4, mode="exp_range", gamma=0.95, base_momentum=0.6),
    "cyclic, scale_fn": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 4, scale_fn=lambda x: 1 / (1 + x),
                                                scale_mode="iterations"),
    "cyclic, scale_fn of cycles": lambda s, o: s.CyclicLR(o, 0.01, 0.1, 4, scale_fn=lambda x: 1 / (1 + x)),
    "chained": lambda s, o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.9)]),
    "chained cosine": lambda s, o: s.ChainedScheduler([s.LinearLR(o, 0.1, total_iters=9),
                                                       s.CosineAnnealingLR(o, 20, 0.01)],
                                                      optimizer=o),
    "chained to zero": lambda s, o: s.ChainedScheduler([s.LinearLR(o, 1.0, 0.0, 9), s.StepLR(o, 4)]),
    "sequential": lambda s, o: s.SequentialLR(o, [s.LinearLR(o, 0.1, total_iters=5), s.CosineAnnealingLR(o, 30)], [5]),
    "sequential of three": lambda s, o: s.SequentialLR(
        o, schedulers=[s.ConstantLR(o, 0.1, 3), s.ExponentialLR(o, 0.9), s.StepLR(o, 4)], milestones=[4, 20]),
    "sequential, restarts": lambda s, o: s.SequentialLR(
        o, [s.LinearLR(o, 0.01, total_iters=8), s.CosineAnnealingWarmRestarts(o, 5, 2)], milestones=[8]),
    "sequential, lambda": lambda s, o: s.SequentialLR(
        o, [s.LambdaLR(o, lambda t: (t + 1) / 6), s.MultiStepLR(o, [3, 6]), s.PolynomialLR(o, 9)], [6, 20]),
}


class BesideTorch(unittest.TestCase):
    def near(self, a, b, words=None):
        self.assertEqual(len(a), len(b), words)
        for x, y in zip(a, b):
            self.assertTrue(math.isclose(x, y, rel_tol=1e-6, abs_tol=1e-15), (words, a, b))

    def compare(self, make, cycles=False, **options):
        mine, theirs = pair(**options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            a, b = make(lr_scheduler, mine), make(torch.optim.lr_scheduler, theirs)
            for step in range(STEPS):
                self.near(rates(mine), rates(theirs), step)
                self.near(a.get_last_lr(), b.get_last_lr(), step)
                if cycles:
                    self.near(momenta(mine), momenta(theirs), step)
                theirs.step()
                a.step()
                b.step()
        if hasattr(b, "last_epoch"):
            self.assertEqual(a.last_epoch, b.last_epoch)

    def test_rates_are_those_of_torch(self):
        for name, make in CASES.items():
            cycles = "cycl" in name
            for groups in (1, 2):
                for kind, options in (("SGD", {"momentum": 0.9}), ("AdamW", {})) if cycles else (("SGD", {}),):
                    with self.subTest(name, groups=groups, kind=kind):
                        self.compare(make, cycles, kind=kind, groups=groups, **options)

    def test_cycles_without_momentum(self):
        for make in (lambda s, o: s.OneCycleLR(o, 0.1, total_steps=60, cycle_momentum=False),
                     lambda s, o: s.CyclicLR(o, 0.1, 0.2, 6, cycle_momentum=False)):
            self.compare(make)

    def test_plateaus(self):
        metrics = [math.sin(i) + 2 + max(0, 12 - i) / 3 for i in range(STEPS)]
        for options in ({"patience": 0}, {"patience": 3, "factor": 0.5, "cooldown": 2}, {"mode": "max", "patience": 2},
                        {"threshold": 0.2, "threshold_mode": "abs", "patience": 4}, {"min_lr": 0.2, "patience": 1},
                        {"mode": "max", "threshold": 0.2, "threshold_mode": "abs", "patience": 1,
                         "min_lr": [0.01, 0.1]},
                        {"patience": 1, "eps": 0.01, "factor": 0.7}):
            with self.subTest(**options):
                mine, theirs = pair(groups=2)
                a = lr_scheduler.ReduceLROnPlateau(mine, **options)
                b = torch.optim.lr_scheduler.ReduceLROnPlateau(theirs, **options)
                for metric in metrics:
                    a.step(gyre.tensor(metric, dtype="f64"))
                    b.step(metric)
                    self.near(rates(mine), rates(theirs))
                    self.near(a.get_last_lr(), b.get_last_lr())
                self.assertEqual((a.num_bad_epochs, a.cooldown_counter, a.last_epoch),
                                 (b.num_bad_epochs, b.cooldown_counter, b.last_epoch))
                self.assertAlmostEqual(a.best, b.best)

    def test_epochs_can_be_chosen(self):
        for make in (lambda s, o: s.CosineAnnealingWarmRestarts(o, 4, 2), lambda s,
                     o: s.CosineAnnealingWarmRestarts(o, 4)):
            mine, theirs = pair()
            a, b = make(lr_scheduler, mine), make(torch.optim.lr_scheduler, theirs)
            for epoch in (0.5, 1.25, 4.0, 17.75, 3.5):
                a.step(epoch)
                b.step(epoch)
                self.near(rates(mine), rates(theirs), epoch)
                self.assertEqual((a.last_epoch, a.T_i), (b.last_epoch, b.T_i))
        mine, _ = pair()
        scheduler = lr_scheduler.StepLR(mine, 2, 0.5)
        scheduler.step(9)
        self.assertEqual((rates(mine), scheduler.last_epoch), ([0.5 ** 5], 9))
        for name in ("sequential", "chained"):
            one, other = (CASES[name](lr_scheduler, pair()[0]) for _ in range(2))
            one.step(12)
            for _ in range(12):
                other.step()
            self.near(one.get_last_lr(), other.get_last_lr())

    def test_they_set_groups_of_other_optimisers(self):
        for name in ("cosine", "onecycle", "cyclic"):
            _, one = pair("AdamW")
            _, other = pair("AdamW")
            a, b = CASES[name](lr_scheduler, one), CASES[name](torch.optim.lr_scheduler, other)
            one.step(), other.step()
            for _ in range(9):
                a.step()
                b.step()
            self.near(rates(one) + momenta(one), rates(other) + momenta(other))

    def test_subclasses(self):
        def of(module):
            class InverseRoot(module.LRScheduler):
                def __init__(self, optimizer, warmup, last_epoch=-1):
                    self.warmup = warmup
                    super().__init__(optimizer, last_epoch)

                def get_lr(self):
                    return [base * min((self.last_epoch + 1) / self.warmup,
                                       (self.warmup / (self.last_epoch + 1)) ** 0.5)
                            for base in self.base_lrs]

            return InverseRoot

        self.compare(lambda s, o: of(s)(o, 8), groups=2)


class States(unittest.TestCase):
    def test_a_schedule_resumes(self):
        for name, make in CASES.items():
            with self.subTest(name):
                through, _ = pair("AdamW", 2)
                whole = make(lr_scheduler, through)
                for _ in range(8):
                    whole.step()
                states = copy.deepcopy((through.state_dict(), whole.state_dict()))
                again, _ = pair("AdamW", 2)
                scheduler = make(lr_scheduler, again)
                again.load_state_dict(states[0])
                scheduler.load_state_dict(json.loads(json.dumps(states[1])))
                for _ in range(8):
                    whole.step()
                    scheduler.step()
                    self.assertEqual(rates(again), rates(through))
                    self.assertEqual(scheduler.get_last_lr(), whole.get_last_lr())

    def test_last_epoch_resumes(self):
        for name in ("lambda", "exponential", "cosine", "linear up", "restarts", "multiplicative"):
            with self.subTest(name):
                mine, theirs = pair()
                schedulers = []
                for module, optimizer in ((lr_scheduler, mine), (torch.optim.lr_scheduler, theirs)):
                    optimizer.param_groups[0].update(initial_lr=0.5, lr=0.125)
                    kinds = {"lambda": lambda: module.LambdaLR(optimizer, lambda t: 0.9 ** t, last_epoch=4),
                             "exponential": lambda: module.ExponentialLR(optimizer, 0.9, last_epoch=4),
                             "cosine": lambda: module.CosineAnnealingLR(optimizer, 20, last_epoch=4),
                             "linear up": lambda: module.LinearLR(optimizer, 0.1, total_iters=20, last_epoch=4),
                             "restarts": lambda: module.CosineAnnealingWarmRestarts(optimizer, 8, last_epoch=4),
                             "multiplicative": lambda: module.MultiplicativeLR(optimizer, lambda t: 0.9, last_epoch=4)}
                    schedulers.append(kinds[name]())
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    for _ in range(10):
                        self.assertAlmostEqual(rates(mine)[0], rates(theirs)[0], delta=1e-9)
                        for scheduler in schedulers:
                            scheduler.step()
                self.assertEqual(*(scheduler.last_epoch for scheduler in schedulers))

    def test_data_of_callable_objects_is_saved(self):
        optimizer, _ = pair()
        scheduler = lr_scheduler.LambdaLR(optimizer, [Warmup(5)])
        state = scheduler.state_dict()
        self.assertEqual(state["lr_lambdas"], [{"steps": 5}])
        self.assertNotIn("optimizer", state)
        other = lr_scheduler.LambdaLR(optimizer, Warmup(9))
        other.load_state_dict(state)
        self.assertEqual(other.lr_lambdas[0].steps, 5)
        self.assertEqual(lr_scheduler.LambdaLR(optimizer, lambda t: 1.0).state_dict()["lr_lambdas"], [None])

    def test_sequences_resume_at_an_epoch_and_nest(self):
        optimizer, _ = pair()
        parts = [lr_scheduler.StepLR(optimizer, 2), lr_scheduler.ExponentialLR(optimizer, 0.5)]
        scheduler = lr_scheduler.SequentialLR(optimizer, parts, [8], last_epoch=3)
        self.assertEqual((scheduler.last_epoch, scheduler.get_last_lr()), (4, [0.5]))

        optimizer, _ = pair()
        inner = lr_scheduler.SequentialLR(optimizer, [lr_scheduler.LinearLR(optimizer, 0.5, total_iters=2),
                                                      lr_scheduler.ConstantLR(optimizer, 1.0)], [2])
        chain = lr_scheduler.ChainedScheduler([lr_scheduler.ExponentialLR(optimizer, 0.5)])
        outer = lr_scheduler.SequentialLR(optimizer, [inner, chain], [3])
        seen = []
        for _ in range(6):
            seen += rates(optimizer)
            outer.step()
        self.assertEqual(seen, [0.25, 0.375, 0.5, 0.5, 0.25, 0.125])


class Refused(unittest.TestCase):
    def test_what_makes_no_sense_is_refused(self):
        s = lr_scheduler
        o, _ = pair()
        other, _ = pair()
        plain = optim.Lion([nn.Parameter([1.0])])
        bare = type("Bare", (), {"param_groups": [{"params": [], "lr": 0.1}]})()
        one = [s.StepLR(o, 1)]
        for error, words, make in (
                (TypeError, "StepLR: expected an optimizer with param_groups, got list", lambda: s.StepLR([], 3)),
                (TypeError, "LambdaLR: expected an optimizer with param_groups, got int", lambda: s.LambdaLR(3, len)),
                (KeyError, "initial_lr in parameter group 0 to resume at last_epoch=4; load the state_dict",
                 lambda: s.StepLR(plain, 3, last_epoch=4)),
                (NotImplementedError, "LRScheduler must define get_lr", lambda: s.LRScheduler(o)),
                (ValueError, "expected lr_lambda for 1 parameter groups", lambda: s.LambdaLR(o, [len, len])),
                (ValueError, "expected lr_lambda for 1 parameter groups", lambda: s.MultiplicativeLR(o, [len, len])),
                (TypeError, "expected a function as lr_lambda, got float", lambda: s.MultiplicativeLR(o, 0.5)),
                (ValueError, "step_size above 0, got 0", lambda: s.StepLR(o, 0)),
                (ValueError, r"factor in \[0, 1\], got 2", lambda: s.ConstantLR(o, 2)),
                (ValueError, r"start_factor in \(0, 1\], got 0", lambda: s.LinearLR(o, 0)),
                (ValueError, r"end_factor in \[0, 1\], got 2", lambda: s.LinearLR(o, 1.0, 2)),
                (ValueError, "total_iters above 0, got 0", lambda: s.LinearLR(o, total_iters=0)),
                (ValueError, "total_iters above 0, got 0", lambda: s.PolynomialLR(o, 0)),
                (ValueError, "T_max above 0, got 0", lambda: s.CosineAnnealingLR(o, 0)),
                (ValueError, "T_0 to be an int above 0, got 2.5", lambda: s.CosineAnnealingWarmRestarts(o, 2.5)),
                (ValueError, "T_mult to be an int above 0, got 0", lambda: s.CosineAnnealingWarmRestarts(o, 2, 0)),
                (ValueError, "epoch of 0 or more, got -3", lambda: s.CosineAnnealingWarmRestarts(o, 2).step(-3)),
                (ValueError, "total_steps, or epochs and steps_per_epoch", lambda: s.OneCycleLR(o, 1.0, epochs=3)),
                (ValueError, "total_steps to be an int above 0", lambda: s.OneCycleLR(o, 1.0, 0)),
                (ValueError, "pct_start in", lambda: s.OneCycleLR(o, 1.0, 10, pct_start=2)),
                (ValueError, "anneal_strategy cos or linear, got 'sine'",
                 lambda: s.OneCycleLR(o, 1, 9, anneal_strategy="sine")),
                (ValueError, "max_lr for 1 parameter groups", lambda: s.OneCycleLR(o, [1.0, 2.0], 10)),
                (ValueError, "at most total_steps=3 steps, got step 4",
                 lambda: [s.OneCycleLR(o, 1.0, 3).step(i) for i in range(5)]),
                (ValueError, "momentum or betas, got Bare; set cycle_momentum=False",
                 lambda: s.OneCycleLR(bare, 1.0, 3)),
                (ValueError, "momentum or betas, got Bare", lambda: s.CyclicLR(bare, 0.1, 1.0)),
                (ValueError, "mode triangular, triangular2 or exp_range, got 'square'",
                 lambda: s.CyclicLR(o, 0, 1, mode="square")),
                (ValueError, "scale_mode cycle or iterations, got 'x'",
                 lambda: s.CyclicLR(o, 0, 1, scale_fn=abs, scale_mode="x")),
                (ValueError, "step_size_up above 0", lambda: s.CyclicLR(o, 0, 1, step_size_up=0)),
                (ValueError, "base_lr for 1 parameter groups", lambda: s.CyclicLR(o, [0, 0], 1)),
                (ValueError, "factor below 1", lambda: s.ReduceLROnPlateau(o, factor=1.0)),
                (ValueError, "mode min or max", lambda: s.ReduceLROnPlateau(o, "least")),
                (ValueError, "threshold_mode rel or abs", lambda: s.ReduceLROnPlateau(o, threshold_mode="x")),
                (ValueError, "min_lr for 1 parameter groups", lambda: s.ReduceLROnPlateau(o, min_lr=[0, 0])),
                (ValueError, "SequentialLR: expected at least one scheduler", lambda: s.SequentialLR(o, [], [])),
                (ValueError, "ChainedScheduler: expected at least one scheduler", lambda: s.ChainedScheduler([])),
                (TypeError, "expected a scheduler, got int at index 1", lambda: s.ChainedScheduler([*one, 3])),
                (ValueError, "step it separately", lambda: s.SequentialLR(o, [s.ReduceLROnPlateau(o)], [])),
                (ValueError, "another one at index 0", lambda: s.SequentialLR(other, one, [])),
                (ValueError, "another one at index 1", lambda: s.ChainedScheduler([*one, s.StepLR(other, 1)])),
                (ValueError, "expected 0 milestones for 1 schedulers, got 1", lambda: s.SequentialLR(o, one, [3]))):
            with self.subTest(words), self.assertRaisesRegex(error, words):
                make()

    def test_groups_that_are_added_later(self):
        optimizer, _ = pair()
        scheduler = lr_scheduler.LambdaLR(optimizer, lambda t: 1.0)
        plateau = lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=0.1)
        listed = lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=[0.1])
        optimizer.add_param_group({"params": [nn.Parameter([1.0])], "lr": 0.2})
        with self.assertRaisesRegex(ValueError, "rates for 2 parameter groups, got 1; create the scheduler after"):
            scheduler.step()
        for metric in (1.0, 2.0):
            plateau.step(metric)
        self.assertEqual(rates(optimizer), [0.1, 0.1])
        listed.step(1.0)
        with self.assertRaisesRegex(ValueError, "min_lr for 2 parameter groups"):
            listed.step(2.0)


if __name__ == "__main__":
    unittest.main()
