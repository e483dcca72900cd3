#include "gyre/embed/picture/disk_picture.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "gyre/embed/picture/label_layout.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

Taxonomy tree() {
  NameTable names;
  for (const char* name : {"root.n.01", "left_arm.n.02", "right&.n.01", "leaf.n.01"})
    names.add(name);
  const std::vector<TaxonomyEdge> edges{{1, 0}, {2, 0}, {3, 1}, {3, 0}};
  return make_taxonomy(std::move(names), edges);
}

size_t count(std::string_view text, std::string_view part) {
  size_t found = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string_view::npos; ++at) ++found;
  return found;
}

// The numbers after the first `part`.
std::vector<double> numbers_after(const std::string& text, const std::string& part) {
  const char* at = text.c_str() + text.find(part) + part.size();
  std::vector<double> numbers;
  for (char* end = nullptr;; at = end) {
    while (*at == ' ' || *at == 'A') ++at;
    const double number = std::strtod(at, &end);
    if (end == at) return numbers;
    numbers.push_back(number);
  }
}

TEST(DiskSvg, ShowsNodesNamesAndTransitiveReduction) {
  const std::vector<std::array<double, 2>> points{{0, 0}, {0.4, 0.2}, {-0.3, 0.5}, {0.9, 0.3}};
  const std::string svg = disk_svg(tree(), points, {.title = "A <tree>", .caption = "of 4"});
  EXPECT_EQ(count(svg, "fill=\"none\""), 3U);  // leaf to root follows from leaf to left
  EXPECT_EQ(count(svg, "<title>"), 4U);
  EXPECT_TRUE(contains(svg, ">left arm</text>"));
  EXPECT_TRUE(contains(svg, ">leaf</text>"));
  EXPECT_TRUE(contains(svg, "right&amp;"));
  EXPECT_TRUE(contains(svg, "A &lt;tree&gt;"));
  EXPECT_TRUE(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
}

TEST(DiskSvg, EdgesAreGeodesics) {
  const std::vector<std::array<double, 2>> points{{0, 0}, {0.5, 0}, {-0.3, 0.5}, {0, 0.5}};
  const std::string svg = disk_svg(tree(), points, {});
  // from (0, 0.5) to (0.5, 0): centre (1.25, 1.25), radius sqrt(2 * 1.25^2 - 1)
  const std::vector<double> arc = numbers_after(svg, "M700.00 925.00");
  ASSERT_EQ(arc.size(), 7U) << svg;
  EXPECT_NEAR(arc[0], 510 * std::sqrt(2 * 1.25 * 1.25 - 1), 0.01);
  EXPECT_EQ(arc[4], 1);  // bends towards the origin: the short arc around its centre is clockwise
  EXPECT_NEAR(arc[5], 955, 0.01);
  EXPECT_NEAR(arc[6], 670, 0.01);
  // geodesics through the origin are straight
  EXPECT_TRUE(contains(svg, "M955.00 670.00L700.00 670.00"));
  const std::string plane = disk_svg(tree(), points, {.hyperbolic = false});
  EXPECT_EQ(count(plane, "A"), count(plane, "Arial"));
}

TEST(DiskSvg, CentresTheRoot) {
  const std::vector<std::array<double, 2>> points{{0.3, -0.2}, {0.5, 0}, {-0.3, 0.5}, {0, 0.5}};
  EXPECT_TRUE(contains(disk_svg(tree(), points, {}), "cx=\"700.00\" cy=\"670.00\""));
  EXPECT_TRUE(
      contains(disk_svg(tree(), points, {.hyperbolic = false}), "cx=\"700.00\" cy=\"670.00\""));
}

TEST(Labels, NeverOverlapOrLeaveTheDisk) {
  LabelLayout layout(50, 50, 50);
  EXPECT_TRUE(layout.take({20, 40, 40, 50}));
  EXPECT_FALSE(layout.take({39, 49, 60, 60}));
  EXPECT_TRUE(layout.take({40, 40, 50, 50}));
  EXPECT_FALSE(layout.take({40, 40, 50, 50}));
  EXPECT_FALSE(layout.take({90, 45, 101, 55}));
  EXPECT_FALSE(layout.take({2, 2, 20, 20}));
  EXPECT_FALSE(layout.take({10, 80, 20, 90}));
}

TEST(Labels, ArePlacedWhereThereIsRoom) {
  LabelLayout layout(50, 50, 50);
  LabelLayout::Place place{};
  ASSERT_TRUE(layout.take_beside(50, 50, 2, "abc", 10, place));
  EXPECT_STREQ(place.anchor, "start");
  EXPECT_EQ(place.x, 54);
  ASSERT_TRUE(layout.take_beside(50, 50, 2, "abc", 10, place));
  EXPECT_STREQ(place.anchor, "end");
  ASSERT_TRUE(layout.take_beside(93, 40, 2, "abc", 10, place));
  EXPECT_STREQ(place.anchor, "end");
  for (int i = 0; i < 8; ++i) (void)layout.take_beside(50, 50, 2, "abc", 10, place);
  EXPECT_FALSE(layout.take_beside(50, 50, 2, "abc", 10, place));
  EXPECT_FALSE(layout.take_beside(50, 20, 2, "a text that is too long for it", 10, place));
}

TEST(Labels, WidthsDependOnLetters) {
  EXPECT_GT(text_width("mmm", 10), text_width("nnn", 10));
  EXPECT_GT(text_width("nnn", 10), text_width("iii", 10));
  EXPECT_EQ(text_width("ö", 10), text_width("o", 10));
  EXPECT_EQ(text_width("abc", 20), 2 * text_width("abc", 10));
}

}  // namespace
}  // namespace gyre
