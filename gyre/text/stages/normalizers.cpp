#include "gyre/text/stages/normalizers.h"

#include <utility>
#include <vector>

#include "gyre/text/bpe/byte_letters.h"
#include "gyre/text/space_mark.h"
#include "gyre/text/splitters/splitter.h"
#include "gyre/text/stages/characters.h"
#include "gyre/text/stages/precompiled.h"
#include "gyre/text/stages/sentence_piece_normalizer.h"
#include "gyre/text/unicode/letter_case.h"
#include "gyre/text/unicode/normal_form.h"
#include "gyre/text/unicode/unicode_classes.h"
#include "gyre/text/unicode/versions.h"

namespace gyre {

std::string with_replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string out;
  size_t at = 0;
  for (size_t found; (found = text.find(from, at)) != std::string_view::npos;
       at = found + from.size()) {
    out += text.substr(at, found - at);
    out += to;
  }
  return out += text.substr(at);
}

namespace {

// A normalizer from a function.
template <class Change>
NormalizerPtr normalizer_by(Change change) {
  struct By final : Normalizer {
    explicit By(Change change) : change(std::move(change)) {}
    [[nodiscard]] std::string apply(std::string text) const override {
      return change(std::move(text));
    }
    Change change;
  };
  return std::make_unique<By>(std::move(change));
}

template <NormalForm form>
NormalizerPtr read_form_normalizer(StageFields&) {
  return normalizer_by([](const std::string& text) { return normalized(text, form); });
}

std::string lower_case(const std::string& text) {
  std::string out;
  for_each_character(text, [&](char32_t c, std::string_view) { append_lower(out, c); });
  return out;
}

NormalizerPtr read_lower_case_normalizer(StageFields&) { return normalizer_by(lower_case); }

NormalizerPtr read_strip_normalizer(StageFields& f) {
  const bool left = f.flag("strip_left", true), right = f.flag("strip_right", true);
  return normalizer_by([=](const std::string& text) {
    size_t begin = std::string::npos, end = 0, at = 0;
    for_each_character(text, [&](char32_t c, std::string_view bytes) {
      at += bytes.size();
      if (is_white_space(c)) return;
      if (begin == std::string::npos) begin = at - bytes.size();
      end = at;
    });
    if (begin == std::string::npos) begin = end = left ? text.size() : 0;
    if (!left) begin = 0;
    return text.substr(begin, right ? std::max(end, begin) - begin : std::string::npos);
  });
}

NormalizerPtr read_strip_accents_normalizer(StageFields&) {
  return normalizer_by([](const std::string& text) {
    std::string out;
    for_each_character(text, [&](char32_t c, std::string_view bytes) {
      if (!is_mark_unicode_9(c)) out += bytes;
    });
    return out;
  });
}

NormalizerPtr read_replace_normalizer(StageFields& f) {
  StageFields pattern = f.part("pattern");
  const std::string content = f.text("content");
  if (pattern.has("Regex")) {
    const auto splitter = Splitter::from_pattern(pattern.text("Regex"), pattern.part() + ".Regex");
    pattern.done();
    return normalizer_by([=](const std::string& text) {
      std::string out;
      size_t at = 0;
      splitter.for_each_match(text, [&](size_t begin, size_t end) {
        out.append(text, at, begin - at);
        out += content;
        at = end;
      });
      return out.append(text, at);
    });
  }
  const std::string from = pattern.text("String");
  pattern.done();
  if (from.empty()) pattern.unsupported("String", "\"\"");
  return normalizer_by([=](const std::string& text) { return with_replaced(text, from, content); });
}

NormalizerPtr read_prepend_normalizer(StageFields& f) {
  return normalizer_by([prepend = f.text("prepend")](const std::string& text) {
    return text.empty() ? text : prepend + text;
  });
}

// SentencePiece's rules for machine translation.
NormalizerPtr read_nmt_normalizer(StageFields&) {
  return normalizer_by([](const std::string& text) {
    std::string out;
    for_each_character(text, [&](char32_t c, std::string_view bytes) {
      const bool removed = (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) ||
                           c == 0x7F || c == 0x8F || c == 0x9F;
      const bool space = c == 0x09 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 ||
                         (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 ||
                         c == 0xFEFF || c == 0xFFFD || bytes == kSpaceMark;
      if (!removed) out += space ? std::string_view(" ") : bytes;
    });
    return out;
  });
}

NormalizerPtr read_byte_level_normalizer(StageFields&) {
  return normalizer_by([](const std::string& text) { return letters_of_bytes(text); });
}

std::string bert_cleaned(const std::string& text) {
  std::string out;
  for_each_character(text, [&](char32_t c, std::string_view bytes) {
    const bool blank = c == '\t' || c == '\n' || c == '\r';
    const Category kind = category_unicode_8(c);
    const bool control = kind == Category::Cc || kind == Category::Cf || kind == Category::Co;
    if (c == 0 || c == kReplacement || (control && !blank)) return;
    out += blank || is_white_space(c) ? std::string_view(" ") : bytes;
  });
  return out;
}

std::string bert_spaced(const std::string& text) {
  std::string out;
  for_each_character(text, [&](char32_t c, std::string_view bytes) {
    const char* space = is_cjk_ideograph(c) ? " " : "";
    out.append(space).append(bytes).append(space);
  });
  return out;
}

std::string bert_unaccented(const std::string& text) {
  std::string out;
  for_each_character(normalized(text, NormalForm::nfd), [&](char32_t c, std::string_view bytes) {
    if (category_unicode_8(c) != Category::Mn) out += bytes;
  });
  return out;
}

NormalizerPtr read_bert_normalizer(StageFields& f) {
  const bool clean = f.flag("clean_text", true), spaced = f.flag("handle_chinese_chars", true);
  const bool lower = f.flag("lowercase", true), unaccented = f.flag("strip_accents", lower);
  return normalizer_by([=](std::string text) {
    if (clean) text = bert_cleaned(text);
    if (spaced) text = bert_spaced(text);
    if (unaccented) text = bert_unaccented(text);
    return lower ? lower_case(text) : text;
  });
}

NormalizerPtr read_precompiled_normalizer(StageFields& f) {
  const auto map = std::make_shared<const PrecompiledMap>(f.text("precompiled_charsmap"),
                                                          f.part() + ".precompiled_charsmap");
  return normalizer_by([map](const std::string& text) { return map->apply(text); });
}

NormalizerPtr read_sentence_piece_normalizer(StageFields& f) {
  const auto rules = std::make_shared<const SentencePieceNormalizer>(f);
  return normalizer_by([rules](const std::string& text) { return rules->apply(text); });
}

NormalizerPtr read_sequence_normalizer(StageFields& f) {
  const auto all = std::make_shared<std::vector<NormalizerPtr>>();
  for (StageFields& one : f.list("normalizers")) all->push_back(read_normalizer(one));
  return normalizer_by([all](std::string text) {
    for (const NormalizerPtr& one : *all) text = one->apply(std::move(text));
    return text;
  });
}

constexpr StageType<NormalizerPtr> kNormalizers[] = {
    {"NFC", read_form_normalizer<NormalForm::nfc>},
    {"NFD", read_form_normalizer<NormalForm::nfd>},
    {"NFKC", read_form_normalizer<NormalForm::nfkc>},
    {"NFKD", read_form_normalizer<NormalForm::nfkd>},
    {"Lowercase", read_lower_case_normalizer},
    {"Strip", read_strip_normalizer},
    {"StripAccents", read_strip_accents_normalizer},
    {"Replace", read_replace_normalizer},
    {"Prepend", read_prepend_normalizer},
    {"Nmt", read_nmt_normalizer},
    {"ByteLevel", read_byte_level_normalizer},
    {"BertNormalizer", read_bert_normalizer},
    {"Precompiled", read_precompiled_normalizer},
    {"SentencePiece", read_sentence_piece_normalizer},
    {"Sequence", read_sequence_normalizer},
};

}  // namespace

NormalizerPtr read_normalizer(StageFields& fields) { return read_stage(kNormalizers, fields); }

}  // namespace gyre
