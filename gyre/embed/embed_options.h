#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gyre/base/record_part.h"
#include "gyre/data/edge_list.h"
#include "gyre/embed/reconstruction.h"
#include "gyre/embed/training/point_table.h"
#include "gyre/io/json.h"
#include "gyre/train/run_options.h"

namespace gyre {

/// Options of `gyre embed`. Intervals are in epochs.
struct EmbedOptions {
  std::string data{};
  Geometry model = Geometry::poincare;
  int64_t dim = 5;
  int64_t epochs = 0;
  double lr = 0;
  int64_t negatives = 50;
  int64_t batch_size = 0;
  int64_t burn_in = 10;
  int64_t eval_nodes = 100000;
  double until_rank = 0;
  bool baseline = true, picture = true;
  EdgeListOptions edges{};
  bool closure = false;
  EvaluationOptions evaluation{.every = 50};
  CheckpointOptions checkpoints{.every = 200};
  RunOptions run{};
};
GYRE_RECORD(
    EmbedOptions, GYRE_FIELD(data, "a file of edges or wordnet:NAME", .tags = kPositional),
    GYRE_FIELD(model, "embedding space: Poincaré ball, hyperboloid (Lorentz) or Euclidean",
               .alias = "manifold", .heading = "Embedding"),
    GYRE_FIELD(dim, "embedding dimension", .alias = "embedding_dim", .least = 1, .most = 65536,
               .heading = "Embedding"),
    GYRE_FIELD(epochs, "passes over the pairs; 0: chosen from dimension and number of nodes",
               .least = 0, .heading = "Embedding"),
    GYRE_FIELD(lr, "learning rate; 0: chosen from space and number of nodes",
               .alias = "learning_rate", .least = 0, .heading = "Embedding"),
    GYRE_FIELD(negatives, "negative samples per pair", .alias = "num_negatives,negs", .least = 1,
               .most = 65536, .heading = "Embedding"),
    GYRE_FIELD(batch_size, "pairs per batch; 0: chosen from the number of nodes", .alias = "batch",
               .least = 0, .most = 65536, .heading = "Embedding"),
    GYRE_FIELD(burn_in, "burn-in epochs, at a tenth of the learning rate", .alias = "burnin",
               .least = 0, .heading = "Embedding"),
    GYRE_FIELD(baseline, "also train a Euclidean embedding for comparison", .tags = kResumable,
               .heading = "Embedding"),
    GYRE_FIELD(picture, "write disk.svg, the taxonomy in the Poincaré disk", .tags = kResumable,
               .heading = "Embedding"),
    GYRE_PART(edges, .heading = "Edge files"),
    GYRE_FIELD(closure, "train on the transitive closure", .heading = "Edge files"),
    GYRE_PART(evaluation, .heading = "Evaluation and checkpoints (intervals in epochs)"),
    GYRE_FIELD(eval_nodes, "number of nodes to evaluate, each ranked against all nodes; 0: all",
               .tags = kResumable, .least = 0,
               .heading = "Evaluation and checkpoints (intervals in epochs)"),
    GYRE_FIELD(until_rank, "stop once the mean rank is at most this; 0: off", .tags = kResumable,
               .least = 0, .heading = "Evaluation and checkpoints (intervals in epochs)"),
    GYRE_PART(checkpoints, .heading = "Evaluation and checkpoints (intervals in epochs)"),
    GYRE_PART(run, .heading = "Run"));

/// Options merged with those of the file `config`, and the names of all set explicitly or by the
/// file. Errors: those of read_option_file().
struct ResolvedEmbedOptions {
  EmbedOptions options;
  std::vector<std::string> given;
};
ResolvedEmbedOptions resolve_embed_options(const EmbedOptions& options,
                                           std::span<const std::string> given);
/// Error{value} naming the first option that is out of range.
void check_embed_options(const EmbedOptions& options);

/// The options stored in a checkpoint, all but those tagged kThisProcessOnly; also a file for
/// `config` that reproduces the embedding.
Json stored_embed_options(const EmbedOptions& options);
/// Options of a resumed run: the stored ones with changes_of_run applied.
EmbedOptions continued_embed_options(const EmbedOptions& options,
                                     std::span<const std::string> given, const Json& stored);

/// Options of `gyre embed query`.
struct EmbedQueryOptions {
  int64_t neighbours = 10;
};
GYRE_FIELDS(EmbedQueryOptions, GYRE_FIELD(neighbours, "number of nearest nodes to list",
                                          .alias = "neighbors,k", .least = 0));

/// Result of training an embedding. NaN: not measured.
struct EmbedReport {
  static constexpr double kNone = Reconstruction::kNone;
  Reconstruction rank{};
  double seconds = 0;
  int64_t nodes = 0, pairs = 0;
  int64_t epochs = 0, new_epochs = 0;
  double loss = kNone;
  double pairs_per_second = 0;
  int64_t best_epoch = 0;
  double best_mean_rank = kNone;
  Reconstruction baseline{};
  bool interrupted = false, stopped_early = false;
};
GYRE_RECORD(EmbedReport, GYRE_PART(rank),
            GYRE_FIELD(seconds, "training time since the start or resume, without evaluation"),
            GYRE_FIELD(nodes, "number of embedded nodes"),
            GYRE_FIELD(pairs, "number of (node, ancestor) pairs"),
            GYRE_FIELD(epochs, "total epochs"),
            GYRE_FIELD(new_epochs, "epochs since the start or resume"),
            GYRE_FIELD(loss, "loss of the last epoch in nats per pair"),
            GYRE_FIELD(pairs_per_second, "training throughput since the start or resume"),
            GYRE_FIELD(best_epoch, "epoch of the lowest mean rank; 0: none"),
            GYRE_FIELD(best_mean_rank, "lowest mean rank"),
            GYRE_PART(baseline, .prefix = "baseline_"),
            GYRE_FIELD(interrupted, "interrupted before the last epoch; continue with --resume"),
            GYRE_FIELD(stopped_early, "stopped early by patience or until_rank"));

}  // namespace gyre
