#pragma once
#include <optional>
#include <string>
#include <vector>

#include "gyre/models/measure/weight_costs.h"
#include "gyre/packed/compress/compress.h"
#include "gyre/packed/packed_ops.h"

namespace gyre {

/// Options of `gyre compress`.
struct CompressOptions {
  PackedFormat format = PackedFormat::D4;
  std::string target{};
  std::vector<std::string> policy{};
  std::string calibrate{}, tokenizer{};
  CalibrationMode calibration = CalibrationMode::two_sided;
  int64_t windows = 64;
  int64_t polish = -1;
  std::string out{};
  int64_t least_weights = 4096;
};
GYRE_FIELDS(
    CompressOptions,
    GYRE_FIELD(format,
               "format of the packed weights: D4, D3, D2, D1, T4 and T2 have 4 to 1 bits a weight, "
               "as their digit says (trellis-coded quantisation, T in two layers), and can be "
               "trained and calibrated; q8_0 and q4_0 as in GGUF, int8 with a scale a row, nf4 as "
               "in QLoRA, vq: vector quantisation, low_rank: two factors, F: smooth tables "
               "(docs/packed_format.md)"),
    GYRE_FIELD(target,
               "instead of a format, how small model.safetensors shall be: 10x is a tenth of its "
               "size with f32 weights, 3.2 is bits a weight; each tensor gets the one of q8_0, "
               "D4, D3, D2 and D1 with which the error of all is least",
               .metavar = "10x|BITS"),
    GYRE_FIELD(
        policy,
        "formats of single tensors by the names that gyre compress prints, in which * stands "
        "for any characters: wte.weight=D4 for the token embeddings, h.0.*=f32 to pack "
        "nothing of the first layer, lm_head.weight=q8_0 for the output layer; the first "
        "that matches a name counts",
        .tags = kCommas, .metavar = "PATTERN=FORMAT"),
    GYRE_FIELD(calibrate,
               "text by which errors of weights are weighed and made up for: a file, JSONL or "
               "wordnet:glosses; its last tenth measures the KL divergence from the dense model",
               .metavar = "FILE"),
    GYRE_FIELD(tokenizer,
               "tokenizer of the text, for a model that has none: a tokenizer.json or another file "
               "of one, or a model",
               .metavar = "PATH"),
    GYRE_FIELD(calibration,
               "what the text is used for: one-sided takes the inputs of layers, two-sided also "
               "gradients of the model's predictions, none only measures"),
    GYRE_FIELD(windows,
               "windows of the context length to calibrate with, at most; more take more time",
               .least = 1),
    GYRE_FIELD(polish,
               "training steps on the text in which the packed weights learn to predict what the "
               "dense model predicts (distillation); -1: 32 for two-sided calibration, else 0",
               .least = -1),
    GYRE_FIELD(out, "folder to write (required), new or empty", .metavar = "DIR"),
    GYRE_FIELD(least_weights, "pack only matrices with at least this many weights", .least = 1));

/// What became of a model's file.
struct CompressReport {
  std::vector<CompressedTensor> tensors;
  int64_t bytes_before = 0, bytes = 0;  ///< of model.safetensors with f32 weights, and written
  int64_t most_bytes = 0;               ///< what the target allows; 0 without one
  double seconds = 0;
  std::optional<double> kl{};      ///< with a text: see kl_divergence()
  double calibration_seconds = 0;  ///< before weights are packed, reading the text included
  double polish_seconds = 0;
  std::string unread_tokenizer{};      ///< why the tokenizer cannot be read; empty if it can
  std::vector<std::string> removed{};  ///< folders of killed calls that were to write the same
};

/// What compress_folder() is at.
struct CompressProgress {
  enum Stage : uint8_t { calibrating, packing, polishing, measuring };
  Stage stage = packing;
  int64_t done = 0, all = 0;  ///< windows, packed weights, steps, windows
};

/// Writes the language model or text encoder of a folder with packed weights; the files of the
/// tokenizer are copied, also of one that gyre cannot read. With a `target`, `format` does not
/// count. Calls `done` on the calling thread, first before anything is written and last before
/// `out` appears. `out` appears when it is complete; on an error, and when `done` throws, it is
/// unchanged. Until then there is a folder OUT.partial; those that killed calls left are removed.
/// Errors: those of load_language_model, load_text_encoder, format_rule, compress and
/// calibration_text; value for a missing `out`, one that exists and is not an empty folder, a model
/// without a tensor to pack, a `target` that is no such number or too small for all formats;
/// unsupported for `calibrate` of a text encoder; io.
CompressReport compress_folder(
    const std::string& folder, const CompressOptions& options,
    FunctionRef<void(const CompressProgress&)> done = [](const CompressProgress&) {});

}  // namespace gyre
