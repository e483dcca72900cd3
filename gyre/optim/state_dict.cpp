#include "gyre/optim/state_dict.h"

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/tensor/kind.h"

namespace gyre {
namespace {

void check_like(const char* op, const NamedTensor& own, const Tensor& given) {
  require_plain(given, op);
  if (!(given.shape() == own.tensor.shape())) {
    throw Error(
        Code::shape, op,
        {"state ", own.name, " has shape ", given.shape(), ", expected ", own.tensor.shape()},
        own.tensor.shape(), given.shape());
  }
  if (given.dtype() != own.tensor.dtype()) {
    throw Error(
        Code::dtype, op,
        {"state ", own.name, " has dtype ", given.dtype(), ", expected ", own.tensor.dtype()},
        own.tensor.dtype(), given.dtype());
  }
}

}  // namespace

std::vector<Tensor> matching_state(const char* op, std::span<const NamedTensor> own,
                                   std::span<const NamedTensor> given) {
  std::vector<const NamedTensor*> sorted;
  for (const NamedTensor& t : given) sorted.push_back(&t);
  std::sort(sorted.begin(), sorted.end(),
            [](const NamedTensor* a, const NamedTensor* b) { return a->name < b->name; });
  std::vector<Tensor> found;
  for (const NamedTensor& t : own) {
    auto at = std::lower_bound(
        sorted.begin(), sorted.end(), t.name,
        [](const NamedTensor* a, const std::string& name) { return a->name < name; });
    if (at == sorted.end() || (*at)->name != t.name) {
      throw Error(Code::value, op, "missing from the state: " + t.name, t.name);
    }
    check_like(op, t, (*at)->tensor);
    found.push_back((*at)->tensor);
  }
  if (given.size() != own.size()) {
    throw Error(Code::value, op,
                {"the state has ", given.size(), " tensors, expected ", own.size()}, own.size(),
                given.size());
  }
  return found;
}

}  // namespace gyre
