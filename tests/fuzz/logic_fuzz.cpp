// Any bytes as a program give a tree or diagnostics. A program without errors keeps its tree when
// it is formatted, and a formatted one is left as it is.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "gyre/logic/syntax/format.h"
#include "tests/logic_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace gyre::logic;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Parsed program = parsed(text);
  if (program.has_errors) {
    for (const LocatedDiagnostic& d : program.diagnostics) {
      if (text_of(d).empty() || d.where.line < 1 || d.where.column < 1) std::abort();
    }
    return 0;
  }
  const std::string once = format_program({"program", text});
  const Parsed again = parsed(once);
  if (again.has_errors || again.tree != program.tree) std::abort();
  if (format_program({"program", once}) != once) std::abort();
  return 0;
}
