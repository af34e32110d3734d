// mubody picture, from a model or from results, to SVG and glTF.
#include <cmath>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
class Picture : public Program {
 protected:
  Picture() { write("rod.toml", pendulum); }
  void expect_refused(std::vector<std::string> words, int code, const std::string& part) const {
    words.insert(words.begin(), "picture");
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, code) << a.err;
    EXPECT_TRUE(has(a.err, part)) << a.err;
    EXPECT_EQ(names_in(folder).count("out.svg"), 0u);
  }
};

TEST_F(Picture, is_drawn_from_a_model_at_a_time) {
  const Answer a = mubody({"picture", "rod.toml", "-t", "200 ms", "-o", "out.svg"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out + a.err, "");
  const std::string svg = contents(folder / "out.svg");
  EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 80);
  EXPECT_TRUE(has(svg, "t = 0.2 s"));
  EXPECT_TRUE(has(svg, ">pin<"));
  EXPECT_TRUE(has(svg, ">tip<"));
  EXPECT_EQ(names_in(folder).count("rod.out"), 0u) << "a picture leaves no results";
}

TEST_F(Picture, from_results_is_the_same) {
  ASSERT_EQ(mubody({"run", "rod.toml", "-q"}).code, 0);
  ASSERT_EQ(mubody({"picture", "rod.toml", "-t", "0.25", "-o", "model.svg"}).code, 0);
  const Answer a = mubody({"picture", "rod.toml", "-t", "0.25", "-o", "results.svg", "--results", "rod.out"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(contents(folder / "model.svg"), contents(folder / "results.svg"));
}

TEST_F(Picture, shows_several_instants) {
  ASSERT_EQ(mubody({"picture", "rod.toml", "--strobe", "4", "--trace", "tip,rod", "-o", "out.svg"}).code, 0);
  const std::string svg = contents(folder / "out.svg");
  std::size_t instants = 0;
  for (std::size_t at = svg.find("class=\"instant\""); at != svg.npos;
       at = svg.find("class=\"instant\"", at + 1))
    ++instants;
  EXPECT_EQ(instants, 4u);
  EXPECT_TRUE(has(svg, "data-of=\"tip\""));
  EXPECT_TRUE(has(svg, "4 instants, t = 0 to 0.5 s"));
}

TEST_F(Picture, plots_channels) {
  ASSERT_EQ(mubody({"picture", "rod.toml", "--plot", "rod.angle,tip.x,kinetic", "-o", "out.svg"}).code, 0);
  EXPECT_TRUE(has(contents(folder / "out.svg"), "kinetic [J]"));
  ASSERT_EQ(
      mubody({"picture", "rod.toml", "--phase", "rod.angle,rod.omega", "-o", "out.svg", "--transparent"}).code,
      0);
  EXPECT_TRUE(has(contents(folder / "out.svg"), "rod.omega [rad/s]"));
  EXPECT_FALSE(has(contents(folder / "out.svg"), "<rect"));
}

TEST_F(Picture, is_an_animation) {
  ASSERT_EQ(mubody({"picture", "rod.toml", "-o", "motion.glb"}).code, 0);
  EXPECT_TRUE(contents(folder / "motion.glb").starts_with("glTF"));
}

TEST_F(Picture, says_what_is_wrong) {
  expect_refused({"rod.toml"}, 2, "--out is required");
  expect_refused({"rod.toml", "-o", "out.png"}, 2, "ends with .svg, a picture, or .glb");
  expect_refused({"rod.toml", "-o", "out.svg", "-t", "9"}, 2,
                 "outside of the results, which go from 0 s to 0.5 s");
  expect_refused({"rod.toml", "-o", "out.svg", "-t", "1 kg"}, 2, "--time");
  expect_refused({"rod.toml", "-o", "out.svg", "--size", "10x10"}, 2, "--size takes");
  expect_refused({"rod.toml", "-o", "out.svg", "--size", "800x600x5"}, 2, "--size takes");
  expect_refused({"rod.toml", "-o", "out.svg", "--size", "800px"}, 2, "--size takes");
  expect_refused({"rod.toml", "-o", "out.svg", "-s", "analysis.type=modes", "--plot", "frequency"}, 2,
                 "a column of modes.csv, which has no times");
  expect_refused({"rod.toml", "-o", "out.svg", "--view", "below"}, 2, "expected iso, xy, xz, yz");
  expect_refused({"rod.toml", "-o", "out.svg", "--strobe", "0"}, 2, "--strobe takes");
  expect_refused({"rod.toml", "-o", "out.svg", "--phase", "rod.x"}, 2, "--phase takes two channels");
  expect_refused({"rod.toml", "-o", "out.svg", "--plot", "rod.angel"}, 2, "did you mean 'rod.angle'?");
  expect_refused({"rod.toml", "-o", "out.svg", "--trace", "top"}, 2, "no point, joint or body 'top'");
  expect_refused({"rod.toml", "-o", "out.svg", "--results", "nowhere"}, 2, "no such folder of results");
  expect_refused({"rod.toml", "-o", "rod.toml/out.svg"}, 1, "rod.toml/out.svg");
  expect_refused({"rod.toml", "-o", "x.glb", "--strobe", "3"}, 2, "an animation (.glb) shows the whole motion");
  expect_refused({"nothing.toml", "-o", "out.svg"}, 2, "nothing.toml");
  expect_refused({"rod.toml", "-o", "out.svg", "--exaggerate", "10"}, 2,
                 "no joint with clearance and no bushing");
  expect_refused({"rod.toml", "-o", "out.svg", "--exaggerate", "0.5"}, 2, "--exaggerate takes a number from 1");
  expect_refused({"rod.toml", "-o", "out.svg", "--exaggerate", "nan"}, 2, "--exaggerate takes a number from 1");
  expect_refused({"rod.toml", "-o", "out.svg", "--exaggerate", "much"}, 2, "--exaggerate");
  expect_refused({"rod.toml", "-o", "out.svg", "--exaggerate", "5", "--plot", "rod.x"}, 2,
                 "goes with a drawing");
  expect_refused({"rod.toml", "-o", "x.glb", "--exaggerate", "5"}, 2,
                 "an animation (.glb) shows the whole motion");
}

// Results of a longer rod are drawn as a longer rod.
TEST_F(Picture, from_results_has_their_changes) {
  write("two.toml", R"(gravity = [0, -9.81]
[parameters]
L = 1
[bodies]
rod = {mass = 1, inertia = 1, position = ["= L/2", 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[points]
tip = {body = "rod", at = ["= L/2", 0]}
[analysis]
end = 0.1
)");
  ASSERT_EQ(mubody({"run", "two.toml", "-q", "-s", "parameters.L=3"}).code, 0);
  ASSERT_EQ(mubody({"picture", "two.toml", "-o", "a.svg", "--results", "two.out", "-t", "0"}).code, 0);
  ASSERT_EQ(mubody({"picture", "two.toml", "-o", "b.svg", "-s", "parameters.L=3", "-t", "0"}).code, 0);
  EXPECT_EQ(contents(folder / "a.svg"), contents(folder / "b.svg"));
}

TEST_F(Picture, shows_clearance) {
  const std::string model = std::string(MUBODY_SOURCE_DIR) + "/examples/clearance_slider_crank";
  ASSERT_EQ(mubody({"picture", model, "-o", "plain.svg", "-t", "1 ms"}).code, 0);
  ASSERT_EQ(mubody({"picture", model, "-o", "large.svg", "-t", "1 ms", "--exaggerate", "8"}).code, 0);
  EXPECT_FALSE(has(contents(folder / "plain.svg"), "clearance ×"));
  EXPECT_TRUE(has(contents(folder / "large.svg"), "clearance × 8"));
  EXPECT_TRUE(has(contents(folder / "plain.svg"), ">D, C<"));  // named like any joint
}

TEST_F(Picture, of_results_of_another_model_is_refused) {
  write("other.toml", R"(gravity = [0, -9.81]
[bodies]
bar = {mass = 1, inertia = 1, position = [0, 0]}
[analysis]
end = 0.1
)");
  ASSERT_EQ(mubody({"run", "rod.toml", "-q"}).code, 0);
  const Answer a = mubody({"picture", "other.toml", "-o", "out.svg", "--results", "rod.out"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "no column 'bar.x'")) << a.err;
}

// Numbers may differ in their last digit between machines; everything else is the same.
void expect_same_picture(const std::string& a, const std::string& b, const std::string& name) {
  const auto starts = [](const std::string& s, std::size_t k) {
    return std::isdigit(static_cast<unsigned char>(s[k])) ||
           (s[k] == '-' && k + 1 < s.size() && std::isdigit(static_cast<unsigned char>(s[k + 1])));
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == '#') {  // a colour such as #7e9991 would read as a number beyond all
      constexpr std::size_t colour = 7;
      ASSERT_EQ(a.substr(i, colour), b.substr(j, colour)) << name << " at " << i;
      i += colour, j += colour;
    } else if (starts(a, i) && starts(b, j)) {
      char *end_a = nullptr, *end_b = nullptr;
      const double x = std::strtod(a.c_str() + i, &end_a), y = std::strtod(b.c_str() + j, &end_b);
      ASSERT_NEAR(x, y, 0.021 + 1e-6 * std::abs(x)) << name << " at " << i;
      i = std::size_t(end_a - a.c_str()), j = std::size_t(end_b - b.c_str());
    } else {
      ASSERT_EQ(a[i++], b[j++]) << name << " at " << i;
    }
  }
  EXPECT_EQ(a.size() - i, b.size() - j) << name;
}

TEST_F(Picture, of_the_documents_is_what_the_program_draws) {
  const std::string root = MUBODY_SOURCE_DIR;
  const std::string command =
      root + "/tools/make_pictures.sh " + MUBODY_PROGRAM + " " + (folder / "drawn").string();
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::set<std::string> names = names_in(folder / "drawn");
  std::set<std::string> there = names_in(root + "/docs/pictures");
  std::erase_if(there, [](const std::string& name) { return !name.ends_with(".svg"); });  // screenshots
  EXPECT_EQ(names, there) << "run 'make pictures'";
  for (const std::string& name : names)
    expect_same_picture(contents(folder / "drawn" / name), contents(fs::path(root) / "docs/pictures" / name),
                        name);
}
}  // namespace
}  // namespace mubody::testing
