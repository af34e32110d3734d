#include "mubody/math/suggest.h"

#include <gtest/gtest.h>

namespace mubody {
namespace {
const std::vector<std::string> words{"omega", "alpha", "t", "x", "rate", "length"};

TEST(Suggest, FindsTheNearestWord) {
  EXPECT_EQ(suggestion("omgea", words), "; did you mean 'omega'?");    // swapped
  EXPECT_EQ(suggestion("lenght", words), "; did you mean 'length'?");  // swapped
  EXPECT_EQ(suggestion("rte", words), "; did you mean 'rate'?");       // left out
  EXPECT_EQ(suggestion("alphaa", words), "; did you mean 'alpha'?");   // one too many
  EXPECT_EQ(suggestion("OMEGA", words), "; did you mean 'omega'?");    // upper case
}

TEST(Suggest, KeepsQuietWhenNothingIsNear) {
  EXPECT_EQ(suggestion("banana", words), "");
  EXPECT_EQ(suggestion("y", words), "");  // every single letter is one edit from every other
  EXPECT_EQ(suggestion("", words), "");
  EXPECT_EQ(suggestion("omega", std::vector<std::string>{}), "");
}

TEST(Suggest, PrefersWordsOfTheSameLength) {
  const std::string_view known[] = {"m", "min", "mm"};
  EXPECT_EQ(suggestion("mn", known), "; did you mean 'mm'?");
}
}  // namespace
}  // namespace mubody
