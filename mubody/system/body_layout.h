#pragma once
// Where the numbers of each body lie in vectors of body coordinates, and what they mean: for those above the waist who
// keep such vectors.  The numbers of a body lie side by side, lengths first, then its orientation.
#include <span>
#include <vector>

#include "mubody/math/space.h"
#include "mubody/model/marker.h"

namespace mubody {
struct BodyLayout {
  explicit BodyLayout(int dim);

  static constexpr int most_coordinates = 7;
  int coordinates = 0, velocities = 0;  // numbers of one body in q and in u
  int lengths = 0;                      // how many of either are lengths or their rates
  double turning = 1;  // how much a body turns at most when one number of its orientation changes by 1 [rad]
  std::span<const char*const> coordinate_names, velocity_names;

  /// Numbers of angular velocity: one in the plane, three in space.
  int spins() const { return velocities - lengths; }
  /// The first number of a body; the ground, body 0, has none.
  int first_coordinate(int body) const { return coordinates * (body - 1); }
  int first_velocity(int body) const { return velocities * (body - 1); }

  // For one body, whose own numbers are given.
  Pose pose(const double* q) const;
  /// Removes round-off that the numbers themselves reveal.
  void tidy(double* q) const;
  /// The angle by which a small change of its numbers turns it [rad].
  double turn(const double* q, const double* change) const;
  /// Its twist at the global origin, angular part first, per unit of its velocities.
  MatX twist(const double* q) const;

  /// The pose of a body; the ground stands still.
  Pose pose(const In& q, int body) const;
  /// The displacement in the space of velocities that leads from a to b, without whole turns.
  VecX apart(const In& a, const In& b) const;
  /// Whether all bodies are at the same place and turned alike.  The tolerance is absolute for numbers up to 1, and
  /// relative beyond.
  bool same_place(const In& a, const In& b, double tolerance) const;

  /// What a closed motion adds to q: whole turns of angles, and −1 where Euler parameters come back negative.
  struct Round {
    std::vector<double> turns, sign;
  };
  Round round(const In& from, const In& to) const;
  /// Takes q back by a closed motion that leads from `from` to `to`.
  void take_back(const In& from, const In& to, Out q) const;

 private:
  bool in_plane() const { return lengths == 2; }
};
}  // namespace mubody
