#include "gyre/train/report/report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gyre/base/build_info.h"
#include "gyre/base/error.h"
#include "gyre/base/system/file.h"
#include "gyre/base/text/html.h"
#include "gyre/train/plot/line_plot.h"
#include "tests/thrown.h"

namespace gyre {
namespace {

size_t count(std::string_view text, std::string_view part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Html, EscapesMarkup) {
  EXPECT_EQ(escape_html("<b a=\"1\" c='2'>&amp;"),
            "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;amp;");
  EXPECT_EQ(escape_html("line\n\ttab \x01\x7F\xFF"),
            "line\n\ttab \xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(escape_html("caf\xC3\xA9"), "caf\xC3\xA9");
}

TEST(Html, EscapesLinks) {
  EXPECT_EQ(escape_link("model/a b.json"), "model/a%20b.json");
  EXPECT_EQ(escape_link("javascript:alert(\"1\")"), "javascript%3Aalert%28%221%22%29");
  EXPECT_EQ(escape_link("\xC3\xA9?#%"), "%C3%A9%3F%23%25");
}

TEST(Html, TablesRightAlignNumbers) {
  std::string head[] = {"name", "bits"};
  std::vector<std::string> rows[] = {{"a<b", "-1.5"}, {"c", "-"}};
  EXPECT_EQ(html_table(head, rows),
            "<table>\n<thead><tr><th>name</th><th>bits</th></tr>\n</thead>\n<tbody>\n"
            "<tr><td>a&lt;b</td><td class=\"number\">-1.5</td></tr>\n"
            "<tr><td>c</td><td>-</td></tr>\n</tbody>\n</table>\n");
  EXPECT_EQ(count(html_table({}, rows), "<th"), 0u);
}

TEST(LinePlot, TicksAreRound) {
  using Ticks = std::vector<double>;
  EXPECT_EQ(round_ticks(0, 10, 5), (Ticks{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(round_ticks(-1, 1, 4), (Ticks{-1, -0.5, 0, 0.5, 1}));
  EXPECT_EQ(round_ticks(130, 3000, 5), (Ticks{1000, 2000, 3000}));
  EXPECT_EQ(round_log_ticks(0.09, 1200), (Ticks{0.1, 1, 10, 100, 1000}));
  EXPECT_EQ(round_log_ticks(3, 60), (Ticks{5, 10, 20, 50}));
  for (double low : {-3.0, 0.0, 1e-9, 7.77}) {
    for (double range : {1e-6, 0.3, 1.0, 99.0, 1e7}) {
      for (int n : {3, 5, 8}) {
        size_t ticks = round_ticks(low, low + range, n).size();
        EXPECT_LE(ticks, static_cast<size_t>(n) + 1) << low << " " << range;
        EXPECT_GE(2 * ticks + 1, static_cast<size_t>(n) - 1) << low << " " << range;
      }
    }
  }
}

TEST(LinePlot, TickTextIsShort) {
  EXPECT_EQ(tick_text(0), "0");
  EXPECT_EQ(tick_text(3 * 0.1), "0.3");
  EXPECT_EQ(tick_text(2500), "2500");
  EXPECT_EQ(tick_text(12500), "12500");
  EXPECT_EQ(tick_text(120000), "120k");
  EXPECT_EQ(tick_text(-1.5e6), "-1.5M");
  EXPECT_EQ(tick_text(2e9), "2G");
  EXPECT_EQ(tick_text(2e-5), "2e-05");
}

TEST(LinePlot, OmitsPointsThatCannotBeDrawn) {
  Curve few{"few", {{1, 2}, {2, NAN}, {3, 1}, {4, INFINITY}}, true};
  Curve many{"many <&>", {}};
  for (int i = 0; i < 20000; ++i) many.points.push_back({i / 5000.0, i == 777 ? 100.0 : i % 7});
  Curve curves[] = {few, many};
  std::string svg = line_plot_svg(curves, {.title = "\"Both\""});
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_EQ(count(svg, "<polyline"), 3u) << "one shows means";
  EXPECT_EQ(count(svg, "<circle"), 2u);
  EXPECT_EQ(count(svg, "nan") + count(svg, "inf"), 0u);
  EXPECT_TRUE(contains(svg, "many &lt;&amp;&gt;"));
  EXPECT_TRUE(contains(svg, "&quot;Both&quot;"));
  EXPECT_TRUE(contains(svg, ">100<")) << "thinning keeps the peak";
  EXPECT_LT(svg.size(), 30000u);
  EXPECT_TRUE(line_plot_svg({}).ends_with("</svg>\n"));
  Curve empty{"none", {}}, one{"one", {{0, 0}}}, flat{"flat", {{1, 5}, {2, 5}}};
  for (const Curve& curve : {empty, one, flat}) {
    for (AxisScale scale : {AxisScale::automatic, AxisScale::linear, AxisScale::logarithmic}) {
      std::string text = line_plot_svg({&curve, 1}, {.y_scale = scale});
      EXPECT_EQ(count(text, "nan") + count(text, "inf"), 0u) << curve.name;
      EXPECT_GT(count(text, "<text"), 3u) << "both axes have tick labels";
    }
  }
}

TEST(LinePlot, AxesEndAtRoundNumbers) {
  Curve curve{"c", {{10, 7.13}, {240, 5.15}}};
  std::string svg = line_plot_svg({&curve, 1});
  for (const char* tick : {">5<", ">5.5<", ">6<", ">6.5<", ">7<", ">7.5<"}) {
    EXPECT_TRUE(contains(svg, tick)) << tick << "\n" << svg;
  }
}

TEST(LinePlot, WideRangesAreLogarithmic) {
  Curve wide{"wide", {{1, 0.01}, {2, 1}, {3, 10}}}, narrow{"narrow", {{1, 1}, {2, 20}}},
      below{"below", {{1, -1}, {2, 1000}}};
  auto is_log = [](const Curve& c) {
    return contains(line_plot_svg({&c, 1}, {.title = "t"}), "t (logarithmic)");
  };
  EXPECT_TRUE(is_log(wide));
  EXPECT_FALSE(is_log(narrow));
  EXPECT_FALSE(is_log(below));
}

class Reports : public ::testing::Test {
 protected:
  void TearDown() override { remove_tree(path_); }
  std::string path_ = ::testing::TempDir() + "gyre_report";
};

TEST_F(Reports, HoldTheirSections) {
  Report report("A <title>", "what & why");
  report.add_section("First \"part\"", figures_html({{"loss", "1 < 2"}}));
  report.add_section("Second", "<p>as it is</p>\n");
  std::string html = report.html();
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n") && html.ends_with("</html>\n"));
  EXPECT_TRUE(contains(html, "<title>A &lt;title&gt;</title>"));
  EXPECT_TRUE(contains(html, "what &amp; why"));
  EXPECT_TRUE(contains(html, "<h2>First &quot;part&quot;</h2>"));
  EXPECT_TRUE(contains(html, "<dt>loss</dt><dd>1 &lt; 2</dd>"));
  EXPECT_LT(html.find("First"), html.find("<p>as it is</p>"));
  EXPECT_EQ(count(html, "<script") + count(html, "http://") + count(html, "https://"), 0u)
      << "works offline";
  report.write(path_);
  EXPECT_EQ(read_file(path_), html);
}

TEST_F(Reports, DrawTheLog) {
  write_file_atomic(path_,
                    "{\"step\":1,\"loss\":4.5,\"lr\":0.1,\"gradient_norm\":1.5,"
                    "\"tokens_per_second\":900,\"elapsed\":1}\n"
                    "{\"step\":2,\"loss\":null,\"lr\":0.2,\"gradient_norm\":1.25,"
                    "\"tokens_per_second\":950,\"elapsed\":2}\n"
                    "{\"step\":2,\"val_loss\":4,\"val_bits_per_byte\":null}\n{\"step\":3,\"lo");
  std::string html = curves_html(path_);
  EXPECT_EQ(count(html, "<svg"), 4u) << "no bits per byte";
  EXPECT_TRUE(contains(html, "validation loss"));
  EXPECT_TRUE(contains(html, "Tokens per second"));
  write_file_atomic(path_, "");
  EXPECT_TRUE(contains(curves_html(path_), "no entries"));
  EXPECT_EQ(code_of([&] { return curves_html(path_ + "/none"); }), Code::io);
}

TEST_F(Reports, CompareValidationLosses) {
  const auto run = [&](const std::string& name, const std::string& log) {
    create_directories(path_ + "/" + name);
    write_file_atomic(path_ + "/" + name + "/log.jsonl", log);
    return path_ + "/" + name;
  };
  const std::string log = "{\"step\":1,\"loss\":4}\n{\"step\":1,\"val_loss\":4.25}\n",
                    dense = run("dense", log), packed = run("packed", log),
                    same = run("more/packed", log), none = run("none", "{\"step\":1,\"loss\":4}\n"),
                    long_name = run(std::string(60, 'a') + "\u00e9" + std::string(41, 'b'), log);
  const auto shown = [](const std::vector<std::string>& folders) {
    return comparison_html(folders);
  };
  EXPECT_EQ(count(shown({dense, packed}), "<svg"), 1u);
  EXPECT_EQ(count(shown({dense, packed}), "<circle"), 2u) << "not the training losses";
  EXPECT_TRUE(contains(shown({dense, packed + "/"}), ">packed</text>"));
  EXPECT_TRUE(contains(shown({packed, same}), path_.substr(path_.size() - 5) + "/packed</text>"));
  EXPECT_TRUE(contains(shown({dense, packed, long_name}), ">..." + std::string(28, 'b')));
  EXPECT_TRUE(contains(shown({dense, long_name}), ">..." + std::string(41, 'b') + "<"))
      << "whole characters";
  EXPECT_EQ(count(shown({dense, none}), "<circle"), 1u);
  EXPECT_TRUE(contains(shown({none}), "no validation losses"));
  EXPECT_EQ(code_of([&] { return shown({path_ + "/nothere"}); }), Code::io);
}

TEST_F(Reports, ShowResults) {
  TrainReport r;
  r.train_loss = 2.5;
  r.val.loss = r.val.bits_per_byte = NAN;
  r.parameters = 12345;
  r.steps = r.new_steps = 40;
  r.seconds = 12;
  r.tokens_per_second = 1000.4;
  r.peak_bytes = 3'000'000;
  r.state_bytes = 148'140;
  r.bytes_per_weight = 12;
  std::string html = training_figures_html(r);
  for (const char* figure :
       {"<dt>validation loss</dt><dd>-</dd>", "<dt>training loss</dt><dd>2.5000</dd>",
        "<dt>parameters</dt><dd>12,345</dd>", "<dt>steps</dt><dd>40</dd>",
        "<dt>time</dt><dd>12 s</dd>", "<dt>tokens per second</dt><dd>1000</dd>",
        "<dt>peak tensor memory</dt><dd>3.0 MB</dd>",
        "<dt>weights and optimiser state</dt><dd>148 KB, 12.00 bytes a weight</dd>"}) {
    EXPECT_TRUE(contains(html, figure)) << figure << "\n" << html;
  }
  r.new_steps = 0;
  EXPECT_FALSE(contains(training_figures_html(r), "peak tensor memory"));
}

TEST_F(Reports, ShowOptionsSamplesFilesAndMachine) {
  Json options = Json::object();
  options["lr"] = 0.001;
  options["tied"] = true;
  options["preset"] = "";
  options["data"] = Json::array();
  options["data"].push_back("a&b");
  options["data"].push_back("c");
  EXPECT_EQ(options_html(options),
            "<dl class=\"columns\">\n<div><dt>lr</dt><dd>0.001</dd></div>\n"
            "<div><dt>tied</dt><dd>true</dd></div>\n<div><dt>preset</dt><dd>none</dd></div>\n"
            "<div><dt>data</dt><dd>a&amp;b, c</dd></div>\n</dl>\n");
  EXPECT_EQ(samples_html({{"a <", "a < b"}, {"x", "y"}}),
            "<blockquote><b>a &lt;</b> b</blockquote>\n<blockquote><b>x</b>y</blockquote>\n");
  std::string bars = bars_html({{"a", 2}, {"b<", 1}, {"c", NAN}});
  EXPECT_TRUE(contains(bars, "<td>a</td><td class=\"number\">2.000</td>")) << bars;
  EXPECT_TRUE(contains(bars,
                       "<td>b&lt;</td><td class=\"number\">1.000</td><td><span "
                       "style=\"width:50.0%\"></span></td>"))
      << bars;
  EXPECT_TRUE(contains(bars, "<td>c</td><td class=\"number\">-</td><td></td>")) << bars;
  EXPECT_TRUE(contains(samples_html({}), "No samples were requested"));
  EXPECT_TRUE(
      contains(files_html({{"a b", "c<d"}}), "<a href=\"a%20b\">a b</a></td><td>c&lt;d</td>"));
  std::string machine = machine_html();
  EXPECT_TRUE(contains(machine, escape_html(build_info().compiler)));
  EXPECT_TRUE(contains(machine, "<dt>instruction set</dt><dd>x86-64-v"));
  EXPECT_TRUE(contains(machine, " UTC</dd>"));
}

}  // namespace
}  // namespace gyre
