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

}  // namespace gyre
