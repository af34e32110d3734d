// Files from strangers, as a user meets them: exit code 2 and one line.
#include <algorithm>

#include <sys/stat.h>

#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
class StrangersVerb : public Program {
 protected:
  /// One line on stderr that has no control characters.
  static void expect_refused(const Answer& a, const std::string& part) {
    EXPECT_EQ(a.code, 2) << a.err;
    EXPECT_TRUE(has(a.err, part)) << a.err;
    EXPECT_EQ(std::ranges::count(a.err, '\n'), 1) << a.err;
    EXPECT_TRUE(
        std::ranges::none_of(a.err, [](char c) { return c != '\n' && static_cast<unsigned char>(c) < ' '; }));
  }
  static std::string named(const std::string& name) {
    std::string text = pendulum;
    return text.replace(text.find("pendulum"), 8, name);
  }
};

TEST_F(StrangersVerb, names_do_not_reach_the_terminal) {
  write("esc.toml", named("\\u001b]0;pwn\\u0007\\u001b[31mred"));
  expect_refused(mubody({"run", "esc.toml"}), "esc.toml:1:8: a string with a control character");
  write("\x1B[31m.toml", "a = 1\n");
  expect_refused(mubody({"check", "\x1B[31m.toml"}), "\\x1b[31m.toml");
}

TEST_F(StrangersVerb, names_bring_no_code_into_c) {
  write("code.toml", named(R"(a*\\\n/\n#include <stdio.h>\n/*)"));
  expect_refused(mubody({"precompute", "code.toml", "--emit-c", "c"}), "name: must be on one line");
  write("comment.toml", named(R"(a*\\/ int pwned; /* ??/)"));
  ASSERT_EQ(
      mubody({"precompute", "comment.toml", "--emit-c", "c", "--name", "m", "--bound", "1e-3", "-q"}).code, 0);
  for (const char* file : {"c/m.h", "c/m.c"}) {
    const std::string first = contents(folder / file).substr(0, contents(folder / file).find('\n'));
    EXPECT_TRUE(has(first, "/* a*? / int pwned; / * ?? / :")) << first;
  }
  EXPECT_EQ(std::system(("cc -std=c99 -c -o /dev/null " + (folder / "c/m.c").string()).c_str()), 0);
}

TEST_F(StrangersVerb, pipes_are_refused) {
  ASSERT_EQ(mkfifo((folder / "pipe.toml").c_str(), 0600), 0);
  ASSERT_EQ(mkfifo((folder / "pipe.rt").c_str(), 0600), 0);
  for (const char* file : {"pipe.toml", "pipe.rt"}) expect_refused(mubody({"run", file}), "is no regular file");
}

TEST_F(StrangersVerb, deep_summaries_are_refused) {
  write("r/summary.json", std::string(100000, '['));
  expect_refused(mubody({"report", "r"}), "expected the summary that 'mubody run' writes");
}

TEST_F(StrangersVerb, precomputed_models_know_no_absolute_path) {
  write("in/pendulum.toml", pendulum);
  ASSERT_EQ(mubody({"precompute", "in/pendulum.toml", "-o", "out/p.rt", "-q"}).code, 1);  // there is no folder
  fs::create_directories(folder / "out");
  ASSERT_EQ(mubody({"precompute", "in/pendulum.toml", "-o", "out/p.rt", "-q"}).code, 0);
  const std::string bytes = contents(folder / "out/p.rt");
  EXPECT_FALSE(has(bytes, folder.string()));
  EXPECT_TRUE(has(bytes, "../in/pendulum.toml"));
  EXPECT_EQ(mubody({"run", "out/p.rt", "-q"}).code, 0);
}

TEST_F(StrangersVerb, untrusted_is_an_option_of_all_that_read_models) {
  write("secret.csv", "0 1\n1 2\n2 3\n3 4\n");
  write("in/model.toml",
        std::string(pendulum) +
            "[drivers]\nd = {type = \"angle\", joint = \"pin\", value = {type = \"spline\", data = "
            "\"../secret.csv\"}}\n");
  for (const char* verb : {"check", "run", "report", "precompute", "topology", "independent"}) {
    EXPECT_FALSE(has(mubody({verb, "in/model.toml"}).err, "lies outside")) << verb;
    expect_refused(mubody({verb, "in/model.toml", "--untrusted"}), "lies outside of the folder of the model");
  }
}

TEST_F(StrangersVerb, untrusted_outputs_do_not_follow_links) {
  write("in/p.toml", pendulum);
  write("mine.csv", "");
  fs::create_directories(folder / "elsewhere");
  fs::create_directory_symlink("../elsewhere", folder / "in/p.compare");
  fs::create_directory_symlink("../elsewhere", folder / "in/away");
  for (const char* name : {"in/p.sweep.csv", "in/p.rt", "in/p.html", "in/t.csv", "in/p.mub", "in/p.svg"})
    fs::create_symlink("../mine.csv", folder / name);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"sweep", "in/p.toml", "--vary", "bodies.rod.mass=1:2:4"},
        {"sweep", "in/p.toml", "--vary", "bodies.rod.mass=1:2:4", "-o", "in/away/r.csv"},
        {"compare", "in/p.toml", "--treatments", "projection"},
        {"run", "in/p.toml", "-o", "in/away/out"},
        {"precompute", "in/p.toml"},
        {"precompute", "in/p.toml", "--emit-c", "in/away"},
        {"report", "in/p.toml"},
        {"independent", "in/p.toml", "--coefficients", "in/t.csv"},
        {"convert", "in/p.toml", "in/p.mub"},
        {"picture", "in/p.toml", "-o", "in/p.svg"}}) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--untrusted", "--force"});
    const Answer a = mubody(all);
    EXPECT_EQ(a.code, 1) << words[0] << a.err;
    EXPECT_TRUE(has(a.err, "which --untrusted does not follow")) << words[0] << a.err;
    EXPECT_TRUE(names_in(folder / "elsewhere").empty()) << words[0];
    EXPECT_EQ(contents(folder / "mine.csv"), "") << words[0];
  }
}

TEST_F(StrangersVerb, rows_are_not_collected_through_a_link) {
  write("p.toml", pendulum);
  write("mine.csv", "");
  const std::vector<std::string> sweep{"sweep", "p.toml", "-q", "--vary", "bodies.rod.mass=1:2:4", "--force"};
  ASSERT_EQ(mubody(sweep).code, 0);
  fs::create_symlink("mine.csv", folder / "p.sweep.csv.part");
  const Answer a = mubody(sweep);
  EXPECT_EQ(a.code, 1);
  EXPECT_TRUE(has(a.err, "is a link, and rows are not written through one")) << a.err;
  EXPECT_EQ(contents(folder / "mine.csv"), "");
}

TEST_F(StrangersVerb, untrusted_references_are_neither_followed_nor_quoted) {
  write("p.toml", pendulum);
  write("secret.csv", "time[s],rod.x[m]\n0,word\n");
  fs::create_directories(folder / "r");
  fs::create_symlink("../secret.csv", folder / "r/bodies.csv");
  expect_refused(mubody({"compare", "p.toml", "--untrusted", "--reference", "r"}), "leads out of the folder");
  const Answer quoted = mubody({"compare", "p.toml", "--untrusted", "--reference", "secret.csv"});
  EXPECT_EQ(quoted.code, 2);
  EXPECT_FALSE(has(quoted.err, "word")) << quoted.err;
  const Answer list = mubody({"sweep", "p.toml", "--untrusted", "--vary", "bodies.rod.mass=@secret.csv:rod.y"});
  EXPECT_EQ(list.code, 1);
  EXPECT_FALSE(has(list.err, "word") || has(list.err, "rod.x")) << list.err;
}

TEST_F(StrangersVerb, untrusted_results_do_not_follow_links) {
  write("p.toml", pendulum);
  fs::create_directories(folder / "elsewhere");
  fs::create_directory_symlink("elsewhere", folder / "p.out");
  EXPECT_EQ(mubody({"run", "p.toml", "--untrusted", "-q"}).code, 1);
  EXPECT_TRUE(names_in(folder / "elsewhere").empty());
  EXPECT_EQ(mubody({"run", "p.toml", "-q"}).code, 0);
  for (const char* place : {"new", "./deep/new"})
    EXPECT_EQ(mubody({"run", "p.toml", "--untrusted", "-q", "-o", place}).code, 0) << place;
  write("fresh.toml", pendulum);
  EXPECT_EQ(mubody({"run", "fresh.toml", "--untrusted", "-q"}).code, 0);
}
}  // namespace
}  // namespace mubody::testing
