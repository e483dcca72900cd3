#include "tests/conformance/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "gyre/ops/elements.h"
#include "gyre/packed/packed.h"

namespace gyre::conformance {
namespace {

int fraction_bits(DType d) {
  return d == DType::f16 ? 10 : d == DType::bf16 ? 7 : d == DType::f32 ? 23 : 52;
}
int least_exponent(DType d) { return d == DType::f16 ? -14 : d == DType::f64 ? -1022 : -126; }

// A number converted to an integer dtype.
double wrapped(double x, DType dtype) {
  if (dtype == DType::boolean) return x != 0;
  bool is_signed = kDTypeInfo[static_cast<int>(dtype)].kind == DTypeClass::signed_integer;
  double range = std::ldexp(1.0, static_cast<int>(8 * size_of(dtype)));
  double r = std::trunc(x);
  if (r >= (is_signed ? -range / 2 : 0) && r < (is_signed ? range / 2 : range)) return r;
  r = std::fmod(r, range);
  if (r < 0) r += range;
  return is_signed && r >= range / 2 ? r - range : r;
}

// Equal, both NaN, or both beyond the largest number of the dtype.
bool same_number(double a, double b, DType dtype) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || (std::isinf(a) && rounded(b, dtype) == a);
}

struct Worst {
  size_t element = 0;
  double error = -1;
  bool hopeless = false;  ///< NaN or infinity on one side only
};

std::string report(const Values& got, const Values& want, const Worst& w, const char* unit,
                   double ulp, double allowed) {
  if (got.empty()) return "";
  return fmt::format(
      "element {} of {}: is {:.17g}, should be {:.17g}; {} off by {:.3g} ulp, "
      "allowed {:.3g}",
      w.element, got.size(), got[w.element], want[w.element], unit, ulp, allowed);
}

}  // namespace

Values values_of(const Tensor& t) {
  if (t.kind() == TensorKind::packed) return values_of(packed_decode(t.detach()));
  Values v(static_cast<size_t>(t.numel()));
  double* to = v.data();
  visit_dtype(t.dtype(), [&]<class T>(T) {
    const std::byte* from = t.bytes();
    each_offset(t.shape(), t.strides(), [&](int64_t offset) {
      T x;
      std::memcpy(&x, from + offset * static_cast<int64_t>(sizeof x), sizeof x);
      *to++ = static_cast<double>(value_of(x));
    });
  });
  return v;
}

double rounded(double x, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return x;
    case DType::f32:
      return static_cast<double>(static_cast<float>(x));
    case DType::f16:
      return static_cast<double>(to_float(to_f16(static_cast<float>(x))));
    case DType::bf16:
      return static_cast<double>(to_float(to_bf16(static_cast<float>(x))));
    default:
      return wrapped(x, dtype);
  }
}

bool same_bits(const Tensor& a, const Tensor& b) {
  if (!a.defined() || !b.defined()) return !a.defined() && !b.defined();
  if (!(a.shape() == b.shape()) || a.dtype() != b.dtype() || a.kind() != b.kind()) return false;
  if (a.kind() == TensorKind::packed)
    return packed_storage(a).stored() == packed_storage(b).stored();
  auto bytes = [](const Tensor& t) {
    const size_t size = size_of(t.dtype());
    std::vector<std::byte> s(static_cast<size_t>(t.numel()) * size);
    const std::byte* from = t.bytes();
    std::byte* to = s.data();
    each_offset(t.shape(), t.strides(), [&](int64_t offset) {
      std::memcpy(to, from + offset * static_cast<int64_t>(size), size);
      to += size;
    });
    return s;
  };
  return bytes(a) == bytes(b);
}

double spacing(DType dtype, double x) {
  int e = x == 0 ? least_exponent(dtype) : std::ilogb(x);
  if (e < least_exponent(dtype)) e = least_exponent(dtype);
  return std::ldexp(1.0, e - fraction_bits(dtype));
}

double norm_of(const Values& v) {
  double largest = 0, sum = 0;
  for (double x : v) {
    if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
  }
  if (largest == 0) return 0;
  for (double x : v) {
    if (std::isfinite(x)) sum += (x / largest) * (x / largest);
  }
  return largest * std::sqrt(sum);
}

Distance compare(const Tensor& result, const Values& want, double ulp, bool by_element,
                 double floor) {
  Values got = values_of(result);
  DType dtype = result.dtype();
  if (got.size() != want.size()) {
    return {false, fmt::format("{} elements, should be {}", got.size(), want.size())};
  }
  double norm_spacing = 0, squares = 0;
  if (is_floating(dtype)) norm_spacing = spacing(dtype, std::max(norm_of(want), floor));
  Worst worst;
  for (size_t i = 0; i < got.size(); ++i) {
    double error = 0;
    if (!is_floating(dtype)) {
      error = got[i] == wrapped(want[i], dtype) ? 0 : INFINITY;
    } else if (!same_number(got[i], want[i], dtype)) {
      bool finite = std::isfinite(got[i]) && std::isfinite(want[i]);
      double unit = by_element ? spacing(dtype, std::max(std::fabs(want[i]), floor)) : norm_spacing;
      error = finite ? std::fabs(got[i] - want[i]) / unit : INFINITY;
    }
    squares += error * error;
    if (error > worst.error) worst = {i, error, std::isinf(error)};
  }
  double error = by_element || worst.hopeless ? worst.error : std::sqrt(squares);
  bool within = got.empty() || error <= ulp;
  return {within, report(got, want, worst, by_element ? "it is" : "the norm is", error, ulp)};
}

Tensor weights_for(const Tensor& t) {
  Tensor w = empty(t.shape(), DType::f64);
  double* to = w.data<double>();
  for (int64_t i = 0, n = w.numel(); i < n; ++i) to[i] = 0.5 + static_cast<double>(i % 7) / 4;
  return w;
}

}  // namespace gyre::conformance
