#include "cli/page.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "mubody/text/write_aligned.h"

namespace mubody::cli {
namespace {
constexpr std::array shelves{Shelf::everyday, Shelf::study, Shelf::files, Shelf::program};

Run fixed(std::string text) { return {Run::fixed, std::move(text)}; }
Run variable(std::string text) { return {Run::variable, std::move(text)}; }
Run plain(std::string text) { return {Run::plain, std::move(text)}; }

// " FOLDER", " [FILE]", " text|json".
Piece value_of(const DeclaredOption& o) {
  if (!o.takes_value()) return {};
  // Choices are typed literally.
  const Run value = o.choices.empty() ? variable(o.value) : fixed(o.value);
  if (o.kind == DeclaredOption::with_or_without_value) return {plain(" ["), value, plain("]")};
  return {plain(" "), value};
}

void append(Piece& piece, const Piece& more) { piece.insert(piece.end(), more.begin(), more.end()); }

// "--time TIME", or with dependent options "--report-text FILE [--every N] [--full]".
Piece inner_piece(const DeclaredOption& o, const std::vector<DeclaredOption>& all) {
  Piece piece{fixed(o.name)};
  append(piece, value_of(o));
  for (const DeclaredOption& other : all) {
    if (other.with != o.name) continue;
    piece.push_back(plain(" ["));
    append(piece, inner_piece(other, all));
    piece.push_back(plain("]"));
  }
  return piece;
}

Piece option_piece(const DeclaredOption& o, const std::vector<DeclaredOption>& all) {
  Piece piece = inner_piece(o, all);
  for (const DeclaredOption& other : all) {
    if (other.instead != o.name) continue;
    piece.push_back(plain(" | "));
    append(piece, inner_piece(other, all));
  }
  if (!o.required) {
    piece.insert(piece.begin(), plain("["));
    piece.push_back(plain("]"));
  }
  if (o.repeats && !o.list) piece.push_back(plain("..."));
  return piece;
}

// Optional arguments can be left out from the end only: "[CATEGORY [NAME]]".
Piece argument_pieces(const std::vector<DeclaredOption>& all) {
  Piece piece;
  std::size_t open = 0;
  for (const DeclaredOption& o : all) {
    if (o.kind != DeclaredOption::argument) continue;
    if (!piece.empty()) piece.push_back(plain(" "));
    if (!o.required || !o.unless.empty()) ++open, piece.push_back(plain("["));
    piece.push_back(o.choices.empty() ? variable(o.name) : fixed(o.value));
    if (o.repeats) piece.push_back(plain("..."));
  }
  if (open > 0) piece.push_back(plain(std::string(open, ']')));
  return piece;
}

OptionNote note_of(const DeclaredOption& o) { return {o.group, head_of(o), o.meaning}; }

// --help comes before the options that stand under headings.
std::vector<OptionNote> notes_of(const Verb& verb) {
  std::vector<OptionNote> notes;
  for (const DeclaredOption& o : verb.options) notes.push_back(note_of(o));
  notes.insert(std::ranges::find_if(notes, [](const OptionNote& n) { return !n.group.empty(); }),
               note_of({{.name = "--help", .letter = 'h', .meaning = "this text"}, DeclaredOption::on_or_off}));
  return notes;
}

Terms terms_of(const std::vector<ExitNote>& exits) {
  Terms terms;
  for (const ExitNote& e : exits) terms.push_back({fmt::format("{}", int(e.code)), e.meaning});
  return terms;
}

std::vector<PageBlock> blocks_of(const std::vector<Block>& blocks) {
  std::vector<PageBlock> all;
  for (const Block& block : blocks) std::visit([&](const auto& b) { all.emplace_back(b); }, block);
  return all;
}

std::vector<PageSection> closing_sections(std::span<const Verb> verbs) {
  const std::string pendulum = R"(gravity = [0, -9.81]

[bodies]
rod = {mass = 1, inertia = 0.0833, position = [0.5, 0]}

[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}

[analysis]
end = 10)";
  std::string others;
  for (const Verb& verb : verbs)
    others += fmt::format("{}mubody-{}(1)", others.empty() ? "" : ", ", verb.manual.name);
  std::vector<ExitNote> exits = exits_of_runs();
  exits[wrong_input].meaning =
      "wrong usage, the model is invalid, or two results cannot be compared; nothing is written";
  return {{"EXIT CODES", {terms_of(exits)}},
          {"ENVIRONMENT", {Terms{{"NO_COLOR", "if set, no colours"}}}},
          {"EXAMPLE",
           {std::string("A pendulum, in pendulum.toml:"), Code{pendulum},
            std::string("What it is, and its motion:"),
            Code{"mubody check pendulum.toml\nmubody run pendulum.toml"}}},
          {"SEE ALSO", {others}}};
}
}  // namespace

std::string heading(Shelf shelf) {
  switch (shelf) {
    case Shelf::everyday: return "Run a model and look at it";
    case Shelf::study: return "Study a mechanism or a method";
    case Shelf::files: return "Turn a model into something else";
    case Shelf::program: return "Ask the program";
  }
  return {};
}

std::vector<ExitNote> exits_of_runs() {
  return {{done, "done"},
          {failed, "a file or folder that cannot be written, too little memory, or an internal error"},
          {wrong_input, "wrong usage, or the model is invalid; nothing is written"},
          {not_assembled, "the mechanism cannot be assembled; nothing is written"},
          {solver_failed,
           "the solver failed, the motion left its branch, or the limit of CPU time was reached; results are "
           "kept once the motion has begun"},
          {inaccurate, "the answer cannot be trusted, or misses the 'accuracy' asked for; results are kept"},
          {interrupted, "interrupted by Ctrl-C; results up to there are kept"},
          {terminated, "ended by SIGTERM; results up to there are kept"}};
}

Piece head_of(const DeclaredOption& o) {
  Piece head;
  if (o.kind == DeclaredOption::argument) return {variable(o.name)};
  if (o.letter) head = {fixed(std::string("-") + o.letter), plain(", ")};
  head.push_back(fixed(o.name));
  append(head, value_of(o));
  return head;
}

std::string plain_text(const Piece& piece) {
  std::string text;
  for (const Run& run : piece) text += run.text;
  return text;
}

Synopsis synopsis_of(const Verb& verb) {
  Synopsis synopsis{"mubody " + verb.manual.name, {}};
  if (Piece arguments = argument_pieces(verb.options); !arguments.empty())
    synopsis.pieces.push_back(std::move(arguments));
  for (const DeclaredOption& o : verb.options)
    if (o.kind != DeclaredOption::argument && o.with.empty() && o.instead.empty())
      synopsis.pieces.push_back(option_piece(o, verb.options));
  return synopsis;
}

Page page_of(const Verb& verb) {
  const Manual& m = verb.manual;
  Page page{"mubody " + m.name, m.sentence, {}};
  page.sections.push_back({"SYNOPSIS", {std::vector{synopsis_of(verb)}}});
  page.sections.push_back({"DESCRIPTION", blocks_of(m.description)});
  page.sections.push_back({"OPTIONS", {notes_of(verb)}});
  page.sections.push_back({"EXIT CODES", {terms_of(m.exits)}});
  if (!m.files.empty()) page.sections.push_back({"FILES", blocks_of(m.files)});
  page.sections.push_back({"EXAMPLES", {Code{fmt::format("{}", fmt::join(m.examples, "\n"))}}});
  return page;
}

Page page_of(std::span<const Verb> verbs) {
  Page page{"mubody", "multibody dynamics from a text file, in the plane and in space", {}};
  std::vector<Synopsis> synopses;
  for (const Verb& verb : verbs) synopses.push_back(synopsis_of(verb));
  synopses.push_back({"mubody --version", {}});
  synopses.push_back({"mubody", {{plain("["), variable("VERB"), plain("] "), fixed("--help")}}});
  page.sections.push_back({"SYNOPSIS", {synopses}});

  PageSection description{"DESCRIPTION",
                          {std::string(R"(A model is a TOML file with bodies, joints, drivers, forces and
            what to compute, or an input file of MUBODYNA; its contents decide which. A folder stands for
            the model.toml or model.mub in it. Results go to files and stdout, progress and errors to
            stderr.)")}};
  for (const Shelf shelf : shelves) {
    Terms terms;
    for (const Verb& verb : verbs)
      if (verb.manual.shelf == shelf) terms.push_back({verb.manual.name, verb.manual.sentence});
    description.blocks.emplace_back(heading(shelf) + ":");
    description.blocks.emplace_back(std::move(terms));
  }
  page.sections.push_back(std::move(description));
  std::vector<OptionNote> options;
  options.push_back(
      note_of({{.name = "--help", .letter = 'h', .meaning = "this text; after a verb, that of the verb"},
               DeclaredOption::on_or_off}));
  options.push_back(note_of({{.name = "--version", .meaning = "the version"}, DeclaredOption::on_or_off}));
  page.sections.push_back({"OPTIONS", {options}});
  for (PageSection& section : closing_sections(verbs)) page.sections.push_back(std::move(section));
  return page;
}

std::string overview_of(std::span<const Verb> verbs) {
  std::string text =
      "mubody simulates mechanisms: from bodies, joints and forces in a text file to motion and reactions.\n";
  std::vector<io::TextRow> rows;
  for (const Shelf shelf : shelves)
    for (const Verb& verb : verbs)
      if (verb.manual.shelf == shelf)
        rows.push_back(
            {fmt::format("mubody {} {}", verb.manual.name, plain_text(argument_pieces(verb.options))),
             verb.manual.sentence});
  rows.push_back({"mubody --help", "show the manual"});
  return text + "\n" + io::aligned(rows, 0, "  ");
}
}  // namespace mubody::cli
