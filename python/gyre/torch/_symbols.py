"""Symbolic result sizes, for PyTorch's dynamic shapes.

gyre infers shapes from numbers only. So it is asked at several values of each symbol, and a result size becomes
the sum or product of symbols that fits all answers. A symbol for which none fits, or for which gyre accepts
only one value, is specialised to its current value.
"""

import itertools
import math

import sympy
import torch

import gyre

# Small sizes, where limits show, and one beyond all limits.
TRIED = (2, 3, 4, 5, 7, 1009)


class Symbols:
    """The symbols in some sizes, and the values they may have."""

    def __init__(self, sizes):
        self.environment = sizes[0].node.shape_env
        self.symbols = sorted(set().union(*(n.node.expr.free_symbols for n in sizes)), key=str)
        self.hints = {s: int(self.environment.optimization_hint(s)) for s in self.symbols}

    def infer(self, ask):
        """The result of `ask`, which takes a function that maps sizes to numbers; sizes in it are symbolic."""
        here = self.hints, ask(self._at(self.hints))
        free = [s for s in self.symbols if self._fit([here, *self._answers(ask, self._changed(s))], [s], 2)]
        found = self._fit([here, *self._answers(ask, self._changed_together(free))], free, len(free) + 1)
        if found is None:
            free, found = [], self._fit([here], [], 0)
        for s in self.symbols:
            if s not in free:
                int(self.environment.create_symintnode(s, hint=self.hints[s]))  # adds a guard
        return [([self._size(n) for n in shape], dtype) for shape, dtype in found]

    def _at(self, values):
        def value(n):
            return int(n.node.expr.xreplace(values)) if isinstance(n, torch.SymInt) else n
        return value

    def _size(self, expression):
        if expression.is_number:
            return int(expression)
        return self.environment.create_symintnode(expression, hint=int(expression.xreplace(self.hints)))

    def _changed(self, symbol):
        for n in (*TRIED, self.hints[symbol] + 1, 2 * self.hints[symbol] + 1):
            yield {**self.hints, symbol: n}

    def _changed_together(self, symbols):
        """Each symbol alone, then all at once."""
        for s in symbols:
            yield from self._changed(s)
        for start in range(len(TRIED)):
            yield {**self.hints, **{s: TRIED[(start + place) % len(TRIED)] for place, s in enumerate(symbols)}}

    def _answers(self, ask, tried):
        """(values, answer) pairs where gyre gives an answer."""
        for values in tried:
            if values != self.hints:
                try:
                    yield values, ask(self._at(values))
                except gyre.Error:
                    continue

    def _fit(self, answers, symbols, least):
        """The results that fit all answers, with more than `least` of them; sizes are expressions in the
        symbols. None if there are none."""
        if len(answers) <= least or len({tuple(len(shape) for shape, _ in a) for _, a in answers}) > 1:
            return None
        results = []
        for k, (shape, dtype) in enumerate(answers[0][1]):
            sizes = [self._fit_size([(values, a[k][0][axis]) for values, a in answers], symbols)
                     for axis in range(len(shape))]
            if None in sizes:
                return None
            results.append((sizes, dtype))
        return results

    def _fit_size(self, answers, symbols):
        for expression in (self._sum(answers, symbols), *self._products(answers, symbols)):
            if expression is not None and all(expression.xreplace(values) == size for values, size in answers):
                return expression
        return None

    def _sum(self, answers, symbols):
        """The linear expression with the slope that each symbol shows when it changes alone."""
        size = answers[0][1]
        expression = sympy.Integer(size)
        for s in symbols:
            alone = [(values[s] - self.hints[s], n - size) for values, n in answers
                     if values == {**self.hints, s: values[s]} and values[s] != self.hints[s]]
            if not alone or alone[-1][1] % alone[-1][0]:
                return None
            expression += alone[-1][1] // alone[-1][0] * (s - self.hints[s])
        return sympy.expand(expression)

    def _products(self, answers, symbols):
        for count in range(2, len(symbols) + 1):
            for some in itertools.combinations(symbols, count):
                product = math.prod(self.hints[s] for s in some)
                if product and answers[0][1] % product == 0:
                    yield sympy.Integer(answers[0][1] // product) * sympy.prod(some)
