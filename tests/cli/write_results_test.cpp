// Folders of results, without the program.
#include "mubody/writing/write_results.h"

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "mubody/text/write_aligned.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/read_tables.h"
#include "mubody/writing/write_summary.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using WriteResults = Program;

Results sample() {
  Results r;
  r.model = "a \"model\"";
  r.tables.push_back({"bodies", {{"time", "s"}, {"crank.x", "m"}}, {0, 0.1, 0.1, 1.0 / 3}});
  return r;
}

TEST(csv, quotes_what_needs_it) {
  EXPECT_EQ(io::csv_cell("plain"), "plain");
  EXPECT_EQ(io::csv_cell("a, b"), "\"a, b\"");
  EXPECT_EQ(io::csv_cell("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(io::csv_cell("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(io::header_of({"crank.x", "m"}), "crank.x[m]");
  EXPECT_EQ(io::header_of({"ratio", ""}), "ratio");
}

TEST_F(WriteResults, numbers_come_back_as_they_were) {
  Results r = sample();
  const double values[] = {
      1.0 / 3, 1e-300, -5e-324, 0.1 + 0.2, 123456789.123456789, std::numeric_limits<double>::max()};
  r.tables[0].values.clear();
  for (const double v : values) r.tables[0].values.insert(r.tables[0].values.end(), {v, -v});
  io::write_results(r, folder / "out");
  std::ifstream file(folder / "out/bodies.csv");
  std::string line;
  std::getline(file, line);
  EXPECT_EQ(line, "time[s],crank.x[m]");
  for (const double v : values) {
    std::getline(file, line);
    EXPECT_EQ(std::strtod(line.c_str(), nullptr), v);
    EXPECT_EQ(std::strtod(line.c_str() + line.find(',') + 1, nullptr), -v);
  }
}

TEST_F(WriteResults, tables_in_other_units_are_read_as_those_of_si) {
  Results r = sample();
  r.tables[0].columns.push_back({"crank.omega", "rad/s"});
  r.tables[0].values = {0, 0.25, 1, 0.5, -2, 3};
  io::write_results(r, folder / "out", {}, {.units = {"mm", "ms", "rpm", "deg"}});
  EXPECT_TRUE(
      contents(folder / "out/bodies.csv").starts_with("time[ms],crank.x[mm],crank.omega[rpm]\n0,250,9.549"));
  const std::vector<Table> back = io::read_tables((folder / "out").string(), false);
  ASSERT_EQ(back.size(), 1U);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(back[0].columns[c].unit, r.tables[0].columns[c].unit);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_DOUBLE_EQ(back[0].values[k], r.tables[0].values[k]);
}

TEST_F(WriteResults, cells_that_are_not_finite_are_empty_and_this_is_said) {
  Results r = sample();
  r.tables[0].values.insert(r.tables[0].values.end(),
                            {0.2, std::nan(""), 0.3, std::numeric_limits<double>::infinity()});
  io::write_results(r, folder / "out");
  EXPECT_EQ(contents(folder / "out/bodies.csv"),
            "time[s],crank.x[m]\n0,0.1\n0.1,0.3333333333333333\n0.2,\n0.3,\n");
  const auto summary = nlohmann::json::parse(contents(folder / "out/summary.json"));
  ASSERT_EQ(summary["remarks"].size(), 1U);
  EXPECT_EQ(summary["remarks"][0], "2 cells of bodies.csv are empty: numbers are not finite there");
  EXPECT_EQ(summary["files"][0]["rows"], 4);
  EXPECT_EQ(summary["model"], "a \"model\"");
}

TEST_F(WriteResults, events_have_a_file_when_there_are_some) {
  Results r = sample();
  io::write_results(r, folder / "out");
  EXPECT_FALSE(fs::exists(folder / "out/events.csv"));
  r.events.push_back({0.25, Event::dead_point, "joint 'B', \"crank\" in line"});
  io::write_results(r, folder / "out");
  EXPECT_EQ(contents(folder / "out/events.csv"),
            "time[s],kind,what\n0.25,dead point,\"joint 'B', \"\"crank\"\" in line\"\n");
  r.events.clear();
  io::write_results(r, folder / "out");
  EXPECT_EQ(names_in(folder / "out"), (std::set<std::string>{"bodies.csv", "summary.json"}));
}

TEST_F(WriteResults, what_mubody_has_not_written_stays) {
  write("out/bodies.csv", "mine");
  EXPECT_THROW(io::check_folder(folder / "out"), std::runtime_error);
  EXPECT_THROW(io::write_results(sample(), folder / "out"), std::runtime_error);
  std::set<std::string> names = names_in(folder / "out");
  std::erase_if(names, [](const std::string& n) { return n.starts_with("mubody-"); });
  EXPECT_EQ(names, std::set<std::string>{"bodies.csv"}) << "but for the results that found no place";
  EXPECT_EQ(contents(folder / "out/bodies.csv"), "mine");
  // A summary of another program, or one that points elsewhere, does not allow files to be replaced.
  write("out/summary.json", R"({"program": "mubody", "files": [{"name": "../precious"}, 3]})");
  write("precious", "mine");
  EXPECT_THROW(io::write_results(sample(), folder / "out"), std::runtime_error);
  fs::remove(folder / "out/bodies.csv");
  io::write_results(sample(), folder / "out");
  EXPECT_EQ(contents(folder / "precious"), "mine");
}

TEST_F(WriteResults, failures_are_told_and_leave_nothing) {
  write("file", "");
  EXPECT_THROW(io::check_folder(folder / "file"), std::runtime_error);
  EXPECT_THROW(io::check_folder(folder / "file/deeper"), std::runtime_error);
  EXPECT_THROW(io::write_results(sample(), folder / "file/deeper"), std::runtime_error);
  Results r = sample();
  r.tables.push_back({std::string(300, 'x'), {{"time", "s"}}, {0}});
  EXPECT_THROW(io::write_results(r, folder / "out"), std::runtime_error);
  EXPECT_FALSE(fs::exists(folder / "out"));
}

TEST(aligned, sets_numbers_right_and_breaks_the_last_column) {
  EXPECT_EQ(io::aligned({{"name", "mass"}, {"rod", "1.5"}, {"crank", "12"}}, true),
            "name   mass\nrod     1.5\ncrank    12\n");
  EXPECT_EQ(io::shown_width("|Φ̇| m²"), 6U);
  EXPECT_EQ(io::wrapped_text("one two three", 7, "> "), "one two\n> three");
  EXPECT_EQ(io::aligned({{"key", "a meaning that goes on for more"}}, false, "", 30),
            "key  a meaning that goes on\n     for more\n");
}
}  // namespace
}  // namespace mubody::testing
