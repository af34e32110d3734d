// mubody completion: scripts that let shells complete the command line.
#include "cli/completion.h"

#include <fmt/format.h>

#include "cli/verb.h"

namespace mubody::cli {
namespace {
struct CompletionOptions {
  std::string shell;

  void declare(Options& o) {
    o.argument(
        {.name = "SHELL", .choices = {"bash", "zsh", "fish"}, .meaning = "the shell that reads the script"},
        shell);
  }
};

int completion(const CompletionOptions& options, std::span<const Verb> verbs) {
  fmt::print("{}", options.shell == "bash"  ? bash_completion(verbs)
                   : options.shell == "zsh" ? zsh_completion(verbs)
                                            : fish_completion(verbs));
  return done;
}
}  // namespace

Verb completion_verb() {
  return Verb::of(completion,
                  {.name = "completion",
                   .shelf = Shelf::program,
                   .sentence = "write a script that completes the command line in a shell",
                   .description = {R"(The script completes verbs, options, their values, files, and the
            names of elements for 'mubody list'. Packages install it where shells look for it. Otherwise
            write it to one of these files, and start a new shell:)",
                                   Terms{{"bash", "~/.local/share/bash-completion/completions/mubody"},
                                         {"zsh", "a file _mubody in a folder of $fpath"},
                                         {"fish", "~/.config/fish/completions/mubody.fish"}}},
                   .exits = {{done, "done"}, {wrong_input, "wrong usage"}},
                   .examples = {"source <(mubody completion bash)",
                                "mubody completion fish > ~/.config/fish/completions/mubody.fish"}});
}
}  // namespace mubody::cli
