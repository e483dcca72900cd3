"""Writes scripts.h and scripts.cpp, the scripts of Unicode 9.

Usage: python scripts.py     (needs perl 5.36 or later and `pip install unicodedata2==16.0.0 fonttools`)

fontTools has the scripts of the newest Unicode: those of version 9 are the same without newer code
points, and with four that have changed since.
"""
import contextlib
import pathlib

from fontTools.unicodedata import Scripts, script
from tables import assigned, expect_unicode, lookup, numbers, write

CHANGED = {0x589: "Zyyy", 0x61C: "Zyyy", 0x953: "Deva", 0x954: "Deva"}


def name(short):
    return Scripts.NAMES[short].lower()


def file(path, body):
    with pathlib.Path(__file__).with_name(path).open("w") as out, contextlib.redirect_stdout(out):
        write(body, "scripts.py", "Unicode 9")


def main():
    expect_unicode("16.0.0")
    shorts = ((code, CHANGED.get(code) or script(chr(code))) for code in sorted(assigned("9.0")))
    scripts = [(code, name(short)) for code, short in shorts if short != "Zzzz"]
    names = sorted({script_name for _, script_name in scripts})
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
    file("scripts.cpp", lookup(scripts, header="scripts.h", enum="Script", function="script_of", row="ScriptRange",
                               member="script", table="kScripts", otherwise="unknown"))


if __name__ == "__main__":
    main()
