#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/record.h"

namespace gyre {

struct JsonlOptions {
  std::string field = "text";
  std::string separator = "\n";
};
GYRE_FIELDS(JsonlOptions, GYRE_FIELD(field, "key of the text in each line's object"),
            GYRE_FIELD(separator, "text appended to each document: a newline, <|endoftext|>, ..."));

/// Reads the texts of a JSONL file, one JSON object per line (only \n ends lines; empty lines are
/// skipped), each followed by the separator. Errors: io; parse, with file and line, for a line that
/// is not a JSON object or whose field is missing or not a string.
std::string read_jsonl(const std::string& path, const JsonlOptions& options = {});

/// The same for lines in memory; `path` is used in messages. If not null, `ends` gets the end of
/// each document with its separator.
std::string jsonl_text(std::string_view lines, const std::string& path,
                       const JsonlOptions& options = {}, std::vector<size_t>* ends = nullptr);

}  // namespace gyre
