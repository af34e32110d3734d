// Numbers as text, and text that must not end the page.
#include "mubody/report/report_page.h"

#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "mubody/report/report_template.h"
#include "mubody/text/json.h"

namespace mubody::testing {
namespace {
using io::base64, io::page_with, io::report_template;

// RFC 4648, section 10, gives the encodings of "foobar" and its beginnings; four and eight bytes are numbers here.
TEST(base64, is_that_of_the_standard) {
  const auto as_float = [](const char* text) {
    return std::bit_cast<float>(std::array{text[0], text[1], text[2], text[3]});
  };
  EXPECT_EQ(base64(std::vector<float>{}), "");
  EXPECT_EQ(base64(std::vector<float>{as_float("foob")}), "Zm9vYg==");
  EXPECT_EQ(base64(std::vector<float>{as_float("foob"), as_float("arfo")}), "Zm9vYmFyZm8=");
  EXPECT_EQ(base64(std::vector<double>{1.0}), "AAAAAAAA8D8=");
}

TEST(report_page, no_name_ends_the_script) {
  if (report_template("planar").empty()) GTEST_SKIP() << "built without node";
  const std::string page = page_with("planar", {{"name", "</script><b>"}});
  EXPECT_EQ(page.find("</script><b>"), std::string::npos);
  EXPECT_NE(page.find(R"({"name":"\u003c/script>\u003cb>"})"), std::string::npos);
  EXPECT_EQ(page.find("@DATA@"), std::string::npos);
}

TEST(report_page, needs_nothing_from_outside) {
  for (const char* name : {"planar", "spatial", "charts"}) {
    const std::string_view page = report_template(name);
    if (page.empty()) GTEST_SKIP() << "built without node";
    for (const char* outside : {"<script src", "<link rel=\"stylesheet\"", "@import", "<img src=\"http"})
      EXPECT_EQ(page.find(outside), page.npos) << name << ": " << outside;
    EXPECT_NE(page.find("default-src 'none'"), page.npos);
  }
}
}  // namespace
}  // namespace mubody::testing
