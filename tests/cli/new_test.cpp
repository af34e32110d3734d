// mubody new: every template runs, is well, and says what it is; mubody studio: the model in the page.
#include "cli/templates/templates.h"
#include "tests/cli/program.h"

namespace mubody::testing {
namespace {
class New : public Program {};
class StudioVerb : public Program {};

TEST_F(New, lists_twelve_templates) {
  EXPECT_EQ(cli::templates().size(), 12u);
  const Answer a = mubody({"new"});
  EXPECT_EQ(a.code, 0);
  for (const cli::Template& t : cli::templates()) {
    EXPECT_TRUE(has(a.out, std::string(t.name))) << t.name;
    EXPECT_GT(t.sentence().size(), 20u) << t.name;
    EXPECT_LT(t.sentence().size(), 110u) << t.name;
    EXPECT_TRUE(has(std::string(t.text), "# Try: ")) << t.name << " suggests something to try";
  }
}

TEST_F(New, templates_run_with_a_good_verdict) {
  for (const cli::Template& t : cli::templates()) {
    const std::string name(t.name);
    ASSERT_EQ(mubody({"new", name}).code, 0) << name;
    EXPECT_EQ(contents(folder / (name + ".toml")), t.text);
    const Answer run = mubody({"run", name + ".toml"});
    EXPECT_EQ(run.code, 0) << name << ": " << run.err;
    EXPECT_TRUE(has(run.out, "verdict   good") || has(run.out, "verdict   no mode grows"))
        << name << ": " << run.out;
    EXPECT_EQ(mubody({"check", name + ".toml"}).code, 0) << name;
  }
}

TEST_F(New, takes_a_name_and_replaces_nothing) {
  EXPECT_EQ(mubody({"new", "pendulum", "deep/mine"}).code, 0);
  EXPECT_TRUE(fs::exists(folder / "deep/mine.toml"));
  write("deep/mine.toml", "mine");
  const Answer again = mubody({"new", "pendulum", "deep/mine.toml"});
  EXPECT_EQ(again.code, 1);
  EXPECT_TRUE(has(again.err, "--force")) << again.err;
  EXPECT_EQ(contents(folder / "deep/mine.toml"), "mine");
  EXPECT_EQ(mubody({"new", "pendulum", "deep/mine.toml", "--force"}).code, 0);
  const Answer wrong = mubody({"new", "pendulm"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "did you mean 'pendulum'")) << wrong.err;
}

const std::string empty_page =
    "<!doctype html>\n<html>\n<head>\n<meta name=\"generator\" content=\"mubody\">\n</head>\n<body>\n"
    "<script type=\"application/json\" id=\"model\"></script>\n</body>\n</html>\n";

TEST_F(StudioVerb, puts_the_model_into_the_page) {
  write("studio.html", empty_page);
  write("m.toml", std::string(pendulum) + "# </script><b>\n");
  ASSERT_EQ(mubody({"studio", "m.toml", "--page", "studio.html", "--no-open"}).code, 0);
  const std::string page = contents(folder / "m.studio.html");
  EXPECT_TRUE(has(page, "id=\"model\">\"name = \\\"pendulum\\\"\\ngravity")) << page;
  EXPECT_TRUE(has(page, "# \\u003c/script>\\u003cb>"));
  EXPECT_EQ(contents(folder / "studio.html"), empty_page);
}

TEST_F(StudioVerb, takes_along_what_the_model_reads) {
  write("studio.html", empty_page);
  write("base.toml", pendulum);
  write("m.toml", "include = \"base.toml\"\n");
  ASSERT_EQ(mubody({"studio", "m.toml", "--page", "studio.html", "--no-open", "-o", "out.html"}).code, 0);
  const std::string page = contents(folder / "out.html");
  EXPECT_TRUE(has(page, R"("text":"include = \"base.toml\"\n","files":{"base.toml":"bmFtZSA9ICJwZW5kdWx1bSIK)"))
      << page;
}

TEST_F(StudioVerb, says_what_is_missing) {
  write("m.toml", pendulum);
  write("other.html", "<html></html>");
  const Answer other = mubody({"studio", "m.toml", "--page", "other.html", "--no-open"});
  EXPECT_EQ(other.code, 2);
  EXPECT_TRUE(has(other.err, "make studio")) << other.err;
  EXPECT_EQ(mubody({"studio", "nothing.toml", "--page", "other.html", "--no-open"}).code, 2);
  EXPECT_EQ(mubody({"studio", "--out", "x.html", "--no-open"}).code, 2);
}
}  // namespace
}  // namespace mubody::testing
