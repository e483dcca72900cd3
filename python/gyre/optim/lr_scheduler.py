"""Learning-rate schedulers that set the rates of an optimiser's parameter groups, with PyTorch's names.

    scheduler = gyre.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=100)
    for epoch in range(100):
        train(optimizer)
        scheduler.step()

gyre.optim.Schedule is the same idea without state: a function of the step."""

import bisect
import inspect
import math
import reprlib

from gyre._display import named

__all__ = ["ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR",
           "ExponentialLR", "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR",
           "PolynomialLR", "ReduceLROnPlateau", "SequentialLR", "StepLR"]


def _check(owner, holds, name, expected, value):
    if not holds:
        raise ValueError(f"{owner}: expected {name} {expected}, got {reprlib.repr(value)}")


def _groups_of(owner, optimizer):
    groups = getattr(optimizer, "param_groups", None)
    if groups is None:
        raise TypeError(f"{owner}: expected an optimizer with param_groups, got {type(optimizer).__name__}")
    return groups


def _of_groups(owner, optimizer, name, value):
    """`value` for each parameter group: itself, or the items of a list."""
    count = len(_groups_of(owner, optimizer))
    values = list(value) if isinstance(value, (list, tuple)) else [value] * count
    _check(owner, len(values) == count, name, f"for {count} parameter groups", value)
    return values


def _saved(value):
    """What a state_dict holds of an attribute: not the code of functions, but the data of callable objects."""
    if isinstance(value, LRScheduler):
        return value.state_dict()
    if isinstance(value, list):
        return [_saved(item) for item in value]
    return dict(getattr(value, "__dict__", None) or {}) or None if callable(value) else value


def _restored(own, saved):
    if isinstance(own, LRScheduler):
        own.load_state_dict(saved)
    elif isinstance(own, list) and any(callable(item) or isinstance(item, LRScheduler) for item in own):
        return [_restored(*pair) for pair in zip(own, saved)]
    elif callable(own):
        if saved:
            vars(own).update(saved)
    else:
        return saved
    return own


class LRScheduler:
    """Base class of schedulers. A subclass defines get_lr(), which returns the rate of each parameter group at
    `last_epoch` from `base_lrs` or from the rates in `optimizer.param_groups`. With `last_epoch` the schedule resumes
    after that epoch; the groups must then have an "initial_lr"."""

    def __init__(self, optimizer, last_epoch=-1):
        groups = _groups_of(type(self).__name__, optimizer)
        for number, group in enumerate(groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(f"expected initial_lr in parameter group {number} to resume at last_epoch={last_epoch}; "
                               "load the state_dict of the optimizer first")
        self.optimizer, self.last_epoch = optimizer, last_epoch
        self.base_lrs = [group["initial_lr"] for group in groups]
        self._begin()

    def _begin(self):
        """The step of the constructor; it leaves the rates of a resumed optimiser as they are."""
        self._resumes = self.last_epoch >= 0
        self.step()
        self._resumes = False

    def _rewind(self):
        self.last_epoch = -1

    def get_lr(self):
        """The rate of each parameter group at `last_epoch`."""
        raise NotImplementedError(f"{type(self).__name__} must define get_lr()")

    def get_last_lr(self):
        """The rates that the last step() set."""
        return self._last_lr

    def step(self, epoch=None):
        """Sets the rates of the next epoch, or those of `epoch`. Call it after optimizer.step()."""
        self._go_to(self.last_epoch + 1 if epoch is None else epoch, epoch is not None)

    def _go_to(self, epoch, jumps=True):
        self.last_epoch = epoch
        closed = getattr(self, "_get_closed_form_lr", None) if jumps else None
        self._set_rates((closed or self.get_lr)())

    def _set_rates(self, rates):
        groups = self.optimizer.param_groups
        if len(rates) != len(groups):
            raise ValueError(f"{type(self).__name__}: expected rates for {len(groups)} parameter groups, "
                             f"got {len(rates)}; create the scheduler after adding groups")
        for group, rate in zip(groups, rates):
            group["lr"] = rate
        self._last_lr = [group["lr"] for group in groups]

    def state_dict(self):
        """All attributes but the optimizer; of functions nothing, of callable objects their attributes."""
        return {name: _saved(value) for name, value in vars(self).items() if name != "optimizer"}

    def __repr__(self):
        arguments = {name: vars(self)[name] for name in inspect.signature(type(self)).parameters
                     if name in vars(self) and name != "optimizer"}
        return f"{type(self).__name__}({named(**arguments, lr=self.get_last_lr())})"

    def load_state_dict(self, state_dict):
        """Restores the result of state_dict(). The rates of the groups are in the state of the optimizer."""
        own = vars(self)
        own.update({name: _restored(own.get(name), value) for name, value in state_dict.items()})


_LRScheduler = LRScheduler  # its name in PyTorch before 2.0, which programs derive schedulers from


class _Decay(LRScheduler):
    """floor + (initial rate - floor) * factor(epoch). Each step scales the rates by the ratio of two factors, so
    that several schedulers can act on the same groups."""

    _floor = 0.0

    def get_lr(self):
        rates = [group["lr"] for group in self.optimizer.param_groups]
        after = self._factor(self.last_epoch)
        before = self._factor(self.last_epoch - 1) if self.last_epoch > 0 else 1.0
        if self._resumes or after == before:
            return rates
        if before == 0.0:  # the rates are at the floor, which leaves nothing to scale
            return [rate + (base - self._floor) * after for rate, base in zip(rates, self.base_lrs)]
        return [self._floor + (rate - self._floor) * after / before for rate in rates]

    def _get_closed_form_lr(self):
        return [self._floor + (base - self._floor) * self._factor(self.last_epoch) for base in self.base_lrs]


class LambdaLR(LRScheduler):
    """The initial rate times lr_lambda(epoch); lr_lambda is a function, or a list of one per parameter group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = _of_groups("LambdaLR", optimizer, "lr_lambda", lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        return [base * function(self.last_epoch) for base, function in zip(self.base_lrs, self.lr_lambdas)]


class MultiplicativeLR(LRScheduler):
    """The rate before times lr_lambda(epoch), from epoch 1 on; lr_lambda is a function, or a list of one per
    parameter group."""

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = _of_groups("MultiplicativeLR", optimizer, "lr_lambda", lr_lambda)
        if wrong := [function for function in self.lr_lambdas if not callable(function)]:
            raise TypeError(f"MultiplicativeLR: expected a function as lr_lambda, got {type(wrong[0]).__name__}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self._resumes or self.last_epoch == 0:
            return rates
        return [rate * function(self.last_epoch) for rate, function in zip(rates, self.lr_lambdas)]


class StepLR(_Decay):
    """Multiplies the rate by gamma every step_size epochs."""

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        _check("StepLR", step_size > 0, "step_size", "above 0", step_size)
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.gamma ** (epoch // self.step_size)


class MultiStepLR(_Decay):
    """Multiplies the rate by gamma at each of the milestones."""

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.gamma ** bisect.bisect_right(self.milestones, epoch)


class ConstantLR(_Decay):
    """The rate times `factor` before epoch total_iters."""

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        _check("ConstantLR", 0 <= factor <= 1, "factor", "in [0, 1]", factor)
        self.factor, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.factor if epoch < self.total_iters else 1.0


class LinearLR(_Decay):
    """The rate times a factor that is linear from start_factor to end_factor in total_iters epochs."""

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        _check("LinearLR", 0 < start_factor <= 1, "start_factor", "in (0, 1]", start_factor)
        _check("LinearLR", 0 <= end_factor <= 1, "end_factor", "in [0, 1]", end_factor)
        _check("LinearLR", total_iters > 0, "total_iters", "above 0", total_iters)
        self.start_factor, self.end_factor, self.total_iters = start_factor, end_factor, total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        done = min(epoch, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * done


class ExponentialLR(_Decay):
    """Multiplies the rate by gamma every epoch."""

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return self.gamma ** epoch


class PolynomialLR(_Decay):
    """The rate times (1 - epoch / total_iters) ** power, and 0 from epoch total_iters on."""

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        _check("PolynomialLR", total_iters > 0, "total_iters", "above 0", total_iters)
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def _factor(self, epoch):
        return (1 - min(epoch, self.total_iters) / self.total_iters) ** self.power


class CosineAnnealingLR(_Decay):
    """Half a cosine wave from the initial rate to eta_min in T_max epochs, and back after them (SGDR, Loshchilov
    and Hutter 2017, without restarts)."""

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        _check("CosineAnnealingLR", T_max > 0, "T_max", "above 0", T_max)
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    @property
    def _floor(self):
        return self.eta_min

    def _factor(self, epoch):
        return (1 + math.cos(math.pi * epoch / self.T_max)) / 2


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine wave from the initial rate to eta_min in T_0 epochs, then again in T_mult times as many, and so
    on (SGDR, Loshchilov and Hutter 2017). step() also takes fractions of epochs."""

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            counts = isinstance(value, int) and value > 0
            _check("CosineAnnealingWarmRestarts", counts, name, "to be an int above 0", value)
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        done, length = self.last_epoch, self.T_0
        if self.T_mult == 1:
            done %= length
        while done >= length:
            done, length = done - length, length * self.T_mult
        self.T_cur, self.T_i = done, length
        factor = (1 + math.cos(math.pi * done / length)) / 2
        return [self.eta_min + (base - self.eta_min) * factor for base in self.base_lrs]

    def _go_to(self, epoch, jumps=True):
        _check("CosineAnnealingWarmRestarts", epoch >= 0, "epoch", "of 0 or more", epoch)
        super()._go_to(epoch, jumps)
        self.last_epoch = math.floor(epoch)


class _Cycle(LRScheduler):
    """Schedulers that set the rate and, if `cycle_momentum`, the momentum or beta1 of each group."""

    def _hold(self, optimizer, **values):
        """Sets options of each group, from values for all groups or lists of one per group."""
        owner = type(self).__name__
        for name, value in values.items():
            for group, own in zip(_groups_of(owner, optimizer), _of_groups(owner, optimizer, name, value)):
                group[name] = own

    def _check_momentum(self, optimizer):
        for group in _groups_of(type(self).__name__, optimizer):
            if self.cycle_momentum and "momentum" not in group and "betas" not in group:
                raise ValueError(f"{type(self).__name__}: expected an optimizer with momentum or betas, "
                                 f"got {type(optimizer).__name__}; set cycle_momentum=False")

    def _set_momentum(self, momenta):
        for group, momentum in zip(self.optimizer.param_groups, momenta):
            if "momentum" in group:
                group["momentum"] = momentum
            else:
                group["betas"] = (momentum, *group["betas"][1:])


class CyclicLR(_Cycle):
    """Cycles the rate between base_lr and max_lr: step_size_up steps up, step_size_down down (Smith 2017). `mode` is
    triangular, triangular2 (the range is halved after each cycle) or exp_range (it is scaled by gamma ** step);
    scale_fn, a function of the cycle or of the step (scale_mode: cycle or iterations), replaces it. Momentum is
    cycled inversely."""

    _modes = {"triangular": "cycle", "triangular2": "cycle", "exp_range": "iterations"}

    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode="triangular",
                 gamma=1.0, scale_fn=None, scale_mode="cycle", cycle_momentum=True, base_momentum=0.8, max_momentum=0.9,
                 last_epoch=-1):
        _check("CyclicLR", step_size_up > 0, "step_size_up", "above 0", step_size_up)
        known = scale_fn is not None or mode in self._modes
        _check("CyclicLR", known, "mode", "triangular, triangular2 or exp_range", mode)
        self.step_size_up = step_size_up
        self.step_size_down = step_size_up if step_size_down is None else step_size_down
        self.mode, self.gamma, self.scale_fn, self.cycle_momentum = mode, gamma, scale_fn, cycle_momentum
        self.scale_mode = self._modes[mode] if scale_fn is None else scale_mode
        _check("CyclicLR", self.scale_mode in ("cycle", "iterations"), "scale_mode", "cycle or iterations", scale_mode)
        self._check_momentum(optimizer)
        self._lows, self.max_lrs, self.base_momentums, self.max_momentums = (
            _of_groups("CyclicLR", optimizer, name, value)
            for name, value in (("base_lr", base_lr), ("max_lr", max_lr), ("base_momentum", base_momentum),
                                ("max_momentum", max_momentum)))
        if last_epoch == -1:
            self._hold(optimizer, lr=self._lows)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = self._lows

    def _scale(self, cycle):
        if self.scale_fn is not None:
            return self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return {"triangular": 1.0, "triangular2": 0.5 ** (cycle - 1)}.get(self.mode, self.gamma ** self.last_epoch)

    def get_lr(self):
        up, length = self.step_size_up, self.step_size_up + self.step_size_down
        cycle, done = self.last_epoch // length, self.last_epoch % length
        height = (done / up if done <= up else (length - done) / self.step_size_down) * self._scale(cycle + 1)
        if self.cycle_momentum:
            ends = zip(self.base_momentums, self.max_momentums)
            self._set_momentum([high - (high - low) * height for low, high in ends])
        return [low + (high - low) * height for low, high in zip(self._lows, self.max_lrs)]


class OneCycleLR(_Cycle):
    """One cycle of total_steps (or epochs * steps_per_epoch) steps: from max_lr / div_factor up to max_lr in the first
    pct_start of them, then down to the initial rate / final_div_factor (Smith and Topin 2018); with three_phase first
    down to the initial rate. Momentum is cycled inversely."""

    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3,
                 anneal_strategy="cos", cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0,
                 final_div_factor=1e4, three_phase=False, last_epoch=-1):
        if total_steps is None:
            if epochs is None or steps_per_epoch is None:
                raise ValueError("OneCycleLR: expected total_steps, or epochs and steps_per_epoch")
            total_steps = epochs * steps_per_epoch
        counts = isinstance(total_steps, int) and total_steps > 0
        _check("OneCycleLR", counts, "total_steps", "to be an int above 0", total_steps)
        _check("OneCycleLR", 0 <= pct_start <= 1, "pct_start", "in [0, 1]", pct_start)
        _check("OneCycleLR", anneal_strategy in ("cos", "linear"), "anneal_strategy", "cos or linear", anneal_strategy)
        self.total_steps, self.anneal_strategy, self.cycle_momentum = total_steps, anneal_strategy, cycle_momentum
        self._check_momentum(optimizer)
        if last_epoch == -1:
            peaks = _of_groups("OneCycleLR", optimizer, "max_lr", max_lr)
            first = [peak / div_factor for peak in peaks]
            last = [rate / final_div_factor for rate in first]
            self._hold(optimizer, lr=first, initial_lr=first, max_lr=peaks, min_lr=last)
            if cycle_momentum:
                self._hold(optimizer, base_momentum=base_momentum, max_momentum=max_momentum)
        top = pct_start * total_steps - 1
        falling, rising = ("max_momentum", "base_momentum"), ("base_momentum", "max_momentum")
        self._phases = [(top, ("initial_lr", "max_lr"), falling)]  # last step, rates and momenta at the ends
        if three_phase:
            self._phases += [(2 * top, ("max_lr", "initial_lr"), rising),
                             (total_steps - 1, ("initial_lr", "min_lr"), ("max_momentum", "max_momentum"))]
        else:
            self._phases += [(total_steps - 1, ("max_lr", "min_lr"), rising)]
        super().__init__(optimizer, last_epoch)

    def _between(self, start, end, part):
        if self.anneal_strategy == "cos":
            part = (1 - math.cos(math.pi * part)) / 2
        return start + (end - start) * part

    def get_lr(self):
        step = self.last_epoch
        if step > self.total_steps:
            raise ValueError(f"OneCycleLR: expected at most total_steps={self.total_steps} steps, got step {step}")
        number = next((n for n, phase in enumerate(self._phases) if step <= phase[0]), len(self._phases) - 1)
        begin, end = self._phases[number - 1][0] if number else 0, self._phases[number][0]
        part = (step - begin) / (end - begin) if end != begin else 1.0

        def at(first, last):
            return [self._between(group[first], group[last], part) for group in self.optimizer.param_groups]

        rates, momenta = self._phases[number][1:]
        if self.cycle_momentum:
            self._set_momentum(at(*momenta))
        return at(*rates)


class ReduceLROnPlateau(LRScheduler):
    """Multiplies the rate by `factor` when the metric given to step() has not improved for more than `patience`
    epochs. `mode` is min or max, `threshold` the least improvement, relative or absolute (threshold_mode: rel or
    abs); after a reduction `cooldown` epochs are not counted. Changes of a rate below eps are not made."""

    def __init__(self, optimizer, mode="min", factor=0.1, patience=10, threshold=1e-4, threshold_mode="rel", cooldown=0,
                 min_lr=0, eps=1e-8):
        owner = "ReduceLROnPlateau"
        _check(owner, factor < 1, "factor", "below 1", factor)
        _check(owner, mode in ("min", "max"), "mode", "min or max", mode)
        _check(owner, threshold_mode in ("rel", "abs"), "threshold_mode", "rel or abs", threshold_mode)
        self.mode, self.factor, self.patience, self.threshold = mode, factor, patience, threshold
        self.threshold_mode, self.cooldown, self.eps = threshold_mode, cooldown, eps
        self._min_lr, self.min_lrs = min_lr, _of_groups(owner, optimizer, "min_lr", min_lr)
        self.best, self.num_bad_epochs, self.cooldown_counter = math.inf if mode == "min" else -math.inf, 0, 0
        self.optimizer, self.last_epoch = optimizer, 0
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def is_better(self, a, best):
        """Whether a metric is an improvement of the best one by at least the threshold."""
        margin = self.threshold if self.mode == "max" else -self.threshold
        bound = best * (1 + margin) if self.threshold_mode == "rel" else best + margin
        return a > bound if self.mode == "max" else a < bound

    def step(self, metrics, epoch=None):
        """Compares the metric of an epoch with the best one."""
        value = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.is_better(value, self.best):
            self.best, self.num_bad_epochs = value, 0
        else:
            self.num_bad_epochs += 1
        if self.cooldown_counter > 0:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown_counter - 1, 0
        rates = [group["lr"] for group in self.optimizer.param_groups]
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
            self.min_lrs = _of_groups("ReduceLROnPlateau", self.optimizer, "min_lr", self._min_lr)
            lower = [max(rate * self.factor, least) for rate, least in zip(rates, self.min_lrs)]
            rates = [new if rate - new > self.eps else rate for rate, new in zip(rates, lower)]
        self._set_rates(rates)


class _Several(LRScheduler):
    """Schedulers of the same optimiser; _advance() steps them to `last_epoch`."""

    def _take(self, optimizer, schedulers):
        owner = type(self).__name__
        schedulers = list(schedulers)
        if not schedulers:
            raise ValueError(f"{owner}: expected at least one scheduler")
        for number, scheduler in enumerate(schedulers):
            if not isinstance(scheduler, LRScheduler):
                raise TypeError(f"{owner}: expected a scheduler, got {type(scheduler).__name__} at index {number}")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(f"{owner}: got ReduceLROnPlateau at index {number}, whose step() needs a metric; "
                                 "step it separately")
            if scheduler.optimizer is not (optimizer or schedulers[0].optimizer):
                raise ValueError(f"{owner}: expected schedulers of one optimizer, got another one at index {number}")
        self.optimizer, self._schedulers, self.last_epoch = optimizer or schedulers[0].optimizer, schedulers, 0

    def _begin(self):
        self._go_to(0)

    def _go_to(self, epoch, jumps=True):
        if jumps:  # begins again from the initial rates
            for group in self.optimizer.param_groups:
                group["lr"] = group["initial_lr"]
            self._rewind()
        while self.last_epoch < epoch:
            self.last_epoch += 1
            self._advance()
        self._last_lr = [group["lr"] for group in self.optimizer.param_groups]

    def _rewind(self):
        for scheduler in self._schedulers:
            scheduler._rewind()
        super()._rewind()


class SequentialLR(_Several):
    """The schedulers one after the other: scheduler i + 1 begins, with its epoch 0, at epoch milestones[i]."""

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        self._take(optimizer, schedulers)
        self._milestones = list(milestones)
        count = len(self._schedulers)
        if len(self._milestones) != count - 1:
            raise ValueError(f"SequentialLR: expected {count - 1} milestones for {count} schedulers, "
                             f"got {len(self._milestones)}")
        if last_epoch == -1:
            self._begin()
        else:
            self.last_epoch = last_epoch + 1
            self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def _advance(self):
        number = bisect.bisect_right(self._milestones, self.last_epoch)
        scheduler = self._schedulers[number]
        begins = number > 0 and self._milestones[number - 1] == self.last_epoch
        scheduler._go_to(0) if begins else scheduler.step()


class ChainedScheduler(_Several):
    """Steps all schedulers at once, so that each changes the rates that the one before has set."""

    def __init__(self, schedulers, optimizer=None):
        self._take(optimizer, schedulers)
        self._last_lr = self._schedulers[-1].get_last_lr()

    def _advance(self):
        for scheduler in self._schedulers:
            scheduler.step()
