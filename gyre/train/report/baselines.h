#pragma once
#include <string_view>

namespace gyre {

// Baselines for byte-level language models, fitted on the training part: bits per byte of the
// validation part. NaN if that is empty.

/// Unigram model; counts start at one half (Krichevsky and Trofimov 1981), so that unseen bytes
/// have nonzero probability.
double unigram_bits_per_byte(std::string_view training, std::string_view validation);

/// Model of `order` preceding bytes (1: bigrams; at most 6) with Witten-Bell smoothing (method C of
/// Witten and Bell 1991): each order is backed by the shorter one, the first by the unigram model.
double ngram_bits_per_byte(std::string_view training, std::string_view validation, int order);

}  // namespace gyre
