"""Tensor logic: programs of relations, rules, tensors and equations (P. Domingos, arXiv 2510.12269).

    p = gyre.logic.Program('''
        Ancestor(x, y) <- Parent(x, y)
        Ancestor(x, z) <- Ancestor(x, y), Parent(y, z)
        Y[i] = relu(W[i, j] X[j])
    ''', Parent=[("Alice", "Bob"), ("Bob", "Charlie")], W=numpy.eye(3), X=numpy.arange(3.0))
    p.query("Ancestor(Alice, x)?")   # [("Bob",), ("Charlie",)]
    p["Y"]                           # a gyre.Tensor

docs/logic.md describes the language; `gyre run FILE.tl` runs the same programs.
"""

import os
import sys
import typing

from gyre import _gyre
from gyre._display import counted, escaped, listed, table, titled
from gyre._gyre import Tensor, _logic

__all__ = ["Program", "Proof", "Tuples"]


class Tuples(list):
    """The answers to a query with variables: a list of tuples, sorted, which notebooks show as a table.

    variables: their names, in the order of the values in a tuple.
    """

    def __init__(self, rows, variables):
        super().__init__(rows)
        self.variables = variables

    MOST_SHOWN = 60

    def _repr_html_(self) -> str:
        return table(self, self.variables, "answer", most=self.MOST_SHOWN)


class Proof(dict):
    """Why an atom holds: "atom" and, unless it is a fact, "rule", its "line", and "because", the proofs of what the
    body of the rule needs. Printed, and in notebooks, it is a tree."""

    def __str__(self):
        lines = []

        def add(proof, depth):
            text = "  " * depth + proof["atom"]
            lines.append(f"{text:<40}  line {proof['line']}: {proof['rule']}" if "rule" in proof else text)
            for part in proof.get("because", ()):
                add(part, depth + 1)

        add(self, 0)
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escaped(self, 100_000)}</pre>"


Value = typing.Union[bool, Tensor, Tuples]


class Program:
    """A program, compiled. Its values are computed when they are asked for, and kept.

    text: the program.
    path: for messages and for files beside it; see `read`.
    dtype: of tensors that are declared without one; by default that of `pragma dtype`, or f64.
    seed: of random initialisers; by default that of `pragma seed`, or 0.
    max_seconds, max_bytes, max_tuples, max_iterations: limits of one run, query or value, and of the memory of its
        relations; what passes one is an error. Ctrl-C ends a computation with KeyboardInterrupt.
    layout: "rows" or "bits" evaluates rules with binary relations stored in this way only, without shortcuts for
        closures. The answers are the same.
    inputs: a tensor (anything with __dlpack__ or the buffer protocol, such as an array of NumPy, whose memory is used in
        place), or a list of tuples of strings and integers for a relation.

    With tensors of PyTorch among the inputs, values are tensors of PyTorch too, computed from the inputs as they are at
    that time; PyTorch's autograd records `p[name]` as one differentiable function of the inputs.

    ParseError with the first error of the program and its place; the other errors for inputs that do not fit.
    """

    def __init__(self, text: str, *, path: str = "program", dtype: "_gyre.DType | str | None" = None,
                 seed: "int | None" = None, layout: "str | None" = None, max_seconds: "float | None" = None,
                 max_bytes: "int | None" = None, max_tuples: "int | None" = None, max_iterations: "int | None" = None,
                 **inputs):
        self._torch = {name: value for name, value in inputs.items() if _is_torch(value)}
        inputs |= {name: value.detach() for name, value in self._torch.items()}
        limits = {"max_seconds": max_seconds, "max_bytes": max_bytes, "max_tuples": max_tuples,
                  "max_iterations": max_iterations}
        path = os.fspath(path)
        self._program = _logic.Program(text, path, inputs, dtype, seed, layout, limits)
        self._text, self._path = text, path

    @classmethod
    def read(cls, path: "str | os.PathLike", **options) -> "Program":
        """The program in a file."""
        path = os.fspath(path)
        with open(path, encoding="utf-8") as file:
            return cls(file.read(), path=path, **options)

    def run(self) -> "list[tuple[str, Value]]":
        """Runs its queries, `learn` and scripts in their order: (query, answer) for each query, then ("learn", losses)
        for each learn."""
        return [(query, self._given(answer)) for query, answer in self._program.run()]

    def query(self, text: str) -> Value:
        """The answer to a query such as "Ancestor(Alice, x)?": whether it holds, the tuples of values of its variables
        in order of first sight, or a tensor."""
        return self._given(self._program.query(text))

    def why(self, text: str) -> "list[Proof]":
        """A proof of least height for each answer to a query of a relation, in the order of query()."""
        return [Proof(proof) for proof in self._program.why(text)]

    def __getitem__(self, name: str) -> Tensor:
        """The value of a tensor, or a relation as 0 and 1. KeyError for other names."""
        if name not in self:
            raise KeyError(name)
        if name in self._torch:
            return self._torch[name]
        if not self._torch:
            return self._program.tensor(name)
        from gyre.torch import _programs
        return _programs.value(self._program, name, self._torch)

    def __contains__(self, name: str) -> bool:
        """Whether the program has a tensor or relation of this name."""
        return self._program.contains(name)

    def __iter__(self) -> "typing.Iterator[str]":
        """The names of its tensors and relations."""
        return iter(self._program.names())

    def __len__(self) -> int:
        return len(self._program.names())

    def __setitem__(self, name: str, value) -> None:
        """Replaces the value of a tensor that no equation defines. What depends on it is computed anew."""
        is_torch = _is_torch(value)
        self._program.bind(name, value.detach() if is_torch else value)
        self._torch.pop(name, None)
        if is_torch:
            self._torch[name] = value

    def add(self, relation: str, tuples) -> None:
        """Adds tuples to a relation. Fixpoints of rules that they can only extend continue from them; what else depends
        on them is computed anew."""
        self._program.add(relation, tuples)

    def forget(self) -> None:
        """Forgets all computed values, so that they are computed anew when they are asked for: to free their memory, or
        after writing into an array that was given as an input. Facts and learned parameters stay."""
        self._program.forget()

    @property
    def warnings(self) -> "list[str]":
        """What the program may mean otherwise than it says."""
        return self._program.warnings()

    def __repr__(self) -> str:
        return f"Program({self._path!r}, {counted(len(self), 'name')}: {listed(list(self))})"

    def _repr_html_(self) -> str:
        names = f"<p>Tensors and relations: {escaped(', '.join(self), 2_000)}</p>"
        return titled(self._path, f"<pre>{escaped(self._text, 20_000)}</pre>", names)

    def _given(self, answer):
        if isinstance(answer, tuple):
            variables, rows = answer
            return Tuples(rows, variables)
        return answer.torch() if self._torch and isinstance(answer, Tensor) else answer


def _is_torch(value):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)
