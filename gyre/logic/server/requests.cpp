#include <algorithm>

#include "gyre/base/text/utf8.h"
#include "gyre/logic/server/language_server.h"
#include "gyre/logic/server/protocol_json.h"
#include "gyre/logic/syntax/format.h"
#include "gyre/logic/syntax/lexer.h"
#include "gyre/logic/syntax/words.h"
#include "gyre/ops/signature.h"

namespace gyre::logic {
namespace {

// The token of a text that a position is in, or at the end of a name.
struct TokenAt {
  Token::Kind kind = Token::end;
  std::string text{};
  Place place{};
  [[nodiscard]] bool is_text() const { return kind == Token::comment || kind == Token::string; }
};
TokenAt token_at(const std::string& text, size_t offset) {
  Sources sources;
  const uint32_t file = sources.add({"", text});
  Diagnostics ignored(sources);
  TokenAt found;
  for (const Token& t : tokens_of(sources, file, ignored, true)) {
    if (t.place.begin > offset) break;
    const bool is_line = t.kind == Token::comment && !t.text.ends_with("*/");
    const bool touches = t.kind == Token::name || is_line;
    if (offset < t.place.end || (touches && offset == t.place.end))
      found = {t.kind, std::string(t.text), t.place};
  }
  return found;
}

std::string code_block(std::string_view code) { return "```tl\n" + std::string(code) + "\n```"; }

void add_paragraph(std::string& text, const std::string& paragraph) {
  text += (text.empty() ? "" : "\n\n") + paragraph;
}

std::string signature_of_op(const OpDef& op) { return signature(op.name, op.args, op.attrs); }

// Lines that both texts have at their begin or end are left out, so that an editor keeps its place.
struct Edit {
  size_t begin, end;  // of the old text
  std::string text;
};
Edit edit_between(std::string_view before, std::string_view after) {
  const size_t most = std::min(before.size(), after.size());
  size_t first = 0;
  while (first < most && before[first] == after[first]) ++first;
  const size_t newline = before.substr(0, first).rfind('\n');
  first = newline == std::string_view::npos ? 0 : newline + 1;
  size_t last = 0;
  while (last < most - first && before[before.size() - 1 - last] == after[after.size() - 1 - last])
    ++last;
  const size_t next = before.find('\n', before.size() - last);
  last = next == std::string_view::npos ? 0 : before.size() - next - 1;
  return {first, before.size() - last,
          std::string(after.substr(first, after.size() - last - first))};
}

}  // namespace

std::string LanguageServer::hover_text(const std::string& name, const ProgramSymbols& found) const {
  if (const ProgramSymbol* s = found.find(name)) {
    std::string text = code_block(s->type);
    if (!s->origin.empty()) add_paragraph(text, s->origin);
    const std::string_view statement = found.sources.text(s->statement);
    constexpr size_t kLongest = 400;
    if (statement.size() <= kLongest) add_paragraph(text, code_block(statement));
    return text;
  }
  std::string text;
  if (const Builtin* b = find_builtin(name)) add_paragraph(text, b->doc);
  const bool is_replaced = !text.empty() && find_builtin(name)->is_function();
  if (const OpDef* op = ops_.find(name); op && !is_replaced) {
    add_paragraph(text, code_block(signature_of_op(*op)));
    add_paragraph(text, op->doc);
  }
  if (const Keyword* k = find_keyword(name)) add_paragraph(text, k->doc);
  return text;
}

Json LanguageServer::hover(const Json& params) {
  const Document& document = document_of(params);
  const TextPositions positions = positions_in(document.text);
  const TokenAt token = token_at(document.text, positions.offset(position_in(params)));
  if (token.kind != Token::name) return {};
  const std::string text = hover_text(token.text, document.found);
  if (text.empty()) return {};
  return object_of(
      Json::Member{"contents", object_of(Json::Member{"kind", "markdown"},
                                         Json::Member{"value", utf8_lossy(text)})},
      Json::Member{"range", range_json(positions, token.place.begin, token.place.end)});
}

Json LanguageServer::completion(const Json& params) {
  const Document& document = document_of(params);
  const size_t offset = positions_in(document.text).offset(position_in(params));
  const TokenAt token = token_at(document.text, offset);
  Json items = Json::array();
  if (token.is_text() && token.place.begin < offset) return items;
  for (const ProgramSymbol& s : document.found.symbols)
    items.push_back(completion_item(s.name, completion_kind(s.kind), s.type));
  const auto is_new = [&](std::string_view name) { return !document.found.find(name); };
  for (const Builtin& b : builtins()) {
    if (is_new(b.name)) items.push_back(completion_item(b.name, CompletionKind::function, b.doc));
    if (projection_before_equals(b.name)) {
      const std::string projection = std::string(b.name) + "=";
      items.push_back(completion_item(projection, CompletionKind::keyword, b.doc));
    }
  }
  for (const Keyword& k : keywords())
    items.push_back(completion_item(k.name, CompletionKind::keyword, k.doc));
  for (const OpDef* op : ops_.ops) {
    if (!find_builtin(op->name) && is_new(op->name))
      items.push_back(completion_item(op->name, CompletionKind::function, signature_of_op(*op)));
  }
  return items;
}

Json LanguageServer::definition(const Json& params) {
  const Document& document = document_of(params);
  const size_t offset = positions_in(document.text).offset(position_in(params));
  const TokenAt token = token_at(document.text, offset);
  if (token.kind != Token::name) return {};
  const ProgramSymbol* symbol = document.found.find(token.text);
  if (!symbol) return {};
  const SourceFile& file = document.found.sources[symbol->place.file];
  const bool is_here = symbol->place.file == 0;
  return object_of(Json::Member{"uri", is_here ? document.uri : uri_of_path(file.path)},
                   Json::Member{"range", range_json(positions_in(file.text), symbol->place.begin,
                                                    symbol->place.end)});
}

Json LanguageServer::outline(const Json& params) {
  const Document& document = document_of(params);
  return outline_of(document.found, positions_in(document.text));
}

Json LanguageServer::formatting(const Json& params) {
  const Document& document = document_of(params);
  Json edits = Json::array();
  std::string formatted;
  try {
    formatted = format_program({document.uri, document.text});
  } catch (const ProgramError&) {  // its diagnostics are published
    return edits;
  }
  if (formatted == document.text) return edits;
  Edit edit = edit_between(document.text, formatted);
  edits.push_back(object_of(
      Json::Member{"range", range_json(positions_in(document.text), edit.begin, edit.end)},
      Json::Member{"newText", std::move(edit.text)}));
  return edits;
}

}  // namespace gyre::logic
