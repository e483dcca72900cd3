#include "gyre/ops/linalg/matrix_factors.h"

#include "gyre/ops/shape/shape.h"

namespace gyre {

Tensor as_matrix(const Tensor& t, bool as_column) {
  if (t.rank() != 1) return t;
  return reshape(t, as_column ? Shape{t.numel(), 1} : Shape{1, t.numel()});
}

Tensor matrix_of_batch(const BatchedCall& call, size_t i, int rank) {
  const Tensor& t = call.in[i];
  Shape slice = t.shape().part(call.batched[i] ? 1 : 0, t.rank());
  if (slice.rank == 1) slice = i == 0 ? Shape{1, slice[0]} : Shape{slice[0], 1};
  if (!call.batched[i]) return reshape(t, slice);
  Shape shape{call.size};
  while (shape.rank + slice.rank < rank + 1) shape.push_back(1);
  return reshape(t, concat(shape, slice));
}

}  // namespace gyre
