#include "mubody/math/suggest.h"

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
const std::vector<std::string> words{"omega", "alpha", "t", "x", "rate", "length"};

TEST(suggest, finds_the_nearest_word) {
  EXPECT_EQ(suggestion("omgea", words), "; did you mean 'omega'?");    // swapped
  EXPECT_EQ(suggestion("lenght", words), "; did you mean 'length'?");  // swapped
  EXPECT_EQ(suggestion("rte", words), "; did you mean 'rate'?");       // left out
  EXPECT_EQ(suggestion("alphaa", words), "; did you mean 'alpha'?");   // one too many
  EXPECT_EQ(suggestion("OMEGA", words), "; did you mean 'omega'?");    // upper case
}

TEST(suggest, keeps_quiet_when_nothing_is_near) {
  EXPECT_EQ(suggestion("banana", words), "");
  EXPECT_EQ(suggestion("y", words), "");  // every single letter is one edit from every other
  EXPECT_EQ(suggestion("", words), "");
  EXPECT_EQ(suggestion("omega", std::vector<std::string>{}), "");
}

TEST(suggest, prefers_words_of_the_same_length) {
  const std::string_view known[] = {"m", "min", "mm"};
  EXPECT_EQ(suggestion("mn", known), "; did you mean 'mm'?");
}
}  // namespace
}  // namespace mubody::testing
