"""Writes unicode_classes.cpp, the table of letters, numbers and white space of Unicode 16.

Usage: python unicode_classes.py > unicode_classes.cpp     (needs `pip install unicodedata2==16.0.0`)
"""
import unicodedata2

LAST = 0x110000
BLOCK = 256  # code points
WORD = 32  # code points in 64 bits
WHITE_SPACE = {*range(0x9, 0xE), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
               0x202F, 0x205F, 0x3000}  # PropList.txt


def char_class(code):
    """The values of CharClass: other, letter, number, space."""
    if code in WHITE_SPACE:
        return 3
    return {"L": 1, "N": 2}.get(unicodedata2.category(chr(code))[0], 0)


def packed(first):
    """A block's classes as words of two bits a class, the lowest code point in the lowest bits."""
    words = range(first, first + BLOCK, WORD)
    return tuple(sum(char_class(word + i) << (2 * i) for i in range(WORD)) for word in words)


def rows(numbers):
    """Lines of at most 100 columns."""
    line, lines = "   ", []
    for number in numbers:
        if len(line) + len(f" {number},") > 100:
            lines.append(line)
            line = "   "
        line += f" {number},"
    return "\n".join([*lines, line])


def main():
    assert unicodedata2.unidata_version == "16.0.0"
    blocks, index = {}, []
    for first in range(0, LAST, BLOCK):
        index.append(blocks.setdefault(packed(first), len(blocks)))
    assert len(blocks) < 256
    while index[-1] == index[-2]:  # the last planes are all alike
        index.pop()
    print(f"""// Written by unicode_classes.py from Unicode {unicodedata2.unidata_version}; not edited by hand.
// clang-format off
#include "gyre/text/unicode/unicode_classes.h"

namespace gyre {{
namespace {{

/// The block of 256 code points that a code point's upper bits select; what lies past the end is as
/// the last.
constexpr uint8_t kBlockOf[{len(index)}] = {{
{rows(index)}
}};

/// A row a block; two bits a class.
constexpr uint64_t kBlocks[{len(blocks)}][{BLOCK // WORD}] = {{""")
    for block in blocks:
        row = rows(f"0x{word:x}" if word else "0" for word in block)
        print("    {" + row.strip().rstrip(",").replace("\n   ", "\n    ") + "},")
    print(f"""}};

}}  // namespace

CharClass char_class(char32_t code) {{
  const size_t upper = code / {BLOCK};
  const uint64_t* block = kBlocks[kBlockOf[upper < sizeof kBlockOf ? upper : sizeof kBlockOf - 1]];
  return static_cast<CharClass>(block[code % {BLOCK} / {WORD}] >> (2 * (code % {WORD})) & 3);
}}

}}  // namespace gyre""")


if __name__ == "__main__":
    main()
