// Limits of CPU time and memory: runs end there, and sweeps go on.
#include <chrono>

#include "cli/verb.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
class Limits : public Program {
 protected:
  /// The steps of the endless one are so small that nobody would wait for its end.
  Limits() {
    std::string text = pendulum;
    text.replace(text.find("end = 0.5"), 9, "end = 1000\nintegrator = \"rk4\"\nstep = 1e-7");
    text.replace(text.find("step = 0.05"), 11, "step = 1");
    write("endless.toml", text);
    write("pendulum.toml", pendulum);
  }
  /// The time that the program takes [s].
  double seconds(const std::vector<std::string>& words, Answer& a) const {
    const auto start = std::chrono::steady_clock::now();
    a = mubody(words);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
};
/// A net of bodies for which reading alone takes longer than the limits below.
std::string large_net() {
  constexpr int across = 100, bodies = 10000;
  std::string all = "gravity = [0, -9.81]\n[bodies]\n", joints = "[joints]\n";
  for (int k = 0; k < bodies; ++k) {
    const std::string name = "b" + std::to_string(k), x = std::to_string(k % across),
                      y = std::to_string(k / across);
    all += name + " = {mass = 1, inertia = 0.1, position = [" + x + ", " + y + "]}\n";
    joints += "h" + std::to_string(k) + " = {type = \"revolute\", bodies = [\"" +
              (k % across > 0 ? "b" + std::to_string(k - 1) : "ground") + "\", \"" + name + "\"], at = [" + x +
              ", " + y + "]}\n";
  }
  return all + joints + "[analysis]\nend = 1\n";
}
constexpr double far_too_long = 60;  // [s] even on a busy machine

TEST_F(Limits, a_run_ends_at_its_limit_and_keeps_what_it_has) {
  Answer a;
  EXPECT_LT(seconds({"run", "endless.toml", "-q", "--limit", "0.2"}, a), far_too_long);
  EXPECT_EQ(a.code, 4) << a.err;
  EXPECT_TRUE(has(a.err, "the limit of 0.2 s of CPU time was reached at t = ")) << a.err;
  EXPECT_TRUE(has(a.err, "the results up to there are kept")) << a.err;
  EXPECT_TRUE(has(contents(folder / "endless.out" / "summary.json"), "\"out of time\""));
  EXPECT_TRUE(has(contents(folder / "endless.out" / "bodies.csv"), "rod.x[m]"));
}

TEST_F(Limits, a_model_may_bring_its_own) {
  const std::vector<std::string> own{"-s", "analysis.limit=200 ms", "-q"};
  const std::vector<std::vector<std::string>> verbs{{"run", "endless.toml"},
                                                    {"report", "endless.toml"},
                                                    {"picture", "endless.toml", "-o", "picture.svg"},
                                                    {"independent", "endless.toml", "--along"}};
  for (std::vector<std::string> words : verbs) {
    words.insert(words.end(), own.begin(), own.end());
    const Answer a = mubody(words);
    EXPECT_EQ(a.code, 4) << words[0] << ": " << a.err;
    EXPECT_TRUE(has(a.err, "the limit of 0.2 s of CPU time was reached")) << words[0] << ": " << a.err;
  }
}

TEST_F(Limits, have_no_effect_on_what_is_done_by_then) {
  const Answer a = mubody({"run", "pendulum.toml", "-q", "--limit", "2 min", "--memory-limit", "500 MB"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(mubody({"run", "pendulum.toml", "-q", "-o", "free"}).code, 0);
  EXPECT_EQ(contents(folder / "free" / "bodies.csv"), contents(folder / "pendulum.out" / "bodies.csv"));
}

TEST_F(Limits, that_mean_nothing_are_refused) {
  for (const char* text : {"", "0", "-1", "nan", "inf", "2 m", "soon", "0x10"}) {
    const Answer a = mubody({"run", "pendulum.toml", "--limit", text});
    EXPECT_EQ(a.code, 2) << text << ": " << a.err;
    EXPECT_TRUE(has(a.err, "--limit")) << text << ": " << a.err;
  }
  EXPECT_EQ(mubody({"run", "pendulum.toml", "-s", "analysis.limit=0"}).code, 2);
  EXPECT_EQ(mubody({"run", "pendulum.toml", "-s", "analysis.limit=nan"}).code, 2);
  for (const char* text : {"", "0", "-1MB", "much", "1 kB", "0x10", "0x10GB", "inf", "1e400"}) {
    const Answer a = mubody({"run", "pendulum.toml", "--memory-limit", text});
    EXPECT_EQ(a.code, 2) << text << ": " << a.err;
    EXPECT_TRUE(has(a.err, "--memory-limit")) << text << ": " << a.err;
  }
  EXPECT_FALSE(fs::exists(folder / "pendulum.out"));
}

TEST_F(Limits, of_memory_end_a_run_with_a_plain_message) {
  const Answer a = mubody({"run", "pendulum.toml", "--no-estimate", "--memory-limit", "64MB", "-s",
                           "output.step=1e-7", "--limit", "100 s"});
  EXPECT_EQ(a.code, 1) << a.err;
  EXPECT_TRUE(has(a.err, "not enough memory")) << a.err;
  EXPECT_TRUE(has(a.err, "--memory-limit")) << a.err;
  EXPECT_FALSE(has(a.err, "internal error")) << a.err;
  EXPECT_FALSE(fs::exists(folder / "pendulum.out"));
}

TEST_F(Limits, a_sweep_goes_on_past_points_that_are_endless_or_too_large_or_wrong) {
  write("points.csv",
        "step,rows,mass\n1e-3,0.1,2\n1e-9,0.1,2\n1e-3,1e-7,2\n1e-3,0.1,-1\n1e-3,0.1,3\n1e-9,0.1,3\n");
  Answer a;
  const double took = seconds({"sweep",
                               "pendulum.toml",
                               "-j",
                               "2",
                               "-s",
                               "analysis.integrator=rk4",
                               "-s",
                               "analysis.step=1e-3",
                               "--lanes",
                               "0",
                               "--vary",
                               "analysis.step=@points.csv:step",
                               "--vary",
                               "output.step=@points.csv:rows",
                               "--vary",
                               "bodies.rod.mass=@points.csv:mass",
                               "--keep",
                               "rod.angle",
                               "-o",
                               "rows.csv",
                               "--limit",
                               "1",
                               "--memory-limit",
                               "150MB"},
                              a);
  EXPECT_LT(took, far_too_long);
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_TRUE(has(a.out, "2 good, 0 doubtful, 4 failed")) << a.out;
  const std::string rows = contents(folder / "rows.csv");
  for (const char* reason :
       {"\n1,1e-09,0.1,2,,,,failed,\"the limit of 1 s of CPU time was reached",
        "\n2,0.001,1e-07,2,,,,failed,\"there is not enough memory",
        "\n5,1e-09,0.1,3,,,,failed,\"the limit of 1 s of CPU time was reached", "mass: must not be negative"})
    EXPECT_TRUE(has(rows, reason)) << reason << "\n" << rows;
}

TEST_F(Limits, a_sweep_in_lanes_obeys_them_too) {
  const Answer a = mubody({"sweep", "pendulum.toml", "-q", "-j", "1", "--keep", "rod.angle", "--vary",
                           "analysis.end=0.5,1e7", "--vary", "gravity.1=-9,-9.81", "-s", "output.step=1e6",
                           "-s", "analysis.max_steps=1000000000", "--limit", "0.5", "-o", "rows.csv"});
  EXPECT_EQ(a.code, 0) << a.err;
  const std::string rows = contents(folder / "rows.csv");
  EXPECT_TRUE(has(rows, "lanes")) << rows;
  EXPECT_TRUE(has(rows, ",failed,\"the limit of 0.5 s of CPU time was reached at t = ")) << rows;
  EXPECT_TRUE(has(rows, "\n0,0.5,-9,")) << rows;
}

TEST_F(Limits, a_sweep_of_endless_points_alone_fails_as_one_of_wrong_points_does) {
  const Answer a = mubody({"sweep", "endless.toml", "-q", "--vary", "gravity.1=-9,-9.81", "--limit", "1 ms"});
  EXPECT_EQ(a.code, 4) << a.err;
  EXPECT_TRUE(has(a.err, "all 2 points failed; the first: the limit of 0.001 s")) << a.err;
}

TEST_F(Limits, comparisons_and_tables_obey_them) {
  const Answer compared = mubody({"compare", "endless.toml", "-q", "--treatments", "projection", "--limit",
                                  "50 ms", "--format", "csv", "--repeat", "1"});
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_TRUE(has(compared.out, "the limit of 0.05 s of CPU time was reached")) << compared.out;
  const Answer made =
      mubody({"precompute", four_bar, "-q", "-o", "tables.rt", "--bound", "1e-13", "--limit", "5 ms"});
  EXPECT_EQ(made.code, 4) << made.err;
  EXPECT_TRUE(has(made.err, "the limit of 0.005 s of CPU time was reached")) << made.err;
  EXPECT_FALSE(fs::exists(folder / "tables.rt"));
}

TEST_F(Limits, are_known_to_every_verb_that_reads_a_model) {
  for (const cli::Verb& verb : cli::verbs()) {
    const auto knows = [&](const char* name) {
      return std::ranges::find(verb.options, name, &cli::DeclaredOption::name) != verb.options.end();
    };
    if (!knows("MODEL") && !knows("--untrusted")) continue;
    for (const char* name : {"--untrusted", "--limit", "--memory-limit"})
      EXPECT_TRUE(knows(name)) << verb.manual.name << " " << name;
  }
}

TEST_F(Limits, end_what_cannot_look_at_the_clock) {
  write("large.toml", large_net());
  for (std::vector<std::string> words : std::vector<std::vector<std::string>>{
           {"check"}, {"topology"}, {"run"}, {"independent"}, {"sweep", "--vary", "gravity.1=-9:-8:2"}}) {
    Answer a;
    words.insert(words.end(), {"large.toml", "--limit", "0.01"});
    EXPECT_LT(seconds(words, a), far_too_long);
    EXPECT_EQ(a.code, 4) << words[0] << ": " << a.err;
    EXPECT_TRUE(a.err.starts_with("mubody: ") && has(a.err, "the limit of 0.01 s of CPU time was reached"))
        << a.err;
    EXPECT_EQ(a.out, "");
  }
  EXPECT_FALSE(fs::exists(folder / "large.out"));
  EXPECT_FALSE(fs::exists(folder / "large.sweep.csv"));
}

TEST_F(Limits, signals_end_at_once_what_has_nothing_to_keep) {
  write("large.toml", large_net());
  for (const int signal : {SIGTERM, SIGINT})
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"check", "large.toml"},
                                               {"run", "large.toml"},
                                               {"sweep", "large.toml", "--vary", "gravity.1=-9:-8:2"}}) {
      constexpr double after = 0.1, soon = 1;  // [s]
      const auto start = std::chrono::steady_clock::now();
      const Answer a = mubody(words, after, signal);
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
      EXPECT_EQ(a.code, -signal) << words[0] << ": " << a.err;
      EXPECT_LT(passed.count(), after + soon) << words[0];
    }
}

// No body has many joints, and yet all of them are neighbours in the end.
TEST_F(Limits, of_what_can_be_solved_blame_a_net_and_not_a_body) {
  constexpr int bodies = 60;
  std::string text = "[bodies]\n", joints = "[joints]\n";
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    text += name + " = {mass = 1, inertia = 1}\n";
    for (int j = 0; j < i; ++j)
      joints += name + "b" + std::to_string(j) + " = {type = \"revolute\", bodies = [\"" + name + "\", \"b" +
                std::to_string(j) + "\"], at = [" + std::to_string(i) + ", " + std::to_string(j) + "]}\n";
  }
  write("net.toml", text + joints);
  const Answer a = mubody({"check", "net.toml"});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(has(a.err, "1770 joints form a net whose loops all act on each other")) << a.err;
}

TEST_F(Limits, of_memory_are_blamed_for_threads_that_do_not_start) {
  const Answer a = mubody({"sweep", "pendulum.toml", "--vary", "bodies.rod.mass=1:2:50", "-j", "50", "-q",
                           "--memory-limit", "40MB"});
  EXPECT_EQ(a.code, 1) << a.err;
  EXPECT_TRUE(has(a.err, " of 50 threads could be started: --memory-limit leaves no room")) << a.err;
}
}  // namespace
}  // namespace mubody::testing
