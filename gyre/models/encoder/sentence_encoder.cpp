#include "gyre/models/encoder/sentence_encoder.h"

#include <algorithm>
#include <numeric>

#include "gyre/base/error.h"
#include "gyre/models/encoder/encoder_folder.h"
#include "gyre/models/files/model_tokenizer.h"
#include "gyre/op/node.h"
#include "gyre/ops/create/create.h"
#include "gyre/ops/norm/norm.h"
#include "gyre/ops/shape/in_place.h"
#include "gyre/ops/shape/shape.h"
#include "gyre/text/tokenizer_files.h"

namespace gyre {
namespace {

constexpr const char* kEncode = "encode";

using TextIds = std::vector<int32_t>;

std::unique_ptr<Tokenizer> tokenizer_in(std::initializer_list<std::string> folders) {
  for (const std::string& folder : folders) {
    if (std::unique_ptr<Tokenizer> found = tokenizer_of_folder(folder)) return found;
  }
  return nullptr;
}

// Error{value} for a text of `n` tokens if that is more than `most`, of all positions or fewer.
void check_length(size_t line, int64_t n, int64_t most, int64_t positions) {
  if (n <= most) return;
  const bool stated = most < positions;
  throw Error(Code::value, kEncode,
              {"line ", line, " has ", n, " tokens, but ",
               stated ? "max_seq_length of the folder is " : "the encoder has ", most,
               stated ? "" : " positions", "; cut texts with `max_tokens`"},
              {"<= ", most}, n);
}

// A length that texts cannot have cuts none of those that are too long.
void check_most_tokens(int64_t most, const EncoderOptions& encoder) {
  if (most <= encoder.context()) return;
  throw mismatch(Code::value, kEncode, "`max_tokens` must be at most the encoder's positions",
                 {"<= ", encoder.context()}, most);
}

// The number of tokens of each text that count.
std::vector<int64_t> lengths_of(std::span<const TextIds> texts, const EncoderOptions& encoder,
                                int64_t max_tokens, int64_t context) {
  std::vector<int64_t> lengths;
  for (const TextIds& ids : texts) {
    const size_t line = lengths.size() + 1;
    auto n = static_cast<int64_t>(ids.size());
    if (max_tokens > 0) n = std::min(n, max_tokens);
    if (n == 0)
      throw Error(Code::value, kEncode, {"line ", line, " has no tokens"}, "1 or more", 0);
    check_length(line, n, max_tokens > 0 ? encoder.context() : context, encoder.context());
    for (const int32_t id : std::span(ids).first(static_cast<size_t>(n))) {
      if (id >= 0 && id < encoder.vocab) continue;
      throw Error(Code::index, kEncode,
                  {"line ", line, " has the token id ", id, ", but the vocabulary has ",
                   encoder.vocab, " tokens"},
                  {"0 .. ", encoder.vocab - 1}, id);
    }
    lengths.push_back(n);
  }
  return lengths;
}

// The order of texts by length, the longest first: where memory is short, it shows at once.
std::vector<int64_t> by_length(const std::vector<int64_t>& lengths) {
  std::vector<int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](int64_t i) { return lengths[static_cast<size_t>(i)]; });
  return order;
}

// Some texts as rows of equal length.
struct EncoderBatch {
  Tensor tokens, lengths;
};

EncoderBatch batch_of(std::span<const TextIds> texts, std::span<const int64_t> which,
                      const std::vector<int64_t>& lengths, int64_t padding) {
  const auto rows = static_cast<int64_t>(which.size());
  const int64_t longest = lengths[static_cast<size_t>(which[0])];
  std::vector<int64_t> ids(static_cast<size_t>(rows * longest), std::max<int64_t>(padding, 0)), own;
  for (int64_t r = 0; r < rows; ++r) {
    const auto text = static_cast<size_t>(which[static_cast<size_t>(r)]);
    own.push_back(lengths[text]);
    std::copy_n(texts[text].begin(), lengths[text], ids.begin() + r * longest);
  }
  return {tensor<int64_t>(ids, {rows, longest}), tensor<int64_t>(own, {rows})};
}

}  // namespace

SentenceEncoder::SentenceEncoder(const std::string& folder, FileAccess access)
    : stated_(stated_vectors(folder)),
      model_(load_text_encoder(stated_.encoder, access)),
      tokenizer_(tokenizer_in({stated_.encoder, folder})) {
  model_->eval();
}

SentenceEncoder::~SentenceEncoder() = default;

int64_t SentenceEncoder::context() const {
  const int64_t positions = model_->options().context(), stated = stated_.max_tokens;
  return stated > 0 ? std::min(stated, positions) : positions;
}

std::vector<TextIds> SentenceEncoder::ids_of(std::span<const std::string> texts,
                                             int64_t max_tokens) const {
  check_most_tokens(max_tokens, model_->options());
  if (!tokenizer_) {
    throw Error(Code::value, kEncode, {missing_tokenizer(stated_.encoder), "; give token ids"},
                "a tokenizer", "none");
  }
  std::vector<TextIds> all;
  for (const std::string& text : texts) {
    try {
      all.push_back(tokenizer_->model_input(text, max_tokens));
    } catch (const Error& error) {
      throw Error(error.code, kEncode, {"line ", all.size() + 1, ": ", error.what()});
    }
  }
  return all;
}

Tensor SentenceEncoder::vectors(std::span<const TextIds> texts, const EncodeOptions& options,
                                FunctionRef<void(int64_t)> done) const {
  NoGrad scope;
  check_record(kEncode, options);
  const EncoderOptions& o = model_->options();
  check_most_tokens(options.max_tokens, o);
  const Pooling pooling = options.pooling == Pooling::stated ? stated_.pooling : options.pooling;
  const bool whole = pooling == Pooling::none;
  if (whole && options.normalize) {
    throw Error(Code::value, kEncode,
                "`normalize` is of vectors, but the pooling is none; leave one of them out");
  }
  const std::vector<int64_t> lengths = lengths_of(texts, o, options.max_tokens, context()),
                             order = by_length(lengths);
  const auto count = static_cast<int64_t>(texts.size());
  const int64_t longest = count > 0 ? lengths[static_cast<size_t>(order[0])] : 0;
  const Tensor all = whole ? zeros({count, longest, o.width}) : empty({count, o.width});
  for (int64_t at = 0; at < count; at += options.batch) {
    const int64_t rows = std::min(options.batch, count - at);
    const auto which = std::span(order).subspan(static_cast<size_t>(at), static_cast<size_t>(rows));
    const EncoderBatch batch = batch_of(texts, which, lengths, o.padding);
    const Tensor own = on_device(batch.lengths, model_->device());
    Tensor y = (*model_)(on_device(batch.tokens, model_->device()), own);
    y = to(y, DType::f32);
    if (!whole) y = pooled(y, own, pooling);
    if (!whole && (stated_.normalize || options.normalize)) y = normalize(y);
    y = on_device(y, Device());
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t text = which[static_cast<size_t>(r)], n = lengths[static_cast<size_t>(text)];
      const Tensor to_row = select(all, {0, text}), row = select(y, {0, r});
      copy_(whole ? slice(to_row, {0, 0, n, 1}) : to_row, whole ? slice(row, {0, 0, n, 1}) : row);
    }
    done(at + rows);
  }
  return all;
}

}  // namespace gyre
