// Rows of a sweep: their lines, their file, and their statistics.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/sweep/keep.h"
#include "mubody/sweep/rows_file.h"
#include "mubody/sweep/statistics.h"
#include "mubody/sweep/workers.h"
#include "mubody/text/text_file.h"

namespace mubody::testing {
namespace {
SweepRow row(std::size_t index, double x, double y) {
  SweepRow r;
  r.index = index;
  r.values = {x};
  r.kept = {y};
  r.violation = 1e-15, r.energy = 1. / 3;
  return r;
}

TEST(sweep_row, comes_back_from_its_line) {
  SweepRow r = row(7, 0.1, 1e-300);
  r.message = "a \"quoted\" word, a comma\nand a second line";
  r.outcome = SweepRow::doubtful;
  const std::string line = line_of(r, 1);
  EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
  const auto back = row_of(line.substr(0, line.size() - 1), 1, 1);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->index, 7);
  EXPECT_EQ(back->values, r.values);
  EXPECT_EQ(back->kept, r.kept);
  EXPECT_EQ(back->energy, r.energy);
  EXPECT_EQ(back->outcome, SweepRow::doubtful);
  EXPECT_EQ(back->message, "a \"quoted\" word, a comma and a second line");
}

TEST(sweep_row, no_part_of_a_line_is_a_row) {
  SweepRow r = row(12, 0.5, 0.25);
  r.outcome = SweepRow::failed;
  r.message = "no, \"really\"";
  const std::string line = line_of(r, 1);
  for (std::size_t n = 0; n + 1 < line.size(); ++n) {
    const auto part = row_of(line.substr(0, n), 1, 1);
    // A message may be cut where its quotes close; a missing end of line shows that.
    EXPECT_TRUE(!part || r.message.starts_with(part->message)) << line.substr(0, n);
  }
  EXPECT_FALSE(row_of("1,2,3", 1, 1));
  EXPECT_FALSE(row_of("x,1,1,0,0,good,", 1, 1));
  EXPECT_FALSE(row_of("1,1,1,0,0,fine,", 1, 1));
}

class Rows : public ::testing::Test {
 protected:
  Rows()
      : path((std::filesystem::temp_directory_path() / ("mubody-rows-" + std::to_string(getpid()) + ".csv"))
                 .string()) {
    std::filesystem::remove(path);
  }
  ~Rows() override { std::filesystem::remove(path); }

  std::string text() const {
    std::ifstream in(path);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }
  void write(const std::string& what) const { std::ofstream(path) << what; }
  std::string fault(const RowsHead& h, bool resume) const {
    try {
      const RowsFile file(path, h, resume ? OldRows::resume : OldRows::refuse);
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "";
  }

  std::string path;
  RowsHead head{42, 10, "lanes", {"a"}, {"y[m]"}};
};

TEST_F(Rows, is_continued_whatever_its_last_line_has_become) {
  {
    RowsFile file(path, head, OldRows::refuse);
    file.add(row(3, 1, 2));
    file.add(row(0, 5, 6));
  }
  const std::string whole = text();
  const std::string first = head.text() + line_of(row(3, 1, 2), 1);
  for (std::size_t n = 0; n <= whole.size(); ++n) {
    write(whole.substr(0, n));
    RowsFile file(path, head, OldRows::resume);
    const std::size_t kept = n < first.size() ? 0 : n < whole.size() ? 1 : 2;
    EXPECT_EQ(file.count(), kept) << n;
    EXPECT_EQ(file.done()[3], kept > 0);
    EXPECT_EQ(file.done()[0], kept > 1);
    EXPECT_EQ(text(), kept == 0 ? head.text() : kept == 1 ? first : whole) << n;
  }
  const auto rows = read_rows(path, head);
  ASSERT_EQ(rows.size(), 2);
  EXPECT_EQ(rows[0].index, 0);
  EXPECT_EQ(rows[1].kept, std::vector<double>{2});
}

TEST_F(Rows, is_not_taken_for_another) {
  write(head.text() + line_of(row(3, 1, 2), 1));
  EXPECT_NE(fault(head, false).find("--resume continues it"), std::string::npos);
  RowsHead other = head;
  other.hash = 43;
  EXPECT_NE(fault(other, true).find("another sweep"), std::string::npos);
  other = head;
  other.engine = "one by one";
  EXPECT_NE(fault(other, true).find("was begun with 'lanes'"), std::string::npos);
  write("time,x\n0,1\n");
  EXPECT_NE(fault(head, true).find("is not the file of a sweep"), std::string::npos);
  EXPECT_EQ(text(), "time,x\n0,1\n");
  write(head.text() + "1,2\n" + line_of(row(3, 1, 2), 1));
  EXPECT_NE(fault(head, true).find("line 3 is not a row"), std::string::npos);
  write(head.text() + line_of(row(3, 1, 2), 1) + line_of(row(3, 1, 2), 1));
  EXPECT_NE(fault(head, true).find("for the second time"), std::string::npos);
}

TEST_F(Rows, belongs_to_one_sweep_at_a_time) {
  const RowsFile file(path, head, OldRows::refuse);
  EXPECT_NE(fault(head, true).find("another sweep is writing"), std::string::npos);
  EXPECT_NE(fault(head, false).find("another sweep is writing"), std::string::npos);
  EXPECT_EQ(text(), head.text()) << "it is not removed by who does not have it";
}

TEST_F(Rows, are_held_while_they_are_to_be_replaced) {
  EXPECT_FALSE(hold_rows(path)) << "there is none";
  {
    const RowsFile file(path, head, OldRows::refuse);
    EXPECT_THROW(hold_rows(path), std::runtime_error);
  }
  write(head.text());
  const io::Descriptor held = hold_rows(path);
  EXPECT_TRUE(held);
  EXPECT_NE(fault(head, true).find("another sweep is writing"), std::string::npos);
}

TEST_F(Rows, take_the_place_of_what_a_link_leads_to) {
  const std::string link = path + ".link", part = path + ".part";
  write("old");
  std::filesystem::create_symlink(path, link);
  {
    RowsFile rows(part, head, OldRows::refuse);
    EXPECT_TRUE(rows.move_to(link));
  }
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(text(), head.text());
  {
    RowsFile rows(path, head, OldRows::resume);
    EXPECT_FALSE(rows.move_to(link)) << "it is the same file";
  }
  std::filesystem::remove(link);
}

TEST_F(Rows, are_never_written_through_a_link) {
  const std::string link = path + ".link";
  std::filesystem::create_symlink(path, link);
  for (const char* there : {"mine", ""}) {
    write(there);
    for (const OldRows old : {OldRows::refuse, OldRows::resume, OldRows::discard})
      EXPECT_THROW(RowsFile(link, head, old), std::runtime_error);
    EXPECT_EQ(text(), there);
  }
  std::filesystem::remove(path);
  EXPECT_THROW(RowsFile(link, head, OldRows::refuse), std::runtime_error) << "it leads nowhere";
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::remove(link);
}

TEST_F(Rows, leave_no_file_without_rows) {
  const std::filesystem::path above = path + ".folder";
  { const RowsFile file(above / "deeper/rows.csv", head, OldRows::refuse); }
  EXPECT_FALSE(std::filesystem::exists(above));
  write("");
  { const RowsFile file(path, head, OldRows::refuse); }
  EXPECT_EQ(text(), "") << "it was there";
  write(head.text());
  EXPECT_EQ(fault(head, false), "") << "that of a killed sweep is no obstacle";
  write(head.text() + line_of(row(3, 1, 2), 1));
  { const RowsFile file(path, head, OldRows::discard); }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(Rows, may_have_any_size) {
  EXPECT_GT(io::files::rows.most_megabytes, std::size_t(1) << 30) << "what was written can be continued";
}

TEST_F(Rows, are_no_stream) {
  EXPECT_THROW(RowsFile("/dev/stdout", head, OldRows::refuse), std::runtime_error);
}

TEST(sweep_statistics, of_a_few_numbers) {
  // 1, 2, 4, 8 by hand: mean 15/4; squares (121 + 49 + 1 + 289)/16 = 28.75; quantiles at 0.15, 0.75, 1.5, 2.25,
  // 2.85.
  const ColumnStatistics c = statistics_of({8, 1, 4, 2});
  EXPECT_DOUBLE_EQ(c.mean, 3.75);
  EXPECT_DOUBLE_EQ(c.sd, std::sqrt(28.75 / 3));
  EXPECT_DOUBLE_EQ(c.min, 1);
  EXPECT_DOUBLE_EQ(c.max, 8);
  EXPECT_DOUBLE_EQ(c.q05, 1.15);
  EXPECT_DOUBLE_EQ(c.q25, 1.75);
  EXPECT_DOUBLE_EQ(c.median, 3);
  EXPECT_DOUBLE_EQ(c.q75, 5);
  EXPECT_DOUBLE_EQ(c.q95, 7.4);
  EXPECT_DOUBLE_EQ(statistics_of({5}).sd, 0);
  // A small spread about a large mean.
  EXPECT_NEAR(statistics_of({1e9, 1e9 + 1, 1e9 + 2}).sd, 1, 1e-12);
}

TEST(sweep_statistics, count_points_and_their_reasons) {
  std::vector<SweepRow> rows{row(0, 1, 10), row(1, 2, 20), row(2, 3, 0), row(3, 4, 0), row(4, 5, 99)};
  for (const std::size_t k : {2, 3}) {
    rows[k].outcome = SweepRow::failed;
    rows[k].kept.clear();
    rows[k].message = "stopped at t = " + std::to_string(0.1 * double(k)) + " s";
  }
  rows[4].outcome = SweepRow::doubtful;
  rows[4].message = "energy";
  const SweepStatistics s = statistics_of(rows, 9, {"a"}, {"y"});
  EXPECT_EQ(s.good, 2);
  EXPECT_EQ(s.failed, 2);
  EXPECT_EQ(s.doubtful, 1);
  EXPECT_EQ(s.done(), 5);
  ASSERT_EQ(s.reasons.size(), 2);
  EXPECT_EQ(s.reasons[0].count, 2);
  EXPECT_EQ(s.reasons[0].first, 2);
  EXPECT_DOUBLE_EQ(s.columns[1].mean, 15);
}

TEST(keep, takes_last_values_extremes_and_values_at_times) {
  Results r;
  r.tables = {{"bodies", {{"time", "s"}, {"rod.x", "m"}, {"rod.vx", "m/s"}}, {0, 1, 5, 0.5, 4, 5, 1, 2, -3}},
              {"energy", {{"time", "s"}, {"total", "J"}}, {0, 9, 0.5, 8, 1, 7}}};
  const auto kept =
      read_kept({"rod.x", "rod.vx@500 ms", "max(rod.x)", "min(rod.v*)", "max(rod.vx)", "total"}, r);
  const std::vector<double> numbers = take(kept, r);
  EXPECT_EQ(numbers, (std::vector<double>{2, 5, 4, 0.5, -3, 1, 5, 0, 7}));
  EXPECT_EQ(kept[1].headers(), std::vector<std::string>{"rod.vx@0.5[m/s]"});
  EXPECT_EQ(kept[2].headers(), (std::vector<std::string>{"max(rod.x)[m]", "time of max(rod.x)[s]"}));
  EXPECT_EQ(times_of(kept), std::vector<double>{0.5});
  EXPECT_EQ(read_kept({}, r).size(), 1) << "positions of bodies";
  EXPECT_EQ(read_kept({"rod.*", "rod.x"}, r).size(), 2) << "nothing twice";
  EXPECT_THROW(read_kept({"rod.z"}, r), std::invalid_argument);
  EXPECT_THROW(read_kept({"max(rod.x"}, r), std::invalid_argument);
  EXPECT_THROW(read_kept({"rod.x@5 m"}, r), std::invalid_argument);
}

TEST(workers, do_every_point_once_and_pass_on_what_goes_wrong) {
  std::vector<int> times(1000, 0);
  std::size_t next = 0, all = times.size();
  const NextPoint hand_out = [&]() -> std::optional<std::size_t> {
    return next < all ? std::optional(next++) : std::nullopt;
  };
  const Worker work = [](const NextPoint& more, const TakeRow& take) {
    while (const auto k = more()) take(row(*k, 0, 0));
  };
  run_workers(4, work, hand_out, [&](const SweepRow& r) { ++times[r.index]; });
  EXPECT_EQ(times, std::vector<int>(1000, 1));

  next = 0, all = 100'000'000;  // more than anybody does before the others hear of it
  const TakeRow full = [](const SweepRow& r) {
    if (r.index == 10) throw std::runtime_error("the disk is full");
  };
  EXPECT_THROW(run_workers(4, work, hand_out, full), std::runtime_error);
  EXPECT_LT(next, all) << "the others stop";
}
}  // namespace
}  // namespace mubody::testing
