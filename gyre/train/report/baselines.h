#pragma once
#include <string_view>

namespace gyre {

// Baselines for byte-level language models, fitted on the training part: bits per byte of the
// validation part. NaN if that is empty.

/// Unigram model; counts start at one half (Krichevsky and Trofimov 1981), so that unseen bytes
/// have nonzero probability.
double unigram_bits_per_byte(std::string_view training, std::string_view validation);

/// Bigram model with Witten-Bell smoothing (method C of Witten and Bell 1991) backed by the unigram
/// model, which also predicts the first byte.
double bigram_bits_per_byte(std::string_view training, std::string_view validation);

}  // namespace gyre
