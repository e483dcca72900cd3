#include "gyre/models/files/file_tensor.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "gyre/base/error.h"

namespace gyre {
namespace {

constexpr const char* kStateOp = "load_language_model";

// "missing tensors A, B": names on disk, the first of them in full; joint ones once.
std::string listed(const char* what, const std::vector<FileTensor>& tensors) {
  constexpr size_t kShown = 5;
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (const FileTensor& t : tensors) {
    if (seen.insert(t.place.name).second) names.push_back(t.place.name);
  }
  if (names.empty()) return {};
  std::string text = std::string(what) + (names.size() > 1 ? " tensors " : " tensor ");
  for (size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i ? ", " : "") + names[i];
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

// The shape that a tensor of the module has on disk.
Shape shape_on_disk(Shape shape, const FileTensor& t) {
  if (shape.rank > 0) shape[0] *= t.parts;
  if (shape.rank == 2 && t.is_transposed != t.place.is_transposed) std::swap(shape[0], shape[1]);
  return shape;
}

}  // namespace

void refuse_missing(const TensorPlace& place) {
  throw Error(Code::value, kStateOp, {place.file, ": missing tensor ", place.name}, place.name);
}

void refuse_shape(const TensorPlace& place, const Message& wanted) {
  throw Error(
      Code::shape, kStateOp,
      {place.file, ": tensor ", place.name, " has shape ", place.shape, ", expected ", wanted.text},
      wanted, place.shape);
}

void check_file_state(std::span<const NamedTensor> module, std::span<const NamedTensor> state,
                      FunctionRef<FileTensor(std::string_view name)> file_tensor) {
  std::unordered_map<std::string_view, const Tensor*> given;
  for (const NamedTensor& t : state) given.emplace(t.name, &t.tensor);
  std::vector<FileTensor> missing, unknown;
  const NamedTensor* other = nullptr;  // of another shape
  for (const NamedTensor& t : module) {
    const auto found = given.find(t.name);
    if (found == given.end()) {
      missing.push_back(file_tensor(t.name));
      continue;
    }
    if (!other && !(found->second->shape() == t.tensor.shape())) other = &t;
    given.erase(found);
  }
  for (const NamedTensor& t : state) {
    if (given.contains(t.name)) unknown.push_back(file_tensor(t.name));
  }
  const std::string lacks = listed("missing", missing), has = listed("unknown", unknown);
  if (!missing.empty() || !unknown.empty()) {
    const std::string& file = (missing.empty() ? unknown : missing)[0].place.file;
    throw Error(Code::value, kStateOp,
                {file, ": ", lacks, lacks.empty() || has.empty() ? "" : "; ", has}, lacks, has);
  }
  if (!other) return;
  const FileTensor t = file_tensor(other->name);
  refuse_shape(t.place, to_string(shape_on_disk(other->tensor.shape(), t)));
}

}  // namespace gyre
