// Every folder under examples/ holds a model, a README and its expected answer; the model gives that answer.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>

#include "tests/examples/example.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

struct Expected {
  double time = 0, value = 0, tolerance = 0;
  std::string channel;
  int line = 0;
};

std::optional<double> number(const std::string& cell) {
  double value = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{} || stop != cell.data() + cell.size() || !std::isfinite(value)) return {};
  return value;
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

/// Rows `time,channel,value,tolerance` below that header; lines that begin with # state their source.
std::vector<Expected> read_expected(const fs::path& path) {
  std::vector<Expected> rows;
  std::ifstream file(path);
  std::string line;
  int count = 0;
  bool has_source = false, has_header = false;
  while (std::getline(file, line)) {
    ++count;
    if (line.starts_with('#')) {
      has_source = true;
      continue;
    }
    if (!has_header) {
      EXPECT_TRUE(has_source) << path << ": begin with # and the source of the numbers";
      EXPECT_EQ(line, "time,channel,value,tolerance") << path;
      has_header = true;
      continue;
    }
    const std::vector<std::string> cells = cells_of(line);
    if (cells.size() != 4) {
      ADD_FAILURE() << path << ":" << count << ": " << cells.size() << " cells, expected 4";
      continue;
    }
    const auto time = number(cells[0]), value = number(cells[2]), tolerance = number(cells[3]);
    if (time && value && tolerance && *tolerance > 0)
      rows.push_back({*time, *value, *tolerance, cells[1], count});
    else
      ADD_FAILURE() << path << ":" << count << ": a number is wrong, or a tolerance not positive";
  }
  return rows;
}

std::vector<std::string> all_examples() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(examples()))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

class Examples : public ::testing::TestWithParam<std::string> {};

TEST_P(Examples, give_the_expected_answer) {
  const fs::path folder = examples() / GetParam();
  for (const fs::path& file : {model_of(GetParam()), folder / "README.md", folder / "expected.csv"})
    ASSERT_TRUE(fs::is_regular_file(file)) << file << " is missing";
  const std::vector<Expected> expected = read_expected(folder / "expected.csv");
  ASSERT_FALSE(expected.empty());

  const Results r = run_example(GetParam());
  EXPECT_TRUE(static_cast<bool>(r.outcome)) << r.outcome.why;
  EXPECT_TRUE(r.trusted) << r.verdict;
  // Loops of parallel pins in space, and one of special geometry.
  const std::map<std::string, std::size_t> known{
      {"bricard", 1}, {"four_bar_in_space", 3}, {"front_suspension", 3}};
  const auto found = known.find(GetParam());
  const std::size_t redundant = found == known.end() ? 0 : found->second;
  EXPECT_EQ(r.freedom.redundant.size(), redundant);
  for (const Expected& e : expected)
    EXPECT_NEAR(value_at(r, e.channel, e.time), e.value, e.tolerance)
        << "expected.csv:" << e.line << ": " << e.channel << " at " << e.time << " s";
}

// Manoeuvres and variants beside the models, which include them.
TEST(examples, other_files_begin) {
  for (const auto& entry : fs::recursive_directory_iterator(examples())) {
    const fs::path& file = entry.path();
    if (file.extension() != ".toml" || file.filename() == "model.toml") continue;
    SCOPED_TRACE(file);
    io::Settings settings{"analysis.end=0.01", "output.step=0.01"};
    settings.allow_fmu = true;  // a controller is left out here
    const Results r = run(io::read_study(file.string(), settings));
    EXPECT_TRUE(r.trusted) << r.verdict;
  }
}

INSTANTIATE_TEST_SUITE_P(, Examples, ::testing::ValuesIn(all_examples()),
                         [](const auto& test) { return test.param; });
}  // namespace
}  // namespace mubody::testing
