// All mistakes of a file are told at once, and no consequences of theirs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
std::vector<std::string> mistakes_in(const std::string& text) {
  try {
    io::read_study_text(text, "m.toml");
    return {};
  } catch (const ModelError& e) {
    std::vector<std::string> all{e.what()};
    for (const ModelError& other : e.others) all.emplace_back(other.what());
    if (e.left_out > 0) all.push_back(fmt::format("{} more", e.left_out));
    return all;
  }
}

void expect(const std::vector<std::string>& found, const std::vector<std::string>& beginnings) {
  ASSERT_EQ(found.size(), beginnings.size()) << fmt::format("{}", fmt::join(found, "\n"));
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_TRUE(found[k].starts_with(beginnings[k])) << found[k] << "\nexpected " << beginnings[k];
}

TEST(faults, of_all_sections_come_in_the_order_of_the_file) {
  expect(mistakes_in(R"(gravity = [0, -9.81]
colour = "red"
[analysis]
end = "5 kg"
rtol = -1
[bodies]
rod = {mass = 1, inertia = 1}
[joints]
A = {type = "revolute", bodies = ["ground", "rod"], at = [0]}
[forces]
F = {type = "spring", bodies = ["ground", "rod"], stiffnes = 3, dampin = 4}
)"),
         {"m.toml:2:1: unknown key 'colour'", "m.toml:4:7: analysis: end", "m.toml:5:8: analysis: rtol",
          "m.toml:9:", "m.toml:11:51: force 'F': unknown key 'stiffnes'",
          "m.toml:11:65: force 'F': unknown key 'dampin'"});
}

TEST(faults, of_the_fields_of_one_element_are_all_told) {
  expect(mistakes_in("[bodies]\nrod = {mass = \"1 m\", inertia = \"x\", position = [0, 0]}\n"),
         {"m.toml:2:15: body 'rod': mass", "m.toml:2:32: body 'rod': inertia"});
}

TEST(faults, do_not_count_their_consequences) {
  expect(mistakes_in(R"(gravity = [0, -9.81]
[parameters]
long = "= 2*"
half = "= long/2"
[bodies]
crank = {mass = "= half"}
rod = {mas = 1, inertia = 1}
[points]
tip = {body = "rod", at = [1, 0]}
[joints]
A = {type = "revolute", bodies = ["crank", "rod"], at = [0, 0]}
[drivers]
D = {type = "angle", joint = "A", value = 0}
[forces]
F = {type = "force", body = "crank", force = ["= tip.x", 0]}
[analysis]
type = "kinematic"
assembly.hold = ["rod.x"]
[look]
rod = {shape = "disc"}
)"),
         {"m.toml:3:8: parameter 'long'", "m.toml:7:8: body 'rod': unknown key 'mas'"});
}

TEST(faults, beyond_twenty_are_counted) {
  std::string text = "[bodies]\n";
  for (int k = 0; k < 30; ++k) text += fmt::format("b{} = {{mas = 1}}\n", k);
  const auto found = mistakes_in(text);
  ASSERT_EQ(found.size(), 21u);
  EXPECT_EQ(found.back(), "10 more");
}

TEST(faults, of_toml_itself_come_with_a_way_out) {
  const auto found = mistakes_in("[bodies]\nrod = {mass = 1,\n  inertia = 1}\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("stands on one line, or under a heading of its own, such as [bodies.rod]"),
            std::string::npos)
      << found[0];
}

TEST(faults, words_of_other_programs_are_known) {
  const auto with = [](const std::string& joint) {
    return mistakes_in("[bodies]\nrod = {mass = 1, inertia = 1}\n[joints]\nA = {" + joint +
                       ", bodies = [\"ground\", \"rod\"], at = [0, 0]}\n");
  };
  expect(with("type = \"hinge\""), {"m.toml:4:13: joint 'A': type: 'hinge' is called 'revolute' here"});
  expect(with("type = \"prismatic\""),
         {"m.toml:4:13: joint 'A': type: 'prismatic' is called 'translational' here"});
  expect(with("type = \"damper\""),
         {"m.toml:4:13: joint 'A': type: 'damper' is called 'spring' here, and stands under [forces]"});
}
}  // namespace
}  // namespace mubody::testing
