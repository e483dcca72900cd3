"""Writes letter_case.cpp, the lower case mappings of Unicode 17.

Usage: python letter_case.py > letter_case.cpp     (needs `pip install unicodedata2==17.0.1`)

Capitals that are newer than Python's own tables map to the letter of the same name with SMALL.
"""
import unicodedata

import unicodedata2
from tables import LAST, expect_unicode, numbers, write


def lower(code):
    text = chr(code)
    if unicodedata.category(text) != "Cn":
        return text.lower()
    if unicodedata2.category(text) == "Lu":
        return unicodedata2.lookup(unicodedata2.name(text).replace("CAPITAL", "SMALL"))
    return text


def main():
    expect_unicode("17.0.0")
    runs = []  # [first, last, step, first's mapping]
    for code in range(0x80, LAST):
        if 0xD800 <= code < 0xE000 or code == 0x130 or (small := lower(code)) == chr(code):
            continue
        assert len(small) == 1
        if runs:
            first, last, step, to = runs[-1]
            gap = code - last
            if ord(small) - to == code - first and gap <= 2 and (gap == step or first == last):
                runs[-1][1:3] = [code, gap]
                continue
        runs.append([code, code, 1, ord(small)])
    rows = numbers(runs, style="{{0x{0[0]:X}, 0x{0[1]:X}, {0[2]}, 0x{0[3]:X}}}")
    write(f"""#include "gyre/text/unicode/letter_case.h"

#include "gyre/base/text/utf8.h"
#include "gyre/text/unicode/code_ranges.h"

namespace gyre {{
namespace {{

/// Every `step`th code point from `first` to `last`, and what `first` maps to; the others keep
/// their distance.
struct LowerRange {{
  char32_t first, last, step, to;
}};
constexpr LowerRange kLower[{len(runs)}] = {{
{rows}
}};

}}  // namespace

void append_lower(std::string& out, char32_t code) {{
  if (code < 0x80) {{
    out += static_cast<char>(code >= 'A' && code <= 'Z' ? code + ('a' - 'A') : code);
    return;
  }}
  if (code == 0x130) {{  // I with a dot: i and a combining dot
    out += "i\\u0307";
    return;
  }}
  const LowerRange* range = find_range(kLower, code);
  const bool mapped = range && (code - range->first) % range->step == 0;
  append_utf8(out, mapped ? range->to + (code - range->first) : code);
}}

}}  // namespace gyre""", "letter_case.py", f"Unicode {unicodedata2.unidata_version}")


if __name__ == "__main__":
    main()
