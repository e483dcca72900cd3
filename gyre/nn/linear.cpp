#include "gyre/nn/linear.h"

#include <cmath>

#include "gyre/base/error.h"
#include "gyre/nn/init.h"
#include "gyre/ops/linalg/matmul.h"

namespace gyre::nn {

Linear::Linear(const LinearOptions& o, Generator* generator) {
  if (o.in < 1 || o.out < 1) {
    throw Error(Code::value, "linear",
                "in and out must be 1 or more, are " + std::to_string(o.in) + " and " +
                    std::to_string(o.out),
                ">= 1", std::to_string(o.in < 1 ? o.in : o.out));
  }
  double bound = 1 / std::sqrt(static_cast<double>(o.in));
  weight = uniform({o.out, o.in}, bound, generator);
  if (o.bias) bias = uniform({o.out}, bound, generator);
}

Tensor Linear::operator()(const Tensor& x) const { return linear(x, weight, bias); }

void Linear::visit(Visitor& v) {
  v.parameter("weight", weight);
  v.parameter("bias", bias);
}

}  // namespace gyre::nn
