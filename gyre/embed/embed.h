#pragma once
#include <span>
#include <string>

#include "gyre/embed/embed_options.h"
#include "gyre/embed/embed_progress.h"

namespace gyre {

/// Embeds a taxonomy as `gyre embed` does: trains points so that nodes are close to their
/// ancestors. `given` names the fields of EmbedOptions that were set explicitly: with `resume`,
/// those that affect the numbers must be unchanged. The folder `out` gets the files of
/// embedding_folder.h, log.jsonl, metrics.json and disk.svg (disk_picture.h). If the sink stops the
/// run, it is saved and the report has `interrupted`; a resumed run writes the same bytes as an
/// uninterrupted one. A run that fails to start leaves nothing. Errors: value, naming the option in
/// backticks; those of read_edges and wordnet_taxonomy; io; numeric, if the loss is not finite;
/// resource, if another run uses `out`.
EmbedReport embed(const EmbedOptions& options, std::span<const std::string> given, EmbedSink& sink);

}  // namespace gyre
