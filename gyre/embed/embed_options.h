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
  kOfEdges = 1,  ///< of files of edges
};

/// What `gyre embed` is told.
struct EmbedOptions {
  std::string data{};  ///< a file of edges or wordnet:WHAT; not a field of the record
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
    GYRE_FIELD(out, "folder that gets the embedding, its figures, a picture and a checkpoint",
               kThisRunOnly),
    GYRE_FIELD(model, "where the points lie: ball, hyperboloid or Euclidean space"),
    GYRE_FIELD(dim, "numbers a point"),
    GYRE_FIELD(epochs, "passes over the pairs; 0: what suits dimensions and size"),
    GYRE_FIELD(lr, "learning rate, by which a pair moves its points; 0: what suits model and size"),
    GYRE_FIELD(negatives, "nodes that are not above a child, drawn for each of its pairs"),
    GYRE_FIELD(batch, "pairs a step; 0: what suits the number of nodes"),
    GYRE_FIELD(burn_in, "first epochs, with a tenth of the learning rate"),
    GYRE_FIELD(seed, "of first points, order and negatives"),
    GYRE_FIELD(columns, "the two columns of a file that has a header: BELOW,ABOVE", kOfEdges),
    GYRE_FIELD(header, "whether the first line of a file has the names of its columns", kOfEdges),
    GYRE_FIELD(closure, "learn also what follows: all nodes above those above", kOfEdges),
    GYRE_FIELD(eval_every, "epochs between evaluations; 0: only at the end", kResumable),
    GYRE_FIELD(eval_nodes, "nodes whose pairs are evaluated, against all nodes; 0: all",
               kResumable),
    GYRE_FIELD(patience,
               "ends the training after so many evaluations without a better mean rank, and leaves "
               "the best embedding; 0: never",
               kResumable),
    GYRE_FIELD(until_rank, "ends the training at the first mean rank that is not higher",
               kResumable),
    GYRE_FIELD(save_every, "epochs between checkpoints; 0: only at the end", kResumable),
    GYRE_FIELD(stop_at, "save and end after this epoch, for --resume; 0: go to the end",
               kThisRunOnly),
    GYRE_FIELD(baseline, "an embedding in Euclidean space, to compare with", kResumable),
    GYRE_FIELD(picture, "disk.svg: the taxonomy in the disk", kResumable),
    GYRE_FIELD(threads, "threads to use; 0: as set for the process", kThisRunOnly),
    GYRE_FIELD(resume, "go on from the checkpoint in --out, with its data and options",
               kThisRunOnly),
    GYRE_FIELD(config,
               "JSON file of options by their names here, and `data`; options given by hand "
               "override it",
               kThisRunOnly),
    GYRE_FIELD(print_config, "print all options, as --config takes them, and do nothing",
               kThisRunOnly));

/// What `gyre embed query` is told.
struct EmbedQueryOptions {
  int64_t neighbours = 10;
};
GYRE_FIELDS(EmbedQueryOptions, GYRE_FIELD(neighbours, "how many of the nearest nodes to name"));

/// What an embedding has come to. Figures are NaN where they were not measured.
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
            GYRE_FIELD(mean_rank, "of a parent among the nodes that are not above the child"),
            GYRE_FIELD(map, "mean average precision of the nodes above a node"),
            GYRE_FIELD(seconds, "of training in this run, without evaluations"),
            GYRE_FIELD(nodes, "that have points"), GYRE_FIELD(pairs, "of a node and one above it"),
            GYRE_FIELD(epochs, "done in all"), GYRE_FIELD(new_epochs, "of these, in this run"),
            GYRE_FIELD(loss, "of the last epoch: nats a pair"),
            GYRE_FIELD(pairs_per_second, "of this run"),
            GYRE_FIELD(best_epoch, "of the lowest mean rank; 0: none"),
            GYRE_FIELD(best_mean_rank, "of that evaluation"),
            GYRE_FIELD(baseline_mean_rank, "of the embedding in Euclidean space"),
            GYRE_FIELD(baseline_map, "of the same"),
            GYRE_FIELD(interrupted, "stopped before the end; --resume goes on"),
            GYRE_FIELD(stopped_early, "ended by patience or until_rank"));

}  // namespace gyre
