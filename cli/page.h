#pragma once
// A page of the manual, made from the declarations of verbs and written as text for --help or as roff for man.
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/verb.h"

namespace mubody::cli {
/// A run of characters; man shows the fixed ones bold and the variable ones in italics.
struct Run {
  enum Style { plain, fixed, variable };
  Style style = plain;
  std::string text;
};
/// Runs that stay on one line.
using Piece = std::vector<Run>;

struct Synopsis {
  std::string command;  // "mubody run"
  std::vector<Piece> pieces;
};

struct OptionNote {
  std::string group;
  Piece head;  // "-o, --out FOLDER"
  std::string meaning;
};

using PageBlock = std::variant<std::string, Terms, Code, std::vector<Synopsis>, std::vector<OptionNote>>;

struct PageSection {
  std::string heading;
  std::vector<PageBlock> blocks;
};

struct Page {
  std::string name;      // "mubody run"
  std::string sentence;  // "run a model and write the results"
  std::vector<PageSection> sections;
};

/// The page of a verb.
Page page_of(const Verb&);
/// The page of the program.
Page page_of(std::span<const Verb>);

/// "mubody run MODEL [--out FOLDER] ...", from the declarations.
Synopsis synopsis_of(const Verb&);
/// "-o, --out FOLDER".
Piece head_of(const DeclaredOption&);
/// The runs without their styles.
std::string plain_text(const Piece&);

/// The page for a terminal, broken at `width` columns.
std::string text_of(const Page&, std::size_t width);
/// The page for man, in section 1.
std::string man_of(const Page&);
/// The answer to 'mubody' without words: every verb in one line.
std::string overview_of(std::span<const Verb>);
}  // namespace mubody::cli
