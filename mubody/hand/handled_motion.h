#pragma once
// A motion in which a hand may take hold of any point of any body, with a spring and a damper.
//
//   HandledMotion motion(study);
//   motion.take({.body = 2, .at = {0.1, 0, 0}, .target = {0.4, 0.3, 0}});
//   motion.simulation().advance(1.0 / 60);
//
//   F = k (target − P) − c Ṗ  at the point P                                            docs/theory/drag.md
#include <memory>
#include <optional>

#include "mubody/simulation/model.h"

namespace mubody {
/// What the hand holds, and where it is.
struct Hand {
  int body = ground;
  Vec<3> at = Vec<3>::Zero();                    // the point, in body axes [m]
  Vec<3> target = Vec<3>::Zero();                // the hand, in global axes [m]
  std::optional<double> stiffness{}, damping{};  // [N/m], [N s/m]; as suits the mechanism if they are left out
};

class HandledMotion {
 public:
  /// Throws ModelError as a Simulation does.
  explicit HandledMotion(const Study&);
  HandledMotion(HandledMotion&&) noexcept;
  ~HandledMotion();

  Simulation& simulation() { return *simulation_; }
  int dim() const { return dim_; }
  /// Takes hold, or moves the hand.  Throws ModelError if there is no such body.
  void take(const Hand&);
  void let_go();
  /// The force of the hand on its body [N].
  Vec<3> force();
  /// Positions in body coordinates, as in BodyLayout.
  std::vector<double> positions();
  /// Back to the start; the hand stays where it is.
  void reset();

 private:
  struct Grip;
  struct Force;
  void read_outputs();

  int dim_;
  std::shared_ptr<Grip> grip_;
  double mass_ = 0;  // of all bodies [kg]
  std::vector<std::string> bodies_;
  std::unique_ptr<Simulation> simulation_;
  std::optional<Snapshot> start_;
  std::vector<Output> coordinates_, forces_;
};
}  // namespace mubody
