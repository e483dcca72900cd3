#include <cstdio>

#include "gyre/gyre.h"

int main() {
  gyre::Tensor x(0.5);
  x.set_requires_grad();
  gyre::Tensor y = gyre::gelu(x) * x;
  y.backward();
  std::printf("y = %.6f, dy/dx = %.6f\n", y.item(), x.grad().item());
}
