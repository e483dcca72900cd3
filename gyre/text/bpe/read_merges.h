#pragma once
#include <string>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/text/bpe/merge_table.h"
#include "gyre/text/vocabulary.h"

namespace gyre {

/// The merges of a BPE model in order of rank: `"a b"` or `["a", "b"]` each. The merged token has
/// the right one without `prefix`, if there is one. Error{parse} for anything else and for tokens
/// that are not in the vocabulary.
[[nodiscard]] std::vector<Merge> read_merges(const Json& list, const Vocabulary& vocabulary,
                                             const std::string& prefix = {});

}  // namespace gyre
