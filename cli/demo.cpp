#include <algorithm>
#include <cmath>

#include "cli/commands.h"
#include "gyre/base/child_process.h"
#include "gyre/base/error.h"
#include "gyre/base/file.h"
#include "gyre/base/interrupt.h"
#include "gyre/base/terminal.h"
#include "gyre/data/text_source.h"
#include "gyre/io/record_json.h"
#include "gyre/models/generate.h"
#include "gyre/models/train.h"
#include "gyre/registry/layer_table.h"
#include "gyre/text/bpe_trainer.h"
#include "gyre/train/baselines.h"
#include "gyre/train/report.h"
#include "gyre/train/text_progress.h"

namespace gyre {

struct DemoOptions {
  std::string out = "build/demo";
  double minutes = 3;
  int64_t steps = 0;
  int64_t samples = 5;
  int64_t seed = 1;
};
GYRE_FIELDS(DemoOptions,
            GYRE_FIELD(out, "folder that gets the tokenizer, the model and report.html"),
            GYRE_FIELD(minutes, "time to train for"),
            GYRE_FIELD(steps, "steps to train for, in place of a time; 0: as many as fit"),
            GYRE_FIELD(samples, "definitions to write"),
            GYRE_FIELD(seed, "of weights, batches and samples"));

namespace {

constexpr const char *kSource = "wordnet:glosses", *kPreset = "glosses";
constexpr int32_t kTokens = 2048;
constexpr int64_t kTrialSteps = 12;  // that tell how long a step takes
constexpr const char* kPrompts[] = {"a small", "the act of", "a person who", "(chemistry)",
                                    "having or"};

struct Scores {
  double model = 0, unigram = 0, bigram = 0, xz_alone = NAN, xz_after = NAN;
};

TrainOptions model_options(const DemoOptions& options) {
  TrainOptions t;
  for (const TrainPreset& preset : train_presets()) {
    if (std::string_view(preset.name) == kPreset) preset.apply(t);
  }
  t.data = {kSource};
  t.out = options.out + "/model";
  t.tokenizer = options.out + "/tokenizer.json";
  t.seed = options.seed;
  return t;
}

// Bytes that `xz -9` makes of a text; NaN without xz.
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

Scores baselines(const DemoOptions& options, const std::string& text) {
  TextSplit split = split_text(text, TrainOptions().val_fraction);
  Scores scores;
  scores.unigram = unigram_bits_per_byte(split.training, split.validation);
  scores.bigram = bigram_bits_per_byte(split.training, split.validation);
  auto bytes_of = [&](std::string_view part) {
    std::string path = options.out + "/part.txt";
    write_file_atomic(path, part);
    double bytes = xz_bytes(path);
    remove_tree(path);
    return bytes;
  };
  double bits = 8.0 / static_cast<double>(split.validation.size());
  scores.xz_alone = bytes_of(split.validation) * bits;
  scores.xz_after = (bytes_of(text) - bytes_of(split.training)) * bits;
  return scores;
}

void learn_tokenizer(const DemoOptions& options, const std::string& text, TrainSink& sink) {
  BpeTrainer trainer({kTokens});
  trainer.add(text);
  trainer
      .train([&](int32_t learned, int32_t wanted) {
        sink.preparing("learning the tokenizer", learned, wanted);
      })
      ->save(options.out + "/tokenizer.json");
}

// Trains a few steps to see how many fit into the time that is left.
int64_t steps_in(const DemoOptions& options, TrainSink& sink) {
  TrainOptions trial = model_options(options);
  trial.out = options.out + "/trial";
  trial.steps = kTrialSteps;
  trial.warmup = 0;
  trial.eval_every = trial.save_every = 0;
  trial.eval_batches = 1;
  remove_tree(trial.out);
  sink.preparing("measuring the time of a step", 0, 0);
  struct Quiet : TrainSink {
    double elapsed = 0;
    int64_t steps = 0;
    void stepped(const StepProgress& p) override {
      elapsed = p.elapsed;
      steps = p.step;
    }
  } quiet;
  train(trial, layer_table(), quiet);
  remove_tree(trial.out);
  double step =
      std::max(quiet.elapsed, 1e-6) / static_cast<double>(std::max<int64_t>(quiet.steps, 1));
  return std::max<int64_t>(kTrialSteps, static_cast<int64_t>(options.minutes * 60 / step));
}

const char* prompt_of(size_t sample) { return kPrompts[sample % std::size(kPrompts)]; }

std::vector<std::string> write_definitions(const DemoOptions& options) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < options.samples; ++i) {
    GenerateOptions g;
    g.prompt = std::string("\n") + prompt_of(static_cast<size_t>(i));
    g.max_tokens = 40;
    g.temperature = 0.7;
    g.top_k = 50;
    g.seed = options.seed + i;
    std::string text = generate(options.out + "/model", g).text.substr(1);
    texts.push_back(text.substr(0, text.find('\n')));
  }
  return texts;
}

// The scores with their names, in the order in which they are shown.
std::vector<std::pair<std::string, double>> named(const Scores& scores) {
  return {{"gyre's GPT", scores.model},
          {"bytes, unigram", scores.unigram},
          {"bytes, bigram", scores.bigram},
          {"xz -9", scores.xz_alone},
          {"xz -9, after the training text", scores.xz_after}};
}

std::string report_path(const DemoOptions& options) { return options.out + "/report.html"; }

void write_report(const DemoOptions& options, const TrainOptions& training,
                  const TrainReport& report, const Scores& scores,
                  const std::vector<std::string>& texts) {
  Report page(
      "gyre learns WordNet's definitions",
      fmt::format("A GPT of {} layers, {} heads and width {}, with a tokenizer of its own, "
                  "trained on the glosses of WordNet for {}",
                  training.layers, training.heads, training.width, duration_text(report.seconds)));
  page.add_section("Figures", training_figures_html(report));
  page.add_section("Bits a byte of the validation text, fewer are better",
                   bars_html(named(scores)));
  std::vector<ReportSample> samples;
  for (size_t i = 0; i < texts.size(); ++i) samples.push_back({prompt_of(i), texts[i]});
  page.add_section("Definitions that the model writes", samples_html(samples));
  page.add_section("Curves", curves_html(training.out + "/log.jsonl"));
  page.add_section("Options", options_html(record_to_json(training)));
  page.add_section("Machine", machine_html());
  page.add_section("Files", files_html({{"model/model.safetensors", "the weights"},
                                        {"model/config.json", "what they belong to"},
                                        {"tokenizer.json", "the tokenizer"},
                                        {"model/log.jsonl", "every figure of the curves"}}));
  page.write(report_path(options));
}

void show_row(Output& out, const std::string& name, double bits) {
  if (std::isnan(bits)) {
    out.print("  {:<34} {:>6}\n", name, "-");
  } else {
    out.print("  {:<34} {:>6.3f}\n", name, bits);
  }
}

void show(const Invocation& call, const TrainReport& report, const Scores& scores,
          const std::vector<std::string>& texts) {
  Output& out = call.out;
  const auto& options = call.as<DemoOptions>();
  if (call.json) {
    Json j = Json::object();
    j["steps"] = report.steps;
    j["parameters"] = report.parameters;
    j["seconds"] = report.seconds;
    j["val_bits_per_byte"] = scores.model;
    j["unigram"] = scores.unigram;
    j["bigram"] = scores.bigram;
    j["xz"] = scores.xz_alone;
    j["xz_after_training_text"] = scores.xz_after;
    j["definitions"] = Json::array();
    for (const std::string& text : texts) j["definitions"].push_back(text);
    j["report"] = report_path(options);
    out.json(j);
    return;
  }
  out.print("\n{}\n", out.heading("Definitions that the model writes"));
  for (const std::string& text : texts) out.print("  {}\n", text);
  out.print("\n{}\n", out.heading("Bits a byte of the validation text"));
  for (const auto& [name, bits] : named(scores)) show_row(out, name, bits);
  out.print(
      "\n{} parameters, {} steps in {:.0f} s; all of it as a page: {}\n"
      "the model is in {}/model: try\n"
      "  gyre generate {}/model --prompt \"a kind of\" --temperature 0.7\n",
      report.parameters, report.steps, report.seconds, report_path(options), options.out,
      options.out);
}

void check(const DemoOptions& options) {
  if (!(options.minutes > 0) || options.minutes > 1e4)
    throw UsageError("--minutes: expected more than 0");
  if (options.steps < 0) throw UsageError("--steps: expected 0 or more");
  if (options.samples < 0) throw UsageError("--samples: expected 0 or more");
  std::string model = options.out + "/model";
  bool ours = file_exists(options.out + "/tokenizer.json") && file_exists(model + "/log.jsonl");
  if (file_exists(model) && !ours) {
    throw Error(Code::value, "demo",
                model + " exists and was not made by gyre demo; choose another --out");
  }
}

int run(const Invocation& call) {
  const auto& options = call.as<DemoOptions>();
  check(options);
  TextProgress progress(stderr, is_terminal(stderr), note_interrupts);
  std::string text = wordnet_glosses();
  create_directories(options.out);
  remove_tree(options.out + "/model");
  learn_tokenizer(options, text, progress);

  TrainOptions training = model_options(options);
  training.steps = options.steps ? options.steps : steps_in(options, progress);
  training.warmup = std::min<int64_t>(100, training.steps / 10);
  training.eval_every = training.save_every = std::max<int64_t>(1, training.steps / 5);
  TrainReport report = train(training, layer_table(), progress);
  if (report.interrupted) return kInterrupted;
  end_when_interrupted();

  progress.preparing("scoring unigram, bigram and xz -9", 0, 0);
  Scores scores = baselines(options, text);
  scores.model = report.val.bits_per_byte;
  std::vector<std::string> texts = write_definitions(options);
  write_report(options, training, report, scores, texts);
  show(call, report, scores, texts);
  if (scores.model < scores.bigram) return kDone;
  throw Error(Code::numeric, "demo", "the model did not beat the bigram model; train for longer");
}

}  // namespace

const Command demo_command{"demo",
                           "trains a small GPT on WordNet's definitions and lets it write some",
                           "gyre demo --minutes 1",
                           {},
                           record_of<DemoOptions>,
                           run};

}  // namespace gyre
