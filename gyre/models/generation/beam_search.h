#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "gyre/models/language_model.h"

namespace gyre {

struct BeamOptions {
  int64_t beams = 1, max_tokens = 100;
  double length_penalty = 1;
  CacheDType cache_dtype = CacheDType::model;
  std::span<const int32_t> ends{};  ///< tokens that end a text
};

/// The continuation of `prompt` with the largest sum of log-probabilities divided by its length to
/// the power of `length_penalty`, as found by beam search: the most likely `beams` texts go on;
/// those that end compete with what is found later, until there are `beams` of them that no other
/// can exceed. Ties go to the earlier beam, then to the lower token. The end token is its last.
std::vector<int32_t> beam_search(const LanguageModel& model, std::span<const int32_t> prompt,
                                 const BeamOptions& options);

}  // namespace gyre
