// Trains a small network, packs its weights in 2 bits each, and trains the packed weights further.
#include <cstdio>

#include "gyre/gyre.h"
using namespace gyre;

struct Net : nn::Module {
  nn::Linear up{32, 128}, middle{128, 128}, down{128, 1};
  Tensor operator()(const Tensor& x) { return down(tanh(middle(tanh(up(x))))); }
  void visit(nn::Visitor& visitor) override {
    visitor.module("up", up);
    visitor.module("middle", middle);
    visitor.module("down", down);
  }
};

struct Task {
  Tensor x = randn({1024, 32}), y = tanh(matmul(x, randn({32, 1})));
  Tensor loss(Net& model) const { return mse(model(x), y); }
};

void train(Net& model, const Task& task, Optimizer& optimizer, int steps) {
  for (int step = 0; step < steps; ++step) {
    task.loss(model).backward();
    optimizer.step();
    optimizer.zero_grad();
  }
}

double show(const char* what, Net& model, const Task& task) {
  NoGrad off;
  const double loss = task.loss(model).item();
  std::printf("%-26s loss %.4f\n", what, loss);
  return loss;
}

int main() {
  Task task;
  Net model;
  AdamW dense(model.parameters(), {.lr = 2e-3});
  train(model, task, dense, 200);
  show("f32", model, task);

  for (const CompressedTensor& t : compress(model, {.format = &ring_format("D2")})) {
    if (t.packed) {
      std::printf("%s: %lld bytes instead of %lld\n", t.name.c_str(),
                  static_cast<long long>(t.bytes), static_cast<long long>(4 * t.weights));
    }
  }
  const double packed = show("packed in 2 bits a weight", model, task);

  HybridOptimizer hybrid(model.parameters(), {.lr = 2e-3, .mode = HybridMode::shadow_free});
  train(model, task, hybrid, 100);
  return show("after 100 further steps", model, task) < packed / 2 ? 0 : 1;
}
