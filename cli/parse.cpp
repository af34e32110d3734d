// Turns words into options.  An option may stand before or after the arguments: --out X, --out=X, -o X, -oX;
// letters of switches may be joined, as in -qf; "--" ends the options.
#include <algorithm>

#include <fmt/format.h>

#include "cli/exit.h"
#include "cli/options.h"
#include "mubody/math/suggest.h"

namespace mubody::cli {
namespace {
class Parser {
 public:
  Parser(const std::string& verb, const Options& options, const std::vector<std::string>& words)
      : verb_(verb), options_(options), words_(words), given_(options.all().size()) {}

  void parse() {
    // An optional value must not take the word of a required argument: --report MODEL.
    const std::size_t arguments = arguments_without_loose_values();
    const auto needed = std::size_t(std::ranges::count_if(options_.all(), [&](const DeclaredOption& o) {
      return o.kind == DeclaredOption::argument && o.required &&
             (o.unless.empty() || std::ranges::find(words_, o.unless) == words_.end());
    }));
    spare_ = arguments - std::min(arguments, needed);
    scan();
    check();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError(fmt::format("{}; see 'mubody {} --help'", why, verb_));
  }

  [[noreturn]] void refuse_option(const std::string& word) const {
    std::vector<std::string> known{"--help"};
    for (const DeclaredOption& o : options_.all())
      if (o.kind != DeclaredOption::argument) known.push_back(o.name);
    const std::string why = fmt::format("unexpected option '{}'", word), near = suggestion(word, known);
    if (!near.empty()) throw UsageError(why + near);
    refuse(why);
  }

  const std::vector<DeclaredOption>& all() const { return options_.all(); }

  std::size_t named(std::string_view name) const {
    return std::size_t(std::ranges::find_if(all(),
                                            [&](const DeclaredOption& o) {
                                              return o.kind != DeclaredOption::argument && o.name == name;
                                            }) -
                       all().begin());
  }
  std::size_t lettered(char letter) const {
    return std::size_t(
        std::ranges::find_if(all(), [&](const DeclaredOption& o) { return o.letter == letter; }) -
        all().begin());
  }

  // The option that a word with a dash names, and its value if that is joined to it.
  struct Asked {
    std::size_t option;
    std::optional<std::string> value;
  };
  static bool looks_like_option(const std::string& word) { return word.size() > 1 && word[0] == '-'; }
  Asked asked(const std::string& word) const {
    if (word.starts_with("--")) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) return {named(word), {}};
      return {named(word.substr(0, equals)), word.substr(equals + 1)};
    }
    if (word.size() == 2) return {lettered(word[1]), {}};
    return {lettered(word[1]), word.substr(2)};
  }

  // The number of arguments if all optional values are missing.
  std::size_t arguments_without_loose_values() const {
    std::size_t count = 0;
    bool ended = false;
    for (std::size_t k = 0; k < words_.size(); ++k) {
      if (ended || !looks_like_option(words_[k])) {
        ++count;
      } else if (words_[k] == "--") {
        ended = true;
      } else if (const Asked a = asked(words_[k]); a.option < all().size() && !a.value) {
        const DeclaredOption& o = all()[a.option];
        if (o.kind == DeclaredOption::with_value) k += o.words;
      }
    }
    return count;
  }

  void scan() {
    bool ended = false;
    for (at_ = 0; at_ < words_.size();) {
      const std::string& word = words_[at_++];
      if (ended || !looks_like_option(word))
        take_argument(word);
      else if (word == "--")
        ended = true;
      else
        take_option(word);
    }
  }

  void take_argument(const std::string& word) {
    while (next_argument_ < all().size() && all()[next_argument_].kind != DeclaredOption::argument)
      ++next_argument_;
    if (next_argument_ == all().size()) refuse(fmt::format("unexpected argument '{}'", word));
    give(next_argument_, word);
    if (!all()[next_argument_].repeats) ++next_argument_;
  }

  void take_option(const std::string& word) {
    Asked a = asked(word);
    if (a.option == all().size()) refuse_option(word);
    const DeclaredOption& o = all()[a.option];
    if (given_[a.option] && !o.repeats && o.kind != DeclaredOption::on_or_off)
      refuse(fmt::format("{} is given twice", o.name));
    if (o.kind == DeclaredOption::on_or_off) return take_switch(a, word);
    if (a.value) {
      give(a.option, *a.value);
      for (std::size_t k = 1; k < o.words; ++k) give(a.option, next_word(o));
    } else if (o.kind == DeclaredOption::with_value) {
      for (std::size_t k = 0; k < o.words; ++k) give(a.option, next_word(o));
    } else if (spare_ > 0 && at_ < words_.size() && !looks_like_option(words_[at_])) {
      --spare_;
      give(a.option, words_[at_++]);
    } else {
      given_[a.option] = true;
      options_.take(a.option)("");
    }
  }

  void take_switch(const Asked& a, const std::string& word) {
    give(a.option, "");
    if (!a.value) return;
    if (word.starts_with("--")) refuse(fmt::format("{} takes no value", all()[a.option].name));
    take_option("-" + *a.value);
  }

  // A value may begin with a dash, as numbers do, but must not be an option of the verb.
  const std::string& next_word(const DeclaredOption& o) {
    if (at_ == words_.size() || (looks_like_option(words_[at_]) && asked(words_[at_]).option < all().size()))
      refuse(fmt::format("{} takes {}", o.name, o.value));
    return words_[at_++];
  }

  void give(std::size_t index, const std::string& word) {
    const DeclaredOption& o = all()[index];
    if (o.kind == DeclaredOption::argument && word.empty()) refuse(fmt::format("{} is empty", o.name));
    if (!o.choices.empty() && std::ranges::find(o.choices, word) == o.choices.end())
      refuse(fmt::format("{}: expected {}, got '{}'", o.name, fmt::join(o.choices, " or "), word));
    given_[index] = true;
    options_.take(index)(word);
  }

  void check() const {
    for (std::size_t k = 0; k < all().size(); ++k) {
      const DeclaredOption& o = all()[k];
      const bool needed = o.required && (o.unless.empty() || !given_[named(o.unless)]);
      if (needed && !given_[k]) refuse(o.lack.empty() ? fmt::format("{} is required", o.name) : o.lack);
      if (!given_[k]) continue;
      if (!o.with.empty() && !given_[named(o.with)]) refuse(fmt::format("{} goes with {}", o.name, o.with));
      if (!o.instead.empty() && given_[named(o.instead)])
        refuse(fmt::format("give one of {} and {}", o.instead, o.name));
    }
  }

  const std::string& verb_;
  const Options& options_;
  const std::vector<std::string>& words_;
  std::vector<bool> given_;
  std::size_t at_ = 0, next_argument_ = 0, spare_ = 0;
};
}  // namespace

void parse(const std::string& verb, const Options& options, const std::vector<std::string>& words) {
  Parser(verb, options, words).parse();
}
}  // namespace mubody::cli
