// The elimination with recorded numbers: what it tells of the independence of its rows, and how solutions change.
#include "mubody/recorded/elimination.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "mubody/recording/c_text.h"
#include "mubody/recording/derivative.h"
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

/// Rows that join four velocities by numbers of which many are 1 and -1, as those of joints are, or by inputs.
struct JoinedColumns {
  static constexpr int columns = 4, rows = 3;
  Computation g;
  std::mt19937 random;
  int inputs = 0;
  std::vector<RecordedVector> D{rows}, W{columns};
  RecordedElimination::Solved solved;

  explicit JoinedColumns(unsigned seed) : random(seed) {
    for (int r = 0; r < rows; ++r) {
      D[std::size_t(r)].emplace(r, some());
      D[std::size_t(r)].emplace(r + 1, some());
    }
    for (int c = 0; c < columns; ++c)
      W[std::size_t(c)].emplace(c, c % 2 == 0 ? Recorded(g, g.constant(0.5 + c)) : input());
    for (int c = 0; c < columns; ++c) solved.Q.push_back(c == 1 ? Recorded(g, g.constant(-9.81)) : input());
    for (int r = 0; r < rows; ++r) solved.gamma.push_back(r == 0 ? Recorded(g, g.constant(0)) : input());
  }
  Recorded input() { return {g, g.input(inputs++)}; }
  Recorded some() {
    const unsigned which = random() % 3;
    return which == 2 ? input() : Recorded(g, g.constant(which == 0 ? 1 : -1));
  }
};

// Changes with the same factors are what differentiating every step of the solution gives.
TEST(recorded_elimination, changes_as_its_derivative_does) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    JoinedColumns j(seed);
    Computation& g = j.g;
    const RecordedElimination elimination(g, j.D, j.W);
    elimination.solve(j.solved.Q, j.solved.gamma, j.solved.a, j.solved.lambda);
    std::vector<std::pair<int, int>> seeds;
    for (int k = 0; k < j.inputs; ++k) seeds.push_back({g.input(k), g.input(j.inputs + k)});
    const auto changes = [&](const std::vector<Recorded>& of) {
      std::vector<int> nodes;
      for (const Recorded& x : of) nodes.push_back(x.node_in(g));
      std::vector<Recorded> rates;
      for (const int k : directional(g, nodes, seeds)) rates.emplace_back(g, k);
      return rates;
    };
    std::vector<Recorded> da, dlambda;
    elimination.change(j.solved, changes, da, dlambda);
    Routine routine{"changes", {}};
    for (const auto& all : {da, dlambda, changes(j.solved.a), changes(j.solved.lambda)})
      for (const Recorded& x : all) routine.outputs.push_back(x.node_in(g));
    const Tape tape(g, routine);
    TapeWork work(tape);
    std::vector<double> x(std::size_t(2 * j.inputs)), y(routine.outputs.size());
    std::uniform_real_distribution<double> number(0.5, 1.5);
    for (double& each : x) each = number(j.random);
    tape(x.data(), y.data(), work);
    const std::size_t half = y.size() / 2;
    for (std::size_t k = 0; k < half; ++k)
      EXPECT_NEAR(y[k], y[half + k], 1e-11 * (1 + std::abs(y[half + k]))) << seed << ' ' << k;
  }
}
}  // namespace
}  // namespace mubody::testing
