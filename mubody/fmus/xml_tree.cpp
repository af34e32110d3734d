#include "mubody/fmus/xml_tree.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <expat.h>
#include <memory>

#include <fmt/format.h>

namespace mubody::io {
const std::string* XmlElement::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return &value;
  return nullptr;
}
std::string_view XmlElement::get(std::string_view attribute, std::string_view usual) const {
  const std::string* const value = find(attribute);
  return value ? std::string_view(*value) : usual;
}
const XmlElement* XmlElement::child(std::string_view wanted) const {
  const auto at = std::ranges::find(children, wanted, &XmlElement::name);
  return at == children.end() ? nullptr : &*at;
}

namespace {
struct XmlReading {
  XML_Parser parser;
  XmlElement top;  // of which the root is the only child
  std::vector<XmlElement*>
      open;  // a parent grows only while none of its children is open, so that these stay where they are
  const char* refused = nullptr;

  void refuse(const char* why) {
    refused = why;
    XML_StopParser(parser, XML_FALSE);
  }
};

void XMLCALL begin_element(void* data, const char* name, const char** attributes) {
  auto& r = *static_cast<XmlReading*>(data);
  constexpr std::size_t deepest = 100;
  if (r.open.size() > deepest) return r.refuse("elements are nested too deeply");
  XmlElement e{name, {}, {}, int(XML_GetCurrentLineNumber(r.parser))};
  for (; attributes[0]; attributes += 2) e.attributes.emplace_back(attributes[0], attributes[1]);
  r.open.back()->children.push_back(std::move(e));
  r.open.push_back(&r.open.back()->children.back());
}
void XMLCALL end_element(void* data, const char*) { static_cast<XmlReading*>(data)->open.pop_back(); }
void XMLCALL refuse_doctype(void* data, const char*, const char*, const char*, int) {
  static_cast<XmlReading*>(data)->refuse("a document type is declared, which FMUs do not need");
}
}  // namespace

std::optional<double> xml_number(std::string_view text) {
  constexpr const char* spaces = " \t\n\r";
  text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
  text = text.substr(0, text.find_last_not_of(spaces) + 1);
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double x = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), x);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.starts_with('+')) return {};
  if (!std::isfinite(x) && text != "INF" && text != "-INF" && text != "NaN") return {};
  return x;
}

XmlElement read_xml(std::string_view text) {
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(XML_ParserCreate(nullptr),
                                                                            &XML_ParserFree);
  if (!parser) throw std::bad_alloc();
  XmlReading r{parser.get(), {}, {}, nullptr};
  r.open.push_back(&r.top);
  XML_SetUserData(parser.get(), &r);
  XML_SetElementHandler(parser.get(), begin_element, end_element);
  XML_SetStartDoctypeDeclHandler(parser.get(), refuse_doctype);
  const XML_Status status =
      XML_Parse(parser.get(), text.data(), int(std::min<std::size_t>(text.size(), 1u << 30)), XML_TRUE);
  if (status != XML_STATUS_OK)
    throw XmlError(fmt::format("line {}: {}", XML_GetCurrentLineNumber(parser.get()),
                               r.refused ? r.refused : XML_ErrorString(XML_GetErrorCode(parser.get()))));
  return std::move(r.top.children.front());
}
}  // namespace mubody::io
