#pragma once
#include "gyre/base/record.h"
#include "gyre/nn/module.h"

namespace gyre {

struct CurvatureOptions {
  double c = 1, c_min = 0, c_max = 0;
  int64_t rows = 0;
};
GYRE_FIELDS(CurvatureOptions, GYRE_FIELD(c, "at first"),
            GYRE_FIELD(c_min, "it stays above, where c_max is given"),
            GYRE_FIELD(c_max, "it stays below; 0: any c above 0"),
            GYRE_FIELD(rows, "so many, one a row; 0: one for all"));

namespace hyperbolic {

/// A curvature c that is learned, by k without bounds: c = softplus(k), or with c_max
/// c = c_min + (c_max - c_min) sigmoid(k). One number (0-d), or [rows]. A module of no inputs: what
/// it gives is handed to ops, and to manifolds, which are made anew of it in each forward.
class Curvature final : public nn::Module {
 public:
  /// Error{value} of `layer` unless c lies between the bounds, 0 <= c_min < c_max, and rows is 0 or
  /// more.
  explicit Curvature(const CurvatureOptions& options = {}, const char* layer = "Curvature");
  /// Of a layer: c above 0 is `learned`, without bounds, or stays the number, without a parameter.
  Curvature(const char* layer, double c, bool learned);

  [[nodiscard]] Tensor operator()() const;
  /// One result, of no inputs. Error{value} for others.
  Tensors forward(Inputs inputs) const override;
  void visit(nn::Visitor& visitor) override {
    if (k.defined()) visitor.parameter("k", k);
  }
  /// As a layer's part "curvature", where it is learned.
  void visit_part(nn::Visitor& visitor) {
    if (k.defined()) visitor.module("curvature", *this);
  }

  Tensor k;  ///< empty where nothing is learned

 private:
  CurvatureOptions options_;
};

}  // namespace hyperbolic
}  // namespace gyre
