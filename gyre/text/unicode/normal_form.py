"""Writes canonical_table.h and compatible_table.h, the decompositions of Unicode 9.

Usage: python normal_form.py     (needs perl 5.36 or later and `pip install unicodedata2==16.0.0`)

Decompositions and combining classes never change once a code point has them, so those of version 9
are the ones of version 16 without newer code points.
"""
import contextlib
import pathlib

import unicodedata2
from tables import assigned, expect_unicode, numbers, pairs, ranges, write

HANGUL = range(0xAC00, 0xD7A4)  # whose decompositions are arithmetic


def table(name, comment, mappings):
    """C++ arrays of a dict from code points to lists of code points."""
    found = ranges(sorted(mappings))
    pool = [code for source in sorted(mappings) for code in mappings[source]]
    lengths = "".join(chr(ord("a") + len(mappings[source])) for source in sorted(mappings))
    lines = "\n".join(f'    "{lengths[i:i + 90]}"' for i in range(0, len(lengths), 90))
    return f"""
/// {comment}
inline constexpr CodeRange k{name}[{len(found)}] = {{
{pairs(found)}
}};
/// The length of each mapping: `b` for 1.
inline constexpr char k{name}Lengths[] =
{lines};
/// The mappings one after another.
inline constexpr char32_t k{name}Codes[{len(pool)}] = {{
{numbers(pool)}
}};
"""


def shifted(mappings):
    """Runs (first, last, to) of at least four code points that map to one code point each."""
    found = []
    for source in sorted(mappings):
        if len(mappings[source]) != 1:
            continue
        to = mappings[source][0]
        if found and found[-1][1] == source - 1 and to - found[-1][2] == source - found[-1][0]:
            found[-1][1] = source
        else:
            found.append([source, source, to])
    return [run for run in found if run[1] - run[0] >= 3]


def file(name, body):
    head = '#pragma once\n\n#include "gyre/text/unicode/code_ranges.h"\n\nnamespace gyre {\n'
    path = pathlib.Path(__file__).with_name(name)
    with path.open("w") as out, contextlib.redirect_stdout(out):
        write(f"{head}{body}\n}}  // namespace gyre", "normal_form.py", "Unicode 9")


def main():
    expect_unicode("16.0.0")
    canonical, compatible, classes, excluded = {}, {}, [], []
    for code in sorted(assigned("9.0") - set(HANGUL) - set(range(0xD800, 0xE000))):
        text = chr(code)
        full = unicodedata2.normalize("NFD", text)
        if full != text:
            canonical[code] = [int(part, 16) for part in unicodedata2.decomposition(text).split()]
            if len(canonical[code]) == 2 and unicodedata2.normalize("NFC", text) != text:
                excluded.append(code)
        if (form := unicodedata2.normalize("NFKD", text)) != full:
            compatible[code] = [ord(part) for part in form]
        if rank := unicodedata2.combining(text):
            if classes and classes[-1][1] == code - 1 and classes[-1][2] == rank:
                classes[-1][1] = code
            else:
                classes.append([code, code, rank])

    three = "{{0x{0[0]:X}, 0x{0[1]:X}, %s}}"
    skipped = ranges(excluded)
    file("canonical_table.h", table(
        "Canonical", "Code points with a canonical decomposition; each mapping is one step of it.",
        canonical) + f"""
/// Decompositions of two code points that are never composed.
inline constexpr CodeRange kNotComposed[{len(skipped)}] = {{
{pairs(skipped)}
}};

/// Code points with a canonical combining class other than 0.
struct CombiningClass {{
  char32_t first, last;
  unsigned char rank;
}};
inline constexpr CombiningClass kCombining[{len(classes)}] = {{
{numbers(classes, style=three % "{0[2]}")}
}};
""")
    runs = shifted(compatible)
    others = {code: to for code, to in compatible.items()
              if not any(first <= code <= last for first, last, _ in runs)}
    file("compatible_table.h", f"""
/// Code points with full compatibility decompositions of one code point: `to` and those after it.
struct ShiftedRange {{
  char32_t first, last, to;
}};
inline constexpr ShiftedRange kShifted[{len(runs)}] = {{
{numbers(runs, style=three % "0x{0[2]:X}")}
}};
""" + table("Compatible", "Other code points whose full compatibility and canonical decompositions differ.",
            others))


if __name__ == "__main__":
    main()
