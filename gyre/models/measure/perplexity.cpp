#include "gyre/models/measure/perplexity.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/data/text_source.h"
#include "gyre/models/files/model_tokenizer.h"
#include "gyre/models/language_model.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/loss/loss.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/text/tokenizer.h"

namespace gyre {
namespace {

constexpr int64_t kTokensAtOnce = 4096;
constexpr int64_t kIgnored = -100;

[[noreturn]] void refuse(const Message& why, const Message& expected = {},
                         const Message& actual = {}) {
  throw Error(Code::value, "perplexity", why, expected, actual);
}

// Windows of one length, as rows.
struct Windows {
  std::vector<int32_t> tokens;
  std::vector<int64_t> targets;
};

double nats(const LanguageModel& model, const Windows& windows, int64_t rows, Device device) {
  const Shape shape{rows, static_cast<int64_t>(windows.tokens.size()) / rows};
  const Tensor logits = model(on_device(tensor<int32_t>(windows.tokens, shape), device));
  const Tensor targets = on_device(tensor<int64_t>(windows.targets, shape), device);
  const Tensor each = cross_entropy(to(logits, DType::f32), targets,
                                    {.ignore_index = kIgnored, .reduction = Reduction::none});
  double sum = 0;
  for (double loss : to_vector<double>(on_device(each, {}))) sum += loss;
  return sum;
}

}  // namespace

Perplexity perplexity(const LanguageModel& model, std::span<const int32_t> tokens,
                      std::span<const int32_t> bytes, const PerplexityOptions& o,
                      FunctionRef<void(int64_t, int64_t)> done) {
  check_record("perplexity", o);
  const int64_t context = o.context > 0 ? o.context : model.context();
  const int64_t stride = o.stride > 0 ? o.stride : context;
  if (context > model.context()) {
    refuse({"`context` is ", context, ", but the model's context length is ", model.context()},
           {"<= ", model.context()}, context);
  }
  if (stride > context) {
    refuse({"`stride` is ", stride, ", beyond the context of ", context, " tokens"},
           {"<= ", context}, stride);
  }
  if (tokens.size() != bytes.size())
    refuse("expected the number of bytes of each token", tokens.size(), bytes.size());
  auto count = static_cast<int64_t>(tokens.size());
  if (o.max_tokens > 0) count = std::min(count, o.max_tokens);
  if (count < 2) refuse("expected a text of two or more tokens", "2 or more", count);
  NoGrad off;
  const auto shared = model.share();
  const Int8Activations scope(wants_int8(o.packed, model));
  const Device device = shared->device();
  Perplexity result;
  const auto begin = std::chrono::steady_clock::now();
  const int64_t all = count - 1;
  double sum = 0;
  const auto measure = [&](const Windows& windows, int64_t rows) {
    sum += nats(model, windows, rows, device);
    done(result.tokens, all);
  };
  Windows gathered;
  int64_t rows = 0;
  // a window predicts tokens first + 1 to first + length
  for (int64_t first = 0; result.tokens < all; first += stride) {
    const int64_t length = std::min(context, all - first);
    const int64_t before = first == 0 ? 0 : context - stride;  // counted in the window before
    if (length < context && rows > 0) {
      measure(gathered, rows);
      gathered = {};
      rows = 0;
    }
    for (int64_t i = 0; i < length; ++i) {
      const auto at = static_cast<size_t>(first + i);
      gathered.tokens.push_back(tokens[at]);
      gathered.targets.push_back(i < before ? kIgnored : int64_t{tokens[at + 1]});
      result.bytes += i < before ? 0 : bytes[at + 1];
      result.tokens += i >= before;
    }
    if (++rows * length >= kTokensAtOnce || result.tokens == all) {
      measure(gathered, rows);
      gathered = {};
      rows = 0;
    }
  }
  result.loss = sum / static_cast<double>(result.tokens);
  result.perplexity = std::exp(result.loss);
  result.bits_per_byte = sum / std::numbers::ln2 / static_cast<double>(result.bytes);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

MeasuredText measured_text(const PerplexityOptions& options, const std::string& model_path,
                           const LanguageModel& model) {
  const auto tokenizer = needed_tokenizer("perplexity", model_path, options.tokenizer);
  MeasuredText text{tokenizer->encode(read_text({&options.file, 1})), {}};
  for (const int32_t id : text.tokens) {
    if (id >= model.vocab()) {
      refuse({"token ", id, " of the text is outside the model's vocabulary of ", model.vocab()});
    }
    text.bytes.push_back(static_cast<int32_t>(tokenizer->bytes(id).size()));
  }
  return text;
}

Perplexity perplexity(const std::string& folder, const PerplexityOptions& options,
                      FunctionRef<void(int64_t, int64_t)> done) {
  const auto model = load_language_model(folder, FileAccess::map);
  const MeasuredText text = measured_text(options, folder, *model);
  make_weights_contiguous(*model);
  model->eval();
  return perplexity(*model, text.tokens, text.bytes, options, done);
}

}  // namespace gyre
