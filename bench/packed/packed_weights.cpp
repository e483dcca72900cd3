#include "bench/packed/packed_weights.h"

#include <cmath>
#include <numbers>

#include "gyre/data/draw.h"
#include "gyre/ops/random/random.h"
#include "gyre/packed/compress/compress.h"

namespace gyre::bench {
namespace {

constexpr int64_t kRows = 256, kCols = 4096;
constexpr uint64_t kSeed = 11;

// In (0, 1).
double uniform_of(uint64_t number) {
  return (static_cast<double>(draw(kSeed, number) >> 11) + 0.5) * 0x1p-53;
}

// Of a place that is not kDense.
const Codec& codec_of(int64_t place) {
  if (place == kQ8_0) return codec(PackedFormat::q8_0);
  if (place == kQ4_0) return codec(PackedFormat::q4_0);
  return ring_formats()[static_cast<size_t>(place)];
}

Tensor random_packed(const Codec& format, const Shape& shape) {
  if (!format.has_rings) return packed_encode(randn(shape), format);
  return packed_random(static_cast<const RingFormat&>(format), shape, 1, default_generator());
}

double measured_error(const Codec& format) {
  std::vector<float> numbers(static_cast<size_t>(kRows * kCols));
  for (uint64_t i = 0; i < numbers.size(); ++i) {
    const double angle = 2 * std::numbers::pi * uniform_of(2 * i + 1);
    numbers[i] = static_cast<float>(std::sqrt(-2 * std::log(uniform_of(2 * i))) * std::cos(angle));
  }
  const Tensor packed = packed_encode(tensor(numbers, {kRows, kCols}), format);
  const std::vector<float> found = to_vector<float>(packed_decode(packed));
  double error = 0, size = 0;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const double off = static_cast<double>(found[i]) - numbers[i];
    error += off * off;
    size += static_cast<double>(numbers[i]) * numbers[i];
  }
  return std::sqrt(error / size);
}

}  // namespace

std::vector<Tensor> random_weights(int64_t in, int64_t out, int64_t place, int count) {
  std::vector<Tensor> weights;
  weights.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    weights.push_back(place == kDense ? randn({out, in})
                                      : random_packed(codec_of(place), {out, in}));
  }
  return weights;
}

void pack_for_timing(nn::Module& model, const Codec& format) {
  CompressPolicy policy;
  policy.format = &format;
  if (!format.has_rings) {
    compress(model, policy);
    return;
  }
  compress_planned(
      model, plan_formats(model, policy), [](int64_t, int64_t) {},
      [](const PlannedTensor& t, FunctionRef<void(int64_t)>) {
        return packed_random(ring_format(*t.format), t.tensor.shape(), 0.02, default_generator());
      });
}

std::function<double()> error_of(int64_t place) {
  if (place == kDense) return {};
  return [&format = codec_of(place)] { return measured_error(format); };
}

}  // namespace gyre::bench
