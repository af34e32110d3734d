// Models that are made of other files.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/text/node.h"
#include "mubody/text/stars.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

class Include : public ::testing::Test {
 protected:
  Include() {
    std::string name = (fs::temp_directory_path() / "mubody-include-XXXXXX").string();
    folder = mkdtemp(name.data());
    write("model.toml",
          "gravity = [0, -9.81]\n[parameters]\nL = 2\nm = '= L/2'\n[bodies]\n"
          "a = {mass = '= m', inertia = 1, position = [1, 0]}\nb = {mass = 2, inertia = 1, position = [3, "
          "0]}\n[joints]\n"
          "A = {type = 'revolute', bodies = ['ground', 'a'], at = [0, 0]}\n"
          "B = {type = 'revolute', bodies = ['a', 'b'], at = [2, 0], damping = 3}\n"
          "[forces]\npull = {type = 'spring', bodies = ['ground', 'b'], i = [0, 5], stiffness = 10}\n");
  }
  ~Include() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  }
  std::string message_of(const std::string& text, bool untrusted = false) const {
    const std::string path = write("in/other.toml", text);
    try {
      io::read_study(path, io::Settings({}, untrusted));
    } catch (const ModelError& e) {
      return std::string(e.what()).substr(folder.string().size() + 1);
    }
    return "accepted";
  }
  fs::path folder;
};

TEST_F(Include, changes_keys_of_elements_and_adds_others) {
  const std::string path = write("other.toml",
                                 "include = 'model.toml'\nname = 'other'\nparameters.L = 6\nbodies.b.mass = 5\n"
                                 "bodies.c = {mass = 7, inertia = 1}\n");
  io::DataFiles read;
  const Study s = io::read_study(path, {"bodies.c.mass=8"}, &read);
  ASSERT_EQ(s.mechanism.bodies.size(), 3u);
  EXPECT_EQ(s.mechanism.name, "other");
  EXPECT_EQ(s.mechanism.bodies[0].mass, 3);  // formulas are evaluated in the whole
  EXPECT_EQ(s.mechanism.bodies[1].mass, 5);
  EXPECT_EQ(s.mechanism.bodies[2].mass, 8);  // what is new comes last, and --set counts
  EXPECT_EQ(read, io::DataFiles{folder / "model.toml"});
  EXPECT_EQ(s.with("L", 10).mechanism.bodies[0].mass, 5);
}

TEST_F(Include, another_type_takes_the_place_of_an_element) {
  const Study s = io::read_study(
      write("other.toml", "include = 'model.toml'\n[joints]\nB = {type = 'fixed', bodies = ['a', 'b']}\n"));
  ASSERT_EQ(s.mechanism.joints.size(), 2u);
  EXPECT_EQ(s.mechanism.joints[1].name, "B");
}

TEST_F(Include, leaves_out_and_takes_several_in_their_order) {
  write("one.toml", "include = {file = 'model.toml', without = ['forces', 'joints.B*', 'bodies.b']}\n");
  write("two.toml", "bodies.c = {mass = 1}\nbodies.a.mass = 4\n");
  const Study s =
      io::read_study(write("other.toml", "bodies.d = {mass = 1}\ninclude = ['one.toml', 'two.toml']\n"));
  ASSERT_EQ(s.mechanism.bodies.size(), 3u);
  EXPECT_EQ(s.mechanism.bodies[0].mass, 4);
  EXPECT_EQ(s.mechanism.bodies[1].name, "c");
  EXPECT_EQ(s.mechanism.bodies[2].name, "d");
  EXPECT_EQ(s.mechanism.joints.size(), 1u);
  EXPECT_TRUE(s.mechanism.forces.empty());
}

TEST_F(Include, which_file_may_be_set) {
  write("heavy.toml", "include = 'model.toml'\nbodies.a.mass = 9\n");
  const std::string path = write("other.toml", "include = {file = 'model.toml', without = ['forces']}\n");
  EXPECT_EQ(io::read_study(path, {"include.file=heavy.toml"}).mechanism.bodies[0].mass, 9);
  EXPECT_EQ(io::read_study(path, {"bodies.b.mass=3", "include=heavy.toml"}).mechanism.forces.size(),
            2u);  // the damper of B is one
}

TEST_F(Include, says_what_is_wrong_and_in_which_file) {
  EXPECT_EQ(message_of("include = 3\n"),
            "in/other.toml:1:11: include: expected the name of a file, or {file = \"...\", without = [...]}, "
            "got a number");
  EXPECT_EQ(message_of("include = {file = '../model.toml', witout = []}\n"),
            "in/other.toml:1:36: include: unknown key 'witout'; did you mean 'without'?");
  EXPECT_EQ(message_of("include = {file = '../model.toml', without = ['joints.X*']}\n"),
            "in/other.toml:1:47: include: without: 'joints.X*' is not in '../model.toml'; expected section and "
            "name, as in "
            "\"joints.rear_*\"");
  EXPECT_EQ(message_of("\ninclude = 'other.toml'\n"),
            "in/other.toml:2:11: include: 'other.toml' includes itself, perhaps through other files");
  EXPECT_TRUE(message_of("include = 'none.toml'\n")
                  .starts_with("in/other.toml:1:11: include: 'none.toml': no such file; it is looked for in"));
  EXPECT_TRUE(message_of("include = '../model.toml'\nbodies.a.mas = 3\n").starts_with("in/other.toml:2:10: "));
  write("wrong.toml", "\n\nbodies.a = {mas = 3}\n");
  EXPECT_NE(message_of("include = ['../model.toml', '../wrong.toml']\n").find("wrong.toml:3:13: "),
            std::string::npos);
  EXPECT_EQ(message_of("include = '../model.toml'\n", true),
            "in/other.toml:1:11: include: '../model.toml' lies outside of the folder of the model, which "
            "--untrusted does not "
            "allow");
}

// Files that include each other twice would be read without end.
TEST_F(Include, counts_files) {
  for (int k = 0; k < 12; ++k) {
    const std::string next = k < 11 ? std::to_string(k + 1) : "end";
    write("in/" + std::to_string(k) + ".toml", "include = ['" + next + ".toml', '" + next + ".toml']\n");
  }
  write("in/end.toml", "name = 'end'\n");
  EXPECT_NE(message_of("include = '0.toml'\n").find("more than 100 files are included"), std::string::npos);
}

TEST(stars, stand_for_any_characters) {
  for (const char* pattern : {"*", "a*", "*c", "a*c", "abc", "*a*b*c*", "**"})
    EXPECT_TRUE(io::fits("abc", pattern)) << pattern;
  for (const char* pattern : {"", "b*", "*b", "ab", "abcd", "a*d", "*c*b"})
    EXPECT_FALSE(io::fits("abc", pattern)) << pattern;
  EXPECT_TRUE(io::fits("", ""));
  EXPECT_TRUE(io::fits("", "*"));
  EXPECT_FALSE(io::fits(std::string(10000, 'a'), "*a*a*a*a*a*a*a*a*a*a*b"));
}
}  // namespace
}  // namespace mubody::testing
