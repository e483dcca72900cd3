#include "gyre/text/splitters/regex_syntax.h"

#include <utility>
#include <vector>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr std::string_view kHexDigits = "0-9A-Fa-f";
// ICU's own \w has joiners. Oniguruma's has these numbers as well, except in sets.
constexpr std::string_view kWordClass = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}";
constexpr std::string_view kWordNumbers = "\\u00B2\\u00B3\\u00B9\\u00BC-\\u00BE";
// ICU's own \b ignores format characters, and its dot takes \r\n as one character.
constexpr std::string_view kAtBoundary = "(?:(?<=\\w)(?!\\w)|(?<!\\w)(?=\\w))";
constexpr std::string_view kNoBoundary = "(?:(?<=\\w)(?=\\w)|(?<!\\w)(?!\\w))";
constexpr std::string_view kAnyCharacter = "[\\s\\S]";

/// POSIX brackets and what ICU's sets call them.
constexpr std::pair<std::string_view, std::string_view> kBrackets[] = {
    {"punct", "\\p{P}\\p{S}"},
    {"xdigit", kHexDigits},
    {"ascii", "\\x00-\\x7F"},
    {"word", kWordClass},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A pattern of ICU with the members of Oniguruma's \w outside of sets for `\w`.
std::string with_words(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\\w")) {
      out += "[" + std::string(kWordClass) + std::string(kWordNumbers) + "]";
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

class IcuSyntax {
 public:
  IcuSyntax(std::string_view pattern, std::string_view field) : pattern_(pattern), field_(field) {}

  std::string translated() {
    groups_.push_back({});
    while (at_ < pattern_.size()) step();
    out_.append(groups_.back().options, ')');
    return std::move(out_);
  }

 private:
  /// An open group: where it starts in `out_`, how many options hold to its end, and whether a dot
  /// in it matches newlines too.
  struct Group {
    size_t begin = 0, options = 0;
    bool dot_all = false;
  };
  static constexpr size_t kNone = static_cast<size_t>(-1);

  [[nodiscard]] bool starts(std::string_view text) const {
    return pattern_.substr(at_).starts_with(text);
  }
  void copy(size_t bytes) {
    out_ += pattern_.substr(at_, bytes);
    at_ += bytes;
  }
  [[noreturn]] void refuse(std::string_view what) const {
    throw Error(Code::unsupported, field_,
                {"gyre does not support ", what, " in the regular expression '", pattern_, "'"});
  }

  void step() {
    const char c = pattern_[at_];
    if (c == '(') return open_group();
    if (c == ')') return close_group();
    if (c == '{') return interval();
    if (c == '|') {
      atom_ = kNone;
      return copy(1);
    }
    if (c == '*' || c == '+' || c == '?') return copy(1);
    const bool continues = (static_cast<unsigned char>(c) & 0xC0) == 0x80;  // within a character
    if (!continues) atom_ = out_.size();
    if (c == '\\') return escape(false);
    if (c == '[') return set();
    if (c == '.' && groups_.back().dot_all) {
      out_ += kAnyCharacter;
      ++at_;
      return;
    }
    if (c == '}') out_ += '\\';
    copy(1);
  }

  void open_group() {
    const size_t begin = out_.size();
    if (starts("(?~")) refuse("an absent operator '(?~'");
    if (starts("(?(")) refuse("a condition '(?('");
    if (starts("(?#")) {
      const size_t end = pattern_.find(')', at_);
      at_ = end == std::string_view::npos ? pattern_.size() : end + 1;
      return;
    }
    atom_ = kNone;
    if (starts("(?'")) {
      const size_t end = pattern_.find('\'', at_ + 3);
      if (end != std::string_view::npos) {
        out_ += "(?<" + std::string(pattern_.substr(at_ + 3, end - at_ - 3)) + ">";
        at_ = end + 1;
        groups_.push_back({begin, 0, groups_.back().dot_all});
        return;
      }
    }
    if (starts("(?") && options()) return;
    groups_.push_back({begin, 0, groups_.back().dot_all});
    copy(starts("(?<") ? 3 : starts("(?") ? 2 : 1);
  }

  /// `(?imx-imx)`, which holds to the end of the group that it is in, or `(?imx-imx:`.
  bool options() {
    size_t end = at_ + 2;
    std::string letters;
    bool on = true, dot_all = groups_.back().dot_all;
    for (; end < pattern_.size() && (is_ascii_letter(pattern_[end]) || pattern_[end] == '-');
         ++end) {
      if (pattern_[end] == '-') on = false;
      if (pattern_[end] == 'm') {
        dot_all = on;
      } else {
        letters += pattern_[end];
      }
    }
    if (end == at_ + 2 || end == pattern_.size()) return false;
    if (pattern_[end] != ')' && pattern_[end] != ':') return false;
    if (letters.ends_with('-')) letters.pop_back();
    if (pattern_[end] == ')') {
      ++groups_.back().options;
      groups_.back().dot_all = dot_all;
    } else {
      groups_.push_back({out_.size(), 0, dot_all});
    }
    out_ += "(?" + letters + ":";
    at_ = end + 1;
    return true;
  }

  void close_group() {
    out_.append(groups_.back().options, ')');
    atom_ = groups_.back().begin;
    if (groups_.size() > 1) {
      groups_.pop_back();
    } else {
      groups_.back().options = 0;
    }
    copy(1);
  }

  /// `{n}`, `{n,}`, `{,m}`, `{n,m}`; all else that starts with a brace stands for itself.
  void interval() {
    size_t end = at_ + 1;
    const auto number = [&] {
      const size_t from = end;
      while (end < pattern_.size() && is_digit(pattern_[end])) ++end;
      return std::string(pattern_.substr(from, end - from));
    };
    std::string low = number();
    const bool comma = end < pattern_.size() && pattern_[end] == ',';
    if (comma) ++end;
    const std::string high = comma ? number() : std::string();
    if ((low.empty() && high.empty()) || end == pattern_.size() || pattern_[end] != '}') {
      atom_ = out_.size();
      out_ += '\\';
      return copy(1);
    }
    at_ = end + 1;
    const bool repeated = starts("+") || (starts("?") && !comma);
    if (repeated && atom_ != kNone) out_.insert(atom_, "(?:");
    out_ += "{" + (low.empty() ? "0" : low) + (comma ? "," + high : "") + "}";
    if (repeated && atom_ != kNone) out_ += ')';
  }

  /// The escape at `at_`.
  void escape(bool in_set) {
    if (at_ + 1 == pattern_.size()) return copy(1);
    const char c = pattern_[at_ + 1];
    const auto replace = [&](std::string_view text) {
      out_ += text;
      at_ += 2;
    };
    const auto replace_class = [&](std::string_view members, bool negated) {
      replace(negated || !in_set ? std::string(negated ? "[^" : "[") + std::string(members) + "]"
                                 : std::string(members));
    };
    switch (c) {
      case 'h':
      case 'H':
        return replace_class(kHexDigits, c == 'H');
      case 'w':
      case 'W':
        if (in_set) return replace_class(kWordClass, c == 'W');
        return replace_class(std::string(kWordClass) + std::string(kWordNumbers), c == 'W');
      case 'b':
        if (!in_set) return replace(with_words(kAtBoundary));
        return replace("\\x08");
      case 'B':
        if (!in_set) return replace(with_words(kNoBoundary));
        break;
      case 'v':
        return replace("\\x0B");
      case 'N':
        if (!in_set) return replace("[^\\n]");
        break;
      case 'O':
        if (!in_set) return replace(kAnyCharacter);
        break;
      case 'p':
      case 'P':
        return property(c);
      case 'K':
        refuse("'\\K'");
      case 'g':
        refuse("a call '\\g'");
      case 'y':
      case 'Y':
        refuse("'\\y'");
      default:
        break;
    }
    constexpr std::string_view kKnown = "AbBdDefGkMnRrsStuxXzZac";
    if (is_ascii_letter(c) && kKnown.find(c) == std::string_view::npos) return replace({&c, 1});
    copy(2);
  }

  /// `\p{...}` or `\P{...}`, where `^` negates.
  void property(char c) {
    at_ += 2;
    const bool negated = starts("{^");
    out_ += '\\';
    out_ += negated ? (c == 'p' ? 'P' : 'p') : c;
    if (negated) {
      out_ += '{';
      at_ += 2;
    } else if (starts("{")) {
      copy(1);
    }
    const size_t end = pattern_.find('}', at_);
    copy(end == std::string_view::npos ? 0 : end + 1 - at_);
  }

  /// The set at `at_`, with the sets in it.
  void set() {
    size_t depth = 0;
    bool first = false;  // at a place where `]` stands for itself
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '[' && starts("[:") && bracket()) {
        first = false;
        continue;
      }
      if (c == '[') {
        ++depth;
        copy(starts("[^") ? 2 : 1);
        first = true;
        continue;
      }
      if (c == ']' && !(first && pattern_.find(']', at_ + 1) != std::string_view::npos)) {
        copy(1);
        if (--depth == 0) return;
      } else if (c == '\\') {
        escape(true);
      } else {
        const bool plain = std::string_view("]{}$#~").find(c) == std::string_view::npos;
        if (!plain || (c == '-' && starts("--"))) out_ += plain ? "-\\" : "\\";
        if (c == '-' && starts("--")) ++at_;
        copy(1);
      }
      first = false;
    }
  }

  /// A POSIX bracket in a set, `[:name:]` or `[:^name:]`.
  bool bracket() {
    const size_t end = pattern_.find(":]", at_ + 2);
    if (end == std::string_view::npos) return false;
    std::string_view name = pattern_.substr(at_ + 2, end - at_ - 2);
    const bool negated = name.starts_with('^');
    if (negated) name.remove_prefix(1);
    for (const char c : name) {
      if (!is_ascii_letter(c)) return false;
    }
    for (const auto& [known, members] : kBrackets) {
      if (known != name) continue;
      out_ += std::string(negated ? "[^" : "[") + std::string(members) + "]";
      at_ = end + 2;
      return true;
    }
    copy(end + 2 - at_);
    return true;
  }

  std::string_view pattern_, field_;
  size_t at_ = 0;
  std::string out_;
  std::vector<Group> groups_;
  size_t atom_ = kNone;  // where the last atom begins in `out_`
};

}  // namespace

std::string icu_syntax(std::string_view pattern, std::string_view field) {
  return IcuSyntax(pattern, field).translated();
}

}  // namespace gyre
