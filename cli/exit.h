#pragma once
// The end of the program: exit codes, messages, mistakes on the command line.
#include <functional>
#include <stdexcept>
#include <string>

namespace mubody::cli {
/// The exit codes that 'mubody --help' lists.
enum Exit {
  done = 0,
  failed = 1,       // files that cannot be written, too little memory, internal errors
  wrong_input = 2,  // a model, another file, or the command line
  not_assembled = 3,
  solver_failed = 4,  // results up to the failure are kept
  inaccurate = 5,     // the answer cannot be trusted, or misses the accuracy asked for in the model
  interrupted = 130,  // 128 + SIGINT, as in shells
  terminated = 143    // 128 + SIGTERM
};

/// A mistake on the command line.  It is wrong input as a wrong model is, and has the same exit code.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Something around the program keeps it from its work, such as a folder that cannot be written to: neither the input is
/// wrong nor the program.
struct Hindrance : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Prints a text on stderr as it is.  Where that is closed or full nobody is left to tell, and the work goes on.
void note(const std::string& text);

/// Prints the message on one line of stderr, whatever it quotes.
void complain(const std::string& message);

/// If JSON was asked for, wrong input is printed as JSON too, besides the message on stderr.
int with_json_error(bool json, const std::function<int()>& work);
}  // namespace mubody::cli
