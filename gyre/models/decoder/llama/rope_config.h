#pragma once
#include "gyre/models/decoder/decoder_options.h"
#include "gyre/models/files/config_fields.h"

// Rotary positions in config.json and in DecoderOptions.

namespace gyre::llama {

/// Reads base, scaling and rotated part. Newer files have rope_parameters, of all layers or by
/// their type; older ones rope_theta and rope_scaling. `base`, and `original` if it is not 0, where
/// the file has no rope_theta, or no original_max_position_embeddings outside of the scaling.
void read_rope(const ConfigFields& config, DecoderOptions& options, double base, int64_t original);

/// The field rope_scaling of config.json.
Json scaling_of(const DecoderOptions& options);
/// The field max_position_embeddings: with dynamic scaling the context of training, which its
/// factor makes longer.
int64_t stated_context(const DecoderOptions& options);

}  // namespace gyre::llama
