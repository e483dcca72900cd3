#include <algorithm>
#include <array>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/io/json.h"
#include "gyre/text/bpe/byte_bpe.h"
#include "gyre/text/bpe/read_merges.h"
#include "gyre/text/char_tokenizer.h"
#include "gyre/text/models/token_model.h"
#include "gyre/text/sentence_piece.h"
#include "gyre/text/staged_tokenizer.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

// Adds the added tokens to the vocabulary if missing there.
std::vector<AddedToken> read_added(StageFields& root, std::vector<std::string>& tokens) {
  std::vector<AddedToken> added;
  if (!root.has("added_tokens")) return added;
  std::vector<StageFields> list = root.list("added_tokens");
  const size_t entries = 2 * (tokens.size() + list.size()) + 1024;
  for (StageFields& entry : list) {
    AddedToken token{.content = entry.text("content"),
                     .special = entry.flag("special", false),
                     .lstrip = entry.flag("lstrip", false),
                     .rstrip = entry.flag("rstrip", false),
                     .single_word = entry.flag("single_word", false)};
    token.normalized = entry.flag("normalized", !token.special);
    const int64_t id = entry.at("id").as_integer("added_tokens.id");
    entry.done();
    if (id < 0 || id >= static_cast<int64_t>(entries)) {
      throw Error(Code::parse, "tokenizer", {"added_tokens.id: id ", id, " is out of range"});
    }
    token.id = static_cast<int32_t>(id);
    const auto at = static_cast<size_t>(id);
    if (token.content.empty()) {
      throw Error(Code::parse, "tokenizer",
                  "added_tokens: expected non-empty tokens, got an empty one");
    }
    if (at >= tokens.size()) tokens.resize(at + 1);
    if (!tokens[at].empty() && tokens[at] != token.content) {
      throw Error(Code::parse, "tokenizer",
                  {"added_tokens: id ", id, " belongs to both \"", tokens[at], "\" and \"",
                   token.content, "\""});
    }
    tokens[at] = token.content;
    added.push_back(std::move(token));
  }
  return added;
}

// The kinds of files that have a tokenizer of their own, since it is faster.
struct ModelKind {
  bool byte_bpe = false, characters = false;
  std::string pattern{};  // of the pre-tokenizer; empty: ByteLevel's own
};

const Json& part_of(const Json& root, std::string_view key) {
  static const Json none;
  const Json* found = root.find(key);
  return found ? *found : none;
}

bool has_type(const Json& stage, std::string_view type) {
  const Json* found = stage.is_object() ? stage.find("type") : nullptr;
  return found && *found == Json(std::string(type));
}

bool has_value(const Json& object, std::string_view key, const Json& value) {
  const Json* found = object.find(key);
  return found && *found == value;
}

// Whether a BPE model has none of these settings.
bool is_plain(const Json& model, std::initializer_list<const char*> settings) {
  for (const char* key : settings) {
    const Json* found = model.find(key);
    if (found && !found->is_null() && *found != Json(false) && *found != Json("")) return false;
  }
  return true;
}

// A Split at a regular expression, then ByteLevel without one.
std::string pattern_before_bytes(const Json& pre_tokenizer) {
  const Json* list =
      has_type(pre_tokenizer, "Sequence") ? pre_tokenizer.find("pretokenizers") : nullptr;
  if (!list || !list->is_array() || list->as_array().size() != 2) return {};
  const Json &split = list->as_array()[0], &bytes = list->as_array()[1];
  const Json* pattern = has_type(split, "Split") ? split.find("pattern") : nullptr;
  const Json* regex = pattern && pattern->is_object() ? pattern->find("Regex") : nullptr;
  const bool plain = has_type(bytes, "ByteLevel") && has_value(bytes, "use_regex", Json(false)) &&
                     has_value(bytes, "add_prefix_space", Json(false)) &&
                     has_value(split, "behavior", Json("Isolated")) && is_plain(split, {"invert"});
  return plain && regex && regex->is_string() ? regex->as_string() : std::string();
}

ModelKind kind_of(const Json& root) {
  const Json& model = root.at("model");
  if (!model.is_object() || !(has_type(model, "BPE") || !model.find("type")) ||
      !model.find("merges"))
    return {};
  if (!is_plain(model,
                {"dropout", "continuing_subword_prefix", "end_of_word_suffix", "byte_fallback"}))
    return {};
  const Json& splitter = part_of(root, "pre_tokenizer");
  if (has_type(part_of(root, "decoder"), "ByteLevel")) {
    if (has_type(splitter, "ByteLevel")) return {.byte_bpe = true};
    std::string pattern = pattern_before_bytes(splitter);
    return {.byte_bpe = !pattern.empty(), .pattern = std::move(pattern)};
  }
  const Json& merges = model.at("merges");
  const bool characters = splitter.is_null() && has_type(part_of(root, "decoder"), "Fuse") &&
                          merges.is_array() && merges.as_array().empty() &&
                          is_plain(model, {"unk_token"});
  return {.characters = characters};
}

std::unique_ptr<Tokenizer> read_byte_bpe(const Json& root, const ModelKind& kind,
                                         std::vector<std::string> tokens,
                                         std::vector<AddedToken> added) {
  ByteBpeParts parts;
  parts.added = std::move(added);
  StageFields model(root.at("model"), "model");
  parts.merges = read_merges(model.at("merges"), Vocabulary(tokens));
  parts.tokens = std::move(tokens);
  parts.unk_token = model.text("unk_token", "");
  parts.fuse_unk = model.flag("fuse_unk", false);
  parts.ignore_merges = model.flag("ignore_merges", false);
  for (const char* key : {"type", "dropout", "continuing_subword_prefix", "end_of_word_suffix",
                          "byte_fallback", "vocab"})
    model.ignore(key);
  model.done();
  const Json& splitter = root.at("pre_tokenizer");
  if (kind.pattern.empty()) {
    StageFields fields(splitter, "pre_tokenizer");
    for (const char* key : {"type", "trim_offsets"}) fields.ignore(key);
    parts.add_prefix_space = fields.flag("add_prefix_space", true);
    parts.use_regex = fields.flag("use_regex", true);
    fields.done();
  } else {
    parts.splitter =
        Splitter::from_pattern(kind.pattern, "pre_tokenizer.pretokenizers[0].pattern.Regex");
    parts.splitter_json = splitter;
  }
  return std::make_unique<ByteBpe>(std::move(parts));
}

}  // namespace

std::unique_ptr<Tokenizer> tokenizer_from_json(const Json& json) {
  StageFields root(json, "");
  for (const char* key : {"version", "truncation", "padding", "normalizer", "pre_tokenizer",
                          "post_processor", "decoder", "model"})
    root.ignore(key);
  std::vector<std::string> tokens = read_token_list(json.at("model"));
  std::vector<AddedToken> added = read_added(root, tokens);
  root.done();
  const ModelKind kind = kind_of(json);
  std::unique_ptr<Tokenizer> made;
  if (kind.byte_bpe) {
    made = read_byte_bpe(json, kind, std::move(tokens), std::move(added));
  } else if (kind.characters) {
    made = std::make_unique<CharTokenizer>(std::move(tokens), std::move(added));
  } else {
    made = std::make_unique<StagedTokenizer>(json, std::move(tokens), std::move(added));
  }
  made->set_stages(part_of(json, "normalizer"), part_of(json, "post_processor"));
  return made;
}

std::unique_ptr<Tokenizer> load_tokenizer(const std::string& path) {
  return in_file(path, [&] {
    return path.ends_with(".model") ? tokenizer_of_pieces(sentence_piece_parts(read_file(path)))
                                    : tokenizer_from_json(Json::read(path));
  });
}

}  // namespace gyre
