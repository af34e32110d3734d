// No fault loses anything: standard output that cannot be written, full disks, limits, files of others.
#include <map>

#include <sys/stat.h>

#include "cli/verb.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
const char* const short_block = R"(GENERIC_INFORMATION
 1 Rigid bodies
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
 0
INITIAL_CONDITIONS
 0 0 0 1.0D0 0 0  ! stone
INERTIA_PROPERTIES
 2 1
CONSTANT_APPLIED_FORCES
 0 -19.62 0
TIME_PARAMETERS
 0 .5 0.1 1 0 0
)";

/// Every command that writes files, with targets that are there from an earlier time.
const char* const writers[] = {
    "run pendulum.toml -o out --report",
    "run pendulum.toml -o beside --report page.html --report-text page.txt",
    "report pendulum.toml -o report.html",
    "report beside --model pendulum.toml -o again.html",
    "precompute pendulum.toml -o pendulum.rt --emit-c c",
    "sweep pendulum.toml --vary bodies.rod.mass=1:2:4 -o rows.csv -j 1 --report sweep.html --force",
    "compare pendulum.toml -o methods --treatments projection --repeat 1 --report",
    "convert stone.mub stone.toml --force",
    "picture pendulum.toml -o picture.svg",
    "picture pendulum.toml -o motion.glb",
    "stability --integrator rk4 --points 9 --region region.csv --report region.html",
    "independent pendulum.toml --along --table table.csv --coefficients coefficients.csv",
    "bench --only P1 --repeat 1 --csv bench.csv --report bench.html"};

class Writing : public Program {
 protected:
  Writing() {
    write("pendulum.toml", pendulum);
    write("stone.mub", short_block);
    write("beside/notes.txt", "mine");
  }

  /// Runs a line of shell in the folder; its standard output and error come back, but for what is redirected.
  Answer shell(const std::string& line) const {
    const fs::path out = fs::temp_directory_path() / (folder.filename().string() + ".log");
    const int status =
        std::system(("cd '" + folder.string() + "' && (" + line + ") > '" + out.string() + "' 2>&1").c_str());
    const Answer a{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), ""};
    fs::remove(out);
    return a;
  }
  /// The program with a limit of the size of files [512 bytes]; what it prints goes through a pipe, which has none.
  Answer limited(const std::string& words, int blocks) const {
    return shell("{ (ulimit -f " + std::to_string(blocks) + "; '" + MUBODY_PROGRAM + "' " + words +
                 "); echo \"exit $?\"; } 2>&1 | cat");
  }
  /// All files with their contents, and all folders; but for rows of a sweep that were complete.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.path().extension() != ".part")
        all[entry.path().string()] = entry.is_regular_file() ? contents(entry.path()) : "";
    return all;
  }
};

TEST_F(Writing, of_standard_output_that_fails_is_told_by_every_verb) {
  for (const cli::Verb& verb : cli::verbs()) {
    const std::string words = "'" MUBODY_PROGRAM "' " + verb.manual.name + " --help";
    const Answer full = shell(words + " > /dev/full"), closed = shell(words + " >&-");
    EXPECT_EQ(full.code, 1) << verb.manual.name;
    EXPECT_TRUE(has(full.out, "mubody: cannot write to the standard output: No space left")) << full.out;
    EXPECT_EQ(closed.code, 1) << verb.manual.name;
    EXPECT_TRUE(has(closed.out, "cannot write to the standard output")) << closed.out;
  }
}

TEST_F(Writing, of_messages_that_fails_changes_nothing) {
  for (const char* line :
       {"check none.toml", "run pendulum.toml --out /dev/null/x", "", "compare pendulum.toml --repeat 1"}) {
    const std::string words = "'" MUBODY_PROGRAM "' " + std::string(line) + " --force > /dev/null 2> ";
    EXPECT_EQ(shell(words + "/dev/full").code, shell(words + "/dev/null").code) << line;
  }
}

TEST_F(Writing, of_answers_that_fails_is_told) {
  ASSERT_EQ(mubody({"run", "pendulum.toml", "-q"}).code, 0);
  std::vector<std::string> lines(std::begin(writers), std::end(writers));
  for (const char* line :
       {"check pendulum.toml", "check pendulum.toml --format json", "list", "list joints",
        "list --format markdown", "topology pendulum.toml", "topology pendulum.toml --format svg",
        "independent pendulum.toml", "stability --step 1e-3", "stability --table",
        "agree pendulum.out pendulum.out", "completion bash", "help run", "--help", "--version",
        "run pendulum.toml --format json", "precompute pendulum.toml --format json",
        "compare pendulum.toml --treatments projection --repeat 1 --format csv"})
    lines.emplace_back(line);
  for (const std::string& line : lines) {
    const std::string words = "'" MUBODY_PROGRAM "' " + line;
    if (shell(words + " 2> /dev/null").out.empty()) continue;  // it has nothing to say
    const Answer a = shell(words + " > /dev/full");
    EXPECT_EQ(a.code, 1) << line;
    EXPECT_TRUE(has(a.out, "cannot write to the standard output")) << line << a.out;
    EXPECT_FALSE(has(a.out, "internal error")) << a.out;
  }
  const Answer pipe = shell("{ '" MUBODY_PROGRAM "' list --format markdown; echo $? >&2; } | true");
  EXPECT_TRUE(has(pipe.out, "\n1\n") || has(pipe.out, "0\n"))
      << pipe.out;  // 0 if it was quicker than its reader
}

TEST_F(Writing, that_fails_anywhere_leaves_everything_as_it_was) {
  constexpr int most_blocks = 1 << 14;
  for (const char* line : writers) {
    ASSERT_TRUE(has(limited(line, most_blocks).out, "exit 0")) << line << limited(line, most_blocks).out;
    const auto before = everything();
    int failures = 0;
    for (int blocks = 0;; blocks = blocks == 0 ? 1 : 2 * blocks) {
      ASSERT_LE(blocks, most_blocks) << line;
      const Answer a = limited(line, blocks);
      if (has(a.out, "exit 0")) break;
      ++failures;
      EXPECT_TRUE(has(a.out, "exit 1\n") && has(a.out, "File too large")) << line << " " << blocks << a.out;
      EXPECT_EQ(everything(), before) << line << " with " << blocks << " blocks";
    }
    EXPECT_GT(failures, 0) << line;
  }
}

TEST_F(Writing, to_a_full_disk_leaves_what_was_there) {
  const std::string mount = "unshare -m sh -c 'mkdir -p disk && mount -t tmpfs -o size=1m tmpfs disk && ";
  if (shell(mount + "true'").code != 0) GTEST_SKIP() << "file systems cannot be mounted here";
  const std::string run = std::string(MUBODY_PROGRAM) + " run pendulum.toml -q -o disk/out";
  const Answer a =
      shell(mount + run + " && cat disk/out/* | md5sum && " + run +
            " --set output.step=1e-5; echo exit $? && cat disk/out/* | md5sum && ls -A disk && " + run + "'");
  EXPECT_EQ(a.code, 0) << a.out;
  EXPECT_TRUE(has(a.out, "No space left on device\nexit 1\n")) << a.out;
  EXPECT_TRUE(has(a.out, "-\nout\n")) << a.out;
  EXPECT_EQ(a.out.substr(0, 32), a.out.substr(a.out.find("exit 1\n") + 7, 32)) << a.out;
}

TEST_F(Writing, does_not_replace_what_others_wrote) {
  for (const char* line : writers) ASSERT_TRUE(has(limited(line, 1 << 14).out, "exit 0")) << line;
  for (const auto& [path, content] : everything()) {
    const bool input = path.ends_with("pendulum.toml") || path.ends_with(".mub") || path.ends_with("notes.txt");
    if (input || content.empty()) continue;
    if (path.ends_with("summary.json"))
      fs::remove(path);
    else
      std::ofstream(path) << "mine\n";
  }
  const auto before = everything();
  for (const std::string line : writers) {
    const std::string gentle = line.substr(0, line.find(" --force"));
    const Answer a = limited(gentle, 1 << 14);
    EXPECT_TRUE(has(a.out, "exit 1\n") || has(a.out, "exit 2\n")) << gentle << a.out;
    EXPECT_EQ(everything(), before) << gentle;
    if (has(line, "report beside")) continue;  // there are no results any more
    EXPECT_TRUE(has(limited(gentle + " --force", 1 << 14).out, "exit 0")) << gentle;
    EXPECT_NE(everything(), before) << gentle;
    for (const auto& [path, content] : everything())
      if (!before.contains(path)) fs::remove_all(path);
    for (const auto& [path, content] : before)
      if (fs::is_regular_file(path) || !content.empty()) std::ofstream(path) << content;
    ASSERT_EQ(everything(), before) << gentle;
  }
}

TEST_F(Writing, never_replaces_the_model) {
  for (const char* name : {"drawn.svg", "shown.html", "here/bodies.csv"}) write(name, pendulum);
  const auto before = everything();
  for (const char* words :
       {"precompute pendulum.toml -o pendulum.toml",
        "sweep pendulum.toml --vary bodies.rod.mass=1:2:4 -o pendulum.toml", "convert stone.mub ./stone.mub",
        "independent pendulum.toml --along --table pendulum.toml",
        "run pendulum.toml --report-text pendulum.toml", "run pendulum.toml -o pendulum.toml",
        "run here/bodies.csv -o here", "picture drawn.svg -o drawn.svg", "report shown.html -o shown.html"})
    for (const char* how : {"", " --force"}) {
      const Answer a = limited(words + std::string(how), 1 << 14);
      EXPECT_TRUE(has(a.out, "it is the model itself") && has(a.out, "exit 2\n")) << words << how << a.out;
      EXPECT_EQ(everything(), before) << words << how;
    }
}

TEST_F(Writing, never_replaces_other_inputs) {
  write("list.csv", "m\n1\n2\n");
  write("driven.toml",
        std::string(pendulum) +
            "[drivers]\nd = {type = \"angle\", joint = \"pin\", value = {type = \"spline\", data = "
            "\"out/bodies.csv\"}}\n");
  write("out/bodies.csv", "0 1\n1 2\n2 3\n3 4\n");
  write("positions.csv", "time[s],rod.x[m]\n0,0.5\n1,0.5\n");
  const auto before = everything();
  for (const char* words :
       {"sweep pendulum.toml --vary bodies.rod.mass=@list.csv:m -o ./list.csv",
        "run driven.toml --analysis kinematic -o out", "precompute driven.toml -o out/bodies.csv",
        "independent driven.toml --coefficients out/bodies.csv",
        "convert driven.toml out/bodies.csv --format mub"})
    for (const char* how : {"", " --force"}) {
      const Answer a = limited(words + std::string(how), 1 << 14);
      EXPECT_TRUE(has(a.out, "which would be lost; choose another name\nexit 2\n")) << words << how << a.out;
      EXPECT_EQ(everything(), before) << words << how;
    }
}

TEST_F(Writing, of_rows_needs_a_file) {
  const std::string words =
      std::string("'") + MUBODY_PROGRAM + "' sweep pendulum.toml --vary bodies.rod.mass=1:2:4";
  for (const char* stream : {"/dev/stdout", "/dev/fd/1", "/dev/null"}) {
    EXPECT_EQ(shell(words + " --force -o " + stream + " > rows.csv").code, 2) << stream;
    EXPECT_EQ(contents(folder / "rows.csv"), "") << stream;
  }
}

// New rows are collected beside the file that the link leads to.
TEST_F(Writing, of_rows_through_a_link_spares_what_lies_beside_its_end) {
  write("rows/old.csv", "mine");
  write("rows/old.csv.part", pendulum);
  fs::create_symlink("rows/old.csv", folder / "link.csv");
  const auto before = everything();
  const Answer a = limited("sweep rows/old.csv.part --vary bodies.rod.mass=1:2:4 -o link.csv --force", 1 << 14);
  EXPECT_TRUE(has(a.out, "it is the model itself") && has(a.out, "exit 2\n")) << a.out;
  EXPECT_EQ(contents(folder / "rows/old.csv.part"), pendulum);
  EXPECT_EQ(everything(), before);
}

TEST_F(Writing, to_one_place_twice_is_refused_before_anything_is_done) {
  const auto before = everything();
  for (const char* words :
       {"sweep pendulum.toml --vary bodies.rod.mass=1:2:4 -o a.html --report ./a.html",
        "precompute pendulum.toml -o c/pendulum.c --emit-c c", "precompute pendulum.toml -o c --emit-c c",
        "run pendulum.toml --report a.html --report-text beside/../a.html",
        "run pendulum.toml -o out --report-text out/bodies.csv", "run pendulum.toml -o a.html --report a.html",
        "compare pendulum.toml -o a.html --report a.html",
        "independent pendulum.toml --along --table a.csv --coefficients a.csv",
        "stability --integrator rk4 --region a.html --report a.html",
        "bench --only P1 --csv a.html --report a.html"}) {
    const Answer a = limited(std::string(words) + " --force", 1 << 14);
    EXPECT_TRUE(has(a.out, "would take the same place; give them different names\nexit 2\n")) << words << a.out;
    EXPECT_EQ(everything(), before) << words;
  }
}

TEST_F(Writing, that_fails_leaves_no_folder) {
  const auto before = everything();
  for (const char* words :
       {"precompute pendulum.toml --emit-c new/c", "report pendulum.toml -o new/deep/a.html",
        "sweep pendulum.toml --vary bodies.rod.mass=1:2:4 -o new/rows.csv", "run pendulum.toml -o new/out",
        "run pendulum.toml --report new/a.html",
        "compare pendulum.toml -o new/c --treatments projection --repeat 1"}) {
    const Answer a = limited(words, 0);
    EXPECT_TRUE(has(a.out, "exit 1\n")) << words << a.out;
    EXPECT_EQ(everything(), before) << words;
  }
}

TEST_F(Writing, ends_soon_after_a_signal_and_leaves_what_was_there) {
  const std::string run = "'" MUBODY_PROGRAM "' run pendulum.toml -q --no-estimate -o beside";
  ASSERT_EQ(shell(run).code, 0);
  const auto before = everything();
  // The folder in which results are written appears when the motion has been computed.
  const Answer a =
      shell(run +
            " -s output.step=1e-6 & run=$!; "
            "while ! ls -d beside/.mubody-* > beside.log 2>&1 && kill -0 $run; do sleep 0.02; done; "
            "rm beside.log; kill -TERM $run; wait $run; echo exit $?");
  EXPECT_TRUE(has(a.out,
                  "interrupted while files were being written; what was there before is as it was\n"
                  "exit 143\n"))
      << a.out;
  EXPECT_EQ(everything(), before);
}

TEST_F(Writing, of_a_sweep_with_too_many_threads_leaves_nothing) {
  const auto before = everything();
  const Answer a =
      shell("ulimit -v 4000000; '" MUBODY_PROGRAM
            "' sweep pendulum.toml -q -o new/r.csv --vary bodies.rod.mass=1:2:50000 --threads 50000");
  EXPECT_EQ(a.code, 1) << a.out;
  EXPECT_TRUE(has(a.out, "or ask for fewer, as in --threads")) << a.out;
  EXPECT_EQ(everything(), before);
}

TEST_F(Writing, makes_the_folders_of_all_files) {
  for (const char* words :
       {"run pendulum.toml -q -o made/out --report-text made/text/a.txt", "picture pendulum.toml -o made/deep/x.svg",
        "independent pendulum.toml --table made/i/t.csv", "convert pendulum.toml made/c/p.mub",
        "precompute pendulum.toml -q -o made/p/p.rt"}) {
    const Answer a = shell(std::string("'" MUBODY_PROGRAM "' ") + words);
    EXPECT_EQ(a.code, 0) << words << a.out;
  }
  for (const char* file : {"made/text/a.txt", "made/deep/x.svg", "made/i/t.csv", "made/c/p.mub", "made/p/p.rt"})
    EXPECT_TRUE(fs::exists(folder / file)) << file;
}

TEST_F(Writing, into_the_current_folder_leaves_the_model) {
  write("summary.json", R"({"program":"mubody","files":[{"name":"pendulum.toml"}]})");
  EXPECT_EQ(mubody({"run", "pendulum.toml", "-q", "-o", "."}).code, 0);
  EXPECT_EQ(contents(folder / "pendulum.toml"), pendulum);
  EXPECT_TRUE(fs::exists(folder / "bodies.csv"));
  EXPECT_EQ(mubody({"run", "pendulum.toml", "-q", "-o", "."}).code, 0);
}

TEST_F(Writing, of_two_runs_at_once_leaves_the_results_of_one) {
  const std::string run = "'" MUBODY_PROGRAM "' run pendulum.toml -q -o same --set analysis.end=";
  const Answer a = shell("for k in 1 2 3 4 5; do " + run + "0.2 & " + run + "0.3 & done; wait");
  EXPECT_EQ(a.out, "");
  const std::string last = contents(folder / "same/bodies.csv");
  EXPECT_EQ(std::ranges::count(last, '\n'),
            has(contents(folder / "same/summary.json"), "analysis.end=0.3") ? 8 : 6);
  for (const std::string& name : names_in(folder)) EXPECT_FALSE(has(name, ".mubody-")) << name;
}

TEST_F(Writing, of_a_sweep_by_force_keeps_old_rows_until_the_end) {
  const std::vector<std::string> first{"sweep", "pendulum.toml", "-q", "--vary", "bodies.rod.mass=1:2:4",
                                       "-o",    "r.csv"};
  ASSERT_EQ(mubody(first).code, 0);
  const std::string old = contents(folder / "r.csv");
  const Answer refused = mubody(first);
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "--force replaces it")) << refused.err;
  const std::vector<std::string> second{"sweep",
                                        "pendulum.toml",
                                        "-q",
                                        "--vary",
                                        "bodies.rod.mass=1:2:40",
                                        "-o",
                                        "r.csv",
                                        "--force",
                                        "-j",
                                        "1",
                                        "-s",
                                        "analysis.max_step=1e-5",
                                        "--lanes",
                                        "0"};
  EXPECT_EQ(mubody(second, 0.5, SIGKILL).code, -SIGKILL);
  EXPECT_EQ(contents(folder / "r.csv"), old);
  std::vector<std::string> third = first;
  third.emplace_back("--force");
  EXPECT_EQ(mubody(third).code, 0);
  EXPECT_EQ(contents(folder / "r.csv").size(), old.size());
  EXPECT_FALSE(fs::exists(folder / "r.csv.part"));
}

TEST_F(Writing, of_a_report_replaces_that_of_a_comparison) {
  ASSERT_EQ(mubody({"compare", "pendulum.toml", "-q", "-o", "out", "--treatments", "projection", "--repeat",
                    "1", "--report"})
                .code,
            0);
  const std::string page = contents(folder / "out/report.html");
  EXPECT_EQ(mubody({"run", "pendulum.toml", "-q", "-o", "out"}).code, 0);
  EXPECT_EQ(contents(folder / "out/report.html"), page) << "a run that writes none leaves it";
  const Answer a = mubody({"run", "pendulum.toml", "-q", "-o", "out", "--report"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(contents(folder / "out/report.html"), page);
  EXPECT_TRUE(fs::exists(folder / "out/comparison.csv"));
  EXPECT_EQ(mubody({"run", "pendulum.toml", "-q", "-o", "out"}).code, 0);
  EXPECT_FALSE(fs::exists(folder / "out/report.html")) << "that of an earlier run is removed";
}

TEST_F(Writing, to_a_link_that_leads_nowhere_is_refused_before_the_run) {
  fs::create_symlink("nowhere", folder / "link");
  fs::create_symlink("nowhere.html", folder / "link.html");
  for (const char* words : {"run pendulum.toml -o link", "run pendulum.toml --report link.html",
                            "sweep pendulum.toml --vary bodies.rod.mass=1:2:4 -o link --force"}) {
    const Answer a = limited(words, 1 << 14);
    EXPECT_TRUE(has(a.out, "that is not there") && has(a.out, "exit 1\n")) << words << a.out;
  }
}

TEST_F(Writing, of_a_sweep_by_force_leaves_a_file_that_another_sweep_writes_to) {
  const std::string sweep =
      "'" MUBODY_PROGRAM "' sweep pendulum.toml -q -o r.csv -j 1 --vary bodies.rod.mass=1:2:";
  // The first one is stopped as soon as it has a row.
  const Answer a = shell(sweep +
                         "400 --lanes 0 -s analysis.max_step=1e-5 & first=$!; "
                         "while [ $(cat r.csv 2>/dev/null | wc -l) -lt 3 ]; do sleep 0.05; done; " +
                         sweep + "4 --force; echo exit $?; kill $first; wait $first");
  EXPECT_TRUE(has(a.out, "another sweep is writing to it\nexit 1\n")) << a.out;
  EXPECT_TRUE(has(contents(folder / "r.csv"), "400 points")) << a.out;
  EXPECT_FALSE(fs::exists(folder / "r.csv.part"));
}
}  // namespace
}  // namespace mubody::testing
