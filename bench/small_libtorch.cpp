// The benchmarks of small.cpp with libtorch, for peers.py. Prints the library, then reads the name
// of a benchmark per line and prints the seconds of one operation over one set of calls.
// Usage: small_libtorch THREADS
#include <torch/torch.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>

namespace {

constexpr int kCalls = 1000, kChain = 100, kWarm = 5, kRounds = 20;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <class F>
void repeat(F op) {
  for (int i = 0; i < kCalls; ++i) auto z = op();
}

void chain(const torch::Tensor& leaf, const torch::Tensor& y, const torch::Tensor& g) {
  for (int i = 0; i < kCalls / kChain; ++i) {
    leaf.mutable_grad() = torch::Tensor();
    auto z = leaf;
    for (int j = 0; j < kChain; ++j) z = z + y;
    z.backward(g);
  }
}

}  // namespace

int main(int count, char** words) {
  torch::set_num_threads(count > 1 ? std::atoi(words[1]) : 2);
  auto x = torch::randn({16}), y = torch::randn({16}), g = torch::ones({16});
  auto leaf = torch::randn({16}, torch::requires_grad());
  std::map<std::string, std::function<void()>> works{
      {"small_add",
       [&] {
         torch::NoGradGuard off;
         repeat([&] { return x + y; });
       }},
      {"small_scalar_mul",
       [&] {
         torch::NoGradGuard off;
         repeat([&] { return x * 2.5; });
       }},
      {"small_relu",
       [&] {
         torch::NoGradGuard off;
         repeat([&] { return torch::relu(x); });
       }},
      {"small_add_recorded", [&] { repeat([&] { return leaf + y; }); }},
      {"small_chain", [&] { chain(leaf, y, g); }},
  };
  std::puts("libtorch " TORCH_VERSION);
  std::fflush(stdout);
  std::string name;
  while (std::getline(std::cin, name)) {
    auto& work = works.at(name);
    for (int i = 0; i < kWarm; ++i) work();
    double start = now();
    for (int i = 0; i < kRounds; ++i) work();
    std::printf("%.9g\n", (now() - start) / kRounds / kCalls);
    std::fflush(stdout);
  }
}
