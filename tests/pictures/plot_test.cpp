// Plots: marks at round numbers, curves where their numbers are.
#include <cmath>

#include "mubody/picture/plot_svg.h"
#include "mubody/picture/ticks.h"
#include "tests/pictures/picture.h"

namespace mubody::testing {
namespace {
TEST(ticks, are_round) {
  const io::Ticks t(0, 10, 5);
  EXPECT_EQ(t.step, 2);
  EXPECT_EQ(t.labels, (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
  const io::Ticks small(-0.013, 0.021, 6);
  EXPECT_EQ(small.labels, (std::vector<std::string>{"\u22120.01", "0", "0.01", "0.02"}));
  for (const double high : {1e-9, 3.7e-4, 0.9, 17.0, 1234.5, 8.8e7}) {
    const io::Ticks any(0, high, 8);
    EXPECT_GE(any.at.size(), 3u) << high;
    EXPECT_LE(any.at.size(), 9u) << high;
    const double lead = any.step / std::pow(10, std::floor(std::log10(any.step) + 1e-9));
    EXPECT_TRUE(std::abs(lead - 1) < 1e-9 || std::abs(lead - 2) < 1e-9 || std::abs(lead - 5) < 1e-9) << high;
  }
}

TEST(ticks, are_there_for_constants_and_nonsense) {
  for (const double x : {0.0, 5.0, -1e-7, 3e20}) {
    const io::Ticks t(x, x, 5);
    EXPECT_LT(t.low, x);
    EXPECT_GT(t.high, x);
    EXPECT_FALSE(t.at.empty());
  }
  EXPECT_FALSE(io::Ticks(NAN, NAN, 5).at.empty());
}

// The scale of an axis in the picture, from value and pixel of two labelled marks.
struct Line {
  double from, slope;
  double operator()(double x) const { return from + slope * x; }
};
Line axis_by_labels(const std::vector<Tag>& tags, const char* attribute, const char* anchor) {
  std::vector<std::pair<double, double>> marks;
  const auto number = [](std::string label) {
    if (label.starts_with("\u2212")) label.replace(0, 3, "-");
    return std::stod(label);
  };
  for (const Tag& t : tags)
    if (t.name == "text" && t.attributes.contains("text-anchor") && t.attributes.at("text-anchor") == anchor &&
        t.attributes.at("font-size") == "11")
      marks.push_back({number(t.text), t.number(attribute)});
  EXPECT_GE(marks.size(), 2u);
  const double slope = (marks.back().second - marks[0].second) / (marks.back().first - marks[0].first);
  return {marks[0].second - slope * marks[0].first, slope};
}

TEST(plot, has_curves_where_their_numbers_are) {
  const Table table{"bodies", {{"time", "s"}, {"rod.x", "m"}}, {0, 1, 1, 3, 2, 9}};
  const std::vector<Tag> tags = tags_of(io::plot_svg(io::time_panels({table}, {"rod.x"}), {.title = "rod"}));
  const Line x = axis_by_labels(tags, "x", "middle"), y = axis_by_labels(tags, "y", "end");
  for (std::size_t k = 1; k < tags.size(); ++k) {
    if (tags[k - 1].attributes.count("data-channel") == 0) continue;
    const std::vector<Vec<2>> line = points_in(tags[k].attributes.at("points"));
    ASSERT_EQ(line.size(), 3u);
    for (std::size_t row = 0; row < 3; ++row) {
      EXPECT_NEAR(line[row].x(), x(table.at(row, 0)), 0.03);
      EXPECT_NEAR(line[row].y(), y(table.at(row, 1)) - 4, 0.03);  // letters stand 4 pixels below their mark
    }
    return;
  }
  FAIL() << "no curve";
}

TEST(plot, puts_equal_units_into_one_panel) {
  const Table table{"bodies", {{"time", "s"}, {"a.x", "m"}, {"b.x", "m"}, {"a.angle", "rad"}}, {0, 1, 2, 3}};
  const std::vector<io::Panel> panels = io::time_panels({table}, {"a.x", "a.angle", "b.x"});
  ASSERT_EQ(panels.size(), 2u);
  EXPECT_EQ(panels[0].curves.size(), 2u);
  EXPECT_EQ(panels[0].y_label, "[m]");
  EXPECT_EQ(panels[1].y_label, "a.angle [rad]");
  tags_of(io::plot_svg(panels, {}));
}

TEST(plot, keeps_peaks_of_many_rows) {
  io::Curve curve{"spike", "N", {}, {}};
  constexpr int rows = 200000;
  for (int k = 0; k < rows; ++k) curve.x.push_back(k * 1e-3), curve.y.push_back(std::sin(k * 0.01));
  curve.y[123456] = 50;
  const std::string svg = io::plot_svg({{"time [s]", "spike [N]", {curve}}}, {});
  EXPECT_LT(svg.size(), 100'000u);
  const std::vector<Tag> tags = tags_of(svg);
  const Line y = axis_by_labels(tags, "y", "end");
  double top = 1e9;
  for (const Tag& t : tags)
    if (t.name == "polyline")
      for (const Vec<2>& p : points_in(t.attributes.at("points"))) top = std::min(top, p.y());
  EXPECT_NEAR(top, y(50) - 4, 0.03);
}

TEST(plot, leaves_gaps_where_there_is_no_number) {
  io::Curve curve{"gap", "", {0, 1, 2, 3, 4}, {1, 2, NAN, 3, 4}};
  const auto count = [](const std::string& svg) {
    std::size_t lines = 0;
    for (const Tag& t : tags_of(svg)) lines += t.name == "polyline" ? 1 : 0;
    return lines;
  };
  EXPECT_EQ(count(io::plot_svg({{"time [s]", "gap", {curve}}}, {})), 2u);
  curve.y.assign(5, INFINITY);
  const std::string nothing = io::plot_svg({{"time [s]", "gap", {curve}}}, {});
  EXPECT_EQ(count(nothing), 0u);
  EXPECT_NE(nothing.find("no finite numbers"), nothing.npos);
  EXPECT_EQ(count(io::plot_svg({{"time [s]", "empty", {{"empty", "", {}, {}}}}}, {})), 0u);
}

TEST(plot, draws_one_channel_against_another) {
  const Table table{"bodies", {{"time", "s"}, {"a", "rad"}, {"b", "rad/s"}}, {0, 1, 2, 1, 3, 4}};
  const Table other{"energy", {{"time", "s"}, {"c", "J"}}, {0, 1}};
  const io::Panel panel = io::phase_panel({table, other}, "a", "b");
  EXPECT_EQ(panel.x_label, "a [rad]");
  EXPECT_EQ(panel.y_label, "b [rad/s]");
  EXPECT_EQ(panel.curves[0].x, (std::vector<double>{1, 3}));
  EXPECT_EQ(panel.curves[0].y, (std::vector<double>{2, 4}));
  EXPECT_THROW(io::phase_panel({table, other}, "a", "c"), ModelError);
  EXPECT_THROW(io::phase_panel({table}, "a", "d"), ModelError);
}

TEST(plot, survives_long_names) {
  const std::string name(400, 'n');
  const Table table{"bodies", {{"time", "s"}, {name, "m"}, {name + "2", "m"}}, {0, 1, 2, 1, 3, 4}};
  const std::string svg = io::plot_svg(io::time_panels({table}, {name, name + "2"}), {.title = name});
  tags_of(svg);
  EXPECT_NE(svg.find("\u2026"), svg.npos);
}
}  // namespace
}  // namespace mubody::testing
