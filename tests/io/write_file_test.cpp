// Files and folders that appear as a whole, and what killed programs leave.
#include "mubody/text/write_file.h"

#include <fcntl.h>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "mubody/reading/real_time_file.h"
#include "mubody/text/checksum.h"
#include "mubody/text/target.h"
#include "mubody/writing/read_results.h"
#include "mubody/writing/whole_folder.h"
#include "mubody/writing/write_results.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

std::string read_whole(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class WriteFile : public ::testing::Test {
 protected:
  WriteFile() {
    std::string name = (fs::temp_directory_path() / "mubody-test-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~WriteFile() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void put(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  std::set<std::string> names(const fs::path& where = "") const {
    std::set<std::string> all;
    for (const auto& entry : fs::directory_iterator(folder / where))
      all.insert(entry.path().filename().string());
    return all;
  }
  /// The reason why a file cannot be written.
  static std::string why_not(const fs::path& file) {
    try {
      io::write_file(file, "new");
    } catch (const io::WriteError& e) {
      return e.why;
    }
    return "";
  }

  fs::path folder;
};

Results one_table(double value) {
  Results r;
  r.model = "one";
  r.tables.push_back({"bodies", {{"time", "s"}, {"crank.x", "m"}}, {0, value}});
  return r;
}

TEST_F(WriteFile, replaces_the_whole_and_keeps_the_permissions) {
  put("a.txt", "old");
  fs::permissions(folder / "a.txt", fs::perms(0640));
  io::write_file(folder / "a.txt", "new");
  EXPECT_EQ(read_whole(folder / "a.txt"), "new");
  EXPECT_EQ(fs::status(folder / "a.txt").permissions(), fs::perms(0640));
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
}

TEST_F(WriteFile, changes_nothing_until_it_is_complete) {
  put("a.txt", "old");
  {
    io::NewFile file(folder / "a.txt");
    file.buffer().push_back('x');
    file.finish();
    EXPECT_EQ(read_whole(folder / "a.txt"), "old");
  }
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
  const io::FileText two[] = {{folder / "b.txt", "b"}, {folder / "a.txt/c.txt", "c"}};
  EXPECT_THROW(io::write_files(two), io::WriteError);
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
}

TEST_F(WriteFile, says_what_cannot_be_written) {
  fs::create_directory(folder / "taken");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_symlink("nowhere", folder / "link");
  EXPECT_EQ(why_not(folder / "taken"), "it is a folder");
  EXPECT_EQ(why_not(folder / "pipe"), "it is a pipe; expected a file");
  EXPECT_EQ(why_not("/dev/full"), "it is a device or a socket; expected a file");
  EXPECT_EQ(why_not(folder / "link"), "it is a link to a file that is not there");
  EXPECT_EQ(why_not(folder / std::string(300, 'x')), "File name too long");
  EXPECT_EQ(why_not(folder / std::string(255, 'x')), "");
  EXPECT_EQ(why_not("/dev/null"), "");
}

TEST_F(WriteFile, follows_a_link_and_leaves_it) {
  put("real.txt", "old");
  fs::create_symlink("real.txt", folder / "link.txt");
  io::write_file(folder / "link.txt", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link.txt"));
  EXPECT_EQ(read_whole(folder / "real.txt"), "new");
}

TEST_F(WriteFile, removes_what_killed_programs_left) {
  const std::string half = io::temporary_name("a.txt"), busy = io::temporary_name("b.txt"),
                    pipe = io::temporary_name("d"), link = io::temporary_name("e");
  put(half, "half");
  put(busy, "someone is writing to it");
  ASSERT_EQ(mkfifo((folder / pipe).c_str(), 0600), 0);
  fs::create_symlink("precious", folder / link);
  put("precious", "mine");
  const int writer = ::open((folder / busy).c_str(), O_RDWR);
  ASSERT_EQ(::flock(writer, LOCK_EX), 0);
  io::write_file(folder / "x.txt", "new");
  ::close(writer);
  EXPECT_EQ(names(), (std::set<std::string>{busy, pipe, link, "precious", "x.txt"}));
}

TEST_F(WriteFile, leaves_files_of_the_user_that_are_called_alike) {
  std::string changed = io::temporary_name("a.txt");
  changed[1] = 'b';
  const std::set<std::string> mine{
      ".mubody-abc123", ".a.txt.mubody-abc123", ".mubody-abcdefghijkl", ".a.mubody-000000000000", changed,
      ".mubody-"};
  for (const std::string& name : mine) put(name, "mine");
  put(".mubody-folder/bodies.csv", "mine");
  put("out/.mubody-abc123/bodies.csv", "mine");
  io::write_file(folder / "x.txt", "new");
  io::write_results(one_table(1), folder / "out");
  for (const std::string& name : mine) EXPECT_EQ(read_whole(folder / name), "mine") << name;
  EXPECT_EQ(read_whole(folder / ".mubody-folder/bodies.csv"), "mine");
  EXPECT_EQ(read_whole(folder / "out/.mubody-abc123/bodies.csv"), "mine");
}

TEST_F(WriteFile, removes_only_folders_with_nothing_but_tables) {
  const std::string half = io::temporary_name("out"), with_mine = io::temporary_name("out"),
                    deep = io::temporary_name("out"), inside = io::temporary_name(""),
                    link = io::temporary_name("out");
  put(half + "/bodies.csv", "half");
  put(with_mine + "/bodies.csv", "half");
  put(with_mine + "/mine.txt", "mine");
  put(deep + "/deeper/bodies.csv", "mine");
  put("out/" + inside + "/summary.json", "half");
  put("elsewhere/bodies.csv", "mine");
  fs::create_directory_symlink("elsewhere", folder / link);
  io::write_results(one_table(1), folder / "out");
  EXPECT_EQ(names(), (std::set<std::string>{with_mine, deep, link, "elsewhere", "out"}));
  EXPECT_EQ(names(with_mine), (std::set<std::string>{"bodies.csv", "mine.txt"}));
  EXPECT_EQ(names("elsewhere"), std::set<std::string>{"bodies.csv"});
  EXPECT_EQ(names("out"), (std::set<std::string>{"bodies.csv", "summary.json"}));
}

TEST_F(WriteFile, a_folder_of_results_is_replaced_as_a_whole) {
  struct stat before {
  }, after{};
  io::write_results(one_table(1), folder / "out");
  fs::permissions(folder / "out", fs::perms(0750));
  ASSERT_EQ(::stat((folder / "out").c_str(), &before), 0);
  io::write_results(one_table(2), folder / "out");
  ASSERT_EQ(::stat((folder / "out").c_str(), &after), 0);
  EXPECT_NE(before.st_ino, after.st_ino) << "another folder took its place";
  EXPECT_EQ(after.st_mode & 07777, 0750U);
  EXPECT_EQ(read_whole(folder / "out/bodies.csv"), "time[s],crank.x[m]\n0,2\n");
  EXPECT_EQ(names(), std::set<std::string>{"out"});
}

TEST_F(WriteFile, beside_files_of_the_user_results_are_moved_in) {
  io::write_results(one_table(1), folder / "out");
  put("out/notes.txt", "mine");
  Results other = one_table(2);
  other.tables[0].name = "points";
  io::write_results(other, folder / "out");
  EXPECT_EQ(names("out"), (std::set<std::string>{"notes.txt", "points.csv", "summary.json"}));
  fs::create_directory_symlink("out", folder / "link");
  io::write_results(one_table(3), folder / "link/");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(names("out"), (std::set<std::string>{"bodies.csv", "notes.txt", "summary.json"}));
}

TEST_F(WriteFile, a_run_that_was_killed_while_it_moved_files_in_is_no_obstacle) {
  put("out/notes.txt", "mine");
  put("out/bodies.csv", "of the killed run");
  put("out/summary.json", R"({"program": "mubody", "outcome": {"word": "unfinished"}, "files": [)"
                          R"({"name": "bodies.csv", "content": "of the run before"}, )"
                          R"({"name": "bodies.csv", "content": ")" +
                              io::content_mark(folder / "out/bodies.csv").value() + "\"}]}");
  EXPECT_THROW(io::read_results(folder / "out"), ModelError);
  io::check_folder(folder / "out");
  io::write_results(one_table(1), folder / "out");
  EXPECT_EQ(read_whole(folder / "out/bodies.csv"), "time[s],crank.x[m]\n0,1\n");
}

TEST_F(WriteFile, no_summary_can_have_other_files_removed) {
  put("out/model.toml", "mine");
  put("out/forces.csv", "mine");
  const std::string mark = io::content_mark(folder / "out/forces.csv").value();
  put("out/summary.json", R"({"program":"mubody","files":[{"name":"model.toml","content":")" + mark +
                              R"("},{"name":"forces.csv"},{"name":"forces.csv","content":"4 bytes, 0"}]})");
  EXPECT_THROW(io::check_folder(folder / "out"), io::WriteError);
  io::write_results(one_table(1), folder / "out");
  EXPECT_EQ(names("out"), (std::set<std::string>{"bodies.csv", "forces.csv", "model.toml", "summary.json"}));
  for (const char* file : {"out/model.toml", "out/forces.csv"}) EXPECT_EQ(read_whole(folder / file), "mine");
}

TEST_F(WriteFile, marks_of_earlier_versions_are_known) {
  put("table.csv", "mine");
  const std::string old = fmt::format("4 bytes, {:016x}", io::checksum("mine"));
  EXPECT_TRUE(io::has_content(folder / "table.csv", io::files::results, std::vector{old}));
  put("table.csv", "mind");
  EXPECT_FALSE(io::has_content(folder / "table.csv", io::files::results, std::vector{old}));
}

TEST_F(WriteFile, every_byte_counts_in_a_fast_checksum) {
  for (const std::size_t size : {0, 1, 31, 32, 33, 100}) {
    std::string text(size, 'a');
    const std::uint64_t own = io::wide_checksum(text);
    for (char& c : text) {
      c = 'b';
      EXPECT_NE(io::wide_checksum(text), own);
      c = 'a';
    }
    EXPECT_NE(io::wide_checksum(text + 'a'), own);
    EXPECT_EQ(io::wide_checksum(text), own);
  }
}

TEST_F(WriteFile, a_file_is_read_once_however_many_marks_it_has) {
  put("table.csv", "mine");
  const std::string own = io::content_mark(folder / "table.csv").value();
  int asked = 0;
  const auto has = [&](const std::vector<std::string>& marks) {
    return io::has_content(folder / "table.csv", io::files::results, marks, [&] { return ++asked > 0; });
  };
  std::vector<std::string> many(1000, "4 bytes, 0123456789abcdef");
  EXPECT_FALSE(has(many));
  EXPECT_EQ(asked, 1);
  many.push_back(own);
  EXPECT_TRUE(has(many));
  EXPECT_EQ(asked, 2);
  EXPECT_FALSE(has({"4 bytes, ", "4 bytes, 0", own + "0", "5 bytes, 0123456789abcdef"}));
  EXPECT_EQ(asked, 2) << "no mark can be that of the file";
  EXPECT_THROW(io::content_mark(folder / "table.csv", [] { return false; }), io::WritingStopped);
  fs::resize_file(folder / "table.csv", 2'000'000'000);  // takes no room on the disk
  EXPECT_FALSE(has({"2000000000 bytes, 0123456789abcdef"}));
  EXPECT_EQ(asked, 2) << "no table is that large";
}

TEST_F(WriteFile, a_table_that_the_user_has_changed_is_his) {
  io::write_results(one_table(1), folder / "out");
  for (const char* mine : {"time[s],crank.x[m]\n0,9\n", "mine", ""}) {
    put("out/bodies.csv", mine);
    EXPECT_THROW(io::check_folder(folder / "out"), io::WriteError);
    EXPECT_THROW(io::write_results(one_table(2), folder / "out"), io::WriteError);
    EXPECT_EQ(read_whole(folder / "out/bodies.csv"), mine);
  }
  io::write_results(one_table(2), folder / "out", {}, {"", {.force = true}});
  EXPECT_EQ(read_whole(folder / "out/bodies.csv"), "time[s],crank.x[m]\n0,2\n");
  EXPECT_NO_THROW(io::check_folder(folder / "out"));
}

TEST_F(WriteFile, that_is_stopped_leaves_what_was_there) {
  put("a.txt", "old");
  const io::GoesOn stop = [] { return false; };
  EXPECT_THROW(io::write_file(folder / "a.txt", "new", stop), io::WritingStopped);
  EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
  EXPECT_EQ(read_whole(folder / "a.txt"), "old");
  io::write_results(one_table(1), folder / "out");
  Results large = one_table(2);
  large.tables[0].values.resize(2 << 20, 0.125);
  int asked = 0;
  const io::GoesOn a_while = [&] { return ++asked < 3; };
  EXPECT_THROW(io::write_results(large, folder / "out", {}, {"", {}, a_while}), io::WritingStopped);
  EXPECT_EQ(asked, 3) << "in the midst of a table";
  EXPECT_EQ(names(), (std::set<std::string>{"a.txt", "out"}));
  EXPECT_EQ(read_whole(folder / "out/bodies.csv"), "time[s],crank.x[m]\n0,1\n");
}

TEST_F(WriteFile, files_of_a_command_are_apart_whatever_they_are_called) {
  put("data.csv", "mine");
  fs::create_symlink("data.csv", folder / "link.csv");
  fs::create_hard_link(folder / "data.csv", folder / "twin.csv");
  fs::create_directory_symlink(".", folder / "here");
  const auto apart = [&](const std::vector<std::string>& outputs, const std::string& into = "") {
    io::CommandFiles all{.inputs = {{"the data", folder / "data.csv"}}};
    for (const std::string& name : outputs) all.outputs.push_back({"output " + name, folder / name});
    if (!into.empty()) all.folders.push_back({"the folder", folder / into});
    try {
      io::check_apart(all);
    } catch (const io::WriteError&) {
      return false;
    }
    return true;
  };
  for (const char* input : {"data.csv", "./data.csv", "link.csv", "twin.csv", "here/data.csv"})
    EXPECT_FALSE(apart({input})) << input;
  EXPECT_TRUE(apart({"a", "b", "out/a", "out/b"}, "out/"));
  for (const char* again : {"./a", "here/a", "no/../a", "a/inside"}) EXPECT_FALSE(apart({"a", again})) << again;
  EXPECT_FALSE(apart({"out"}, "out/"));
  EXPECT_FALSE(apart({"out"}, "out/deeper"));
  EXPECT_NO_THROW(io::check_apart({.outputs = {{"one", "/dev/null"}, {"other", "/dev/null"}}}));
  EXPECT_NO_THROW(io::check_apart({.together = {{"both", {folder / "data.csv", folder / "twin.csv"}}}}));
  EXPECT_THROW(io::check_apart({.outputs = {{"one", folder / "a"}, {"one", folder / "a"}}}), io::WriteError);
}

TEST_F(WriteFile, links_of_strangers_lead_no_output_elsewhere) {
  fs::create_directories(folder / "in/inner");
  fs::create_directories(folder / "elsewhere");
  fs::create_directory_symlink("../elsewhere", folder / "in/away");
  fs::create_directory_symlink("inner", folder / "in/near");
  fs::create_directory_symlink("in", folder / "link");
  const auto may = [&](const char* name) {
    try {
      io::check_apart({.outputs = {{"output", folder / name}}, .stranger = folder / "in"});
    } catch (const io::WriteError&) {
      return false;
    }
    return true;
  };
  for (const char* name : {"in/a.csv", "in/near/a.csv", "in/new/a.csv", "elsewhere/a.csv", "link/a.csv"})
    EXPECT_TRUE(may(name)) << name;
  for (const char* name : {"in/away", "in/away/", "in/away/a.csv", "in/inner/../away/a.csv", "in/near",
                           "link/.", "link/./", "in/away/."})
    EXPECT_FALSE(may(name)) << name;
}

TEST_F(WriteFile, folders_that_stay_empty_are_removed_again) {
  {
    const io::NewFolders none(folder / "a/b/c"), kept(folder / "d/e");
    put("d/file", "mine");
  }
  EXPECT_EQ(names(), std::set<std::string>{"d"});
  EXPECT_EQ(names("d"), std::set<std::string>{"file"});
  EXPECT_THROW(io::NewFolders(folder / "d/file/g"), io::WriteError);
}

TEST_F(WriteFile, force_replaces_files_of_others) {
  put("mine.html", "mine");
  put("page.html", "<head><meta name=\"generator\" content=\"mubody\">");
  put("empty.html", "");
  const auto may = [&](const char* name, const io::Replacing& how) {
    try {
      io::check_target(folder / name, io::page_kind, how);
    } catch (const io::WriteError&) {
      return false;
    }
    return true;
  };
  EXPECT_FALSE(may("mine.html", {}));
  EXPECT_TRUE(may("mine.html", {.force = true}));
  EXPECT_TRUE(may("page.html", {}));
  EXPECT_TRUE(may("empty.html", {}));
  EXPECT_TRUE(may("new.html", {}));
  put("out/bodies.csv", "mine");
  EXPECT_THROW(io::check_folder(folder / "out"), io::WriteError);
  EXPECT_NO_THROW(io::check_folder(folder / "out", {.force = true}));
}

TEST_F(WriteFile, refuses_links_to_nowhere_before_the_run) {
  fs::create_symlink("nowhere", folder / "link");
  EXPECT_THROW(io::check_target(folder / "link", io::page_kind, {.force = true}), io::WriteError);
  EXPECT_THROW(io::check_target(folder / "link/page.html", io::page_kind, {}), io::WriteError);
  EXPECT_THROW(io::check_folder(folder / "link"), io::WriteError);
  EXPECT_NO_THROW(io::check_folder(folder / "new/deeper"));
}

TEST_F(WriteFile, takes_the_name_of_a_folder_as_it_is) {
  fs::create_directories(folder / "far/inner");
  fs::create_directory_symlink("far/inner", folder / "link");
  for (const char* name : {"link/../out", "link/../out/", "link/../out/./"}) {
    io::check_folder(folder / name);
    io::write_results(one_table(1), folder / name);
    EXPECT_EQ(names(), (std::set<std::string>{"far", "link"})) << name;
    EXPECT_EQ(names("far"), (std::set<std::string>{"inner", "out"})) << name;
  }
  io::write_results(one_table(1), folder / "far/inner/..");
  EXPECT_EQ(names("far"), (std::set<std::string>{"bodies.csv", "inner", "out", "summary.json"}));
}

TEST_F(WriteFile, a_page_replaces_any_page_and_its_lack_removes_those_of_runs) {
  const std::string other = std::string(io::page_mark) + io::page_kind_mark("compare"),
                    of_run = std::string(io::page_mark) + io::page_kind_mark("run");
  put("out/report.html", other);
  io::check_folder(folder / "out", {}, true);
  EXPECT_FALSE(io::write_results(one_table(1), folder / "out").removed_page);
  EXPECT_EQ(read_whole(folder / "out/report.html"), other) << "it belongs to no run";
  EXPECT_FALSE(io::write_results(one_table(1), folder / "out", {}, {of_run, {}}).removed_page);
  EXPECT_EQ(read_whole(folder / "out/report.html"), of_run);
  EXPECT_TRUE(io::write_results(one_table(1), folder / "out").removed_page);
  EXPECT_FALSE(fs::exists(folder / "out/report.html"));
  put("out/report.html", "mine");
  EXPECT_NO_THROW(io::check_folder(folder / "out"));
  EXPECT_THROW(io::check_folder(folder / "out", {}, true), io::WriteError);
}

TEST_F(WriteFile, results_that_cannot_be_put_in_place_stay_beside) {
  put("out/bodies.csv", "mine");
  std::string why;
  try {
    io::write_results(one_table(1), folder / "out");
  } catch (const io::WriteError& e) {
    why = e.why;
  }
  EXPECT_EQ(read_whole(folder / "out/bodies.csv"), "mine");
  const std::size_t quote = why.find('\'');
  ASSERT_NE(quote, why.npos) << why;
  const fs::path kept = why.substr(quote + 1, why.size() - quote - 2);
  EXPECT_EQ(read_whole(kept / "bodies.csv"), "time[s],crank.x[m]\n0,1\n") << why;
  io::write_results(one_table(2), folder / "new");
  io::write_results(one_table(2), folder / "out", {}, {"", {.force = true}});
  EXPECT_TRUE(fs::exists(kept / "bodies.csv")) << "it is no left-over";
}

TEST_F(WriteFile, a_file_of_another_that_appears_in_the_last_moment_is_kept) {
  put("out/a.csv", "old");
  bool watched = false;
  const io::FolderKind kind{.known =
                                [&](std::string_view) {
                                  if (watched) put("out/b.csv", "of another");
                                  return true;
                                },
                            .ours = [](const fs::path&) { return io::FileNames{"a.csv"}; },
                            .head = "a.csv",
                            .stand_in = {}};
  {
    io::WholeFolder whole(folder / "out", kind);
    for (const char* name : {"a.csv", "b.csv"}) io::write_file(whole.workshop() / name, "new");
    watched = true;
    whole.put_in_place({});
    watched = false;
  }
  EXPECT_EQ(read_whole(folder / "out/a.csv"), "new");
  EXPECT_EQ(read_whole(folder / "out/b.csv"), "new");
  std::string kept;
  for (const std::string& name : names())
    if (name != "out") kept = name;
  EXPECT_TRUE(kept.starts_with("out.mubody-")) << kept;
  EXPECT_EQ(read_whole(folder / kept / "b.csv"), "of another");
}

TEST(RealTimeFile, has_no_text_longer_than_a_model_may_be) {
  // No name, no name of a file, and the text.
  constexpr std::uint64_t size = 64'000'001;
  std::string bytes(16, '\0');
  for (int k = 0; k < 8; ++k) bytes += char(size >> (8 * k) & 0xff);
  bytes.append(size, ' ');
  std::string why;
  try {
    io::real_time_from(io::with_checksum(bytes), "a.rt");
  } catch (const ModelError& e) {
    why = e.what();
  }
  EXPECT_NE(why.find("a text that is too long"), why.npos) << why;
}

TEST_F(WriteFile, lists_with_too_many_cells_are_refused_where_they_begin) {
  io::write_results(one_table(1), folder / "out");
  const auto fault = [&](const std::string& text) -> std::string {
    put("out/events.csv", text);
    try {
      io::read_results(folder / "out");
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_TRUE(
      fault("time[s],kind,what\n" + std::string(1 << 20, ',')).ends_with("more than 3 cells, expected 3"));
  EXPECT_TRUE(fault("time[s],kind,what\n" + std::string(1 << 20, '\n')).ends_with(":2: 1 cells, expected 3"));
  EXPECT_TRUE(fault(std::string(1 << 20, ',')).ends_with("more than 3 cells, expected 3"));
  EXPECT_EQ(fault("time[s],kind,what\n"), "");
}
}  // namespace
}  // namespace mubody::testing
