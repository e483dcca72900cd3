#include "gyre/text/tokenizer_files.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/scored_pieces.h"
#include "gyre/text/sentence_piece.h"
#include "gyre/text/space_mark.h"
#include "gyre/text/splitters/known_patterns.h"
#include "gyre/text/tokenizer_format.h"

namespace gyre {
namespace {

bool lower_cases(const std::string& folder) {
  const std::string path = folder + "/tokenizer_config.json";
  if (!file_exists(path)) return true;
  const Json config = Json::read(path);
  const Json* lower = config.is_object() ? config.find("do_lower_case") : nullptr;
  return !lower || lower->is_null() ||
         in_file(path, [&] { return lower->as_boolean("do_lower_case"); });
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  const std::string text = read_file(path);
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    if (lines.back().ends_with('\r')) lines.back().pop_back();
    at = end + 1;
  }
  return lines;
}

// The last id of each token that is not empty.
Json ids_of_tokens(const std::vector<std::string>& tokens) {
  std::unordered_map<std::string_view, size_t> places;
  Json::Object ids;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].empty()) continue;
    const auto [place, is_new] = places.try_emplace(tokens[i], ids.size());
    if (is_new) ids.push_back({tokens[i], {}});
    ids[place->second].value = static_cast<int64_t>(i);
  }
  return Json(std::move(ids));
}

// Marks of BERT's vocabularies.
std::unique_ptr<Tokenizer> tokenizer_of_words(const std::vector<std::string>& words, bool lower) {
  Json::Array added;
  int32_t cls = -1, sep = -1;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto id = static_cast<int32_t>(i);
    if (words[i].empty()) continue;
    for (const char* mark : {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}) {
      if (words[i] == mark) added.push_back(added_token_json(id, mark));
    }
    if (words[i] == "[CLS]") cls = id;
    if (words[i] == "[SEP]") sep = id;
  }
  Json root = Json::object();
  root["added_tokens"] = Json(std::move(added));
  root["normalizer"] = stage_json("BertNormalizer", {{"lowercase", Json(lower)}});
  root["pre_tokenizer"] = stage_json("BertPreTokenizer");
  if (cls >= 0 && sep >= 0) {
    const auto mark = [](const char* name, int32_t id) {
      return Json(Json::Array{Json(name), Json(id)});
    };
    root["post_processor"] =
        stage_json("BertProcessing", {{"sep", mark("[SEP]", sep)}, {"cls", mark("[CLS]", cls)}});
  }
  root["decoder"] = stage_json("WordPiece", {{"prefix", "##"}, {"cleanup", true}});
  root["model"] = stage_json("WordPiece", {{"unk_token", "[UNK]"},
                                           {"continuing_subword_prefix", "##"},
                                           {"max_input_chars_per_word", 100},
                                           {"vocab", ids_of_tokens(words)}});
  return tokenizer_from_json(root);
}

std::unique_ptr<Tokenizer> tokenizer_of_lists(const std::string& folder) {
  Json root = Json::object(), model = stage_json("BPE");
  model["vocab"] = Json::read(folder + "/vocab.json");
  Json::Array merges;
  for (const std::string& line : lines_of(folder + "/merges.txt")) {
    if (!line.empty() && !line.starts_with("#version")) merges.emplace_back(line);
  }
  model["merges"] = Json(std::move(merges));
  if (const Json* end = model.at("vocab").find("<|endoftext|>")) {
    root["added_tokens"] = Json(Json::Array{
        added_token_json(static_cast<int32_t>(end->as_integer("model.vocab")), "<|endoftext|>")});
  }
  root["pre_tokenizer"] = stage_json("ByteLevel", {{"add_prefix_space", false}});
  root["decoder"] = stage_json("ByteLevel");
  root["model"] = model;
  return tokenizer_from_json(root);
}

}  // namespace

std::unique_ptr<Tokenizer> tokenizer_of_folder(const std::string& folder) {
  const auto has = [&](const char* name) { return file_exists(folder + "/" + name); };
  if (has("tokenizer.json")) return load_tokenizer(folder + "/tokenizer.json");
  if (has("vocab.json") && has("merges.txt"))
    return in_file(folder + "/merges.txt", [&] { return tokenizer_of_lists(folder); });
  if (has("vocab.txt"))
    return in_file(folder + "/vocab.txt", [&] {
      return tokenizer_of_words(lines_of(folder + "/vocab.txt"), lower_cases(folder));
    });
  if (!sentence_piece_file(folder).empty()) return load_sentence_piece(folder);
  if (!has("tekken.json")) return nullptr;
  throw Error(Code::unsupported, "tokenizer",
              folder +
                  ": tekken.json is not read; save the tokenizer with transformers, which "
                  "writes tokenizer.json");
}

std::unique_ptr<Tokenizer> tokenizer_of_word_pieces(const WordPieces& parts) {
  return tokenizer_of_words(parts.tokens, parts.lower_case);
}

std::unique_ptr<Tokenizer> tokenizer_of_merges(const ByteMerges& parts) {
  const auto token = [&](int32_t id) -> const std::string& {
    if (id < 0 || static_cast<size_t>(id) >= parts.tokens.size())
      throw Error(Code::value, "tokenizer", {id, " is not the id of a token"});
    return parts.tokens[static_cast<size_t>(id)];
  };
  const KnownPattern* pattern = nullptr;
  for (size_t i = 0; i < known_pattern_count(); ++i) {
    if (parts.splitter == known_pattern(i).tokenizer) pattern = &known_pattern(i);
  }
  if (!pattern)
    throw Error(Code::value, "tokenizer", "\"" + parts.splitter + "\" is no known splitter");
  Json root = Json::object();
  Json::Array merges(parts.merges.begin(), parts.merges.end()), added;
  for (const int32_t id : parts.specials) added.push_back(added_token_json(id, token(id)));
  for (const int32_t id : parts.added) {
    added.push_back(added_token_json(id, token(id)));
    added.back()["special"] = false;
  }
  root["added_tokens"] = Json(std::move(added));
  Json regex = Json::object();
  regex["Regex"] = std::string(pattern->pattern);
  root["pre_tokenizer"] = stage_list_json(
      "Sequence", "pretokenizers",
      {stage_json("Split", {{"pattern", regex}, {"behavior", "Isolated"}, {"invert", false}}),
       stage_json("ByteLevel", {{"add_prefix_space", false}, {"use_regex", false}})});
  for (const int32_t mark : {parts.begin, parts.end}) {
    if (mark >= 0) (void)token(mark);
  }
  if (parts.begin >= 0 || parts.end >= 0)
    root["post_processor"] = template_json(parts.tokens, parts.begin, parts.end);
  root["decoder"] = stage_json("ByteLevel");
  root["model"] = stage_json("BPE", {{"ignore_merges", parts.ignore_merges},
                                     {"vocab", ids_of_tokens(parts.tokens)},
                                     {"merges", Json(std::move(merges))}});
  return tokenizer_from_json(root);
}

std::unique_ptr<Tokenizer> load_llama2c_tokenizer(const std::string& path) {
  const std::string bytes = read_file(path);
  const auto damaged = [&] {
    throw Error(Code::parse, "tokenizer", path + ": expected the tokenizer of llama2.c");
  };
  ScoredPieces parts{.specials = {0, 1, 2}, .unknown = 0, .begin = 1};
  size_t at = 0;
  const auto take = [&](auto& value) {
    if (bytes.size() - at < sizeof value) damaged();
    std::memcpy(&value, bytes.data() + at, sizeof value);
    at += sizeof value;
  };
  int32_t longest = 0;
  take(longest);
  while (at < bytes.size()) {
    float score = 0;
    int32_t length = 0;
    take(score);
    take(length);
    if (length < 0 || static_cast<size_t>(length) > bytes.size() - at) damaged();
    std::string piece = bytes.substr(at, static_cast<size_t>(length));
    at += static_cast<size_t>(length);
    for (size_t found; (found = piece.find(' ')) != std::string::npos;)
      piece.replace(found, 1, kSpaceMark);
    const size_t id = parts.pieces.size();
    if (id == 1 || id == 2) std::erase(piece, '\n');  // <s> and </s> stand between line ends
    parts.pieces.push_back(std::move(piece));
    parts.scores.push_back(score);
  }
  if (parts.pieces.size() < 3) damaged();
  return tokenizer_of_pieces(parts);
}

}  // namespace gyre
