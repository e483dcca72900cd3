#pragma once
#include <string>
#include <string_view>

namespace gyre {

/// Bits a byte of `validation` under models of bytes counted on `training`, each count plus one half
/// (Krichevsky and Trofimov 1981) so that unseen bytes have a probability. NaN for an empty
/// validation text.
double unigram_bits_per_byte(std::string_view training, std::string_view validation);
/// Each byte given the one before it; a pair never seen falls back on the unigram model (Witten and
/// Bell 1991 weights).
double bigram_bits_per_byte(std::string_view training, std::string_view validation);

}  // namespace gyre
