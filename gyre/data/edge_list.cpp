#include "gyre/data/edge_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "gyre/base/error.h"
#include "gyre/base/system/mapped_file.h"
#include "gyre/base/text/ascii.h"
#include "gyre/base/text/counted.h"
#include "gyre/base/text/nearest.h"
#include "gyre/base/text/utf8.h"

namespace gyre {
namespace {

// Common names of the first two columns of edge lists.
constexpr std::string_view kHeads[][2] = {
    {"id1", "id2"},     {"child", "parent"}, {"source", "target"},
    {"from", "to"},     {"below", "above"},  {"hyponym", "hypernym"},
    {"node", "parent"}, {"src", "dst"},      {"descendant", "ancestor"}};

class Reading {
 public:
  Reading(std::string_view text, const std::string& path, const EdgeListOptions& options)
      : path_(path), options_(options), reader_(text, path, CsvSeparator::detect) {}

  EdgeList operator()() {
    if (!next()) fail(0, "is empty");
    width_ = fields_.size();
    const bool header = has_header();
    choose_columns(header);
    if (!header) add();
    while (next()) add();
    if (list_.edges.empty() && loops_ == 0) fail(0, "contains only a header");
    if (loops_ > 0) {
      list_.notes.push_back(fmt::format("{}: {} dropped, the first in line {}", path_,
                                        counted(loops_, "self-loop"), first_loop_));
    }
    if (weighted_) list_.notes.push_back(path_ + ": edge weights are ignored");
    return std::move(list_);
  }

 private:
  [[noreturn]] void fail(int64_t line, const Message& why) const {
    throw Error(Code::parse, "edges",
                line == 0 ? Message{path_, " ", why} : Message{path_, ": line ", line, ": ", why});
  }
  [[noreturn]] void fail_name(size_t column, const char* why) const {
    fail(reader_.line(), fmt::format("column {}: the name of the node {}", column + 1, why));
  }

  bool next() {
    while (reader_.next(fields_)) {
      if (fields_.size() > 1 || !fields_[0].empty()) return true;
    }
    return false;
  }

  // Whether fields_, the first record, is a header.
  [[nodiscard]] bool has_header() const {
    if (options_.header != CsvHeader::detect) return options_.header == CsvHeader::present;
    if (!options_.columns.empty()) return true;
    if (width_ < 2) return false;
    const std::string first = lower_case(fields_[0]), second = lower_case(fields_[1]);
    for (const auto& head : kHeads) {
      if (first == head[0] && second == head[1]) return true;
    }
    double weight = 0;
    return width_ == 3 && !csv_number(fields_[2], weight);
  }

  void choose_columns(bool header) {
    if (!options_.columns.empty()) return find_columns(header);
    if (width_ < 2) {
      fail(reader_.line(), "expected two columns separated by a tab, comma or semicolon, got one");
    }
    weighted_ = width_ == 3;
    if (width_ > 3) {
      fail(
          reader_.line(),
          fmt::format("expected 2 or 3 columns, got {}; select the child and parent columns of the "
                      "header with `columns`",
                      width_));
    }
  }

  void find_columns(bool header) {
    const size_t comma = options_.columns.find(',');
    if (!header || comma == std::string::npos) {
      throw Error(Code::value, "edges",
                  header ? "`columns`: expected CHILD,PARENT, two names of the header, got " +
                               options_.columns
                         : "`columns` needs a header, but " + path_ + " has none",
                  "CHILD,PARENT", options_.columns);
    }
    below_ = column_named(options_.columns.substr(0, comma));
    above_ = column_named(options_.columns.substr(comma + 1));
  }

  [[nodiscard]] size_t column_named(const std::string& name) const {
    const std::vector<std::string> all(fields_.begin(), fields_.end());
    const auto found = std::find(all.begin(), all.end(), name);
    if (found != all.end()) return static_cast<size_t>(found - all.begin());
    std::string there;
    for (const std::string& one : all) there += (there.empty() ? "" : ", ") + one;
    throw Error(Code::value, "edges",
                fmt::format("{}: line {}: no column {}; the columns are {}{}", path_,
                            reader_.line(), name, there, suggestion(name, all)),
                there, name);
  }

  void add() {
    if (fields_.size() != width_) {
      fail(reader_.line(),
           fmt::format("got {}, the first line has {}",
                       counted(static_cast<int64_t>(fields_.size()), "column"), width_));
    }
    const TaxonomyEdge edge{node(below_), node(above_)};
    if (edge.below != edge.above) {
      list_.edges.push_back(edge);
    } else if (loops_++ == 0) {
      first_loop_ = reader_.line();
    }
  }

  uint32_t node(size_t column) {
    const std::string_view name = fields_[column];
    const auto known = static_cast<uint32_t>(list_.names.size());
    const uint32_t number = list_.names.add(name);
    if (number != known) return number;
    if (name.empty()) fail_name(column, "is missing");
    if (name.find_first_of("\t\r\n") != std::string_view::npos) {
      fail_name(column, "contains a tab or a newline");
    }
    if (!is_utf8(name)) fail_name(column, "is not UTF-8");
    return number;
  }

  const std::string& path_;
  const EdgeListOptions& options_;
  CsvReader reader_;
  std::vector<std::string_view> fields_;
  size_t width_ = 0, below_ = 0, above_ = 1;
  bool weighted_ = false;
  int64_t loops_ = 0, first_loop_ = 0;
  EdgeList list_;
};

}  // namespace

EdgeList parse_edges(std::string_view text, const std::string& path,
                     const EdgeListOptions& options) {
  return Reading(text, path, options)();
}

EdgeList read_edges(const std::string& path, const EdgeListOptions& options) {
  const MappedFile file(path);
  return parse_edges(file.text(), path, options);
}

}  // namespace gyre
