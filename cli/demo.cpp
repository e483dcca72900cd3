#include <cmath>

#include "cli/commands.h"
#include "cli/demo_glosses.h"
#include "cli/demo_mammals.h"
#include "gyre/base/error.h"
#include "gyre/io/record_json.h"
#include "gyre/train/progress/text_progress.h"
#include "gyre/train/report/report.h"

namespace gyre {

struct DemoOptions {
  std::string out = "build/demo";
  double minutes = 1;
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

std::string mammals_folder(const DemoOptions& options) { return options.out + "/mammals"; }
std::string report_path(const DemoOptions& options) { return options.out + "/report.html"; }

void write_report(const DemoOptions& options, const GlossesDemo& glosses,
                  const MammalsDemo& mammals) {
  const TrainOptions& training = glosses.training;
  Report page("gyre learns WordNet",
              fmt::format("A GPT of {} layers, {} heads and width {}, with a tokenizer of its own, "
                          "trained on the definitions for {}; the mammals in a hyperbolic disk",
                          training.layers, training.heads, training.width,
                          duration_text(glosses.report.seconds)));
  page.add_section("Figures", training_figures_html(glosses.report));
  page.add_section("Bits a byte of the validation text, fewer are better",
                   bars_html(glosses.scores.named()));
  std::vector<ReportSample> samples;
  for (size_t i = 0; i < glosses.texts.size(); ++i) {
    samples.push_back({glosses.prompts[i], glosses.texts[i]});
  }
  page.add_section("Definitions that the model writes", samples_html(samples));
  page.add_section("Curves", curves_html(training.out + "/log.jsonl"));
  page.add_section("Mammals in two dimensions", mammals.html());
  page.add_section("Options", options_html(record_to_json(training)));
  page.add_section("Machine", machine_html());
  page.add_section("Files", files_html({{"model/model.safetensors", "the weights"},
                                        {"model/config.json", "what they belong to"},
                                        {"tokenizer.json", "the tokenizer"},
                                        {"model/log.jsonl", "every figure of the curves"},
                                        {"mammals/disk/embedding.tsv", "the mammals' points"}}));
  page.write(report_path(options));
}

void show_row(Output& out, const std::string& name, double number) {
  if (std::isnan(number)) {
    out.print("  {:<34} {:>6}\n", name, "-");
  } else {
    out.print("  {:<34} {:>6.3f}\n", name, number);
  }
}

Json json_of(const DemoOptions& options, const GlossesDemo& glosses, const MammalsDemo& mammals) {
  const GlossesScores& scores = glosses.scores;
  Json j = Json::object();
  j["steps"] = glosses.report.steps;
  j["parameters"] = glosses.report.parameters;
  j["seconds"] = glosses.report.seconds;
  j["val_bits_per_byte"] = scores.model;
  j["unigram"] = scores.unigram;
  j["bigram"] = scores.bigram;
  j["xz"] = scores.xz_alone;
  j["xz_after_training_text"] = scores.xz_after;
  j["definitions"] = Json::array();
  for (const std::string& text : glosses.texts) j["definitions"].push_back(text);
  j["mammals"] = Json::object();
  j["mammals"]["disk"] = record_to_json(mammals.disk);
  j["mammals"]["plane"] = record_to_json(mammals.plane);
  j["report"] = report_path(options);
  return j;
}

void show(const Invocation& call, const GlossesDemo& glosses, const MammalsDemo& mammals) {
  Output& out = call.out;
  const auto& options = call.as<DemoOptions>();
  if (call.json) {
    out.json(json_of(options, glosses, mammals));
    return;
  }
  out.print("\n{}\n", out.heading("Definitions that the model writes"));
  for (const std::string& text : glosses.texts) out.print("  {}\n", text);
  out.print("\n{}\n", out.heading("Bits a byte of the validation text"));
  for (const auto& [name, bits] : glosses.scores.named()) show_row(out, name, bits);
  out.print("\n{}\n", out.heading("Mean rank of what is above a mammal, in two dimensions"));
  for (const auto& [name, report] : mammals.named()) show_row(out, name, report->mean_rank);
  out.print(
      "\n{} parameters, {} steps in {:.0f} s; all of it as a page: {}\n"
      "the model is in {}/model, the mammals in {}: try\n"
      "  gyre generate {}/model --prompt \"a kind of\" --temperature 0.7\n"
      "  gyre embed query {}/disk dog\n",
      glosses.report.parameters, glosses.report.steps, glosses.report.seconds, report_path(options),
      options.out, mammals.folder, options.out, mammals.folder);
}

void check(const DemoOptions& options) {
  if (!(options.minutes > 0) || options.minutes > 1e4)
    throw UsageError("--minutes: expected more than 0");
  if (options.steps < 0) throw UsageError("--steps: expected 0 or more");
  if (options.samples < 0) throw UsageError("--samples: expected 0 or more");
  check_glosses_folder(options.out);
  check_mammals_folder(mammals_folder(options));
}

int run_demo(const Invocation& call) {
  const auto& options = call.as<DemoOptions>();
  check(options);
  const GlossesDemo glosses = GlossesDemo::learn(
      {options.out, options.minutes, options.steps, options.samples, options.seed});
  if (glosses.report.interrupted) return kInterrupted;
  const MammalsDemo mammals = MammalsDemo::learn(mammals_folder(options), options.seed);
  if (mammals.interrupted()) return kInterrupted;
  write_report(options, glosses, mammals);
  show(call, glosses, mammals);
  if (glosses.scores.model < glosses.scores.bigram) return kDone;
  throw Error(Code::numeric, "demo", "the model did not beat the bigram model; train for longer");
}

}  // namespace

const Command demo_command{
    "demo",
    "trains a small GPT on WordNet's definitions and places its mammals in a disk",
    "gyre demo --minutes 1",
    {},
    record_of<DemoOptions>,
    run_demo};

}  // namespace gyre
