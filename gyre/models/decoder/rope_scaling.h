#pragma once
#include <string>
#include <vector>

#include "gyre/models/decoder/decoder_options.h"

// The frequencies of rotary positions, stretched for contexts longer than those of training.

namespace gyre {

/// Rotary frequencies [rotated() / 2] in f64 for a text of `length` tokens; empty where those of
/// rope_base are used unscaled. Linear: Chen et al. 2023; yarn: Peng et al. 2023; longrope: Ding et
/// al. 2024; llama3 and dynamic: as transformers' rope_type of that name.
Tensor rope_frequencies(const DecoderOptions& options, int64_t length = 0);

/// Context length in training.
int64_t original_context(const DecoderOptions& options);

/// The largest length, at most the context, with the same frequencies as `length`.
int64_t rope_reach(const DecoderOptions& options, int64_t length);

/// Error{value} of `op` for factors of longrope that are not positive numbers, one for each
/// frequency, and for dynamic scaling of fewer than two frequencies.
void check_rope(const char* op, const DecoderOptions& options);

}  // namespace gyre
