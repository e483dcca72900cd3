"""Averages of the weights of a model, by the names of torch.optim.swa_utils."""

import copy
import math
import reprlib

from gyre._gyre import no_grad
from gyre.nn.module import Module
from gyre.optim.lr_scheduler import LRScheduler

__all__ = ["AveragedModel", "SWALR", "get_ema_avg_fn", "get_ema_multi_avg_fn", "update_bn"]


def get_ema_avg_fn(decay=0.999):
    """Exponential moving average of a tensor, for AveragedModel(avg_fn=...)."""
    _check_decay(decay)
    return lambda average, current, count: decay * average + (1 - decay) * current


def get_ema_multi_avg_fn(decay=0.999):
    """Exponential moving average of a list of tensors in place, for AveragedModel(multi_avg_fn=...)."""
    _check_decay(decay)

    def update(averages, currents, count):
        for average, current in zip(averages, currents):
            average.lerp_(current, 1 - decay)

    return update


def _check_decay(decay):
    if not 0 <= decay <= 1:
        raise ValueError(f"expected a decay from 0 to 1, got {decay}")


class AveragedModel(Module):
    """A copy of a model, `module`, whose parameters are averages of those at each update_parameters(model): equal
    weights, or as avg_fn(average, current, count) or multi_avg_fn(averages, currents, count) compute them. Buffers are
    those of the model, or averages as well if use_buffers."""

    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise ValueError("AveragedModel: expected avg_fn or multi_avg_fn, got both")
        self.module = copy.deepcopy(model).to(device=device)
        self.avg_fn, self.multi_avg_fn, self.use_buffers, self.n_averaged = avg_fn, multi_avg_fn, use_buffers, 0

    def forward(self, *args, **kwargs):
        return self.module(*args, **kwargs)

    def _averaged(self, model):
        """The tensors of a model that are averaged, and those that are copied."""
        parameters, buffers = list(model.parameters()), list(model.buffers())
        floating = [b for b in buffers if self.use_buffers and b.is_floating_point()]
        return parameters + floating, [b for b in buffers if not any(b is other for other in floating)]

    def update_parameters(self, model):
        """Takes the model's weights into the average."""
        (averages, copies), (currents, originals) = self._averaged(self.module), self._averaged(model)
        with no_grad():
            currents = [x.detach().to(device=average.device) for x, average in zip(currents, averages)]
            if self.n_averaged == 0:
                for average, current in zip(averages, currents):
                    average.copy_(current)
            elif self.multi_avg_fn is not None:
                self.multi_avg_fn(averages, currents, self.n_averaged)
            else:
                for average, current in zip(averages, currents):
                    weight = 1 / (self.n_averaged + 1)
                    average.copy_(average.lerp(current, weight) if self.avg_fn is None
                                  else self.avg_fn(average, current, self.n_averaged))
            for copied, original in zip(copies, originals):
                copied.copy_(original)
        self.n_averaged += 1


def update_bn(loader, model, device=None):
    """Computes the running means and variances of batch norms anew, as averages over the batches of the loader."""
    norms = [m for m in model.modules() if hasattr(m, "reset_running_stats")]
    momenta, training = [m.momentum for m in norms], model.training
    for m in norms:
        m.reset_running_stats()
        m.momentum = None
    model.train()
    with no_grad():
        for batch in loader:
            x = batch[0] if isinstance(batch, (list, tuple)) else batch
            model(x if device is None else x.to(device))
    for m, momentum in zip(norms, momenta):
        m.momentum = momentum
    model.train(training)


class SWALR(LRScheduler):
    """Moves the rates in anneal_epochs steps from those at its creation to swa_lr, a number or one for each parameter
    group, where they stay; anneal_strategy is "cos" or "linear"."""

    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"SWALR: expected anneal_strategy cos or linear, got {reprlib.repr(anneal_strategy)}")
        groups = optimizer.param_groups
        rates = list(swa_lr) if isinstance(swa_lr, (list, tuple)) else [swa_lr] * len(groups)
        if len(rates) != len(groups):
            raise ValueError(f"SWALR: expected swa_lr for {len(groups)} parameter groups, got {reprlib.repr(swa_lr)}")
        self.anneal_epochs, self.anneal_strategy = anneal_epochs, anneal_strategy
        self._ends = [(group["lr"], rate) for group, rate in zip(groups, rates)]
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        done = min(1.0, self.last_epoch / self.anneal_epochs) if self.anneal_epochs else 1.0
        share = done if self.anneal_strategy == "linear" else (1 - math.cos(math.pi * done)) / 2
        return [first + share * (last - first) for first, last in self._ends]
