#include "cli/demo_glosses.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <utility>

#include "gyre/base/error.h"
#include "gyre/base/system/child_process.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/system/terminal.h"
#include "gyre/data/text_source.h"
#include "gyre/models/generation/generate.h"
#include "gyre/models/language_model.h"
#include "gyre/models/train.h"
#include "gyre/registry/layer_table.h"
#include "gyre/registry/optimizer_table.h"
#include "gyre/text/bpe/bpe_trainer.h"
#include "gyre/text/tokenizer.h"
#include "gyre/train/progress/text_progress.h"
#include "gyre/train/report/baselines.h"

namespace gyre {
namespace {

constexpr const char *kSource = "wordnet:glosses", *kPreset = "glosses";
constexpr int32_t kTokens = 4096;
constexpr int64_t kPerplexityTokens = 5'000;  // of the validation text
constexpr int64_t kTrialSteps = 12;           // of the run that measures a step's time
constexpr int64_t kEvaluationSteps = 50;      // at least, from one evaluation to the next
constexpr const char* kPrompts[] = {"a genus of", "the act of", "a person who", "of or relating to",
                                    "any of various"};

TrainOptions model_options(const GlossesOptions& options) {
  TrainOptions t;
  t.preset = kPreset;
  t.data.sources = {kSource};
  t.trainer.run.out = options.out + "/model";
  t.text.tokenizer = options.out + "/tokenizer.json";
  t.trainer.run.seed = options.seed;
  t = resolve(t, std::vector<std::string>{"preset", "out", "tokenizer", "seed"}, optimizer_table())
          .options;
  t.preset.clear();  // all options have its values
  return t;
}

// Size of a file compressed by `xz -9`; NaN without xz.
double xz_bytes(const std::string& path) {
  try {
    std::vector<std::string> words{"xz", "-9", "-c", path};
    ChildProcess xz(words);
    size_t bytes = xz.read_all().size();
    return xz.wait() == 0 ? static_cast<double>(bytes) : NAN;
  } catch (const Error&) {
    return NAN;
  }
}

// As the training run splits them.
RecordSplit definitions() {
  const std::string text = wordnet_glosses();
  return split_records(text, line_ends(text), TrainOptions().data.val_fraction);
}

GlossesScores baselines(const GlossesOptions& options, const RecordSplit& split) {
  // xz takes as long as the rest, so it runs beside it; its files lie in the model's folder, which
  // holds nothing of others.
  auto compressed = [&](const char* name, std::string all) {
    const std::string path = options.out + "/model/" + name;
    return std::async(std::launch::async, [path, text = std::move(all)] {
      write_file_atomic(path, text);
      const double bytes = xz_bytes(path);
      remove_tree(path);
      return bytes;
    });
  };
  auto validation = compressed("validation.txt", split.validation);
  auto training = compressed("training.txt", split.training);
  auto both = compressed("both.txt", split.training + split.validation);

  GlossesScores scores;
  scores.unigram = unigram_bits_per_byte(split.training, split.validation);
  scores.bigram = ngram_bits_per_byte(split.training, split.validation, 1);
  scores.five = ngram_bits_per_byte(split.training, split.validation, 5);
  const double bits = 8.0 / static_cast<double>(split.validation.size());
  scores.xz_alone = validation.get() * bits;
  scores.xz_after = (both.get() - training.get()) * bits;
  return scores;
}

void learn_tokenizer(const GlossesOptions& options, std::string_view text, TrainSink& sink) {
  BpeTrainer trainer({kTokens});
  trainer.add(text);
  trainer
      .train([&](int32_t learned, int32_t wanted) {
        sink.preparing("training the tokenizer", learned, wanted);
      })
      ->save(options.out + "/tokenizer.json");
}

// Times a few steps to find how many fit into the given time.
int64_t steps_in(const GlossesOptions& options, TrainSink& sink) {
  TrainOptions trial = model_options(options);
  trial.trainer.schedule.steps = kTrialSteps;
  trial.trainer.schedule.warmup = 0;
  trial.trainer.evaluation.every = trial.trainer.checkpoints.every = 0;
  trial.text.eval_batches = 1;
  sink.preparing("measuring the time of a step", 0, 0);
  struct Quiet : TrainSink {
    double elapsed = 0;
    int64_t steps = 0;
    void stepped(const StepProgress& p) override {
      elapsed = p.elapsed;
      steps = p.step;
    }
  } quiet;
  train(trial, layer_table(), optimizer_table(), quiet);
  remove_tree(trial.trainer.run.out);
  double step =
      std::max(quiet.elapsed, 1e-6) / static_cast<double>(std::max<int64_t>(quiet.steps, 1));
  return std::max<int64_t>(kTrialSteps, static_cast<int64_t>(options.minutes * 60 / step));
}

std::string prompt_of(size_t sample) { return kPrompts[sample % std::size(kPrompts)]; }

std::string write_definition(const std::string& model, size_t sample, int64_t seed) {
  GenerateOptions g;
  g.prompt = "\n" + prompt_of(sample);
  g.max_tokens = 40;
  g.sampling.temperature = 0.5;
  g.sampling.top_k = 50;
  g.sampling.seed = seed + static_cast<int64_t>(sample);
  const std::string text = generate(model, g).text.substr(1);
  return text.substr(0, text.find('\n'));
}

Perplexity perplexity_of(const std::string& folder, std::string_view text) {
  const auto model = load_language_model(folder, FileAccess::map);
  model->eval();
  const auto tokenizer = load_tokenizer(folder + "/tokenizer.json");
  const std::vector<int32_t> tokens = tokenizer->encode(text);
  std::vector<int32_t> bytes;
  for (int32_t id : tokens) bytes.push_back(static_cast<int32_t>(tokenizer->bytes(id).size()));
  return perplexity(*model, tokens, bytes, {.max_tokens = kPerplexityTokens});
}

GlossesPacked pack_model(const GlossesOptions& options, std::string_view text, TrainSink& sink) {
  const std::string dense = options.out + "/model";
  GlossesPacked made{{.format = PackedFormat::D4, .out = dense + "/packed"}};
  made.report = compress_folder(dense, made.options, [&](const CompressProgress& now) {
    sink.preparing("packing the weights", now.done, now.all);
  });
  sink.preparing("comparing packed and f32 weights", 0, 0);
  made.dense = perplexity_of(dense, text);
  made.packed = perplexity_of(made.options.out, text);
  made.prompt = prompt_of(0);
  made.dense_text = write_definition(dense, 0, options.seed);
  made.packed_text = write_definition(made.options.out, 0, options.seed);
  return made;
}

}  // namespace

std::vector<std::pair<std::string, double>> GlossesScores::named() const {
  return {{"gyre's GPT", model},     {"bytes, unigram", unigram},
          {"bytes, bigram", bigram}, {"bytes, five before each", five},
          {"xz -9", xz_alone},       {"xz -9, given the training text", xz_after}};
}

const char* GlossesPacked::format() const {
  return kPackedFormatNames[static_cast<size_t>(options.format)];
}

std::vector<GlossesPacked::Row> GlossesPacked::rows() const {
  const auto size = [](int64_t bytes) { return size_text(static_cast<double>(bytes)); };
  return {{"model.safetensors", size(report.bytes_before), size(report.bytes)},
          {"perplexity of the validation text", fmt::format("{:.2f}", dense.perplexity),
           fmt::format("{:.2f}", packed.perplexity)}};
}

GlossesDemo GlossesDemo::learn(const GlossesOptions& options) {
  TextProgress progress(stderr, is_terminal(stderr), note_interrupts);
  const RecordSplit text = definitions();
  create_directories(options.out);
  remove_tree(options.out + "/model");
  learn_tokenizer(options, text.training, progress);

  GlossesDemo demo{model_options(options)};
  TrainOptions& t = demo.training;
  t.trainer.schedule.steps = options.steps ? options.steps : steps_in(options, progress);
  t.trainer.schedule.warmup = std::min<int64_t>(100, t.trainer.schedule.steps / 10);
  t.trainer.evaluation.every = t.trainer.checkpoints.every =
      std::max<int64_t>(kEvaluationSteps, t.trainer.schedule.steps / 5);
  demo.report = train(t, layer_table(), optimizer_table(), progress);
  if (demo.report.interrupted) return demo;
  end_when_interrupted();

  progress.preparing("scoring unigram, bigram and xz -9", 0, 0);
  demo.scores = baselines(options, text);
  demo.scores.model = demo.report.val.bits_per_byte;
  for (size_t i = 0; i < static_cast<size_t>(options.samples); ++i) {
    demo.prompts.push_back(prompt_of(i));
    demo.texts.push_back(write_definition(t.trainer.run.out, i, options.seed));
  }
  demo.packed = pack_model(options, text.validation, progress);
  return demo;
}

void check_glosses_folder(const std::string& out) {
  const std::string model = out + "/model";
  const bool ours = file_exists(out + "/tokenizer.json") && file_exists(model + "/log.jsonl");
  if (file_exists(model) && !ours) {
    throw Error(Code::value, "demo",
                model + " exists and was not written by gyre demo; choose another --out");
  }
}

}  // namespace gyre
