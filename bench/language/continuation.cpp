#include <memory>

#include "bench/packed/packed_weights.h"
#include "bench/work.h"
#include "gyre/models/decoder/decoder.h"
#include "gyre/op/node.h"
#include "gyre/ops/random/random.h"
#include "gyre/ops/reduce/reduce.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/packed/int8/int8_activations.h"

// Models of random weights read a prompt and continue it.

namespace gyre::bench {
namespace {

constexpr int64_t kPrompt = 512, kNew = 128;

DecoderOptions gpt2_options() { return {.vocab = 50257}; }  // 124 M weights

// SmolLM2's shape of 135 M weights.
DecoderOptions smol_options() {
  DecoderOptions o{.vocab = 49152, .block_size = 8192, .layers = 30, .heads = 9, .width = 576};
  o.kv_heads = 3;
  o.inner = 1536;
  o.positions = Positions::rotary;
  o.norm = NormKind::rms;
  o.gated = true;
  o.activation = Activation::silu;
  o.bias = false;
  return o;
}

struct Shape {
  DecoderOptions (*options)();
  double blocks, head;  // weights
  CacheDType cache;
  double cached;  // bytes of the cache for a token
};
constexpr Shape kShapes[] = {
    {gpt2_options, 12.0 * 12 * 768 * 768, 768.0 * 50257, CacheDType::f32, 4.0 * 2 * 12 * 768},
    {smol_options, 30.0 * (576 * (576 + 2 * 192 + 576) + 3 * 576 * 1536), 576.0 * 49152,
     CacheDType::f16, 2.0 * 2 * 30 * 192}};
enum Model : int64_t { kGpt2, kSmol };

struct Stored {
  const char* format;  // of packed matrices; null: plain weights
  DType dtype;         // of the others
  double bits;         // of a weight
};
constexpr Stored kStored[] = {{nullptr, DType::f32, 32}, {nullptr, DType::f16, 16},
                              {"q8_0", DType::f32, 8.5}, {"q4_0", DType::f32, 4.5},
                              {"T4", DType::f32, 4},     {"D4", DType::f32, 4}};
enum Weights : int64_t { kF32, kF16, kQ8, kQ4, kT4, kD4 };

// A model, whose matrices may be packed, with a prompt in its cache.
class Continued {
 public:
  Continued(const Shape& shape, const Stored& stored, int64_t prompt, bool int8)
      : int8_(int8), prompt_(prompt), model_(shape.options()) {
    model_.to(stored.dtype);
    if (stored.format) pack_for_timing(model_, codec(stored.format));
    tokens_ = randint(0, model_.vocab(), {1, prompt});
    cache_ = model_.cache(1, shape.cache);
    first_ = prefill();
  }

  // The token after the prompt.
  Tensor prefill() {
    cache_.clear();
    return next(tokens_);
  }
  // The tokens after that one, over those of the last call.
  void decode() {
    fill_(cache_.lengths, static_cast<double>(prompt_));
    cache_.longest = prompt_;
    Tensor token = first_;
    for (int64_t i = 0; i < kNew; ++i) token = next(token);
  }

 private:
  Tensor next(const Tensor& tokens) {
    NoGrad off;
    const Int8Activations activations(int8_);
    return argmax(model_.next(tokens, cache_), -1, true);
  }

  bool int8_;
  int64_t prompt_;
  Decoder model_;
  Tensor tokens_;
  TokenCache cache_;
  Tensor first_;
};

// sizes: model, format, tokens of the prompt, whether activations have 8 bits
Ready continuation(const Work& w, void (*call)(Continued& model)) {
  const Stored& stored = kStored[w.sizes[1]];
  auto model =
      std::make_shared<Continued>(kShapes[w.sizes[0]], stored, w.sizes[2], w.sizes[3] != 0);
  Ready ready{.call = [model, call] { call(*model); }};
  if (stored.format && codec(stored.format).has_rings)
    ready.error = error_of(static_cast<int64_t>(codec(stored.format).format));
  return ready;
}

Ready prefill(const Work& w, const Settings&) {
  return continuation(w, [](Continued& model) { model.prefill(); });
}

Ready decode(const Work& w, const Settings&) {
  return continuation(w, [](Continued& model) { model.decode(); });
}

constexpr Work prefilling(const char* name, Model model, Weights weights, bool int8 = false) {
  Work w{name,
         "ms",
         "512 tokens into the empty cache of a model; the next token",
         prefill,
         {model, weights, kPrompt, int8}};
  w.limit = Limit::fma;
  w.amount = 2.0 * (kPrompt * kShapes[model].blocks + kShapes[model].head);
  w.repeats = 7;
  w.warm = 1;
  return w;
}

constexpr Work decoding(const char* name, Model model, Weights weights, bool int8 = false,
                        int64_t prompt = kPrompt) {
  Work w{name,
         "ms",
         "a token of 128 after a prompt, one at a time; limit: reading the weights and the cache",
         decode,
         {model, weights, prompt, int8}};
  const Shape& shape = kShapes[model];
  const double cached = shape.cached * (static_cast<double>(prompt) + 0.5 * kNew);
  w.limit = Limit::read;
  w.amount = (shape.blocks + shape.head) * kStored[weights].bits / 8 + cached;
  w.floats = int64_t{1} << 25;
  w.operations = kNew;
  w.repeats = 5;
  w.warm = 1;
  w.weights = shape.blocks + shape.head;
  return w;
}

constexpr int64_t kLong = 4096;
constexpr Work kContinuationWorks[] = {
    prefilling("gpt2_prefill_512", kGpt2, kF32),
    prefilling("gpt2_prefill_512_f16", kGpt2, kF16),
    prefilling("gpt2_prefill_512_q8_0", kGpt2, kQ8),
    prefilling("gpt2_prefill_512_t4", kGpt2, kT4),
    prefilling("gpt2_prefill_512_d4", kGpt2, kD4),
    prefilling("gpt2_prefill_512_d4_int8", kGpt2, kD4, true),
    decoding("gpt2_decode_128", kGpt2, kF32),
    decoding("gpt2_decode_128_f16", kGpt2, kF16),
    decoding("gpt2_decode_128_q8_0", kGpt2, kQ8),
    decoding("gpt2_decode_128_q4_0", kGpt2, kQ4),
    decoding("gpt2_decode_128_t4", kGpt2, kT4),
    decoding("gpt2_decode_128_d4", kGpt2, kD4),
    decoding("gpt2_decode_128_t4_int8", kGpt2, kT4, true),
    decoding("gpt2_decode_128_d4_int8", kGpt2, kD4, true),
    prefilling("smol_prefill_512", kSmol, kF32),
    prefilling("smol_prefill_512_f16", kSmol, kF16),
    decoding("smol_decode_128", kSmol, kF32),
    decoding("smol_decode_128_f16", kSmol, kF16),
    decoding("smol_decode_128_q8_0", kSmol, kQ8),
    decoding("smol_decode_128_at_4096", kSmol, kF32, false, kLong),
    decoding("smol_decode_128_at_4096_f16", kSmol, kF16, false, kLong),
    decoding("smol_decode_128_at_4096_q8_0", kSmol, kQ8, false, kLong)};

}  // namespace

std::span<const Work> continuation_works() { return kContinuationWorks; }

}  // namespace gyre::bench
