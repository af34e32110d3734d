// Every file in tests/mubodyna/broken is wrong in one way and says on its first line which message it deserves.
#include <algorithm>
#include <filesystem>

#include "tests/mubodyna/models.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;
const std::string folder = MUBODY_SOURCE_DIR "/tests/mubodyna/broken/";

std::vector<std::string> broken_files() {
  std::vector<std::string> names;
  for (const fs::directory_entry& e : fs::directory_iterator(folder))
    if (e.path().extension() == ".mub") names.push_back(e.path().stem().string());
  std::ranges::sort(names);
  return names;
}

class BrokenMubodynaFile : public ::testing::TestWithParam<std::string> {};

TEST_P(BrokenMubodynaFile, is_explained) {
  constexpr std::string_view mark = "! expect: ";
  const std::string path = folder + GetParam() + ".mub", text = text_in(path);
  ASSERT_TRUE(text.starts_with(mark));
  const std::string expected = text.substr(mark.size(), text.find('\n') - mark.size());
  // File and line, then the letter of the section, which the name of the file contains.
  EXPECT_TRUE(expected.starts_with(GetParam() + ".mub:")) << expected;
  EXPECT_NE(expected.find(std::string("(") + GetParam()[4] + ") "), std::string::npos) << expected;
  try {
    io::read_study(path);
    FAIL() << "the file was accepted";
  } catch (const ModelError& e) {
    const std::string message = e.what();
    ASSERT_TRUE(message.starts_with(folder)) << message;
    EXPECT_EQ(message.substr(folder.size()), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(all, BrokenMubodynaFile, ::testing::ValuesIn(broken_files()),
                         [](const auto& test) { return test.param; });
}  // namespace
}  // namespace mubody::testing
