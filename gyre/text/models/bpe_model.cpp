#include <algorithm>
#include <cstdio>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/piece_hash.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/bpe/merge_table.h"
#include "gyre/text/bpe/piece_cache.h"
#include "gyre/text/bpe/read_merges.h"
#include "gyre/text/models/token_model.h"
#include "gyre/text/prefix_set.h"

namespace gyre {
namespace {

struct BpeSettings {
  int32_t unk = -1;
  std::string prefix, suffix;
  bool fuse_unk = false, byte_fallback = false, ignore_merges = false;
  // of SentencePiece: merges of one token have one rank; tokens that are matched before others
  bool equal_ranks = false;
  std::vector<int32_t> atoms{};
};

// Tokens that are matched as a whole.
PrefixSet texts_of(const ModelVocabulary& vocabulary, const std::vector<int32_t>& ids) {
  std::vector<std::string> texts;
  for (const int32_t id : ids) texts.push_back(vocabulary.token(id));
  return PrefixSet(std::move(texts));
}

// Byte-pair encoding of characters (Sennrich et al., 2016).
class BpeModel final : public TokenModel {
 public:
  BpeModel(const ModelVocabulary& vocabulary, std::vector<Merge> merges, BpeSettings settings)
      : vocabulary_(vocabulary),
        merges_(std::move(merges)),
        table_(merges_, settings.equal_ranks),
        settings_(std::move(settings)),
        atoms_(texts_of(vocabulary, settings_.atoms)) {
    char text[8];
    for (int byte = 0; byte < 256; ++byte) {
      std::snprintf(text, sizeof text, "<0x%02X>", static_cast<unsigned>(byte));
      byte_ids_[byte] = vocabulary_.id(text);
    }
  }

  void encode(std::string_view piece, std::vector<int32_t>& ids) const override {
    const uint64_t hash = piece_hash(piece);
    if (const std::span<const int32_t> known = cache_.find(piece, hash); !known.empty()) {
      ids.insert(ids.end(), known.begin(), known.end());
      return;
    }
    std::vector<int32_t> symbols;
    const int32_t whole = settings_.ignore_merges ? vocabulary_.id(piece) : -1;
    if (whole >= 0) {
      symbols.push_back(whole);
    } else {
      append_symbols(piece, symbols);
      table_.apply(symbols);
    }
    ids.insert(ids.end(), symbols.begin(), symbols.end());
    if (!symbols.empty()) cache_.insert(piece, hash, symbols);
  }

  [[nodiscard]] Json to_json() const override {
    const auto text_or_null = [](const std::string& text) {
      return text.empty() ? Json() : Json(text);
    };
    Json model;
    model["type"] = "BPE";
    model["dropout"] = nullptr;
    model["unk_token"] = settings_.unk < 0 ? Json() : Json(vocabulary_.token(settings_.unk));
    model["continuing_subword_prefix"] = text_or_null(settings_.prefix);
    model["end_of_word_suffix"] = text_or_null(settings_.suffix);
    model["fuse_unk"] = settings_.fuse_unk;
    model["byte_fallback"] = settings_.byte_fallback;
    model["ignore_merges"] = settings_.ignore_merges;
    if (settings_.equal_ranks) model["equal_ranks"] = true;
    if (!settings_.atoms.empty()) model["atoms"] = ids_to_json(settings_.atoms);
    model["vocab"] = vocabulary_.to_json();
    model["merges"] = Json::array();
    for (const Merge& m : merges_) {
      Json pair = Json::array();
      pair.push_back(vocabulary_.token(m.left));
      pair.push_back(vocabulary_.token(m.right));
      model["merges"].push_back(std::move(pair));
    }
    return model;
  }

 private:
  // An unknown token waits until the next known one, as in Hugging Face's tokenizers.
  void append_symbols(std::string_view piece, std::vector<int32_t>& symbols) const {
    bool waiting = false;
    const auto flush = [&] {
      if (std::exchange(waiting, false)) symbols.push_back(settings_.unk);
    };
    for (size_t at = 0; at < piece.size();) {
      if (const int32_t atom = atoms_.longest(piece.substr(at)); atom >= 0) {
        flush();
        symbols.push_back(settings_.atoms[static_cast<size_t>(atom)]);
        at += vocabulary_.token(symbols.back()).size();
        continue;
      }
      const size_t length = decode_utf8(piece, at).length;
      std::string character;
      if (at > 0) character = settings_.prefix;
      character += piece.substr(at, length);
      at += length;
      if (at == piece.size()) character += settings_.suffix;
      if (const int32_t id = vocabulary_.id(character); id >= 0) {
        flush();
        symbols.push_back(id);
      } else if (settings_.byte_fallback && has_bytes(character)) {
        for (const char c : character) symbols.push_back(byte_ids_[static_cast<uint8_t>(c)]);
      } else if (settings_.unk >= 0) {
        if (!settings_.fuse_unk) flush();
        waiting = true;
      }
    }
    flush();
  }
  [[nodiscard]] bool has_bytes(std::string_view text) const {
    return std::ranges::all_of(text,
                               [&](char c) { return byte_ids_[static_cast<uint8_t>(c)] >= 0; });
  }

  ModelVocabulary vocabulary_;
  std::vector<Merge> merges_;
  MergeTable table_;
  BpeSettings settings_;
  PrefixSet atoms_;
  int32_t byte_ids_[256];
  mutable PieceCache cache_;
};

}  // namespace

TokenModelPtr read_bpe_model(const ModelSource& s) {
  StageFields& f = s.fields;
  if (f.has("dropout") && f.at("dropout").as_real("model.dropout") != 0)
    f.unsupported("dropout", f.at("dropout").dump());
  BpeSettings settings{.prefix = f.text("continuing_subword_prefix", ""),
                       .suffix = f.text("end_of_word_suffix", ""),
                       .fuse_unk = f.flag("fuse_unk", false),
                       .byte_fallback = f.flag("byte_fallback", false),
                       .ignore_merges = f.flag("ignore_merges", false),
                       .equal_ranks = f.flag("equal_ranks", false),
                       .atoms = read_ids(s, "atoms")};
  if (const std::string unk = f.text("unk_token", ""); !unk.empty()) {
    settings.unk = s.vocabulary.id(unk);
    if (settings.unk < 0) {
      throw Error(Code::value, "tokenizer", "unk_token \"" + unk + "\" is not in the vocabulary");
    }
  }
  std::vector<Merge> merges = read_merges(f.at("merges"), s.vocabulary.all(), settings.prefix);
  return std::make_unique<BpeModel>(s.vocabulary, std::move(merges), std::move(settings));
}

}  // namespace gyre
