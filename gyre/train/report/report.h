#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/train/options.h"

namespace gyre {

/// A self-contained HTML page, without scripts or network access; light or dark as the reader's
/// system, light in print.
class Report {
 public:
  /// `title` and `subtitle` are plain text and are escaped, as all arguments not called HTML.
  explicit Report(std::string title, std::string subtitle = {});

  /// A section: a heading and valid HTML (made by html.h and the functions below; figures are SVG
  /// elements).
  void add_section(std::string title, std::string html);

  [[nodiscard]] std::string html() const;
  /// Error{io}.
  void write(const std::string& path) const;

 private:
  std::string title_, subtitle_;
  std::vector<std::pair<std::string, std::string>> sections_;
};

// Sections of a training report, as HTML.

/// Two columns: names and values.
std::string figures_html(const std::vector<std::pair<std::string, std::string>>& figures);
/// Results of a run: losses, parameters, steps, time, throughput and, if it made steps, peak
/// memory.
std::string training_figures_html(const TrainReport& report);
/// A bar chart as a table: one row per number, which must be >= 0. Numbers that are not finite have
/// no bar.
std::string bars_html(const std::vector<std::pair<std::string, double>>& numbers);
/// The members of an object by name, in columns.
std::string options_html(const Json& options);
/// Plots of training and validation loss, learning rate, gradient norm and tokens per second from a
/// log.jsonl (training_log.h); a note if it has no entries. Error{io}.
std::string curves_html(const std::string& log);
/// The validation losses of several runs in one plot, named by their folders, each with its
/// log.jsonl; a note if there are none. Error{io}.
std::string comparison_html(std::span<const std::string> folders);
/// Most runs that comparison_html() shows in different colours.
inline constexpr size_t kMostCompared = 5;
/// Generated samples with their prompts.
struct ReportSample {
  std::string prompt, text;  ///< `text` begins with the prompt, or is only the continuation
};
std::string samples_html(const std::vector<ReportSample>& samples);
/// Machine, build and date.
std::string machine_html();
/// Links to files beside the page, with descriptions.
struct ReportFile {
  std::string path, what;
};
std::string files_html(const std::vector<ReportFile>& files);

}  // namespace gyre
