// The benchmarks of matmul.cpp with oneDNN (compiled with -DONEDNN) or OpenBLAS, for peers.py.
// Prints the library, then reads lines `BATCH M K N DTYPE` and prints for each the seconds of one
// such product over one set of calls, or the reason for having none.
#ifdef ONEDNN
#include <oneapi/dnnl/dnnl.hpp>
#else
#include <cblas.h>
#endif

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr double kSet = 0.02;  // minimum seconds of a set of calls
constexpr int kWarm = 3;

struct Sizes {
  int64_t batch, m, k, n;
};

using Call = std::function<void()>;

std::vector<float> normal(int64_t count) {
  static std::mt19937 random(0);
  std::normal_distribution<float> draw;
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = draw(random);
  return values;
}

#ifdef ONEDNN

std::string library() {
  const dnnl_version_t* v = dnnl_version();
  std::ostringstream name;
  name << "oneDNN " << v->major << '.' << v->minor << '.' << v->patch;
  return name.str();
}

// Up to twice as fast as the matmul primitive for few rows, and never slower.
void product(int64_t m, int64_t k, int64_t n, const float* a, const float* b, float* c) {
  dnnl_sgemm('N', 'N', m, n, k, 1, a, k, b, n, 0, c, n);
}

Call bf16_product(const Sizes& s) {
  using dnnl::memory;
  constexpr auto kFloat = memory::data_type::f32, kHalf = memory::data_type::bf16;
  dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(cpu);
  auto layout = [&](int64_t rows, int64_t columns, memory::data_type type) {
    return memory::desc({s.batch, rows, columns}, type, memory::format_tag::abc);
  };
  auto input = [&](int64_t rows, int64_t columns) {
    std::vector<float> values = normal(s.batch * rows * columns);
    memory from(layout(rows, columns, kFloat), cpu, values.data());
    memory to(layout(rows, columns, kHalf), cpu);
    dnnl::reorder(from, to).execute(stream, from, to);
    stream.wait();
    return to;
  };
  memory a = input(s.m, s.k), b = input(s.k, s.n), c(layout(s.m, s.n, kHalf), cpu);
#if DNNL_VERSION_MAJOR < 3
  dnnl::matmul::primitive_desc plan({a.get_desc(), b.get_desc(), c.get_desc()}, cpu);
#else
  dnnl::matmul::primitive_desc plan(cpu, a.get_desc(), b.get_desc(), c.get_desc());
#endif
  std::unordered_map<int, memory> arguments{
      {DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}};
  return [stream, arguments, primitive = dnnl::matmul(plan)]() mutable {
    primitive.execute(stream, arguments);
    stream.wait();
  };
}

#else

std::string library() {
  const char* const kThreads[] = {"serial: one thread", "pthreads", "OpenMP"};
  std::istringstream config(openblas_get_config());  // "OpenBLAS 0.3.21 DYNAMIC_ARCH ..."
  std::string name, version;
  config >> name >> version;
  return name + " " + version + " (" + kThreads[openblas_get_parallel()] + ")";
}

void product(int64_t m, int64_t k, int64_t n, const float* a, const float* b, float* c) {
  auto rows = static_cast<blasint>(m), depth = static_cast<blasint>(k),
       columns = static_cast<blasint>(n);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1, a, depth, b,
              columns, 0, c, columns);
}

Call bf16_product(const Sizes&) { throw std::runtime_error("OpenBLAS has no product of bf16"); }

#endif

Call f32_product(const Sizes& s) {
  std::vector<float> a = normal(s.batch * s.m * s.k), b = normal(s.batch * s.k * s.n);
  std::vector<float> c(static_cast<size_t>(s.batch * s.m * s.n));
  return [s, a, b, c]() mutable {
    for (int64_t i = 0; i < s.batch; ++i) {
      product(s.m, s.k, s.n, &a[i * s.m * s.k], &b[i * s.k * s.n], &c[i * s.m * s.n]);
    }
  };
}

double set_of(const Call& call, int calls) {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

}  // namespace

int main() {
  std::cout << library() << std::endl;
  Call call;
  int calls = 1;
  for (std::string line, ready; std::getline(std::cin, line);) {
    try {
      if (line != ready) {
        Sizes s{};
        std::string dtype;
        std::istringstream(line) >> s.batch >> s.m >> s.k >> s.n >> dtype;
        call = dtype == "bfloat16" ? bf16_product(s) : f32_product(s);
        ready = line;
        set_of(call, kWarm);
        calls = std::max(1, static_cast<int>(kSet / set_of(call, 1)));
      }
      call();
      std::cout << set_of(call, calls) << std::endl;
    } catch (const std::exception& failure) {
      std::cout << failure.what() << std::endl;
    }
  }
}
