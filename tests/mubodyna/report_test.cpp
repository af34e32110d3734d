// The report, as text, against the one printed in the manual.
#include "mubody/mubodyna/report.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "mubody/mubodyna/format.h"
#include "tests/mubodyna/models.h"

namespace mubody::testing {
namespace {
using Lines = std::vector<std::string>;

std::string report_of(const std::string& path, const mub::ReportOptions& options = {}) {
  Study study = io::read_study(path);
  mub::ask_for_tables(study);
  std::ostringstream out;
  mub::write_report(out, mub::described_model(path, study, false), study, run(study), options);
  return out.str();
}

/// Lines that are not empty, with one blank between words.
Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string all;
    for (std::string word; words >> word;) all += (all.empty() ? "" : " ") + word;
    if (!all.empty()) lines.push_back(all);
  }
  return lines;
}

/// The lines of each time step by its heading; those before the first stand under "".
std::map<std::string, Lines> steps_of(const std::string& text) {
  std::map<std::string, Lines> steps;
  std::string now;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("TIME = ")) now = line;
    steps[now].push_back(line);
  }
  return steps;
}

bool is_number(const std::string& word) {
  return word.find_first_not_of("+-0123456789.E") == std::string::npos;
}

TEST(mubodyna_report, has_the_printed_numbers_digit_for_digit) {
  const auto printed = steps_of(text_in(data_file("manual_report.txt")));
  const auto ours = steps_of(report_of(example_file("half_hat_leg/model.mub")));
  std::size_t numbers = 0;
  for (const std::string time : {"TIME = 0.00000", "TIME = 0.47995", "TIME = 0.95700"}) {
    ASSERT_TRUE(printed.contains(time) && ours.contains(time)) << time;
    // What the manual's section 6 asks for and its example does not print comes after the printed lines.
    const Lines &print = printed.at(time), &all = ours.at(time);
    ASSERT_GT(all.size(), print.size());
    EXPECT_EQ(Lines(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(print.size())), print);
    EXPECT_EQ(all[print.size()], "TOTAL FORCES ON CENTRES OF MASS");
    for (const std::string& line : printed.at(time)) {
      // Body, constraint and joint numbers are labels.
      const bool reaction = line.starts_with("REV.");
      if (!reaction && !is_number(line.substr(0, line.find(' ')))) continue;
      std::istringstream words(line);
      std::size_t k = 0;
      for (std::string word; words >> word; ++k)
        if (k > 0 && word.find('.') != std::string::npos && is_number(word)) ++numbers;
    }
  }
  EXPECT_EQ(numbers, 234u);
}

// All data as the manual's report repeats them, except for its spelling of column titles and counts.
TEST(mubodyna_report, describes_the_system_as_printed) {
  const auto only_numbers = [](const Lines& lines) {
    Lines rows;
    for (const std::string& line : lines) {
      std::istringstream words(line);
      bool all = true;
      for (std::string word; words >> word;) all = all && is_number(word);
      if (all) rows.push_back(line);
    }
    return rows;
  };
  const auto printed = steps_of(text_in(data_file("manual_report.txt")));
  const auto ours = steps_of(report_of(example_file("half_hat_leg/model.mub")));
  const Lines expected = only_numbers(printed.at("")), got = only_numbers(ours.at(""));
  EXPECT_EQ(expected.size(), 4u * 3 + 3 + 6 + 34 + 1 + 34 + 1);
  EXPECT_EQ(got, expected);
}

TEST(mubodyna_report, gives_every_nth_step_and_the_last) {
  const auto steps = steps_of(report_of(example_file("half_hat_leg/model.mub"), {.every = 331}));
  EXPECT_EQ(steps.size(), 1u + 3u);  // 0, 331 and 660; the description
  EXPECT_TRUE(steps.contains("TIME = 0.47995"));
  EXPECT_TRUE(steps.contains("TIME = 0.95700"));
}

TEST(mubodyna_report, has_all_digits_on_request) {
  const std::string path = example_file("half_hat_leg/model.mub");
  const auto steps = steps_of(report_of(path, {.every = 660, .full = true}));
  const Lines& last = steps.at("TIME = 0.957");
  const Results r = run(io::read_study(path));
  std::istringstream words(last.at(2));
  int body = 0;
  double x = 0;
  words >> body >> x;
  EXPECT_EQ(body, 1);
  EXPECT_EQ(x, r.column("hat.x").back());
}

TEST(mubodyna_report, numbers_are_those_of_fortran) {
  EXPECT_EQ(mub::fixed(-0.0004, 3), "0.000");
  EXPECT_EQ(mub::fixed(-0.0006, 3), "-0.001");
  EXPECT_EQ(mub::fixed(-10.5, 3), "-10.500");
  EXPECT_EQ(mub::exponent(0, 4), "0.0000E+00");
  EXPECT_EQ(mub::exponent(-0.0, 4), "0.0000E+00");
  EXPECT_EQ(mub::exponent(-7.058270684798251e-07, 4), "-0.7058E-06");
  EXPECT_EQ(mub::exponent(0.99999, 4), "0.1000E+01");
  EXPECT_EQ(mub::exponent(1.5e-120, 4), "0.1500E-119");
}

// A spring holds a block: the parts of its force add up to what moves the block.
TEST(mubodyna_report, splits_the_force_of_a_spring) {
  const Study study = io::read_study(data_file("every_section.mub"));
  const Results r = run(study);
  const auto steps = steps_of(report_of(data_file("every_section.mub"), {.every = 1000, .full = true}));
  const Lines& last = steps.at("TIME = 1");
  const auto title = std::ranges::find(last, "SPRING L LD FS FD FA");
  ASSERT_NE(title, last.end());
  double k = 0, length = 0, rate = 0, spring = 0, damper = 0, actuator = 0;
  std::istringstream(*(title + 1)) >> k >> length >> rate >> spring >> damper >> actuator;
  EXPECT_DOUBLE_EQ(spring, 120 * (length - 0.4));
  EXPECT_DOUBLE_EQ(damper, 1.5 * rate);
  EXPECT_DOUBLE_EQ(actuator, 0.75);
  EXPECT_NEAR(spring + damper + actuator, r.column("pull.force").back(), 1e-12);
}

// Reactions on both bodies are opposite, and their moments about the two centres of mass differ by that of the force.
TEST(mubodyna_report, reactions_balance_about_one_point) {
  const auto steps = steps_of(report_of(data_file("every_section.mub"), {.every = 1000, .full = true}));
  const Lines& last = steps.at("TIME = 1");
  std::map<int, std::pair<double, double>> at;
  for (std::size_t row = 2; row < 8; ++row) {
    int body = 0;
    double x = 0, y = 0;
    std::istringstream(last[row]) >> body >> x >> y;
    at[body] = {x, y};
  }
  int joints = 0;
  for (const std::string& line : last) {
    if (!line.starts_with("REV. ") && !line.starts_with("TRA. ")) continue;
    std::istringstream words(line.substr(7));
    int i = 0, j = 0;
    double fi[3], fj[3];
    words >> i >> fi[0] >> fi[1] >> fi[2] >> j >> fj[0] >> fj[1] >> fj[2];
    const auto about_origin = [&](int body, const double* f) {
      return f[2] + at[body].first * f[1] - at[body].second * f[0];
    };
    EXPECT_NEAR(fi[0] + fj[0], 0, 1e-12) << line;
    EXPECT_NEAR(fi[1] + fj[1], 0, 1e-12) << line;
    // The two points of a joint are up to 3e-10 m apart, the forces up to 55 N.
    EXPECT_NEAR(about_origin(i, fi) + about_origin(j, fj), 0, 2e-8) << line;
    ++joints;
  }
  EXPECT_EQ(joints, 4);
}

// Bodies keep the numbers of the file, wherever the ground stands in it; the ground's equations are counted.
TEST(mubodyna_report, keeps_the_numbers_of_the_file) {
  Parts p;
  p.counts = "3\n2\n0\n0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n";
  p.motion = "0.5 0 0 0 0 0\n0 0 0 0 0 0\n1.5 0 0 0 0 0\n";
  p.inertia = "1 0.1\n1 1\n1 0.1\n";
  p.forces = "0 -9.81 0\n0 0 0\n0 -9.81 0\n";
  p.more = "IDEAL_REVOLUTE_JOINTS\n2 1 0 0 -0.5 0\n1 3 0.5 0 -0.5 0\nGROUND_CONSTRAINTS\n2\n";
  p.times = "0 0.01 0.01 1 0 0\n";
  const Study study = io::read_study_text(p.text(), "double.mub");
  EXPECT_EQ(study.mechanism.bodies.size(), 2u);
  std::ostringstream out;
  mub::write_report(out, {mub::read_file(p.text(), "double.mub"), {}}, study, run(study), {});
  const Lines first = steps_of(out.str()).at("TIME = 0.00000");
  EXPECT_EQ(first[3], "2 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000 0.000");
  EXPECT_TRUE(first[4].starts_with("3 1.500 "));
  EXPECT_TRUE(first[7].starts_with("REV. 1 2 ")) << first[7];
  EXPECT_EQ(first.back().substr(0, 2), "7 ");  // four equations of the pins, three of the ground
}

/// The numbers of the line that begins with a label, behind a heading.
std::vector<double> numbers_of(const Lines& step, const std::string& heading, const std::string& label) {
  auto line = std::ranges::find(step, heading);
  while (line != step.end() && !line->starts_with(label + " ")) ++line;
  std::vector<double> all;
  if (line == step.end()) return all;
  std::istringstream words(line->substr(label.size()));
  for (double x = 0; words >> x;) all.push_back(x);
  return all;
}
const std::string sums = "TOTAL FORCES ON CENTRES OF MASS";

// All forces on a body are its mass times its acceleration, and what is not applied comes from joints.
TEST(mubodyna_report, sums_up_the_forces_on_bodies) {
  const auto steps = steps_of(report_of(data_file("every_section.mub"), {.every = 1000, .full = true}));
  const Lines& last = steps.at("TIME = 1");
  const std::vector<double> rod = numbers_of(last, sums, "3"), motion = numbers_of(last, "TIME = 1", "3");
  ASSERT_EQ(rod.size(), 6u);
  ASSERT_EQ(motion.size(), 9u);
  EXPECT_NEAR(rod[3], 2.5 * motion[6], 1e-12);
  EXPECT_NEAR(rod[4], 2.5 * motion[7], 1e-12);
  EXPECT_NEAR(rod[5], 0.05 * motion[8], 1e-12);
  const std::vector<double> B = numbers_of(last, "REACTION FORCES", "REV. 2"),
                            C = numbers_of(last, "REACTION FORCES", "REV. 3");
  ASSERT_EQ(B.size(), 8u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(rod[k] + B[5 + k] + C[1 + k], rod[3 + k], 1e-9) << k;
}

// The ground is held against what joints and springs do to it.
TEST(mubodyna_report, has_the_constraint_that_holds_the_ground) {
  const auto steps = steps_of(report_of(data_file("every_section.mub"), {.every = 1000, .full = true}));
  const Lines& last = steps.at("TIME = 1");
  const std::vector<double> hold = numbers_of(last, "REACTION FORCES", "GRO. 1"),
                            A = numbers_of(last, "REACTION FORCES", "REV. 1"),
                            guide = numbers_of(last, "REACTION FORCES", "TRA. 1"),
                            load = numbers_of(last, sums, "1");
  ASSERT_EQ(hold.size(), 4u);
  EXPECT_EQ(hold[0], 1);
  EXPECT_GT(std::abs(load[0]), 1);  // a spring pulls at the ground
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(hold[1 + k], -(A[1 + k] + guide[1 + k] + load[k]), 1e-9) << k;
}

// A journal that hangs in its bearing: what the bearing does to it is what it takes to move it.
TEST(mubodyna_report, has_the_forces_of_clearance_joints) {
  Parts p;
  p.counts = "2\n0\n1\n0\n1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n";
  p.motion = "0 0 0 0 0 0\n0 -0.0005 0 0 0 0\n";
  p.inertia = "1 1\n1 0.1\n";
  p.forces = "0 0 0\n0 -9.81 0\n";
  p.more =
      "CLEARANCE_REVOLUTE_JOINTS\n1 2 0 0 0 0 0.010 0.0095\nMECHANICAL_PROPERTIES\n"
      "3 0.1 0.8 207D9 0.3 0.1 0.8 207D9 0.3 0\nGROUND_CONSTRAINTS\n1\n";
  p.times = "0 2.0D-3 1.0D-5 1 0 0\n";
  Study study = io::read_study_text(p.text(), "bearing.mub");
  mub::ask_for_tables(study);
  std::ostringstream out;
  mub::write_report(out, {mub::read_file(p.text(), "bearing.mub"), {}}, study, run(study),
                    {.every = 10, .full = true});
  bool touched = false;
  for (const auto& [time, lines] : steps_of(out.str())) {
    if (time.empty()) continue;
    const std::vector<double> force = numbers_of(lines, "CONTACT FORCES", "CLE. 1"),
                              body = numbers_of(lines, sums, "2"),
                              hold = numbers_of(lines, "REACTION FORCES", "GRO. 1");
    ASSERT_EQ(force.size(), 8u) << time;
    EXPECT_NEAR(force[6] - 9.81, body[1], 1e-9) << time;
    EXPECT_NEAR(body[1], body[4], 1e-9) << time;  // no joints: all forces are applied ones
    EXPECT_NEAR(hold[2], force[6], 1e-9) << time;
    touched = touched || force[6] > 1;
  }
  EXPECT_TRUE(touched);
}

// Elements that MUBODYNA lacks are still named and numbered.
TEST(mubodyna_report, takes_any_planar_model) {
  for (const char* name : {"quick_return", "andrews", "human_leg"}) {
    const std::string path = example_file(name) + "/model.toml";
    const Study study = io::read_study(path);
    std::ostringstream out;
    mub::write_report(out, mub::described_model(path, study, false), study, run(study), {.every = 100});
    EXPECT_NE(out.str().find("BEYOND_MUBODYNA"), std::string::npos);
    EXPECT_NE(out.str().find("CONSTRAINT VIOLATIONS"), std::string::npos);
    EXPECT_EQ(out.str().find(" -0.000 "), std::string::npos);
    EXPECT_EQ(out.str().find("nan"), std::string::npos);
  }
}

TEST(mubodyna_report, ends_where_it_is_stopped) {
  int asked = 0;
  const mub::ReportOptions twice{.goes_on = [&] { return ++asked < 3; }};
  EXPECT_THROW(report_of(example_file("four_bar") + "/model.toml", twice), io::WritingStopped);
  EXPECT_EQ(asked, 3);
}
}  // namespace
}  // namespace mubody::testing
