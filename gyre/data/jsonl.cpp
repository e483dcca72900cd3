#include "gyre/data/jsonl.h"

#include <algorithm>
#include <cstdint>

#include "gyre/base/error.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/io/json.h"

namespace gyre {
namespace {

/// Message of a JSON error without its op and without the line number, which is always 1.
std::string reason_of(const Error& error) {
  constexpr std::string_view kOnlyLine = "line 1, ";
  const std::string reason = error.message();
  return reason.starts_with(kOnlyLine) ? reason.substr(kOnlyLine.size()) : reason;
}

}  // namespace

std::string jsonl_text(std::string_view lines, const std::string& path, const JsonlOptions& options,
                       std::vector<size_t>* ends) {
  std::string all;
  for (int64_t line = 1; !lines.empty(); ++line) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    const std::string_view text = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      all += Json::parse(text).at(options.field).as_string(options.field);
    } catch (const Error& error) {
      throw Error(Code::parse, "jsonl", {path, ": line ", line, ": ", reason_of(error)},
                  error.expected, error.actual);
    }
    all += options.separator;
    if (ends) ends->push_back(all.size());
  }
  return all;
}

std::string read_jsonl(const std::string& path, const JsonlOptions& options) {
  const MappedFile file(path);
  return jsonl_text(file.text(), path, options);
}

}  // namespace gyre
