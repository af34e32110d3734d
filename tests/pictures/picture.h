#pragma once
// Helpers shared by the tests of pictures: examples in motion, and a reader of SVG.
#include <cctype>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/picture/draw_scene.h"
#include "tests/example.h"

namespace mubody::testing {
struct Filmed {
  Study study;
  Results results;
  io::Scene scene;
  io::Playback motion;
};

inline Filmed film(const std::string& name, const std::vector<std::string>& settings) {
  Filmed f{.study = example(name, settings)};
  f.results = run(f.study);
  f.scene = io::scene_of(f.study.mechanism, f.study.looks);
  f.motion = io::playback_of(f.study.mechanism, *f.results.find("bodies"));
  io::fit_guides(f.scene, f.motion);
  return f;
}

struct Tag {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // the text that follows the tag

  double number(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }
};

/// The opening tags of an XML text, in order; fails the test if the text is not well-formed.
inline std::vector<Tag> tags_of(const std::string& xml) {
  std::vector<Tag> tags;
  std::vector<std::string> open;
  std::size_t k = 0;
  const auto expect = [&](bool holds, const char* what) {
    if (!holds) ADD_FAILURE() << what << " at " << k << ": " << xml.substr(k, 60);
    return holds;
  };
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == ':';
  };
  const auto check_text = [&](const std::string& text) {
    for (std::size_t at = text.find('&'); at != text.npos; at = text.find('&', at + 1)) {
      const std::string entity = text.substr(at, text.find(';', at) - at + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;")
        ADD_FAILURE() << "unknown entity in " << text;
    }
  };
  while (k < xml.size()) {
    if (xml[k] != '<') {
      const std::size_t end = std::min(xml.find('<', k), xml.size());
      const std::string text = xml.substr(k, end - k);
      check_text(text);
      if (!tags.empty() && tags.back().text.empty()) tags.back().text = text;
      k = end;
      continue;
    }
    const bool closes = xml[++k] == '/';
    if (closes) ++k;
    Tag tag;
    while (k < xml.size() && is_name(xml[k])) tag.name += xml[k++];
    if (closes) {
      if (!expect(!open.empty() && open.back() == tag.name && xml[k] == '>', "wrong closing tag")) return tags;
      open.pop_back();
      ++k;
      continue;
    }
    while (k < xml.size() && xml[k] == ' ') {
      std::string name, value;
      for (++k; k < xml.size() && is_name(xml[k]);) name += xml[k++];
      if (!expect(!name.empty() && xml.compare(k, 2, "=\"") == 0, "bad attribute")) return tags;
      for (k += 2; k < xml.size() && xml[k] != '"';) value += xml[k++];
      ++k;
      check_text(value);
      if (!expect(value.find('<') == value.npos && tag.attributes.emplace(name, value).second, "bad attribute"))
        return tags;
    }
    const bool empty = xml[k] == '/';
    if (empty) ++k;
    if (!expect(xml[k] == '>', "unclosed tag")) return tags;
    ++k;
    if (!empty) open.push_back(tag.name);
    tags.push_back(tag);
  }
  expect(open.empty(), "a tag is not closed");
  return tags;
}

/// "1,2 3,4" as pairs.
inline std::vector<Vec<2>> points_in(const std::string& list) {
  std::vector<Vec<2>> points;
  std::istringstream in(list);
  for (std::string pair; in >> pair;)
    points.emplace_back(std::stod(pair), std::stod(pair.substr(pair.find(',') + 1)));
  return points;
}
}  // namespace mubody::testing
