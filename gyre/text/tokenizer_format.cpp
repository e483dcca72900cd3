#include "gyre/text/tokenizer_format.h"

#include <algorithm>
#include <utility>

namespace gyre {

Json tokenizer_json(const Tokenizer& tokenizer, Json pre_tokenizer, Json decoder, Json model) {
  std::vector<AddedToken> tokens = tokenizer.added_tokens().all();
  std::sort(tokens.begin(), tokens.end(),
            [](const AddedToken& a, const AddedToken& b) { return a.id < b.id; });
  Json list = Json::array();
  for (const AddedToken& token : tokens) {
    Json entry;
    entry["id"] = token.id;
    entry["content"] = token.content;
    entry["single_word"] = token.single_word;
    entry["lstrip"] = token.lstrip;
    entry["rstrip"] = token.rstrip;
    entry["normalized"] = token.normalized;
    entry["special"] = token.special;
    list.push_back(std::move(entry));
  }
  Json file;
  file["version"] = "1.0";
  file["truncation"] = nullptr;
  file["padding"] = nullptr;
  file["added_tokens"] = std::move(list);
  file["normalizer"] = tokenizer.normalizer_json();
  file["pre_tokenizer"] = std::move(pre_tokenizer);
  file["post_processor"] = tokenizer.post_processor_json();
  file["decoder"] = std::move(decoder);
  file["model"] = std::move(model);
  return file;
}

Json bpe_model_json(const Vocabulary& vocabulary) {
  Json::Object tokens;
  for (int32_t id = 0; id < vocabulary.size(); ++id) {
    if (!vocabulary.token(id).empty()) tokens.push_back({vocabulary.token(id), id});
  }
  Json model;
  model["type"] = "BPE";
  model["dropout"] = nullptr;
  model["unk_token"] = nullptr;
  model["continuing_subword_prefix"] = nullptr;
  model["end_of_word_suffix"] = nullptr;
  model["fuse_unk"] = false;
  model["byte_fallback"] = false;
  model["ignore_merges"] = false;
  model["vocab"] = std::move(tokens);
  model["merges"] = Json::array();
  return model;
}

Json stage_json(const char* type, std::initializer_list<StageField> fields) {
  Json made = Json::object();
  made["type"] = type;
  for (const auto& [key, value] : fields) made[key] = value;
  return made;
}

Json text_pattern_json(std::string_view text) {
  Json pattern = Json::object();
  pattern["String"] = std::string(text);
  return pattern;
}

Json stage_list_json(const char* type, const char* key, Json::Array stages) {
  Json made = stage_json(type);
  made[key] = Json(std::move(stages));
  return made;
}

Json added_token_json(int64_t id, const std::string& content) {
  Json token = Json::object();
  token["id"] = id;
  token["content"] = content;
  for (const char* flag : {"single_word", "lstrip", "rstrip", "normalized"}) token[flag] = false;
  token["special"] = true;
  return token;
}

Json template_json(std::span<const std::string> tokens, int32_t begin, int32_t end) {
  const auto item = [](const char* kind, const std::string& name) {
    Json one = Json::object(), inner = Json::object();
    inner["id"] = name;
    inner["type_id"] = 0;
    one[kind] = inner;
    return one;
  };
  Json made = stage_json("TemplateProcessing"), specials = Json::object();
  Json::Array single, pair;
  for (const char* text : {"A", "B"}) {
    Json::Array marked{item("Sequence", text)};
    for (const int32_t id : {begin, end}) {
      if (id < 0) continue;
      const std::string& name = tokens[static_cast<size_t>(id)];
      marked.insert(id == begin ? marked.begin() : marked.end(), item("SpecialToken", name));
      Json token = Json::object();
      token["id"] = name;
      token["ids"] = Json::Array{Json(id)};
      token["tokens"] = Json::Array{Json(name)};
      specials[name] = token;
    }
    if (single.empty()) single = marked;
    pair.insert(pair.end(), marked.begin(), marked.end());
  }
  made["single"] = Json(std::move(single));
  made["pair"] = Json(std::move(pair));
  made["special_tokens"] = specials;
  return made;
}

}  // namespace gyre
