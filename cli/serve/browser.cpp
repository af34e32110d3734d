#include "cli/serve/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char** environ;

namespace mubody::cli {
// No shell reads the name of the file.  The browser is not waited for, and what it prints is not shown.
bool open_in_browser(const std::filesystem::path& file) {
#ifdef __APPLE__
  std::string opener = "open";
#else
  std::string opener = "xdg-open";
#endif
  std::string name = std::filesystem::absolute(file).string();
  char* const words[] = {opener.data(), name.data(), nullptr};
  posix_spawn_file_actions_t streams;
  if (posix_spawn_file_actions_init(&streams) != 0) return false;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&streams, stream, "/dev/null",
                                     stream == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
  pid_t child = 0;
  const bool begun = posix_spawnp(&child, opener.c_str(), &streams, nullptr, words, environ) == 0;
  posix_spawn_file_actions_destroy(&streams);
  return begun;
}
}  // namespace mubody::cli
