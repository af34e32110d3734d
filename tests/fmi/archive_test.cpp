// Archives, names and lists of FMUs: what is written is what is read.
#include <gtest/gtest.h>

#include "mubody/fmi/fmu_variables.h"
#include "mubody/fmi/zip_writer.h"
#include "mubody/fmus/unzip.h"
#include "mubody/fmus/variable_names.h"
#include "mubody/fmus/xml_tree.h"
#include "mubody/model/errors.h"

namespace mubody::testing {
namespace {
TEST(zip, gives_back_what_was_put_in) {
  const std::vector<io::ZipEntry> entries = {{"a.txt", "hello"},
                                             {"folder/empty", ""},
                                             {"folder/zeros", std::string(100'000, '\0')},
                                             {"ä.txt", "UTF-8"}};
  const std::string bytes = io::zip_of(entries);
  EXPECT_EQ(bytes, io::zip_of(entries));
  const io::ZipArchive archive(bytes);
  ASSERT_EQ(archive.entries().size(), entries.size());
  for (const io::ZipEntry& e : entries) {
    ASSERT_TRUE(archive.find(e.name)) << e.name;
    EXPECT_EQ(archive.content(*archive.find(e.name)), e.content);
  }
  EXPECT_FALSE(archive.find("b.txt"));
}

TEST(zip, refuses_what_leads_elsewhere_and_what_is_broken) {
  for (const char* name : {"../x", "a/../../x", "/x", "a\\b", "a\nb", "c:x", "", "a//b", "./a"})
    EXPECT_THROW(io::ZipArchive(io::zip_of({{name, "x"}})), io::ZipError) << name;
  EXPECT_THROW(io::ZipArchive(io::zip_of({{"a", "x"}, {"a", "y"}})), io::ZipError);
  EXPECT_THROW(io::ZipArchive(io::zip_of({{"a/b", "x"}, {"a/b/c/d", "y"}, {"a/b-c", "z"}})), io::ZipError);
  EXPECT_THROW(io::ZipArchive(io::zip_of({{"a", "x"}, {"a/", ""}})), io::ZipError);
  EXPECT_THROW(io::ZipArchive(io::zip_of({{std::string(256, 'a'), "x"}})), io::ZipError);
  EXPECT_NO_THROW(io::ZipArchive(io::zip_of({{"a/", ""}, {"a/b", "x"}, {"a-b", "y"}})));
  EXPECT_THROW(io::ZipArchive(io::zip_of({{"a", "xyz"}}), {.entries = 10, .bytes = 2}), io::ZipError);
  EXPECT_THROW(io::ZipArchive(io::zip_of({{"a", "x"}, {"b", "y"}}), {.entries = 1}), io::ZipError);
  const std::string whole = io::zip_of({{"a", "some text"}, {"b/c", "more"}});
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const auto read = [](const std::string& bytes) {
      try {
        const io::ZipArchive archive(bytes);
        for (const auto& e : archive.entries()) archive.content(e);
      } catch (const io::ZipError&) {
      }
    };
    EXPECT_THROW(io::ZipArchive(whole.substr(0, n)), io::ZipError) << n;
    for (const int bit : {0, 3, 7}) {
      std::string broken = whole;
      broken[n] = char(broken[n] ^ (1 << bit));
      read(broken);  // ends with words or with contents, never otherwise
    }
  }
}

TEST(fmu_names, are_structured) {
  EXPECT_EQ(io::structured_name("crank.x"), "crank.x");
  EXPECT_EQ(io::structured_name("left wheel.x"), "'left wheel'.x");
  EXPECT_EQ(io::structured_name("a-b.it's"), "'a-b'.'it\\'s'");
  for (const char* name :
       {"a", "a_1.b", "'left wheel'.x", "der(a.b)", "der(a.b,2)", "a[1]", "a[1,2].b", "'it\\'s'"})
    EXPECT_TRUE(io::is_structured(name)) << name;
  for (const char* name :
       {"", "1a", "a b", "a..b", ".a", "a.", "der(a", "'a", "a[", "a[]", "a[x]", "der(a,x)", "''"})
    EXPECT_FALSE(io::is_structured(name)) << name;
  for (const char* name : {"crank.x", "left wheel.x", "a-b.it's", "1.2"})
    EXPECT_TRUE(!io::can_be_structured(name) || io::is_structured(io::structured_name(name))) << name;
  EXPECT_FALSE(io::can_be_structured("Träger.x"));
  for (const char* name : {"crank.x", "left wheel.x", "a-b.it's", "1.2", "back\\slash.x", "der.\"q\""})
    EXPECT_EQ(io::plain_name(io::structured_name(name)), name);
}

TEST(fmu_list, is_read_as_it_was_written) {
  io::FmuList list{
      "{1-2}", "model/a b.toml", false, {"analysis.rtol=1e-9", "a=\"two\nlines\\n\""}, {}, true, true, 12, 1};
  list.variables = {{io::FmuVariable::parameter, "length"},
                    {io::FmuVariable::rate, "steer.value"},
                    {io::FmuVariable::output, "a b"}};
  const io::FmuList back = io::read_fmu_list(io::fmu_list_text(list));
  EXPECT_EQ(back.token, list.token);
  EXPECT_EQ(back.model, list.model);
  EXPECT_EQ(back.settings, list.settings);
  EXPECT_EQ(back.states, 12);
  EXPECT_EQ(back.indicators, 1);
  ASSERT_EQ(back.variables.size(), 3u);
  EXPECT_EQ(back.variables[1].kind, io::FmuVariable::rate);
  EXPECT_EQ(back.variables[2].of, "a b");
  EXPECT_THROW(io::read_fmu_list("mubody fmu 9\n"), ModelError);
}

TEST(xml, reads_elements_and_refuses_entities) {
  const io::XmlElement root = io::read_xml("<a x='1 &amp; 2'>\n<b/><c><d y=\"\"/></c></a>");
  EXPECT_EQ(root.get("x"), "1 & 2");
  ASSERT_EQ(root.children.size(), 2u);
  EXPECT_EQ(root.children[1].line, 2);
  EXPECT_TRUE(root.child("c")->child("d")->find("y"));
  for (const char* text : {"", "<a>", "<a></b>", "<a/><b/>", "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>",
                           "<!DOCTYPE a SYSTEM 'x'><a/>"})
    EXPECT_THROW(io::read_xml(text), io::XmlError) << text;
  std::string deep;
  for (int k = 0; k < 10'000; ++k) deep += "<a>";
  EXPECT_THROW(io::read_xml(deep), io::XmlError);
}
}  // namespace
}  // namespace mubody::testing
