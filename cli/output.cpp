#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "gyre/base/error.h"
#include "gyre/base/system/terminal.h"

namespace gyre {

Output::Output() : terminal_(is_terminal(stdout)) {
  const char* off = std::getenv("NO_COLOR");
  colours_ = terminal_ && !(off && *off);
}

void Output::text(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void Output::json(const Json& value) {
  text(value.dump());
  text("\n");
}

void Output::flush() {
  if (std::fflush(stdout) != 0) fail();
}

std::string Output::heading(std::string_view text) const {
  return colours_ ? fmt::format("\033[1m{}\033[0m", text) : std::string(text);
}

void Output::fail() {
  if (errno == EPIPE) throw ClosedPipe();
  throw Error(Code::io, "standard output", std::strerror(errno));
}

}  // namespace gyre
