#include "gyre/models/generation/candidates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace gyre {
namespace {

constexpr float kLowest = -std::numeric_limits<float>::infinity();

// Of whole lanes, so that compilers use vector instructions: comparing picks the second operand
// for NaN, as these do.
float largest(const float* x, size_t n) {
  std::array<float, 16> lanes;
  lanes.fill(kLowest);
  size_t i = 0;
  for (; i + lanes.size() <= n; i += lanes.size()) {
    for (size_t l = 0; l < lanes.size(); ++l) lanes[l] = x[i + l] > lanes[l] ? x[i + l] : lanes[l];
  }
  for (; i < n; ++i) lanes[0] = x[i] > lanes[0] ? x[i] : lanes[0];
  return *std::max_element(lanes.begin(), lanes.end());
}

// Keeps the shortest prefix in the order `before` with this weight. Most prefixes are short, so
// ever larger parts are selected and sorted until one suffices.
template <class Before>
void keep_prefix(std::vector<Candidate>& all, double wanted, Before before) {
  double sum = 0;
  size_t done = 0;
  for (size_t part = 64; done < all.size(); part *= 4) {
    const auto begin = all.begin() + static_cast<ptrdiff_t>(done);
    const auto end = all.begin() + static_cast<ptrdiff_t>(std::min(all.size(), done + part));
    if (end != all.end()) std::nth_element(begin, end, all.end(), before);
    std::sort(begin, end, before);
    for (auto at = begin; at != end; ++at) {
      sum += at->weight;
      ++done;
      if (sum >= wanted) return all.resize(done);
    }
  }
}

}  // namespace

void LogitBlocks::reset(std::span<const float> logits) {
  logits_ = logits;
  maxima_.clear();
  for (size_t i = 0; i < logits.size(); i += kBlock)
    maxima_.push_back(largest(logits.data() + i, std::min(kBlock, logits.size() - i)));
  top_ = largest(maxima_.data(), maxima_.size());
}

int32_t LogitBlocks::best() const {
  const auto block = std::find(maxima_.begin(), maxima_.end(), top_);
  const size_t from = static_cast<size_t>(block - maxima_.begin()) * kBlock;
  const auto begin = logits_.begin() + static_cast<ptrdiff_t>(from);
  return static_cast<int32_t>(std::find(begin, logits_.end(), top_) - logits_.begin());
}

LogitBlocks::Share LogitBlocks::share(double share, double temperature) const {
  // the sums of weights within e^(-i / 4) .. e^(-(i + 1) / 4), and of all below
  constexpr size_t kBins = 256;
  constexpr float kStep = 4;
  std::array<double, kBins> bins{};
  const auto scale = static_cast<float>(1 / temperature);
  double total = 0;
  for (const float logit : logits_) {
    const float down = (top_ - logit) * scale;
    if (!(down < HUGE_VALF)) continue;  // also NaN
    const double weight = std::exp(-down);
    bins[static_cast<size_t>(std::min(down * kStep, kBins - 1.0F))] += weight;
    total += weight;
  }
  // a little more, since these weights are of f32
  const double wanted = share * total * (1 + 1e-6);
  double sum = 0;
  for (size_t i = 0; i + 1 < kBins; ++i) {
    sum += bins[i];
    if (sum >= wanted) {
      const auto down = static_cast<double>(i + 1) / kStep * temperature * (1 + 1e-6);
      return {total, static_cast<float>(top_ - down)};
    }
  }
  return {total, kLowest};
}

int32_t LogitBlocks::at_share(double share, double temperature) {
  const auto scale = static_cast<float>(1 / temperature);
  const auto weight = [&](float logit) {
    const float down = (top_ - logit) * scale;
    return down < HUGE_VALF ? std::exp(-down) : 0.0F;
  };
  const auto block = [&](size_t b) {
    return logits_.subspan(b * kBlock, std::min(kBlock, logits_.size() - b * kBlock));
  };
  double total = 0;
  sums_.clear();
  for (size_t b = 0; b < maxima_.size(); ++b) {
    double sum = 0;
    for (const float logit : block(b)) sum += weight(logit);
    sums_.push_back(sum);
    total += sum;
  }
  double at = share * total;
  size_t b = 0, last = 0;  // the last block with any weight, for sums that round down
  for (; b < sums_.size(); ++b) {
    if (sums_[b] > 0) last = b;
    if (at < sums_[b]) break;
    at -= sums_[b];
  }
  b = std::min(b, last);
  int32_t chosen = -1;
  for (size_t i = 0; i < block(b).size(); ++i) {
    const double w = weight(block(b)[i]);
    if (w > 0) chosen = static_cast<int32_t>(b * kBlock + i);
    if (w > 0 && at < w) break;
    at -= w;
  }
  return chosen;
}

float LogitBlocks::kth(size_t k) {
  const auto nth = [](std::vector<float>& x, size_t n) {
    const auto at = x.begin() + static_cast<ptrdiff_t>(std::min(n, x.size()) - 1);
    std::nth_element(x.begin(), at, x.end(), std::greater<>());
    return *at;
  };
  sorted_ = maxima_;
  // k blocks have a maximum of at least this one, so the k-th largest logit is no smaller
  const float bound = k <= sorted_.size() ? nth(sorted_, k) : kLowest;
  sorted_.clear();
  at_least(bound, [&](int32_t, float logit) { sorted_.push_back(logit); });
  return nth(sorted_, k);
}

double total_weight(std::span<const Candidate> candidates) {
  double total = 0;
  for (const Candidate& c : candidates) total += c.weight;
  return total;
}

void keep_weight(std::vector<Candidate>& candidates, double sum) {
  keep_prefix(candidates, sum, [](const Candidate& a, const Candidate& b) {
    return a.weight > b.weight || (a.weight == b.weight && a.id < b.id);
  });
}

void keep_typical(std::vector<Candidate>& candidates, double share) {
  const double total = total_weight(candidates), log_total = std::log(total);
  double entropy = 0;
  for (const Candidate& c : candidates) {
    const double log_p = std::log(c.weight) - log_total;
    if (c.weight > 0) entropy -= std::exp(log_p) * log_p;
  }
  const auto distance = [&](const Candidate& c) {
    return std::abs(log_total - std::log(c.weight) - entropy);
  };
  keep_prefix(candidates, share * total, [&](const Candidate& a, const Candidate& b) {
    const double x = distance(a), y = distance(b);
    return x < y || (x == y && a.id < b.id);
  });
}

}  // namespace gyre
