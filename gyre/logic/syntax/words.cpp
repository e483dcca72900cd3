#include "gyre/logic/syntax/words.h"

namespace gyre::logic {
namespace {

constexpr Keyword kKeywords[] = {
#define GYRE_LOGIC_KEYWORD(name, kind, doc) {name, Keyword::kind, doc},
#include "gyre/logic/syntax/keywords.def"
#undef GYRE_LOGIC_KEYWORD
};

constexpr Builtin kBuiltins[] = {
#define GYRE_LOGIC_BUILTIN(name, kind, least, most, discrete, doc) \
  {BuiltinId::name, #name, Builtin::kind, least, most, discrete, doc},
#include "gyre/logic/syntax/builtins.def"
#undef GYRE_LOGIC_BUILTIN
};

}  // namespace

std::span<const Keyword> keywords() { return kKeywords; }

const Keyword* find_keyword(std::string_view name) {
  for (const Keyword& k : kKeywords) {
    if (k.name == name) return &k;
  }
  return nullptr;
}

std::span<const Builtin> builtins() { return kBuiltins; }

const Builtin* find_builtin(std::string_view name) {
  for (const Builtin& b : kBuiltins) {
    if (name == b.name) return &b;
  }
  return nullptr;
}

bool is_builtin(std::string_view name, Builtin::Kind kind) {
  const Builtin* found = find_builtin(name);
  return found && found->kind == kind;
}

Projection projection_of(BuiltinId reduction) {
  switch (reduction) {
    case BuiltinId::prod:
      return Projection::product;
    case BuiltinId::max:
      return Projection::max;
    case BuiltinId::min:
      return Projection::min;
    case BuiltinId::avg:
      return Projection::mean;
    default:
      return Projection::sum;
  }
}

std::optional<Projection> projection_before_equals(std::string_view word) {
  if (!is_builtin(word, Builtin::reduction)) return std::nullopt;
  const Projection p = projection_of(find_builtin(word)->id);
  // "=" and "*=" stand for these
  if (p == Projection::sum || p == Projection::product) return std::nullopt;
  return p;
}

}  // namespace gyre::logic
