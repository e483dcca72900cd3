#include "gyre/text/tokenizer_files.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/in_file.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/utf8.h"
#include "gyre/text/prefix_set.h"
#include "gyre/text/sentence_piece.h"
#include "gyre/text/space_mark.h"
#include "gyre/text/splitters/known_patterns.h"
#include "gyre/text/stages/decoders.h"
#include "gyre/text/stages/precompiled.h"

namespace gyre {
namespace {

Json stage(const char* type, std::initializer_list<std::pair<const char*, Json>> fields = {}) {
  Json made = Json::object();
  made["type"] = type;
  for (const auto& [key, value] : fields) made[key] = value;
  return made;
}

Json text_pattern(std::string_view text) {
  Json pattern = Json::object();
  pattern["String"] = std::string(text);
  return pattern;
}

Json list_of(const char* type, const char* key, Json::Array stages) {
  Json made = stage(type);
  made[key] = Json(std::move(stages));
  return made;
}

Json added_token(int64_t id, const std::string& content) {
  Json token = Json::object();
  token["id"] = id;
  token["content"] = content;
  for (const char* flag : {"single_word", "lstrip", "rstrip", "normalized"}) token[flag] = false;
  token["special"] = true;
  return token;
}

// Pairs of pieces that make a piece, by the score of that piece, then by its id.
class MergesByScore {
 public:
  explicit MergesByScore(const ScoredPieces& parts)
      : parts_(parts), merged_(parts.pieces.size(), true) {
    for (const auto* apart : {&parts.specials, &parts.atoms, &parts.unmatched}) {
      for (const int32_t id : *apart) merged_.at(static_cast<size_t>(id)) = false;
    }
    size_t longest = 0;
    for (size_t i = 0; i < parts.pieces.size(); ++i) {
      if (!merged_[i]) continue;
      known_.insert(parts.pieces[i]);
      longest = std::max(longest, parts.pieces[i].size());
    }
    if (longest <= kShortPiece) return;
    const std::vector<std::string> pieces(known_.begin(), known_.end());
    std::vector<std::string> reversed;
    for (const std::string& piece : pieces) reversed.emplace_back(piece.rbegin(), piece.rend());
    begins_ = PrefixSet(pieces);
    ends_ = PrefixSet(std::move(reversed));
  }

  [[nodiscard]] Json json() const {
    std::vector<Candidate> all;
    for (size_t i = 0; i < parts_.pieces.size(); ++i) {
      if (merged_[i] && byte_of_token(parts_.pieces[i]) < 0) add_cuts(static_cast<int32_t>(i), all);
    }
    const auto score = [&](const Candidate& c) { return parts_.scores[index(c.piece)]; };
    std::ranges::stable_sort(
        all, [&](const Candidate& a, const Candidate& b) { return score(a) > score(b); });
    Json::Array merges;
    for (const auto& [id, cut] : all) {
      const std::string& piece = parts_.pieces[index(id)];
      Json pair = Json::array();
      pair.push_back(piece.substr(0, cut));
      pair.push_back(piece.substr(cut));
      merges.push_back(std::move(pair));
    }
    return Json(std::move(merges));
  }

 private:
  struct Candidate {
    int32_t piece;
    size_t cut;
  };
  static size_t index(int32_t id) { return static_cast<size_t>(id); }
  void add_cuts(int32_t id, std::vector<Candidate>& all) const {
    const std::string& piece = parts_.pieces[index(id)];
    if (piece.size() <= kShortPiece) {
      const std::string_view all_of(piece);
      for (size_t cut = 1; cut < piece.size(); ++cut) {
        if (known_.contains(all_of.substr(0, cut)) && known_.contains(all_of.substr(cut)))
          all.push_back({id, cut});
      }
      return;
    }
    std::vector<bool> has_end(piece.size() + 1);  // at a cut
    ends_.for_each(std::string(piece.rbegin(), piece.rend()),
                   [&](int32_t, size_t length) { has_end[piece.size() - length] = true; });
    begins_.for_each(piece, [&](int32_t, size_t cut) {
      if (has_end[cut]) all.push_back({id, cut});
    });
  }

  // Up to this length looking up all cuts is faster than PrefixSet, which is linear.
  static constexpr size_t kShortPiece = 64;

  const ScoredPieces& parts_;
  std::vector<bool> merged_;
  std::unordered_set<std::string_view> known_;
  PrefixSet begins_, ends_;  // of pieces and of their reverse
};

// Ids of tokens before and after a text; -1: none.
Json template_with(std::span<const std::string> tokens, int32_t begin, int32_t end) {
  const auto item = [](const char* kind, const std::string& name) {
    Json one = Json::object(), inner = Json::object();
    inner["id"] = name;
    inner["type_id"] = 0;
    one[kind] = inner;
    return one;
  };
  Json made = stage("TemplateProcessing"), specials = Json::object();
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
      if (words[i] == mark) added.push_back(added_token(id, mark));
    }
    if (words[i] == "[CLS]") cls = id;
    if (words[i] == "[SEP]") sep = id;
  }
  Json root = Json::object();
  root["added_tokens"] = Json(std::move(added));
  root["normalizer"] = stage("BertNormalizer", {{"lowercase", Json(lower)}});
  root["pre_tokenizer"] = stage("BertPreTokenizer");
  if (cls >= 0 && sep >= 0) {
    const auto mark = [](const char* name, int32_t id) {
      return Json(Json::Array{Json(name), Json(id)});
    };
    root["post_processor"] =
        stage("BertProcessing", {{"sep", mark("[SEP]", sep)}, {"cls", mark("[CLS]", cls)}});
  }
  root["decoder"] = stage("WordPiece", {{"prefix", "##"}, {"cleanup", true}});
  root["model"] = stage("WordPiece", {{"unk_token", "[UNK]"},
                                      {"continuing_subword_prefix", "##"},
                                      {"max_input_chars_per_word", 100},
                                      {"vocab", ids_of_tokens(words)}});
  return tokenizer_from_json(root);
}

std::unique_ptr<Tokenizer> tokenizer_of_lists(const std::string& folder) {
  Json root = Json::object(), model = stage("BPE");
  model["vocab"] = Json::read(folder + "/vocab.json");
  Json::Array merges;
  for (const std::string& line : lines_of(folder + "/merges.txt")) {
    if (!line.empty() && !line.starts_with("#version")) merges.emplace_back(line);
  }
  model["merges"] = Json(std::move(merges));
  if (const Json* end = model.at("vocab").find("<|endoftext|>")) {
    root["added_tokens"] = Json(Json::Array{
        added_token(static_cast<int32_t>(end->as_integer("model.vocab")), "<|endoftext|>")});
  }
  root["pre_tokenizer"] = stage("ByteLevel", {{"add_prefix_space", false}});
  root["decoder"] = stage("ByteLevel");
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

namespace {

// The stages of other libraries where they say it all, else gyre's own.
Json normalizer_of_pieces(const ScoredPieces& parts) {
  if (parts.charsmap.empty() && parts.atoms.empty() && !parts.extra_spaces_removed &&
      !parts.space_as_suffix && parts.escapes_spaces) {
    Json::Array before;
    if (parts.prefix_space)
      before.push_back(stage("Prepend", {{"prepend", std::string(kSpaceMark)}}));
    before.push_back(
        stage("Replace", {{"pattern", text_pattern(" ")}, {"content", std::string(kSpaceMark)}}));
    return list_of("Sequence", "normalizers", std::move(before));
  }
  Json own = stage("SentencePiece", {{"add_dummy_prefix", parts.prefix_space},
                                     {"remove_extra_whitespaces", parts.extra_spaces_removed},
                                     {"treat_whitespace_as_suffix", parts.space_as_suffix},
                                     {"escape_whitespaces", parts.escapes_spaces},
                                     {"precompiled_charsmap", to_base64(parts.charsmap)},
                                     {"user_defined", Json::array()}});
  for (const int32_t id : parts.atoms)
    own["user_defined"].push_back(parts.pieces[static_cast<size_t>(id)]);
  return own;
}

// Symbols that the user defined score as SentencePiece's encoder has it: their bytes times the
// greatest score, which is at least 0 (log-probabilities are not above), less 0.1.
std::vector<double> unigram_scores(const ScoredPieces& parts) {
  std::vector<double> scores = parts.scores;
  std::vector<bool> normal(scores.size(), true);
  for (const auto* apart : {&parts.specials, &parts.atoms, &parts.unmatched}) {
    for (const int32_t id : *apart) normal.at(static_cast<size_t>(id)) = false;
  }
  double most = 0;
  for (size_t i = 0; i < scores.size(); ++i) {
    if (normal[i]) most = std::max(most, scores[i]);
  }
  for (const int32_t id : parts.atoms) {
    const auto at = static_cast<size_t>(id);
    scores[at] = static_cast<float>(static_cast<double>(parts.pieces[at].size()) * most - 0.1);
  }
  return scores;
}

Json model_of_pieces(const ScoredPieces& parts) {
  if (!parts.unigram) {
    Json::Object vocab;
    for (size_t i = 0; i < parts.pieces.size(); ++i)
      vocab.push_back({parts.pieces[i], static_cast<int64_t>(i)});
    return stage("BPE", {{"unk_token", parts.pieces[static_cast<size_t>(parts.unknown)]},
                         {"fuse_unk", true},
                         {"byte_fallback", parts.byte_fallback},
                         {"equal_ranks", true},
                         {"atoms", Json(Json::Array(parts.atoms.begin(), parts.atoms.end()))},
                         {"vocab", Json(std::move(vocab))},
                         {"merges", MergesByScore(parts).json()}});
  }
  const std::vector<double> scores = unigram_scores(parts);
  Json::Array vocab;
  for (size_t i = 0; i < parts.pieces.size(); ++i)
    vocab.emplace_back(Json::Array{Json(parts.pieces[i]), Json(scores[i])});
  Json::Array unmatched(parts.unmatched.begin(), parts.unmatched.end());
  unmatched.insert(unmatched.end(), parts.specials.begin(), parts.specials.end());
  return stage("Unigram", {{"unk_id", parts.unknown},
                           {"byte_fallback", parts.byte_fallback},
                           {"single_precision", true},
                           {"unmatched", Json(std::move(unmatched))},
                           {"vocab", Json(std::move(vocab))}});
}

}  // namespace

void ScoredPieces::add(std::string piece, double score, PieceType type) {
  const auto id = static_cast<int32_t>(pieces.size());
  switch (type) {
    case PieceType::normal:
      break;
    case PieceType::unknown:
      if (unknown < 0) unknown = id;
      [[fallthrough]];
    case PieceType::control:
      specials.push_back(id);
      break;
    case PieceType::user_defined:
      atoms.push_back(id);
      break;
    case PieceType::unused:
    case PieceType::byte:
      unmatched.push_back(id);
      break;
    default:
      throw Error(Code::parse, "tokenizer",
                  {"piece ", id, " has the type ", static_cast<int64_t>(type)});
  }
  pieces.push_back(std::move(piece));
  scores.push_back(score);
}

std::unique_ptr<Tokenizer> tokenizer_of_pieces(const ScoredPieces& parts) {
  const auto count = static_cast<int32_t>(parts.pieces.size());
  const auto are_pieces = [&](const std::vector<int32_t>& ids) {
    return std::ranges::all_of(ids, [&](int32_t id) { return id >= 0 && id < count; });
  };
  const bool fits = parts.scores.size() == parts.pieces.size() && parts.unknown >= 0 &&
                    parts.unknown < count && parts.begin < count && parts.end < count &&
                    are_pieces(parts.specials) && are_pieces(parts.atoms) &&
                    are_pieces(parts.unmatched);
  if (!fits)
    throw Error(Code::value, "tokenizer", "expected a score for each piece, and ids of pieces");
  Json root = Json::object();
  Json::Array added;
  for (const int32_t id : parts.specials)
    added.push_back(added_token(id, parts.pieces.at(static_cast<size_t>(id))));
  for (const auto& [token, id] : parts.added) {
    if (id < count) continue;  // a piece
    added.push_back(added_token(id, token));
    added.back()["special"] = false;
  }
  root["added_tokens"] = Json(std::move(added));
  root["normalizer"] = normalizer_of_pieces(parts);
  if (parts.begin >= 0 || parts.end >= 0)
    root["post_processor"] = template_with(parts.pieces, parts.begin, parts.end);
  Json::Array after{stage("Replace", {{"pattern", text_pattern(kSpaceMark)}, {"content", " "}}),
                    stage("ByteFallback"), stage("Fuse")};
  if (parts.prefix_space || parts.extra_spaces_removed) {
    const int most = parts.extra_spaces_removed ? INT16_MAX : 1;
    after.push_back(stage("Strip", {{"content", " "}, {"start", most}, {"stop", 0}}));
  }
  root["decoder"] = list_of("Sequence", "decoders", std::move(after));
  root["model"] = model_of_pieces(parts);
  return tokenizer_from_json(root);
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
  for (const int32_t id : parts.specials) added.push_back(added_token(id, token(id)));
  for (const int32_t id : parts.added) {
    added.push_back(added_token(id, token(id)));
    added.back()["special"] = false;
  }
  root["added_tokens"] = Json(std::move(added));
  Json regex = Json::object();
  regex["Regex"] = std::string(pattern->pattern);
  root["pre_tokenizer"] =
      list_of("Sequence", "pretokenizers",
              {stage("Split", {{"pattern", regex}, {"behavior", "Isolated"}, {"invert", false}}),
               stage("ByteLevel", {{"add_prefix_space", false}, {"use_regex", false}})});
  if (parts.begin >= 0) {
    (void)token(parts.begin);
    root["post_processor"] = template_with(parts.tokens, parts.begin, -1);
  }
  root["decoder"] = stage("ByteLevel");
  root["model"] = stage("BPE", {{"ignore_merges", parts.ignore_merges},
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
