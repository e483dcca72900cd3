#include <algorithm>
#include <array>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/io/json.h"
#include "gyre/text/bpe/byte_bpe.h"
#include "gyre/text/char_tokenizer.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

[[noreturn]] void refuse(Code code, const Message& message) {
  throw Error(code, "tokenizer", message);
}
[[noreturn]] void unsupported(const std::string& field, const std::string& value) {
  refuse(Code::unsupported, field + ": " + value.substr(0, 80) + " is not supported");
}

std::string path_of(std::string_view part, std::string_view key) {
  return part.empty() ? std::string(key) : std::string(part) + "." + std::string(key);
}

/// Rejects unlisted keys, since any of them could change tokenization.
template <size_t N>
void check_keys(const Json& object, std::string_view part,
                const std::array<std::string_view, N>& known) {
  for (const auto& [key, value] : object.as_object(part.empty() ? "tokenizer.json" : part)) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      refuse(Code::unsupported, "unknown key \"" + path_of(part, key) + "\"");
    }
  }
}

bool flag(const Json& object, std::string_view part, std::string_view key, bool otherwise) {
  const Json* found = object.find(key);
  return found == nullptr ? otherwise : found->as_boolean(path_of(part, key));
}

/// A string, or empty for null or an absent key.
std::string text_or_none(const Json& object, std::string_view part, std::string_view key) {
  const Json* found = object.find(key);
  return found == nullptr || found->is_null() ? std::string()
                                              : found->as_string(path_of(part, key));
}

bool is_absent(const Json& root, std::string_view key) {
  const Json* found = root.find(key);
  return found == nullptr || found->is_null();
}

/// The type of a part, "null" if absent.
std::string type_of(const Json& root, std::string_view key) {
  if (is_absent(root, key)) return "null";
  return root.at(key).at("type").as_string(path_of(key, "type"));
}

int32_t checked_id(const Json& value, std::string_view name, size_t entries) {
  const int64_t id = value.as_integer(name);
  // Ids may have gaps; the bound keeps a damaged id from allocating huge tables.
  const auto limit = 2 * static_cast<int64_t>(entries) + 1024;
  if (id < 0 || id >= limit) refuse(Code::parse, {name, ": id ", id, " is out of range"});
  return static_cast<int32_t>(id);
}

void place(std::vector<std::string>& tokens, const std::string& token, int32_t id) {
  const auto at = static_cast<size_t>(id);
  if (token.empty())
    refuse(Code::parse, "model.vocab: expected non-empty tokens, got an empty one");
  if (at >= tokens.size()) tokens.resize(at + 1);
  if (!tokens[at].empty() && tokens[at] != token) {
    refuse(Code::parse,
           {"model.vocab: id ", id, " belongs to both \"", tokens[at], "\" and \"", token, "\""});
  }
  tokens[at] = token;
}

std::vector<std::string> read_vocab(const Json& model) {
  const Json::Object& vocab = model.at("vocab").as_object("model.vocab");
  std::vector<std::string> tokens;
  tokens.reserve(vocab.size());
  for (const auto& [token, id] : vocab) {
    place(tokens, token, checked_id(id, "model.vocab", vocab.size()));
  }
  return tokens;
}

/// Reads the added tokens and adds them to the vocabulary if missing there.
std::vector<AddedToken> read_added(const Json& root, std::vector<std::string>& tokens) {
  std::vector<AddedToken> added;
  if (is_absent(root, "added_tokens")) return added;
  constexpr std::array<std::string_view, 7> kKeys = {
      "id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"};
  constexpr std::string_view kPart = "added_tokens";
  const Json::Array& list = root.at(kPart).as_array(kPart);
  const size_t entries = tokens.size() + list.size();
  for (const Json& entry : list) {
    check_keys(entry, kPart, kKeys);
    AddedToken token;
    token.content = entry.at("content").as_string("added_tokens.content");
    token.id = checked_id(entry.at("id"), "added_tokens.id", entries);
    token.special = flag(entry, kPart, "special", false);
    token.lstrip = flag(entry, kPart, "lstrip", false);
    token.rstrip = flag(entry, kPart, "rstrip", false);
    if (flag(entry, kPart, "single_word", false)) unsupported("added_tokens.single_word", "true");
    place(tokens, token.content, token.id);
    added.push_back(std::move(token));
  }
  return added;
}

/// `"a b"` or `["a", "b"]`.
std::pair<std::string, std::string> read_pair(const Json& merge) {
  if (merge.is_array()) {
    if (merge.as_array().size() == 2) {
      return {merge.as_array()[0].as_string("model.merges"),
              merge.as_array()[1].as_string("model.merges")};
    }
  } else {
    const std::string& text = merge.as_string("model.merges");
    const size_t space = text.find(' ');
    if (space != std::string::npos && text.find(' ', space + 1) == std::string::npos) {
      return {text.substr(0, space), text.substr(space + 1)};
    }
  }
  refuse(Code::parse, "model.merges: " + merge.dump().substr(0, 80) + " is not a pair of tokens");
}

std::vector<Merge> read_merges(const Json& model, const Vocabulary& vocabulary) {
  std::vector<Merge> merges;
  for (const Json& item : model.at("merges").as_array("model.merges")) {
    const auto [left, right] = read_pair(item);
    const Merge merge = {vocabulary.id(left), vocabulary.id(right), vocabulary.id(left + right)};
    if (merge.left < 0 || merge.right < 0 || merge.product < 0) {
      refuse(Code::parse, "model.merges: \"" + left + "\", \"" + right + "\" or their merge " +
                              "is not in the vocabulary");
    }
    merges.push_back(merge);
  }
  return merges;
}

/// Rejects model settings that byte-level BPE and characters do not support or that change ids.
void check_model(const Json& model) {
  constexpr std::array<std::string_view, 10> kKeys = {"type",
                                                      "dropout",
                                                      "unk_token",
                                                      "continuing_subword_prefix",
                                                      "end_of_word_suffix",
                                                      "fuse_unk",
                                                      "byte_fallback",
                                                      "ignore_merges",
                                                      "vocab",
                                                      "merges"};
  const std::string type = model.at("type").as_string("model.type");
  if (type != "BPE") unsupported("model.type", type);
  check_keys(model, "model", kKeys);
  if (const Json* dropout = model.find("dropout"); dropout != nullptr && !dropout->is_null()) {
    if (dropout->as_real("model.dropout") != 0.0) unsupported("model.dropout", dropout->dump());
  }
  for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"}) {
    const std::string value = text_or_none(model, "model", key);
    if (!value.empty()) unsupported(path_of("model", key), value);
  }
  if (flag(model, "model", "byte_fallback", false)) unsupported("model.byte_fallback", "true");
}

std::unique_ptr<Tokenizer> read_byte_bpe(const Json& root) {
  constexpr std::array<std::string_view, 4> kKeys = {"type", "add_prefix_space", "trim_offsets",
                                                     "use_regex"};
  const Json& splitter = root.at("pre_tokenizer");
  check_keys(splitter, "pre_tokenizer", kKeys);
  const std::string decoder = type_of(root, "decoder");
  if (decoder != "ByteLevel") unsupported("decoder.type", decoder);
  const Json& model = root.at("model");
  ByteBpeParts parts;
  parts.tokens = read_vocab(model);
  parts.added = read_added(root, parts.tokens);
  parts.merges = read_merges(model, Vocabulary(parts.tokens));
  parts.unk_token = text_or_none(model, "model", "unk_token");
  parts.fuse_unk = flag(model, "model", "fuse_unk", false);
  parts.ignore_merges = flag(model, "model", "ignore_merges", false);
  parts.add_prefix_space = flag(splitter, "pre_tokenizer", "add_prefix_space", true);
  parts.use_regex = flag(splitter, "pre_tokenizer", "use_regex", true);
  return std::make_unique<ByteBpe>(std::move(parts));
}

std::unique_ptr<Tokenizer> read_chars(const Json& root) {
  const std::string decoder = type_of(root, "decoder");
  if (decoder != "Fuse") unsupported("decoder.type", decoder);
  const Json& model = root.at("model");
  if (!model.at("merges").as_array("model.merges").empty()) {
    unsupported("pre_tokenizer.type", "null with merges");
  }
  const std::string unk = text_or_none(model, "model", "unk_token");
  if (!unk.empty()) unsupported("model.unk_token", unk);
  std::vector<std::string> tokens = read_vocab(model);
  std::vector<AddedToken> added = read_added(root, tokens);
  return std::make_unique<CharTokenizer>(std::move(tokens), std::move(added));
}

}  // namespace

std::unique_ptr<Tokenizer> tokenizer_from_json(const Json& root) {
  constexpr std::array<std::string_view, 9> kKeys = {
      "version",       "truncation",     "padding", "added_tokens", "normalizer",
      "pre_tokenizer", "post_processor", "decoder", "model"};
  check_keys(root, "", kKeys);
  if (!is_absent(root, "normalizer")) unsupported("normalizer.type", type_of(root, "normalizer"));
  const std::string post = type_of(root, "post_processor");
  // ByteLevel as post-processor only changes offsets, which gyre does not return.
  if (post != "null" && post != "ByteLevel") unsupported("post_processor.type", post);
  check_model(root.at("model"));
  const std::string splitter = type_of(root, "pre_tokenizer");
  if (splitter == "ByteLevel") return read_byte_bpe(root);
  if (splitter == "null") return read_chars(root);
  unsupported("pre_tokenizer.type", splitter);
}

std::unique_ptr<Tokenizer> load_tokenizer(const std::string& path) {
  return in_file(path, [&] { return tokenizer_from_json(Json::read(path)); });
}

}  // namespace gyre
