"""Function transforms, as in JAX and torch.func: gradients, Jacobians, Hessians, jvp, vjp and vmap of
callables.

A callable takes tensors, or lists, tuples and dicts of them, and returns a tensor or a tuple of tensors.
`argnums` selects the positional arguments to differentiate with respect to: an int gives a result structured
like that argument, a tuple of ints a tuple of them. The results of a differentiated function must be tensors: a
Python number carries no gradient and raises TypeError. Transforms can be nested; they change neither the
arguments nor their `grad`. C++: gyre/autograd/transform.h, vmap.h.
"""

from __future__ import annotations

import operator
import reprlib
from collections import abc
from typing import Any, Callable, Iterator, Protocol, Sequence, Union

from gyre._gyre import Tensor, _transforms, asarray, stack

__all__ = ["functional_call", "grad", "grad2", "grad_and_value", "hessian", "hessian_diag", "hvp", "jacfwd", "jacobian",
           "jacrev", "jvp", "linearize", "stack_module_state", "value_and_grad", "vjp", "vmap"]

Function = Callable[..., Any]  # on tensors, returning a tensor or a tuple of tensors
Argnums = Union[int, Sequence[int]]
Axes = Union[int, None, Sequence[Union[int, None]]]


def _several(x: Any) -> tuple[Any, ...]:
    return tuple(x) if isinstance(x, (tuple, list)) else (x,)


def _as(kind: Any, results: tuple[Any, ...]) -> Any:
    """One result if `kind`, an argument or result of the user, is not a sequence."""
    return results if isinstance(kind, (tuple, list)) else results[0]


def _is_tree(x: Any) -> bool:
    """Whether x is a list, tuple or dict of tensors, possibly nested; lists of numbers are arrays."""
    if not isinstance(x, (list, tuple, dict)):
        return False
    return any(isinstance(part, Tensor) or _is_tree(part) for part in (x.values() if isinstance(x, dict) else x))


def _leaves(x: Any) -> list[Any]:
    if not _is_tree(x):
        return [x]
    return [leaf for part in (x.values() if isinstance(x, dict) else x) for leaf in _leaves(part)]


def _like(x: Any, leaves: Iterator[Any]) -> Any:
    """A tree structured like x with the next leaves."""
    if not _is_tree(x):
        return next(leaves)
    if isinstance(x, dict):
        return {key: _like(part, leaves) for key, part in x.items()}
    parts = [_like(part, leaves) for part in x]
    return type(x)(*parts) if hasattr(x, "_fields") else type(x)(parts)


def _differentiable(f: Function) -> Function:
    """f with a check that its results are tensors: other results carry no gradient and would count as
    constant."""

    def checked(*args: Any, **kwargs: Any) -> Any:
        result = f(*args, **kwargs)
        for leaf in _leaves(result):
            if not isinstance(leaf, Tensor):
                raise TypeError(f"the differentiated function must return tensors, got {type(leaf).__name__}")
        return result

    return checked


def _places(argnums: Argnums, count: int) -> list[int]:
    numbers = [operator.index(n) for n in ([argnums] if isinstance(argnums, int) else argnums)]
    places = [n + count if n < 0 else n for n in numbers]
    for n, place in zip(numbers, places):
        if not 0 <= place < count:
            raise ValueError(f"argnums contains {n}, but the call has {count} positional arguments")
    if len(set(places)) != len(places):
        raise ValueError(f"argnums contains an argument twice: {argnums}")
    return places


def _by(f: Function, argnums: Argnums, args: Sequence[Any],
        kwargs: dict[str, Any]) -> tuple[Function, list[Any], Function]:
    """f as a function of the leaves of the arguments selected by `argnums`, these leaves, and a function that
    restores the structure of these arguments from one value for each leaf."""
    places = _places(argnums, len(args))

    def of_some(*some: Any) -> Any:
        full, leaves = list(args), iter(some)
        for place in places:
            full[place] = _like(args[place], leaves)
        return f(*full, **kwargs)

    def rebuilt(results: Sequence[Any]) -> Any:
        leaves = iter(results)
        trees = tuple(_like(args[place], leaves) for place in places)
        return trees[0] if isinstance(argnums, int) else trees

    return of_some, [leaf for place in places for leaf in _leaves(args[place])], rebuilt


class _Remembering:
    """f with the leaves of its result as results; remembers the structure they came from."""

    def __init__(self, f: Function) -> None:
        self.f = f
        self.result: Any = None

    def __call__(self, *args: Any) -> Any:
        self.result = self.f(*args)
        return tuple(_leaves(self.result))

    def like(self, leaves: Sequence[Any]) -> Any:
        return _like(self.result, iter(leaves))


class _Aux:
    """f without the second of its results, which it keeps."""

    def __init__(self, f: Function) -> None:
        self.f = f
        self.aux: Any = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self.f(*args, **kwargs)
        if not isinstance(result, tuple) or len(result) != 2:
            raise TypeError("has_aux: expected a function that returns a pair of its result and other values")
        aux = _like(result[1], iter(x.detach() if isinstance(x, Tensor) else x for x in _leaves(result[1])))
        self.aux = aux
        return result[0]


def value_and_grad(f: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that returns f, which must be a scalar, and its gradient. has_aux: f returns a pair of the scalar and
    other values, and so does the function in place of the scalar."""

    def transformed(*args: Any, **kwargs: Any) -> Any:
        called = _Aux(f) if has_aux else f
        of_some, leaves, rebuilt = _by(_differentiable(called), argnums, args, kwargs)
        value, grads = _transforms.value_and_grad(of_some, leaves)
        return (value, called.aux) if isinstance(called, _Aux) else value, rebuilt(grads)

    return transformed


def grad(f: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that returns the gradient of f, which must be a scalar. has_aux: f returns a pair of the scalar and
    other values, and the function a pair of the gradient and those."""

    def transformed(*args: Any, **kwargs: Any) -> Any:
        value, grads = value_and_grad(f, argnums, has_aux)(*args, **kwargs)
        return (grads, value[1]) if has_aux else grads

    return transformed


def grad_and_value(f: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """value_and_grad with its results in the other order, as in torch.func."""
    return lambda *args, **kwargs: value_and_grad(f, argnums, has_aux)(*args, **kwargs)[::-1]


def jacobian(f: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that returns the Jacobian of f, [result..., argument...]. has_aux: f returns a pair of its result and
    other values, and the function a pair of the Jacobian and those."""

    def transformed(*args: Any, **kwargs: Any) -> Any:
        called = _Aux(f) if has_aux else f
        of_some, leaves, rebuilt = _by(_differentiable(called), argnums, args, kwargs)
        found = rebuilt(_transforms.jacobian(of_some, leaves))
        return (found, called.aux) if isinstance(called, _Aux) else found

    return transformed


jacrev = jacfwd = jacobian  # the result does not depend on the mode


class _OfOne(Protocol):
    def __call__(self, f: Function, argnums: int = 0) -> Function: ...


def _of_one(transform: Function, name: str, doc: str) -> _OfOne:
    def outer(f: Function, argnums: int = 0) -> Function:
        def transformed(*args: Any, **kwargs: Any) -> Any:
            of_some, leaves, _ = _by(_differentiable(f), argnums, args, kwargs)
            if len(leaves) != 1:
                raise ValueError(f"{name}: expected one tensor to differentiate with respect to, got {len(leaves)}")
            return transform(of_some, leaves[0])

        return transformed

    outer.__name__ = outer.__qualname__ = name
    outer.__doc__ = doc
    return outer


_hessian_of_one = _of_one(_transforms.hessian, "hessian", "")


def hessian(f: Function, argnums: Argnums = 0) -> Function:
    """A function that returns the Hessian of a scalar f, [x..., x...]; for several arguments a tuple with for each of
    them a tuple of the blocks."""
    if isinstance(argnums, int):
        return _hessian_of_one(f, argnums)
    places = tuple(argnums)
    return lambda *args, **kwargs: tuple(jacobian(grad(f, place), places)(*args, **kwargs) for place in places)


hessian_diag = _of_one(
    _transforms.hessian_diag, "hessian_diag",
    "A function that returns the diagonal of the Hessian of a scalar f without forming the matrix.")
grad2 = _of_one(
    _transforms.grad2, "grad2",
    "A function that returns the elementwise second derivative f'' of an elementwise f: the gradient of\n"
    "the sum of the gradient. For another f this is its Hessian times a vector of ones.")


def _by_all(f: Function, primals: Sequence[Any]) -> tuple[Function, list[Any], Function]:
    return _by(_differentiable(f), range(len(primals)), primals, {})


def _leaves_of(trees: Sequence[Any]) -> list[Any]:
    return [leaf for tree in trees for leaf in _leaves(tree)]


def _vectors(primals: Any, vectors: Any) -> list[Any]:
    """A vector for each leaf of `primals`. Beside one array, a list of numbers is one vector."""
    if isinstance(vectors, list) and not _is_tree(vectors) and not isinstance(primals, (tuple, list, dict)):
        if asarray(primals).ndim > 0:
            return [vectors]
    return _leaves_of(_several(vectors))


def hvp(f: Function, primals: Any, v: Any) -> Any:
    """Hessian-vector product: the Hessian of a scalar f at `primals` times v; both are one argument, or a tuple or
    list of them."""
    of_some, leaves, rebuilt = _by_all(f, _several(primals))
    return _as(primals, rebuilt(_transforms.hvp(of_some, leaves, _vectors(primals, v))))


def jvp(f: Function, primals: Any, tangents: Any) -> tuple[Any, Any]:
    """Jacobian-vector product (forward mode): f(*primals) and its directional derivative along `tangents`; both
    are one argument, or a tuple or list of them."""
    of_some, leaves, _ = _by_all(f, _several(primals))
    remembering = _Remembering(of_some)
    outputs, along = _transforms.jvp(remembering, leaves, _vectors(primals, tangents))
    return remembering.like(outputs), remembering.like(along)


def linearize(f: Function, *primals: Any) -> tuple[Any, Function]:
    """f(*primals), and a function that maps tangents of the primals to the directional derivative. That function runs
    f again each time."""
    many = primals[0] if len(primals) == 1 else primals
    return f(*primals), lambda *tangents: jvp(f, many, tangents[0] if len(primals) == 1 else tangents)[1]


def vjp(f: Function, *primals: Any) -> tuple[Any, Function]:
    """Vector-Jacobian product (reverse mode): f(*primals), and a function that maps cotangents of the results
    to those of `primals`, a tuple. That function runs f again each time."""
    of_some, leaves, rebuilt = _by_all(f, primals)
    outputs = of_some(*(asarray(x, dtype="f64") if isinstance(x, float) else asarray(x) for x in leaves))

    def pull(cotangents: Any) -> Any:
        return rebuilt(_transforms.vjp(_Remembering(of_some), leaves, _leaves(cotangents))[1])

    return outputs, pull


def vmap(f: Function, in_axes: Axes = 0, out_axes: Axes = 0, randomness: str = "same", *, in_dims: Axes = 0,
         out_dims: Axes = 0) -> Function:
    """Vectorised map: applies f to every slice of its arguments in one run. `in_axes` is the batch axis of each
    argument (None: not batched), `out_axes` that of each result; in_dims and out_dims are PyTorch's names of them. A random
    op draws the same numbers for each slice."""
    if randomness not in ("same", "error"):
        raise ValueError(f"vmap: expected randomness \"same\" or \"error\", got {reprlib.repr(randomness)}; draw the numbers before")
    axes_in, axes_out = (in_dims if in_axes == 0 else in_axes), (out_dims if out_axes == 0 else out_axes)

    def transformed(*args: Any, **kwargs: Any) -> Any:
        axes = list(axes_in) if isinstance(axes_in, abc.Sequence) else [axes_in] * len(args)
        out = axes_out if isinstance(axes_out, abc.Sequence) else (axes_out,)
        if len(axes) != len(args):
            raise ValueError(f"expected in_axes with {len(args)} entries, got {len(axes)}")
        places = [n for n, x in enumerate(args) if isinstance(x, Tensor) or axes[n] is not None]
        of_some, leaves, _ = _by(f, places, args, kwargs)
        remembering = _Remembering(of_some)
        leaf_axes = [axes[n] for n in places for _ in _leaves(args[n])]
        results = _transforms.vmap(remembering, leaves, leaf_axes, out)
        return remembering.like(results)

    return transformed


def functional_call(module: Any, tensors: Any, args: Any = (), kwargs: Any = None) -> Any:
    """gyre.nn.functional_call: the module with other parameters and buffers, a dict or several."""
    from gyre import nn

    return nn.functional_call(module, tensors, args, kwargs)


def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of equal models, stacked along a new first axis, as two dicts by name."""
    if not models:
        raise ValueError("stack_module_state: expected at least one module")
    for model in models:
        if not hasattr(model, "named_parameters"):
            raise TypeError(f"stack_module_state: expected modules, got {type(model).__name__}")

    def stacked(name: str) -> dict[str, Tensor]:
        states = [dict(getattr(model, name)()) for model in models]
        return {key: stack([state[key].detach() for state in states], axis=0) for key in states[0]}

    parameters = {key: x.requires_grad_() for key, x in stacked("named_parameters").items()}
    return parameters, stacked("named_buffers")
