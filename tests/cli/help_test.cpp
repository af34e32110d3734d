// The manual, the man pages and the completion of shells say all that the verbs declare.
#include <algorithm>
#include <array>

#include "cli/verb.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
using cli::DeclaredOption;
using cli::one_line;
using cli::Verb;
using Help = Program;

/// The part of a text from one mark to another, or to the end.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  if (start == std::string::npos) return "";
  const std::size_t stop = text.find(to, start + from.size());
  return text.substr(start, stop == std::string::npos ? stop : stop - start);
}

/// Lines that hold a word.
std::string lines_with(const std::string& text, const std::string& word) {
  std::istringstream in(text);
  std::string found;
  for (std::string line; std::getline(in, line);)
    if (has(line, word)) found += line + '\n';
  return found;
}

/// The output of a shell command on stdout and stderr; `code` is its exit code.
std::string shell(const std::string& command, int& code) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string out;
  std::array<char, 4096> part{};
  while (const std::size_t size = fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), size);
  code = pclose(pipe);
  return out;
}

bool installed(const std::string& tool) {
  int code = 0;
  shell("command -v " + tool, code);
  return code == 0;
}

/// A name with its dashes as roff escapes them.
std::string in_roff(std::string text) {
  for (std::size_t k = text.find('-'); k != std::string::npos; k = text.find('-', k + 2)) text.insert(k, "\\");
  return text;
}

TEST_F(Help, verbs_are_named_as_their_files) {
  std::set<std::string> files, names;
  for (const std::string& file : names_in(fs::path(MUBODY_SOURCE_DIR) / "cli" / "verbs"))
    files.insert(fs::path(file).stem().string());
  for (const Verb& verb : cli::verbs()) names.insert(verb.manual.name);
  EXPECT_EQ(names, files);
}

TEST_F(Help, every_option_is_in_the_manual_and_in_man_pages) {
  for (const Verb& verb : cli::verbs()) {
    const std::string& name = verb.manual.name;
    const std::string help = mubody({name, "--help"}).out;
    EXPECT_EQ(mubody({"help", name}).out, help);
    EXPECT_TRUE(has(mubody({"--help"}).out, verb.manual.sentence)) << name;
    EXPECT_TRUE(has(mubody({}).err, verb.manual.sentence)) << name;
    const std::string man = mubody({"help", name, "--format", "man"}).out;
    const std::string synopsis = between(help, "SYNOPSIS\n", "\nDESCRIPTION");
    const std::string options = one_line(between(help, "\nOPTIONS\n", "\nEXIT CODES"));
    for (const DeclaredOption& o : verb.options) {
      EXPECT_FALSE(o.meaning.empty()) << name << ' ' << o.name;
      EXPECT_TRUE(has(options, o.name) && has(options, o.meaning)) << name << ' ' << o.name;
      EXPECT_TRUE(has(synopsis, o.kind == DeclaredOption::argument && !o.choices.empty() ? o.value : o.name))
          << name << ' ' << o.name << '\n'
          << synopsis;
      EXPECT_TRUE(has(man, in_roff(o.name))) << name << ' ' << o.name;
      EXPECT_TRUE(!o.letter || has(options, std::string("-") + o.letter + ", " + o.name)) << name;
      for (const std::string& other : {o.with, o.instead})
        EXPECT_TRUE(other.empty() ||
                    std::ranges::find(verb.options, other, &DeclaredOption::name) != verb.options.end())
            << name << ' ' << o.name << ": no option " << other;
    }
  }
}

TEST_F(Help, man_pages_are_sound) {
  std::vector<std::vector<std::string>> pages{{"help", "--format", "man"}};
  for (const Verb& verb : cli::verbs()) pages.push_back({"help", verb.manual.name, "--format", "man"});
  for (const std::vector<std::string>& words : pages) {
    const std::string page = mubody(words).out;
    EXPECT_TRUE(page.starts_with(".TH MUBODY")) << page.substr(0, 80);
    std::vector<std::string> sections;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_FALSE(line.empty() || line[0] == '\'') << "roff would take it for a request: " << line;
      if (line.starts_with(".SH ")) sections.push_back(line.substr(4));
    }
    ASSERT_GE(sections.size(), 5U);
    EXPECT_EQ(std::vector(sections.begin(), sections.begin() + 4),
              (std::vector<std::string>{"NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS"}));
    const std::string file = write("page.1", page).string();
    int code = 0;
    if (installed("groff")) {
      EXPECT_EQ(shell("groff -man -K utf8 -Tutf8 -ww -z " + file, code), "") << words[1];
      EXPECT_EQ(code, 0);
    }
    if (installed("mandoc")) {
      EXPECT_EQ(lines_with(shell("mandoc -T lint -W error " + file, code), "ERROR"), "") << words[1];
    }
  }
}

TEST_F(Help, every_option_is_in_the_completion_of_shells) {
  const std::string bash = mubody({"completion", "bash"}).out, zsh = mubody({"completion", "zsh"}).out,
                    fish = mubody({"completion", "fish"}).out;
  for (const Verb& verb : cli::verbs()) {
    const std::string& name = verb.manual.name;
    const std::string in_bash = lines_with(bash, "    " + name + ") options="),
                      in_zsh = between(zsh, "        " + name + ")\n", ";;"),
                      in_fish = lines_with(fish, "'__mubody_verb " + name + "'");
    for (const DeclaredOption& o : verb.options) {
      if (o.kind != DeclaredOption::argument) {
        EXPECT_TRUE(has(in_bash, o.name)) << name << ' ' << o.name;
        EXPECT_TRUE(has(in_zsh, o.name)) << name << ' ' << o.name;
        EXPECT_TRUE(has(in_fish, "-l " + o.name.substr(2) + ' ')) << name << ' ' << o.name;
      }
      for (const std::string& choice : o.choices) {
        EXPECT_TRUE(has(lines_with(bash, '\'' + name + ' '), choice)) << name << ' ' << o.name;
        EXPECT_TRUE(has(in_zsh, choice) && has(in_fish, choice)) << name << ' ' << o.name;
      }
    }
  }
  int code = 0;
  for (const char* which : {"bash", "zsh", "fish"}) {
    const std::string file = write(which, mubody({"completion", which}).out).string();
    if (installed(which)) {
      EXPECT_EQ(shell(std::string(which) + " -n " + file, code), "");
    }
  }
}

TEST_F(Help, bash_completes_words) {
  const std::string script = write("script", mubody({"completion", "bash"}).out).string();
  const auto completed = [&](const std::string& words) {
    int code = 0;
    const std::string out =
        shell("bash -c 'source " + script + "; COMP_WORDS=(" + words +
                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _mubody; echo ${COMPREPLY[*]}'",
              code);
    return one_line(out);
  };
  EXPECT_EQ(completed("mubody ru"), "run");
  EXPECT_EQ(completed("mubody run model.toml --rep"), "--report --report-text");
  EXPECT_EQ(completed("mubody run --format j"), "json");
  EXPECT_EQ(completed("mubody run --format = j"), "json");
  EXPECT_EQ(completed("mubody list joint"), "joints joint_compliance joint_motor joint_spring joint_stop");
  EXPECT_EQ(completed("mubody list joints revolut"), "revolute revolute_spherical");
  EXPECT_EQ(completed("mubody list --format json revolut"), "revolute revolute_spherical");
  EXPECT_EQ(completed("mubody compare m.toml --integrators rk4,eul"), "rk4,euler");
  EXPECT_EQ(completed("mubody help sta"), "stability");
  EXPECT_EQ(completed("mubody completion f"), "fish");
  EXPECT_EQ(completed("mubody run --every 1"), "") << "nobody can guess a number";
}
}  // namespace
}  // namespace mubody::testing
