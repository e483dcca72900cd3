#include "gyre/text/models/token_model.h"

#include <utility>

#include "gyre/base/error.h"

namespace gyre {
namespace {

struct ModelType {
  const char* name;
  TokenModelPtr (*read)(const ModelSource& source);
};

constexpr ModelType kModels[] = {
    {"BPE", read_bpe_model},
    {"WordPiece", read_word_piece},
    {"WordLevel", read_word_level},
    {"Unigram", read_unigram},
};

// Older files have no type.
std::string type_of_model(StageFields& fields) {
  if (fields.has("type")) return fields.text("type");
  return fields.has("merges")                      ? "BPE"
         : fields.has("unk_id")                    ? "Unigram"
         : fields.has("continuing_subword_prefix") ? "WordPiece"
                                                   : "WordLevel";
}

[[noreturn]] void damaged_vocab(const Message& message) {
  throw Error(Code::parse, "tokenizer", {"model.vocab: ", message});
}

int32_t checked_token_id(const Json& value, size_t entries) {
  const int64_t id = value.as_integer("model.vocab");
  // Ids may have gaps; the bound keeps a damaged id from allocating huge tables.
  if (id < 0 || id >= 2 * static_cast<int64_t>(entries) + 1024)
    damaged_vocab({"id ", id, " is out of range"});
  return static_cast<int32_t>(id);
}

}  // namespace

std::vector<int32_t> read_ids(const ModelSource& s, std::string_view key) {
  std::vector<int32_t> ids;
  if (!s.fields.has(key)) return ids;
  const std::string name = "model." + std::string(key);
  for (const Json& one : s.fields.at(key).as_array(name)) {
    const int64_t id = one.as_integer(name);
    if (id < 0 || id >= s.vocabulary.size() ||
        s.vocabulary.token(static_cast<int32_t>(id)).empty()) {
      throw Error(Code::value, "tokenizer", {name, ": ", id, " is not the id of a token"});
    }
    ids.push_back(static_cast<int32_t>(id));
  }
  return ids;
}

Json ids_to_json(const std::vector<int32_t>& ids) {
  Json all = Json::array();
  for (const int32_t id : ids) all.push_back(id);
  return all;
}

TokenList read_token_list(const Json& model) {
  TokenList tokens;
  const Json& vocab = model.at("vocab");
  if (vocab.is_array()) {  // of a unigram model: [token, score] each
    for (const Json& pair : vocab.as_array()) {
      const Json::Array& both = pair.as_array("model.vocab");
      if (both.size() != 2) damaged_vocab("expected pairs of a token and a score");
      tokens.push_back(both[0].as_string("model.vocab"));
    }
    return tokens;
  }
  const Json::Object& all = vocab.as_object("model.vocab");
  for (const auto& [token, value] : all) {
    const auto at = static_cast<size_t>(checked_token_id(value, all.size()));
    if (token.empty()) damaged_vocab("expected non-empty tokens, got an empty one");
    if (at >= tokens.size()) tokens.resize(at + 1);
    if (!tokens[at].empty() && tokens[at] != token) {
      damaged_vocab({"id ", at, " belongs to both \"", tokens[at], "\" and \"", token, "\""});
    }
    tokens[at] = token;
  }
  return tokens;
}

TokenModelPtr read_token_model(const Json& model, const Vocabulary& vocabulary) {
  StageFields fields(model, "model");
  fields.ignore("vocab");
  const std::string type = type_of_model(fields);
  const Json& vocab = model.at("vocab");
  const size_t count = vocab.is_array() ? vocab.as_array().size() : read_token_list(model).size();
  for (const ModelType& one : kModels) {
    if (type != one.name) continue;
    TokenModelPtr read = one.read({fields, {vocabulary, static_cast<int32_t>(count)}});
    fields.done();
    return read;
  }
  fields.unsupported("type", type);
}

Json ModelVocabulary::to_json() const {
  Json::Object tokens;
  for (int32_t id = 0; id < count_; ++id) {
    if (!token(id).empty()) tokens.push_back({token(id), id});
  }
  return tokens;
}

}  // namespace gyre
