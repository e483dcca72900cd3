#pragma once
#include <string>
#include <vector>

#include "gyre/op/op_def.h"

namespace gyre {

/// Valid and invalid calls of an op, made by OpDef::samples and walked by tests, docs and Python.
/// Floating inputs are made in f64; who runs them casts them to the dtype under test.
class Samples {
 public:
  struct Call {
    Tensors in;
    Attrs attrs;
  };
  struct Refusal {
    Tensors in;
    Attrs attrs;
    Code code;
  };

  explicit Samples(uint64_t seed = 1) : seed_(seed) {}

  /// f64, uniform in [low, high).
  Tensor uniform(const Shape& shape, double low = -1, double high = 1);
  /// f64, one axis of n values, one from each n-th part of [low, high), in no order.
  Tensor spread(int64_t n, double low, double high);
  /// i64, uniform in [low, high).
  Tensor integers(const Shape& shape, int64_t low, int64_t high);
  /// boolean, each true half the time.
  Tensor mask(const Shape& shape);
  /// f64, these values in one axis.
  Tensor values(std::initializer_list<double> values);
  /// i64, these values in one axis.
  Tensor indices(std::initializer_list<int64_t> values);

  /// A call that must work, at a point where the op is smooth.
  void add(Tensors in, Attrs attrs = {}) { calls.push_back({std::move(in), std::move(attrs)}); }
  /// A call at kinks and ends of the domain: results as everywhere, derivatives finite.
  void extreme(Tensors in, Attrs attrs = {}) {
    extremes.push_back({std::move(in), std::move(attrs)});
  }
  /// A call that must throw an Error of this code.
  void refuse(Code code, Tensors in, Attrs attrs = {}) {
    refusals.push_back({std::move(in), std::move(attrs), code});
  }

  std::vector<Call> calls, extremes;
  std::vector<Refusal> refusals;

 private:
  uint64_t seed_, drawn_ = 0;
  double draw();
};

}  // namespace gyre
