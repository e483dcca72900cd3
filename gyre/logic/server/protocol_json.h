#pragma once
#include <string>
#include <string_view>

#include "gyre/io/json.h"
#include "gyre/logic/server/text_positions.h"
#include "gyre/logic/symbols.h"

/// Objects of the Language Server Protocol 3.17.
namespace gyre::logic {

/// An object of these members.
template <class... Members>
Json object_of(Members... members) {
  return Json(Json::Object{std::move(members)...});
}

/// A Range of bytes.
[[nodiscard]] Json range_json(const TextPositions& positions, size_t begin, size_t end);
/// A Range of a place, of at least one character if the line has one there: editors show no empty
/// one.
[[nodiscard]] Json range_json(const TextPositions& positions, std::string_view text, Place place);
/// The position in the parameters of a request. Error{parse}.
[[nodiscard]] TextPosition position_in(const Json& params);

/// The Diagnostics of file 0 and, at its begin, those of files that it imports.
[[nodiscard]] Json diagnostics_of(const ProgramSymbols& program, const TextPositions& positions);
/// The DocumentSymbols of file 0.
[[nodiscard]] Json outline_of(const ProgramSymbols& program, const TextPositions& positions);

/// Values of CompletionItemKind.
enum class CompletionKind : int {
  function = 3,
  variable = 6,
  type = 7,
  enumeration = 13,
  keyword = 14,
  constant = 21
};
[[nodiscard]] CompletionKind completion_kind(ProgramSymbol::Kind kind);
/// A CompletionItem.
[[nodiscard]] Json completion_item(std::string_view name, CompletionKind kind,
                                   std::string_view detail);

/// The path of a file URI (RFC 8089); another URI unchanged.
[[nodiscard]] std::string path_of_uri(std::string_view uri);
[[nodiscard]] std::string uri_of_path(std::string_view path);

}  // namespace gyre::logic
