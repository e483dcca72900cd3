#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "gyre/base/record.h"
#include "gyre/base/thread_pool.h"
#include "gyre/io/json.h"

// Options that `gyre train` and `gyre embed` share, and which of them may change when a run is
// resumed.

namespace gyre {

/// Tags of options that apply to some runs only; options without them apply to all.
enum RunTag : uint32_t {
  kOfText = 1,       ///< texts and tokens
  kOfExamples = 2,   ///< images, arrays and tables
  kOfTables = 4,     ///< tables
  kOfOptimizer = 8,  ///< optimisers whose record has a field of this name; passed to them
  kOfModel = 16,     ///< models whose record has a field of this name
  kByEpochs = 32,    ///< derived from epochs, where there are epochs, once the data are known
  kOfPacked = 64,    ///< models with packed weights
};

/// Files, seed and threads of a run.
struct RunOptions {
  std::string out{}, config{};
  bool print_config = false;
  int64_t seed = 1;
  int64_t threads = 0;
};
GYRE_FIELDS(RunOptions,
            GYRE_FIELD(out, "output folder (required): model, log, plots and checkpoints",
                       .tags = kThisProcessOnly, .alias = "output_dir,out_dir", .metavar = "DIR"),
            GYRE_FIELD(config,
                       "JSON file of options by these names, and `data`; options given explicitly "
                       "override it",
                       .tags = kThisProcessOnly, .metavar = "FILE"),
            GYRE_FIELD(print_config, "print all options as a --config file and exit",
                       .tags = kThisProcessOnly),
            GYRE_FIELD(seed, "random seed", .least = 0),
            GYRE_FIELD(threads, "number of threads; 0: GYRE_THREADS, or one per processor",
                       .tags = kThisProcessOnly, .alias = "num_threads", .least = 0,
                       .most = kMaxThreads));

/// When a run measures its progress. Intervals are in steps of training or epochs of embedding.
struct EvaluationOptions {
  int64_t every = 250;
  int64_t patience = 0;
};
GYRE_FIELDS(EvaluationOptions,
            GYRE_FIELD_AS(eval_every, every, "interval between evaluations; 0: only at the end",
                          .tags = kResumable | kByEpochs, .alias = "eval_interval", .least = 0),
            GYRE_FIELD(patience,
                       "early stopping: stop after N evaluations without improvement and restore "
                       "the best; 0: never",
                       .tags = kResumable, .alias = "early_stopping_patience", .least = 0));

/// When a run is saved and stopped, in steps of training or epochs of embedding.
struct CheckpointOptions {
  int64_t every = 500;
  int64_t stop_at = 0;
  bool resume = false;
};
GYRE_FIELDS(
    CheckpointOptions,
    GYRE_FIELD_AS(save_every, every, "interval between checkpoints; 0: only at the end",
                  .tags = kResumable | kByEpochs, .alias = "save_interval", .least = 0),
    GYRE_FIELD(stop_at,
               "save and stop after this step or epoch, to --resume later; 0: run to the end",
               .tags = kThisProcessOnly, .least = 0),
    GYRE_FIELD(resume,
               "resume from the newest checkpoint in --out with its data and options; "
               "options that do not affect the results may differ",
               .tags = kThisProcessOnly));

/// Changes of a resumed run against its stored options: fields tagged kThisProcessOnly, and those
/// tagged kResumable that are `given`. `now` and `stored` hold all fields of the record, one of
/// which is `out`. Error{value} of `op` naming another field that is given and differs.
Json changes_of_run(const char* op, const Record& record, const Json& now, const Json& stored,
                    std::span<const std::string> given);

}  // namespace gyre
