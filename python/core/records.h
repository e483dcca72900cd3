#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gyre/op/attrs.h"
#include "python/core/errors.h"

// Reflected structs in Python: options of layers, optimisers and training runs.

namespace gyre::python {

/// An alternative name, as in NumPy or PyTorch, and gyre's name.
using Spelling = std::pair<std::string_view, const char*>;
/// For attributes of ops.
inline constexpr Spelling kSpellings[] = {{"axis", "axes"},          {"dim", "axis"},
                                          {"dim", "axes"},           {"keepdims", "keepdim"},
                                          {"kernel_size", "kernel"}, {"num_groups", "groups"},
                                          {"ddof", "correction"}};
/// For options of layers and loaders.
inline constexpr Spelling kOptionSpellings[] = {{"in_features", "in"},
                                                {"in_channels", "in"},
                                                {"input_size", "in"},
                                                {"out_features", "out"},
                                                {"out_channels", "out"},
                                                {"kernel_size", "kernel"},
                                                {"hidden_size", "hidden"},
                                                {"num_layers", "layers"},
                                                {"num_heads", "heads"},
                                                {"nhead", "heads"},
                                                {"num_groups", "groups"},
                                                {"num_features", "channels"},
                                                {"num_channels", "channels"},
                                                {"num_embeddings", "count"},
                                                {"embedding_dim", "width"},
                                                {"embed_dim", "width"},
                                                {"d_model", "width"},
                                                {"normalized_shape", "width"},
                                                {"dim_feedforward", "inner"},
                                                {"negative_slope", "slope"},
                                                {"start_dim", "start"},
                                                {"end_dim", "end"},
                                                {"p", "share"},
                                                {"track_running_stats", "running"},
                                                {"batch_size", "batch"},
                                                {"num_workers", "workers"}};
/// The field of that name or alternative name (kSpellings); nullptr if there is none.
const Field* field_called(const Record& record, std::string_view name);

/// The type of a field in Python: bool, int, float, str, dtype, shape or choice.
const char* type_name_of(const Field& field);
/// The fields in order: dicts of name, also (alternative names), type, default, doc, choices, and
/// listed (whether it is a string with a comma-separated list).
nb::list fields_of(const Record& record, std::span<const Spelling> spellings = kOptionSpellings);
/// The field values of an object by name.
nb::dict values_of(const Record& record, const void* object);
/// The keyword names of options.
std::vector<std::string> keys_of(const nb::dict& options);
/// An object with the given field values and defaults for the rest. TypeError for an unknown name,
/// with the nearest known name; TypeError or ValueError for an invalid value.
Ref<OpenAttrs> options_from(const Record& record, const nb::dict& values);

/// The same for a struct type known at compile time.
template <class T>
T options_as(const nb::dict& values) {
  return *static_cast<const T*>(options_from(record_of<T>, values)->value);
}

}  // namespace gyre::python
