#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>

#include "cli/command.h"
#include "gyre/base/text/ascii.h"
#include "gyre/logic/server/language_server.h"
#include "gyre/registry/op_table.h"
#include "gyre/registry/optimizer_table.h"

namespace gyre {
namespace {

using logic::LanguageServer;

constexpr int64_t kLongestMessage = 64 << 20;  // bytes
constexpr size_t kLongestHeader = 4096;        // bytes of a line
constexpr std::string_view kLengthHeader = "content-length:";

// A line without its end, of which at least the last kLongestHeader bytes are kept; nothing at the
// end of the input.
std::optional<std::string> read_header(std::FILE* in) {
  std::string line;
  int c = std::getc(in);
  if (c == EOF) return std::nullopt;
  for (; c != EOF && c != '\n'; c = std::getc(in)) {
    if (line.size() >= 2 * kLongestHeader) line.erase(0, kLongestHeader);
    line += static_cast<char>(c);
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

// The headers before a message.
struct MessageHeaders {
  std::optional<int64_t> length{};
  bool broken = false;  // a line that is no header, or a length that is no number
};

std::optional<int64_t> length_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  int64_t length = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool is_whole = end == text.data() + text.size();
  return code == std::errc() && is_whole && length >= 0 ? std::optional(length) : std::nullopt;
}

// Reads to the empty line after the headers. What a message with a wrong length has left before
// the next "Content-Length:" is passed over. Nothing at the end of the input.
std::optional<MessageHeaders> read_headers(std::FILE* in) {
  MessageHeaders headers;
  bool first = true;
  for (;;) {
    const std::optional<std::string> line = read_header(in);
    if (!line) return first ? std::nullopt : std::optional(headers);
    if (line->empty()) {
      if (!first) return headers;
      continue;
    }
    first = false;
    const std::string lower = lower_case(*line);
    const size_t at = lower.rfind(kLengthHeader);
    if (at != std::string::npos) {
      headers.length = length_of(std::string_view(lower).substr(at + kLengthHeader.size()));
      headers.broken = headers.broken || at > 0 || !headers.length;
    } else if (!lower.starts_with("content-")) {
      headers.broken = true;
    }
  }
}

// At most `length` bytes: fewer at the end of the input.
std::string read_bytes(std::FILE* in, int64_t length) {
  std::string content;
  char part[1 << 14];
  while (length > 0) {
    const size_t wanted = std::min(sizeof part, static_cast<size_t>(length));
    const size_t got = std::fread(part, 1, wanted, in);
    content.append(part, got);
    length -= static_cast<int64_t>(got);
    if (got < wanted) break;
  }
  return content;
}

void skip_bytes(std::FILE* in, int64_t length) {
  while (length > 0 && !std::feof(in) && !std::ferror(in)) {
    const int64_t part = std::min<int64_t>(length, 1 << 20);
    (void)read_bytes(in, part);
    length -= part;
  }
}

void send(Output& out, const Json& message) {
  const std::string content = message.dump();
  out.print("Content-Length: {}\r\n\r\n{}", content.size(), content);
  out.flush();
}

int run_lsp(const Invocation& call) {
  LanguageServer server(op_table(), optimizer_table());
  while (!server.ended()) {
    const std::optional<MessageHeaders> headers = read_headers(stdin);
    if (!headers) break;
    if (headers->broken || !headers->length) {
      send(call.out, LanguageServer::error(LanguageServer::kParseError,
                                           "expected the header 'Content-Length: BYTES'"));
    }
    if (!headers->length) continue;
    if (*headers->length > kLongestMessage) {
      send(call.out,
           LanguageServer::error(LanguageServer::kInvalidRequest,
                                 fmt::format("expected a message of at most {} bytes, got {}",
                                             kLongestMessage, *headers->length)));
      skip_bytes(stdin, *headers->length);
      continue;
    }
    for (const Json& message : server.answer_text(read_bytes(stdin, *headers->length)))
      send(call.out, message);
  }
  return server.shut_down() ? kDone : kFailed;
}

}  // namespace

const Command lsp_command{
    "lsp",      "language server for programs (.tl) on standard input and output (LSP 3.17)",
    "gyre lsp", {},
    kNoOptions, run_lsp};

}  // namespace gyre
