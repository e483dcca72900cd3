"""Writes scripts.h and scripts.cpp, the scripts of Unicode 9.

Usage: python scripts.py     (needs perl 5.36 or later and `pip install unicodedata2==16.0.0 fonttools`)

fontTools has the scripts of the newest Unicode: those of version 9 are the same without newer code
points, and with four that have changed since.
"""
import contextlib
import pathlib

from fontTools.unicodedata import Scripts, script
from tables import assigned, expect_unicode, numbers, write

CHANGED = {0x589: "Zyyy", 0x61C: "Zyyy", 0x953: "Deva", 0x954: "Deva"}


def name(short):
    return Scripts.NAMES[short].lower()


def file(path, body):
    with pathlib.Path(__file__).with_name(path).open("w") as out, contextlib.redirect_stdout(out):
        write(body, "scripts.py", "Unicode 9")


def main():
    expect_unicode("16.0.0")
    runs = []
    for code in sorted(assigned("9.0")):
        short = CHANGED.get(code) or script(chr(code))
        if short == "Zzzz":
            continue
        if runs and runs[-1][1] == code - 1 and runs[-1][2] == name(short):
            runs[-1][1] = code
        else:
            runs.append([code, code, name(short)])
    names = sorted({run[2] for run in runs})
    file("scripts.h", f"""#pragma once

#include <cstdint>

namespace gyre {{

/// Scripts by Unicode's names; `unknown` for code points that no script has.
enum class Script : uint8_t {{
{numbers(["unknown", *names], "  ", "{}").rstrip(",")}
}};

/// The script of a code point in Unicode 9.
[[nodiscard]] Script script_of(char32_t code);

}}  // namespace gyre""")
    file("scripts.cpp", f"""#include "gyre/text/unicode/scripts.h"

#include "gyre/text/unicode/code_ranges.h"

namespace gyre {{
namespace {{

struct ScriptRange {{
  char32_t first, last;
  Script script;
}};

}}  // namespace

Script script_of(char32_t code) {{
  using enum Script;
  static constexpr ScriptRange kScripts[{len(runs)}] = {{
{numbers(runs, "      ", "{{0x{0[0]:X}, 0x{0[1]:X}, {0[2]}}}")}
  }};
  const ScriptRange* range = find_range(kScripts, code);
  return range ? range->script : unknown;
}}

}}  // namespace gyre""")


if __name__ == "__main__":
    main()
