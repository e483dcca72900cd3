"""Writes grapheme_class.cpp, the classes of Unicode 17 that extended grapheme clusters are made of (Annex 29).

Usage: python grapheme_class.py > grapheme_class.cpp     (needs `pip install regex==2025.11.3`, which has Unicode 17)

Syllables of Hangul are not in the table, which are computed. An extending character is a linker or an extender of
conjuncts where Indic_Conjunct_Break says so.
"""
import regex
from tables import LAST, lookup, write

BREAKS = ("CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark", "L", "V", "T")
NAMES = {"CR": "carriage_return", "LF": "line_feed", "Regional_Indicator": "regional_indicator",
         "SpacingMark": "spacing_mark", "L": "leading_jamo", "V": "vowel_jamo", "T": "trailing_jamo"}


def matches(name):
    pattern = regex.compile(rf"\p{{{name}}}")
    return {code for code in range(LAST) if not 0xD800 <= code < 0xE000 and pattern.match(chr(code))}


def classes():
    found = {}
    for name in BREAKS:
        for code in matches(f"GCB={name}"):
            found[code] = NAMES.get(name, name.lower())
    joined = {name: matches(f"InCB={name}") for name in ("Consonant", "Linker", "Extend")}
    for code in matches("Extended_Pictographic"):
        assert code not in found
        found[code] = "pictographic"
    for code in joined["Consonant"]:
        assert code not in found
        found[code] = "consonant"
    for code in joined["Linker"]:
        assert found[code] == "extend"
        found[code] = "linker"
    for code in joined["Extend"]:
        assert found[code] in ("extend", "zwj")
    for code, kind in found.items():  # the others break conjuncts
        if kind == "extend" and code not in joined["Extend"]:
            found[code] = "extend_outside"
    assert "zwj" in {found[code] for code in joined["Extend"]}
    return found


def main():
    assert regex.__version__ == "2025.11.3", "pip install regex==2025.11.3"
    syllables = """  if (code >= 0xAC00 && code <= 0xD7A3)  // syllables of Hangul: 27 of 28 end with a consonant
    return (code - 0xAC00) % 28 == 0 ? open_syllable : closed_syllable;
"""
    write(lookup(sorted(classes().items()), header="grapheme_class.h", enum="GraphemeClass", function="grapheme_class",
                 row="GraphemeRange", member="kind", table="kGraphemeRanges", otherwise="other", first=syllables),
          "grapheme_class.py", "Unicode 17")


if __name__ == "__main__":
    main()
