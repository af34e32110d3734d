#pragma once
// The distance of the bodies from their places in a reference.
//
//   docs/user/compare.md#error
//
// Coordinates and angles are compared as they are.  Orientations in space are Euler parameters, where e and −e
// mean the same; two of them that lie |e − e'| apart differ by a rotation of 4 asin(|e − e'|/2).
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mubody/results/results.h"

namespace mubody {
/// Unit of a channel that is a position by its name, "crank.x" or "crank.angle"; empty if it is none.
std::string_view unit_of_position(std::string_view channel);

/// The positions in these tables of the results, up to the first row that is not finite.
Table positions_of(const Results&, std::span<const std::string_view> tables);

struct PositionError {
  double length = 0, angle = 0;          // the largest over all times [m], [rad]
  double end_length = 0, end_angle = 0;  // at the last common time
  double until = 0;                      // the last common time [s]
  std::string worst;                     // channel or body where the largest number of all is found
  double at = 0;                         // and its time [s]

  double largest() const;  // [m or rad]
  double at_end() const;
};

/// The error over shared positions at common times; none if there are no such positions or times.
std::optional<PositionError> position_error(const Table& positions, const Table& reference);

/// The travel of the bodies: the difference between the largest and the smallest value of a position.
struct Travel {
  double length = 0, angle = 0;  // [m], [rad]
};
Travel travel_of(const Table& positions);
}  // namespace mubody
