// Pictures of mechanisms show everything where the results say it is.
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "mubody/picture/svg.h"
#include "tests/models.h"
#include "tests/near.h"
#include "tests/pictures/picture.h"

namespace mubody::testing {
namespace {
constexpr double half_digit = 0.0051;  // numbers in a drawing have two decimals

// Converts pixels to metres of the plane, by the scale that the picture states.
struct Ruler {
  double scale;
  Vec<2> origin;
  Vec<2> pixels(double x, double y) const { return {origin.x() + scale * x, origin.y() - scale * y}; }
};

Ruler ruler_of(const std::vector<Tag>& tags) {
  for (const Tag& t : tags)
    if (t.attributes.contains("data-scale")) {
      const std::string& origin = t.attributes.at("data-origin");
      return {t.number("data-scale"), {std::stod(origin), std::stod(origin.substr(origin.find(' ')))}};
    }
  ADD_FAILURE() << "the picture has no scale";
  return {};
}

bool has_circle(const std::vector<Tag>& tags, const Vec<2>& at) {
  for (const Tag& t : tags)
    if (t.name == "circle" && std::abs(t.number("cx") - at.x()) < half_digit &&
        std::abs(t.number("cy") - at.y()) < half_digit)
      return true;
  return false;
}

TEST(picture, has_pins_where_the_results_have_them) {
  const Filmed f = film("four_bar", {"analysis.end=1"});
  for (const double t : {0.0, 0.25, 1.0}) {
    const std::vector<Tag> tags = tags_of(io::draw_scene(f.scene, f.motion, {.times = {t}}));
    const Ruler ruler = ruler_of(tags);
    const Table& bodies = *f.results.find("bodies");
    const auto row = std::size_t(std::lround(t / 0.01));
    const auto value = [&](const char* name) { return bodies.at(row, std::size_t(bodies.find(name))); };
    // B is the far end of the crank, 1 m from its centre; C that of the coupler, 2 m from its centre.
    const double crank = value("crank.angle"), coupler = value("coupler.angle");
    EXPECT_TRUE(has_circle(tags, ruler.pixels(0, 0))) << t;
    EXPECT_TRUE(has_circle(tags, ruler.pixels(2.5, 0))) << t;
    EXPECT_TRUE(
        has_circle(tags, ruler.pixels(value("crank.x") + std::cos(crank), value("crank.y") + std::sin(crank))))
        << t;
    EXPECT_TRUE(has_circle(tags, ruler.pixels(value("coupler.x") + 2 * std::cos(coupler),
                                              value("coupler.y") + 2 * std::sin(coupler))))
        << t;
  }
}

TEST(picture, has_lengths_to_scale) {
  const Filmed f = film("four_bar", {"analysis.end=0.1"});
  const std::vector<Tag> tags = tags_of(io::draw_scene(f.scene, f.motion, {}));
  const double scale = ruler_of(tags).scale;
  std::vector<double> lengths;
  for (const Tag& t : tags)
    if (t.name == "line" && t.attributes.contains("stroke-linecap"))
      lengths.push_back(std::hypot(t.number("x2") - t.number("x1"), t.number("y2") - t.number("y1")) / scale);
  for (const double bar : {2.0, 4.0})
    EXPECT_TRUE(
        std::ranges::any_of(lengths, [&](double l) { return std::abs(l - bar) < 2 * half_digit / scale; }));
}

// Barrel and rod are two bars on one line, from pin to pin.
TEST(picture, draws_a_cylinder_as_barrel_and_rod) {
  const Study study = io::read_study_text(R"(gravity = [0, 0]
[bodies]
mass = {mass = 1, inertia = 1, position = [2, 1]}
[drivers]
leg = {type = "distance", bodies = ["ground", "mass"], i = [0, 0], j = [0, 0], length = "= 2"}
)",
                                          "leg.toml");
  const std::vector<Tag> tags =
      tags_of(io::draw_scene(io::scene_of(study.mechanism), io::start_of(study.mechanism), {}));
  const Ruler ruler = ruler_of(tags);
  const Vec<2> from = ruler.pixels(0, 0), to = ruler.pixels(2, 1), along = (to - from).normalized();
  double low = 1e9, high = -1e9;
  int bars = 0;
  for (const Tag& t : tags) {
    if (t.name != "polygon" || !t.attributes.contains("points")) continue;
    const std::vector<Vec<2>> corners = points_in(t.attributes.at("points"));
    if (corners.size() != 4) continue;
    ++bars;
    for (const Vec<2>& p : corners) {
      low = std::min(low, along.dot(p - from)), high = std::max(high, along.dot(p - from));
      EXPECT_LT(std::abs(along.x() * (p - from).y() - along.y() * (p - from).x()), 10);
    }
  }
  EXPECT_EQ(bars, 2);
  EXPECT_NEAR(low, 0, 2 * half_digit);
  EXPECT_NEAR(high, (to - from).norm(), 2 * half_digit);
}

TEST(picture, traces_the_way_of_a_point) {
  const Filmed f = film("spatial_slider_crank", {});
  const io::View view = io::View::named("30,20", 3, f.study.mechanism.gravity);
  const io::Trace trace = io::trace_of(f.scene, "C");
  const std::vector<Tag> tags = tags_of(io::draw_scene(f.scene, f.motion, {.view = view, .traces = {trace}}));
  const Ruler ruler = ruler_of(tags);
  bool found = false;
  for (std::size_t k = 1; k < tags.size(); ++k) {
    if (tags[k - 1].attributes.count("data-of") == 0) continue;
    found = true;
    const std::vector<Vec<2>> way = points_in(tags[k].attributes.at("points"));
    const Vec<3> first = io::global(f.motion.poses.front(), trace.of);
    // The directions right and up for an observer at azimuth 30 and elevation 20 degrees.
    const double a = pi / 6, e = pi / 9;
    const double right = -std::sin(a) * first.x() + std::cos(a) * first.y();
    const double up =
        -std::sin(e) * (std::cos(a) * first.x() + std::sin(a) * first.y()) + std::cos(e) * first.z();
    EXPECT_LT((way.front() - ruler.pixels(right, up)).cwiseAbs().maxCoeff(), half_digit);
    EXPECT_GT(way.size(), 10u);
  }
  EXPECT_TRUE(found);
}

TEST(picture, takes_rows_as_they_are_and_goes_straight_between_them) {
  io::Playback motion;
  motion.times = {0, 1};
  Pose a, b;
  b.at = {4, 2, 0}, b.angle = 3, b.turn = turn_about_z(3);
  motion.poses = {{Pose{}, a}, {Pose{}, b}};
  EXPECT_EQ(motion.at(1)[1].at, b.at);
  EXPECT_EQ(motion.at(7)[1].at, b.at);
  EXPECT_EQ(motion.at(-1)[1].at, a.at);
  EXPECT_DOUBLE_EQ(motion.at(0.25)[1].at.x(), 1);
  EXPECT_DOUBLE_EQ(motion.at(0.25)[1].angle, 0.75);
  EXPECT_NEAR(angle_about_z(motion.at(0.25)[1].turn), 0.75, 1e-14);
}

TEST(view, looks_from_where_it_is_asked_to) {
  const Vec<3> down(0, 0, -g);
  for (const char* name : {"iso", "xy", "xz", "yz", "30,20", "-120,-75"}) {
    const io::View v = io::View::named(name, 3, down);
    EXPECT_LT((v.right.cross(v.up) - v.toward).norm(), 1e-15) << name;
  }
  // All three axes look equally long, sqrt(2/3), and the vertical points up.
  const io::View iso = io::View::named("iso", 3, down);
  for (int k = 0; k < 3; ++k) EXPECT_TRUE(same(iso.flat(Vec<3>::Unit(k)).norm(), std::sqrt(2.0 / 3), 1));
  EXPECT_TRUE(same(iso.flat(Vec<3>::UnitZ()).x(), 0, 1));
  EXPECT_GT(iso.flat(Vec<3>::UnitZ()).y(), 0);
  EXPECT_GT(io::View::named("", 3, Vec<3>(0, -g, 0)).flat(Vec<3>::UnitY()).y(), 0.8);
  // From the side of x, y runs to the right.
  const io::View side = io::View::named("0,0", 3, down);
  EXPECT_LT((side.flat(Vec<3>::UnitY()) - Vec<2>(1, 0)).norm(), 1e-15);
  EXPECT_LT((side.flat(Vec<3>::UnitZ()) - Vec<2>(0, 1)).norm(), 1e-15);
  EXPECT_THROW(io::View::named("above", 3, down), FieldError);
  EXPECT_THROW(io::View::named("10,100", 3, down), FieldError);
  EXPECT_THROW(io::View::named("10,20,30", 3, down), FieldError);
}

TEST(picture, draws_all_examples) {
  for (const auto& folder : std::filesystem::directory_iterator(MUBODY_SOURCE_DIR "/examples")) {
    if (!folder.is_directory()) continue;
    const std::string name = folder.path().filename().string();
    const Filmed f = film(name, {"analysis.type='assembly'", "analysis.end=0", "output.step=1"});
    const io::View view = io::View::named("", f.study.mechanism.dim, f.study.mechanism.gravity);
    const std::string svg = io::draw_scene(f.scene, f.motion, {.title = f.study.mechanism.name, .view = view});
    const std::vector<Tag> tags = tags_of(svg);
    EXPECT_GT(tags.size(), 10u) << name;
    EXPECT_EQ(svg.find("nan"), svg.npos) << name;
    // Pins, discs and balls are within the picture.
    for (const Tag& t : tags) {
      if (t.name != "circle") continue;
      EXPECT_TRUE(t.number("cx") > 0 && t.number("cx") < 800 && t.number("cy") > 0 && t.number("cy") < 560)
          << name;
    }
  }
}

TEST(picture, survives_long_and_wild_names) {
  Mechanism m = four_bar();
  const std::string wild = "<b>&\"" + std::string(500, 'x') + "\x01\n\xC3\xA4";
  m.bodies[0].name = m.joints[0].name = wild;
  const std::string svg = io::draw_scene(io::scene_of(m), io::start_of(m), {.title = wild});
  tags_of(svg);
  EXPECT_NE(svg.find("\u2026"), svg.npos);
}

TEST(picture, draws_one_body_and_a_thousand) {
  Mechanism lonely;
  lonely.bodies = {body("only", 1, 1, 3, 4, 0)};
  const std::vector<Tag> tags = tags_of(io::draw_scene(io::scene_of(lonely), io::start_of(lonely), {}));
  EXPECT_TRUE(has_circle(tags, ruler_of(tags).pixels(3, 4)));

  Mechanism chain;
  for (int k = 0; k < 1000; ++k) {
    chain.bodies.push_back(body(fmt::format("b{}", k), 1, 1, k + 0.5, 0, 0));
    chain.add_joint(fmt::format("j{}", k), revolute(marker(k, k == 0 ? 0 : 0.5, 0), marker(k + 1, -0.5, 0)));
  }
  const std::string svg = io::draw_scene(io::scene_of(chain), io::start_of(chain), {});
  tags_of(svg);
  EXPECT_LT(svg.size(), 1'000'000u);
}

TEST(picture, draws_a_motion_of_no_length) {
  const Filmed f = film("pendulum", {"analysis.end=0"});
  EXPECT_EQ(f.motion.times.size(), 1u);
  tags_of(io::draw_scene(f.scene, f.motion, {.times = {0, 0, 0}, .traces = {io::trace_of(f.scene, "bob")}}));
}

TEST(picture, leaves_out_rows_that_are_not_numbers) {
  const Mechanism m = four_bar();
  Table table{"bodies", {{"time", "s"}}, {}};
  for (const char* b : {"crank", "coupler", "follower"})
    for (const char* q : {".x", ".y", ".angle"}) table.columns.push_back({std::string(b) + q, ""});
  table.values.assign(20, 0.5);
  table.values[13] = std::nan("");
  EXPECT_EQ(io::playback_of(m, table).times.size(), 1u);
  table.values[3] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(io::playback_of(m, table).empty());
  EXPECT_THROW(io::draw_scene(io::scene_of(m), io::playback_of(m, table), {}), ModelError);
  Table other{"bodies", {{"time", "s"}, {"other.x", ""}}, {}};
  for (std::size_t k = 2; k < table.columns.size(); ++k) other.columns.push_back(table.columns[k]);
  other.values.assign(10, 0.5);
  EXPECT_THROW(io::playback_of(m, other), ModelError);
}

TEST(picture, refuses_to_trace_what_is_not_there) {
  const io::Scene scene = io::scene_of(four_bar());
  EXPECT_EQ(io::trace_of(scene, "coupler").of.body, 2);
  EXPECT_EQ(io::trace_of(scene, "B").of.body, 2);
  try {
    io::trace_of(scene, "cuopler");
    FAIL();
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'coupler'?"), std::string::npos);
  }
}

TEST(svg, mixes_colours) {
  EXPECT_EQ(io::mixed("#000000", "#ffffff", 0), "#000000");
  EXPECT_EQ(io::mixed("#000000", "#ff8040", 1), "#ff8040");
  EXPECT_EQ(io::mixed("#102030", "#304050", 0.5), "#203040");
}

TEST(svg, writes_short_numbers) {
  EXPECT_EQ(io::px(1.0), "1");
  EXPECT_EQ(io::px(-0.001), "0");
  EXPECT_EQ(io::px(12.346), "12.35");
  EXPECT_EQ(io::px(100), "100");
}
}  // namespace
}  // namespace mubody::testing
