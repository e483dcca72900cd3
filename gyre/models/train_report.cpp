#include "gyre/models/train_report.h"

#include "gyre/base/system/file.h"
#include "gyre/train/log/training_log.h"
#include "gyre/train/report/report.h"

namespace gyre {
namespace {

std::vector<ReportSample> samples_of(const std::string& log) {
  constexpr size_t kShown = 4;  // the last samples
  std::vector<ReportSample> all;
  for (const Json& entry : read_training_log(log)) {
    if (const Json* text = entry.find("sample")) all.push_back({"", text->as_string("sample")});
  }
  if (all.size() > kShown) all.erase(all.begin(), all.end() - kShown);
  return all;
}

// Results of a run; without new steps, time and throughput of the last run that had some.
TrainReport with_speed(TrainReport report, const std::string& log) {
  if (report.new_steps > 0) return report;
  for (const Json& entry : read_training_log(log)) {
    const Json *elapsed = entry.find("elapsed"), *speed = entry.find("tokens_per_second");
    if (elapsed && elapsed->is_number()) report.seconds = elapsed->as_real();
    if (speed && speed->is_number()) report.tokens_per_second = speed->as_real();
  }
  return report;
}

std::vector<ReportFile> files_of(const std::string& out) {
  const ReportFile known[] = {
      {"model.safetensors", "the weights"}, {"config.json", "the model"},
      {"model.json", "the model"},          {"tokenizer.json", "the tokenizer"},
      {"log.jsonl", "the training log"},    {"loss.svg", "the loss curves"}};
  std::vector<ReportFile> files;
  for (const ReportFile& file : known) {
    if (file_exists(out + "/" + file.path)) files.push_back(file);
  }
  return files;
}

}  // namespace

void write_report(const TrainOptions& o, const Json& shown, const std::string& summary,
                  const TrainReport& report) {
  const std::string log = o.trainer.run.out + "/log.jsonl";
  Report page("Training run: " + o.trainer.run.out, summary);
  page.add_section("Results", training_figures_html(with_speed(report, log)));
  page.add_section("Curves", curves_html(log));
  if (!o.trainer.log.compare.empty()) {
    std::vector<std::string> folders{o.trainer.run.out};
    folders.insert(folders.end(), o.trainer.log.compare.begin(), o.trainer.log.compare.end());
    page.add_section("Compared with other runs", comparison_html(folders));
  }
  if (auto samples = samples_of(log); !samples.empty()) {
    page.add_section("Samples", samples_html(samples));
  }
  page.add_section("Options", options_html(shown));
  page.add_section("Machine", machine_html());
  page.add_section("Files", files_html(files_of(o.trainer.run.out)));
  page.write(o.trainer.run.out + "/report.html");
}

}  // namespace gyre
