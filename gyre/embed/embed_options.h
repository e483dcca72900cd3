#pragma once
#include <cstdint>
#include <limits>
#include <string>

#include "gyre/base/record.h"
#include "gyre/embed/training/point_table.h"
#include "gyre/io/csv.h"
#include "gyre/train/run_options.h"

namespace gyre {

/// Tags of the fields of EmbedOptions, beside kResumable and kThisRunOnly.
enum EmbedTag : uint32_t {
  kOfEdges = 1,  ///< applies to files of edges
};

/// Options of `gyre embed`.
struct EmbedOptions {
  std::string data{};  ///< a file of edges or wordnet:NAME; not a field of the record
  std::string out{};
  Geometry model = Geometry::poincare;
  int64_t dim = 5;
  int64_t epochs = 0;
  double lr = 0;
  int64_t negatives = 50;
  int64_t batch = 0;
  int64_t burn_in = 10;
  int64_t seed = 1;
  std::string columns{};
  CsvHeader header = CsvHeader::detect;
  bool closure = false;
  int64_t eval_every = 50, eval_nodes = 100000;
  int64_t patience = 0;
  double until_rank = 0;
  int64_t save_every = 200, stop_at = 0;
  bool baseline = true, picture = true;
  int64_t threads = 0;
  bool resume = false;
  std::string config{};
  bool print_config = false;
};
GYRE_FIELDS(
    EmbedOptions,
    GYRE_FIELD(out, "output folder: embedding, metrics, picture and checkpoint", kThisRunOnly),
    GYRE_FIELD(model, "embedding space: Poincare ball, hyperboloid (Lorentz) or Euclidean"),
    GYRE_FIELD(dim, "embedding dimension"),
    GYRE_FIELD(epochs, "passes over the pairs; 0: chosen from dimension and number of nodes"),
    GYRE_FIELD(lr, "learning rate; 0: chosen from space and number of nodes"),
    GYRE_FIELD(negatives, "negative samples per pair"),
    GYRE_FIELD(batch, "batch size in pairs; 0: chosen from the number of nodes"),
    GYRE_FIELD(burn_in, "burn-in epochs, at a tenth of the learning rate"),
    GYRE_FIELD(seed, "random seed of initial points, order and negative samples"),
    GYRE_FIELD(columns, "child and parent column of a file with a header: CHILD,PARENT", kOfEdges),
    GYRE_FIELD(header, "whether the first line of a file holds the column names", kOfEdges),
    GYRE_FIELD(closure, "also train on the transitive closure", kOfEdges),
    GYRE_FIELD(eval_every, "epochs between evaluations; 0: only at the end", kResumable),
    GYRE_FIELD(eval_nodes, "nodes whose pairs are ranked, against all nodes; 0: all", kResumable),
    GYRE_FIELD(patience,
               "early stopping: stop after N evaluations without a better mean rank and restore "
               "the best embedding; 0: never",
               kResumable),
    GYRE_FIELD(until_rank, "stop once the mean rank is at most this; 0: off", kResumable),
    GYRE_FIELD(save_every, "epochs between checkpoints; 0: only at the end", kResumable),
    GYRE_FIELD(stop_at, "save and stop after this epoch, to --resume later; 0: run to the end",
               kThisRunOnly),
    GYRE_FIELD(baseline, "also train a Euclidean embedding for comparison", kResumable),
    GYRE_FIELD(picture, "write disk.svg, the taxonomy in the Poincare disk", kResumable),
    GYRE_FIELD(threads, "CPU threads; 0: the process's setting", kThisRunOnly),
    GYRE_FIELD(resume, "resume from the checkpoint in --out, with its data and options",
               kThisRunOnly),
    GYRE_FIELD(config,
               "JSON file of options by these names, and `data`; options given explicitly override "
               "it",
               kThisRunOnly),
    GYRE_FIELD(print_config, "print all options as a --config file and exit", kThisRunOnly));

/// Options of `gyre embed query`.
struct EmbedQueryOptions {
  int64_t neighbours = 10;
};
GYRE_FIELDS(EmbedQueryOptions, GYRE_FIELD(neighbours, "number of nearest nodes to list"));

/// Result of training an embedding. NaN: not measured.
struct EmbedReport {
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  double mean_rank = kNone, map = kNone;
  double seconds = 0;
  int64_t nodes = 0, pairs = 0;
  int64_t epochs = 0, new_epochs = 0;
  double loss = kNone;
  double pairs_per_second = 0;
  int64_t best_epoch = 0;
  double best_mean_rank = kNone;
  double baseline_mean_rank = kNone, baseline_map = kNone;
  bool interrupted = false, stopped_early = false;
};
GYRE_FIELDS(EmbedReport,
            GYRE_FIELD(mean_rank, "mean rank of a true ancestor among all non-ancestors"),
            GYRE_FIELD(map, "mean average precision (MAP) of ancestors"),
            GYRE_FIELD(seconds, "training time since the start or resume, without evaluation"),
            GYRE_FIELD(nodes, "number of embedded nodes"),
            GYRE_FIELD(pairs, "number of (node, ancestor) pairs"),
            GYRE_FIELD(epochs, "total epochs"),
            GYRE_FIELD(new_epochs, "epochs since the start or resume"),
            GYRE_FIELD(loss, "loss of the last epoch in nats per pair"),
            GYRE_FIELD(pairs_per_second, "training throughput since the start or resume"),
            GYRE_FIELD(best_epoch, "epoch of the lowest mean rank; 0: none"),
            GYRE_FIELD(best_mean_rank, "lowest mean rank"),
            GYRE_FIELD(baseline_mean_rank, "mean rank of the Euclidean baseline"),
            GYRE_FIELD(baseline_map, "mean average precision of the Euclidean baseline"),
            GYRE_FIELD(interrupted, "interrupted before the last epoch; continue with --resume"),
            GYRE_FIELD(stopped_early, "stopped early by patience or until_rank"));

}  // namespace gyre
