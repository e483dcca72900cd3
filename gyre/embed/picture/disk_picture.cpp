#include "gyre/embed/picture/disk_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <iterator>
#include <numeric>
#include <vector>

#include "gyre/base/text/html.h"
#include "gyre/embed/picture/label_layout.h"
#include "gyre/embed/picture/taxonomy_branches.h"

namespace gyre {
namespace {

using Point = std::complex<double>;

constexpr double kPageWidth = 1400, kPageHeight = 1300, kRadius = 510;
constexpr Point kMiddle(700, 670);
constexpr double kRimSize = 10, kRimGap = 11;  // labels on the rim
// Colours for branches, distinguishable on white for most readers.
constexpr const char* kColours[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd",
                                    "#ff7f0e", "#17becf", "#8c564b", "#e377c2",
                                    "#7f8c1f", "#3b4cc0", "#b5651d", "#008b8b"};
constexpr const char* kGrey = "#777777";

// "domestic dog" of domestic_dog.n.01.
std::string shown_name(std::string_view name) {
  const size_t dot = name.find(".n.");
  std::string text(name.substr(0, dot));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

class Drawing {
 public:
  Drawing(const Taxonomy& closure, std::span<const std::array<double, 2>> points,
          const DiskPicture& picture)
      : closure_(closure),
        edges_(transitive_reduction(closure)),
        below_(closure.count_below()),
        branches_(branches_of(closure, edges_, std::size(kColours))),
        picture_(picture),
        labels_(kMiddle.real(), kMiddle.imag(), kRadius) {
    for (const auto& p : points) at_.emplace_back(p[0], p[1]);
    by_rank_.resize(at_.size());
    std::iota(by_rank_.begin(), by_rank_.end(), 0U);
    std::stable_sort(by_rank_.begin(), by_rank_.end(),
                     [&](uint32_t a, uint32_t b) { return below_[a] > below_[b]; });
    if (picture.hyperbolic) {
      centre();
    } else {
      fit();
    }
  }

  std::string operator()() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
        "height=\"{1:g}\" font-family=\"Helvetica, Arial, sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        kPageWidth, kPageHeight);
    text(24, 36, 24, "start", "#111", picture_.title);
    text(24, 58, 13, "start", "#555", picture_.caption);
    if (picture_.hyperbolic) {
      svg_ += fmt::format(
          "<circle cx=\"{:g}\" cy=\"{:g}\" r=\"{:g}\" fill=\"#fafafa\" stroke=\"#999\"/>\n",
          kMiddle.real(), kMiddle.imag(), kRadius);
    }
    legend();
    draw_edges();
    draw_dots();
    label_rim();
    label_inside();
    return svg_ + "</svg>\n";
  }

 private:
  // The isometry z -> (z - c) / (1 - conj(c) z) moves c to the origin.
  void centre() {
    const Point c = at_[by_rank_[0]];
    for (Point& z : at_) z = (z - c) / (1.0 - std::conj(c) * z);
  }

  void fit() {
    const Point c = at_[by_rank_[0]];
    double furthest = 1e-300;
    for (const Point& z : at_) furthest = std::max(furthest, std::abs(z - c));
    for (Point& z : at_) z = (z - c) / furthest * 0.97;
  }

  [[nodiscard]] Point place(uint32_t node) const { return kMiddle + kRadius * at_[node]; }
  [[nodiscard]] const char* colour(uint32_t node) const {
    const int32_t branch = branches_.branch[node];
    return branch < 0 ? kGrey : kColours[branch];
  }
  // Importance of a node by number of descendants, from 0 to 1.
  [[nodiscard]] double weight(uint32_t node) const {
    const auto most = static_cast<double>(below_[by_rank_[0]] + 1);
    return std::log1p(static_cast<double>(below_[node])) / std::log(most + 1);
  }
  [[nodiscard]] double dot_radius(uint32_t node) const {
    return below_[node] == 0 ? 1.6 : 2.2 + 4 * weight(node);
  }

  void text(double x, double y, double size, const char* anchor, const char* fill,
            const std::string& what, const std::string& more = {}) {
    svg_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:.1f}\" text-anchor=\"{}\" "
        "fill=\"{}\"{}>{}</text>\n",
        x, y, size, anchor, fill, more, escape_html(what));
  }

  void legend() {
    double y = 92;
    for (size_t i = 0; i < branches_.heads.size(); ++i, y += 18) {
      const std::string name = shown_name(closure_.names[branches_.heads[i]]);
      svg_ += fmt::format("<circle cx=\"30\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", y - 4,
                          kColours[i]);
      text(42, y, 12, "start", "#333", name);
    }
  }

  // The geodesic between two points: an arc of the circle through them orthogonal to the boundary;
  // its centre c has <c, p> = (1 + |p|^2) / 2 for both.
  [[nodiscard]] std::string geodesic(uint32_t from, uint32_t to) const {
    const Point p = at_[from], q = at_[to], a = place(from), b = place(to);
    const double area = p.real() * q.imag() - p.imag() * q.real();
    std::string path = fmt::format("M{:.2f} {:.2f}", a.real(), a.imag());
    if (!picture_.hyperbolic || std::abs(area) < 1e-4) {
      return path + fmt::format("L{:.2f} {:.2f}", b.real(), b.imag());
    }
    const double s = (1 + std::norm(p)) / 2, t = (1 + std::norm(q)) / 2;
    const Point c((s * q.imag() - t * p.imag()) / area, (t * p.real() - s * q.real()) / area);
    const double radius = std::sqrt(std::max(0.0, std::norm(c) - 1)) * kRadius;
    const Point u = p - c, v = q - c;
    const bool clockwise = u.real() * v.imag() - u.imag() * v.real() > 0;
    return path + fmt::format("A{0:.2f} {0:.2f} 0 0 {1} {2:.2f} {3:.2f}", radius, clockwise ? 1 : 0,
                              b.real(), b.imag());
  }

  void draw_edges() {
    for (auto node = by_rank_.rbegin(); node != by_rank_.rend(); ++node) {
      for (uint32_t up : edges_.above_of(*node)) {
        svg_ += fmt::format(
            "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\" "
            "stroke-opacity=\"{:.2f}\"/>\n",
            geodesic(*node, up), colour(*node), 0.5 + 1.6 * weight(*node),
            0.35 + 0.4 * weight(*node));
      }
    }
  }

  void draw_dots() {
    for (auto node = by_rank_.rbegin(); node != by_rank_.rend(); ++node) {
      const Point z = place(*node);
      svg_ += fmt::format(
          "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.1f}\" fill=\"{}\"><title>{}</title>"
          "</circle>\n",
          z.real(), z.imag(), dot_radius(*node), colour(*node), escape_html(closure_.names[*node]));
    }
  }

  // Names of the outermost nodes, along the radii outside the disk; short names first, since these
  // are the common ones.
  void label_rim() {
    std::vector<uint32_t> leaves;
    for (uint32_t node : by_rank_) {
      if (below_[node] == 0 && std::abs(at_[node]) > 0.6) leaves.push_back(node);
    }
    std::stable_sort(leaves.begin(), leaves.end(), [&](uint32_t a, uint32_t b) {
      return closure_.names[a].size() < closure_.names[b].size();
    });
    const double step = kRimGap / (kRadius + kRimSize);  // an angle
    std::vector<double> taken;
    for (uint32_t node : leaves) {
      const double angle = std::arg(at_[node]);
      const std::string name = shown_name(closure_.names[node]);
      const bool free = std::none_of(taken.begin(), taken.end(), [&](double other) {
        return std::abs(std::remainder(other - angle, 2 * M_PI)) < step;
      });
      const double length = text_width(name, kRimSize);
      const Point inner = kMiddle + std::polar(kRadius + 7, angle),
                  outer = kMiddle + std::polar(kRadius + 9 + length, angle);
      const bool fits = outer.real() > 8 && outer.real() < kPageWidth - 8 && outer.imag() > 64 &&
                        outer.imag() < kPageHeight - 8;
      if (!free || !fits || on_legend(inner, outer)) continue;
      taken.push_back(angle);
      rim_label(node, name, angle);
    }
  }

  [[nodiscard]] bool on_legend(Point inner, Point outer) const {
    const double bottom = 92 + 18 * static_cast<double>(branches_.heads.size());
    const Point ends[] = {inner, (inner + outer) / 2.0, outer};
    return std::any_of(std::begin(ends), std::end(ends),
                       [&](Point p) { return p.real() < 190 && p.imag() < bottom; });
  }

  void rim_label(uint32_t node, const std::string& name, double angle) {
    const Point dot = place(node), rim = kMiddle + std::polar(kRadius + 3, angle),
                start = kMiddle + std::polar(kRadius + 7, angle);
    svg_ += fmt::format(
        "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"0.4\" "
        "stroke-opacity=\"0.6\"/>\n",
        dot.real(), dot.imag(), rim.real(), rim.imag(), colour(node));
    const bool left = std::cos(angle) < 0;  // on the left the text runs towards the disk
    const double degrees = angle * 180 / M_PI + (left ? 180 : 0);
    text(start.real(), start.imag(), kRimSize, left ? "end" : "start", colour(node), name,
         fmt::format(" dominant-baseline=\"central\" transform=\"rotate({:.2f} {:.1f} {:.1f})\"",
                     degrees, start.real(), start.imag()));
  }

  void label_inside() {
    for (uint32_t node : by_rank_) {
      if (below_[node] == 0) break;
      const Point z = place(node);
      const double size = 9.5 + 9 * weight(node), radius = dot_radius(node);
      const std::string name = shown_name(closure_.names[node]);
      LabelLayout::Place spot{};
      if (!labels_.take_beside(z.real(), z.imag(), radius, name, size, spot)) continue;
      // a separate pale outline, since some programs ignore paint-order
      text(spot.x, spot.y, size, spot.anchor, "white", name,
           " stroke=\"white\" stroke-width=\"3\" stroke-linejoin=\"round\" opacity=\"0.8\"");
      text(spot.x, spot.y, size, spot.anchor, "#111", name);
    }
  }

  const Taxonomy& closure_;
  Taxonomy edges_;
  std::vector<int64_t> below_;
  Branches branches_;
  const DiskPicture& picture_;
  LabelLayout labels_;
  std::vector<Point> at_;
  std::vector<uint32_t> by_rank_;  // by descending number of descendants
  std::string svg_;
};

}  // namespace

std::string disk_svg(const Taxonomy& closure, std::span<const std::array<double, 2>> points,
                     const DiskPicture& picture) {
  return Drawing(closure, points, picture)();
}

}  // namespace gyre
