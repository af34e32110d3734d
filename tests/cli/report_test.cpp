// mubody report, run --report, compare --report, stability --report: what is written, and what is refused.
#include <cmath>
#include <cstring>

#include <nlohmann/json.hpp>

#include "mubody/report/report_template.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using Json = nlohmann::json;

class ReportVerb : public Program {
 protected:
  void SetUp() override {
    if (io::report_template("planar").empty()) GTEST_SKIP() << "built without node";
    write("pendulum.toml", pendulum);
  }

  /// The data in a page.
  Json data_in(const std::string& file) const {
    const std::string page = contents(folder / file), before = R"(id="data">)";
    const std::size_t begin = page.find(before) + before.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  }
  template <class Number> static std::vector<Number> numbers(const std::string& base64) {
    const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int count = 0;
    for (const char c : base64) {
      if (c == '=') break;
      bits = bits << 6 | unsigned(letters.find(c));
      if ((count += 6) >= 8) bytes += char(bits >> (count -= 8) & 255);
    }
    std::vector<Number> all(bytes.size() / sizeof(Number));
    std::memcpy(all.data(), bytes.data(), all.size() * sizeof(Number));
    return all;
  }
  static std::vector<float> column(const Json& data, const std::string& name) {
    for (const Json& table : data["tables"])
      for (const Json& c : table["columns"])
        if (c["name"] == name) return numbers<float>(c["data"]);
    ADD_FAILURE() << "no column " << name;
    return {};
  }
};

TEST_F(ReportVerb, has_the_plots_and_units_that_the_model_asks_for) {
  write("asked.toml",
        std::string(pendulum) +
            "[report]\nunits = [\"deg\", \"kN\"]\n"
            "plots = [{title = \"Swing\", channels = [\"rod.angle\"]}, [\"kinetic\", \"total\"]]\n");
  ASSERT_EQ(mubody({"run", "asked.toml", "-q", "--report"}).code, 0);
  const Json data = data_in("asked.out/report.html");
  EXPECT_EQ(data["plots"], Json::parse(R"([{"title": "Swing", "channels": ["rod.angle"]},
                                           {"title": "", "channels": ["kinetic", "total"]}])"));
  EXPECT_EQ(data["units"].size(), 2U);
  EXPECT_EQ(data["units"]["rad"]["unit"], "deg");
  EXPECT_NEAR(double(data["units"]["rad"]["factor"]), 57.29577951308232, 1e-12);
  EXPECT_EQ(data["units"]["N"]["unit"], "kN");
  // The columns are those of the mechanism, in SI.
  EXPECT_TRUE(has(contents(folder / "asked.out/bodies.csv"), "rod.angle[rad]"));
}

TEST_F(ReportVerb, run_writes_one_beside_the_results) {
  const Answer a = mubody({"run", "pendulum.toml", "--report"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "report in pendulum.out/report.html")) << a.out;
  const Json data = data_in("pendulum.out/report.html");
  EXPECT_EQ(data["summary"]["model"], "pendulum");
  EXPECT_EQ(data["model"]["file"], "pendulum.toml");
  EXPECT_EQ(data["model"]["text"], pendulum);
  EXPECT_EQ(data["scene"]["bodies"].size(), 1u);
  EXPECT_TRUE(data["thinned"].is_null());
  // The page must not show the folders of the computer.
  EXPECT_FALSE(has(contents(folder / "pendulum.out/report.html"), folder.string()));
}

TEST_F(ReportVerb, numbers_are_those_of_the_files) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--report", "page.html"}).code, 0);
  const Json data = data_in("page.html");
  const std::vector<double> times = numbers<double>(data["times"]);
  const std::vector<float> x = column(data, "rod.x"), tip = column(data, "tip.y");
  std::ifstream bodies(folder / "pendulum.out/bodies.csv");
  std::string line, cell;
  std::getline(bodies, line);
  std::size_t row = 0;
  for (; std::getline(bodies, line); ++row) {
    std::istringstream cells(line);
    std::getline(cells, cell, ',');
    EXPECT_EQ(times[row], std::stod(cell));
    std::getline(cells, cell, ',');
    EXPECT_EQ(x[row], float(std::stod(cell)));
  }
  EXPECT_EQ(times.size(), row);
  // The only body is all the mass; the tip is twice as far from the pin.
  EXPECT_EQ(column(data, "mass_centre.x"), x);
  EXPECT_NEAR(tip.back(), 2 * column(data, "rod.y").back(), 1e-6);
}

TEST_F(ReportVerb, a_model_is_run_and_nothing_else_is_written) {
  const Answer a = mubody({"report", "pendulum.toml", "-o", "sub/page.html", "--set", "analysis.end=0.1"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out, "report in sub/page.html\n");
  EXPECT_FALSE(fs::exists(folder / "pendulum.out"));
  // There are enough rows to look smooth, and those asked for are among them.
  const std::vector<double> times = numbers<double>(data_in("sub/page.html")["times"]);
  EXPECT_GE(times.size(), 400u);
  EXPECT_DOUBLE_EQ(times[(times.size() - 1) / 2], 0.05);
}

TEST_F(ReportVerb, results_are_shown_again) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--quiet", "--report", "first.html"}).code, 0);
  const Answer a = mubody({"report", "pendulum.out"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out, "report in pendulum.out/report.html\n");
  EXPECT_EQ(contents(folder / "pendulum.out/report.html"), contents(folder / "first.html"));
}

TEST_F(ReportVerb, results_without_a_model_are_points) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--quiet", "-o", "elsewhere"}).code, 0);
  const Answer a = mubody({"report", "elsewhere"});
  EXPECT_EQ(a.code, 0);
  EXPECT_TRUE(has(a.err, "--model FILE")) << a.err;
  const Json data = data_in("elsewhere/report.html");
  EXPECT_TRUE(data["parts"].is_null());
  EXPECT_EQ(data["scene"]["bodies"][0]["name"], "rod");
  EXPECT_EQ(mubody({"report", "elsewhere", "--model", "pendulum.toml"}).err, "");
  EXPECT_EQ(data_in("elsewhere/report.html")["parts"]["bodies"][0]["mass"], 2);
}

TEST_F(ReportVerb, says_what_cannot_be) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--quiet"}).code, 0);
  const auto expect_error = [&](const std::vector<std::string>& words, int code, const std::string& message) {
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, code) << a.err;
    EXPECT_TRUE(has(a.err, message)) << a.err;
    EXPECT_EQ(a.out, "");
  };
  fs::create_directory(folder / "taken.html");
  expect_error({"report", "nothing.toml"}, 2, "nothing.toml");
  expect_error({"report", "pendulum.out/bodies.csv"}, 2, "give their folder: mubody report pendulum.out");
  expect_error({"report", "pendulum.toml", "-o", "taken.html"}, 1, "it is a folder");
  expect_error({"report", "pendulum.toml", "-o", "pendulum.toml"}, 2, "it is the model itself");
  expect_error({"report", "pendulum.toml", "-o", "page.txt"}, 2, "ends with .html");
  expect_error({"run", "pendulum.toml", "--report", "pendulum.out/page.json"}, 2, "ends with .html");
  write("mine.html", "<!doctype html><title>mine</title>");
  expect_error({"report", "pendulum.toml", "-o", "mine.html"}, 1, "was not written by mubody");
  EXPECT_EQ(contents(folder / "mine.html"), "<!doctype html><title>mine</title>");
  EXPECT_EQ(contents(folder / "pendulum.toml"), pendulum);
  expect_error({"report", "pendulum.out", "--set", "analysis.end=2"}, 2, "--set goes with a model");
  expect_error({"report", "pendulum.toml", "--model", "pendulum.toml"}, 2,
               "--model goes with a folder of results");
  write("other.toml", R"([bodies]
wheel = {mass = 1, inertia = 1, position = [0, 0]}
)");
  expect_error({"report", "pendulum.out", "--model", "other.toml"}, 2, "wheel");
  write("pendulum.out/summary.json", "{}");
  expect_error({"report", "pendulum.out"}, 2, "summary.json");
}

TEST_F(ReportVerb, damaged_tables_are_named_by_line) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--quiet"}).code, 0);
  write("pendulum.out/energy.csv", "time[s],kinetic[J]\n0,nan\n");
  const Answer a = mubody({"report", "pendulum.out"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "energy.csv:2")) << a.err;
}

TEST_F(ReportVerb, rows_that_one_table_lacks_are_left_out) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "--quiet"}).code, 0);
  write("pendulum.out/energy.csv", "time[s],kinetic[J]\n0,1\n0.1,2\n");
  ASSERT_EQ(mubody({"report", "pendulum.out"}).code, 0);
  const Json data = data_in("pendulum.out/report.html");
  EXPECT_EQ(numbers<double>(data["times"]), (std::vector<double>{0, 0.1}));
  EXPECT_EQ(column(data, "rod.x").size(), 2u);
}

// Changes are reported, also when results are shown again, and the model is then drawn with them.
TEST_F(ReportVerb, tells_what_set_changed) {
  ASSERT_EQ(
      mubody({"run", "pendulum.toml", "-q", "--report", "-s", "bodies.rod.mass=7", "-s", "analysis.end=0.5"})
          .code,
      0);
  const std::vector<std::string> changes{"bodies.rod.mass=7", "analysis.end=0.5"};
  Json data = data_in("pendulum.out/report.html");
  EXPECT_EQ(data["model"]["changes"], changes);
  EXPECT_EQ(data["model"]["text"], pendulum);
  EXPECT_EQ(data["parts"]["bodies"][0]["mass"], 7);
  ASSERT_EQ(mubody({"report", "pendulum.out", "-q", "-o", "again.html"}).code, 0);
  data = data_in("again.html");
  EXPECT_EQ(data["model"]["changes"], changes);
  EXPECT_EQ(data["parts"]["bodies"][0]["mass"], 7);
  ASSERT_EQ(mubody({"report", "pendulum.toml", "-q", "-o", "new.html"}).code, 0);
  EXPECT_EQ(data_in("new.html")["model"]["changes"], Json::array());
  ASSERT_EQ(
      mubody({"compare", "pendulum.toml", "-q", "--treatments", "standard", "--repeat", "1", "--integrators",
              "rk4", "--steps", "1e-2", "--report", "compare.html", "-s", "analysis.end=0.1"})
          .code,
      0);
  EXPECT_EQ(data_in("compare.html")["model"]["changes"], (std::vector<std::string>{"analysis.end=0.1"}));
}

TEST_F(ReportVerb, modes_have_a_motion_each) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "-q", "--analysis", "modes", "-s", "analysis.about=equilibrium",
                    "--report"})
                .code,
            0);
  const Json data = data_in("pendulum.out/report.html");
  ASSERT_EQ(data["modes"]["list"].size(), 1u);
  const std::size_t rows = data["modes"]["motion"]["rows"];
  const std::vector<double> times = numbers<double>(data["times"]);
  EXPECT_EQ(times.size(), 1u);
  std::vector<float> angle;
  for (const Json& c : data["modes"]["motion"]["columns"])
    if (c["name"] == "rod.angle") angle = numbers<float>(c["data"]);
  ASSERT_EQ(angle.size(), rows);
  // The motion goes to and fro about rest.
  const float rest = column(data, "rod.angle")[0];
  EXPECT_GT(std::abs(angle[0] - rest), 0.05);
  EXPECT_NEAR(angle[0] - rest, -(angle[rows / 2] - rest), 1e-5);
  EXPECT_NEAR(angle[rows - 1], angle[0], 1e-6);
  ASSERT_EQ(mubody({"report", "pendulum.out", "-q", "-o", "again.html"}).code, 0);
  EXPECT_EQ(data_in("again.html")["modes"], data["modes"]);
}

// Eigenvalues at one instant are not a history.
TEST_F(ReportVerb, lists_are_no_channels) {
  write("two.toml", R"(gravity = [0, -9.81]
[bodies]
a = {mass = 1, inertia = 0.1, position = [0, -0.5], angle = -1.5707963267948966}
b = {mass = 1, inertia = 0.1, position = [0, -1.5], angle = -1.5707963267948966}
[joints]
A = {type = "revolute", bodies = ["ground", "a"], at = [0, 0]}
B = {type = "revolute", bodies = ["a", "b"], at = [0, -1]}
[analysis]
type = "equilibrium"
)");
  ASSERT_EQ(mubody({"report", "two.toml", "-q"}).code, 0);
  const Json data = data_in("two.html");
  EXPECT_EQ(numbers<double>(data["times"]).size(), 1u);
  ASSERT_EQ(data["lists"].size(), 1u);
  EXPECT_EQ(data["lists"][0]["name"], "stability");
  EXPECT_EQ(data["lists"][0]["rows"].size(), 2u);
  for (const Json& table : data["tables"]) EXPECT_NE(table["name"], "stability");
}

TEST_F(ReportVerb, comparison_and_regions) {
  const Answer a = mubody({"compare", "pendulum.toml", "--treatments", "standard,projection", "--repeat", "1",
                           "--integrators", "rk4", "--steps", "1e-2", "--report"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "report in pendulum.compare/report.html")) << a.out;
  const Json data = data_in("pendulum.compare/report.html");
  EXPECT_EQ(data["comparison"]["runs"].size(), 2u);
  EXPECT_EQ(numbers<double>(data["curves"][0]["times"]).size(), 11u);

  EXPECT_EQ(mubody({"stability", "--integrator", "euler", "--report", "region.html", "--points", "5"}).code, 0);
  const Json region = data_in("region.html")["regions"][0];
  const std::vector<double> alpha = region["alpha_h"], beta = region["beta2_h2"];
  const std::vector<float> z = numbers<float>(region["largest_z"]);
  ASSERT_EQ(z.size(), 25u);
  // Euler: z = 1 + s h with s² + 2 α s + β² = 0; without gains z = 1, with α alone the roots are 1 and 1 − 2 α h.
  EXPECT_FLOAT_EQ(z[0], 1);
  EXPECT_FLOAT_EQ(z[4], float(std::max(1.0, std::abs(1 - 2 * alpha[4]))));
  EXPECT_FLOAT_EQ(z[20], float(std::sqrt(1 + beta[4])));
}
}  // namespace
}  // namespace mubody::testing
