#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "gyre/logic/syntax/syntax.h"

/// The words of the language that have a meaning: keywords.def and builtins.def.
namespace gyre::logic {

struct Keyword {
  /// declares: begins a statement if a name or a string follows; begins: begins a statement;
  /// reserved: no name can be this word; part: a word inside of a statement.
  enum Kind : uint8_t { declares, begins, reserved, part };
  std::string_view name;
  Kind kind;
  const char* doc;
};
[[nodiscard]] std::span<const Keyword> keywords();
/// The keyword of that name, or null.
[[nodiscard]] const Keyword* find_keyword(std::string_view name);

/// A word in the code of the parser. One that is no keyword does not compile.
class Word {
 public:
  consteval Word(const char* name) : name_(name) {
    bool is_keyword = false;
#define GYRE_LOGIC_KEYWORD(word, kind, doc) is_keyword = is_keyword || name_ == word;
#include "gyre/logic/syntax/keywords.def"
#undef GYRE_LOGIC_KEYWORD
    if (!is_keyword) throw "not in keywords.def";
  }
  constexpr operator std::string_view() const { return name_; }
  friend constexpr bool operator==(std::string_view text, Word word) { return text == word.name_; }

 private:
  std::string_view name_;
};

enum class BuiltinId : uint8_t {
#define GYRE_LOGIC_BUILTIN(name, kind, least, most, discrete, doc) name,
#include "gyre/logic/syntax/builtins.def"
#undef GYRE_LOGIC_BUILTIN
};
struct Builtin {
  /// along: a function along the marked index; pointwise: of each element; derivative: grad;
  /// reduction: NAME[i](x).
  enum Kind : uint8_t { along, pointwise, derivative, reduction, initializer };
  BuiltinId id;
  const char* name;
  Kind kind;
  size_t least, most;  ///< arguments of a function
  bool discrete;       ///< whether its gradient is 0
  const char* doc;

  /// Whether it is called as NAME(x).
  [[nodiscard]] bool is_function() const { return kind <= derivative; }
};
[[nodiscard]] std::span<const Builtin> builtins();
/// The builtin of that name, or null.
[[nodiscard]] const Builtin* find_builtin(std::string_view name);
[[nodiscard]] bool is_builtin(std::string_view name, Builtin::Kind kind);

/// The projection of a reduction such as `prod`.
[[nodiscard]] Projection projection_of(BuiltinId reduction);
/// The projection that a word before "=" names: max= min= avg=.
[[nodiscard]] std::optional<Projection> projection_before_equals(std::string_view word);

}  // namespace gyre::logic
