#include "gyre/models/prepared_task.h"

#include <fmt/format.h>

#include <charconv>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/thread_pool.h"
#include "gyre/base/xxhash64.h"
#include "gyre/data/text_source.h"
#include "gyre/models/files/model_files.h"
#include "gyre/models/text/start_model.h"
#include "gyre/models/text/text_model.h"
#include "gyre/models/text/text_task.h"
#include "gyre/text/bpe/bpe_trainer.h"
#include "gyre/text/char_tokenizer.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

// Checksum of files that may exceed memory: sizes, and the bytes at both ends.
uint64_t checksum_of_ends(std::span<const std::string> paths) {
  constexpr size_t kEnd = size_t{1} << 20;
  Xxhash64 hash;
  for (const std::string& path : paths) {
    MappedFile file(path);
    std::span<const std::byte> bytes = file.bytes();
    uint64_t size = bytes.size();
    hash.update(std::as_bytes(std::span(&size, 1)));
    hash.update(bytes.first(std::min(kEnd, bytes.size())));
    hash.update(bytes.last(std::min(kEnd, bytes.size())));
  }
  return hash.digest();
}

constexpr std::string_view kBpe = "bpe:";

// The N of bpe:N.
int32_t bpe_size(std::string_view name) {
  constexpr int32_t kBytes = 256;  // every byte is a token
  const std::string_view size = name.substr(kBpe.size());
  int32_t vocab = 0;
  auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), vocab);
  if (error != std::errc{} || end != size.data() + size.size() || vocab < kBytes) {
    refuse_training(fmt::format("`tokenizer` bpe:N needs an integer N of at least {} (the bytes), "
                                "got '{}'",
                                kBytes, size),
                    "bpe:N", name);
  }
  return vocab;
}

std::unique_ptr<Tokenizer> learn_bpe(int32_t vocab, std::string_view text, TrainSink& sink) {
  BpeTrainer trainer({.vocab_size = vocab});
  sink.preparing("training the tokenizer", 0, 0);
  trainer.add(text);
  std::unique_ptr<Tokenizer> tokenizer = trainer.train(
      [&](int32_t done, int32_t total) { sink.preparing("training the tokenizer", done, total); });
  if (const std::string why = trainer.why_fewer(tokenizer->vocab_size()); !why.empty())
    sink.warned("`tokenizer` bpe:" + std::to_string(vocab) + ": " + why);
  return tokenizer;
}

// Characters come from the whole text, since an unknown one could not be encoded; BPE is trained on
// the training part only.
std::unique_ptr<Tokenizer> make_tokenizer(const TrainOptions& o, const std::string& text,
                                          std::string_view training, TrainSink& sink) {
  if (o.text.tokenizer == "char") return CharTokenizer::train(text);
  if (o.text.tokenizer.starts_with(kBpe))
    return learn_bpe(bpe_size(o.text.tokenizer), training, sink);
  return open_tokenizer(o.text.tokenizer);
}

// What can be told of the tokenizer, and of a model with its vocabulary, before the text is read.
void check_tokenizer(const TrainOptions& o) {
  const std::string& name = o.text.tokenizer;
  if (name.starts_with(kBpe)) {
    require_packable(o, bpe_size(name));  // the vocabulary may be smaller
  } else if (name != "char" && !file_exists(name)) {
    refuse_training("`tokenizer` must be char, bpe:N or a file; no such file: '" + name + "'",
                    "char, bpe:N or a file", name);
  }
}

std::string summary(const TrainOptions& o, TextTask& task) {
  return fmt::format("{}: {} parameters; {} tokens of text, vocabulary of {}; {}, {}",
                     describe_text_model(o), grouped(task.model().parameter_count()),
                     grouped(task.training_tokens()), grouped(task.tokenizer().vocab_size()),
                     to_string(default_device()), counted(num_threads(), "thread"));
}

// Empty if the text is split at its end.
RecordSplit records_of(const TrainOptions& o, const TextOfRecords& read) {
  const bool lines = read.ends.empty() && o.text.split == SplitBy::records;
  if (o.text.split == SplitBy::end || (read.ends.empty() && !lines)) return {};
  return split_records(read.text, lines ? line_ends(read.text) : read.ends, o.data.val_fraction);
}

// A new model gets the size of its vocabulary from its tokenizer; its memory is checked again.
void take_vocabulary(DecoderOptions& model, const TrainOptions& o, const StartPoint& from,
                     const Tokenizer& tokenizer) {
  if (!from.checkpoint.empty() || !o.start.init.empty()) return;
  model.vocab = tokenizer.vocab_size();
  require_memory(o, model);
}

}  // namespace

PreparedTask prepare_tokens(const TrainOptions& o, const StartPoint& from, TrainSink& sink) {
  DecoderOptions model = text_model_options(o, from.checkpoint);
  require_memory(o, model);
  sink.preparing("opening the tokens", 0, 0);
  if (o.text.split == SplitBy::records) {
    refuse_training("token files have no records to `split`; set `split` to end", "end", "records");
  }
  if (from.checkpoint.empty() && !file_exists(o.text.tokenizer)) {
    refuse_training(
        "tokens need the tokenizer.json that made them as `tokenizer`; no such file: '" +
            o.text.tokenizer + "'",
        "a tokenizer.json", o.text.tokenizer);
  }
  std::unique_ptr<Tokenizer> tokenizer = open_tokenizer(
      from.checkpoint.empty() ? o.text.tokenizer : from.checkpoint + "/tokenizer.json");
  take_vocabulary(model, o, from, *tokenizer);
  auto training = std::make_shared<TokenFile>(o.data.sources[0]);
  std::shared_ptr<TokenFile> validation;
  if (o.data.sources.size() > 1) {
    validation = std::make_shared<TokenFile>(o.data.sources[1]);
  } else if (o.data.val_fraction > 0) {
    const int64_t size = training->size();
    const auto cut = static_cast<int64_t>((1 - o.data.val_fraction) * static_cast<double>(size));
    validation = std::make_shared<TokenFile>(o.data.sources[0]);
    training->keep(0, cut);
    validation->keep(cut, size);
  }
  PreparedTask prepared;
  prepared.checksum = checksum_of_ends(o.data.sources);
  prepared.validates = validation != nullptr;
  from.require_same(prepared.checksum);
  auto task = std::make_unique<TextTask>(o, std::move(tokenizer), make_text_model(o, model),
                                         training, validation);
  task->carry(carried_files(o, from.checkpoint));
  prepared.summary = summary(o, *task);
  prepared.task = std::move(task);
  return prepared;
}

PreparedTask prepare_text(const TrainOptions& o, const StartPoint& from, TrainSink& sink) {
  DecoderOptions model = text_model_options(o, from.checkpoint);
  require_memory(o, model);  // a lower bound before the vocabulary is known
  if (from.checkpoint.empty()) check_tokenizer(o);
  sink.preparing("reading the text", 0, 0);
  const TextOfRecords read = read_records(o.data.sources);
  const std::string& text = read.text;
  PreparedTask prepared;
  prepared.checksum = xxhash64(text);
  from.require_same(prepared.checksum);
  const RecordSplit by_records = records_of(o, read);
  const TextSplit parts = by_records.training.empty()
                              ? split_text(text, o.data.val_fraction)
                              : TextSplit{by_records.training, by_records.validation};
  prepared.validates = !parts.validation.empty();
  std::unique_ptr<Tokenizer> tokenizer = from.checkpoint.empty()
                                             ? make_tokenizer(o, text, parts.training, sink)
                                             : open_tokenizer(from.checkpoint + "/tokenizer.json");
  take_vocabulary(model, o, from, *tokenizer);
  auto task = std::make_unique<TextTask>(o, std::move(tokenizer), make_text_model(o, model),
                                         parts.training, parts.validation);
  task->carry(carried_files(o, from.checkpoint));
  prepared.summary = summary(o, *task);
  prepared.task = std::move(task);
  return prepared;
}

}  // namespace gyre
