#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/models/token_model.h"

namespace gyre {
namespace {

int32_t required_unk(const ModelSource& s, const std::string& unk) {
  const int32_t id = s.vocabulary.id(unk);
  if (id >= 0) return id;
  throw Error(Code::value, "tokenizer", "unk_token \"" + unk + "\" is not in the vocabulary");
}

// The longest token from each place on; a piece without one is unknown as a whole (Wu et al.,
// 2016).
class WordPiece final : public TokenModel {
 public:
  WordPiece(const ModelVocabulary& vocabulary, int32_t unk, std::string prefix, int64_t most)
      : vocabulary_(vocabulary),

        unk_(unk),
        prefix_(std::move(prefix)),
        most_(most) {}

  void encode(std::string_view piece, std::vector<int32_t>& ids) const override {
    std::vector<size_t> ends;  // of characters
    for (size_t at = 0; at < piece.size();) {
      at += decode_utf8(piece, at).length;
      ends.push_back(at);
      if (static_cast<int64_t>(ends.size()) > most_) return ids.push_back(unk_);
    }
    const size_t before = ids.size();
    for (size_t begin = 0, first = 0; begin < piece.size();) {
      size_t end = ends.size();
      int32_t id = -1;
      std::string token;
      for (; end > first && id < 0; --end) {
        token = begin > 0 ? prefix_ : "";
        token += piece.substr(begin, ends[end - 1] - begin);
        id = vocabulary_.id(token);
      }
      if (id < 0) {
        ids.resize(before);
        return ids.push_back(unk_);
      }
      ids.push_back(id);
      first = end + 1;
      begin = ends[end];
    }
  }

  [[nodiscard]] Json to_json() const override {
    Json model;
    model["type"] = "WordPiece";
    model["unk_token"] = vocabulary_.token(unk_);
    model["continuing_subword_prefix"] = prefix_;
    model["max_input_chars_per_word"] = most_;
    model["vocab"] = vocabulary_.to_json();
    return model;
  }

 private:
  ModelVocabulary vocabulary_;
  int32_t unk_;
  std::string prefix_;
  int64_t most_;
};

class WordLevel final : public TokenModel {
 public:
  WordLevel(const ModelVocabulary& vocabulary, std::string unk)
      : vocabulary_(vocabulary), unk_(std::move(unk)) {}

  void encode(std::string_view piece, std::vector<int32_t>& ids) const override {
    int32_t id = vocabulary_.id(piece);
    if (id < 0) id = vocabulary_.id(unk_);
    if (id < 0) {
      throw Error(Code::value, "encode",
                  "\"" + std::string(piece.substr(0, 80)) +
                      "\" is not in the vocabulary, and there is no unk_token");
    }
    ids.push_back(id);
  }

  [[nodiscard]] Json to_json() const override {
    Json model;
    model["type"] = "WordLevel";
    model["vocab"] = vocabulary_.to_json();
    model["unk_token"] = unk_;
    return model;
  }

 private:
  ModelVocabulary vocabulary_;
  std::string unk_;
};

}  // namespace

TokenModelPtr read_word_piece(const ModelSource& s) {
  const int32_t unk = required_unk(s, s.fields.text("unk_token", "[UNK]"));
  std::string prefix = s.fields.text("continuing_subword_prefix", "##");
  const int64_t most = s.fields.count("max_input_chars_per_word", 100);
  return std::make_unique<WordPiece>(s.vocabulary, unk, std::move(prefix), most);
}

TokenModelPtr read_word_level(const ModelSource& s) {
  return std::make_unique<WordLevel>(s.vocabulary, s.fields.text("unk_token", "<unk>"));
}

}  // namespace gyre
