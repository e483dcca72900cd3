#include "tests/conformance/definitions.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <map>

namespace gyre::conformance {
namespace {

// Elements in row-major order.
struct Dense {
  Shape shape;
  Values v;
  Dense() = default;
  explicit Dense(const Tensor& t) : shape(t.shape()), v(values_of(t)) {}
};

// The element of x that meets place `at` of a space that x broadcasts to.
double at_place(const Dense& x, const Shape& space, const int64_t* at) {
  int shift = space.rank - x.shape.rank;
  int64_t place = 0;
  for (int i = 0; i < x.shape.rank; ++i) {
    place = place * x.shape[i] + (x.shape[i] == 1 ? 0 : at[i + shift]);
  }
  return x.v[static_cast<size_t>(place)];
}

// f(place) for every place of a space in row-major order.
template <class F>
void each_place(const Shape& space, F f) {
  int64_t at[kMaxRank] = {}, n = numel(space);
  for (int64_t i = 0; i < n; ++i) {
    f(at);
    for (int k = space.rank; k-- > 0 && ++at[k] == space[k];) at[k] = 0;
  }
}

Shape broadcast_space(const std::vector<Dense>& in) {
  Shape space;
  for (const Dense& x : in) {
    while (space.rank < x.shape.rank) {
      Shape longer{1};
      for (int64_t d : space) longer.push_back(d);
      space = longer;
    }
    for (int i = 0; i < x.shape.rank; ++i) {
      int64_t& d = space[space.rank - x.shape.rank + i];
      if (d == 1) d = x.shape[i];
    }
  }
  return space;
}

// ---- elementwise: scalar functions of up to three numbers ----

using Scalar = double (*)(double, double, double);

double gelu_tanh(double x) {
  double u = std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x);
  return x / (1 + std::exp(-2 * u));
}
double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

const std::map<std::string, Scalar>& scalars() {
#define ONE(name, formula) {#name, [](double x, double, double) -> double { return formula; }},
#define TWO(name, formula) {#name, [](double x, double y, double) -> double { return formula; }},
  static const std::map<std::string, Scalar> all{
      // clang-format off
      TWO(add, x + y) TWO(sub, x - y) TWO(mul, x * y) TWO(div, x / y) TWO(pow, std::pow(x, y))
      TWO(maximum, std::fmax(x, y)) TWO(minimum, std::fmin(x, y))
      TWO(eq, x == y) TWO(ne, x != y) TWO(lt, x < y) TWO(le, x <= y) TWO(gt, x > y) TWO(ge, x >= y)
      ONE(neg, -x) ONE(abs, std::fabs(x)) ONE(sign, (x > 0) - (x < 0))
      ONE(exp, std::exp(x)) ONE(exp2, std::exp2(x)) ONE(expm1, std::expm1(x))
      ONE(log, std::log(x)) ONE(log1p, std::log1p(x))
      ONE(sqrt, std::sqrt(x)) ONE(rsqrt, 1 / std::sqrt(x))
      ONE(sin, std::sin(x)) ONE(cos, std::cos(x)) ONE(tanh, std::tanh(x))
      ONE(erf, std::erf(x)) ONE(erfc, std::erfc(x))
      ONE(sigmoid, sigmoid(x)) ONE(softplus, softplus(x)) ONE(relu, x > 0 ? x : 0)
      ONE(gelu, x * 0.5 * std::erfc(-x * M_SQRT1_2)) ONE(gelu_tanh, gelu_tanh(x))
      ONE(silu, x * sigmoid(x))
      {"where", [](double c, double x, double y) -> double { return c != 0 ? x : y; }},
      // clang-format on
  };
#undef ONE
#undef TWO
  return all;
}

Values elementwise(Scalar f, const std::vector<Dense>& in) {
  Values r;
  Shape space = broadcast_space(in);
  each_place(space, [&](const int64_t* at) {
    double x[3] = {};
    for (size_t k = 0; k < in.size(); ++k) x[k] = at_place(in[k], space, at);
    r.push_back(f(x[0], x[1], x[2]));
  });
  return r;
}

// ---- attributes by name ----

template <class T>
T attribute(const Call& call, const char* name, T otherwise) {
  const Field* field = call.attrs ? find_field(*call.attrs->type, name) : nullptr;
  if (!field) return otherwise;
  return *reinterpret_cast<const T*>(static_cast<const std::byte*>(call.attrs->value) +
                                     field->offset);
}

// ---- over axes: a function of the elements that are taken together ----

using Fold = double (*)(const Values&);

size_t best(const Values& x, double sign) {
  size_t b = 0;
  for (size_t i = 1; i < x.size(); ++i) {
    if (sign * x[i] > sign * x[b]) b = i;
  }
  return b;
}

double total(const Values& x) {
  long double s = 0;
  for (double v : x) s += static_cast<long double>(v);
  return static_cast<double>(s);
}

const std::map<std::string, Fold>& folds() {
  static const std::map<std::string, Fold> all{
      {"sum", total},
      {"mean", [](const Values& x) { return total(x) / static_cast<double>(x.size()); }},
      {"max", [](const Values& x) { return x[best(x, 1)]; }},
      {"min", [](const Values& x) { return x[best(x, -1)]; }},
      {"argmax", [](const Values& x) { return static_cast<double>(best(x, 1)); }},
      {"argmin", [](const Values& x) { return static_cast<double>(best(x, -1)); }}};
  return all;
}

Values folded(Fold f, const Dense& x, Shape axes) {
  bool gone[kMaxRank] = {};
  for (int64_t a : axes) gone[a < 0 ? a + x.shape.rank : a] = true;
  Shape kept, reduced;
  for (int i = 0; i < x.shape.rank; ++i) {
    bool go = gone[i] || axes.rank == 0;
    kept.push_back(go ? 1 : x.shape[i]);
    reduced.push_back(go ? x.shape[i] : 1);
  }
  Values r;
  each_place(kept, [&](const int64_t* outer) {
    Values together;
    each_place(reduced, [&](const int64_t* inner) {
      int64_t at[kMaxRank];
      for (int i = 0; i < x.shape.rank; ++i) at[i] = outer[i] + inner[i];
      together.push_back(at_place(x, x.shape, at));
    });
    r.push_back(f(together));
  });
  return r;
}

// ---- rows: row operands in, a row (or one number) out ----

using RowFunction = std::function<Values(const std::vector<Values>&)>;

Values softmax_of(const Values& x) {
  double m = x[best(x, 1)], s = 0;
  Values y;
  for (double v : x) y.push_back(std::exp(v - m));
  s = total(y);
  for (double& v : y) v /= s;
  return y;
}

double logsumexp_of(const Values& x) {
  double m = x[best(x, 1)];
  Values e;
  for (double v : x) e.push_back(std::exp(v - m));
  return m + std::log(total(e));
}

Values normalised(const Values& x, bool centred, double eps) {
  double mean = centred ? total(x) / static_cast<double>(x.size()) : 0;
  Values squares, y;
  for (double v : x) squares.push_back((v - mean) * (v - mean));
  double scale = 1 / std::sqrt(total(squares) / static_cast<double>(x.size()) + eps);
  for (double v : x) y.push_back((v - mean) * scale);
  return y;
}

RowFunction row_function(const std::string& name, const Call& call) {
  double eps = attribute(call, "eps", 0.0);
  if (name == "softmax") return [](const auto& in) { return softmax_of(in[0]); };
  if (name == "logsumexp") return [](const auto& in) { return Values{logsumexp_of(in[0])}; };
  if (name == "log_softmax") {
    return [](const auto& in) {
      Values y = in[0];
      double l = logsumexp_of(y);
      for (double& v : y) v -= l;
      return y;
    };
  }
  if (name == "softmax_backward") {
    return [](const auto& in) {
      Values r, products;
      for (size_t i = 0; i < in[0].size(); ++i) products.push_back(in[0][i] * in[1][i]);
      double s = total(products);
      for (size_t i = 0; i < in[0].size(); ++i) r.push_back(in[1][i] * (in[0][i] - s));
      return r;
    };
  }
  if (name == "log_softmax_backward") {
    return [](const auto& in) {
      Values r;
      double s = total(in[0]);
      for (size_t i = 0; i < in[0].size(); ++i) r.push_back(in[0][i] - std::exp(in[1][i]) * s);
      return r;
    };
  }
  if (name == "layer_norm" || name == "rms_norm") {
    bool centred = name == "layer_norm";
    return [=](const auto& in) {
      Values y = normalised(in[0], centred, eps);
      for (size_t i = 0; i < y.size(); ++i) y[i] = y[i] * in[1][i] + (centred ? in[2][i] : 0);
      return y;
    };
  }
  return {};
}

Values by_rows(const RowFunction& f, const std::vector<Dense>& in, int64_t axis) {
  Shape space = broadcast_space(in), outer = space;
  if (space.rank == 0) {
    std::vector<Values> row;
    for (const Dense& x : in) row.push_back(x.v);
    return f(row);
  }
  if (axis < 0) axis += space.rank;
  outer[static_cast<int>(axis)] = 1;
  Values r;
  size_t inside = 1, length = static_cast<size_t>(space[static_cast<int>(axis)]);
  for (int i = static_cast<int>(axis) + 1; i < space.rank; ++i) {
    inside *= static_cast<size_t>(space[i]);
  }
  size_t number = 0;
  each_place(outer, [&](const int64_t* place) {
    int64_t at[kMaxRank];
    std::copy(place, place + space.rank, at);
    std::vector<Values> row(in.size());
    for (size_t i = 0; i < length; ++i) {
      at[axis] = static_cast<int64_t>(i);
      for (size_t k = 0; k < in.size(); ++k) row[k].push_back(at_place(in[k], space, at));
    }
    Values y = f(row);
    // row `number` begins after all elements of the axes before it
    size_t begin = number / inside * inside * y.size() + number % inside;
    if (r.size() < (number / inside + 1) * inside * y.size()) {
      r.resize((number / inside + 1) * inside * y.size());
    }
    for (size_t i = 0; i < y.size(); ++i) r[begin + i * inside] = y[i];
    ++number;
  });
  return r;
}

Values cross_entropy(const Dense& logits, const Dense& target, int64_t axis) {
  Dense x = logits;
  size_t row = 0;
  Values losses;
  if (axis < 0) axis += x.shape.rank;
  Values all = by_rows([](const auto& in) { return Values{logsumexp_of(in[0])}; }, {x}, axis);
  Shape outer = x.shape;
  outer[static_cast<int>(axis)] = 1;
  each_place(outer, [&](const int64_t* place) {
    int64_t at[kMaxRank];
    std::copy(place, place + x.shape.rank, at);
    at[axis] = static_cast<int64_t>(target.v[row]);
    losses.push_back(all[row] - at_place(x, x.shape, at));
    ++row;
  });
  return losses;
}

// ---- products ----

// Matrices of a batch: x [.., m, k] times y [.., k, n]; vectors stand for one row or one column.
Values matrix_product(Dense x, Dense y) {
  if (x.shape.rank == 1) x.shape = Shape{1, x.shape[0]};
  if (y.shape.rank == 1) y.shape = Shape{y.shape[0], 1};
  int64_t m = x.shape.back(1), k = x.shape.back(), n = y.shape.back();
  auto batch_of = [](const Dense& t) {
    Dense b;
    b.shape = t.shape;
    b.shape.rank -= 2;
    for (int64_t i = 0; i < numel(b.shape); ++i) b.v.push_back(static_cast<double>(i));
    return b;
  };
  Dense bx = batch_of(x), by = batch_of(y);
  Shape batch = broadcast_space({bx, by});
  Values r;
  each_place(batch, [&](const int64_t* at) {
    const double* a = x.v.data() + static_cast<int64_t>(at_place(bx, batch, at)) * m * k;
    const double* b = y.v.data() + static_cast<int64_t>(at_place(by, batch, at)) * k * n;
    for (int64_t i = 0; i < m * n; ++i) {
      double s = 0;
      for (int64_t l = 0; l < k; ++l) s += a[i / n * k + l] * b[l * n + i % n];
      r.push_back(s);
    }
  });
  return r;
}

Values linear(const Dense& x, Dense weight, const Tensor& bias) {
  Dense turned;
  int64_t out = weight.shape[0], width = weight.shape[1];
  turned.shape = Shape{width, out};
  for (int64_t k = 0; k < width; ++k) {
    for (int64_t j = 0; j < out; ++j) {
      turned.v.push_back(weight.v[static_cast<size_t>(j * width + k)]);
    }
  }
  Values y = matrix_product(x, turned), b = bias.defined() ? values_of(bias) : Values();
  for (size_t i = 0; bias.defined() && i < y.size(); ++i) y[i] += b[i % b.size()];
  return y;
}

Values attention(const Dense& q, const Dense& k, const Dense& v, const Call& call) {
  int64_t queries = q.shape.back(1), keys = k.shape.back(1), width = q.shape.back(),
          out = v.shape.back(), batch = 1;
  for (int i = 0; i + 2 < q.shape.rank; ++i) batch *= q.shape[i];
  double scale = attribute(call, "scale", 0.0);
  if (scale == 0) scale = 1 / std::sqrt(static_cast<double>(width));
  bool causal = attribute(call, "causal", false);
  auto offset = attribute(call, "offset", int64_t{0});
  Values r;
  for (int64_t b = 0; b < batch; ++b) {
    for (int64_t i = 0; i < queries; ++i) {
      Values scores;
      for (int64_t j = 0; j < keys && (!causal || j <= i + offset); ++j) {
        double s = 0;
        for (int64_t w = 0; w < width; ++w) {
          s += q.v[static_cast<size_t>((b * queries + i) * width + w)] *
               k.v[static_cast<size_t>((b * keys + j) * width + w)];
        }
        scores.push_back(s * scale);
      }
      Values p = scores.empty() ? scores : softmax_of(scores);
      for (int64_t w = 0; w < out; ++w) {
        double s = 0;
        for (size_t j = 0; j < p.size(); ++j) {
          s += p[j] * v.v[static_cast<size_t>((b * keys + static_cast<int64_t>(j)) * out + w)];
        }
        r.push_back(s);
      }
    }
  }
  return r;
}

}  // namespace

std::vector<Values> by_definition(const OpDef& op, const Call& call) {
  std::string name = op.name;
  std::vector<Dense> in;
  for (const Tensor& t : call.in) in.push_back(t.defined() ? Dense(t) : Dense());
  auto axis = attribute(call, "axis", int64_t{-1});
  if (auto f = scalars().find(name); f != scalars().end()) return {elementwise(f->second, in)};
  if (auto f = folds().find(name); f != folds().end()) {
    return {folded(f->second, in[0], attribute(call, "axes", Shape()))};
  }
  if (RowFunction f = row_function(name, call)) return {by_rows(f, in, axis)};
  if (name == "cross_entropy_rows") return {cross_entropy(in[0], in[1], axis)};
  if (name == "cross_entropy") {
    Values l = cross_entropy(in[0], in[1], axis);
    return {{total(l) / static_cast<double>(l.size())}};
  }
  if (name == "mse") {
    Values s = elementwise([](double x, double y, double) { return (x - y) * (x - y); }, in);
    return {{total(s) / static_cast<double>(s.size())}};
  }
  if (name == "matmul") return {matrix_product(in[0], in[1])};
  if (name == "linear") return {linear(in[0], in[1], call.in.size() > 2 ? call.in[2] : Tensor())};
  if (name == "scaled_dot_product_attention") return {attention(in[0], in[1], in[2], call)};
  return {};
}

}  // namespace gyre::conformance
