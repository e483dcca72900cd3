#pragma once
#include <string>
#include <string_view>

#include "gyre/base/record.h"

namespace gyre {

struct JsonlOptions {
  std::string field = "text";
  std::string separator = "\n";
};
GYRE_FIELDS(JsonlOptions, GYRE_FIELD(field, "member of each line's object that holds the text"),
            GYRE_FIELD(separator, "what follows each text: a newline, <|endoftext|>, ..."));

/// The texts in a JSONL file, which is an object a line (lines end at \n only; empty ones are
/// skipped), each followed by the separator. Errors: io; parse, naming file and line: a line that
/// is no JSON object, or whose field is missing or no string.
std::string read_jsonl(const std::string& path, const JsonlOptions& options = {});

/// The same for lines in memory; `path` is for messages.
std::string jsonl_text(std::string_view lines, const std::string& path,
                       const JsonlOptions& options = {});

}  // namespace gyre
