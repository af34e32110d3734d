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
    EXPECT_EQ(a.code, 2) << words[0] << a.err;
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
  EXPECT_EQ(list.code, 2);
  EXPECT_FALSE(has(list.err, "word") || has(list.err, "rod.x")) << list.err;
}

TEST_F(StrangersVerb, untrusted_folders_that_are_links_are_not_followed) {
  fs::create_directories(folder / "other");
  fs::create_directories(folder / "up");
  write("other/model.toml", pendulum);
  write("other/points.csv", "bodies.rod.mass\n77\n78\n");
  ASSERT_EQ(mubody({"run", "other", "-o", "other/res", "-q"}).code, 0);
  write("up/model.toml", pendulum);
  fs::create_directory_symlink("../other", folder / "up/sub");
  fs::create_directory_symlink("../other/res", folder / "up/res");
  fs::create_symlink("../other/points.csv", folder / "up/points.csv");
  const auto before = names_in(folder / "other");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"run", "up/sub"},
           {"run", "up/sub/model.toml", "-o", "up/out"},
           {"report", "up/sub"},
           {"report", "up/res"},
           {"report", "up/res/."},
           {"agree", "up/res", "up/res"},
           {"compare", "up/model.toml", "--reference", "up/res"},
           {"picture", "up/model.toml", "--results", "up/res", "-o", "up/x.svg"},
           {"sweep", "up/model.toml", "--vary", "bodies.rod.mass=@up/points.csv"}}) {
    std::vector<std::string> all = words;
    all.push_back("--untrusted");
    const Answer a = mubody(all);
    EXPECT_EQ(a.code, 2) << words[0] << " " << words[1] << a.err;
    EXPECT_EQ(names_in(folder / "other"), before) << words[0];
  }
}

TEST_F(StrangersVerb, untrusted_results_do_not_follow_links) {
  write("p.toml", pendulum);
  fs::create_directories(folder / "elsewhere");
  fs::create_directory_symlink("elsewhere", folder / "p.out");
  EXPECT_EQ(mubody({"run", "p.toml", "--untrusted", "-q"}).code, 2);
  EXPECT_TRUE(names_in(folder / "elsewhere").empty());
  EXPECT_EQ(mubody({"run", "p.toml", "-q"}).code, 0);
  for (const char* place : {"new", "./deep/new"})
    EXPECT_EQ(mubody({"run", "p.toml", "--untrusted", "-q", "-o", place}).code, 0) << place;
  write("fresh.toml", pendulum);
  EXPECT_EQ(mubody({"run", "fresh.toml", "--untrusted", "-q"}).code, 0);
}

TEST_F(StrangersVerb, names_of_files_stay_on_one_line) {
  const std::string name = "a\nb\x1B[31m";
  write(name + ".toml", "[bodies]\n" + std::string(pendulum).substr(std::string(pendulum).find("rod = ")));
  const auto plain = [](const std::string& text) { return !has(text, "a\nb") && !has(text, "\x1B"); };
  const std::vector<std::vector<std::string>> lines{
      {"check", name + ".toml"},
      {"run", name + ".toml", "--report"},
      {"report", name + ".out"},
      {"agree", name + ".out", name + ".out"},
      {"sweep", name + ".toml", "--vary", "bodies.rod.mass=1,2", "--no-estimate"},
      {"sweep", name + ".toml", "--vary", "bodies.rod.mass=1,2", "--no-estimate"},
      {"compare", name + ".toml", "--treatments", "projection", "--repeat", "1", "--reference", name + ".out"},
      {"precompute", name + ".toml"},
      {"run", name + ".rt"},
      {"topology", name + ".toml"},
      {"convert", name + ".toml", name + ".mub"},
      {"picture", name + ".toml", "-o", name + ".svg", "--trace", name},
      {"run", name},
      {name},
      {"check", "none.toml", "--" + name}};
  for (const std::vector<std::string>& words : lines) {
    const Answer a = mubody(words);
    EXPECT_TRUE(plain(a.out) && plain(a.err)) << words[0] << '\n' << a.out << a.err;
  }
}

TEST_F(StrangersVerb, messages_do_not_quote_what_untrusted_files_contain) {
  write("p.toml", pendulum);
  write("words.csv", "time[s],SECRET\n0,SECRET\n");
  write("unit.csv", "time[s],rod.x[SECRET]\n0,1\n1,2\n");
  write("mass.csv", "m[SECRET]\n1\n2\n");
  write("seconds.csv", "m[s]\n4711\n4711\n");
  write("names.csv", "SECRET,SECRET1\n1,2\n");
  write("twice.csv", "time[s],SECRET,SECRET\n0,1,2\n");
  write("back.csv", "time[s],rod.x[m]\n4711,1\n4710,2\n");
  write("a.csv", "time[s],SECRET[m]\n0,1\n1,2\n");
  write("b.csv", "time[s],SECRET[kg]\n0,1\n1,2\n");
  write("late.csv", "time[s],SECRET[m]\n4711,1\n4712,2\n");
  write("m.mub", "SECRET of somebody\n");
  write("r/bodies.csv", "time[s],SECRET[m]\n0,1\n1,2\n");
  write("r/summary.json", R"({"program": "mubody", "statistics": {}, "changes": ["bodies.SECRET.mass=4711"]})");
  const std::string vary = "bodies.rod.mass=@";
  const std::vector<std::vector<std::string>> lines{{"sweep", "p.toml", "--vary", vary + "words.csv"},
                                                    {"sweep", "p.toml", "--vary", vary + "mass.csv"},
                                                    {"sweep", "p.toml", "--vary", vary + "seconds.csv"},
                                                    {"sweep", "p.toml", "--vary", vary + "names.csv"},
                                                    {"sweep", "p.toml", "--vary", vary + "names.csv:SECRE"},
                                                    {"compare", "p.toml", "--reference", "words.csv"},
                                                    {"compare", "p.toml", "--reference", "unit.csv"},
                                                    {"compare", "p.toml", "--reference", "back.csv"},
                                                    {"agree", "words.csv", "a.csv"},
                                                    {"agree", "twice.csv", "a.csv"},
                                                    {"agree", "back.csv", "a.csv"},
                                                    {"agree", "a.csv", "b.csv"},
                                                    {"agree", "a.csv", "late.csv"},
                                                    {"agree", "a.csv", "a.csv", "--channels", "SECRE"},
                                                    {"check", "m.mub"},
                                                    {"report", "r", "--model", "p.toml"},
                                                    {"picture", "p.toml", "--results", "r", "-o", "x.svg"}};
  for (std::vector<std::string> words : lines) {
    words.emplace_back("--untrusted");
    const Answer a = mubody(words);
    std::string err = a.err;  // without what the user wrote
    for (const char* own : {"@names.csv:SECRE", "'SECRE'"})
      if (const std::size_t at = err.find(own); at != err.npos) err.erase(at, std::string(own).size());
    EXPECT_FALSE(has(err, "SECRE") || has(err, "471")) << words[0] << ": " << a.err;
    expect_refused(a, "");
  }
}

TEST_F(StrangersVerb, links_of_untrusted_results_do_not_lead_out) {
  write("p.toml", pendulum);
  write("secret.csv", "time[s],rod.x[m]\n0,1\n1,2\n");
  fs::create_directories(folder / "r");
  fs::create_symlink("../secret.csv", folder / "r/bodies.csv");
  expect_refused(mubody({"agree", "r", "r", "--untrusted"}), "leads out of the folder");
  expect_refused(mubody({"compare", "p.toml", "--reference", "r", "--untrusted"}), "leads out of the folder");
}

TEST_F(StrangersVerb, links_to_themselves_are_told) {
  fs::create_symlink("loop.toml", folder / "loop.toml");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"check", "loop.toml"}, {"check", "loop.toml", "--untrusted"}})
    expect_refused(mubody(words), "loop.toml: is a link that leads back to itself");
}

TEST_F(StrangersVerb, precomputed_models_are_not_read_before_their_head_is_right) {
  write("p.toml", pendulum);
  ASSERT_EQ(mubody({"precompute", "p.toml", "-o", "p.rt", "-q"}).code, 0);
  const std::string bytes = contents(folder / "p.rt");
  write("large.rt", bytes);
  fs::resize_file(folder / "large.rt", 3'900'000'000);
  expect_refused(mubody({"run", "large.rt"}), "a precomputed model has at most 1024 MB");
  // Reading all of it would take more memory than there is.
  fs::resize_file(folder / "large.rt", 900'000'000);
  expect_refused(mubody({"run", "large.rt", "--memory-limit", "64MB"}), "does not have the size that it says");
  expect_refused(mubody({"precompute", "p.toml", "--memory", "2GB"}), "has at most");
}

TEST_F(StrangersVerb, errors_in_a_precomputed_model_name_both_files) {
  write("p.toml", pendulum);
  ASSERT_EQ(mubody({"precompute", "p.toml", "-o", "p.rt", "-q"}).code, 0);
  expect_refused(mubody({"run", "p.rt", "-s", "analysis.rtoll=1"}),
                 "p.rt: the model inside, --set analysis.rtoll=1");
  expect_refused(mubody({"check", "p.rt"}), "p.rt: this is a precomputed model");
}

TEST_F(StrangersVerb, wrong_models_are_told_in_one_line_of_plain_words) {
  write("deep.toml", "a = " + std::string(40, '[') + std::string(40, ']') + "\n");
  expect_refused(mubody({"check", "deep.toml"}), "deep.toml:1: values nest deeper than 32 levels");
  std::string text = pendulum;
  write("formula.toml", text.replace(text.find("mass = 2"), 8, "mass = \"= 2*sin(x\""));
  expect_refused(mubody({"check", "formula.toml"}), "unknown name 'x' (at character 9 of '= 2*sin(x')");
  expect_refused(mubody({"check", ""}), "MODEL is empty");
}
}  // namespace
}  // namespace mubody::testing
