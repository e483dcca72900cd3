#include "gyre/text/scored_pieces.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "gyre/base/error.h"
#include "gyre/text/prefix_set.h"
#include "gyre/text/space_mark.h"
#include "gyre/text/stages/decoders.h"
#include "gyre/text/stages/precompiled.h"
#include "gyre/text/tokenizer_format.h"

namespace gyre {
namespace {

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

// The stages of other libraries where they say it all, else gyre's own.
Json normalizer_of_pieces(const ScoredPieces& parts) {
  if (parts.charsmap.empty() && parts.atoms.empty() && !parts.extra_spaces_removed &&
      !parts.space_as_suffix && parts.escapes_spaces) {
    Json::Array before;
    if (parts.prefix_space)
      before.push_back(stage_json("Prepend", {{"prepend", std::string(kSpaceMark)}}));
    before.push_back(stage_json(
        "Replace", {{"pattern", text_pattern_json(" ")}, {"content", std::string(kSpaceMark)}}));
    return stage_list_json("Sequence", "normalizers", std::move(before));
  }
  Json own = stage_json("SentencePiece", {{"add_dummy_prefix", parts.prefix_space},
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
    return stage_json("BPE", {{"unk_token", parts.pieces[static_cast<size_t>(parts.unknown)]},
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
  return stage_json("Unigram", {{"unk_id", parts.unknown},
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
    added.push_back(added_token_json(id, parts.pieces.at(static_cast<size_t>(id))));
  for (const auto& [token, id, special] : parts.added) {
    if (id < count) continue;  // a piece
    added.push_back(added_token_json(id, token));
    added.back()["special"] = special;
  }
  root["added_tokens"] = Json(std::move(added));
  root["normalizer"] = normalizer_of_pieces(parts);
  if (parts.begin >= 0 || parts.end >= 0)
    root["post_processor"] = template_json(parts.pieces, parts.begin, parts.end);
  Json::Array after{
      stage_json("Replace", {{"pattern", text_pattern_json(kSpaceMark)}, {"content", " "}}),
      stage_json("ByteFallback"), stage_json("Fuse")};
  if (parts.prefix_space || parts.extra_spaces_removed) {
    const int most = parts.extra_spaces_removed ? INT16_MAX : 1;
    after.push_back(stage_json("Strip", {{"content", " "}, {"start", most}, {"stop", 0}}));
  }
  root["decoder"] = stage_list_json("Sequence", "decoders", std::move(after));
  root["model"] = model_of_pieces(parts);
  return tokenizer_from_json(root);
}

}  // namespace gyre
