#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyre/base/function_ref.h"
#include "gyre/nn/module.h"
#include "gyre/packed/ring.h"

namespace gyre {

/// The format of the tensors whose names match a pattern, in which `*` stands for any characters
/// and `?` for one; null: they stay as they are.
struct FormatRule {
  std::string pattern;
  const Codec* format = nullptr;
};
/// The rule PATTERN=FORMAT; format `f32` stands for null. Error{value} of `compress` for a text
/// without a pattern and for an unknown format.
FormatRule format_rule(std::string_view text);

/// Which tensors of a module are packed, and how.
struct CompressPolicy {
  const Codec* format = &codec(PackedFormat::D4);
  /// Smaller tensors stay as they are.
  int64_t least_weights = 4096;
  /// The first that matches a name counts instead of `format`.
  std::vector<FormatRule> rules{};
};

/// A tensor of a module's state and the format that it will have.
struct PlannedTensor {
  std::string name;
  Tensor tensor;
  const Codec* format = nullptr;  ///< null: it stays as it is
  bool free = false;              ///< `format` is the policy's, not that of a rule
  double sensitivity = 1;         ///< how much a squared error counts (choose_formats.h)
};

/// What a policy makes of the state of a module, in its order: packed are the learned, floating
/// tensors of two or more axes with `least_weights` elements; one under several names is there
/// once. Error{unsupported} naming a tensor that is packed already, Error{dtype} naming one of
/// another floating dtype than f32; Error{value} naming a rule that matches no tensor, or packs
/// what it matches but only matches tensors that stay as they are.
std::vector<PlannedTensor> plan_formats(nn::Module& module, const CompressPolicy& policy);

/// The state as planned; words are uninitialised, and take no memory until they are written.
std::vector<NamedTensor> planned_state(std::span<const PlannedTensor> plan);

/// A tensor of a module before and after compression.
struct CompressedTensor {
  std::string name, format;  ///< "D4"; the dtype of a tensor that stays as it is
  int64_t weights = 0, bytes = 0;
  bool packed = false;
  double error = 0;  ///< size of the differences over that of the weights
  double size = 0;   ///< root of the sum of squares of packed weights
};

/// Packs a tensor that has a format; calls `done(weights so far)` as packed_encode() does and has
/// its errors.
using PackTensor = FunctionRef<Tensor(const PlannedTensor& t, FunctionRef<void(int64_t)> done)>;
/// packed_encode() with the usual seed.
Tensor pack_tensor(const PlannedTensor& t, FunctionRef<void(int64_t)> done);

/// The tensors of a plan, packed or as they are, and what became of them.
struct PackedState {
  std::vector<NamedTensor> tensors;
  std::vector<CompressedTensor> report;
};
/// Calls `done(packed weights, all of them)` on the calling thread, first with 0; what it throws
/// ends the call. Error{numeric} naming a tensor with values that are not finite or too large.
PackedState packed_state(
    std::span<const PlannedTensor> plan,
    FunctionRef<void(int64_t weights, int64_t all)> done = [](int64_t, int64_t) {},
    PackTensor pack = [](const PlannedTensor& t,
                         FunctionRef<void(int64_t)> done) { return pack_tensor(t, done); });

/// Packs the weights of a module in place, as planned for it. Layers whose ops do not take packed
/// weights (packed_handler.h) are Error{unsupported} when called. Calls
/// `done(packed weights, all of them)` on the calling thread, first with 0. Nothing has changed on
/// an error, nor when `done` throws: Error{numeric} naming a tensor with values that are not finite
/// or too large.
std::vector<CompressedTensor> compress_planned(
    nn::Module& module, std::span<const PlannedTensor> plan,
    FunctionRef<void(int64_t weights, int64_t all)> done = [](int64_t, int64_t) {},
    PackTensor pack = [](const PlannedTensor& t,
                         FunctionRef<void(int64_t)> done) { return pack_tensor(t, done); });
/// Measures the errors in a report of compress_planned() anew, after the words have changed.
void measure_errors(nn::Module& module, std::span<const PlannedTensor> plan,
                    std::vector<CompressedTensor>& report);
/// The same by a policy. Errors of plan_formats(), too.
std::vector<CompressedTensor> compress(
    nn::Module& module, const CompressPolicy& policy,
    FunctionRef<void(int64_t weights, int64_t all)> done = [](int64_t, int64_t) {});

}  // namespace gyre
