"""Hooks that modules call around forward and in backward."""

import gyre
from gyre._gyre import Tensor


class RemovableHandle:
    """Removes a hook: by remove(), or at the end of a with block."""

    def __init__(self, hooked, hooks, key):
        self._hooked, self._hooks, self._key = hooked, hooks, key

    def remove(self):
        """Removes the hook; has no effect if it is removed already."""
        self._hooks.pop(self._key, None)
        self._hooked.leave_if_idle()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.remove()


class Hooked:
    """The forward of a module that has hooks. It is the attribute `forward` of the module while there are any, so
    that modules without hooks are called as if there were none."""

    def __init__(self, module):
        self.module, self.count = module, 0
        self.before, self.after, self.backward = {}, {}, {}

    def add(self, kind, hook, options, prepend):
        hooks, self.count = getattr(self, kind), self.count + 1
        earlier = dict(hooks) if prepend else {}
        if prepend:
            hooks.clear()
        hooks[self.count] = (hook, options)
        hooks.update(earlier)
        return RemovableHandle(self, hooks, self.count)

    def leave_if_idle(self):
        attributes = self.module.__dict__
        if not (self.before or self.after or self.backward) and attributes.get("forward") is self:
            del attributes["forward"]

    def for_copy(self, module):
        """The same hooks for a copy of the module."""
        other = Hooked(module)
        other.count = self.count
        other.before, other.after, other.backward = dict(self.before), dict(self.after), dict(self.backward)
        return other

    def __call__(self, *args, **kwargs):
        module = self.module
        for hook, with_kwargs in list(self.before.values()):
            args, kwargs = _changed_inputs(hook(module, args, kwargs) if with_kwargs else hook(module, args),
                                           args, kwargs, with_kwargs)
        watch = _Backward(module, [hook for hook, _ in self.backward.values()]) if self.backward else None
        args = watch.inputs(args) if watch else args
        result = type(module).forward(module, *args, **kwargs)
        for hook, with_kwargs in list(self.after.values()):
            other = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
            result = result if other is None else other
        return watch.outputs(result) if watch else result


def _changed_inputs(changed, args, kwargs, with_kwargs):
    if changed is None:
        return args, kwargs
    if not with_kwargs:
        return (changed if isinstance(changed, tuple) else (changed,)), kwargs
    if not isinstance(changed, tuple) or len(changed) != 2:
        raise TypeError("forward pre-hook: expected None or (args, kwargs) from a hook with with_kwargs=True, "
                        f"got {type(changed).__name__}")
    return changed


def _same(*tensors):
    return tuple(t.reshape(t.shape) for t in tensors)


class _Backward:
    """Calls hook(module, grad_input, grad_output) when the gradients of a call are known."""

    def __init__(self, module, hooks):
        self.module, self.hooks = module, hooks
        self.grad_output = self.places = None
        self.count = 0

    def inputs(self, args):
        self.count = len(args)
        self.places = [k for k, x in enumerate(args) if isinstance(x, Tensor) and x.requires_grad]
        if not self.places:
            return args
        watched = gyre.custom_function(_same, lambda inputs, results, cotangents: self._called(cotangents))
        same = _several(watched(*[args[k] for k in self.places]))
        args = list(args)
        for k, x in zip(self.places, same):
            args[k] = x
        return tuple(args)

    def outputs(self, result):
        results = _several(result)
        watched = gyre.custom_function(_same, lambda inputs, results, cotangents: self._left(cotangents))
        same = _several(watched(*results))
        return same if isinstance(result, tuple) else same[0]

    def _left(self, cotangents):
        self.grad_output = tuple(_several(cotangents))
        if not self.places:
            self._call((None,) * self.count)
        return self.grad_output

    def _called(self, cotangents):
        grads = [None] * self.count
        for k, g in zip(self.places, _several(cotangents)):
            grads[k] = g
        changed = self._call(tuple(grads))
        return tuple(changed[k] for k in self.places)

    def _call(self, grads):
        for hook in self.hooks:
            changed = hook(self.module, grads, self.grad_output)
            if changed is not None:
                grads = changed if isinstance(changed, tuple) else (changed,)
        return grads


def _several(value):
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)
