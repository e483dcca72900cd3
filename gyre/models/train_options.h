#pragma once
#include <string>
#include <vector>

#include "gyre/data/table/table.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/train/options.h"

namespace gyre {

struct TrainDataOptions {
  std::vector<std::string> sources{};  ///< see data_kind()
  double val_fraction = 0.1;
  double epochs = 0;
  int64_t num_workers = 0;
};
GYRE_FIELDS(TrainDataOptions,
            GYRE_FIELD_AS(data, sources, "files or named data sets",
                          .tags = kPositional | kResumable),
            GYRE_FIELD(val_fraction,
                       "fraction of the data held out for validation; ignored if "
                       "the data have a validation split",
                       .least = 0, .below = 1),
            GYRE_FIELD(epochs, "epochs (instead of steps)", .tags = kOfExamples | kResumable,
                       .alias = "num_train_epochs", .least = 0,
                       .heading = "Images, arrays and tables"),
            GYRE_FIELD(num_workers, "threads that prefetch batches",
                       .tags = kOfExamples | kResumable, .alias = "workers", .least = 0,
                       .most = 256, .heading = "Images, arrays and tables"));

/// How the validation part of a text is chosen: its end, or random records, which are lines of
/// plain files. `automatic`: records where the data have them (read_records), otherwise the end.
enum class SplitBy : uint8_t { automatic, end, records };
inline constexpr const char* kSplitByNames[] = {"auto", "end", "records"};
template <>
inline constexpr std::span<const char* const> kChoices<SplitBy> = kSplitByNames;

struct TextOptions {
  SplitBy split = SplitBy::automatic;
  std::string tokenizer = "bpe:2048";
  int64_t sequence_length = 0, eval_batches = 200;
};
GYRE_FIELDS(
    TextOptions,
    GYRE_FIELD(split,
               "validation part of a text: its end, or random records (glosses, JSONL "
               "documents, else lines); auto: records for glosses and JSONL, else end"),
    GYRE_FIELD(tokenizer,
               "char, bpe:N (byte-pair encoding, vocabulary size N), a tokenizer.json or a model",
               .metavar = "NAME"),
    GYRE_FIELD(sequence_length,
               "tokens of a training sequence; 0: the model's context, with --init at most 1024",
               .alias = "max_length,max_seq_length", .least = 0),
    GYRE_FIELD(eval_batches, "batches per evaluation", .tags = kResumable, .alias = "eval_iters",
               .least = 1));

/// The formats of packed weights, or none.
enum class TrainedFormat : uint8_t {
  none,
#define RING(name, ...) name,
#include "gyre/packed/codec/codecs.def"
};
inline constexpr const char* kTrainedFormatNames[] = {
    "none",
#define RING(name, ...) #name,
#include "gyre/packed/codec/codecs.def"
};
template <>
inline constexpr std::span<const char* const> kChoices<TrainedFormat> = kTrainedFormatNames;

struct StartOptions {
  std::string init{};
  TrainedFormat packed = TrainedFormat::none;
};
GYRE_FIELDS(StartOptions,
            GYRE_FIELD(init,
                       "language model to start from, a folder or a file: its weights, sizes and "
                       "tokenizer; evaluated before the first step",
                       .metavar = "MODEL"),
            GYRE_FIELD(packed,
                       "format of packed weights, which are trained from the first step on: D4 to "
                       "D1, T4, T2 with as many bits a weight (docs/packed_format.md); with "
                       "--init, its weights are packed first; none: "
                       "as they are"));

/// Options of `gyre train`. The defaults here apply to members that neither a preset nor the kind
/// of data sets.
struct TrainOptions {
  std::string preset{}, model{};
  TrainDataOptions data{};
  TextOptions text{};
  StartOptions start{};
  TableOptions table{};
  DecoderOptions decoder{.block_size = 64, .layers = 4, .heads = 4, .width = 128};
  TrainerOptions trainer{};
};
GYRE_RECORD(
    TrainOptions, GYRE_PART(data, .heading = "Data and model"),
    GYRE_FIELD(preset, "named set of options; options given explicitly override it",
               .tags = kOfText, .heading = "Data and model", .metavar = "NAME"),
    GYRE_FIELD(
        model,
        "gyre, gpt2 or llama for texts and tokens; mlp, cnn, linear or a JSON file of layers for "
        "other data; default: chosen from the data",
        .heading = "Data and model", .metavar = "NAME|FILE"),
    GYRE_PART(trainer), GYRE_PART(text, .heading = "Texts and tokens", .tags = kOfText),
    GYRE_PART(start, .heading = "Language model", .tags = kOfText),
    GYRE_PART(table, .except = "separator,held_back,seed", .heading = "Tables", .tags = kOfTables),
    GYRE_PART(decoder, .except = "vocab,eps", .heading = "Language model", .tags = kOfModel));

}  // namespace gyre
