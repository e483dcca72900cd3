#pragma once
#include <string_view>

namespace gyre {

// What simple models of bytes reach, to compare a language model with: all of them see the training
// part and are asked for the bits they need for a byte of the validation part. NaN when that is
// empty.

/// Each byte by its frequency; counts begin at one half (Krichevsky and Trofimov 1981), so that
/// bytes never seen have a probability.
double unigram_bits_per_byte(std::string_view training, std::string_view validation);

/// Each byte by its frequency after the byte before it; what pairs never seen get is shared out by
/// the unigram model (method C of Witten and Bell 1991). The first byte is the unigram model's.
double bigram_bits_per_byte(std::string_view training, std::string_view validation);

}  // namespace gyre
