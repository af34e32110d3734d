#include "mubody/hand/handled_motion.h"

#include <numbers>

#include <fmt/format.h>

#include "mubody/system/entries.h"
#include "mubody/system/force_group.h"
#include "mubody/system/recorded_elements.h"

namespace mubody {
struct HandledMotion::Grip {
  int body = ground;  // the ground: it holds nothing
  Vec<3> at = Vec<3>::Zero(), target = Vec<3>::Zero();
  double stiffness = 0, damping = 0;
};

/// The hand's force on one body, zero as long as it holds another one.
struct HandledMotion::Force {
  static constexpr Info info{"hand", "a hand that pulls a point of a body with a spring and a damper"};
  Marker i, j;
  std::shared_ptr<const Grip> grip;
  int body = ground;

  void fields(Fields& f) { f.required("j", j, "m", "the body"); }

  template <class F, class G, class N, class S> void apply(const F&, const G& j, const N&, S& sink) const {
    constexpr int D = F::dim;
    Vec<D> force = Vec<D>::Zero(), v = Vec<D>::Zero();
    Vec<spins<D>> moment = Vec<spins<D>>::Zero();
    if (grip->body == body) {
      const auto o = j.o(), x = j.x(), y = j.y();
      Vec<D> arm = grip->at.x() * x.x + grip->at.y() * y.x;
      v = o.v + grip->at.x() * x.v + grip->at.y() * y.v;
      if constexpr (D == 3) {
        const auto z = j.z();
        arm += grip->at.z() * z.x;
        v += grip->at.z() * z.v;
      }
      force = grip->stiffness * (grip->target.head<D>() - o.x - arm) - grip->damping * v;
      if constexpr (D == 3)
        moment = arm.cross(force);
      else
        moment[0] = arm.x() * force.y() - arm.y() * force.x();
    }
    sink.push(j, force, moment);
    sink.supplies([&] { return force.dot(v); });
    sink.reports("fx", "N", force[0]);
    sink.reports("fy", "N", force[1]);
    if constexpr (D == 3) sink.reports("fz", "N", force[2]);
  }
};

namespace {
// A letter that no name in a model file has.
std::string name_of_hand(const std::string& body) { return "hand: " + body; }
constexpr std::string_view axes[] = {"x", "y", "z"};
}  // namespace

HandledMotion::HandledMotion(const Study& study) : dim_(study.mechanism.dim), grip_(std::make_shared<Grip>()) {
  Model model(study);
  for (std::size_t k = 0; k < study.mechanism.bodies.size(); ++k) {
    const RigidBody& body = study.mechanism.bodies[k];
    bodies_.push_back(body.name);
    mass_ += body.mass;
    model.force(name_of_hand(body.name), Force{{}, {}, grip_, int(k) + 1}, Marker{}, Marker{int(k) + 1});
  }
  simulation_ = std::make_unique<Simulation>(model);
  start_ = simulation_->save();
  read_outputs();
}
HandledMotion::HandledMotion(HandledMotion&&) noexcept = default;
HandledMotion::~HandledMotion() = default;

void HandledMotion::read_outputs() {
  constexpr std::string_view plane[] = {"x", "y", "angle"}, space[] = {"x", "y", "z", "e0", "e1", "e2", "e3"};
  const std::span<const std::string_view> names = dim_ == 2 ? std::span<const std::string_view>(plane) : space;
  for (const std::string& body : bodies_) {
    for (const std::string_view name : names)
      coordinates_.push_back(simulation_->output(fmt::format("{}.{}", body, name)));
    for (int k = 0; k < dim_; ++k)
      forces_.push_back(simulation_->output(fmt::format("{}.f{}", name_of_hand(body), axes[k])));
  }
}

void HandledMotion::take(const Hand& hand) {
  if (hand.body <= ground || std::size_t(hand.body) > bodies_.size())
    throw ModelError(fmt::format("body {} cannot be held: bodies are 1 to {}", hand.body, bodies_.size()));
  // As stiff as lets the whole mechanism swing so often on it, and damped so that it hardly does.
  constexpr double frequency = 2, damping_ratio = 0.5;  // [Hz]
  const double omega = 2 * std::numbers::pi * frequency, mass = mass_ > 0 ? mass_ : 1;
  grip_->body = hand.body;
  grip_->at = hand.at;
  grip_->target = hand.target;
  grip_->stiffness = hand.stiffness.value_or(mass * omega * omega);
  grip_->damping = hand.damping.value_or(2 * damping_ratio * mass * omega);
}

void HandledMotion::let_go() { grip_->body = ground; }

Vec<3> HandledMotion::force() {
  Vec<3> sum = Vec<3>::Zero();
  if (grip_->body == ground) return sum;
  for (int k = 0; k < dim_; ++k)
    sum[k] = simulation_->value(forces_[std::size_t((grip_->body - 1) * dim_ + k)]);
  return sum;
}

std::vector<double> HandledMotion::positions() {
  std::vector<double> all;
  for (const Output& o : coordinates_) all.push_back(simulation_->value(o));
  return all;
}

void HandledMotion::reset() { simulation_->restore(*start_); }
}  // namespace mubody
