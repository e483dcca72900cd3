"""Writes category.cpp, the general categories of Unicode 16.

Usage: python category.py > category.cpp     (needs `pip install unicodedata2==16.0.0`)
"""
import unicodedata2
from tables import LAST, expect_unicode, numbers, write

NAMES = ("Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co "
         "Cn").split()  # in the order of enum Category
SMALL = 64  # code points in a small block
LARGE = 32  # small blocks in a large one


def indexed(rows):
    """The number of each row among the distinct ones, and these."""
    distinct = {}
    return [distinct.setdefault(row, len(distinct)) for row in rows], distinct


def letters(first):
    """A small block, a character a code point: a is the first category."""
    codes = range(first, first + SMALL)
    return "".join(chr(ord("a") + NAMES.index(unicodedata2.category(chr(code)))) for code in codes)


def main():
    expect_unicode("16.0.0")
    small_of, small = indexed([letters(first) for first in range(0, LAST, SMALL)])
    starts = range(0, len(small_of), LARGE)
    large_of, large = indexed([tuple(small_of[start:start + LARGE]) for start in starts])
    assert len(small) < 65536 and len(large) < 256
    rows = "\n".join(f'    "{row}"' for row in small)
    blocks = ",\n".join("    {" + numbers(row, "     ", "{}").strip().rstrip(",") + "}" for row in large)
    write(f"""#include "gyre/text/unicode/unicode_classes.h"

namespace gyre {{
namespace {{

/// The large block of {LARGE * SMALL} code points that a code point's upper bits select.
constexpr uint8_t kLargeOf[{len(large_of)}] = {{
{numbers(large_of, "    ", "{}")}
}};

/// A row a large block: its small blocks of {SMALL} code points.
constexpr uint16_t kSmallOf[{len(large)}][{LARGE}] = {{
{blocks}}};

/// A row a small block: a character a code point, `a` is the first Category.
constexpr char kCategories[] =
{rows};

}}  // namespace

Category category(char32_t code) {{
  if (code >= 0x{LAST:X}) return Category::Cn;
  const uint16_t small = kSmallOf[kLargeOf[code / {LARGE * SMALL}]][code / {SMALL} % {LARGE}];
  return static_cast<Category>(kCategories[small * {SMALL} + code % {SMALL}] - 'a');
}}

}}  // namespace gyre""", "category.py", f"Unicode {unicodedata2.unidata_version}")


if __name__ == "__main__":
    main()
