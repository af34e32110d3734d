// Lists of named things that take little memory.
#include "mubody/model/named_list.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "mubody/results/results.h"

namespace mubody::testing {
namespace {
static_assert(std::random_access_iterator<NamedList<Column>::Iterator>);

NamedList<Column> some() { return {{"time", "s"}, {"crank.x", "m"}, {"", ""}, {"gap", "m", true, 3}}; }

TEST(named_list, gives_back_what_it_took) {
  const NamedList<Column> list = some();
  ASSERT_EQ(list.size(), 4U);
  EXPECT_EQ(list[1].name, "crank.x");
  EXPECT_EQ(list[1].unit, "m");
  EXPECT_FALSE(list[1].residual);
  EXPECT_EQ(list[1].group, -1);
  EXPECT_EQ(list[2].name + list[2].unit, "");
  EXPECT_TRUE(list.back().residual);
  EXPECT_EQ(list.back().group, 3);
  EXPECT_EQ(list.name(3), "gap");
  EXPECT_EQ(list.front().name, "time");
}

TEST(named_list, keeps_a_unit_once) {
  const NamedList<Column> list = some();
  EXPECT_EQ(&list.unit(1), &list.unit(3));
  EXPECT_NE(list.unit(0), list.unit(1));
}

TEST(named_list, is_walked_and_searched_as_others_are) {
  const NamedList<Column> list = some();
  std::string all;
  for (const Column& c : list) all += c.name + "|";
  EXPECT_EQ(all, "time|crank.x||gap|");
  EXPECT_EQ(std::ranges::find(list, "gap", &Column::name) - list.begin(), 3);
  EXPECT_EQ(std::ranges::find(list, "none", &Column::name), list.end());
}

TEST(named_list, grows_and_is_copied) {
  NamedList<Column> list = some();
  const NamedList<Column> before = list;
  list.push_back({"more", "kg"});
  EXPECT_EQ(list.back().name, "more");
  EXPECT_EQ(before.back().name, "gap");
  list = before;
  EXPECT_EQ(list.size(), 4U);
}
}  // namespace
}  // namespace mubody::testing
