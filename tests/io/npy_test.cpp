// Binary tables: what numpy writes and reads, and files that are damaged.
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/text/columns/npy_file.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/text_file.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;
using namespace std::string_literals;
using io::Blanks;

const Table sample{
    "bodies", {{"time", "s"}, {"crank.x", "m"}, {"ratio", ""}}, {0, 0.1, -5e-324, 0.5, 1.0 / 3, 1e300}};

std::string bytes_of(const std::vector<double>& x) {
  return {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(double)};
}

/// An array as numpy.save() writes it: NEP 1, version 1.0.
std::string array(const std::string& type, const std::string& order, const std::string& shape,
                  const std::string& data) {
  std::string head = "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  while ((10 + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  return "\x93NUMPY\x01\x00"s + char(head.size() % 256) + char(head.size() / 256) + head + data;
}
std::string numbers(const std::string& shape, const std::vector<double>& x,
                    const std::string& order = "False") {
  return array("'<f8'", order, shape, bytes_of(x));
}
std::string titles(const std::string& shape, const std::string& text) {
  return array("'|S4'", "False", shape, text);
}

class NpyFiles : public ::testing::Test {
 protected:
  NpyFiles() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder =
        fs::temp_directory_path() / (std::string("mubody_npy_") + test->name() + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  ~NpyFiles() override { fs::remove_all(folder); }

  /// What a file that mubody writes contains.
  std::string written(const Table& table) const {
    io::write_npy(table, folder / "table.npy");
    std::ostringstream all;
    all << std::ifstream(folder / "table.npy", std::ios::binary).rdbuf();
    return all.str();
  }
  static std::string message(const std::string& content, Blanks blanks = Blanks::not_finite) {
    try {
      io::read_npy("t.npy", content, blanks);
    } catch (const io::FileError& e) {
      return e.what();
    }
    return "accepted";
  }

  fs::path folder;
};

TEST_F(NpyFiles, are_two_arrays_of_numpy) {
  const std::string names = "time[s]\0\0\0crank.x[m]ratio\0\0\0\0\0"s;
  EXPECT_EQ(written(sample), numbers("(2, 3)", sample.values) + array("'|S10'", "False", "(3,)", names));
}

TEST_F(NpyFiles, numbers_begin_where_they_can_be_mapped) {
  for (const std::size_t columns : {1, 9, 10, 1000}) {
    Table t{"bodies", std::vector<Column>(columns, Column{"x", "m"}), std::vector<double>(2 * columns, 3)};
    const std::string all = written(t);
    const std::size_t at = all.find(bytes_of(t.values));
    EXPECT_EQ(at % 64, 0U) << columns;
  }
}

TEST_F(NpyFiles, come_back_as_they_were) {
  Table t = sample;
  t.values.insert(t.values.end(), {1, std::nan(""), std::numeric_limits<double>::infinity()});
  const io::StoredColumns back = io::read_npy("t.npy", written(t), Blanks::not_finite);
  EXPECT_EQ(back.titles, (std::vector<std::string>{"time[s]", "crank.x[m]", "ratio"}));
  ASSERT_EQ(back.data.columns.size(), 3U);
  for (std::size_t r = 0; r < 2; ++r)
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(back.data.columns[c][r], t.at(r, c));
  EXPECT_TRUE(std::isnan(back.data.columns[1][2]) && std::isnan(back.data.columns[2][2]));
  EXPECT_EQ(message(written(t), Blanks::mistakes), "t.npy: row 3: number 2: must be finite");
}

TEST_F(NpyFiles, of_other_programs_may_lack_titles_and_run_by_columns) {
  const io::StoredColumns by_columns =
      io::read_npy("t.npy", numbers("(2, 3)", {1, 2, 3, 4, 5, 6}, "True"), Blanks::mistakes);
  EXPECT_EQ(by_columns.data.columns, (std::vector<std::vector<double>>{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_TRUE(by_columns.titles.empty());
}

TEST_F(NpyFiles, cut_off_anywhere_are_refused) {
  const std::string all = written(sample);
  const std::size_t numbers_end = all.find(bytes_of(sample.values)) + sample.values.size() * sizeof(double);
  for (std::size_t size = 0; size < all.size(); ++size) {
    const std::string found = message(all.substr(0, size));
    // Without its last array a file is one of another program; with a part of its mark as well.
    const bool whole = size >= numbers_end && size < numbers_end + 6;
    EXPECT_EQ(found == "accepted", whole) << size;
    EXPECT_TRUE(whole || found.starts_with("t.npy: is cut off")) << size << ": " << found;
  }
}

TEST_F(NpyFiles, that_are_damaged_are_told) {
  const std::vector<double> six(6);
  EXPECT_EQ(message(numbers("(2, 4)", six)),
            "t.npy: is cut off: its head tells of 2 x 32 bytes, and there are 48");
  EXPECT_EQ(message(numbers("(2305843009213693952, 2)", six)),
            "t.npy: is cut off: its head tells of 2305843009213693952 x 16 bytes, and there are 48");
  EXPECT_EQ(message(numbers("(99999999999999999999, 2)", six)),
            "t.npy: has a damaged head: expected type, order and shape as numpy writes them");
  EXPECT_EQ(message(numbers("(0, 3)", {})), "t.npy: no numbers");
  EXPECT_EQ(message(numbers("(1, 4000001)", six)), "t.npy: more than 4000000 columns");
  EXPECT_EQ(message(numbers("(6,)", six)), "t.npy: is an array of 1 dimension, expected rows and columns");
  const std::string type =
      "t.npy: its elements are no little-endian numbers of 8 bytes, '<f8': save it with numpy.save(file, "
      "x.astype('<f8'))";
  EXPECT_EQ(message(array("'<f4'", "False", "(2, 3)", bytes_of(six))), type);
  EXPECT_EQ(message(array("[('a', '<f8'), ('b', '<f8')]", "False", "(3,)", bytes_of(six))), type);
  EXPECT_EQ(message("\x93NUMPY\x09\x00\x01\x00{}\n    "s),
            "t.npy: is of a version of numpy's format that is not known: save it as .npy of version 1.0");
  const std::string good = numbers("(2, 3)", six);
  EXPECT_EQ(message(good + titles("(2,)", "a\0\0\0b\0\0\0"s)),
            "t.npy: its second array is not the titles of its 3 columns, '|S' with so many elements");
  EXPECT_EQ(message(good + titles("(3,)", "a\0\0\0\0\0\0\0c\0\0\0"s)),
            "t.npy: the title of column 2 is empty or has control characters");
  EXPECT_EQ(message(good + titles("(3,)", "a\0\0\0b\x1b\0\0c\0\0\0"s)),
            "t.npy: the title of column 2 is empty or has control characters");
}

// What a byte says is changed, one after the other: a file is read or refused, and nothing else happens.
TEST_F(NpyFiles, with_any_byte_changed_are_read_or_refused) {
  const std::string all = written(sample);
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const int by : {1, 0x80, 0xff}) {
      std::string changed = all;
      changed[k] = char(changed[k] ^ by);
      EXPECT_FALSE(message(changed).empty());
    }
}

TEST_F(NpyFiles, are_told_by_their_beginning_and_not_by_their_name) {
  io::write_npy(sample, folder / "table.csv");
  const io::ColumnFile file("table.csv", (folder / "table.csv").string(), io::Quotes::shown);
  EXPECT_EQ(file.names(), (std::vector<std::string>{"time", "crank.x", "ratio"}));
  EXPECT_EQ(file.units(), (std::vector<std::string>{"s", "m", ""}));
  EXPECT_EQ(file.column(0, "s"), (std::vector<double>{0, 0.5}));
}

TEST_F(NpyFiles, are_found_before_those_of_text) {
  EXPECT_EQ(io::table_file(folder, "bodies"), folder / "bodies.csv") << "there is none";
  for (const io::TableFormat& f : io::formats_named("both")) f.write(sample, folder / f.file_of("bodies"), {});
  EXPECT_EQ(io::table_file(folder, "bodies"), folder / "bodies.npy");
  fs::remove(folder / "bodies.npy");
  EXPECT_EQ(io::table_file(folder, "bodies"), folder / "bodies.csv");
  EXPECT_THROW(io::formats_named("xls"), ModelError);
}
}  // namespace
}  // namespace mubody::testing
