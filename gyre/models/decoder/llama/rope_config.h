#pragma once
#include "gyre/models/decoder/decoder_options.h"
#include "gyre/models/files/config_fields.h"

// Rotary positions in config.json and in DecoderOptions.

namespace gyre::llama {

/// Reads base, scaling and rotated part. Newer files have rope_parameters, of all layers or by
/// their type; older ones rope_theta and rope_scaling. `base` where the file has none.
void read_rope(const ConfigFields& config, DecoderOptions& options, double base);

/// The field rope_scaling of config.json.
Json scaling_of(const DecoderOptions& options);

}  // namespace gyre::llama
