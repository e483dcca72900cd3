"""Functions with a gradient of their own, by the names of torch.autograd.function."""

from gyre._gyre import Tensor, custom_function, zeros_like

__all__ = ["Function", "once_differentiable"]


class Context:
    """What a Function keeps between forward and backward."""

    def __init__(self):
        self.saved_tensors, self.needs_input_grad, self.materialize_grads = (), (), True

    def save_for_backward(self, *tensors):
        """Keeps tensors for backward, as `saved_tensors`."""
        self.saved_tensors = tensors

    def set_materialize_grads(self, value):
        """Whether backward gets zeros for a result that nothing depends on (the default), or None."""
        self.materialize_grads = value

    def mark_non_differentiable(self, *tensors):
        """Has no effect: nothing depends on such a result."""


class Function:
    """Base class of functions with a gradient of their own: static methods forward(ctx, *args) and
    backward(ctx, *cotangents), called by apply(*args)."""

    @staticmethod
    def forward(ctx, *args):
        raise NotImplementedError("Function: a subclass defines forward(ctx, *args)")

    @staticmethod
    def backward(ctx, *cotangents):
        raise NotImplementedError("Function: a subclass defines backward(ctx, *cotangents)")

    @classmethod
    def apply(cls, *args):
        """Calls forward; autograd calls backward."""
        ctx, places = Context(), [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        ctx.needs_input_grad = tuple(isinstance(x, Tensor) and x.requires_grad for x in args)
        with_setup = "setup_context" in vars(cls)

        def forward(*tensors):
            given = list(args)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            result = cls.forward(*given) if with_setup else cls.forward(ctx, *given)
            if with_setup:
                cls.setup_context(ctx, tuple(given), result)
            made = result if isinstance(result, tuple) else (result,)
            ctx._places = [next((k for k, y in enumerate(made) if y is x), None) for x in ctx.saved_tensors]
            return result

        def pull(inputs, results, cotangents):
            if ctx.materialize_grads:
                cotangents = [zeros_like(y) if g is None else g for y, g in zip(results, cotangents)]
            saved = ctx.saved_tensors
            # Results as autograd knows them, for second derivatives; ctx does not keep them, which would be a cycle.
            ctx.saved_tensors = tuple(x if k is None else results[k] for x, k in zip(saved, ctx._places))
            try:
                found = cls.backward(ctx, *cotangents)
            finally:
                ctx.saved_tensors = saved
            found = found if isinstance(found, tuple) else (found,)
            if all(extra is None for extra in found[len(args):]):  # of arguments with defaults
                found = found[:len(args)]
            if len(found) != len(args):
                raise TypeError(f"{cls.__name__}.backward: expected {len(args)} gradients, got {len(found)}")
            return [found[place] for place in places]

        return custom_function(forward, pull)(*[args[place] for place in places])


def once_differentiable(function):
    """The backward function as it is: gradients of its results are those of its ops."""
    return function
