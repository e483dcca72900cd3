#pragma once
#include "gyre/embed/embed_options.h"
#include "gyre/embed/embed_progress.h"
#include "gyre/embed/training/point_table.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Writes DIR/disk.svg. It shows the points themselves if they are two-dimensional and few enough
/// to be legible, else a separate two-dimensional embedding of the nodes with the most descendants;
/// the caption says which. Without a pair among these there is no picture, and the sink is warned.
/// Returns false and writes nothing if the sink wants to stop. Error{io}.
bool write_disk_picture(const EmbedOptions& options, const Taxonomy& taxonomy,
                        const PointTable& points, EmbedSink& sink);

}  // namespace gyre
