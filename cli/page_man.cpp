// Pages of the manual in roff, with the macros of man(7) alone.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "cli/page.h"
#include "mubody/model/version.h"

namespace mubody::cli {
namespace {
// Characters that roff would take for something else.  Dashes are what a person types in `code`, hyphens in text.
std::string escaped(std::string_view text, bool code) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const bool option = text.substr(k).starts_with("--") || (k > 0 && text.substr(k - 1).starts_with("--"));
    switch (text[k]) {
      case '\\': out += "\\e"; break;
      case '\'': out += "\\[aq]"; break;
      case '`': out += "\\[ga]"; break;
      case '^': out += "\\[ha]"; break;
      case '~': out += "\\[ti]"; break;
      case '-': out += code || option ? "\\-" : "-"; break;
      default: out += text[k];
    }
  }
  return out.starts_with('.') ? "\\&" + out : out;
}

std::string paragraph(const std::string& text) { return escaped(one_line(text), false) + '\n'; }

std::string styled(const Piece& piece) {
  std::string text;
  for (const Run& run : piece) {
    const char* const font = run.style == Run::fixed ? "\\fB" : run.style == Run::variable ? "\\fI" : "";
    text += font + escaped(run.text, true) + (*font ? "\\fR" : "");
  }
  return text.starts_with('.') ? "\\&" + text : text;
}

// In one piece: its spaces do not break lines.
std::string unbroken(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? std::string("\\ ") : std::string(1, c);
  return out;
}

struct ManWriter {
  std::string operator()(const std::string& text) const { return ".PP\n" + paragraph(text); }
  std::string operator()(const Terms& terms) const {
    std::string text;
    for (const Term& t : terms)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}", escaped(t.term, true), paragraph(t.meaning));
    return text;
  }
  std::string operator()(const Code& code) const {
    std::string text = ".sp\n.RS 4\n.nf\n";
    std::istringstream in(code.lines);
    for (std::string line; std::getline(in, line);) text += line.empty() ? ".sp\n" : escaped(line, true) + '\n';
    return text + ".fi\n.RE\n";
  }
  std::string operator()(const std::vector<Synopsis>& synopses) const {
    std::string text = ".nh\n.ad l\n";
    for (const Synopsis& s : synopses) {
      if (&s != &synopses.front()) text += ".PP\n";
      text += fmt::format("\\fB{}\\fR", escaped(s.command, true));
      for (const Piece& piece : s.pieces) text += ' ' + unbroken(styled(piece));
      text += '\n';
    }
    return text + ".ad b\n.hy\n";
  }
  std::string operator()(const std::vector<OptionNote>& notes) const {
    std::string text, group;
    for (const OptionNote& n : notes) {
      if (n.group != group && !n.group.empty()) text += fmt::format(".SS {}\n", escaped(n.group, false));
      group = n.group;
      text += fmt::format(".TP\n{}\n{}", styled(n.head), paragraph(n.meaning));
    }
    return text;
  }
};
}  // namespace

std::string man_of(const Page& page) {
  std::string name = page.name;
  std::ranges::replace(name, ' ', '-');
  std::string title = name;
  std::ranges::transform(title, title.begin(), [](char c) { return char(std::toupper(c)); });
  std::string text = fmt::format(".TH {} 1 \"\" \"mubody {}\" \"mubody\"\n", escaped(title, true), version());
  text += fmt::format(".SH NAME\n{} \\- {}", escaped(name, true), paragraph(page.sentence));
  for (const PageSection& section : page.sections) {
    text += fmt::format(".SH {}\n", section.heading);
    for (const PageBlock& block : section.blocks) {
      const std::string written = std::visit(ManWriter(), block);
      // A heading begins a paragraph by itself.
      const bool first = &block == &section.blocks.front();
      const bool breaks = written.starts_with(".PP\n") || written.starts_with(".sp\n");
      text += first && breaks ? written.substr(written.find('\n') + 1) : written;
    }
  }
  return text;
}
}  // namespace mubody::cli
