// Every file in tests/broken is wrong in one way and says on its first lines which message it deserves.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

std::vector<std::string> broken_models() {
  std::vector<std::string> names;
  for (const fs::directory_entry& e : fs::directory_iterator(MUBODY_SOURCE_DIR "/tests/broken"))
    if (e.path().extension() == ".toml") names.push_back(e.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string expected_message(const std::string& path) {
  constexpr std::string_view mark = "# expect: ";
  std::ifstream in(path);
  std::string message, line;
  while (std::getline(in, line) && line.starts_with(mark))
    message += (message.empty() ? "" : "\n") + line.substr(mark.size());
  return message;
}

class BrokenModel : public ::testing::TestWithParam<std::string> {};

TEST_P(BrokenModel, is_explained) {
  const std::string folder = MUBODY_SOURCE_DIR "/tests/broken/", path = folder + GetParam() + ".toml";
  try {
    io::read_study(path);
    FAIL() << "the model was accepted";
  } catch (const ModelError& e) {
    const std::string message = e.what();
    ASSERT_TRUE(message.starts_with(folder)) << message;
    EXPECT_EQ(message.substr(folder.size()), expected_message(path));
  }
}

TEST(broken_models, have_numbers_of_their_own) {
  std::vector<std::string> numbers;
  for (const std::string& name : broken_models()) numbers.push_back(name.substr(0, name.find('_')));
  const auto twice = std::ranges::adjacent_find(numbers);
  EXPECT_EQ(twice, numbers.end()) << (twice != numbers.end() ? *twice : "");
}

INSTANTIATE_TEST_SUITE_P(all, BrokenModel, ::testing::ValuesIn(broken_models()),
                         [](const auto& model) { return model.param; });
}  // namespace
}  // namespace mubody::testing
