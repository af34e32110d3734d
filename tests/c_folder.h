#pragma once
// Emitted C in a folder of its own, where it is compiled and run as a user would.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace mubody::testing {
inline bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

class CFolder {
 public:
  /// `optimization` as compilers take it, "-O1".
  explicit CFolder(const std::string& optimization)
      : strict_("-std=c99 " + optimization + " -Wall -Wextra -pedantic -Wshadow -Werror ") {
    std::string name = (std::filesystem::temp_directory_path() / "mubody-c-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  CFolder(const CFolder&) = delete;
  CFolder& operator=(const CFolder&) = delete;
  ~CFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  /// The two files of something emitted under a name.
  template <class Emitted> void take(const Emitted& c, const std::string& name = "m") const {
    write(name + ".h", c.header);
    write(name + ".c", c.source);
  }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// What a command in the folder returns.
  int shell(const std::string& command) const {
    return std::system(("cd " + folder_.string() + " && " + command).c_str());
  }
  /// The same of a compiler that forgives nothing.
  int compile(const std::string& rest, const std::string& compiler = "cc") const {
    return shell(compiler + " " + strict_ + rest);
  }
  /// Whether it compiles for a small processor.
  int compile_for_arm(const std::string& name = "m") const {
    return compile("-mcpu=cortex-a7 -c " + name + ".c -o " + name + ".o", arm);
  }
  /// What the self-test of the emitted code prints: the largest difference from the run of the library.
  double tested(const std::string& name = "m") const {
    EXPECT_EQ(compile("-D" + name + "_SELF_TEST_MAIN " + name + ".c -o " + name + " -lm"), 0);
    EXPECT_EQ(shell("./" + name + " > out.txt"), 0);
    double most = -1;
    std::ifstream(folder_ / "out.txt") >> most;
    EXPECT_GE(most, 0);
    return most;
  }

  static constexpr const char* arm = "arm-linux-gnueabihf-gcc";

 private:
  std::string strict_;
  std::filesystem::path folder_;
};
}  // namespace mubody::testing
