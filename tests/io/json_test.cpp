// JSON as it is built, written and read.
#include "mubody/text/json.h"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

namespace mubody::testing {
namespace {
using io::Json;

TEST(json, lists_of_pairs_are_objects) {
  EXPECT_EQ((Json{{"a", 1}, {"b", "two"}}).dump(), R"({"a":1,"b":"two"})");
  EXPECT_EQ((Json{{"names", {"A", "B"}}}).dump(), R"({"names":["A","B"]})");
  EXPECT_EQ((Json{1, 2.5, true, nullptr}).dump(), "[1,2.5,true,null]");
  EXPECT_EQ(Json::array({{{"a", 1}}}).dump(), R"([{"a":1}])");
  EXPECT_EQ(Json::array({"a", 1}).dump(), R"(["a",1])");
  EXPECT_EQ(Json::array().dump(2), "[]");
  EXPECT_EQ(Json::object().dump(2), "{}");
}

TEST(json, lines_are_indented) {
  const Json json{{"a", {1, 2}}, {"b", Json::array()}};
  EXPECT_EQ(json.dump(2), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": []\n}");
}

TEST(json, members_keep_their_order_and_are_replaced) {
  Json json;
  json["z"] = 1;
  json["a"] = std::vector<int>{1, 2};
  json["z"] = Json{{"inner", 0.5}};
  json.update({{"a", "other"}, {"new", nullptr}});
  EXPECT_EQ(json.dump(), R"({"z":{"inner":0.5},"a":"other","new":null})");
  json.erase("a");
  EXPECT_EQ(json.size(), 2);
  EXPECT_EQ(std::as_const(json)["a"].text(), "");
}

TEST(json, numbers_are_read_back_exactly) {
  for (const double x : {0.1, 1.0 / 3, 1e-300, 5e-324, 1e15, 1e16, 123456789.0, -2.0, 0.0001, 0.00001,
                         std::numeric_limits<double>::max()}) {
    const std::string text = Json(x).dump();
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), x) << text;
    EXPECT_EQ(Json::parse(text)->dump(), text);
  }
  EXPECT_EQ(Json(2.0).dump(), "2.0");
  EXPECT_EQ(Json(1e15).dump(), "1e+15");
  EXPECT_EQ(Json(std::numeric_limits<std::uint64_t>::max()).dump(), "18446744073709551615");
  EXPECT_EQ(Json(NAN).dump(), "null");
  EXPECT_EQ(Json(-INFINITY).dump(), "null");
}

TEST(json, strings_are_escaped_and_utf8) {
  EXPECT_EQ(Json("\"\\\b\f\n\r\t\x01\x1f\x7f").dump(), "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\\u007f\"");
  EXPECT_EQ(Json("größe €").dump(), "\"größe €\"");
  EXPECT_EQ(Json("a\xFFz").dump(), "\"a\uFFFDz\"");
  EXPECT_EQ(Json("a\xE2\x82").dump(), "\"a\uFFFD\"");            // cut off
  EXPECT_EQ(Json("\xC0\xAF").dump(), "\"\uFFFD\uFFFD\"");        // longer than needed
  EXPECT_EQ(Json("\xE2\x82z\x80").dump(), "\"\uFFFDz\uFFFD\"");  // broken off by a letter
}

TEST(json, is_read_as_it_was_written) {
  const std::string text = R"({"a":[1,-2,2.5,true,null,"x"],"b":{"c":{}}})";
  const std::optional<Json> json = Json::parse(text);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->dump(), text);
  EXPECT_EQ((*json)["a"].size(), 6);
  EXPECT_FALSE(Json::parse("{\"a\": }"));
  EXPECT_FALSE(Json::parse(""));
}
}  // namespace
}  // namespace mubody::testing
