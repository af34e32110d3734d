// Files that no honest program writes.
#include <filesystem>
#include <fstream>
#include <random>
#include <unistd.h>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "mubody/reading/read_model.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/json.h"
#include "mubody/text/text_file.h"
#include "mubody/text/toml.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/read_results.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

/// A folder that is removed in the end.
class Strangers : public ::testing::Test {
 protected:
  Strangers() {
    std::string name = (fs::temp_directory_path() / "mubody-strangers-XXXXXX").string();
    folder = mkdtemp(name.data());
  }
  ~Strangers() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
    return (folder / name).string();
  }
  template <class Work> static std::string message_of(const Work& work) {
    try {
      work();
    } catch (const std::runtime_error& e) {
      return e.what();
    }
    return "accepted";
  }
  /// A model whose driver follows a data file.
  std::string driven_by(const std::string& data) const {
    return write("in/model.toml",
                 "bodies.a = {mass = 1}\n"
                 "drivers.d = {type = 'coordinate', body = 'a', coordinate = 'x', "
                 "value = {type = 'spline', data = '" +
                     data + "'}}\n");
  }

  fs::path folder;
};

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST_F(Strangers, pipes_and_devices_are_not_read) {
  ASSERT_EQ(mkfifo((folder / "pipe.toml").c_str(), 0600), 0);
  for (const std::string& path : {(folder / "pipe.toml").string(), std::string("/dev/zero")})
    EXPECT_TRUE(mentions(message_of([&] { io::read_study(path); }), "is no regular file")) << path;
  EXPECT_FALSE(io::beginning_of(folder / "pipe.toml"));
}

TEST_F(Strangers, data_may_not_be_a_pipe) {
  const std::string model = driven_by("pipe.csv");
  ASSERT_EQ(mkfifo((folder / "in/pipe.csv").c_str(), 0600), 0);
  EXPECT_TRUE(mentions(message_of([&] { io::read_study(model); }), "pipe.csv: is no regular file"));
}

TEST_F(Strangers, control_characters_are_no_text) {
  EXPECT_TRUE(mentions(message_of([&] { io::read_study(write("a.toml", "# \x1B[31m\n")); }),
                       "byte 3 is the control character 27"));
  EXPECT_EQ(io::read_file(write("dos.mub", "BODY\r\n\x1A"), io::files::model).size(), 7u);
}

TEST_F(Strangers, json_of_any_depth_is_no_danger) {
  for (const char* open : {"[", "{\"a\":"}) {
    std::string deep;
    for (int k = 0; k < 100000; ++k) deep += open;
    EXPECT_FALSE(io::Json::parse(deep));
    std::string closed = deep + "1" + std::string(100000, *open == '[' ? ']' : '}');
    EXPECT_FALSE(io::Json::parse(closed));
  }
  EXPECT_TRUE(io::Json::parse(std::string(60, '[') + std::string(60, ']')));
}

TEST_F(Strangers, json_of_many_members_takes_no_time) {
  std::string many = "{";
  for (int k = 0; k < 200000; ++k) many += "\"m" + std::to_string(k) + "\":1,";
  EXPECT_EQ(io::Json::parse(many + "\"last\":2}")->size(), 200001u);
}

TEST_F(Strangers, summaries_of_other_shapes_are_refused) {
  const std::string deep(100000, '[');
  for (const std::string& text :
       {std::string("[]"), std::string("1"), std::string("null"), deep,
        std::string(R"({"program":["a"],"statistics":{}})"),
        std::string(R"({"program":"mubody","statistics":[]})"), std::string(R"({"program":"mubody"})")}) {
    write("results/summary.json", text);
    EXPECT_TRUE(mentions(message_of([&] { io::read_results((folder / "results").string()); }),
                         "expected the summary that 'mubody run' writes"));
  }
  write("results/summary.json", R"({"program":"mubody","statistics":{},"changes":{"a":[1]}})");
  EXPECT_TRUE(io::changes_in((folder / "results").string()).empty());
}

// Texts that toml++ 3.3 believes to be impossible, and some beside them.
TEST_F(Strangers, toml_never_reaches_an_assertion) {
  for (const char* text : {"a=\u00B7",
                           "gr=2\n\n[\n#af06\n*",
                           "a=\u202E",
                           "a=\uFEFF",
                           "[\u00B7]",
                           "\u00B7=1",
                           "a=\U0010FFFF",
                           "a=[\u00B7",
                           "a={\u00B7",
                           "[[",
                           "[[a",
                           "[a.",
                           "a=\"\\",
                           "a='''",
                           "a=1\u00B7",
                           "a=_",
                           "a=\u2028",
                           "a=-\u00B7",
                           "a=+",
                           "a=0x",
                           "a=1e",
                           "a=1979-",
                           "a=inf\u00B7",
                           "[a]\n[\n",
                           "=",
                           "a",
                           "a.",
                           "a=\\",
                           "a=\"\\u00",
                           "a=\"\\uD800\""})
    EXPECT_NE(message_of([&] { io::parse_toml(text, "x.toml"); }), "accepted") << text;
}

TEST_F(Strangers, toml_of_any_words_is_read_or_refused) {
  constexpr std::string_view words[] = {
      "a",      "=",   "[",          "]",        "{",          "}",      "\"",     "'",      "\n",
      ".",      ",",   "#",          " ",        "\\",         "1",      "-",      "+",      "_",
      "e",      "0x",  "inf",        "nan",      "true",       ":",      "T",      "Z",      "'''",
      "\"\"\"", "\\u", "\u00B7",     "\u2003",   "\uFEFF",     "\u3000", "\u1680", "\u180F", "\u2028",
      "\u0085", "\r",  "1979-05-27", "07:32:00", "\U0001F600", "\u00A0", "\uFFFF"};
  std::mt19937 random(3);
  int accepted = 0;
  for (int k = 0; k < 20000; ++k) {
    std::string text;
    for (unsigned n = 1 + random() % 12; n > 0; --n) text += words[random() % std::size(words)];
    accepted += message_of([&] { io::parse_toml(text, "x.toml"); }) == "accepted" ? 1 : 0;
  }
  EXPECT_GT(accepted, 20);
}

TEST_F(Strangers, toml_nests_no_deeper_than_anybody_needs) {
  std::string deep = "a=";
  for (int k = 0; k < 200; ++k) deep += "{b.b.b.b.b.b.b.b=";
  EXPECT_NE(message_of([&] { io::parse_toml(deep + "1" + std::string(200, '}'), "x.toml"); }), "accepted");
}

TEST_F(Strangers, names_do_not_steer) {
  for (const char* name : {"\\u001b]0;x\\u0007", "\\u202e", "\\u0085", "\\u0000"})
    EXPECT_TRUE(mentions(message_of([&] {
                           io::read_study_text(std::string("name=\"") + name + "\"\nbodies.a={mass=1}\n",
                                               "x.toml");
                         }),
                         "a string with a control character"))
        << name;
  EXPECT_EQ(message_of([&] { io::read_study_text("name=\"a\\nb\"\nbodies.a={mass=1}\n", "x.toml"); }),
            "x.toml:1:6: name: must be on one line");
  EXPECT_TRUE(
      mentions(message_of([&] { io::parse_toml("\"a\\u001b\"=1", "x.toml"); }), "a key with a control"));
}

TEST_F(Strangers, columns_that_look_like_formulas_come_back) {
  const fs::path file = folder / "table.csv";
  io::write_table({"table", {{"time", "s"}, {"=cmd", "m"}, {"@x", ""}}, {0, 1, 2}}, file);
  std::ifstream in(file);
  std::string header;
  std::getline(in, header);
  EXPECT_EQ(header, "time[s],'=cmd[m],'@x");
  EXPECT_EQ(io::ColumnFile("table.csv", file.string(), io::Quotes::shown).names(),
            (std::vector<std::string>{"time", "=cmd", "@x"}));
}

TEST_F(Strangers, untrusted_data_lies_below_the_model) {
  write("secret.csv", "top secret\n1 x\n");
  write("in/below/data.csv", "0 1\n1 2\n2 3\n3 4\n");
  const auto read = [&](const std::string& data, bool untrusted) {
    const std::string model = driven_by(data);
    return message_of([&] { io::read_study(model, {{}, untrusted}); });
  };
  EXPECT_EQ(read("below/data.csv", true), "accepted");
  EXPECT_EQ(read("below/../below/data.csv", true), "accepted");
  for (const std::string& out : {std::string("../secret.csv"), (folder / "secret.csv").string()}) {
    EXPECT_TRUE(mentions(read(out, true), "lies outside of the folder of the model")) << read(out, true);
    EXPECT_TRUE(mentions(read(out, false), "'x' is not a number")) << read(out, false);
  }
  fs::create_symlink("../secret.csv", folder / "in/link.csv");
  fs::create_directory_symlink("..", folder / "in/up");
  EXPECT_TRUE(mentions(read("link.csv", true), "lies outside"));
  EXPECT_TRUE(mentions(read("up/secret.csv", true), "lies outside"));
}

TEST_F(Strangers, untrusted_contents_are_not_quoted) {
  write("in/data.csv", "time x\n0 1\n1 hunter2\n");
  const std::string model = driven_by("data.csv");
  const std::string message = message_of([&] { io::read_study(model, {{}, true}); });
  EXPECT_FALSE(mentions(message, "hunter2")) << message;
  EXPECT_TRUE(mentions(message, "data.csv:3: number 2 is not a number")) << message;
  const std::string other = write("in/other.toml", "password hunter2\n");
  const std::string toml = message_of([&] { io::read_study(other, {{}, true}); });
  EXPECT_TRUE(toml.ends_with("this is not TOML")) << toml;
  fs::create_symlink(write("secret.toml", "a = 1\n"), folder / "in/linked.toml");
  EXPECT_TRUE(mentions(message_of([&] {
                         io::read_study((folder / "in/linked.toml").string(), {{}, true});
                       }),
                       "leads out of its folder"));
}

TEST_F(Strangers, untrusted_results_lie_in_their_folder) {
  write("secret", "top,secret\n1,x\n");
  write("results/summary.json", R"({"program":"mubody","statistics":{}})");
  fs::create_symlink("../secret", folder / "results/bodies.csv");
  const std::string results = (folder / "results").string();
  EXPECT_TRUE(mentions(message_of([&] { io::read_results(results, true); }), "leads out of the folder"));
  EXPECT_TRUE(mentions(message_of([&] { io::read_results(results); }), "'x' is not a number"));
  fs::remove(folder / "results/bodies.csv");
  write("results/bodies.csv", "time[s],a.x[m]\n0,hunter2\n");
  EXPECT_TRUE(mentions(message_of([&] { io::read_results(results, true); }), "number 2 is not a number"));
}

TEST_F(Strangers, the_beginning_of_a_file_decides_whether_it_is_read) {
  const std::string large(10000, 'x');
  const std::string path = write("large.txt", large);
  std::size_t seen = 0, told = 0;
  const auto look = [&](std::string_view beginning, std::size_t size) {
    seen = beginning.size(), told = size;
    if (beginning[0] == 'y') throw io::FileError("is another one");
  };
  EXPECT_EQ(io::read_file(path, io::files::data, look), large);
  EXPECT_EQ(seen, 4096);
  EXPECT_EQ(told, large.size());
  write("large.txt", "y" + large);
  EXPECT_EQ(message_of([&] { io::read_file(path, io::files::data, look); }), "is another one");
}

TEST_F(Strangers, changes_that_a_file_states_are_not_quoted) {
  const std::string model = write("model.toml", "bodies.a = {mass = 1}\n");
  io::Settings changes({"bodies.a.mass=SECRET"}, true);
  changes.from = "summary.json";
  EXPECT_EQ(message_of([&] { io::read_study(model, changes); }),
            "summary.json: the model does not take the changes that it states");
  changes.untrusted = false;
  EXPECT_TRUE(mentions(message_of([&] { io::read_study(model, changes); }), "SECRET"));
}
}  // namespace
}  // namespace mubody::testing
