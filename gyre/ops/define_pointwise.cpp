#include "gyre/ops/define_pointwise.h"

namespace gyre {

void pointwise_samples_of(Samples& s, size_t arity, bool selection, double low, double high) {
  // per operand; the second call broadcasts every way, the last ones are 0-d and empty
  const Shape shapes[][3] = {{{3, 5}, {3, 5}, {3, 5}},
                             {{2, 1, 4}, {3, 1}, {2, 3, 4}},
                             {{7}, {1}, {7}},
                             {{}, {}, {}},
                             {{0, 3}, {3}, {1, 1}}};
  auto is_mask = [&](size_t k) { return selection && k == 0; };
  for (const auto& shape : shapes) {
    Tensors in;
    for (size_t k = 0; k < arity; ++k) {
      in.push_back(is_mask(k) ? s.mask(shape[k]) : s.uniform(shape[k], low, high));
    }
    s.add(std::move(in));
  }
  constexpr int64_t kPoints = 64;  // covers the whole domain
  Tensors everywhere;
  for (size_t k = 0; k < arity; ++k) {
    everywhere.push_back(is_mask(k) ? s.mask({kPoints}) : s.spread(kPoints, low, high));
  }
  s.add(std::move(everywhere));
  if (arity > 1) {
    Tensors in;
    for (size_t k = 0; k < arity; ++k) in.push_back(s.uniform({static_cast<int64_t>(k) + 2}));
    s.refuse(Code::shape, std::move(in));
  }
  s.refuse(Code::value, Tensors(arity + 1, s.uniform({2})));
}

}  // namespace gyre
