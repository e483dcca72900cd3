#include "gyre/models/files/gguf_tokenizer.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/text/scored_pieces.h"
#include "gyre/text/space_mark.h"
#include "gyre/text/stages/characters.h"
#include "gyre/text/tokenizer_files.h"

namespace gyre {
namespace {

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
    const int64_t id = found ? found->as_integer() : -1;
    if (id == UINT32_MAX) return -1;  // how unsigned fields say none
    if (id < -1 || id > INT32_MAX)
      throw Error(Code::value, "gguf",
                  {"tokenizer.ggml.", name, " is ", id, ", which is no token"});
    return static_cast<int32_t>(id);
  }
  [[nodiscard]] bool flag(const std::string& name, bool otherwise) const {
    const GgufValue* found = find(name);
    return found ? found->as_boolean() : otherwise;
  }
  // Of each token; empty if the file has none.
  [[nodiscard]] std::vector<PieceType> types() const {
    std::vector<PieceType> all;
    if (const GgufValue* found = find("token_type")) {
      for (const int64_t one : found->integers()) all.push_back(static_cast<PieceType>(one));
    }
    return all;
  }
  [[nodiscard]] std::vector<int32_t> of_types(std::initializer_list<PieceType> wanted) const {
    std::vector<int32_t> ids;
    int32_t id = 0;
    for (const PieceType type : types()) {
      if (std::ranges::find(wanted, type) != wanted.end()) ids.push_back(id);
      ++id;
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

// Texts of the user's symbols have spaces in these files.
void add_pieces(const GgufVocabulary& v, ScoredPieces& parts) {
  const std::vector<PieceType> types = v.types();
  const GgufValue* given = v.find("scores");
  const std::vector<double> scores = given ? given->reals() : std::vector<double>();
  std::vector<std::string> pieces = v.texts("tokens");
  if (scores.size() != pieces.size() || (!types.empty() && types.size() != pieces.size())) {
    throw Error(Code::value, "gguf",
                {"tokenizer.ggml: expected a score and a type for each of ", pieces.size(),
                 " tokens, got ", scores.size(), " scores and ", types.size(), " types"});
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    const PieceType type = types.empty() ? PieceType::normal : types[i];
    std::string& piece = pieces[i];
    if (type == PieceType::user_defined) piece = with_replaced(piece, " ", kSpaceMark);
    parts.add(std::move(piece), scores[i], type);
  }
  parts.unknown = std::max(0, parts.unknown);
}

// SentencePiece's BPE.
std::unique_ptr<Tokenizer> of_scored_pieces(const GgufVocabulary& v) {
  ScoredPieces parts{.unknown = v.id("unknown_token_id"),
                     .begin = v.flag("add_bos_token", true) ? v.id("bos_token_id") : -1,
                     .prefix_space = v.flag("add_space_prefix", true),
                     .end = v.flag("add_eos_token", false) ? v.id("eos_token_id") : -1};
  add_pieces(v, parts);
  return tokenizer_of_pieces(parts);
}

// SentencePiece's Unigram, as T5 has it.
std::unique_ptr<Tokenizer> of_unigram(const GgufVocabulary& v) {
  ScoredPieces parts{.unknown = v.id("unknown_token_id"),
                     .begin = v.flag("add_bos_token", false) ? v.id("bos_token_id") : -1,
                     .prefix_space = v.flag("add_space_prefix", true),
                     .end = v.flag("add_eos_token", true) ? v.id("eos_token_id") : -1,
                     .unigram = true,
                     .byte_fallback = !v.of_types({PieceType::byte}).empty(),
                     .extra_spaces_removed = v.flag("remove_extra_whitespaces", true)};
  add_pieces(v, parts);
  if (const GgufValue* map = v.find("precompiled_charsmap")) {
    for (const int64_t one : map->integers()) parts.charsmap += static_cast<char>(one);
  }
  return tokenizer_of_pieces(parts);
}

// WordPiece. The file marks pieces that begin a word, BERT's vocabulary those that do not.
std::unique_ptr<Tokenizer> of_word_pieces(const GgufVocabulary& v) {
  WordPieces parts{.tokens = v.texts("tokens"), .lower_case = v.flag("normalizer.lowercase", true)};
  const std::vector<PieceType> types = v.types();
  const auto is_word_part = [&](size_t i) {
    return i >= types.size() || types[i] == PieceType::normal || types[i] == PieceType::byte;
  };
  for (size_t i = 0; i < parts.tokens.size(); ++i) {
    std::string& token = parts.tokens[i];
    if (token.starts_with(kSpaceMark)) {
      token.erase(0, kSpaceMark.size());
    } else if (!(token.starts_with('[') && token.ends_with(']')) && is_word_part(i)) {
      token.insert(0, "##");
    }
  }
  return tokenizer_of_word_pieces(parts);
}

struct Splitting {
  const char *pre, *pattern;  // llama.cpp's name, and that of known_patterns.h
  bool ignores_merges = false;
  bool adds_begin = false;  // unless the file says otherwise
};
constexpr Splitting kSplittings[] = {{"gpt-2", "GPT-2"},
                                     {"default", "GPT-2"},
                                     {"llama-bpe", "Llama 3, GPT-4", true, true},
                                     {"llama3", "Llama 3, GPT-4", true, true},
                                     {"qwen2", "Qwen2"},
                                     {"gpt-4o", "GPT-4o"},
                                     {"tekken", "Tekken", true, true}};

std::unique_ptr<Tokenizer> of_merges(const GgufVocabulary& v) {
  ByteMerges parts;
  parts.tokens = v.texts("tokens");
  parts.merges = v.texts("merges");
  parts.specials = v.of_types({PieceType::control});
  parts.added = v.of_types({PieceType::user_defined});
  const GgufValue* pre = v.find("pre");
  const std::string name = pre ? std::string(pre->as_text()) : "default";
  const auto* known =
      std::ranges::find_if(kSplittings, [&](const Splitting& s) { return name == s.pre; });
  if (known == std::end(kSplittings)) v.refuse("pre", name);
  parts.splitter = known->pattern;
  parts.ignore_merges = known->ignores_merges;
  parts.begin = v.flag("add_bos_token", known->adds_begin) ? v.id("bos_token_id") : -1;
  parts.end = v.flag("add_eos_token", false) ? v.id("eos_token_id") : -1;
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
