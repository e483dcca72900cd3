"""What the scripts that write Unicode tables share: code points, ranges, lines of numbers."""
import subprocess
import sys

import unicodedata2

LAST = 0x110000


def expect_unicode(version):
    assert unicodedata2.unidata_version == version, f"pip install unicodedata2 of Unicode {version}"


def assigned(version):
    """The code points that a version of Unicode assigns, from perl's table of ages."""
    known = f"chr =~ /\\p{{Present_In: {version}}}/"
    program = f"no warnings; for (0..{LAST - 1}) {{ print \"$_\\n\" if {known} }}"
    listing = subprocess.run(["perl", "-e", program], check=True, capture_output=True, text=True)
    return {int(line) for line in listing.stdout.split()}


def numbers(values, margin="    ", style="0x{:X}"):
    """Lines of at most 100 columns; `style` writes one value."""
    line, lines = margin, []
    for value in values:
        text = style.format(value) + ","
        if len(line) + len(text) > 99:
            lines.append(line.rstrip())
            line = margin
        line += text + " "
    return "\n".join([*lines, line.rstrip()])


def ranges(codes):
    """Sorted code points as pairs (first, last)."""
    found = []
    for code in codes:
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return [tuple(pair) for pair in found]


def runs(kinds):
    """Pairs (code, kind), sorted, as ranges [first, last, kind] of equal kinds."""
    found = []
    for code, kind in kinds:
        if found and found[-1][1] == code - 1 and found[-1][2] == kind:
            found[-1][1] = code
        else:
            found.append([code, code, kind])
    return found


def lookup(kinds, *, header, enum, function, row, member, table, otherwise, first=""):
    """A C++ file whose function, after the lines `first`, finds the kind of a code point in a table of its runs."""
    found = runs(kinds)
    return f"""#include "gyre/text/unicode/{header}"

#include "gyre/text/unicode/code_ranges.h"

namespace gyre {{
namespace {{

struct {row} {{
  char32_t first, last;
  {enum} {member};
}};

}}  // namespace

{enum} {function}(char32_t code) {{
  using enum {enum};
  static constexpr {row} {table}[{len(found)}] = {{
{numbers(found, "      ", "{{0x{0[0]:X}, 0x{0[1]:X}, {0[2]}}}")}
  }};
{first}  const {row}* range = find_range({table}, code);
  return range ? range->{member} : {otherwise};
}}

}}  // namespace gyre"""


def pairs(values, margin="    "):
    """Lines of {first, last} rows."""
    return numbers(values, margin, "{{0x{0[0]:X}, 0x{0[1]:X}}}")


def write(body, source, data):
    """Prints a C++ file whose first line tells its source."""
    print(f"// Written by {source} from {data}; not edited by hand.\n// clang-format off\n{body}")
    sys.stdout.flush()
