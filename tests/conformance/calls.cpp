#include "tests/conformance/calls.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

#include "gyre/base/philox.h"
#include "gyre/op/apply.h"
#include "gyre/op/node.h"

namespace gyre::conformance {

const Samples& samples_of(const OpDef& op) {
  static std::map<const OpDef*, Samples> made;
  return made.try_emplace(&op, op).first->second;
}

std::string place(const OpDef& op, size_t sample, const std::string& how) {
  const Samples& s = samples_of(op);
  std::string shapes;
  if (sample < s.calls.size()) {
    for (const Tensor& t : s.calls[sample].in) shapes += t.defined() ? to_string(t.shape()) : "-";
  }
  return fmt::format("{} #{} {} {}", op.name, sample, shapes, how);
}

const Arg& argument(const OpDef& op, size_t i) { return op.args.of(i); }

Attrs with_integer(const Attrs& attrs, const Field& field, int64_t value) {
  Ref<OpenAttrs> copy = copy_of(*attrs);
  field_value<int64_t>(copy->memory, field) = value;
  return copy;
}

Attrs with_shape(const Attrs& attrs, const Field& field, const Shape& value) {
  Ref<OpenAttrs> copy = copy_of(*attrs);
  field_value<Shape>(copy->memory, field) = value;
  return copy;
}

bool gives_packed(const OpDef& op) {
  static std::map<const OpDef*, bool> known;
  const auto [entry, is_new] = known.try_emplace(&op, false);
  if (!is_new) return entry->second;
  NoGrad off;
  const Call& call = samples_of(op).calls.at(0);
  for (const Tensor& t : apply(op, call.in, call.attrs)) entry->second |= !t.plain();
  return entry->second;
}

bool is_plain(const Tensor& t) { return t.defined() && t.plain(); }

bool is_varied(const Tensor& t) { return is_plain(t) && is_floating(t.dtype()); }

bool is_smooth(const OpDef& op, const Tensors& in, size_t i) {
  return is_varied(in[i]) && argument(op, i).differentiable && !gives_packed(op);
}

Tensors operands(const Call& call, DType dtype, Order order) {
  Tensors r;
  for (const Tensor& t : call.in) {
    r.push_back(lay_out(t, is_varied(t) ? dtype : t.defined() ? t.dtype() : dtype, order));
  }
  return r;
}

Tensors widened(const Tensors& in) {
  Tensors r;
  for (const Tensor& t : in) {
    r.push_back(lay_out(t,
                        is_varied(t)  ? DType::f64
                        : t.defined() ? t.dtype()
                                      : DType::f64,
                        Order::plain));
  }
  return r;
}

Tensors whole_numbers(const Call& call, DType dtype) {
  bool is_signed = kDTypeInfo[static_cast<int>(dtype)].kind == DTypeClass::signed_integer;
  Tensors r;
  for (const Tensor& t : call.in) {
    if (!is_varied(t)) {
      r.push_back(t);
      continue;
    }
    Values v = values_of(t);
    for (double& x : v) x = is_signed ? std::round(2 * x) : std::fabs(std::round(2 * x));
    r.push_back(lay_out(v, t.shape(), dtype));
  }
  return r;
}

namespace {

// t with axes of size `from` enlarged to `to`.
Tensor grown(const Tensor& t, int64_t from, int64_t to, uint64_t stream) {
  if (!is_plain(t)) return t;
  Shape shape = t.shape();
  for (int64_t& d : shape) d = d == from ? to : d;
  if (shape == t.shape()) return t;
  Values old = values_of(t), v(static_cast<size_t>(numel(shape)));
  Shape strides = contiguous_strides(t.shape());
  const bool varied = is_varied(t);
  int64_t at[kMaxRank] = {};
  for (size_t i = 0; i < v.size(); ++i) {
    int64_t place = 0;
    for (int k = 0; k < shape.rank; ++k) place += at[k] % t.shape()[k] * strides[k];
    double change = varied ? philox(stream, i)[0] * 0x1p-32 * 0.02 - 0.01 : 0;
    v[i] = old[static_cast<size_t>(place)] * (1 + change);
    for (int k = shape.rank; k-- > 0 && ++at[k] == shape[k];) at[k] = 0;
  }
  return lay_out(v, shape, t.dtype());
}

bool is_accepted(const OpDef& op, const Call& call, int64_t most_results) {
  const void* attrs = call.attrs ? call.attrs->value : nullptr;
  try {
    SmallVector<Meta, 4> results(op.outputs.size());
    if (op.infer) op.infer(op, attrs, call.in, results);
    for (const Meta& m : results) {
      if (numel(m.shape) > most_results) return false;
    }
    apply(op, call.in, call.attrs);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

std::vector<Call> enlarged(const OpDef& op, const Call& call, int64_t elements) {
  std::set<int64_t> sizes;
  for (const Tensor& t : call.in) {
    if (is_plain(t) && t.numel()) sizes.insert(t.shape().begin(), t.shape().end());
  }
  sizes.erase(1);
  std::vector<Call> result;
  for (int64_t size : sizes) {
    double factor = 1e9;
    for (const Tensor& t : call.in) {
      int times = 0;
      for (int i = 0; is_plain(t) && i < t.rank(); ++i) times += t.shape()[i] == size;
      if (!times) continue;
      double wanted = static_cast<double>(elements) / static_cast<double>(t.numel());
      factor = std::min(factor, std::pow(wanted, 1.0 / times));
    }
    if (factor < 2) continue;
    auto to = static_cast<int64_t>(std::ceil(static_cast<double>(size) * factor)) | 1;
    Call big{{}, call.attrs};
    for (size_t i = 0; i < call.in.size(); ++i) {
      big.in.push_back(grown(call.in[i], size, to, i + 1));
    }
    if (is_accepted(op, big, 2 * elements)) result.push_back(std::move(big));
  }
  return result;
}

Expanded expanded(const OpDef& op, const Tensors& in, const Attrs& attrs, bool last) {
  Expanded r{in, in};
  for (size_t i = 0; i < in.size(); ++i) {
    Repeated repeated;
    if (!repeat_along(in[i], last, repeated)) continue;
    Call tried{r.dense, attrs};
    tried.in[i] = repeated.dense;
    if (!is_varied(in[i]) && !is_accepted(op, tried, INT64_MAX)) continue;
    r.any = true;
    r.dense[i] = repeated.dense;
    r.strided[i] = repeated.strided;
  }
  return r;
}

int64_t elements_of(const Tensors& in) {
  int64_t n = 0;
  for (const Tensor& t : in) n += t.defined() ? t.numel() : 0;
  return n;
}

bool find_alias(const Call& call, size_t& first, size_t& second) {
  for (first = 0; first < call.in.size(); ++first) {
    for (second = first + 1; second < call.in.size(); ++second) {
      const Tensor &a = call.in[first], &b = call.in[second];
      if (is_varied(a) && is_varied(b) && a.shape() == b.shape() && a.numel()) return true;
    }
  }
  return false;
}

}  // namespace gyre::conformance
