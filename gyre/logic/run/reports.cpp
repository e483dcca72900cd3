#include "gyre/logic/run/reports.h"

namespace gyre::logic {

Reports::Entry& Reports::of(Place place) {
  Entry& entry = entries_[{place.file, place.begin}];
  entry.place = place;
  return entry;
}

Reports::Timed::Timed(Reports* reports, Place place) : reports_(reports) {
  if (!reports_) return;
  entry_ = &reports_->of(place);
  ++entry_->runs;
  outer_ = reports_->running_;
  reports_->running_ = &within_;
  start_ = std::chrono::steady_clock::now();
}

Reports::Timed::~Timed() {
  if (!reports_) return;
  const double passed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  entry_->seconds += passed - within_;
  if (outer_) *outer_ += passed;
  reports_->running_ = outer_;
}

}  // namespace gyre::logic
