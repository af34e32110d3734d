#pragma once
// What a verb takes: every argument and option once, with its meaning and the variable that it fills.
//
// The parser, the manual, the man pages and the completion of shells all come from these declarations.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mubody/reading/settings.h"

namespace mubody::cli {
struct Limits;

/// The text on one line, however its source breaks it.
std::string one_line(const std::string& text);

/// What a shell proposes for a value, besides known words.
enum class Proposes { nothing, files, folders, verbs };

/// The description of an option, or of an argument, which has a place in place of a name.
struct Option {
  std::string name;                               // "--out", or "MODEL" for an argument
  char letter = 0;                                // 'o' for -o
  std::string value;                              // "FOLDER"; the choices if it is left out
  std::vector<std::string> choices;               // other values are refused
  std::vector<std::string> (*known)() = nullptr;  // values that a shell proposes; others are valid too
  Proposes proposes = Proposes::nothing;
  bool required = false;
  std::string lack;       // the message if a required one is missing
  bool list = false;      // values may be separated by commas
  std::size_t words = 1;  // how many words make up the value
  std::string with;       // the option without which it has no meaning
  std::string instead;    // the option that it excludes: only one of the two may be given
  std::string unless;     // the option with which a required one may be left out
  std::string meaning;
};

/// An option, with the properties that follow from the variable that it fills.
struct DeclaredOption : Option {
  enum Kind { argument, on_or_off, with_value, with_or_without_value };
  Kind kind = with_value;
  bool repeats = false;  // each use adds a value
  std::string group;     // the heading in the manual

  bool takes_value() const { return kind == with_value || kind == with_or_without_value; }
};

/// The options of one verb in the order of its manual.
class Options {
 public:
  /// Takes one word of a value.  Throws UsageError.
  using Take = std::function<void(const std::string& word)>;

  /// Puts the options that follow under this heading.
  void group(std::string heading) { group_ = std::move(heading); }

  /// Adds an argument, which is recognised by its place.
  void argument(Option, std::string&);
  void optional_argument(Option, std::string&);
  /// Adds the last argument, of which there may be several.
  void arguments(Option, std::vector<std::string>&);

  void add(Option, bool&);
  void add(Option, std::string&);
  void add(Option, std::optional<std::string>&);  // the value may be left out, which gives ""
  void add(Option, std::vector<std::string>&);
  void add(Option, int&);
  void add(Option, std::optional<int>&);
  void add(Option, std::optional<double>&);
  void add(Option, std::uint64_t&);

  // Options that several verbs share.
  void model(std::string& file);
  /// --untrusted
  void untrusted(bool& is_untrusted);
  /// --set and --untrusted
  void settings(io::Settings& settings, const std::string& example = "analysis.end=2");
  void format(std::string& word, std::vector<std::string> choices, std::string meaning);
  void report(std::optional<std::string>& file, std::string meaning);
  void chords(std::vector<std::string>& joints, std::string meaning);
  void quiet(bool& is_quiet, std::string meaning);
  /// --no-estimate
  void estimate(bool& none);
  /// --compiled
  void compiled(bool& wanted);
  /// --force
  void force(bool& is_forced);
  /// --limit and --memory-limit; `usual` says what holds if no time is given.
  void limits(Limits&, const std::string& usual = "that of the model, or none, if not given");

  const std::vector<DeclaredOption>& all() const { return all_; }
  const Take& take(std::size_t index) const { return takes_[index]; }
  /// Whether the answer is for programs.
  bool wants_json() const { return format_ && *format_ == "json"; }

 private:
  void put(Option, DeclaredOption::Kind, Take);

  std::vector<DeclaredOption> all_;
  std::vector<Take> takes_;
  std::string group_;
  const std::string* format_ = nullptr;
};

/// Fills the variables from the words.  Throws UsageError; `verb` is named in the message.
void parse(const std::string& verb, const Options&, const std::vector<std::string>& words);
}  // namespace mubody::cli
