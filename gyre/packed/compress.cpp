#include "gyre/packed/compress.h"

#include <algorithm>
#include <cmath>

#include "gyre/base/error.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/packed/packed.h"
#include "gyre/tensor/points.h"

namespace gyre {
namespace {

bool is_wanted(const Tensor& t, const CompressPolicy& policy) {
  return t.rank() >= 2 && is_floating(t.dtype()) && t.numel() >= policy.least_weights &&
         !space_of(t);
}

void measure(const Tensor& wanted, const Tensor& found, CompressedTensor& entry) {
  const std::vector<float> a = to_vector<float>(wanted), b = to_vector<float>(found);
  double error = 0, size = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double off = static_cast<double>(a[i]) - b[i];
    error += off * off;
    size += static_cast<double>(a[i]) * a[i];
  }
  entry.packed = true;
  entry.error = size > 0 ? std::sqrt(error / size) : 0;
  entry.size = std::sqrt(size);
}

Tensor packed_of(const NamedTensor& t, const RingFormat& format) try {
  return packed_encode(t.tensor, format);
} catch (const Error& error) {
  throw Error(error.code, "compress", {t.name, ": ", error.what()}, error.expected, error.actual);
}

}  // namespace

std::vector<CompressedTensor> compress(nn::Module& module, const CompressPolicy& policy,
                                       FunctionRef<void(int64_t, int64_t)> done) {
  NoGrad off;
  std::vector<NamedTensor> state = module.state_dict();
  std::vector<std::string> learned;
  for (const NamedTensor& t : module.named_parameters()) learned.push_back(t.name);
  const auto wanted = [&](const NamedTensor& t) {
    return std::ranges::find(learned, t.name) != learned.end() && is_wanted(t.tensor, policy);
  };
  int64_t all = 0, packed = 0;
  for (const NamedTensor& t : state) {
    if (is_packed(t.tensor)) {
      throw Error(Code::unsupported, "compress",
                  t.name +
                      " is packed already; compress the model "
                      "that it was made from");
    }
    if (!wanted(t)) continue;
    if (t.tensor.dtype() != DType::f32) {
      throw mismatch(Code::dtype, "compress", t.name + ": cast the module to f32 first", "f32",
                     t.tensor.dtype());
    }
    all += t.tensor.numel();
  }
  std::vector<CompressedTensor> report;
  for (NamedTensor& t : state) {
    CompressedTensor entry{t.name, name_of(t.tensor.dtype()), t.tensor.numel(),
                           t.tensor.numel() * static_cast<int64_t>(size_of(t.tensor.dtype()))};
    if (wanted(t)) {
      const Tensor made = packed_of(t, *policy.format);
      entry.format = policy.format->name;
      entry.bytes = static_cast<int64_t>(packed_storage(made).bytes);
      measure(t.tensor, packed_decode(made), entry);
      t.tensor = made;
      done(packed += entry.weights, all);
    } else {
      t.tensor = t.tensor.detach();
    }
    report.push_back(std::move(entry));
  }
  module.lend_state(state);
  return report;
}

}  // namespace gyre
