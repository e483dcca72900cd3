"""Functions with a gradient of their own, by the names of torch.autograd.function."""

from gyre._gyre import Tensor, custom_function

__all__ = ["Function", "once_differentiable"]


class Context:
    """What a Function keeps between forward and backward."""

    def __init__(self):
        self.saved_tensors, self.needs_input_grad = (), ()

    def save_for_backward(self, *tensors):
        """Keeps tensors for backward, as `saved_tensors`."""
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        """Has no effect: a result without a gradient gets a cotangent of None."""


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
            if not with_setup:
                return cls.forward(ctx, *given)
            result = cls.forward(*given)
            cls.setup_context(ctx, tuple(given), result)
            return result

        def pull(inputs, results, cotangents):
            found = cls.backward(ctx, *cotangents)
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
