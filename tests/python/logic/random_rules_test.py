"""Random stratified programs against naive evaluation: forward, backward, proofs of least height, added facts, layouts of
relations as tensors, and numbers of threads."""

import itertools
import operator
import random
import unittest

from common import gyre, needs_packages

if gyre:
    from gyre.logic import Program


def setUpModule():
    needs_packages()

CASES = 1000
COMPARES = {"!=": operator.ne, "==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


class Case:
    """Facts, and rules as (head, positive atoms, negated atoms, comparisons); an atom is (name, terms), a comparison
    (term, operator, term). Symbols are words, or integers that are first seen in another order than theirs."""

    def __init__(self, seed):
        draw = random.Random(seed)
        self.symbols = "ABCDE" if seed % 2 else "31420"
        self.arity = {"P": 1, "E": 2, "F": 2}
        self.facts = {name: set() for name in self.arity}
        for name in self.arity:
            for _ in range(draw.randint(2, 8)):
                self.facts[name].add(tuple(draw.choice(self.symbols) for _ in range(self.arity[name])))
        self.rules, self.strata = [], []
        for level in range(draw.randint(1, 3)):
            lower = list(self.arity)
            heads = [f"R{level}{i}" for i in range(draw.randint(1, 2))]
            for head in heads:
                self.arity[head] = 3 if draw.random() < 0.1 else draw.randint(1, 2)
            rules = [self.rule(draw, draw.choice(heads) if i >= len(heads) else heads[i], heads, lower)
                     for i in range(draw.randint(len(heads), 4))]
            self.strata.append(rules)
            self.rules += rules

    def atom(self, draw, name, terms):
        return name, tuple(draw.choice(terms) for _ in range(self.arity[name]))

    def rule(self, draw, head, heads, lower):
        variables = "xyz"[:draw.randint(1, 3)]
        terms = list(variables) * 3 + [draw.choice(self.symbols)]
        positive = [self.atom(draw, draw.choice(heads if draw.random() < 0.4 else lower), terms)
                    for _ in range(draw.randint(1, 3))]
        if not any(t in variables for _, ts in positive for t in ts):
            positive.append(("P", (variables[0],)))
        bound = sorted({t for _, ts in positive for t in ts if t in variables})
        negative = [self.atom(draw, draw.choice(lower), bound)] if draw.random() < 0.3 else []
        compared = []
        if draw.random() < 0.4:
            op = "!=" if self.symbols[0] == "A" else draw.choice(sorted(COMPARES))
            sides = [draw.choice(bound), draw.choice(bound + [self.symbols[0]])]
            draw.shuffle(sides)
            compared = [(sides[0], op, sides[1])]
        return self.atom(draw, head, bound), positive, negative, compared

    def text(self, facts=True):
        def show(atom):
            return f"{atom[0]}({', '.join(atom[1])})"

        lines = [f"domain D = {{{', '.join(self.symbols)}}}"]
        lines += [f"relation {n}({', '.join(['D'] * a)})" for n, a in self.arity.items()]
        lines += [f"{n}({', '.join(t)})" for n in self.facts for t in sorted(self.facts[n]) if facts]
        self.shown = {}
        for rule in self.rules:
            head, positive, negative, compared = rule
            body = [show(a) for a in positive] + ["not " + show(a) for a in negative] + [" ".join(c) for c in compared]
            lines.append(f"{show(head)} <- {', '.join(body)}")
            self.shown[lines[-1]] = rule
        return "\n".join(lines)

    def naive(self):
        """All relations, and for each tuple its least height."""
        heights = {n: {t: 0 for t in self.facts.get(n, ())} for n in self.arity}
        final = {n: set(ts) for n, ts in heights.items()}
        for rules in self.strata:
            while any([self.fire(rule, final, final, final) for rule in rules]):
                pass
        known = {n: set(ts) for n, ts in heights.items()}
        for height in itertools.count(1):
            before = {n: set(ts) for n, ts in known.items()}
            if not any([self.fire(rule, before, final, known) for rule in self.rules]):
                return final, heights
            for name in known:
                heights[name].update({t: height for t in known[name] - before[name]})

    def fire(self, rule, positive_in, negative_in, into):
        head, positive, negative, compared = rule
        variables = sorted({t for _, ts in positive for t in ts if t.islower()})
        new = False
        for values in itertools.product(self.symbols, repeat=len(variables)):
            of = dict(zip(variables, values))

            def ground(terms, of=of):
                return tuple(of.get(t, t) for t in terms)

            if all(ground(ts) in positive_in[n] for n, ts in positive) and \
                    not any(ground(ts) in negative_in[n] for n, ts in negative) and \
                    all(COMPARES[op](of.get(a, a), of.get(b, b)) for a, op, b in compared):
                tuple_ = ground(head[1])
                new |= tuple_ not in into[head[0]]
                into[head[0]].add(tuple_)
        return new


def query(name, arity, mode=""):
    return f"{name}({', '.join('uvw'[:arity])})?{mode}"


def read(atom):
    name, rest = atom.rstrip(")").split("(")
    return name, tuple(t for t in rest.split(", ") if t)


class Programs(unittest.TestCase):
    def check(self, found, wanted, arity):
        if arity == 0:
            self.assertEqual(found, bool(wanted))
        else:
            self.assertEqual([tuple(map(str, t)) for t in found], sorted(wanted))

    def test_forward_and_backward(self):
        for seed in range(CASES):
            case = Case(seed)
            text = case.text()
            with self.subTest(seed=seed, text=text):
                wanted, _ = case.naive()
                p = Program(text)
                for name, arity in case.arity.items():
                    self.check(p.query(query(name, arity)), wanted[name], arity)
                    self.check(Program(text).query(query(name, arity, " @backward")), wanted[name], arity)
                    if arity == 2:
                        first = case.symbols[1]
                        found = Program(text).query(f"{name}({first}, x)? @backward")
                        self.check(found, {(t[1],) for t in wanted[name] if t[0] == first}, 1)

    def test_added_facts(self):
        for seed in range(CASES):
            case = Case(seed)
            with self.subTest(seed=seed):
                draw = random.Random(seed)
                facts = [(name, t) for name, tuples in case.facts.items() for t in sorted(tuples)]
                draw.shuffle(facts)
                p = Program(case.text(facts=False))
                case.facts = {name: set() for name in case.facts}
                while facts:
                    name = facts[0][0]
                    tuples = [t for n, t in facts[:draw.randint(1, 6)] if n == name]
                    facts = [f for f in facts if f[0] != name or f[1] not in tuples]
                    case.facts[name].update(tuples)
                    p.add(name, tuples)
                    if facts and draw.random() < 0.7:  # asked between, so that the fixpoint continues
                        other = draw.choice(sorted(case.arity))
                        self.check(p.query(query(other, case.arity[other])), case.naive()[0][other], case.arity[other])
                wanted, _ = case.naive()
                for name, arity in case.arity.items():
                    self.check(p.query(query(name, arity)), wanted[name], arity)

    def test_layouts(self):
        for seed in range(CASES):
            case = Case(seed)
            with self.subTest(seed=seed):
                wanted, _ = case.naive()
                for layout in ("rows", "bits"):
                    p = Program(case.text(), layout=layout)
                    for name, arity in case.arity.items():
                        self.check(p.query(query(name, arity)), wanted[name], arity)

    def test_proofs(self):
        for seed in range(0, CASES, 2):
            case = Case(seed)
            text = case.text()
            with self.subTest(seed=seed, text=text):
                final, heights = case.naive()
                p = Program(text)
                for name, arity in case.arity.items():
                    proofs = p.why(query(name, arity))
                    self.assertEqual(len(proofs), len(final[name]))
                    for proof in proofs:
                        n, t = read(proof["atom"])
                        self.assertEqual(self.height(proof, case, final), heights[n][t])

    def height(self, proof, case, final):
        """Checks a proof step by step; its height."""
        name, values = read(proof["atom"])
        if "rule" not in proof:
            self.assertIn(values, case.facts[name])
            return 0
        head, positive, negative, compared = case.shown[proof["rule"]]
        self.assertEqual(case.text().splitlines()[proof["line"] - 1], proof["rule"])
        self.assertEqual(head[0], name)
        of = {}
        atoms = [(b["atom"].removeprefix("not "), b["atom"].startswith("not ")) for b in proof["because"]]
        self.assertEqual([n for _, n in atoms], [False] * len(positive) + [True] * len(negative))
        for (n, terms), (n2, found) in zip([head, *positive, *negative], [(name, values), *(read(a) for a, _ in atoms)]):
            self.assertEqual(n, n2)
            for term, value in zip(terms, found):
                self.assertEqual(of.setdefault(term, value) if term.islower() else term, value)
        for n, terms in negative:
            self.assertNotIn(tuple(of.get(t, t) for t in terms), final[n])
        self.assertTrue(all(COMPARES[op](of.get(a, a), of.get(b, b)) for a, op, b in compared))
        return 1 + max((self.height(b, case, final) for b in proof["because"][:len(positive)]), default=0)

    def test_threads(self):
        threads = gyre.num_threads()
        texts = [Case(seed).text() for seed in range(20)]
        try:
            answers = []
            for count in (1, 2, 7):
                gyre.set_num_threads(count)
                answers.append([Program(t).query("R00(x)?" if "R00(D)" in t else "P(x)?") for t in texts])
        finally:
            gyre.set_num_threads(threads)
        self.assertEqual(answers[0], answers[1])
        self.assertEqual(answers[0], answers[2])


if __name__ == "__main__":
    unittest.main()
