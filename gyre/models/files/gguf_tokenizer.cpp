#include "gyre/models/files/gguf_tokenizer.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/text/tokenizer_files.h"

namespace gyre {
namespace {

enum TokenType : int64_t { normal = 1, unknown, control, user_defined, unused, byte };

// Reads "tokenizer.ggml.NAME".
class GgufVocabulary {
 public:
  explicit GgufVocabulary(const GgufFile& file) : file_(file) {}

  [[nodiscard]] const GgufValue* find(const std::string& name) const {
    return file_.metadata("tokenizer.ggml." + name);
  }
  [[nodiscard]] std::vector<std::string> texts(const std::string& name) const {
    const GgufValue* found = find(name);
    if (!found) throw Error(Code::parse, "gguf", "tokenizer.ggml." + name + " is missing");
    const std::vector<std::string_view> all = found->texts();
    return {all.begin(), all.end()};
  }
  [[nodiscard]] int32_t id(const std::string& name) const {
    const GgufValue* found = find(name);
    return found ? static_cast<int32_t>(found->as_integer()) : -1;
  }
  [[nodiscard]] bool flag(const std::string& name, bool otherwise) const {
    const GgufValue* found = find(name);
    return found ? found->as_boolean() : otherwise;
  }
  // Of control tokens; also of those that users added, which texts contain as such.
  [[nodiscard]] std::vector<int32_t> of_types(std::initializer_list<int64_t> wanted) const {
    std::vector<int32_t> ids;
    const GgufValue* types = find("token_type");
    if (!types) return ids;
    const std::vector<int64_t> all = types->integers();
    for (size_t i = 0; i < all.size(); ++i) {
      if (std::ranges::find(wanted, all[i]) != wanted.end()) ids.push_back(static_cast<int32_t>(i));
    }
    return ids;
  }
  [[noreturn]] void refuse(const std::string& name, std::string_view value) const {
    throw Error(Code::unsupported, "gguf",
                "tokenizer.ggml." + name + ": " + std::string(value) + " is not supported");
  }

 private:
  const GgufFile& file_;
};

std::unique_ptr<Tokenizer> of_scored_pieces(const GgufVocabulary& v) {
  ScoredPieces parts;
  parts.pieces = v.texts("tokens");
  const GgufValue* scores = v.find("scores");
  if (scores) parts.scores = scores->reals();
  parts.specials = v.of_types({unknown, control});
  parts.unknown = std::max(0, v.id("unknown_token_id"));
  parts.begin = v.flag("add_bos_token", true) ? v.id("bos_token_id") : -1;
  parts.prefix_space = v.flag("add_space_prefix", true);
  return tokenizer_of_pieces(parts);
}

// SentencePiece's Unigram, as T5 has it.
std::unique_ptr<Tokenizer> of_unigram(const GgufVocabulary& v) {
  ScoredPieces parts{.specials = v.of_types({unknown, control}),
                     .unknown = std::max(0, v.id("unknown_token_id")),
                     .prefix_space = v.flag("add_space_prefix", true),
                     .unigram = true,
                     .byte_fallback = !v.of_types({byte}).empty(),
                     .atoms = v.of_types({user_defined}),
                     .unmatched = v.of_types({unused, byte}),
                     .extra_spaces_removed = v.flag("remove_extra_whitespaces", true)};
  parts.pieces = v.texts("tokens");
  if (const GgufValue* scores = v.find("scores")) parts.scores = scores->reals();
  if (const GgufValue* map = v.find("precompiled_charsmap")) {
    for (const int64_t one : map->integers()) parts.charsmap += static_cast<char>(one);
  }
  parts.begin = v.flag("add_bos_token", false) ? v.id("bos_token_id") : -1;
  parts.end = v.flag("add_eos_token", true) ? v.id("eos_token_id") : -1;
  return tokenizer_of_pieces(parts);
}

// WordPiece. The file marks pieces that begin a word, BERT's vocabulary those that do not.
std::unique_ptr<Tokenizer> of_word_pieces(const GgufVocabulary& v) {
  constexpr std::string_view kBegin = "\xE2\x96\x81";
  WordPieces parts{.tokens = v.texts("tokens"), .lower_case = v.flag("normalizer.lowercase", true)};
  const std::vector<int32_t> marks = v.of_types({unknown, control, user_defined, unused});
  for (size_t i = 0; i < parts.tokens.size(); ++i) {
    std::string& token = parts.tokens[i];
    if (token.starts_with(kBegin)) {
      token.erase(0, kBegin.size());
    } else if (!(token.starts_with('[') && token.ends_with(']')) &&
               std::ranges::find(marks, static_cast<int32_t>(i)) == marks.end()) {
      token.insert(0, "##");
    }
  }
  return tokenizer_of_word_pieces(parts);
}

struct Splitting {
  const char *pre, *pattern;  // llama.cpp's name, and that of known_patterns.h
};
constexpr Splitting kSplittings[] = {
    {"gpt-2", "GPT-2"},           {"default", "GPT-2"}, {"llama-bpe", "Llama 3, GPT-4"},
    {"llama3", "Llama 3, GPT-4"}, {"qwen2", "Qwen2"},   {"gpt-4o", "GPT-4o"},
    {"tekken", "Tekken"}};

std::unique_ptr<Tokenizer> of_merges(const GgufVocabulary& v) {
  ByteMerges parts;
  parts.tokens = v.texts("tokens");
  parts.merges = v.texts("merges");
  parts.specials = v.of_types({control});
  parts.added = v.of_types({user_defined});
  parts.begin = v.flag("add_bos_token", false) ? v.id("bos_token_id") : -1;
  const GgufValue* pre = v.find("pre");
  const std::string name = pre ? std::string(pre->as_text()) : "default";
  const auto* known =
      std::ranges::find_if(kSplittings, [&](const Splitting& s) { return name == s.pre; });
  if (known == std::end(kSplittings)) v.refuse("pre", name);
  parts.splitter = known->pattern;
  parts.ignore_merges = name == "llama-bpe" || name == "llama3";
  return tokenizer_of_merges(parts);
}

}  // namespace

std::unique_ptr<Tokenizer> tokenizer_of(const GgufFile& file) {
  return in_file(file.path(), [&]() -> std::unique_ptr<Tokenizer> {
    const GgufVocabulary v(file);
    const GgufValue* model = v.find("model");
    if (!model || !v.find("tokens")) return nullptr;
    const std::string_view kind = model->as_text();
    if (kind == "llama") return of_scored_pieces(v);
    if (kind == "gpt2") return of_merges(v);
    if (kind == "t5") return of_unigram(v);
    if (kind == "bert") return of_word_pieces(v);
    if (kind == "none" || kind == "no_vocab") return nullptr;
    v.refuse("model", kind);
  });
}

}  // namespace gyre
