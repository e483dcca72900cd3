// The C++ tutorial (docs/cpp.md): tensors, gradients, layers, data, training, files.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "gyre/gyre.h"
using namespace gyre;

void check(bool passed, const char* what) {
  std::printf("%-36s %s\n", what, passed ? "ok" : "FAILED");
  if (!passed) std::exit(1);
}

void tensors() {
  Tensor m = reshape(tensor({1, 2, 3, 4, 5, 6}), {2, 3});
  Tensor row = m[1];                              // [4, 5, 6]
  Tensor corner = m[{0, Slice(1, 3)}];            // [2, 3]
  Tensor columns = m[{Slice(), Slice(0, 3, 2)}];  // [[1, 3], [4, 6]]
  Tensor large = m[m > 2];                        // [3, 4, 5, 6], a copy
  m[0] = 7;
  m[{1, -1}] = 0;
  m[m == 0] = -1;
  m[1] += tensor({10, 20, 30});
  check(corner.shape() == Shape{2} && columns.shape() == Shape{2, 2}, "slices");
  check(large.shape() == Shape{4} && row[2].item() == 29, "masks, and views that see writes");

  Tensor total = sum(m), rows = sum(m, 1), both = mean(m, {0, 1}, true);
  check(total.item() == 89 && rows.shape() == Shape{2} && both.shape() == Shape{1, 1}, "axes");
}

void gradients() {
  Tensor w = tensor({1, -2}).set_requires_grad();
  Tensor loss = sum(w * w);
  loss.backward();
  check(w.grad()[1].item() == -4, "gradients");

  auto straight_through =
      custom_function([](Inputs in) { return Tensors{round(in[0])}; },
                      [](const BackwardCall& call) { return Tensors{call.grad[0]}; });
  Tensor x = tensor({1.4, 2.6}).set_requires_grad();
  sum(straight_through(x)).backward();
  check(x.grad()[0].item() == 1, "a function with its own gradient");
}

struct Net : nn::Module {
  nn::Conv2d conv{1, 4, 3};
  nn::MaxPool2d pool{{.kernel = {2}}};
  nn::Linear out{4 * 3 * 3, 2};

  Tensor operator()(const Tensor& x) { return out(flatten(pool(relu(conv(x))), 1)); }
  void visit(nn::Visitor& visitor) override {
    visitor.module("conv", conv);
    visitor.module("out", out);
  }
};

// Noisy images of 8 x 8, whose left half is bright in those of class 1.
std::shared_ptr<Dataset> images() {
  Tensor y = to(rand({256}) < 0.5, DType::i64);
  Tensor x = 0.5 * randn({256, 1, 8, 8});
  x[{Slice(), 0, Slice(), Slice(0, 4)}] += reshape(to(y, DType::f32), {256, 1, 1});
  return std::make_shared<TensorDataset>(std::vector<NamedTensor>{{"x", x}, {"y", y}});
}

double accuracy(Net& model, const Dataset& data) {
  NoGrad off;
  std::vector<int64_t> rows(static_cast<size_t>(data.size()));
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<int64_t>(i);
  const Batch all = data.batch(rows);
  return mean(to(argmax(model(all["x"]), 1) == all["y"], DType::f32)).item();
}

void training() {
  auto data = images();
  DataLoader loader(data, {.batch_size = 32, .shuffle = true});
  Net model;
  AdamW optimizer(model.parameters(), 1e-2);
  for (int64_t step = 0; step < 5 * loader.batches_per_epoch(); ++step) {
    const Batch batch = loader.next();
    cross_entropy(model(batch["x"]), batch["y"]).backward();
    optimizer.step({.clip = 1});
    optimizer.zero_grad();
  }
  check(accuracy(model, *data) > 0.9, "training");

  const std::string path = std::filesystem::temp_directory_path() / "gyre_tutorial.safetensors";
  nn::save(model, path);
  Net again;
  nn::load(again, path);
  check(accuracy(again, *data) == accuracy(model, *data), "saved and loaded");
  std::filesystem::remove(path);
}

int main() {
  manual_seed(0);
  tensors();
  gradients();
  training();
}
