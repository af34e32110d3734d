// Pages of the manual as text.
#include <algorithm>
#include <sstream>

#include "cli/page.h"
#include "mubody/text/write_aligned.h"

namespace mubody::cli {
namespace {
constexpr std::string_view indent = "  ";
constexpr std::size_t widest_head = 28;  // a longer head has a line of its own

class TextWriter {
 public:
  explicit TextWriter(std::size_t width) : width_(width) {}

  std::string operator()(const std::string& paragraph) const {
    return std::string(indent) + io::wrapped_text(one_line(paragraph), width_ - indent.size(), indent) + '\n';
  }
  std::string operator()(const Terms& terms) const {
    std::vector<io::TextRow> rows;
    for (const Term& t : terms) rows.push_back({t.term, one_line(t.meaning)});
    return io::aligned(rows, 0, indent, width_);
  }
  std::string operator()(const Code& code) const {
    std::istringstream in(code.lines);
    std::string text;
    for (std::string line; std::getline(in, line);)
      text += line.empty() ? "\n" : std::string(2 * indent.size(), ' ') + line + '\n';
    return text;
  }
  std::string operator()(const std::vector<Synopsis>& synopses) const {
    std::string text;
    for (const Synopsis& s : synopses) {
      std::string line = std::string(indent) + s.command;
      const std::string hanging(line.size() + 1, ' ');
      for (const Piece& piece : s.pieces) {
        const std::string word = plain_text(piece);
        if (line.size() + 1 + word.size() > width_ && line.size() > hanging.size()) {
          text += line + '\n';
          line = hanging + word;
        } else {
          line += ' ' + word;
        }
      }
      text += line + '\n';
    }
    return text;
  }
  std::string operator()(const std::vector<OptionNote>& notes) const {
    std::size_t column = 0;
    for (const OptionNote& n : notes)
      if (const std::size_t size = plain_text(n.head).size(); size <= widest_head)
        column = std::max(column, size);
    column += indent.size() + 2;
    std::string text, group;
    for (const OptionNote& n : notes) {
      if (n.group != group && !n.group.empty()) text += (text.empty() ? "" : "\n") + (*this)(n.group + ":");
      group = n.group;
      std::string head = std::string(indent) + plain_text(n.head);
      const std::string hanging(column, ' ');
      if (head.size() + 2 > column)
        head += '\n' + hanging;
      else
        head.resize(column, ' ');
      text += head + io::wrapped_text(n.meaning, width_ - column, hanging) + '\n';
    }
    return text;
  }

 private:
  std::size_t width_;
};
}  // namespace

std::string text_of(const Page& page, std::size_t width) {
  const TextWriter write(width);
  std::string text = "NAME\n" + write(page.name + " - " + page.sentence);
  for (const PageSection& section : page.sections) {
    text += '\n' + section.heading + '\n';
    for (const PageBlock& block : section.blocks) {
      if (&block != &section.blocks.front()) text += '\n';
      text += std::visit(write, block);
    }
  }
  return text;
}
}  // namespace mubody::cli
