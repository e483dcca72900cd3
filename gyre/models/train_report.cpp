#include "gyre/models/train_report.h"

#include "gyre/base/file.h"
#include "gyre/train/report.h"
#include "gyre/train/training_log.h"

namespace gyre {
namespace {

std::vector<ReportSample> samples_of(const std::string& log) {
  constexpr size_t kShown = 4;  // the last
  std::vector<ReportSample> all;
  for (const Json& entry : read_training_log(log)) {
    if (const Json* text = entry.find("sample")) all.push_back({"", text->as_string("sample")});
  }
  if (all.size() > kShown) all.erase(all.begin(), all.end() - kShown);
  return all;
}

std::vector<ReportFile> files_of(const std::string& out) {
  const ReportFile known[] = {{"model.safetensors", "the weights"},
                              {"config.json", "the model"},
                              {"model.json", "the model"},
                              {"tokenizer.json", "the tokenizer"},
                              {"log.jsonl", "every step that was noted"},
                              {"loss.svg", "the losses alone"}};
  std::vector<ReportFile> files;
  for (const ReportFile& file : known) {
    if (file_exists(out + "/" + file.path)) files.push_back(file);
  }
  return files;
}

}  // namespace

void write_report(const TrainOptions& o, const Json& shown, const std::string& summary,
                  const TrainReport& report) {
  const std::string log = o.out + "/log.jsonl";
  Report page("Training of " + o.out, summary);
  page.add_section("What it came to", training_figures_html(report));
  page.add_section("Curves", curves_html(log));
  if (auto samples = samples_of(log); !samples.empty()) {
    page.add_section("What the model writes", samples_html(samples));
  }
  page.add_section("Options", options_html(shown));
  page.add_section("Machine", machine_html());
  page.add_section("Files", files_html(files_of(o.out)));
  page.write(o.out + "/report.html");
}

}  // namespace gyre
