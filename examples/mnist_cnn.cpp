// Classifies digits with a small convolutional network, with pretrained weights or, with --train,
// its own. The last argument is the folder of images, labels and weights, by default
// $GYRE_TEST_DATA/images or tests/data/images.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "gyre/base/system/file.h"
#include "gyre/gyre.h"
using namespace gyre;

struct Net : nn::Module {
  nn::Conv2d conv1{1, 8, 3}, conv2{8, 16, 3}, conv3{16, 24, 3};
  nn::BatchNorm norm1{24}, norm2{10};
  nn::Linear fc1{24 * 22 * 22, 32}, fc2{32, 10};

  /// Logits [N, 10] of images [N, 1, 28, 28].
  Tensor operator()(const Tensor& images) {
    Tensor x = relu(conv1(images));
    x = relu(conv2(x));
    x = norm1(relu(conv3(x)));
    return norm2(fc2(relu(fc1(flatten(x, 1)))));
  }
  void visit(nn::Visitor& visitor) override {
    visitor.module("conv1", conv1);
    visitor.module("conv2", conv2);
    visitor.module("conv3", conv3);
    visitor.module("norm1", norm1);
    visitor.module("norm2", norm2);
    visitor.module("fc1", fc1);
    visitor.module("fc2", fc2);
  }
};

struct Digits {
  Tensor images, labels;
  explicit Digits(const std::string& folder)
      : images(read_idx(folder + "/t10k-images-idx3-ubyte.gz")),
        labels(to(read_idx(folder + "/t10k-labels-idx1-ubyte"), DType::i64)) {
    images = (to(unsqueeze(images, 1), DType::f32) / 255 - 0.1307) / 0.3081;
  }
};

int64_t right_of(Net& net, const Digits& digits, int64_t first, int64_t end) {
  NoGrad off;
  net.eval();
  double right = 0;
  for (int64_t i = first; i < end; i += 250) {
    SliceAttrs part{.axis = 0, .start = i, .stop = std::min(i + 250, end)};
    Tensor found = argmax(net(slice(digits.images, part)), 1);
    right += sum(to(found == slice(digits.labels, part), DType::i64)).item();
  }
  return static_cast<int64_t>(right);
}

void train(Net& net, const Digits& digits, int64_t count) {
  constexpr int kEpochs = 6;
  constexpr int64_t kBatch = 60;
  AdamW optimizer(net.parameters());
  std::vector<int64_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(1);
  const ScheduleOptions rates{.lr = 4e-3, .steps = kEpochs * (count / kBatch)};
  int64_t step = 0;
  for (int epoch = 1; epoch <= kEpochs; ++epoch) {
    net.train();
    std::shuffle(order.begin(), order.end(), random);
    double loss = 0;
    for (int64_t at = 0; at + kBatch <= count; at += kBatch) {
      auto from = order.begin() + at;
      Tensor batch = tensor(std::vector<int64_t>(from, from + kBatch), {kBatch});
      Tensor mean_loss = cross_entropy(net(index_select(digits.images, 0, batch)),
                                       index_select(digits.labels, 0, batch));
      mean_loss.backward();
      optimizer.set_lr(learning_rate(rates, step++));
      optimizer.step();
      optimizer.zero_grad();
      loss += mean_loss.item();
    }
    std::printf("epoch %d: loss %.4f\n", epoch,
                loss * static_cast<double>(kBatch) / static_cast<double>(count));
  }
}

int main(int argc, char** argv) {
  const bool training = argc > 1 && std::strcmp(argv[1], "--train") == 0;
  const char* data = std::getenv("GYRE_TEST_DATA");
  std::string folder = std::string(data && *data ? data : "tests/data") + "/images";
  if (argc > (training ? 2 : 1)) folder = argv[argc - 1];
  const std::string weights = folder + "/burn_mnist_cnn.safetensors";
  if (!file_exists(weights)) {
    std::printf("skipped: %s not found\n", weights.c_str());
    return 77;
  }
  const Digits digits(folder);
  const int64_t all = digits.images.size(0), kept = 1000;
  Net net;
  if (training) {
    train(net, digits, all - kept);
    const int64_t right = right_of(net, digits, all - kept, all);
    std::printf("%ld of %ld test digits classified correctly\n", static_cast<long>(right),
                static_cast<long>(kept));
    return right >= 975 ? 0 : 1;
  }
  net.load_state_dict(SafetensorsFile(weights));
  const int64_t right = right_of(net, digits, 0, all);
  std::printf("%ld of %ld digits classified correctly\n", static_cast<long>(right),
              static_cast<long>(all));
  return right == 9917 ? 0 : 1;
}
