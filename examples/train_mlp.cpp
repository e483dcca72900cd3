// Trains a two-layer MLP to classify points of a square as inside or outside a disk.
#include <cstdio>

#include "gyre/gyre.h"
using namespace gyre;

struct Net : nn::Module {
  nn::Linear up{2, 32}, down{32, 2};
  Tensor operator()(const Tensor& x) { return down(tanh(up(x))); }
  void visit(nn::Visitor& visitor) override {
    visitor.module("up", up);
    visitor.module("down", down);
  }
};

int main() {
  Tensor x = 2 * rand({1024, 2}) - 1;
  Tensor y = to(sum(x * x, 1) < 0.5, DType::i64);
  Net model;
  AdamW optimizer(model.parameters(), {.lr = 0.02});
  for (int step = 0; step < 300; ++step) {
    Tensor loss = cross_entropy(model(x), y);
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  double right = mean(to(argmax(model(x), 1) == y, DType::f32)).item();
  std::printf("accuracy %.1f %%\n", 100 * right);
  return right > 0.95 ? 0 : 1;
}
