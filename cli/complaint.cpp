#include "cli/complaint.h"

#include <cstdio>

#include "gyre/base/text/utf8.h"
#include "gyre/io/json.h"

namespace gyre {
namespace {

std::string line_of(const Complaint& c) {
  std::string line = "gyre: " + (c.op.empty() ? c.op : c.op + ": ") + c.message;
  if (!c.hint.empty()) line += " (" + c.hint + ")";
  for (char& letter : line) {  // control characters from file contents
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f') letter = ' ';
  }
  return utf8_lossy(line);
}

std::string json_of(const Complaint& c) {
  const std::pair<const char*, const std::string&> members[] = {
      {"code", c.code},         {"op", c.op},         {"message", c.message},
      {"expected", c.expected}, {"actual", c.actual}, {"hint", c.hint}};
  Json error = Json::object(), whole = Json::object();
  for (const auto& [name, text] : members) error[name] = utf8_lossy(text);
  whole["error"] = std::move(error);
  return whole.dump();
}

}  // namespace

int complain(const Complaint& complaint, bool json) {
  std::fprintf(stderr, "%s\n", (json ? json_of(complaint) : line_of(complaint)).c_str());
  return complaint.exit;
}

}  // namespace gyre
