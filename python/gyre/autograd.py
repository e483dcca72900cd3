"""Automatic differentiation by the names of torch.autograd."""

from gyre import func
from gyre._gyre import Tensor, custom_function, enable_grad, no_grad
from gyre._functions.gradients import backward, grad, inference_mode, set_grad_enabled

__all__ = ["Function", "backward", "enable_grad", "functional", "grad", "inference_mode", "no_grad", "set_grad_enabled"]


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
            if len(found) != len(args):
                raise TypeError(f"{cls.__name__}.backward: expected {len(args)} gradients, got {len(found)}")
            return [found[place] for place in places]

        return custom_function(forward, pull)(*[args[place] for place in places])


def _of_all(transform):
    def apply(function, inputs, **options):
        if set(options) - {"create_graph", "strict", "vectorize"}:
            raise TypeError(f"{apply.__name__}: unexpected options {sorted(options)}")
        if isinstance(inputs, Tensor):
            return transform(function)(inputs)
        return transform(function, argnums=tuple(range(len(inputs))))(*inputs)

    return apply


class functional:
    """Derivatives of functions, as in torch.autograd.functional."""

    jacobian = staticmethod(_of_all(func.jacobian))
    hessian = staticmethod(lambda function, inputs, **options: func.hessian(function)(inputs))
    vjp = staticmethod(lambda function, inputs, v: (function(inputs), func.vjp(function, inputs)[1](v)[0]))
    jvp = staticmethod(lambda function, inputs, v: func.jvp(function, inputs, v))
    hvp = staticmethod(lambda function, inputs, v: (function(inputs), func.hvp(function, inputs, v)))
