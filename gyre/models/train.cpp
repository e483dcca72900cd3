#include "gyre/models/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "gyre/base/counted.h"
#include "gyre/base/error.h"
#include "gyre/base/file.h"
#include "gyre/base/file_lock.h"
#include "gyre/base/interrupt.h"
#include "gyre/base/memory.h"
#include "gyre/base/thread_pool.h"
#include "gyre/base/xxhash64.h"
#include "gyre/data/text_source.h"
#include "gyre/io/record_json.h"
#include "gyre/models/text_task.h"
#include "gyre/text/bpe_trainer.h"
#include "gyre/text/char_tokenizer.h"
#include "gyre/train/text_progress.h"
#include "gyre/train/trainer.h"

namespace gyre {
namespace {

constexpr TrainPreset kPresets[] = {
    {"chargpt", "nanoGPT's model of characters: 0.8 M parameters, 2,000 steps",
     [](TrainOptions& o) {
       o.tokenizer = "char";
       o.bias = false;
       o.activation = Activation::gelu;
       o.eval_every = o.save_every = 0;
     }},
    {"glosses", "definitions: 2,048 pieces, 1.8 M parameters, about three minutes on two cores",
     [](TrainOptions& o) {
       o.tokenizer = "bpe:2048";
       o.width = 160;
       o.heads = 5;
       o.batch = 24;
       o.steps = 3000;
       o.lr = 2e-3;
       o.eval_every = o.save_every = 500;
       o.eval_batches = 50;
     }},
    {"gpt2", "the smallest GPT-2: 12 layers, 124 M parameters",
     [](TrainOptions& o) {
       o.tokenizer = "bpe:50257";
       o.layers = o.heads = 12;
       o.width = 768;
       o.block = 1024;
       o.batch = 4;
       o.accumulate = 8;
       o.lr = 6e-4;
       o.beta2 = 0.95;
     }},
};

// What may differ between a training and its continuation: `steps` gives the rest of it another
// schedule, the others do not change the numbers.
constexpr std::string_view kFree[] = {"out",        "resume",    "stop_at",
                                      "steps",      "threads",   "eval_every",
                                      "save_every", "log_every", "eval_batches"};

[[noreturn]] void refuse(const std::string& message, std::string expected = {},
                         std::string actual = {}) {
  throw Error(Code::value, "train", message, std::move(expected), std::move(actual));
}

// Sets those fields of `to` that `names` lists to what they are in `from`.
void copy_fields(const Json& from, std::span<const std::string> names, TrainOptions& to) {
  Json part = Json::object();
  for (const std::string& name : names) {
    const Json* value = from.find(name);
    if (!value) refuse("there is no option " + name, {}, name);
    part[name] = *value;
  }
  record_from_json(to, part);
}

TrainOptions with_preset(const TrainOptions& options, std::span<const std::string> given) {
  if (options.preset.empty()) return options;
  std::string known;
  const TrainPreset* chosen = nullptr;
  for (const TrainPreset& preset : kPresets) {
    if (options.preset == preset.name) chosen = &preset;
    known += (known.empty() ? "" : ", ") + std::string(preset.name);
  }
  if (!chosen) {
    refuse("`preset` is one of " + known + ", not " + options.preset, known, options.preset);
  }
  TrainOptions o;
  chosen->apply(o);
  copy_fields(record_to_json(options), given, o);
  o.preset = options.preset;
  o.data = options.data;
  o.out = options.out;
  o.resume = options.resume;
  return o;
}

Json stored(const TrainOptions& o) {
  Json all = record_to_json(o), json = Json::object(), data = Json::array();
  for (const Json::Member& member : all.as_object()) {
    constexpr std::string_view kOfTheRun[] = {"out", "resume", "stop_at", "threads"};
    if (std::find(std::begin(kOfTheRun), std::end(kOfTheRun), member.key) == std::end(kOfTheRun)) {
      json[member.key] = member.value;
    }
  }
  for (const std::string& source : o.data) data.push_back(lasting_name(source));
  json["data"] = std::move(data);
  return json;
}

// The options of a checkpoint, changed where that is free.
TrainOptions continued(const TrainOptions& options, std::span<const std::string> given,
                       const Json& from) {
  TrainOptions o;
  Json fields = Json::object(), now = record_to_json(options);
  for (const Json::Member& member : from.as_object("options")) {
    if (member.key != "data") fields[member.key] = member.value;
  }
  record_from_json(o, fields);
  for (const std::string& name : given) {
    if (std::find(std::begin(kFree), std::end(kFree), name) != std::end(kFree)) {
      copy_fields(now, {&name, 1}, o);
    } else if (const Json* before = fields.find(name), *wanted = now.find(name);
               !before || !wanted || !(*before == *wanted)) {
      refuse("the training in " + options.out + " has `" + name + "` " +
                 (before ? before->dump() : "none") + " and cannot go on with " +
                 (wanted ? wanted->dump() : "none"),
             before ? before->dump() : "", wanted ? wanted->dump() : "");
    }
  }
  o.out = options.out;
  o.resume = true;
  o.data = options.data;
  if (o.data.empty()) {
    for (const Json& source : from.at("data").as_array("data")) {
      o.data.push_back(source.as_string("data"));
    }
  }
  return o;
}

// The newest checkpoint that is whole. Newer ones that are not make room for those to come.
TrainState newest_state(const std::string& out, TrainSink& sink) {
  CheckpointStore store(out + "/checkpoints");
  std::vector<int64_t> steps = store.steps();
  if (steps.empty())
    refuse("there is no checkpoint in " + out + " to `resume` from", "a checkpoint");
  for (size_t i = steps.size(); i-- > 0;) {
    try {
      TrainState state = store.read(steps[i]);
      for (size_t damaged = i + 1; damaged < steps.size(); ++damaged) {
        remove_tree(store.path(steps[damaged]));
      }
      return state;
    } catch (const Error& e) {
      if (i == 0) throw;
      sink.warned(store.path(steps[i]) + " cannot be used (" + e.what() + "); going back to step " +
                  std::to_string(steps[i - 1]));
    }
  }
  refuse("there is no checkpoint in " + out);
}

uint64_t checksum(std::string_view text) {
  Xxhash64 hash;
  hash.update(std::as_bytes(std::span(text)));
  return hash.digest();
}

std::unique_ptr<Tokenizer> learn_bpe(std::string_view size, std::string_view text,
                                     TrainSink& sink) {
  constexpr int32_t kBytes = 256;  // all of them are tokens
  BpeTrainerOptions options;
  auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), options.vocab_size);
  if (error != std::errc{} || end != size.data() + size.size() || options.vocab_size < kBytes) {
    refuse(
        fmt::format("`tokenizer` bpe:N takes {} to {} tokens, not '{}'", kBytes, INT32_MAX, size),
        "bpe:N", "bpe:" + std::string(size));
  }
  BpeTrainer trainer(options);
  sink.preparing("learning the tokenizer", 0, 0);
  trainer.add(text);
  return trainer.train(
      [&](int32_t done, int32_t total) { sink.preparing("learning the tokenizer", done, total); });
}

// Characters are those of the whole text, since one that is unknown cannot be encoded; BPE learns
// from the training part only.
std::unique_ptr<Tokenizer> make_tokenizer(const TrainOptions& o, const std::string& text,
                                          std::string_view training, TrainSink& sink) {
  constexpr std::string_view kBpe = "bpe:";
  if (o.tokenizer == "char") return CharTokenizer::train(text);
  if (o.tokenizer.starts_with(kBpe)) {
    return learn_bpe(std::string_view(o.tokenizer).substr(kBpe.size()), training, sink);
  }
  if (!file_exists(o.tokenizer)) {
    refuse("`tokenizer` is char, bpe:N or a file; there is no file '" + o.tokenizer + "'",
           "char, bpe:N or a file", o.tokenizer);
  }
  return load_tokenizer(o.tokenizer);
}

std::string summary(const TrainOptions& o, TextTask& task) {
  return fmt::format(
      "GPT of {}, {}, width {}, block {}: {} parameters; {} tokens of text, {} in the vocabulary; "
      "cpu, {}",
      counted(o.layers, "layer"), counted(o.heads, "head"), o.width, o.block,
      grouped(task.model().parameter_count()), grouped(task.training_tokens()),
      grouped(task.tokenizer().vocab_size()), counted(num_threads(), "thread"));
}

// The folder of a training, held while it runs. What a start that failed or was interrupted has
// made goes again.
class OutFolder {
 public:
  explicit OutFolder(std::string path) : path_(std::move(path)), made_(!file_exists(path_)) {
    create_directories(path_);
    try {
      lock_.emplace(path_ + "/" + kLock);
      removed_.emplace(*lock_, made_ ? path_.c_str() : nullptr);
      remove_unfinished_files(path_);
    } catch (const Error& error) {
      if (error.code != Code::resource) throw;
      throw Error(Code::resource, "lock", "another training is running in " + path_);
    }
  }
  OutFolder(const OutFolder&) = delete;
  OutFolder& operator=(const OutFolder&) = delete;
  ~OutFolder() {
    try {
      if (made_ && list_directory(path_) == std::vector<std::string>{kLock}) remove_tree(path_);
    } catch (const Error&) {  // it is not ours to tidy
    }
  }

 private:
  static constexpr const char* kLock = ".lock";
  std::string path_;
  bool made_;
  std::optional<FileLock> lock_;
  std::optional<RemovedWhenInterrupted> removed_;
};

}  // namespace

std::span<const TrainPreset> train_presets() { return kPresets; }

TrainReport train(const TrainOptions& options, std::span<const std::string> given,
                  TrainSink& sink) {
  if (options.out.empty()) refuse("`out` is missing: the folder that gets the model");
  TrainOptions o = with_preset(options, given);
  if (std::find(given.begin(), given.end(), "warmup") == given.end()) {
    o.warmup = std::min(o.warmup, std::max<int64_t>(o.steps, 0) / 10);  // short trainings too
  }
  if (!o.resume) check_train_options(o);
  OutFolder folder(o.out);
  CheckpointStore(o.out + "/checkpoints").recover();
  TrainState state;
  if (o.resume) {
    state = newest_state(o.out, sink);
    o = continued(options, given, state.options);
    check_train_options(o);
    if (o.steps < state.step) {
      refuse(fmt::format("the training in {} has done {} steps, more than `steps` {}", o.out,
                         state.step, o.steps));
    }
  } else if (!CheckpointStore(o.out + "/checkpoints").steps().empty()) {
    refuse(o.out + " already holds a training: `resume` goes on with it; else choose another `out`",
           "a new folder", o.out);
  }
  if (o.threads > 0) set_num_threads(static_cast<int>(o.threads));
  require_memory(o, 1);  // whatever the vocabulary will be
  sink.preparing("reading the text", 0, 0);
  std::string text = read_text(o.data);
  uint64_t data = checksum(text);
  if (o.resume && data != state.data) {
    refuse("the text differs from what the training in " + o.out + " began with");
  }
  TextSplit parts = split_text(text, o.val_fraction);
  std::unique_ptr<Tokenizer> tokenizer =
      o.resume ? load_tokenizer(CheckpointStore(o.out + "/checkpoints").path(state.step) +
                                "/tokenizer.json")
               : make_tokenizer(o, text, parts.training, sink);
  require_memory(o, tokenizer->vocab_size());
  TextTask task(o, std::move(tokenizer), parts.training, parts.validation);
  state.data = data;
  state.options = stored(o);
  if (!o.resume) state.random.seed = static_cast<uint64_t>(o.seed);
  sink.started(summary(o, task));
  return run_training(task, o, std::move(state), sink);
}

TrainReport train(const TrainOptions& options, TrainSink& sink) {
  if (!options.preset.empty()) refuse("a `preset` needs the names of the options that were given");
  std::vector<std::string> all;
  for (const Field& field : record_of<TrainOptions>.fields) all.emplace_back(field.name);
  return train(options, all, sink);
}

}  // namespace gyre
