#pragma once
// Loops as joints: bodies that follow a few variables, relative to the body that carries them.
//                                                                     docs/theory/loops-as-joints.md
//
//   r = r_c + A_c d(s),   A = A_c R(s)        of a body, with r_c and A_c of the body that carries it
//   V = V_c at r + (A_c b(s), A Ω(s)) ṡ       so that the columns of tree.h are (A_c b, A Ω), with B = (b, Ω)
//   V̇ without s̈                               as of any moving frame, with (∂B/∂s ṡ) ṡ for the motion within it
//
// Such a part stands in the tree of joint coordinates as a joint with several bodies.  What d, R and B are is said by
// somebody else: the tables of a precomputed model, for example.
#include <memory>
#include <string>
#include <vector>

#include "mubody/math/space.h"

namespace mubody {
/// The functions d, R and B of a part.
class FollowingMap {
 public:
  virtual ~FollowingMap() = default;
  /// The numbers of work space that at() needs.
  virtual std::size_t scratch() const = 0;
  /// Writes, for each body: its coordinates relative to the body that carries it, as those of body coordinates; a column
  /// of B for each of its own variables, with velocities in axes of the carrier and angular velocities in its own, as body
  /// coordinates have them; (∂B/∂s ṡ) ṡ likewise.
  virtual void at(const double* s, const double* rate, double* out, double* scratch) const = 0;
  /// The variables and their rates at body coordinates of the whole mechanism whose joints are closed.
  virtual void read(const In& q, const In& u, double* s, double* rate) const = 0;
  /// Why the values of variables cannot be followed; empty if they can.
  virtual std::string out_of_range(const double* s) const = 0;
};

struct FollowingPart {
  int carrier = 0;  // the body that carries it
  struct Variable {
    std::string name, unit;
    bool turn = false;
  };
  std::vector<Variable> variables;
  struct Follower {
    int body = 0;
    std::vector<int> variables;  // those that move it
  };
  std::vector<Follower> bodies;
  std::vector<int> joints;  // that the functions keep closed
  std::shared_ptr<const FollowingMap> map;
};
}  // namespace mubody
