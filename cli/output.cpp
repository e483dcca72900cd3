#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/system/terminal.h"
#include "gyre/base/text/printable.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

std::string line_of(const Complaint& c) {
  std::string line = "gyre: " + (c.op.empty() ? c.op : c.op + ": ") + c.message;
  if (!c.hint.empty()) line += " (" + c.hint + ")";
  return printable(line);
}

}  // namespace

Output::Output() : terminal_(is_terminal(stdout)) {
  const char* off = std::getenv("NO_COLOR");
  colours_ = terminal_ && !(off && *off);
}

void Output::text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
  if (!text.empty()) in_line_ = text.back() != '\n';
}

void Output::data(std::string_view data) {
  if (!terminal_) return text(data);
  text(printable_lines(data));
}

void Output::json(const Json& value) {
  text(value.dump());
  text("\n");
}

void Output::flush() {
  if (std::fflush(stdout) != 0) fail();
}

void Output::end_line() noexcept {
  if (in_line_) std::fputc('\n', stdout);
  in_line_ = false;
  std::fflush(stdout);
}

std::string Output::heading(std::string_view text) const {
  return colours_ ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

void Output::fail() {
  if (errno == EPIPE) throw ClosedPipe();
  throw Error(Code::io, "standard output", std::strerror(errno));
}

Json error_json(const Complaint& c) {
  const std::pair<const char*, const std::string&> members[] = {
      {"code", c.code},         {"op", c.op},         {"message", c.message},
      {"expected", c.expected}, {"actual", c.actual}, {"hint", c.hint}};
  Json error = Json::object(), whole = Json::object();
  for (const auto& [name, text] : members) error[name] = utf8_lossy(text);
  whole["error"] = std::move(error);
  return whole;
}

namespace {

const char* interrupted_text = nullptr;

}  // namespace

void complain_when_interrupted(bool json) {
  const Complaint complaint{kInterrupted, "interrupted", "", "interrupted", "", "", ""};
  static std::string& text = *new std::string;  // outlives exit(), during which signals still come
  text = (json ? error_json(complaint).dump() : line_of(complaint)) + "\n";
  if (is_terminal(stderr)) text.insert(0, "\n");  // after ^C and a status line
  interrupted_text = text.c_str();
  say_when_interrupted(nullptr, interrupted_text);
}

void end_line_when_interrupted() { say_when_interrupted("\n", interrupted_text); }

int complain(const Complaint& complaint, bool json) {
  std::fprintf(stderr, "%s\n", (json ? error_json(complaint).dump() : line_of(complaint)).c_str());
  return complaint.exit;
}

}  // namespace gyre
