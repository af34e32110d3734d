// Tables in binary form, [output] format: whoever reads results reads them too.
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using Json = nlohmann::json;

class Format : public Program {
 protected:
  Format() { write("pendulum.toml", pendulum); }
  Answer run(const std::string& out, const std::string& format) const {
    return mubody({"run", "pendulum.toml", "-q", "--out", out, "--set", "output.format=" + format});
  }
  /// The names without those of lists, which are always text.
  std::set<std::string> tables_in(const char* out) const {
    std::set<std::string> names = names_in(folder / out);
    for (const char* list : {"accuracy.csv", "extremes.csv", "reactions.csv", "events.csv", "summary.json"})
      names.erase(list);
    return names;
  }
};

TEST_F(Format, decides_about_the_files_of_tables) {
  ASSERT_EQ(run("a", "npy").code, 0);
  EXPECT_EQ(tables_in("a"),
            (std::set<std::string>{"bodies.npy", "energy.npy", "joints.npy", "points.npy", "violations.npy"}));
  const Json summary = Json::parse(contents(folder / "a/summary.json"));
  EXPECT_EQ(summary["files"][0]["name"], "bodies.npy");
  EXPECT_EQ(summary["files"][0]["columns"][1], "rod.x[m]");
  // Files of an earlier run go, whatever their form.
  ASSERT_EQ(run("a", "both").code, 0);
  EXPECT_EQ(tables_in("a").size(), 10U);
  ASSERT_EQ(run("a", "csv").code, 0);
  EXPECT_EQ(tables_in("a"),
            (std::set<std::string>{"bodies.csv", "energy.csv", "joints.csv", "points.csv", "violations.csv"}));
  const Answer wrong = run("a", "cvs");
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "format: expected csv, npy or both, got 'cvs'; did you mean 'csv'?")) << wrong.err;
}

TEST_F(Format, of_one_run_does_not_matter_to_who_reads_it) {
  ASSERT_EQ(run("text", "csv").code, 0);
  ASSERT_EQ(run("binary", "npy").code, 0);
  const Answer agree = mubody({"agree", "text", "binary", "--tolerance", "0", "--format", "json"});
  EXPECT_EQ(agree.code, 0) << agree.err << agree.out;
  EXPECT_EQ(mubody({"agree", "text/bodies.csv", "binary/bodies.npy", "--tolerance", "0"}).code, 0);
  for (const char* out : {"text", "binary"}) {
    const std::string page = std::string(out) + ".html", picture = std::string(out) + ".svg";
    const Answer report = mubody({"report", out, "--out", page, "-q"});
    EXPECT_EQ(report.code, 0) << report.err;
    const Answer drawn =
        mubody({"picture", "pendulum.toml", "--results", out, "--time", "0.3", "--out", picture, "-q"});
    EXPECT_EQ(drawn.code, 0) << drawn.err;
  }
  EXPECT_EQ(contents(folder / "text.svg"), contents(folder / "binary.svg"));
  // A reference, from which a run with the same settings does not differ, and a start.
  for (const char* reference : {"text", "binary", "binary/bodies.npy"}) {
    const Answer a = mubody({"compare", "pendulum.toml", "--treatments", "projection", "--reference", reference,
                             "--format", "csv", "-q"});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_TRUE(has(a.out, ",0,0,0,0,")) << a.out;
  }
  std::string text = pendulum;
  text.replace(text.find("end = 0.5"), 9, "end = 0.6\nstart_from = \"binary\"");
  write("goes_on.toml", text);
  const Answer on = mubody({"run", "goes_on.toml", "-q"});
  EXPECT_EQ(on.code, 0) << on.err;
  EXPECT_TRUE(has(contents(folder / "goes_on.out/bodies.csv"), "\n0.5,"));
}

TEST_F(Format, damaged_tables_are_told) {
  ASSERT_EQ(run("a", "npy").code, 0);
  const std::string whole = contents(folder / "a/bodies.npy");
  write("a/bodies.npy", whole.substr(0, 200));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"report", "a", "--out", "page.html"}, {"agree", "a", "a"}}) {
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, 2);
    EXPECT_TRUE(has(a.err, "a/bodies.npy: is cut off: its head tells of 11 x 80 bytes, and there are 72"))
        << a.err;
  }
  const Answer again = run("a", "npy");
  EXPECT_EQ(again.code, 1) << "a file that somebody has changed is not replaced";
  EXPECT_TRUE(has(again.err, "was not written by mubody")) << again.err;
}

// A rod that is led along its own motion does what it did.
TEST_F(Format, binary_data_of_a_model_are_read) {
  ASSERT_EQ(run("free", "npy").code, 0);
  std::string text = pendulum;
  text.replace(text.find("[points]"), 8, R"toml([drivers.turn]
type = "coordinate"
body = "rod"
coordinate = "angle"
value = {type = "spline", data = {file = "free/bodies.npy", columns = ["time", "rod.angle"]}}

[points])toml");
  text.replace(text.find("end = 0.5"), 9, "end = 0.5\ntype = \"kinematic\"");
  write("led.toml", text);
  const Answer led = mubody({"run", "led.toml", "-q", "--out", "led"});
  EXPECT_EQ(led.code, 0) << led.err;
  const Answer agree = mubody({"agree", "free", "led", "--channels", "rod.angle,rod.x", "--tolerance", "1e-9"});
  EXPECT_EQ(agree.code, 0) << agree.out << agree.err;
}
}  // namespace
}  // namespace mubody::testing
