#include "gyre/logic/server/protocol_json.h"

#include <algorithm>

#include "gyre/base/text/utf8.h"

namespace gyre::logic {
namespace {

// Values of DiagnosticSeverity.
constexpr int kErrorSeverity = 1, kWarningSeverity = 2;

Json position_json(TextPosition p) {
  return object_of(Json::Member{"line", p.line}, Json::Member{"character", p.character});
}

Json diagnostic_json(const Json& range, int severity, std::string_view code,
                     std::string_view message) {
  Json j = Json::object();
  j["range"] = range;
  j["severity"] = severity;
  if (!code.empty()) j["code"] = code;
  j["source"] = "gyre";
  j["message"] = utf8_lossy(message);
  return j;
}

// Values of SymbolKind.
int symbol_kind(ProgramSymbol::Kind kind) {
  switch (kind) {
    case ProgramSymbol::tensor:
      return 13;  // Variable
    case ProgramSymbol::relation:
      return 5;  // Class
    case ProgramSymbol::constant:
      return 14;  // Constant
    case ProgramSymbol::domain:
      return 10;  // Enum
    case ProgramSymbol::function:
      break;
  }
  return 12;  // Function
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

constexpr std::string_view kFileScheme = "file://";

}  // namespace

Json range_json(const TextPositions& positions, size_t begin, size_t end) {
  return object_of(Json::Member{"start", position_json(positions.position(begin))},
                   Json::Member{"end", position_json(positions.position(end))});
}

Json range_json(const TextPositions& positions, std::string_view text, Place place) {
  size_t end = std::max(place.begin, place.end);
  if (end == place.begin && end < text.size() && text[end] != '\n' && text[end] != '\r')
    end += decode_utf8(text, end).length;
  return range_json(positions, place.begin, end);
}

TextPosition position_in(const Json& params) {
  const Json& at = params.at("position");
  return {at.at("line").as_integer("line"), at.at("character").as_integer("character")};
}

Json diagnostics_of(const ProgramSymbols& program, const TextPositions& positions) {
  Json list = Json::array();
  const std::string_view text = program.sources[0].text;
  for (const LocatedDiagnostic& d : program.diagnostics) {
    const Diagnostic& what = d.diagnostic;
    const bool is_here = what.place.file == 0;
    std::string message = is_here ? what.message : headline_of(d);
    if (!what.note.empty()) message += "\nnote: " + what.note;
    if (!what.suggestion.empty()) message += "\nhelp: " + what.suggestion;
    list.push_back(diagnostic_json(range_json(positions, text, is_here ? what.place : Place{}),
                                   is_warning(what.code) ? kWarningSeverity : kErrorSeverity,
                                   name_of(what.code), message));
  }
  if (!program.failure.empty()) {
    list.push_back(
        diagnostic_json(range_json(positions, 0, 0), kErrorSeverity, "", program.failure));
  }
  return list;
}

Json outline_of(const ProgramSymbols& program, const TextPositions& positions) {
  Json list = Json::array();
  for (const ProgramSymbol& s : program.symbols) {
    if (s.place.file != 0) continue;
    Json j = Json::object();
    j["name"] = utf8_lossy(s.name);
    j["detail"] = utf8_lossy(s.type);
    j["kind"] = symbol_kind(s.kind);
    j["range"] = range_json(positions, s.statement.begin, s.statement.end);
    j["selectionRange"] = range_json(positions, s.place.begin, s.place.end);
    list.push_back(std::move(j));
  }
  return list;
}

CompletionKind completion_kind(ProgramSymbol::Kind kind) {
  switch (kind) {
    case ProgramSymbol::tensor:
      return CompletionKind::variable;
    case ProgramSymbol::relation:
      return CompletionKind::type;
    case ProgramSymbol::constant:
      return CompletionKind::constant;
    case ProgramSymbol::domain:
      return CompletionKind::enumeration;
    case ProgramSymbol::function:
      break;
  }
  return CompletionKind::function;
}

Json completion_item(std::string_view name, CompletionKind kind, std::string_view detail) {
  return object_of(Json::Member{"label", utf8_lossy(name)},
                   Json::Member{"kind", static_cast<int>(kind)},
                   Json::Member{"detail", utf8_lossy(detail)});
}

std::string path_of_uri(std::string_view uri) {
  if (!uri.starts_with(kFileScheme)) return std::string(uri);
  uri.remove_prefix(kFileScheme.size());
  uri.remove_prefix(std::min(uri.find('/'), uri.size()));  // the host
  std::string path;
  for (size_t i = 0; i < uri.size(); ++i) {
    const bool is_escape = uri[i] == '%' && i + 2 < uri.size() && hex_digit(uri[i + 1]) >= 0 &&
                           hex_digit(uri[i + 2]) >= 0;
    if (is_escape) {
      path += static_cast<char>(hex_digit(uri[i + 1]) * 16 + hex_digit(uri[i + 2]));
      i += 2;
    } else {
      path += uri[i];
    }
  }
  return path;
}

std::string uri_of_path(std::string_view path) {
  constexpr char kHex[] = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "/-._~";
  std::string uri(kFileScheme);
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || kPlain.find(c) != std::string_view::npos;
    if (is_plain)
      uri += c;
    else
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return uri;
}

}  // namespace gyre::logic
