#include "gyre/embed/picture/embed_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "gyre/base/system/file.h"
#include "gyre/embed/picture/disk_picture.h"
#include "gyre/embed/reconstruction.h"
#include "gyre/embed/training/embedding_trainer.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

constexpr int64_t kMostNodes = 1500;

// The nodes with the most descendants, ascending.
std::vector<uint32_t> shown_nodes(const Taxonomy& taxonomy) {
  std::vector<uint32_t> nodes(static_cast<size_t>(taxonomy.nodes()));
  std::iota(nodes.begin(), nodes.end(), 0U);
  const std::vector<int64_t> below = taxonomy.count_below();
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](uint32_t a, uint32_t b) { return below[a] > below[b]; });
  if (taxonomy.nodes() > kMostNodes) nodes.resize(kMostNodes);
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

}  // namespace

bool write_disk_picture(const EmbedOptions& options, const Taxonomy& taxonomy,
                        const PointTable& points, EmbedSink& sink) {
  const Taxonomy shown = transitive_closure(part_of(taxonomy, shown_nodes(taxonomy))).taxonomy;
  if (shown.pairs() == 0) {
    sink.warned(fmt::format("no disk.svg: the {} nodes with the most descendants have no pair",
                            grouped(shown.nodes())));
    return true;
  }
  const bool all = shown.nodes() == taxonomy.nodes(), own = all && points.dim() == 2;
  PointTable flat = points;
  if (!own) {
    sink.noted("training a two-dimensional embedding for the picture");
    EmbedOptions o = options;
    o.dim = 2;
    o.lr = 0;
    o.batch_size = o.epochs = 0;
    o = suited(o, shown.nodes());
    flat = PointTable(o.model, shown.nodes(), 2, static_cast<uint64_t>(o.run.seed));
    EmbeddingTrainer trainer(shown, o, flat);
    EmbeddingTrainer::Position at;
    for (int64_t epoch = 0; epoch < o.epochs; ++epoch) {
      if (!trainer.run_epoch(epoch, at, [&] { return sink.stop_wanted(); })) return false;
    }
  }
  const PointRows rows = flat.read();
  std::vector<std::array<double, 2>> places;
  for (uint32_t node = 0; node < shown.nodes(); ++node) {
    places.push_back({rows[node][0], rows[node][1]});
  }
  const Reconstruction figures = reconstruct(shown, flat);
  const bool hyperbolic = options.model != Geometry::euclidean;
  DiskPicture picture;
  picture.hyperbolic = hyperbolic;
  picture.title = fmt::format("{} nodes in {}", grouped(shown.nodes()),
                              hyperbolic ? "the Poincaré disk" : "the Euclidean plane");
  picture.caption = fmt::format(
      "{} pairs, mean rank {:.2f}, MAP {:.3f}; {}{}", grouped(shown.pairs()), figures.mean_rank,
      figures.map,
      own ? std::string("the embedding itself")
          : fmt::format(
                "a separate two-dimensional embedding for this picture; the embedding has {} "
                "dimensions ({})",
                points.dim(), name_of(points.geometry())),
      all ? ""
          : fmt::format("; the nodes with the most descendants, of {}", grouped(taxonomy.nodes())));
  write_file_atomic(options.run.out + "/disk.svg", disk_svg(shown, places, picture));
  return true;
}

}  // namespace gyre
