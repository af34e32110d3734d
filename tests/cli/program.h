#pragma once
// Runs the built program as a user would, in a folder of its own.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "tests/sanitized.h"

namespace mubody::testing {
namespace fs = std::filesystem;

inline constexpr const char* no_memory_limits = "sanitizers allow no limit of memory";

struct Answer {
  int code = -1;
  std::string out, err;
};

inline std::string contents(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline const std::string four_bar = std::string(MUBODY_SOURCE_DIR) + "/examples/four_bar";

inline const char* const pendulum = R"(name = "pendulum"
gravity = [0, -9.81]

[bodies]
rod = {mass = 2, inertia = 0.1, position = [0.5, 0]}

[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}

[points]
tip = {body = "rod", at = [0.5, 0]}

[analysis]
end = 0.5

[output]
step = 0.05
)";

class Program : public ::testing::Test {
 protected:
  Program() {
    std::string name = (fs::temp_directory_path() / "mubody-test-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~Program() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }

  fs::path write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
    return folder / name;
  }

  /// Runs the program; if `interrupt_after` is given, it gets Ctrl-C, or another signal, then [s].
  Answer mubody(std::vector<std::string> words, double interrupt_after = 0, int signal = SIGINT) const {
    words.insert(words.begin(), "mubody");
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const std::string out = (folder / ".stdout").string(), err = (folder / ".stderr").string();
    const pid_t child = fork();
    if (child == 0) {
      std::signal(SIGINT, SIG_DFL);  // shells start background jobs with SIGINT ignored
      const int to_out = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      const int to_err = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      if (chdir(folder.c_str()) != 0 || dup2(to_out, STDOUT_FILENO) < 0 || dup2(to_err, STDERR_FILENO) < 0)
        _exit(126);
      execv(MUBODY_PROGRAM, arguments.data());
      _exit(127);
    }
    if (interrupt_after > 0) {
      std::this_thread::sleep_for(std::chrono::duration<double>((is_sanitized ? 10 : 1) * interrupt_after));
      kill(child, signal);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), contents(out), contents(err)};
  }

  /// The names in a folder.
  static std::set<std::string> names_in(const fs::path& where) {
    std::set<std::string> names;
    if (fs::exists(where))
      for (const auto& entry : fs::directory_iterator(where)) names.insert(entry.path().filename().string());
    return names;
  }

  /// The first numbers of the rows of a sweep by index, those before the first empty cell at most.
  std::map<int, std::vector<double>> row_numbers(const std::string& file, std::size_t count) const {
    std::map<int, std::vector<double>> all;
    std::istringstream in(contents(folder / file));
    std::string line;
    std::getline(in, line), std::getline(in, line);
    while (std::getline(in, line)) {
      std::istringstream cells(line);
      std::vector<double> row;
      for (std::string cell; row.size() < count && std::getline(cells, cell, ',') && !cell.empty();)
        row.push_back(std::stod(cell));
      all[int(row.front())] = row;
    }
    return all;
  }

  fs::path folder;
};

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
}  // namespace mubody::testing
