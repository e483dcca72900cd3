#include "cli/demo_mammals.h"

#include <fmt/format.h>

#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/interrupt.h"
#include "gyre/base/system/terminal.h"
#include "gyre/embed/embed.h"
#include "gyre/embed/embed_progress.h"
#include "gyre/train/report/report.h"

namespace gyre {
namespace {

constexpr const char *kDisk = "/disk", *kPlane = "/plane";

EmbedReport place(const std::string& out, Geometry model, int64_t seed) {
  EmbedOptions options;
  options.data = "wordnet:mammals";
  options.run.out = out;
  options.model = model;
  options.dim = 2;
  options.run.seed = seed;
  options.baseline = false;
  remove_tree(out);
  EmbedText progress(stderr, is_terminal(stderr), note_interrupts);
  return embed(options, {}, progress);
}

}  // namespace

MammalsDemo MammalsDemo::learn(const std::string& folder, int64_t seed) {
  check_mammals_folder(folder);
  MammalsDemo demo{folder};
  demo.disk = place(folder + kDisk, Geometry::poincare, seed);
  if (!demo.interrupted()) demo.plane = place(folder + kPlane, Geometry::euclidean, seed);
  return demo;
}

std::vector<std::pair<std::string, const EmbedReport*>> MammalsDemo::named() const {
  return {{"Poincaré disk", &disk}, {"Euclidean plane", &plane}};
}

std::string MammalsDemo::html() const {
  std::vector<std::pair<std::string, double>> ranks, precisions;
  for (const auto& [name, report] : named()) {
    ranks.emplace_back(name, report->rank.mean_rank);
    precisions.emplace_back(name, report->rank.map);
  }
  return "<div class=\"plots\">\n" + read_file(folder + kDisk + "/disk.svg") +
         read_file(folder + kPlane + "/disk.svg") +
         "</div>\n<h3>Hypernyms of a mammal: mean rank (best: 1)</h3>\n" + bars_html(ranks) +
         "<h3>Hypernyms of a mammal: mean average precision (best: 1)</h3>\n" +
         bars_html(precisions);
}

void check_mammals_folder(const std::string& folder) {
  for (const char* part : {kDisk, kPlane}) {
    const std::string out = folder + part;
    if (file_exists(out) && !file_exists(out + "/taxonomy.safetensors")) {
      throw Error(Code::value, "demo",
                  out + " exists and was not written by gyre demo; choose another --out");
    }
  }
}

}  // namespace gyre
