#include "gyre/train/report/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gyre/base/build_info.h"
#include "gyre/base/cpu.h"
#include "gyre/base/system/file.h"
#include "gyre/base/system/machine.h"
#include "gyre/base/system/memory.h"
#include "gyre/base/text/html.h"
#include "gyre/base/thread_pool.h"
#include "gyre/train/log/training_log.h"
#include "gyre/train/plot/line_plot.h"
#include "gyre/train/progress/text_progress.h"

namespace gyre {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --page: #ffffff; --card: #f6f7f9; --ink: #1c2126; --soft: #5b6670;
  --line: #dde2e7; --link: #1f6fb2; }
@media (prefers-color-scheme: dark) { :root { --page: #14171a; --card: #1c2024; --ink: #e4e8ec;
  --soft: #9aa5b0; --line: #31383f; --link: #6cb2ea; } }
@media print { :root { color-scheme: light; --page: #ffffff; --card: #ffffff; --ink: #000000;
  --soft: #444444; --line: #bbbbbb; --link: #000000; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1080px; margin: 0 auto; padding: 32px 24px 48px; }
h1 { font-size: 28px; line-height: 1.2; margin: 0; }
.subtitle { color: var(--soft); margin: 6px 0 0; }
h2 { font-size: 19px; margin: 36px 0 12px; padding-bottom: 4px;
  border-bottom: 1px solid var(--line); }
h3 { font-size: 15px; margin: 20px 0 6px; }
a { color: var(--link); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 4px 20px 4px 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; }
.bars { width: 100%; }
.bars td:first-child, .bars td.number { white-space: nowrap; width: 1%; }
.bars td:last-child { padding-right: 0; }
.bars span { display: block; height: 14px; margin-top: 4px; border-radius: 3px; background: #3b82c4;
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.columns { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 0 32px;
  margin: 0; }
.columns > div { display: flex; justify-content: space-between; gap: 12px; padding: 4px 0;
  border-bottom: 1px solid var(--line); break-inside: avoid; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.plots { display: grid; gap: 16px;
  grid-template-columns: repeat(auto-fit, minmax(min(440px, 100%), 1fr)); }
.plots svg, .picture svg { display: block; width: 100%; height: auto; background: var(--card);
  border: 1px solid var(--line); border-radius: 6px; padding: 8px; break-inside: avoid; }
.plots svg.wide { grid-column: 1 / -1; }
blockquote { margin: 0 0 10px; padding: 8px 14px; background: var(--card); white-space: pre-wrap;
  border-left: 3px solid var(--link); border-radius: 0 6px 6px 0; overflow-wrap: anywhere;
  break-inside: avoid; }
blockquote b { color: var(--link); }
)";

std::string text_of(const Json& value) {
  if (value.is_string()) return value.as_string();
  if (value.type() == Json::Type::real) return fmt::format("{:g}", value.as_real());
  if (!value.is_array()) return value.dump();
  std::string list;
  for (const Json& part : value.as_array()) list += (list.empty() ? "" : ", ") + text_of(part);
  return list;
}

// The last part of a path, or all of it if others end like it.
std::string name_among(std::span<const std::string> folders, const std::string& folder) {
  const auto last = [](std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path.substr(path.rfind('/') + 1);
  };
  const auto same = [&](const std::string& other) { return last(other) == last(folder); };
  return std::ranges::count_if(folders, same) > 1 ? folder : last(folder);
}

// The end of a long name.
std::string shortened(const std::string& name, size_t most) {
  if (name.size() <= most) return name;
  size_t from = name.size() - most;
  while (from < name.size() && (name[from] & 0xC0) == 0x80) ++from;  // within a character
  return "..." + name.substr(from);
}

struct Logged {
  Curve of(const char* key, const char* name, bool marked = false) const {
    Curve curve{name, {}, marked};
    for (const Json& entry : entries) {
      const Json *step = entry.find("step"), *value = entry.find(key);
      if (step && step->is_number() && value && value->is_number()) {
        curve.points.push_back({step->as_real(), value->as_real()});
      }
    }
    return curve;
  }
  std::vector<Json> entries;
};

void add_plot(std::string& html, std::vector<Curve> curves, PlotOptions options, bool wide) {
  std::erase_if(curves, [](const Curve& c) { return c.points.empty(); });
  if (curves.empty()) return;
  std::string svg = line_plot_svg(curves, options);
  if (wide) svg.replace(0, 4, "<svg class=\"wide\"");
  html += svg;
}

}  // namespace

Report::Report(std::string title, std::string subtitle)
    : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

void Report::add_section(std::string title, std::string html) {
  sections_.emplace_back(std::move(title), std::move(html));
}

std::string Report::html() const {
  std::string title = escape_html(title_);
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n<main>\n<h1>{}</h1>\n",
      title, kStyle, title);
  if (!subtitle_.empty()) page += "<p class=\"subtitle\">" + escape_html(subtitle_) + "</p>\n";
  for (const auto& [name, html] : sections_) {
    page += "<section>\n<h2>" + escape_html(name) + "</h2>\n" + html + "</section>\n";
  }
  return page + "</main>\n</body>\n</html>\n";
}

void Report::write(const std::string& path) const { write_file_atomic(path, html()); }

std::string figures_html(const std::vector<std::pair<std::string, std::string>>& figures) {
  std::string list = "<dl class=\"columns\">\n";
  for (const auto& [name, value] : figures) {
    list += "<div><dt>" + escape_html(name) + "</dt><dd>" + escape_html(value) + "</dd></div>\n";
  }
  return list + "</dl>\n";
}

std::string training_figures_html(const TrainReport& r) {
  auto number = [](double v, int digits) {
    return std::isfinite(v) ? fmt::format("{:.{}f}", v, digits) : "-";
  };
  std::vector<std::pair<std::string, std::string>> figures;
  for (const FigureDef& f : kFigures) {
    if (f.value == &Figures::loss || !std::isnan(r.val.*f.value)) {
      figures.emplace_back(std::string("validation ") + f.label, f.text(r.val));
    }
  }
  if (std::isfinite(r.initial_loss))
    figures.emplace_back("validation loss before the first step", number(r.initial_loss, 4));
  const std::string unit = r.unit == "tok" ? "tokens" : r.unit;
  const std::pair<std::string, std::string> others[] = {
      {"training loss", number(r.train_loss, 4)},
      {"best validation loss", std::isfinite(r.best_loss)
                                   ? fmt::format("{:.4f} at step {}", r.best_loss, r.best_step)
                                   : "-"},
      {"parameters", grouped(r.parameters)},
      {"steps", grouped(r.steps)},
      {"time", duration_text(r.seconds)},
      {unit + " per second", number(r.tokens_per_second, 0)}};
  figures.insert(figures.end(), std::begin(others), std::end(others));
  if (r.new_steps > 0) {
    figures.emplace_back("peak tensor memory", size_text(static_cast<double>(r.peak_bytes)));
    figures.emplace_back(
        "weights and optimiser state",
        fmt::format("{}, {:.2f} bytes a weight", size_text(static_cast<double>(r.state_bytes)),
                    r.bytes_per_weight));
  }
  if (r.interrupted) figures.emplace_back("interrupted", "continue with --resume");
  if (r.stopped_early) figures.emplace_back("stopped early", "by --patience");
  return figures_html(figures);
}

std::string bars_html(const std::vector<std::pair<std::string, double>>& numbers) {
  double most = 0;
  for (const auto& [name, number] : numbers) {
    if (std::isfinite(number)) most = std::max(most, number);
  }
  std::string rows = "<table class=\"bars\">\n<tbody>\n";
  for (const auto& [name, number] : numbers) {
    rows += "<tr><td>" + escape_html(name) + "</td><td class=\"number\">";
    rows += std::isfinite(number) ? fmt::format("{:.3f}", number) : "-";
    rows += "</td><td>";
    if (std::isfinite(number) && most > 0) {
      rows += fmt::format("<span style=\"width:{:.1f}%\"></span>", 100 * number / most);
    }
    rows += "</td></tr>\n";
  }
  return rows + "</tbody>\n</table>\n";
}

std::string options_html(const Json& options) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Json::Member& member : options.as_object("options")) {
    std::string value = text_of(member.value);
    rows.emplace_back(member.key, value.empty() ? "none" : value);
  }
  return figures_html(rows);
}

std::string curves_html(const std::string& log) {
  Logged logged{read_training_log(log)};
  std::string plots;
  add_plot(plots,
           {logged.of("loss", "training loss"), logged.of("val_loss", "validation loss", true)},
           {.title = "Loss", .width = 840, .height = 330}, true);
  add_plot(plots, {logged.of("lr", "learning rate")},
           {.title = "Learning rate", .y_scale = AxisScale::linear, .width = 500, .height = 260},
           false);
  add_plot(plots, {logged.of("gradient_norm", "gradient norm")},
           {.title = "Gradient norm", .width = 500, .height = 260}, false);
  add_plot(plots, {logged.of("tokens_per_second", "tokens per second")},
           {.title = "Tokens per second", .width = 500, .height = 260}, false);
  for (const FigureDef& f : kFigures) {
    if (f.value == &Figures::loss) continue;
    add_plot(plots, {logged.of((std::string("val_") + f.name).c_str(), f.label, true)},
             {.title = std::string("Validation: ") + f.label,
              .y_scale = AxisScale::linear,
              .width = 500,
              .height = 260},
             false);
  }
  if (plots.empty()) return "<p>The log has no entries.</p>\n";
  return "<div class=\"plots\">\n" + plots + "</div>\n";
}

std::string comparison_html(std::span<const std::string> folders) {
  constexpr size_t kCharacters = 85;  // of all names, beside the title
  const char* value = "val_loss";
  std::vector<Curve> curves;
  for (const std::string& folder : folders) {
    const Logged logged{read_training_log(folder + "/log.jsonl")};
    const std::string name =
        shortened(name_among(folders, folder), kCharacters / std::max<size_t>(1, folders.size()));
    curves.push_back(logged.of(value, name.c_str(), true));
  }
  std::string plots;
  add_plot(plots, std::move(curves), {.title = "Validation loss", .width = 840, .height = 330},
           true);
  if (plots.empty()) return "<p>The logs have no validation losses.</p>\n";
  return "<div class=\"plots\">\n" + plots + "</div>\n";
}

std::string samples_html(const std::vector<ReportSample>& samples) {
  std::string list;
  for (const ReportSample& s : samples) {
    std::string_view rest = s.text;
    if (rest.starts_with(s.prompt)) rest.remove_prefix(s.prompt.size());
    list +=
        "<blockquote><b>" + escape_html(s.prompt) + "</b>" + escape_html(rest) + "</blockquote>\n";
  }
  return list.empty() ? "<p>No samples were requested.</p>\n" : list;
}

std::string machine_html() {
  const BuildInfo& build = build_info();
  std::string model = cpu_model();
  size_t memory = machine_memory();
  return figures_html({{"CPU", model.empty() ? "unknown" : model},
                       {"threads", fmt::format("{}", num_threads())},
                       {"memory", memory > 0 ? size_text(static_cast<double>(memory)) : "unknown"},
                       {"instruction set", fmt::format("x86-64-{}", isa_name(isa()))},
                       {"gyre", build.version},
                       {"compiler", fmt::format("{}, {}", build.compiler, build.build_type)},
                       {"date", fmt::format("{:%Y-%m-%d %H:%M} UTC",
                                            fmt::gmtime(std::chrono::system_clock::to_time_t(
                                                std::chrono::system_clock::now())))}});
}

std::string files_html(const std::vector<ReportFile>& files) {
  std::string rows = "<table>\n<tbody>\n";
  for (const ReportFile& file : files) {
    rows += "<tr><td><a href=\"" + escape_link(file.path) + "\">" + escape_html(file.path) +
            "</a></td><td>" + escape_html(file.what) + "</td></tr>\n";
  }
  return rows + "</tbody>\n</table>\n";
}

}  // namespace gyre
