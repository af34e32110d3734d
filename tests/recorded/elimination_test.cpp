// The elimination with recorded numbers: what it tells of the independence of its rows.
#include "mubody/recorded/elimination.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "mubody/recording/c_text.h"
#include "mubody/recording/tape.h"

namespace mubody::testing {
namespace {
constexpr double share = 1e-2;

/// Four rows of which the first two share a column.
struct FourRows {
  static constexpr int inputs = 5;
  Computation g;
  Routine routine{"independence", {}};

  FourRows() {
    std::vector<RecordedVector> D(4), W(4);
    for (int r = 0; r < 4; ++r) {
      D[std::size_t(r)].emplace(r, Recorded(g, g.input(r)));
      W[std::size_t(r)].emplace(r, Recorded(g, g.constant(1)));
    }
    D[1].emplace(0, Recorded(g, g.input(4)));
    routine.outputs = {RecordedElimination(g, D, W).independence(share).node_in(g)};
  }
};

/// Points, and what is to be found there: of two rows the second pivot is the determinant divided by the first.
struct RowNumbers {
  double x[FourRows::inputs];
  double expected() const {
    const double S00 = x[0] * x[0], S11 = x[1] * x[1] + x[4] * x[4], S01 = x[0] * x[4];
    const double all[] = {S00 * S11 / (S00 * S11 - S01 * S01), x[2] / x[2], x[3] / x[3]};
    double most = 1;
    for (const double multiple : all) most = most >= multiple ? most : multiple;
    return 1 / share - most;
  }
};
std::vector<RowNumbers> row_numbers() {
  std::vector<RowNumbers> all{{1, 2, 3, 4, 5}, {1, 1, 1, 1, 0.5}, {1, 0.1, 1, 1, 3}};
  for (int k = 0; k < FourRows::inputs; ++k)
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 0.0}) {
      if (k == 4 && bad == 0) continue;
      all.push_back(all[0]);
      all.back().x[k] = bad;
    }
  return all;
}
bool is_sound(const RowNumbers& p) {
  return std::isfinite(p.x[4]) &&
         std::ranges::all_of(std::span(p.x, 4), [](double x) { return x != 0 && x == x; });
}

// A pivot that is zero or not a number shows, in whichever row it is.
TEST(recorded_elimination, knows_rows_that_are_hardly_independent) {
  const FourRows rows;
  const Tape tape(rows.g, rows.routine);
  TapeWork one(tape), many(tape, Tape::lanes);
  for (const RowNumbers& p : row_numbers()) {
    std::vector<double> x(FourRows::inputs * Tape::lanes), y(Tape::lanes);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = p.x[k / Tape::lanes];
    tape.in_lanes(x.data(), y.data(), many);
    double alone;
    tape(p.x, &alone, one);
    for (const double found : {alone, y[0], y[Tape::lanes - 1]}) {
      if (is_sound(p))
        EXPECT_NEAR(found, p.expected(), 1e-9 * std::abs(p.expected()));
      else
        EXPECT_FALSE(found >= 0) << ::testing::PrintToString(p.x) << " gives " << found;
    }
  }
}

TEST(recorded_elimination, knows_them_in_c_too) {
  if (std::system("command -v cc >/dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler";
  const FourRows rows;
  std::string name = (std::filesystem::temp_directory_path() / "mubody-c-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  CFrame frame;
  frame.before = "";
  const std::string code = routine_in_c(rows.g, rows.routine, frame);
  std::ofstream file(folder / "r.c");
  file << runtime_for(code) << code << "int main(void) {\n  double y;\n";
  int n = 0;
  for (const RowNumbers& p : row_numbers()) {
    file << "  { const double x[] = {";
    for (const double x : p.x) file << (x == x ? std::to_string(x) : "NAN") << ", ";
    file << "};\n  independence(x, 0, &y);\n  if ((y >= 0) != " << (is_sound(p) && p.expected() >= 0)
         << ") return " << ++n << ";\n  }\n";
  }
  file << "  return 0;\n}\n";
  file.close();
  const std::string in = (folder / "r.c").string(), out = (folder / "r").string();
  for (const char* flags : {"-O0 ", "-O2 "}) {
    ASSERT_EQ(
        std::system(
            ("cc -std=c99 -Wall -Wextra -Werror " + std::string(flags) + in + " -o " + out + " -lm").c_str()),
        0);
    EXPECT_EQ(std::system(out.c_str()), 0) << flags;
  }
  std::filesystem::remove_all(folder);
}
}  // namespace
}  // namespace mubody::testing
