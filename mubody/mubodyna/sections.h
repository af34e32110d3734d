#pragma once
// The sections (a) to (q) of a MUBODYNA input file and the numbers on their lines.  Reader, writer and
// report share this table.
//
//   Flores (2010), MUBODYNA user's manual, sec. 5                                docs/user/mubodyna.md
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mubody::io::mubodyna {
/// What a number on a line may be.
enum class Kind {
  body,          // 1 to NB
  direction,     // 1, 2, 3: x, y, φ
  law,           // 1 to 4, see contact_laws
  method,        // 1 to 6, see integrators
  real,          // any number
  not_negative,  // zero or more
  positive,      // more than zero
  share          // from 0 to 1
};

struct Column {
  std::string_view name;  // as the manual has it
  Kind kind;
  std::optional<double> otherwise = {};  // if it may be left out, at the end of a line: its value then
};

/// How many numbers a line must have.
std::size_t needed(std::span<const Column>);

/// The numbers of section (a).
enum Count { NB, NIRJ, NCRJ, NTJ, NGB, NSC, NDC, NGC, NGD, NTS, NRS, NBEF, NFD, NPI, counts };
struct CountNote {
  std::string_view name, text;  // "NB", "Rigid bodies"
  std::string_view word;        // the word that identifies a line, in capitals
};
std::span<const CountNote, counts> count_notes();

struct Section {
  char letter;
  std::string_view title;              // with underscores
  std::string_view explanation;        // after the title
  std::vector<std::string_view> also;  // titles that the manual uses elsewhere
  std::string_view element;            // what a line describes, for messages
  Count count;                         // how many lines there are; `counts` if one or, in (a), fourteen
  std::vector<Column> columns;

  /// "(e) IDEAL_REVOLUTE_JOINTS".
  std::string label() const;
};
std::span<const Section> sections();
const Section& section(char letter);

/// The laws of section (g) by their flag, which counts from 1, as model files name them.
inline constexpr std::array<std::string_view, 4> contact_laws{"pinkus_sternlicht", "hertz",
                                                              "lankarani_nikravesh", "hunt_crossley"};
/// The methods of section (q) by their flag, which counts from 1, as model files name them.  Where the manual
/// leaves a choice between Adams and Gear, 4 is Adams and 5 Gear, so that each name has one number.
inline constexpr std::array<std::string_view, 6> integrators{"rk4",   "merson", "verner",
                                                             "adams", "bdf",    "shampine-gordon"};
/// Directions of constraints by their flag, which counts from 1.
inline constexpr std::array<std::string_view, 3> directions{"x", "y", "angle"};

/// The places of the numbers on lines that have many.
namespace at {
enum StartState { x, y, phi, xd, yd, phid };                      // (b)
enum Joint { i, j, xi_p_i, eta_p_i, xi_p_j, eta_p_j, r_i, r_j };  // (e), (f), (m)
enum Material { law, fric_i, rest_i, e_i, niu_i, fric_j, rest_j, e_j, niu_j, viscosity, length };  // (g)
enum Guide { xi_q_i = 4, eta_q_i, slider_xi, slider_eta };        // (h), after eta_p_i
enum Driver { direction = 1, position, velocity, acceleration };  // (j), (k), (l)
enum Spring { k = 6, d, fa, l0 };                                 // (m), after eta_p_j
enum Time { start, end, step, method, alpha, beta };              // (q)
}  // namespace at
}  // namespace mubody::io::mubodyna
