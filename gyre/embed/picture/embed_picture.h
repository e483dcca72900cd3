#pragma once
#include "gyre/embed/embed_options.h"
#include "gyre/embed/embed_sink.h"
#include "gyre/embed/training/point_table.h"
#include "gyre/relation/taxonomy.h"

namespace gyre {

/// Writes DIR/disk.svg. It shows the points themselves where they have two dimensions and are few
/// enough to be told apart, else an embedding of its own in two dimensions, of the nodes that are
/// above most; the picture says which. Where there is no pair between these, there is none, and the
/// sink is warned. False, and nothing is written, when the sink wants to stop. Error{io}.
bool write_disk_picture(const EmbedOptions& options, const Taxonomy& taxonomy,
                        const PointTable& points, EmbedSink& sink);

}  // namespace gyre
