#include "gyre/text/stages/pre_tokenizers.h"

#include <optional>
#include <utility>

#include "gyre/text/bpe/byte_letters.h"
#include "gyre/text/space_mark.h"
#include "gyre/text/splitters/splitter.h"
#include "gyre/text/stages/characters.h"
#include "gyre/text/unicode/scripts.h"
#include "gyre/text/unicode/unicode_classes.h"
#include "gyre/text/unicode/versions.h"

namespace gyre {
namespace {

template <class Split>
PreTokenizerPtr pre_tokenizer_by(Split split) {
  struct By final : PreTokenizer {
    explicit By(Split split) : by(std::move(split)) {}
    void split(Piece piece, Pieces& out) const override { by(std::move(piece), out); }
    Split by;
  };
  return std::make_unique<By>(std::move(split));
}

// A part of a piece: a match of what it is split at, or what lies between.
struct Span {
  size_t begin, end;
  bool match;
};
using Spans = std::vector<Span>;

enum class Behavior : uint8_t { removed, isolated, with_previous, with_next, contiguous };

Behavior read_behavior(StageFields& f, std::string_view otherwise) {
  constexpr std::pair<const char*, Behavior> kBehaviors[] = {
      {"Removed", Behavior::removed},
      {"Isolated", Behavior::isolated},
      {"MergedWithPrevious", Behavior::with_previous},
      {"MergedWithNext", Behavior::with_next},
      {"Contiguous", Behavior::contiguous}};
  const std::string name = otherwise.empty() ? f.text("behavior") : f.text("behavior", otherwise);
  for (const auto& [known, behavior] : kBehaviors) {
    if (name == known) return behavior;
  }
  f.unsupported("behavior", name);
}

Spans with_next_merged(const Spans& spans) {
  Spans merged;
  bool before = false;
  for (size_t i = spans.size(); i-- > 0;) {
    const Span& s = spans[i];
    if (s.match && !before && !merged.empty()) {
      merged.back().begin = s.begin;
    } else {
      merged.push_back(s);
    }
    before = s.match;
  }
  return {merged.rbegin(), merged.rend()};
}

Spans merged_spans(const Spans& spans, Behavior behavior) {
  if (behavior == Behavior::with_next) return with_next_merged(spans);
  Spans merged;
  bool before = false;
  for (const Span& s : spans) {
    const bool joins = behavior == Behavior::with_previous ? s.match && !before
                       : behavior == Behavior::contiguous  ? s.match == before
                                                           : false;
    before = s.match;
    if (behavior == Behavior::removed && s.match) continue;
    if (joins && !merged.empty()) {
      merged.back().end = s.end;
    } else {
      merged.push_back(s);
    }
  }
  return merged;
}

void emit_spans(const Piece& piece, const Spans& spans, Behavior behavior, Pieces& out) {
  for (const Span& s : merged_spans(spans, behavior)) {
    if (s.end > s.begin)
      out.push_back({piece.text.substr(s.begin, s.end - s.begin), piece.first && s.begin == 0});
  }
}

// Characters for which `is` holds are matches, each by itself.
template <class Is>
PreTokenizerPtr split_at(Behavior behavior, Is is) {
  return pre_tokenizer_by([=](const Piece& piece, Pieces& out) {
    Spans spans;
    size_t at = 0;
    for_each_character(piece.text, [&](char32_t c, std::string_view bytes) {
      const bool match = is(c);
      if (match || spans.empty() || spans.back().match) spans.push_back({at, at, match});
      at += bytes.size();
      spans.back().end = at;
    });
    emit_spans(piece, spans, behavior, out);
  });
}

Spans spans_of(const Splitter& splitter, std::string_view text, bool invert) {
  Spans spans;
  size_t at = 0;
  splitter.for_each_match(text, [&](size_t begin, size_t end) {
    if (begin > at) spans.push_back({at, begin, invert});
    spans.push_back({begin, end, !invert});
    at = end;
  });
  if (at < text.size()) spans.push_back({at, text.size(), invert});
  return spans;
}

PreTokenizerPtr by_splitter(const Splitter& splitter, Behavior behavior, bool invert) {
  return pre_tokenizer_by([=](const Piece& piece, Pieces& out) {
    emit_spans(piece, spans_of(splitter, piece.text, invert), behavior, out);
  });
}

PreTokenizerPtr by_text(const std::string& pattern, Behavior behavior, bool invert) {
  return pre_tokenizer_by([=](const Piece& piece, Pieces& out) {
    Spans spans;
    size_t at = 0;
    if (pattern.empty()) {  // matches between all characters
      for_each_character(piece.text, [&](char32_t, std::string_view bytes) {
        spans.push_back({at, at + bytes.size(), invert});
        at += bytes.size();
      });
    }
    for (size_t found;
         !pattern.empty() && (found = piece.text.find(pattern, at)) != std::string::npos;) {
      if (found > at) spans.push_back({at, found, invert});
      at = found + pattern.size();
      spans.push_back({found, at, !invert});
    }
    if (at < piece.text.size()) spans.push_back({at, piece.text.size(), invert});
    emit_spans(piece, spans, behavior, out);
  });
}

PreTokenizerPtr read_split_splitting(StageFields& f) {
  StageFields pattern = f.part("pattern");
  const Behavior behavior = read_behavior(f, "");
  const bool invert = f.flag("invert", false);
  if (!pattern.has("Regex")) {
    const std::string text = pattern.text("String");
    pattern.done();
    return by_text(text, behavior, invert);
  }
  const std::string regex = pattern.text("Regex");
  pattern.done();
  return by_splitter(Splitter::from_pattern(regex, pattern.part() + ".Regex"), behavior, invert);
}

PreTokenizerPtr read_byte_level_splitting(StageFields& f) {
  const bool space = f.flag("add_prefix_space", true), regex = f.flag("use_regex", true);
  f.ignore("trim_offsets");
  return pre_tokenizer_by([=, splitter = Splitter::gpt2()](Piece piece, Pieces& out) {
    if (space && !piece.text.starts_with(' ')) piece.text.insert(0, " ");
    if (!regex) {
      out.push_back({letters_of_bytes(piece.text), piece.first});
      return;
    }
    splitter.for_each_match(piece.text, [&](size_t begin, size_t end) {
      out.push_back({letters_of_bytes(std::string_view(piece.text).substr(begin, end - begin)),
                     piece.first && begin == 0});
    });
  });
}

enum class Prepend : uint8_t { always, first, never };

PreTokenizerPtr read_metaspace_splitting(StageFields& f) {
  std::string mark;
  append_utf8(mark, f.character("replacement", kSpaceMark));
  const bool older = f.flag("add_prefix_space", true);
  const std::string scheme = f.text("prepend_scheme", older ? "always" : "never");
  const Prepend prepend = scheme == "always"  ? Prepend::always
                          : scheme == "first" ? Prepend::first
                                              : Prepend::never;
  if (prepend == Prepend::never && scheme != "never") f.unsupported("prepend_scheme", scheme);
  const bool split = f.flag("split", true);
  f.ignore("str_rep");
  return pre_tokenizer_by([=](Piece piece, Pieces& out) {
    piece.text = with_replaced(piece.text, " ", mark);
    const bool wanted = prepend == Prepend::always || (prepend == Prepend::first && piece.first);
    if (wanted && !piece.text.starts_with(mark)) piece.text.insert(0, mark);
    if (!split) return out.push_back(std::move(piece));
    by_text(mark, Behavior::with_next, false)->split(std::move(piece), out);
  });
}

PreTokenizerPtr read_whitespace_splitting(StageFields&) {
  return pre_tokenizer_by([](const Piece& piece, Pieces& out) {
    enum Kind { word, mark, space } before = space;
    size_t begin = 0, at = 0;
    const auto end = [&](Kind kind) {
      if (kind != before && before != space)
        out.push_back({piece.text.substr(begin, at - begin), piece.first && begin == 0});
      if (kind != before) begin = at;
      before = kind;
    };
    for_each_character(piece.text, [&](char32_t c, std::string_view bytes) {
      end(is_word_character(c) ? word : is_white_space(c) ? space : mark);
      at += bytes.size();
    });
    end(before == word ? space : before == mark ? space : word);
  });
}

PreTokenizerPtr read_whitespace_split_splitting(StageFields&) {
  return split_at(Behavior::removed, is_white_space);
}

PreTokenizerPtr read_digits_splitting(StageFields& f) {
  return split_at(f.flag("individual_digits", false) ? Behavior::isolated : Behavior::contiguous,
                  is_number_unicode_17);
}

bool is_split_punctuation(char32_t c) {
  const bool ascii = (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
                     (c >= 123 && c <= 126);
  return ascii || is_punctuation(category_unicode_8(c));
}

PreTokenizerPtr read_punctuation_splitting(StageFields& f) {
  return split_at(read_behavior(f, "Isolated"), is_split_punctuation);
}

PreTokenizerPtr read_delimiter_splitting(StageFields& f) {
  return split_at(Behavior::removed,
                  [wanted = f.character("delimiter")](char32_t c) { return c == wanted; });
}

Script joined_script(char32_t c) {
  if (c == 0x30FC) return Script::han;
  if (c == ' ') return Script::unknown;
  const Script script = script_of(c);
  return script == Script::hiragana || script == Script::katakana ? Script::han : script;
}

// Splits where the script changes; characters of any script join either side, but those before the
// first script are dropped, as in Hugging Face's tokenizers.
PreTokenizerPtr read_scripts_splitting(StageFields&) {
  return pre_tokenizer_by([](const Piece& piece, Pieces& out) {
    std::optional<Script> last;
    std::vector<size_t> begins;
    size_t at = 0;
    for_each_character(piece.text, [&](char32_t c, std::string_view bytes) {
      const Script script = joined_script(c);
      if (script != Script::unknown && last != Script::unknown && last != script)
        begins.push_back(at);
      at += bytes.size();
      if (script != Script::unknown) last = script;
    });
    begins.push_back(at);
    for (size_t i = 0; i + 1 < begins.size(); ++i) {
      out.push_back(
          {piece.text.substr(begins[i], begins[i + 1] - begins[i]), piece.first && begins[i] == 0});
    }
  });
}

PreTokenizerPtr read_fixed_length_splitting(StageFields& f) {
  const int64_t length = f.count("length", 5);
  if (length == 0) f.unsupported("length", "0");
  return pre_tokenizer_by([=](const Piece& piece, Pieces& out) {
    size_t begin = 0, at = 0;
    int64_t count = 0;
    const auto end = [&] {
      if (at > begin)
        out.push_back({piece.text.substr(begin, at - begin), piece.first && begin == 0});
      begin = at;
      count = 0;
    };
    for_each_character(piece.text, [&](char32_t, std::string_view bytes) {
      at += bytes.size();
      if (++count == length) end();
    });
    end();
  });
}

PreTokenizerPtr in_sequence(std::vector<PreTokenizerPtr> stages) {
  const auto all = std::make_shared<std::vector<PreTokenizerPtr>>(std::move(stages));
  return pre_tokenizer_by([all](Piece piece, Pieces& out) {
    Pieces pieces;
    pieces.push_back(std::move(piece));
    for (const PreTokenizerPtr& one : *all) {
      Pieces next;
      for (Piece& p : pieces) one->split(std::move(p), next);
      pieces = std::move(next);
    }
    for (Piece& p : pieces) out.push_back(std::move(p));
  });
}

PreTokenizerPtr read_bert_splitting(StageFields&) {
  std::vector<PreTokenizerPtr> both;
  both.push_back(split_at(Behavior::removed, is_white_space));
  both.push_back(split_at(Behavior::isolated, is_split_punctuation));
  return in_sequence(std::move(both));
}

PreTokenizerPtr read_sequence_splitting(StageFields& f) {
  std::vector<PreTokenizerPtr> all;
  for (StageFields& one : f.list("pretokenizers")) all.push_back(read_pre_tokenizer(one));
  return in_sequence(std::move(all));
}

constexpr StageType<PreTokenizerPtr> kPreTokenizers[] = {
    {"ByteLevel", read_byte_level_splitting},
    {"Metaspace", read_metaspace_splitting},
    {"Split", read_split_splitting},
    {"Whitespace", read_whitespace_splitting},
    {"WhitespaceSplit", read_whitespace_split_splitting},
    {"Digits", read_digits_splitting},
    {"Punctuation", read_punctuation_splitting},
    {"CharDelimiterSplit", read_delimiter_splitting},
    {"UnicodeScripts", read_scripts_splitting},
    {"FixedLength", read_fixed_length_splitting},
    {"BertPreTokenizer", read_bert_splitting},
    {"Sequence", read_sequence_splitting},
};

}  // namespace

PreTokenizerPtr read_pre_tokenizer(StageFields& fields) {
  return read_stage(kPreTokenizers, fields);
}

}  // namespace gyre
