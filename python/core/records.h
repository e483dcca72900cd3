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
/// For attributes of ops, whose axes have the same names everywhere; other fields have aliases.
inline constexpr Spelling kSpellings[] = {{"axis", "axes"},
                                          {"dim", "axis"},
                                          {"dim", "axes"},
                                          {"dims", "axes"},
                                          {"keepdims", "keepdim"},
                                          {"kernel_size", "kernel"},
                                          {"ddof", "correction"},
                                          {"num_groups", "groups"},
                                          {"negative_slope", "slope"},
                                          {"size", "shape"},
                                          {"dim0", "axis0"},
                                          {"dim1", "axis1"},
                                          {"repeats", "count"},
                                          {"rcond", "rtol"},
                                          {"input", "x"},
                                          {"other", "y"},
                                          {"mat1", "a"},
                                          {"mat2", "b"},
                                          {"batch1", "a"},
                                          {"batch2", "b"},
                                          {"mat", "a"},
                                          {"vec", "b"},
                                          {"source", "src"},
                                          {"tensors", "xs"},
                                          {"sorted_sequence", "sorted"},
                                          {"end", "stop"},
                                          {"stride", "strides"},
                                          {"storage_offset", "offset"},
                                          {"dimension", "axis"}};
/// Whether `name` is an alternative name of the argument or attribute `ours`.
bool is_spelling(std::string_view name, std::string_view ours);
/// The field of that name or alternative name (kSpellings); nullptr if there is none.
const Field* field_called(const Record& record, std::string_view name);

/// The type of a field in Python: bool, int, float, str, list (of str), dtype, shape or choice.
const char* type_name_of(const Field& field);
/// The fields in order: dicts of name, also (alternative names), type, default, doc, choices and
/// positional (whether it is given by position).
nb::list fields_of(const Record& record, std::span<const Spelling> spellings = {});
/// The field values of an object by name.
nb::dict values_of(const Record& record, const void* object);
/// The keyword names of options.
std::vector<std::string> keys_of(const nb::dict& options);
/// An object with the given field values, and those of the object `rest` or the defaults for the
/// rest. TypeError for an unknown name, with the nearest known name, and for a field named twice;
/// TypeError or ValueError for an invalid value.
Ref<OpenAttrs> options_from(const Record& record, const nb::dict& values,
                            const void* rest = nullptr);

/// The same for a struct type known at compile time.
template <class T>
T options_as(const nb::dict& values, const T& rest = {}) {
  return *static_cast<const T*>(options_from(record_of<T>, values, &rest)->value);
}

}  // namespace gyre::python
