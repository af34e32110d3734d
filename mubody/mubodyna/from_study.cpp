#include "mubody/mubodyna/from_study.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "mubody/contact/friction/modified_coulomb.h"
#include "mubody/contact/laws/hunt_crossley.h"
#include "mubody/forces/journal_bearing.h"
#include "mubody/forces/moment.h"
#include "mubody/forces/point_force.h"
#include "mubody/forces/spring.h"
#include "mubody/forces/time_series.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/functions/constant.h"
#include "mubody/functions/polynomial.h"
#include "mubody/functions/spline.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/coordinate.h"
#include "mubody/joints/fixed.h"
#include "mubody/joints/revolute.h"
#include "mubody/joints/translational.h"
#include "mubody/mubodyna/guide_line.h"
#include "mubody/mubodyna/to_model.h"
#include "mubody/simulation/begin.h"
#include "mubody/treatments/baumgarte.h"
#include "mubody/treatments/standard.h"

namespace mubody::io::mubodyna {
namespace {
template <class K> const K* as(const Function& f) {
  const auto* of = dynamic_cast<const Function::Of<K>*>(&f.kind());
  return of ? &of->k : nullptr;
}
template <class J> const J* as(const AnyJoint& joint) {
  const auto* of = dynamic_cast<const JointOf<J>*>(&joint);
  return of ? &of->joint : nullptr;
}
template <class F> const F* as(const AnyForce& force) {
  const auto* of = dynamic_cast<const ForceOf<F>*>(&force);
  return of ? &of->force : nullptr;
}

std::optional<double> constant(const Function& f) {
  if (const auto* c = as<Constant>(f)) return c->value;
  return {};
}
std::optional<double> constant(const Signal& s) {
  return s.depends_on_state() ? std::nullopt : constant(s.function_of_time());
}
bool at_origin(const Marker& m) { return m.at.isZero(0); }
double turn_of(const Marker& m) { return angle_about_z(m.turn); }

class Translator {
 public:
  explicit Translator(const Study& study) : study_(study), mechanism_(study.mechanism) {}

  Translation make() {
    if (mechanism_.dim != 2)
      throw ModelError(mechanism_.bodies.front().place,
                       fmt::format("the model '{}' is spatial: MUBODYNA models are planar", mechanism_.name));
    if (!mechanism_.signals.empty())
      throw ModelError(mechanism_.signals.front().place,
                       fmt::format("'{}': MUBODYNA has no signals", mechanism_.signals.front().name));
    const Begun b = begin(study_, "convert");
    if (!b.results.outcome) throw ModelError(b.results.outcome.place, b.results.outcome.why);
    file_.path = mechanism_.name;
    file_.title = mechanism_.name;
    std::ranges::replace_if(
        file_.title, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    first_ = uses_ground() ? 2 : 1;
    add_bodies(b.q, b.u);
    for (const auto& joint : mechanism_.joints) add_joint(joint);
    for (const auto& force : mechanism_.forces) add_force(force);
    for (const Point& p : mechanism_.points)
      file_['p'].push_back({0, {number(p.marker.body), p.marker.at.x(), p.marker.at.y()}, p.name});
    add_times();
    number_constraints();
    return std::move(out_);
  }

 private:
  void refuse(const Place& place, std::string what) { out_.left_out.push_back({place, std::move(what)}); }

  template <class T> bool on_ground(const Named<T>& e) const {
    return e.what->i().body == ground || e.what->j().body == ground;
  }
  // Elements on one body name the ground as their other body, but do not need it.
  bool uses_ground() const {
    const auto joins = [&](const Named<AnyJoint>& j) {
      return on_ground(j) && (as<Revolute>(*j.what) || as<Translational>(*j.what));
    };
    const auto pulls = [&](const Named<AnyForce>& f) {
      return on_ground(f) && (as<Spring>(*f.what) || as<TorsionSpring>(*f.what) || as<JournalBearing>(*f.what));
    };
    // A body fixed in the origin would be read as the ground if no other body were the ground.
    const auto hides = [&](const Named<AnyJoint>& j) {
      if (!on_ground(j) || !as<Fixed>(*j.what)) return false;
      const RigidBody& b = mechanism_.bodies[std::size_t(std::max(j.what->i().body, j.what->j().body) - 1)];
      return b.start.at.isZero(0) && b.start.angle == 0 && b.velocity.isZero(0) && b.omega.isZero(0);
    };
    return std::ranges::any_of(mechanism_.joints, joins) || std::ranges::any_of(mechanism_.joints, hides) ||
           std::ranges::any_of(mechanism_.forces, pulls) ||
           std::ranges::any_of(mechanism_.points, [](const Point& p) { return p.marker.body == ground; });
  }

  /// The number of a body in the file.
  double number(int body) const { return body == ground ? 1 : body - 1 + first_; }
  Row& row(char letter, int body) { return file_[letter][static_cast<std::size_t>(number(body) - 1)]; }
  const Row& row(char letter, int body) const {
    return file_[letter][static_cast<std::size_t>(number(body) - 1)];
  }

  void add_bodies(const VecX& q, const VecX& u) {
    if (first_ == 2) {
      file_['b'].push_back({0, std::vector<double>(6, 0), "ground"});
      file_['c'].push_back({0, {1, 1}});
      file_['d'].push_back({0, {0, 0, 0}});
      file_['i'].push_back({0, {1}});
    }
    for (std::size_t k = 0; k < mechanism_.bodies.size(); ++k) {
      const RigidBody& body = mechanism_.bodies[k];
      const auto at = static_cast<Eigen::Index>(3 * k);
      file_['b'].push_back({0, {q[at], q[at + 1], q[at + 2], u[at], u[at + 1], u[at + 2]}, body.name});
      file_['c'].push_back({0, {body.mass, body.inertia(2, 2)}});
      const Vec<3> weight = body.mass * mechanism_.gravity;
      file_['d'].push_back({0, {weight.x(), weight.y(), 0}});
    }
  }

  void add_joint(const Named<AnyJoint>& joint) {
    const std::string what =
        fmt::format("{} '{}' ({})", joint.driver ? "driver" : "joint", joint.name, joint.what->info().name);
    const std::string why = said(joint);
    if (!why.empty()) refuse(joint.place, what + ": " + why);
  }

  void add(char letter, const std::string& name, std::vector<double> values) {
    file_[letter].push_back({0, std::move(values), name});
    order_.push_back({letter, file_[letter].size() - 1});
  }

  // Adds the joint, or returns why that is not possible.
  std::string said(const Named<AnyJoint>& joint) {
    const Marker &i = joint.what->i(), &j = joint.what->j();
    if (joint.what->friction) return "MUBODYNA knows no friction that sticks";
    if (as<Revolute>(*joint.what)) {
      add('e', joint.name, {number(i.body), number(j.body), i.at.x(), i.at.y(), j.at.x(), j.at.y()});
      return "";
    }
    if (as<Translational>(*joint.what)) {
      const auto angle = [&](int body) { return body == ground ? 0 : row('b', body)[at::phi]; };
      const auto q = second_point(i, j, angle(i.body), angle(j.body));
      if (!q) return "the slider is turned against its line: MUBODYNA has no angle for that";
      add('h', joint.name,
          {number(i.body), number(j.body), i.at.x(), i.at.y(), q->x(), q->y(), j.at.x(), j.at.y()});
      return "";
    }
    if (as<Fixed>(*joint.what)) {
      if (i.body != ground && j.body != ground) return "MUBODYNA fixes bodies to the ground only";
      add('i', joint.name, {number(i.body == ground ? j.body : i.body)});
      return "";
    }
    if (const auto* c = as<Coordinate>(*joint.what)) {
      const int direction = c->coordinate.index == 3 ? 3 : c->coordinate.index + 1;
      if (!at_origin(j) && direction < 3) return "MUBODYNA gives coordinates of centres of mass only";
      if (turn_of(j) != 0 && direction == 3) return "MUBODYNA gives angles of body axes only";
      return coordinate(joint.name, j.body, direction, *c->value);
    }
    if (const auto* a = as<Angle>(*joint.what)) {
      if (i.body != ground || turn_of(i) != 0 || turn_of(j) != 0)
        return "MUBODYNA gives angles of body axes as seen from the ground only";
      return coordinate(joint.name, j.body, 3, *a->value);
    }
    return "MUBODYNA has no such joint";
  }

  std::string coordinate(const std::string& name, int body, int direction, const Function& f) {
    const double start = row('b', body)[direction - 1];
    if (const auto value = constant(f)) {
      if (*value == start)
        add('j', name, {number(body), double(direction)});
      else
        add('k', name, {number(body), double(direction), *value, 0, 0});
      return "";
    }
    if (const auto* p = as<Polynomial>(f)) {
      if (p->coefficients.size() > 3) return "value: MUBODYNA knows polynomials up to the second degree";
      if (p->start != 0) return "value: start: the time of MUBODYNA's polynomials counts from zero";
      const auto c = [&](std::size_t k) { return k < p->coefficients.size() ? p->coefficients[k] : 0; };
      add('k', name, {number(body), double(direction), c(0), c(1), 2 * c(2)});
      return "";
    }
    if (const auto* s = as<Spline>(f)) {
      if (s->interpolation.index != 0)
        return fmt::format("value: interpolation: MUBODYNA has splines, and no {} curves",
                           s->interpolation.word());
      if (s->ends.index != 0)
        return fmt::format("value: ends: MUBODYNA's splines are natural, not {}", s->ends.word());
      const std::vector<double>& values = s->data.columns[static_cast<std::size_t>(s->column)];
      if (!add_columns(file_.guiding_data, s->data.columns[0], {&values}))
        return "value: its times differ from those of another spline: MUBODYNA has one table for all";
      add('l', name, {number(body), double(direction)});
      return "";
    }
    return fmt::format("value: MUBODYNA has no function of time '{}'", f.kind().info().name);
  }

  // Adds columns beside the present ones; returns false if the times differ.
  static bool add_columns(Rows& rows, const std::vector<double>& times,
                          const std::vector<const std::vector<double>*>& columns) {
    if (rows.empty())
      for (const double t : times) rows.push_back({0, {t}});
    if (!std::ranges::equal(rows, times, {}, [](const Row& r) { return r[0]; })) return false;
    for (std::size_t k = 0; k < rows.size(); ++k)
      for (const auto* column : columns) rows[k].values.push_back((*column)[k]);
    return true;
  }

  void add_force(const Named<AnyForce>& force) {
    const std::string why = said(force);
    if (!why.empty())
      refuse(force.place, fmt::format("force '{}' ({}): {}", force.name, force.what->info().name, why));
  }

  std::string said(const Named<AnyForce>& force) {
    const Marker &i = force.what->i(), &j = force.what->j();
    if (const auto* f = as<PointForce>(*force.what)) {
      const auto x = constant(f->force[0]), y = constant(f->force[1]);
      if (!x || !y) return "force: MUBODYNA's forces at the centre of mass are constant";
      if (f->axes.index != 0) return "axes: MUBODYNA's forces have global directions";
      if (!at_origin(j)) return "at: MUBODYNA's constant forces act at the centre of mass";
      row('d', j.body).values[0] += *x;
      row('d', j.body).values[1] += *y;
      return "";
    }
    if (const auto* m = as<Moment>(*force.what)) {
      const auto value = constant(m->moment);
      if (!value) return "moment: MUBODYNA's moments are constant";
      if (j.body != ground) row('d', j.body).values[2] += *value;
      if (i.body != ground) row('d', i.body).values[2] -= *value;
      return "";
    }
    if (const auto* s = as<Spring>(*force.what)) {
      const auto pull = constant(s->actuator);
      if (s->law) return "law: MUBODYNA's springs are linear";
      if (!pull) return "actuator: MUBODYNA's actuators are constant";
      file_['m'].push_back({0,
                            {number(i.body), number(j.body), i.at.x(), i.at.y(), j.at.x(), j.at.y(),
                             s->stiffness, s->damping, *pull, *s->free_length},
                            force.name});
      return "";
    }
    if (const auto* s = as<TorsionSpring>(*force.what)) {
      const auto pull = constant(s->actuator);
      if (s->law) return "law: MUBODYNA's springs are linear";
      if (!pull || *pull != 0) return "actuator: MUBODYNA's rotational springs have none";
      if (s->stiffness != 0 && (*s->free_angle != 0 || turn_of(i) != 0 || turn_of(j) != 0))
        return "free_angle: MUBODYNA's rotational springs are relaxed where both bodies have the same angle; "
               "give free_angle = 0";
      file_['n'].push_back({0, {number(i.body), number(j.body), s->stiffness, s->damping}, force.name});
      return "";
    }
    if (const auto* s = as<TimeSeries>(*force.what)) {
      if (s->point.index != 1)
        return "point: MUBODYNA's external forces act at global points: point = \"global\"";
      if (s->interpolation.index != 0)
        return fmt::format("interpolation: MUBODYNA has splines, and no {} curves", s->interpolation.word());
      if (s->ends.index != 0)
        return fmt::format("ends: MUBODYNA's splines are natural, not {}", s->ends.word());
      const auto& c = s->data.columns;
      if (!add_columns(file_.force_data, c[0], {&c[1], &c[2], &c[3], &c[4]}))
        return "data: its times differ from those of another force: MUBODYNA has one table for all";
      file_['o'].push_back({0, {number(j.body)}, force.name});
      return "";
    }
    if (const auto* b = as<JournalBearing>(*force.what)) return add_clearance(*b, force.name);
    return "MUBODYNA has no such force";
  }

  // Adds a joint to the sections (f) and (g).
  std::string add_clearance(const JournalBearing& b, const std::string& name) {
    ContactLaw law = b.law;
    const Material i = b.materials.i, j = b.materials.j();
    const auto flag = std::ranges::find(contact_laws, law->info().name);
    const auto* hysteretic = dynamic_cast<const ContactLaw::Of<LankaraniNikravesh>*>(&*law);
    const auto* hunt = dynamic_cast<const ContactLaw::Of<HuntCrossley>*>(&*law);
    const double usual_slowest = HuntCrossley{}.slowest;
    double kind = double(flag - std::ranges::begin(contact_laws)) + 1, friction = 0, viscosity = 0, length = 1;
    const double restitution = hysteretic ? hysteretic->k.restitution : hunt ? hunt->k.restitution : 1;
    if (b.lubricant) {
      kind = 1;
      viscosity = b.lubricant->viscosity;
      length = b.lubricant->length;
      if (b.lubricant->dry_below != 0)
        return "lubricant: dry_below: MUBODYNA's films have no dry limit; give 0";
    } else if (flag == std::ranges::end(contact_laws)) {
      return fmt::format("law: MUBODYNA has no '{}'", law->info().name);
    } else if (law->elastic_part().exponent != ElasticPart::hertzian) {
      return "law: exponent: MUBODYNA's is 1.5";
    } else if (const double slowest = hysteretic ? hysteretic->k.slowest
                                      : hunt     ? hunt->k.slowest
                                                 : usual_slowest;
               slowest != usual_slowest) {
      return "law: slowest: MUBODYNA knows no such limit";
    } else if (i.poisson < 0 || j.poisson < 0) {
      return "materials: poisson: MUBODYNA takes 0 to 0.5";
    } else if (*law->elastic_part().stiffness != hertz_stiffness(b.pair.relative_radius(), i, j)) {
      return "law: stiffness: MUBODYNA takes it from the materials";
    }
    if (b.friction) {
      const auto* coulomb = dynamic_cast<const Friction::Of<ModifiedCoulomb>*>(&**b.friction);
      const ModifiedCoulomb usual;
      if (!coulomb || coulomb->k.none != usual.none || coulomb->k.full != usual.full)
        return "friction: MUBODYNA knows a coefficient only";
      friction = coulomb->k.mu;
    }
    file_['f'].push_back({0,
                          {number(b.i.body), number(b.j.body), b.i.at.x(), b.i.at.y(), b.j.at.x(), b.j.at.y(),
                           b.pair.radius_i, b.pair.radius_j},
                          name});
    file_['g'].push_back({0,
                          {kind, friction, restitution, i.young, i.poisson, friction, restitution, j.young,
                           j.poisson, viscosity, length}});
    return "";
  }

  void add_times() {
    const AnalysisOptions& a = study_.analysis;
    const auto cannot = [&](const std::string& what) {
      refuse(Place{mechanism_.bodies.front().place.file}, what);
    };
    const OutputOptions& o = study_.output;
    if (!a.type->facts().integrates)
      cannot(fmt::format("analysis: type: MUBODYNA does forward analyses, not {} ones", a.type->info().name));
    const auto method = std::ranges::find(integrators, a.integrator);
    if (method == integrators.end())
      cannot(fmt::format("analysis: integrator: MUBODYNA has no '{}', only {}", a.integrator,
                         one_of(integrators)));
    const IntegratorEntry* kind = find_integrator(a.integrator);
    const bool adaptive = kind && kind->adaptive;
    const StepControl usual;
    if (adaptive && a.control.step)
      cannot("analysis: step: MUBODYNA has no first step of '" + a.integrator + "'");
    if (adaptive && (a.control.rtol != usual.rtol || a.control.atol || a.control.max_step))
      cannot("analysis: rtol, atol, max_step: MUBODYNA has no tolerances");
    if (a.accuracy && *a.accuracy != accepted)
      cannot(fmt::format("analysis: accuracy: MUBODYNA knows none; {} is assumed", accepted));
    if (!o.times.empty()) cannot("output: times: MUBODYNA gives results at equal steps");
    if (!o.channels.empty()) cannot("output: channels: MUBODYNA gives all results");
    const double step = o.step.value_or(a.control.step.value_or(0));
    if (step == 0)
      cannot("output: step: MUBODYNA needs the time between results");
    else if (!adaptive && a.control.step && *a.control.step != step)
      cannot(fmt::format("output: step: MUBODYNA gives results at every step of {} s, not of {} s",
                         *a.control.step, step));
    double alpha = 0, beta = 0;
    if (const auto* b = dynamic_cast<const TreatmentOf<Baumgarte>*>(&*a.treatment)) {
      if (b->treatment.gains.index == 0)
        alpha = b->treatment.alpha.value_or(Baumgarte::usual),
        beta = b->treatment.beta.value_or(Baumgarte::usual);
      else
        cannot("analysis: treatment: gains: MUBODYNA needs alpha and beta as numbers");
    } else if (!dynamic_cast<const TreatmentOf<Standard>*>(&*a.treatment)) {
      cannot(fmt::format("analysis: treatment: MUBODYNA knows 'baumgarte' and 'standard', not '{}'",
                         a.treatment->info().name));
    }
    const double flag = double(method - integrators.begin()) + 1;
    if (method != integrators.end() && step > 0)
      file_['q'].push_back({0, {a.start, a.end, step, flag, alpha, beta}});
  }

  // Equations stand in the order of the sections.  Where the model has another order, comments record it.
  void number_constraints() {
    const auto by_section = [](const Entry& a, const Entry& b) {
      return constraint_letters.find(a.letter) < constraint_letters.find(b.letter);
    };
    if (std::ranges::is_sorted(order_, by_section)) return;
    for (std::size_t k = 0; k < order_.size(); ++k)
      file_[order_[k].letter][order_[k].row].place = static_cast<int>(k) + 1;
  }

  struct Entry {
    char letter;
    std::size_t row;
  };
  const Study& study_;
  const Mechanism& mechanism_;
  Translation out_;
  File& file_ = out_.file;
  int first_ = 1;  // number of the first body
  std::vector<Entry> order_;
};
}  // namespace

Translation translate(const Study& study) { return Translator(study).make(); }

File file_of(const Study& study) {
  Translation t = translate(study);
  if (t.left_out.empty()) return std::move(t.file);
  std::string message;
  for (const Translation::LeftOut& x : t.left_out)
    message += (message.empty() ? "" : "; ") + (x.place.file.empty() ? x.what : text(x.place) + ": " + x.what);
  throw ModelError(message);
}
}  // namespace mubody::io::mubodyna
