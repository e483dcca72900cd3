#pragma once
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "gyre/logic/syntax/source.h"

namespace gyre::logic {

/// What the evaluation of each statement did, by its place.
class Reports {
 public:
  struct Entry {
    Place place{};
    int64_t runs = 0;
    double seconds = 0;               ///< without those of other entries that ran meanwhile
    std::vector<std::string> plan{};  ///< of the first run, a line for each step
    std::string result{};             ///< of the last run
  };

  /// The entry of a statement, which is added if it is new.
  Entry& of(Place place);
  [[nodiscard]] const std::map<std::pair<uint32_t, uint32_t>, Entry>& all() const {
    return entries_;
  }

  /// Counts a run and its time from here to the end of the scope; nothing without reports.
  class Timed {
   public:
    Timed(Reports* reports, Place place);
    Timed(const Timed&) = delete;
    ~Timed();
    /// The entry; null without reports.
    [[nodiscard]] Entry* entry() const { return entry_; }
    /// Where the steps of the plan go; null if they are known, or without reports.
    [[nodiscard]] std::vector<std::string>* plan() const {
      return entry_ && entry_->runs == 1 ? &entry_->plan : nullptr;
    }

   private:
    Reports* reports_;
    Entry* entry_ = nullptr;
    double* outer_ = nullptr;
    double within_ = 0;  // seconds of what ran meanwhile
    std::chrono::steady_clock::time_point start_{};
  };

 private:
  std::map<std::pair<uint32_t, uint32_t>, Entry> entries_;
  double* running_ = nullptr;  // seconds within the innermost run
};

}  // namespace gyre::logic
