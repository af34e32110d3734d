// Files that are not models at all.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder =
        fs::temp_directory_path() / (std::string("mubody_files_") + test->name() + std::to_string(::getpid()));
    fs::create_directories(folder);
  }
  ~Files() override { fs::remove_all(folder); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }
  static std::string message(const std::string& path) {
    try {
      io::read_study(path);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "accepted";
  }

  fs::path folder;
};

TEST_F(Files, missing) {
  const std::string path = (folder / "model.toml").string();
  EXPECT_EQ(message(path), path + ": no such file");
}

TEST_F(Files, folder) {
  EXPECT_EQ(message(folder.string()), folder.string() + ": is a folder, expected a model file");
  const std::string model = write("model.toml", "");
  EXPECT_EQ(message(folder.string()),
            folder.string() + ": is a folder, expected a model file; did you mean '" + model + "'?");
}

TEST_F(Files, empty) {
  const std::string path = write("model.toml", "");
  EXPECT_EQ(message(path), path + ": is empty");
}

TEST_F(Files, blank) {
  const std::string path = write("model.toml", "# nothing yet\n\n");
  EXPECT_EQ(message(path), path + ": no bodies: a model needs at least one under [bodies]");
}

TEST_F(Files, binary) {
  const std::string path = write("model.toml", std::string("[bodies]\na\0b", 12));
  EXPECT_EQ(message(path), path + ": is not text: byte 11 is zero");
}

TEST_F(Files, huge) {
  const std::string path = write("model.toml", "[bodies]\n");
  fs::resize_file(path, 100'000'000);  // sparse: it takes no space on the disk
  EXPECT_EQ(message(path), path + ": is 100 MB large; a model file has at most 64 MB");
}

TEST_F(Files, huge_data) {
  write("data.csv", "0,1\n");
  fs::resize_file(folder / "data.csv", 1'000'000'000);
  const std::string path = write("model.toml",
                                 "bodies.a = {mass = 1}\n"
                                 "drivers.d = {type = 'coordinate', body = 'a', coordinate = 'x', "
                                 "value = {type = 'spline', data = 'data.csv'}}\n");
  EXPECT_EQ(message(path), path +
                               ":2:98: driver 'd': value: data: data.csv: is 1000 MB large; a data file has "
                               "at most 256 MB");
}

TEST_F(Files, windows_line_ends_and_byte_order_mark) {
  const std::string path = write("model.toml", "\xEF\xBB\xBF[bodies]\r\ncrank = {mass = 1}\r\n");
  EXPECT_EQ(io::read_study(path).mechanism.bodies.at(0).mass, 1);
}
}  // namespace
}  // namespace mubody::testing
