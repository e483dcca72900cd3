#pragma once
#include <span>
#include <string>

#include "gyre/embed/embed_options.h"
#include "gyre/embed/embed_sink.h"

namespace gyre {

/// Embeds as `gyre embed` does: learns points for the nodes of a taxonomy so that what is above a
/// node is near to it. `given` names the fields of EmbedOptions that were set by hand: with
/// `resume` those that the numbers depend on must be what they were. The folder `out`
/// gets what embedding_folder.h lists, log.jsonl, metrics.json, and disk.svg (disk_picture.h). When
/// the sink wants it to stop, the training is saved and the report says `interrupted`; a resumed
/// one gives the same bytes as one that was never stopped. A start that fails leaves nothing.
/// Errors: value, naming the option; those of read_edges and wordnet_taxonomy; io; numeric, when
/// the loss is no longer finite; resource, when another training runs in `out`. Messages have
/// names of options in backticks.
EmbedReport embed(const EmbedOptions& options, std::span<const std::string> given, EmbedSink& sink);

}  // namespace gyre
