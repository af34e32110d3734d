#pragma once
// A verb of the program: its manual, what it takes and what it does, declared in one file of cli/verbs/.
//
// The file cli/verbs/NAME.cpp defines  Verb NAME_verb();  the build finds it there, and from that moment the verb is
// known to the program, to its help, its man pages and the completion of shells.
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/exit.h"
#include "cli/options.h"

namespace mubody::cli {
/// A word or an expression, and what it means.
struct Term {
  std::string term, meaning;
};
using Terms = std::vector<Term>;
/// Lines that are typed, or stand in a file, and are kept as they are.
struct Code {
  std::string lines;
};
/// A paragraph, a list of terms, or lines of code.
using Block = std::variant<std::string, Terms, Code>;

/// Where a verb stands in the overview.
enum class Shelf { everyday, study, files, program };
/// "Look into it".
std::string heading(Shelf);

struct ExitNote {
  Exit code;
  std::string meaning;
};

struct Manual {
  std::string name;  // "run"
  Shelf shelf;
  std::string sentence;  // "run a model and write the results"
  std::vector<Block> description;
  std::vector<ExitNote> exits;
  std::vector<Block> files;           // files that it writes; none if empty
  std::vector<std::string> examples;  // command lines
};

/// The exit codes of runs of a model.
std::vector<ExitNote> exits_of_runs();

struct Verb {
  Manual manual;
  std::vector<DeclaredOption> options;
  /// Reads the words that follow the verb and does the work; the verbs of the program are passed as well.
  std::function<int(std::span<const Verb>, const std::vector<std::string>& words)> run;

  /// A verb whose options are a struct T with a member  void declare(Options&)  and a function that does the work.
  template <class T> static Verb of(int (*work)(const T&), Manual manual) {
    return of<T>([work](const T& options, std::span<const Verb>) { return work(options); }, std::move(manual));
  }
  /// The same for work that needs to know the other verbs.
  template <class T> static Verb of(int (*work)(const T&, std::span<const Verb>), Manual manual) {
    return of<T>(std::function<int(const T&, std::span<const Verb>)>(work), std::move(manual));
  }

 private:
  template <class T> static Verb of(std::function<int(const T&, std::span<const Verb>)> work, Manual manual) {
    T usual;
    Options declared;
    usual.declare(declared);
    const std::string name = manual.name;
    return {std::move(manual), declared.all(),
            [name, work](std::span<const Verb> verbs, const std::vector<std::string>& words) {
              T options;
              Options to_fill;
              options.declare(to_fill);
              parse(name, to_fill, words);
              return with_json_error(to_fill.wants_json(), [&] {
                if constexpr (requires { options.limits.begin(); }) options.limits.begin();
                return work(options, verbs);
              });
            }};
  }
};

/// The verbs in cli/verbs/, by name.
std::span<const Verb> verbs();
}  // namespace mubody::cli
