#pragma once
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gyre/op/attrs.h"
#include "python/core/errors.h"

// Reflected structs as Python sees them: options of layers, optimisers, trainings.

namespace gyre::python {

/// A name that NumPy or PyTorch has for what is called otherwise here, and that name.
using Spelling = std::pair<std::string_view, const char*>;
/// Of attributes of ops.
inline constexpr Spelling kSpellings[] = {{"axis", "axes"},          {"dim", "axis"},
                                          {"dim", "axes"},           {"keepdims", "keepdim"},
                                          {"kernel_size", "kernel"}, {"num_groups", "groups"},
                                          {"ddof", "correction"}};
/// Of options of layers and loaders.
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
/// The field of that name, or of one that kSpellings has for it; nullptr: none.
const Field* field_called(const Record& record, std::string_view name);

/// What Python calls the type of a field: bool, int, float, str, dtype, shape or choice.
const char* type_name_of(const Field& field);
/// The fields, in their order: dicts of name, also (other spellings), type, default, doc, choices,
/// and listed, whether it is a text that lists things.
nb::list fields_of(const Record& record, std::span<const Spelling> spellings = kOptionSpellings);
/// The fields of an object by name.
nb::dict values_of(const Record& record, const void* object);
/// The names that options are given by.
std::vector<std::string> keys_of(const nb::dict& options);
/// An object whose fields have the values that the dict names, and else their defaults. TypeError
/// for a name that the record has not, telling one that is like it; TypeError or ValueError for a
/// value that does not fit.
Ref<OpenAttrs> options_from(const Record& record, const nb::dict& values);

/// The same for a struct that is known here.
template <class T>
T options_as(const nb::dict& values) {
  return *static_cast<const T*>(options_from(record_of<T>, values)->value);
}

}  // namespace gyre::python
