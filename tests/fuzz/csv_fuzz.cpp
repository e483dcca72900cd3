// Any bytes as a CSV file are parsed or rejected with an Error; columns are as long as the table.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "gyre/base/error.h"
#include "gyre/io/csv.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const gyre::CsvTable table =
        gyre::parse_csv({reinterpret_cast<const char*>(data), size}, "file");
    for (const gyre::CsvColumn& column : table.columns) {
      const size_t rows = column.is_text ? column.codes.size() : column.numbers.size();
      if (static_cast<int64_t>(rows) != table.rows) std::abort();
    }
    if (table.line_of(table.rows - 1) < table.rows) std::abort();
  } catch (const gyre::Error&) {
  }
  return 0;
}
