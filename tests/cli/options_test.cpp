// A verb declared for the test: how its words are read, and the messages about them.
#include <fmt/format.h>

#include "cli/program.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using cli::Options;
using cli::Verb;

struct GreetOptions {
  std::string name, greeting = "Hello", tone = "plain";
  std::optional<std::string> card;
  std::vector<std::string> guests, notes, both;
  std::optional<int> times;
  bool loud = false, quiet = false;

  void declare(Options& o) {
    o.argument({.name = "NAME", .meaning = "who is greeted"}, name);
    o.optional_argument({.name = "GREETING", .meaning = "with which words"}, greeting);
    o.add({.name = "--card", .value = "FILE", .meaning = "also a card"}, card);
    o.add({.name = "--guests", .letter = 'g', .value = "NAME,...", .list = true, .meaning = "the others"},
          guests);
    o.add({.name = "--note", .letter = 'n', .value = "TEXT", .meaning = "a remark; may be repeated"}, notes);
    o.add({.name = "--between", .value = "A B", .words = 2, .meaning = "two words"}, both);
    o.add({.name = "--tone", .choices = {"plain", "warm"}, .meaning = "how"}, tone);
    o.group("Volume");
    o.add({.name = "--loud", .letter = 'l', .meaning = "in capitals"}, loud);
    o.add({.name = "--times", .value = "N", .with = "--loud", .meaning = "how often"}, times);
    o.add({.name = "--quiet", .letter = 'q', .instead = "--loud", .meaning = "hardly heard"}, quiet);
  }
};

int greet(const GreetOptions& o) {
  fmt::print("{}|{}|{}|{}|{}|{}|{}|{}{}{}\n", o.name, o.greeting, o.card.value_or("-"),
             fmt::join(o.guests, "+"), fmt::join(o.notes, "+"), fmt::join(o.both, "+"), o.tone,
             o.times.value_or(0), o.loud ? "L" : "", o.quiet ? "Q" : "");
  return cli::done;
}

Verb greet_verb() {
  return Verb::of(greet, {.name = "greet",
                          .shelf = cli::Shelf::program,
                          .sentence = "say hello",
                          .description = {"Says hello."},
                          .exits = {{cli::done, "said"}},
                          .examples = {"mubody greet Ada"}});
}

/// The program with this verb among the others.
std::string answer(std::vector<std::string> words, int expected = cli::done) {
  std::vector<Verb> all(cli::verbs().begin(), cli::verbs().end());
  all.push_back(greet_verb());
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(cli::program(all, words), expected);
  const std::string out = ::testing::internal::GetCapturedStdout();
  return out + ::testing::internal::GetCapturedStderr();
}
std::string greeted(std::vector<std::string> words) {
  words.insert(words.begin(), "greet");
  return answer(words);
}
std::string refused(std::vector<std::string> words) {
  words.insert(words.begin(), "greet");
  return answer(words, cli::wrong_input);
}

TEST(own_verb, is_known_everywhere) {
  EXPECT_EQ(greeted({"Ada"}), "Ada|Hello|-||||plain|0\n");
  EXPECT_TRUE(has(answer({"--help"}), "say hello"));
  EXPECT_TRUE(has(cli::one_line(answer({"greet", "--help"})),
                  "mubody greet NAME [GREETING] [--card [FILE]] [--guests NAME,...] [--note TEXT]... "
                  "[--between A B] [--tone plain|warm] [--loud [--times N] | --quiet] DESCRIPTION"));
  EXPECT_TRUE(
      has(answer({"help", "greet", "--format", "man"}), ".SS Volume\n.TP\n\\fB\\-l\\fR, \\fB\\-\\-loud\\fR"));
  EXPECT_TRUE(has(answer({"completion", "bash"}), "'greet --tone') _mubody_words 'plain warm'"));
  EXPECT_TRUE(has(answer({"gret"}, cli::wrong_input), "unknown verb 'gret'; did you mean 'greet'?"));
}

TEST(own_verb, words_find_their_options) {
  EXPECT_EQ(greeted({"--guests=Ben,Cid", "Ada", "-gDan", "-g", "Eve", "Hi"}),
            "Ada|Hi|-|Ben+Cid+Dan+Eve|||plain|0\n");
  EXPECT_EQ(greeted({"-n", "-1", "Ada", "--note=--loud", "-nx=y"}), "Ada|Hello|-||-1+--loud+x=y||plain|0\n");
  EXPECT_EQ(greeted({"--between", "a", "b", "Ada"}), "Ada|Hello|-|||a+b|plain|0\n");
  EXPECT_EQ(greeted({"-ln", "x", "Ada", "--times", "3"}), "Ada|Hello|-||x||plain|3L\n");
  EXPECT_EQ(greeted({"--", "-Ada", "--loud"}), "-Ada|--loud|-||||plain|0\n");
  EXPECT_EQ(greeted({"-", "-q"}), "-|Hello|-||||plain|0Q\n");
}

TEST(own_verb, a_value_that_may_be_missing_leaves_arguments_alone) {
  EXPECT_EQ(greeted({"--card", "Ada"}), "Ada|Hello|||||plain|0\n");
  EXPECT_EQ(greeted({"--card", "Ada", "--note", "x"}), "Ada|Hello|||x||plain|0\n");
  EXPECT_EQ(greeted({"Ada", "--card"}), "Ada|Hello|||||plain|0\n");
  EXPECT_EQ(greeted({"Ada", "--card", "file"}), "Ada|Hello|file||||plain|0\n");
  EXPECT_EQ(greeted({"--card", "file", "Ada"}), "Ada|Hello|file||||plain|0\n");
  EXPECT_EQ(greeted({"--card=file", "Ada"}), "Ada|Hello|file||||plain|0\n");
}

TEST(own_verb, mistakes_are_named) {
  const std::string see = "; see 'mubody greet --help'\n";
  EXPECT_EQ(refused({}), "mubody: NAME is required" + see);
  EXPECT_EQ(refused({"a", "b", "c"}), "mubody: unexpected argument 'c'" + see);
  EXPECT_EQ(refused({"a", "--laud"}), "mubody: unexpected option '--laud'; did you mean '--loud'?\n");
  EXPECT_EQ(refused({"a", "-x"}), "mubody: unexpected option '-x'" + see);
  EXPECT_EQ(refused({"a", "--tone", "cold"}), "mubody: --tone: expected plain or warm, got 'cold'" + see);
  EXPECT_EQ(refused({"a", "--tone", "warm", "--tone=warm"}), "mubody: --tone is given twice" + see);
  EXPECT_EQ(refused({"a", "--note"}), "mubody: --note takes TEXT" + see);
  EXPECT_EQ(refused({"a", "--note", "--loud"}), "mubody: --note takes TEXT" + see);
  EXPECT_EQ(refused({"a", "--between", "b"}), "mubody: --between takes A B" + see);
  EXPECT_EQ(refused({"a", "--loud=yes"}), "mubody: --loud takes no value" + see);
  EXPECT_EQ(refused({"a", "--times", "2"}), "mubody: --times goes with --loud" + see);
  EXPECT_EQ(refused({"a", "-l", "-q"}), "mubody: give one of --loud and --quiet" + see);
  EXPECT_EQ(refused({"a", "-l", "--times", "two"}), "mubody: --times takes a whole number, got 'two'\n");
}
}  // namespace
}  // namespace mubody::testing
