#pragma once
// Translational spring, damper and actuator between two points.
//
//   Flores & Lankarani (2012), eqs. 128-134 (134 with its sign corrected)    docs/theory/forces.md#spring
//
//   d = o_i − o_j,  l = |d|,  F = k (l − l0) + c l̇ + f(t)       positive F pulls the two points together
//
// A law takes the place of k (l − l0): a table, a polynomial, an expression of length and rate.
//
// With l0 = 0 the elastic part is −k d, which needs no direction: the ends may coincide, and nothing is singular there.
// The damper acts along the line, and along the velocity where there is no line.
#include <array>
#include <utility>

#include "mubody/forces/elastic.h"
#include "mubody/recording/recorded_vectors.h"

namespace mubody {
struct Spring : Elastic {
  static constexpr Info info{"spring", "spring, damper and actuator between two points",
                             "damper spring_damper tsda linear_spring"};
  Marker i, j;
  std::optional<double> free_length;

  void fields(Fields& f) {
    f.required("i", i, "m", "a point of the first body");
    f.required("j", j, "m", "a point of the second body");
    f.optional("stiffness", stiffness, "N/m", "k", Usual::not_negative);
    f.optional("damping", damping, "N s/m", "c", Usual::not_negative);
    f.optional("free_length", free_length, "m", "l0", "as at the start");
    f.optional("law", law, "N", "force of the deflection l - l0, of length and rate; in place of k");
    f.optional("actuator", actuator, "N", "force added, a function of time; positive pulls");
  }
  void draw(Sketch& s) const {
    if (stiffness != 0 || law)
      s.tie(Sketch::Tie::spring);
    else if (damping != 0)
      s.tie(Sketch::Tie::damper);
    else
      s.strut(Sketch::Tie::cylinder);
    Sketch::Arrow& a = s.force({"force"});
    a.pulls = a.both = true;
  }
  void check() const {
    Elastic::check();
    require(!free_length || *free_length >= 0, "free_length", "must not be negative");
  }
  void start(const Pose& i, const Pose& j) {
    const double length = (i.at - j.at).norm();
    const bool apart = length > 1e-12 * (1 + i.at.norm());
    if (!free_length) free_length = apart ? length : 0;
    require(
        apart || is_isotropic(), "i",
        "the two ends of the spring coincide at the start, where a free length, a law or an actuator has no "
        "direction; place them apart, or leave these out for a spring of zero length");
  }
  /// Whether its force is a function of the vector between its ends alone, without a direction of its own.
  bool is_isotropic() const {
    const bool pulls = actuator.varies() || actuator.held() || actuator(0).x != 0;
    return *free_length == 0 && !law && !pulls;
  }

  std::optional<ScalarForm> scalars(int D) const {
    if (is_isotropic()) return isotropic_form(D);
    return scalar_form({Measure::distance, i, j, 0}, *free_length);
  }
  template <class F, class G, class N, class S>
  void apply(const F& i, const G& j, const N& now, S& sink) const {
    if (*free_length == 0 && !law) return pull_to_a_point(i.o() - j.o(), now, sink);
    const auto l = length(i.o() - j.o());
    const auto force = act(l, *free_length, now, sink);
    sink.reports("length", "m", l.x);
    sink.reports("rate", "m/s", l.v);
    sink.reports("force", "N", force);
  }

 private:
  /// The rate of the length of d, and the velocity along d, which is the whole of it where d has no length.
  template <int n, class R> static std::pair<R, Vec<n, R>> along_line(const Vec<n, R>& d, const Vec<n, R>& v) {
    const R l = d.norm();
    const auto is_point = l == R(0);
    const Vec<n, R> u = d / choose(is_point, R(1), l);
    const R rate = u.dot(v);
    Vec<n, R> along;
    for (int k = 0; k < n; ++k) along[k] = choose(is_point, v[k], rate * u[k]);
    return {choose(is_point, v.norm(), rate), along};
  }

  template <int n, int I, int J, class R, class N, class S>
  void pull_to_a_point(const Carried<n, I, J, R>& d, const N& now, S& sink) const {
    const auto [rate, v] = along_line<n, R>(d.x, d.v);
    const Vec<n, R> pull = R(stiffness) * d.x + R(damping) * v;
    [&]<int... K>(std::integer_sequence<int, K...>) { (sink.along(component<K>(d), -pull[K]), ...); }
    (std::make_integer_sequence<int, n>{});
    const R l = d.x.norm(), more = actuator(now.t).x;
    if (!is_nothing(more)) sink.along(length(d), -more);
    sink.stores([&] { return 0.5 * stiffness * l * l; });
    sink.dissipates([&, rate = rate] { return damping * rate * rate; });
    sink.supplies([&, rate = rate] { return -more * rate; });
    sink.reports("length", "m", l);
    sink.reports("rate", "m/s", rate);
    sink.reports("force", "N", stiffness * l + damping * rate + more);
  }

  /// The same in terms of the coordinates of j in the frame i, which are smooth where the ends meet.
  ScalarForm isotropic_form(int D) const {
    ScalarForm f;
    f.acts = D;
    for (int k = 0; k < D; ++k) f.sees.push_back({Measure::coordinate, i, j, k});
    f.acts_by([k = stiffness, c = damping, D]<class R>(const R* x, const R* v, const R&, R* F) {
      Vec<3, R> d = Vec<3, R>::Zero(), w = d;
      for (int n = 0; n < D; ++n) d[n] = x[n], w[n] = v[n];
      const Vec<3, R> along = along_line<3, R>(d, w).second;
      for (int n = 0; n < D; ++n) F[n] = -(k * d[n] + c * along[n]);
    });
    if (damping != 0)
      f.lost = [c = damping, D](const double* x, const double* v, double) {
        Vec<3> d = Vec<3>::Zero(), w = d;
        for (int n = 0; n < D; ++n) d[n] = x[n], w[n] = v[n];
        const double rate = along_line<3, double>(d, w).first;
        return c * rate * rate;
      };
    return f;
  }
};
}  // namespace mubody
