"""Writes versions.cpp, what older and newer versions of Unicode than 16 say.

Usage: python versions.py > versions.cpp     (needs perl 5.36 or later and
`pip install unicodedata2==16.0.0`)
"""
import unicodedata2
from tables import LAST, assigned, expect_unicode, pairs, ranges, write


def later_than(old):
    """Ranges of what is not in `old`, joined across code points that are unassigned to this day."""
    found, first, last = [], None, None
    for code in range(LAST):
        if code in old:
            if first is not None:
                found.append((first, last))
                first = None
        elif unicodedata2.category(chr(code)) != "Cn":
            first, last = code if first is None else first, code
    return found if first is None else [*found, (first, last)]


def main():
    expect_unicode("16.0.0")
    eight, nine = assigned("8.0"), assigned("9.0")
    marks = [code for code in sorted(nine - eight) if unicodedata2.category(chr(code))[0] == "M"]
    later, new_marks = later_than(eight), ranges(marks)
    write(f"""#include "gyre/text/unicode/versions.h"

#include "gyre/text/unicode/code_ranges.h"

namespace gyre {{
namespace {{

/// Code points that are assigned in Unicode 16, not in Unicode 8.
constexpr CodeRange kLaterThan8[{len(later)}] = {{
{pairs(later)}
}};

/// Marks that came with Unicode 9.
constexpr CodeRange kMarksOf9[{len(new_marks)}] = {{
{pairs(new_marks)}
}};

/// Code points whose category in Unicode 8 was another one; of the changes since, those that decide
/// whether a code point is punctuation, a non-spacing mark or a control character.
constexpr struct {{
  char32_t code;
  Category category;
}} kChanged[] = {{
    {{0x166D, Category::Po}}, {{0x1734, Category::Mn}}, {{0x1885, Category::Lo}},
    {{0x1886, Category::Lo}}, {{0xA9BD, Category::Mc}}, {{0x111C9, Category::Po}},
    {{0x1171E, Category::Mn}},
}};

}}  // namespace

Category category_unicode_8(char32_t code) {{
  if (in_ranges(kLaterThan8, code)) return Category::Cn;
  for (const auto& changed : kChanged) {{
    if (changed.code == code) return changed.category;
  }}
  return category(code);
}}

bool is_mark_unicode_9(char32_t code) {{
  if (code == 0x1885 || code == 0x1886) return true;  // letters in Unicode 8
  if (code == 0x1CF2 || code == 0x1CF3) return true;  // letters since Unicode 12
  return in_ranges(kMarksOf9, code) || is_mark(category_unicode_8(code));
}}

bool is_number_unicode_17(char32_t code) {{
  const bool newer = (code >= 0x11DE0 && code <= 0x11DE9) || (code >= 0x16FF4 && code <= 0x16FF6);
  return newer || is_number(category(code));
}}

}}  // namespace gyre""", "versions.py", f"Unicode {unicodedata2.unidata_version} and perl's ages")


if __name__ == "__main__":
    main()
