"""docs/logic/tl.tmLanguage.json: it names every word of the language, and colours an example as expected."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PATTERNS = json.loads((ROOT / "docs/logic/tl.tmLanguage.json").read_text())["patterns"]
SYNTAX = ROOT / "gyre/logic/syntax"


def scope_of(line, word):
    """The name of the first pattern that matches at the word, as an editor finds it."""
    at, place = 0, line.index(word)
    while at <= place:
        found = [(m.start(), i) for i, p in enumerate(PATTERNS) if (m := re.compile(p.get("match") or p["begin"]).search(line, at))]
        start, number = min(found)
        pattern = PATTERNS[number]
        match = re.compile(pattern.get("match") or pattern["begin"]).match(line, start)
        end = match.end() if "match" in pattern else re.compile(pattern["end"]).search(line, match.end()).end()
        if start <= place < end:
            return pattern["name"]
        at = end
    return ""


class Highlighting(unittest.TestCase):
    def test_every_word_of_the_language_has_a_scope(self):
        words = re.findall(r'GYRE_LOGIC_KEYWORD\(\s*"(\w+)"', (SYNTAX / "keywords.def").read_text())
        words += re.findall(r"GYRE_LOGIC_BUILTIN\((\w+)", (SYNTAX / "builtins.def").read_text())
        self.assertGreater(len(words), 50)
        listed = {w for p in PATTERNS for group in re.findall(r"\\b\((.*?)\)\\b", p.get("match", "")) for w in group.split("|")}
        self.assertEqual(set(words) - listed, set())

    def test_an_example(self):
        line = 'Y[i.] = softmax(W[i, j] half(2)) // sum "x"'
        for word, scope in (("Y", "entity.name.type.tl"), ("softmax", "support.function.tl"), ("half", "entity.name.function.tl"),
                            ("2", "constant.numeric.tl"), ("sum", "comment.line.double-slash.tl")):
            self.assertEqual(scope_of(line, word), scope, word)
        line = 'A("New for", x) <- B(x), not C(x) @why'
        for word, scope in (("for", "string.quoted.double.tl"), ("<-", "keyword.operator.tl"), ("not", "keyword.operator.word.tl"),
                            ("@why", "entity.other.attribute-name.tl")):
            self.assertEqual(scope_of(line, word), scope, word)
        self.assertEqual(scope_of("tensor W[3] learnable = xavier()", "xavier"), "support.constant.initializer.tl")
        self.assertEqual(scope_of("D[x] min= W[x]", "min"), "support.function.tl")


if __name__ == "__main__":
    unittest.main()
