#pragma once
#include <string>
#include <vector>

#include "gyre/packed/compress.h"
#include "gyre/packed/packed_ops.h"

namespace gyre {

/// Options of `gyre compress`.
struct CompressOptions {
  PackedFormat format = PackedFormat::D4;
  std::string out{};
  int64_t least_weights = 4096;
};
GYRE_FIELDS(
    CompressOptions,
    GYRE_FIELD(format,
               "format of the packed weights; the digit is bits a weight, D has one layer, T two "
               "(docs/packed_format.md)"),
    GYRE_FIELD(out, "folder to write (required), new or empty", .metavar = "DIR"),
    GYRE_FIELD(least_weights, "pack only matrices with at least this many weights", .least = 1));

/// What became of a model's file.
struct CompressReport {
  std::vector<CompressedTensor> tensors;
  int64_t bytes_before = 0, bytes = 0;  ///< of model.safetensors with f32 weights, and written
  double seconds = 0;
};

/// Writes the language model of a folder with packed weights; the tokenizer is copied. Calls
/// `done(packed weights, all of them)`. `out` appears when it is complete; on an error it is
/// unchanged. Errors: those of load_language_model and compress; value for a missing `out`, one
/// that exists and is not an empty folder, and a model without a tensor to pack; io.
CompressReport compress_folder(
    const std::string& folder, const CompressOptions& options,
    FunctionRef<void(int64_t weights, int64_t all)> done = [](int64_t, int64_t) {});

}  // namespace gyre
