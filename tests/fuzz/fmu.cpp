// FMUs of others: an archive if it begins as one, else the description alone.  What is accepted names its own variables.
#include "mubody/fmus/fmu_rules.h"
#include "tests/fuzz/fuzz.h"

using namespace mubody;
using namespace mubody::testing;

namespace {
void describe(const std::string& xml) {
  const auto root = accepted<io::XmlError>([&] { return io::read_xml(xml); });
  if (!root) return;
  std::vector<std::string> complaints;
  const io::FmuDescription d = io::read_fmu_description(*root, complaints);
  if (d.version == 0) {
    hold(!complaints.empty(), "what is no description is complained of");
    return;
  }
  for (const std::string& line : io::broken_rules(d)) hold(!line.empty(), "complaints have words");
  for (const io::DescribedVariable& v : d.variables)
    hold(d.find(v.name) != nullptr, "variables are found by name");
  hold(!io::functions_of(d).empty(), "every FMU has functions");
}
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(text_in(data, size));
  if (!bytes.starts_with("PK")) return describe(bytes), 0;
  const auto archive =
      accepted<io::ZipError>([&] { return io::ZipArchive(bytes, {.entries = 1000, .bytes = 10'000'000}); });
  if (!archive) return 0;
  for (const io::ZipArchive::Entry& e : archive->entries()) {
    hold(e.name.find("..") == e.name.npos || e.name.find("/../") == e.name.npos, "no name leads upwards");
    const auto content = accepted<io::ZipError>([&] { return archive->content(e); });
    if (!content) continue;
    hold(content->size() == e.size, "contents have the size that was announced");
    if (e.name == "modelDescription.xml") describe(*content);
  }
  return 0;
}
