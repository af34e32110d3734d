#pragma once
// What a verb takes: every argument and option once, with its meaning and the variable that it fills.
//
// The parser, the manual, the man pages and the completion of shells all come from these declarations.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mubody::cli {
/// A text on one line, wherever its source breaks it.
std::string one_line(const std::string& text);

/// What a shell proposes for a value, beside words that are known.
enum class Proposes { nothing, files, folders, verbs };

/// What is said about an option, or about an argument that is known by its place.
struct Option {
  std::string name;                               // "--out"; of an argument "MODEL"
  char letter = 0;                                // 'o' for -o
  std::string value;                              // "FOLDER"; the choices if it is left out
  std::vector<std::string> choices;               // other values are refused
  std::vector<std::string> (*known)() = nullptr;  // values that a shell proposes; others are fine too
  Proposes proposes = Proposes::nothing;
  bool required = false;
  std::string lack;       // what is said where a required one is missing
  bool list = false;      // values may be separated by commas
  std::size_t words = 1;  // that make up the value
  std::string with;       // the option without which it has no meaning
  std::string instead;    // the option whose place it takes: only one of them may be given
  std::string meaning;
};

/// An option with what follows from the variable that it fills.
struct DeclaredOption : Option {
  enum Kind { argument, on_or_off, with_value, with_or_without_value };
  Kind kind = with_value;
  bool repeats = false;  // every time it is given adds a value
  std::string group;     // the heading in the manual

  bool takes_value() const { return kind == with_value || kind == with_or_without_value; }
};

/// The options of one verb in the order of its manual.
class Options {
 public:
  /// Takes one word of a value.  Throws UsageError.
  using Take = std::function<void(const std::string& word)>;

  /// Options from here on stand under this heading.
  void group(std::string heading) { group_ = std::move(heading); }

  /// Arguments are known by their place.
  void argument(Option, std::string&);
  void optional_argument(Option, std::string&);

  void add(Option, bool&);
  void add(Option, std::string&);
  void add(Option, std::optional<std::string>&);  // with or without a value: "" without
  void add(Option, std::vector<std::string>&);
  void add(Option, int&);
  void add(Option, std::optional<int>&);
  void add(Option, std::optional<double>&);
  void add(Option, std::uint64_t&);

  // What several verbs take.
  void model(std::string& file);
  void settings(std::vector<std::string>& settings, const std::string& example = "analysis.end=2");
  void format(std::string& word, std::vector<std::string> choices, std::string meaning);
  void report(std::optional<std::string>& file, std::string meaning);
  void chords(std::vector<std::string>& joints, std::string meaning);
  void quiet(bool& is_quiet, std::string meaning);

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

/// Fills the variables with what the words say.  Throws UsageError; `verb` is named in the message.
void parse(const std::string& verb, const Options&, const std::vector<std::string>& words);
}  // namespace mubody::cli
