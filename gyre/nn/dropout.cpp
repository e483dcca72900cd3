#include "gyre/nn/dropout.h"

#include <fmt/core.h>

#include "gyre/base/error.h"
#include "gyre/ops/random/random.h"

namespace gyre::nn {

Dropout::Dropout(const DropoutOptions& o) : share_(o.share) {
  if (!(share_ >= 0 && share_ <= 1)) {
    throw Error(Code::value, "dropout",
                "share must be from 0 to 1, is " + fmt::format("{}", share_), "[0, 1]",
                fmt::format("{}", share_));
  }
}

Tensor Dropout::operator()(const Tensor& x) const {
  return share_ > 0 ? dropout(x, share_, training()) : x;
}

void Dropout::visit(Visitor&) {}

}  // namespace gyre::nn
