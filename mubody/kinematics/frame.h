#pragma once
// A marker as a joint sees it: where its origin is and where its axes point, carried by body i or body j.
//
// The formulation answers the two questions behind it (where is the origin of the body, where does the body
// carry this arm); see formulations/.  Only requested quantities are computed.
#include <array>

#include "mubody/kinematics/carried.h"
#include "mubody/math/memory.h"
#include "mubody/model/marker.h"

namespace mubody {
/// Which of the two bodies of an element carries something.
enum class Side { i, j };

/// A marker prepared for evaluation: body index, origin and axes in body axes.
template <int D> struct Mount {
  int body = ground;
  Vec<D> at = Vec<D>::Zero();
  Eigen::Matrix<double, D, D> axes = Eigen::Matrix<double, D, D>::Identity();
  double angle = 0;  // angle of the x axis, in the plane

  Mount() = default;
  explicit Mount(const Marker& m)
      : body(m.body), at(m.at.head<D>()), axes(m.turn.toRotationMatrix().topLeftCorner<D, D>()),
        angle(angle_about_z(m.turn)) {}
};

/// The angles of an element.  Where orientations have no angle among their coordinates, this is how turns are counted:
/// an angle is the one nearest to its linear continuation from the last accepted step.
class Turns {
 public:
  /// Called before an evaluation at time t.
  void aim(double t) const {
    for (std::size_t k = 0; k < 3; ++k) {
      expected_[k] = without_doubt(last_[k] + rate_[k] * (t - t_));
    }
  }
  template <class S> S count(std::size_t k, const S& angle) const {
    const S s = nearest(angle, expected_[k]);
    now_[k] = s.x;
    now_rate_[k] = s.v;
    return s;
  }
  /// Takes the evaluation at time t as an accepted state.
  void accept(double t) {
    last_ = now_;
    rate_ = now_rate_;
    t_ = t;
  }
  void memory(Memory& m) { m(last_, rate_, t_); }
  /// One of three successive angles jumps by half a turn where the second passes a right angle; it goes to and fro, and
  /// round-off does not decide about its direction.
  template <class R> static R without_doubt(const R& next) {
    return choose(next > R(quarter), next - little, next + little);
  }

 private:
  static constexpr double quarter = 1.5707963267948966, little = 1e-6;  // [rad]
  std::array<double, 3> last_{}, rate_{};
  double t_ = 0;
  mutable std::array<double, 3> expected_{}, now_{}, now_rate_{};  // values of the present evaluation
};

/// How turns are counted with a scalar.
template <class R> struct Counting;
template <> struct Counting<double> { using Turns = mubody::Turns; };
template <class R> using TurnsOf = typename Counting<R>::Turns;

template <class Formulation, Side S> struct Frame {
  static constexpr int dim = Formulation::dim;
  static constexpr int columns = Formulation::columns;
  static constexpr bool polynomial = Formulation::polynomial;
  static constexpr Side side = S;
  using BodyState = typename Formulation::BodyState;

  using Real = typename Formulation::Real;
  using Turns = TurnsOf<Real>;

  const BodyState& body;
  const Vec<dim>& at;  // as in the mount, which is not read where no axes are needed
  const Mount<dim>& mount;
  const Turns& turns;

  Frame(const BodyState& on, const Mount<dim>& m, const Turns& t) : Frame(on, m.at, m, t) {}
  Frame(const BodyState& on, const Vec<dim>& origin, const Mount<dim>& m, const Turns& t)
      : body(on), at(origin), mount(m), turns(t) {}

  MUBODY_INLINE auto o() const { return Formulation::template point<S>(body, at); }
  MUBODY_INLINE auto x() const { return axis<0>(); }
  MUBODY_INLINE auto y() const { return axis<1>(); }
  MUBODY_INLINE auto z() const requires(dim == 3) { return axis<2>(); }
  template <int K> MUBODY_INLINE auto axis() const {
    return Formulation::template arm<S>(body, Vec<dim>(mount.axes.col(K)));
  }
  /// The angle of the x axis, counted over turns; only where bodies have one.
  auto angle() const requires requires { Formulation::template angle<S>(body, 0.0); }
  { return Formulation::template angle<S>(body, mount.angle); }
};

/// A marker on the ground, as body i.
template <class Formulation> struct GroundFrame {
  static constexpr int dim = Formulation::dim;
  static constexpr int columns = Formulation::columns;
  static constexpr bool polynomial = Formulation::polynomial;
  static constexpr Side side = Side::i;
  using Real = typename Formulation::Real;
  using Turns = TurnsOf<Real>;

  const Vec<dim>& at;
  const Mount<dim>& mount;
  const Turns& turns;

  MUBODY_INLINE Still<dim, Real> o() const { return {at.template cast<Real>()}; }
  MUBODY_INLINE Still<dim, Real> x() const { return axis<0>(); }
  MUBODY_INLINE Still<dim, Real> y() const { return axis<1>(); }
  MUBODY_INLINE Still<dim, Real> z() const requires(dim == 3) { return axis<2>(); }
  template <int K> MUBODY_INLINE Still<dim, Real> axis() const {
    return {mount.axes.col(K).template cast<Real>()};
  }
  Real angle() const requires requires { Formulation::template angle<Side::i>({}, 0.0); }
  { return mount.angle; }
};

/// True where bodies have angles that count turns: the plane.
template <class F> inline constexpr bool has_angle = requires(const F& f) { f.angle(); };

/// An angle in (−π, π] made to count turns; an element has three such.
template <int K, class F, class S> S counted(const F& frame, const S& angle) {
  return frame.turns.count(K, angle);
}
}  // namespace mubody
