#pragma once
// XML of others as a tree, read by expat.  Declarations of documents and entities are refused: there are none in FMUs, and they
// could name files or grow without end.
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mubody::io {
struct XmlError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  std::vector<XmlElement> children;
  int line = 0;

  const std::string* find(std::string_view attribute) const;
  /// The value of an attribute; `usual` if it is not there.
  std::string_view get(std::string_view attribute, std::string_view usual = "") const;
  const XmlElement* child(std::string_view name) const;
};

/// A number as schemas of XML write it, with INF and NaN in these letters alone; none if it is none.
std::optional<double> xml_number(std::string_view text);

/// The root of a document.  Texts between elements are left out.  Throws XmlError, with the line.
XmlElement read_xml(std::string_view text);
}  // namespace mubody::io
