"""Differentiation by PyTorch's names."""

import functools

from gyre import _gyre


def within(mode, function):
    """The function, run in a mode such as no_grad()."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        with mode:
            return function(*args, **kwargs)

    return call


def grad(outputs: "TensorLike | collections.abc.Iterable[TensorLike]", inputs: "Tensor | collections.abc.Iterable[Tensor]",
         grad_outputs: "TensorLike | collections.abc.Iterable[TensorLike | None] | None" = None,
         retain_graph: "bool | None" = None, create_graph: "bool" = False, only_inputs: "bool" = True,
         allow_unused: "bool | None" = None, is_grads_batched: "bool" = False, materialize_grads: "bool" = False, *,
         cotangents: "TensorLike | collections.abc.Iterable[TensorLike | None] | None" = None) -> "tuple[Any, ...]":
    """Gradients of sum(outputs[i] * grad_outputs[i]) with respect to inputs, a tuple. Of inputs that do not take part they
    are None if allow_unused, 0 if materialize_grads. `cotangents` is another name of grad_outputs."""
    if not only_inputs or is_grads_batched:
        raise ValueError("grad: expected only_inputs=True and is_grads_batched=False; map over a batch with gyre.vmap")
    if materialize_grads and allow_unused is False:
        raise ValueError("grad: materialize_grads=True needs allow_unused=True or None")
    found = _gyre.grad(outputs, inputs, cotangents if grad_outputs is None else grad_outputs, create_graph,
                       create_graph if retain_graph is None else retain_graph, bool(allow_unused or materialize_grads))
    if not materialize_grads:
        return found
    inputs = [inputs] if isinstance(inputs, _gyre.Tensor) else list(inputs)
    return tuple(_gyre.zeros_like(x) if g is None else g for x, g in zip(inputs, found))


def backward(tensors: "TensorLike | collections.abc.Iterable[TensorLike]",
             grad_tensors: "TensorLike | collections.abc.Iterable[TensorLike | None] | None" = None,
             retain_graph: "bool | None" = None, create_graph: "bool" = False,
             inputs: "Tensor | collections.abc.Iterable[Tensor] | None" = None, *,
             cotangents: "TensorLike | collections.abc.Iterable[TensorLike | None] | None" = None) -> "None":
    """Accumulates the gradients of sum(tensors[i] * grad_tensors[i]) into the grad of the leaves, or of `inputs` only.
    `cotangents` is another name of grad_tensors."""
    weights = cotangents if grad_tensors is None else grad_tensors
    retain = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        return _gyre.backward(tensors, weights, create_graph, retain)
    inputs = [inputs] if isinstance(inputs, _gyre.Tensor) else list(inputs)
    for x, g in zip(inputs, _gyre.grad(tensors, inputs, weights, create_graph, retain)):
        x.grad = g if x.grad is None else x.grad + g


def inference_mode(mode=True) -> "Any":
    """Same as no_grad: disables autograd recording."""
    if callable(mode):
        return _gyre.no_grad(mode)
    return _gyre.no_grad() if mode else _gyre.enable_grad()


class set_grad_enabled:
    """Sets at once whether autograd records ops on this thread; as a context manager, until its end."""

    def __init__(self, mode):
        self._mode = _gyre.enable_grad() if mode else _gyre.no_grad()
        self._mode.__enter__()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._mode.__exit__(*error)

    def __call__(self, function):
        self._mode.__exit__(None, None, None)
        return within(self._mode, function)


def retain_grad(self) -> "Any":
    """Keeps the gradient of a result in its `grad` during backward(), as of a leaf."""
    if self.is_leaf:
        return

    def keep(gradient):
        self.grad = gradient if self.grad is None else self.grad + gradient

    self.register_hook(keep)


functions = [grad, backward, inference_mode, set_grad_enabled]
methods = [retain_grad]
