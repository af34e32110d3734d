#pragma once
// Text of others where it means more than its letters: one function for each target.
//
// Names of bodies, units and messages come from files, which may come from strangers.  Whoever writes such a text calls
// the function of its target, so that no text can steer a terminal, begin a formula in a spreadsheet, or leave the
// string or comment that it stands in.
#include <string>
#include <string_view>

namespace mubody {
/// A terminal, on one line: what steers is shown as its number, \x1b or \u202e, and so are bytes that are not UTF-8.
std::string for_terminal(std::string_view text);
/// The same, with its line breaks.
std::string for_terminal_lines(std::string_view text);

/// A cell of a CSV file, in quotes if it needs them.  A spreadsheet takes text that begins with = + - @ or a tab for a
/// formula, unless an apostrophe comes first.
std::string for_csv(std::string_view text);
/// The text of a cell without the apostrophe that for_csv() puts before it.
std::string_view from_csv(std::string_view cell);

/// Text, or the value of an attribute in double quotes, in XML, SVG and HTML.  Characters that XML does not allow become U+FFFD.
std::string for_xml(std::string_view text);

/// The characters of a JSON string, without its quotes; bytes that are not UTF-8 become U+FFFD.
std::string for_json(std::string_view text);

/// A comment in C: one line that neither ends the comment nor begins one, nor goes on after its end.
std::string for_c_comment(std::string_view text);
/// The characters of a string literal in C, without its quotes.
std::string for_c_string(std::string_view text);
}  // namespace mubody
