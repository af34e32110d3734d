// No text of others means anything where it is written.
#include "mubody/model/escape.h"

#include <gtest/gtest.h>

#include "mubody/model/utf8.h"

namespace mubody::testing {
namespace {
TEST(utf8, refuses_what_is_none) {
  EXPECT_EQ(first_character("é").code, U'é');
  EXPECT_EQ(first_character("\U0001F600").bytes, 4u);
  EXPECT_EQ(first_character("\xE2\x82z").bytes, 2u);
  for (const char* bad :
       {"\xC3", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\x80"}) {
    EXPECT_FALSE(first_character(bad).code) << bad;
    EXPECT_EQ(first_character(bad).bytes, 1u);
  }
}

TEST(utf8, finds_characters_that_steer) {
  EXPECT_FALSE(find_odd_character("Kurbel φ = 1 °", false));
  EXPECT_EQ(find_odd_character("two\nlines", false), 3u);
  EXPECT_FALSE(find_odd_character("two\nlines", true));
  EXPECT_EQ(find_odd_character("a\u202Eb", true), 1u);
  EXPECT_EQ(find_odd_character("\x1B[31m", true), 0u);
  EXPECT_EQ(find_odd_character("a\u0085", true), 1u);
  EXPECT_EQ(find_odd_character("a\xFF", true), 1u);
}

TEST(escape, of_a_terminal) {
  EXPECT_EQ(for_terminal("Kurbel φ"), "Kurbel φ");
  EXPECT_EQ(for_terminal("\x1B]0;x\x07"), "\\x1b]0;x\\x07");
  EXPECT_EQ(for_terminal("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(for_terminal("a\u009Bb\u202Ec\u2066d\u007F"), "a\\u009bb\\u202ec\\u2066d\\x7f");
  EXPECT_EQ(for_terminal("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(for_terminal_lines("a\n\x1B"), "a\n\\x1b");
}

TEST(escape, of_a_spreadsheet) {
  EXPECT_EQ(for_csv("plain"), "plain");
  EXPECT_EQ(for_csv("=1+2"), "'=1+2");
  EXPECT_EQ(for_csv("@x, y"), "\"'@x, y\"");
  EXPECT_EQ(for_csv("-"), "-");
  EXPECT_EQ(for_csv("\tcmd"), "'\tcmd");
  for (const std::string text : {"=1", "+a", "-b", "@c", "'=d", "''+e", "'quoted", "x", "", "'"})
    EXPECT_EQ(from_csv(for_csv(text)), text);
}

TEST(escape, of_markup) {
  EXPECT_EQ(for_xml("<a href=\"x\">&"), "&lt;a href=&quot;x&quot;&gt;&amp;");
  EXPECT_EQ(for_xml("a\x01\uFFFE\xFF"), "a\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(for_json("\"\\\n\x01 é\xFF"), "\\\"\\\\\\n\\u0001 é\uFFFD");
  EXPECT_EQ(for_json("a\u202Eb"), "a\\u202eb");
}

TEST(escape, of_c) {
  EXPECT_EQ(for_c_comment("a*/b/*c"), "a* /b/ *c");
  for (const std::string text : {"*", "/", "*\\\n/",
                                 "?"
                                 "?/",
                                 "//", "/*/", "**//", "\\"}) {
    const std::string safe = for_c_comment(text);
    EXPECT_EQ(("/* " + safe + "*/").find("*/"), safe.size() + 3) << text;
    EXPECT_EQ(safe.find_first_of("\\\n"), std::string::npos);
    EXPECT_EQ(safe.find("/*"), std::string::npos);
    EXPECT_EQ(safe.find("?"
                        "?/"),
              std::string::npos);
  }
  EXPECT_EQ(for_c_string("a\"b\\\n?1"), "a\\042b\\134\\012\\0771");
}
}  // namespace
}  // namespace mubody::testing
