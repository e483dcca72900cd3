#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gyre/io/json.h"
#include "gyre/train/options.h"

namespace gyre {

/// A page of what was done: one file that needs nothing beside it, neither scripts nor the network,
/// light or dark as the reader has it, light on paper.
class Report {
 public:
  /// `title` and `subtitle` are texts and get escaped, as all below that is not called HTML.
  explicit Report(std::string title, std::string subtitle = {});

  /// A part of the page: a heading and HTML that is right already (html.h and the functions below
  /// make some; pictures are SVG elements).
  void add_section(std::string title, std::string html);

  [[nodiscard]] std::string html() const;
  /// Error{io}.
  void write(const std::string& path) const;

 private:
  std::string title_, subtitle_;
  std::vector<std::pair<std::string, std::string>> sections_;
};

// Sections of a training's report, as HTML.

/// Two columns: names and what they stand for.
std::string figures_html(const std::vector<std::pair<std::string, std::string>>& figures);
/// What a training has come to: losses, parameters, steps, time, speed and, of a run that had steps
/// to do, memory.
std::string training_figures_html(const TrainReport& report);
/// Numbers to compare: a row each, with a bar as long as the number, which is not below 0. Those
/// that are not finite have no bar.
std::string bars_html(const std::vector<std::pair<std::string, double>>& numbers);
/// The members of an object by name, in several columns.
std::string options_html(const Json& options);
/// Training and validation loss, learning rate, norm of the gradient and tokens a second from a
/// log.jsonl (training_log.h); a note where it has no entry. Error{io}.
std::string curves_html(const std::string& log);
/// Texts that a model wrote, each with how it began.
struct ReportSample {
  std::string prompt, text;  ///< `text` begins with the prompt, or is only what follows
};
std::string samples_html(const std::vector<ReportSample>& samples);
/// What it was computed on and with, and when the page was made.
std::string machine_html();
/// Links to files beside the page, and what they are.
struct ReportFile {
  std::string path, what;
};
std::string files_html(const std::vector<ReportFile>& files);

}  // namespace gyre
