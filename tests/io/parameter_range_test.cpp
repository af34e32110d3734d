// Parameters that say between which values they may be: wherever their value is changed, the range stays.
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/text/node.h"

namespace mubody::testing {
namespace {
constexpr std::string_view ranged = R"toml(
[parameters]
a = {value = "2 m", min = "1 m", max = "300 cm"}
b = {value = "= a/2", max = "= a"}
c = {value = 5}
[bodies]
rod = {mass = "= c", inertia = 1, position = ["= a", "= b"]}
)toml";

Study read(const std::vector<std::string>& changes = {}, std::string_view text = ranged) {
  return io::read_study_text(text, "model.toml", changes);
}
std::string message(const std::vector<std::string>& changes, std::string_view text = ranged) {
  try {
    read(changes, text);
  } catch (const ModelError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(parameter_ranges, leave_values_as_they_are) {
  const Study s = read();
  EXPECT_EQ(s.parameters.at("a"), 2);
  EXPECT_EQ(s.parameters.at("b"), 1);
  EXPECT_EQ(s.mechanism.bodies[0].mass, 5);
}

TEST(parameter_ranges, stay_when_values_are_set) {
  EXPECT_EQ(read({"parameters.a=2.5"}).mechanism.bodies[0].start.at.y(), 1.25);
  EXPECT_EQ(read({"parameters.a=250 cm"}).parameters.at("a"), 2.5);
  EXPECT_EQ(read({"parameters.a.value=2.5"}).parameters.at("a"), 2.5);
  EXPECT_EQ(
      message({"parameters.a=4"}),
      "--set parameters.a=4: parameter 'a': 4 is outside of the range: expected from 1 m to 300 cm; choose "
      "such a value, or change 'max' of the parameter");
  EXPECT_EQ(
      message({"parameters.a=2.5", "parameters.a=10 cm"}),
      "--set parameters.a=10 cm: parameter 'a': 10 cm is outside of the range: expected from 1 m to 300 cm; "
      "choose such a value, or change 'min' of the parameter");
  EXPECT_EQ(message({"parameters.a=3 kg"}),
            "--set parameters.a=3 kg: parameter 'a': 'value' is a mass and 'min' is "
            "a length: both must be of one kind");
  // Ends may follow from other parameters.
  EXPECT_EQ(message({"parameters.b=1.9"}), "accepted");
  EXPECT_EQ(
      message({"parameters.b=1.9", "parameters.a=1.5"}),
      "--set parameters.b=1.9: parameter 'b': 1.9 is outside of the range: expected at most 1.5; choose such a "
      "value, or change 'max' of the parameter");
}

TEST(parameter_ranges, can_be_changed_themselves) {
  EXPECT_EQ(read({"parameters.a=4", "parameters.a.max=5"}).parameters.at("a"), 4);
  EXPECT_EQ(read({"parameters.a={value = 7, min = 6}"}).parameters.at("a"), 7);
  EXPECT_EQ(message({"parameters.c={value = 7, min = 8}"}).substr(0, 50),
            "--set parameters.c={value = 7, min = 8}: parameter");
  EXPECT_EQ(message({"parameters.c.min=6"}).substr(0, 45), "model.toml:5:14: parameter 'c': 5 is outside ");
}

// A plain number is in SI, and has the kind of the others.
TEST(parameter_ranges, give_a_unit_to_formulas) {
  const std::string model(
      "[parameters]\na = {value = 2, min = '1 m'}\n[bodies]\nrod = {mass = '= a', inertia = 1}\n");
  EXPECT_EQ(message({}, model), "model.toml:4:15: body 'rod': mass: '= a' is a length, expected a mass (kg)");
}

TEST(parameter_ranges, take_no_notice_of_rounding) {
  const auto with = [](const std::string& table) {
    return message({}, "[parameters]\na = " + table + "\n[bodies]\nrod = {mass = 1, inertia = 1}\n");
  };
  EXPECT_EQ(with("{value = '7 mm', max = '0.7 cm', min = '0.007 m'}"), "accepted");
  EXPECT_NE(with("{value = '7.0000001 mm', max = '0.7 cm'}"), "accepted");
}

// Derivatives at an end need values on both sides of it.
TEST(parameter_ranges, do_not_hold_for_neighbours_of_a_model) {
  const Study at_the_end = read({"parameters.a=3"});
  EXPECT_EQ(at_the_end.with("a", 3.1).parameters.at("a"), 3.1);
  EXPECT_EQ(at_the_end.with("a", 3.1).with("b", 5).parameters.at("a"), 3.1);
}

TEST(parameter_ranges, hold_for_variants_and_in_files_that_include_others) {
  std::string name = (std::filesystem::temp_directory_path() / "mubody-ranges-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  std::ofstream(folder / "model.toml") << ranged;
  const std::string path = (folder / "other.toml").string();
  std::ofstream(path) << "include = 'model.toml'\nparameters.a = '2.5 m'\nparameters.b.max = 2\n";
  const io::ModelText text(path);
  EXPECT_EQ(text.full_key("a"), "parameters.a");
  EXPECT_EQ(text.with({}).parameters.at("a"), 2.5);
  EXPECT_EQ(text.with({"parameters.a=3"}).with("a", 3.1).parameters.at("a"), 3.1);
  EXPECT_THROW((void)text.with({"parameters.a=4"}), ModelError);
  EXPECT_THROW((void)text.with({"parameters.b=2.1"}), ModelError);
  std::filesystem::remove_all(folder);
}
}  // namespace
}  // namespace mubody::testing
