#include "mubody/mubodyna/report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "mubody/forces/spring.h"
#include "mubody/mubodyna/format.h"
#include "mubody/system/build.h"
#include "mubody/text/text_file.h"

namespace mubody::io::mubodyna {
namespace {
using Cells = std::vector<std::string>;

/// One column of the results, or zero if there is none, as for the ground.
struct Reading {
  const Table* table = nullptr;
  std::size_t column = 0;

  double at(std::size_t row) const { return table ? table->at(row, column) : 0; }
};

class Report {
 public:
  Report(std::ostream& out, const Translation& t, const Study& study, const Results& results,
         const ReportOptions& options)
      : out_(out), t_(t), names_(names_of(t.file)), mechanism_(study.mechanism), results_(results),
        options_(options), width_(options.full ? 26 : 12), system_(build_system(study.mechanism)),
        terms_(system_->make_terms()) {
    for (const Table& table : results.tables)
      if (table.name != "channels")
        for (std::size_t c = 1; c < table.columns.size(); ++c) known_[table.columns[c].name] = {&table, c};
    for (const JointRows& j : system_->joints) rows_of_[j.name] = &j;
    find_bodies();
    find_joints();
    find_rest();
  }

  void write() {
    out_ << description(t_, options_.full);
    std::string kind = results_.has_balance() ? "forward dynamic" : results_.analysis;
    std::ranges::transform(kind, kind.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    out_ << fmt::format("\n*** {} ANALYSIS ***\n", kind);
    const Table* table = results_.find("bodies");
    const std::size_t rows = table ? table->rows() : 0;
    for (std::size_t k = 0; k < rows; ++k) {
      if (options_.goes_on && !options_.goes_on()) throw WritingStopped();
      if (k % options_.every == 0 || k + 1 == rows) write_step(table->at(k, 0), k);
    }
  }

 private:
  Reading reading(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? Reading{} : found->second;
  }
  std::vector<Reading> readings(const std::string& owner, std::initializer_list<const char*> what) const {
    std::vector<Reading> all;
    for (const char* w : what) all.push_back(reading(owner + w));
    return all;
  }

  // Setting up ------------------------------------------------------------------------------------------------

  void find_bodies() {
    for (std::size_t k = 0; k < t_.file['b'].size(); ++k)
      bodies_.push_back(
          readings(names_('b', k), {".x", ".y", ".angle", ".vx", ".vy", ".omega", ".ax", ".ay", ".alpha"}));
    for (const System::Name& n : system_->coordinates) q_.push_back(reading(n.text));
    for (const System::Name& n : system_->velocities) u_.push_back(reading(n.text));
  }

  /// The reaction of a joint, or the force of a contact, on one of its bodies.
  struct Side {
    std::string number;  // number of the body
    bool on_ground;
    Vec<2> arm;  // position of the marker in body axes
    Reading angle, fx, fy, m;
  };
  struct Joint {
    std::string label;
    std::vector<Side> sides;
    const Row* ground_forces = nullptr;  // for the constraint that holds the ground: the constant forces on it
  };

  Side side(const std::string& joint, const Marker& marker) const {
    const std::string body = mechanism_.body_name(marker.body), on = joint + ".on_" + body;
    std::string number = body;
    for (std::size_t k = 0; k < t_.file['b'].size(); ++k)
      if (names_('b', k) == body) number = fmt::format("{}", k + 1);
    return {number,
            marker.body == ground,
            marker.at.head<2>(),
            reading(body + ".angle"),
            reading(on + ".fx"),
            reading(on + ".fy"),
            reading(on + ".m")};
  }

  // Joints come in the order of the sections; those that MUBODYNA lacks come last, under their names.
  void find_joints() {
    constexpr std::string_view labels[] = {"REV.", "TRA.", "GRO.", "SIM.", "DRI.", ""};
    std::set<std::string> done;
    const auto take = [&](const std::string& name, const std::string& label, bool both, char letter) {
      const auto owner = std::ranges::find(mechanism_.joints, name, &Named<AnyJoint>::name);
      if (owner == mechanism_.joints.end() || !done.insert(name).second) return;
      const Marker &i = owner->what->i(), &j = owner->what->j();
      Joint joint{label, {}};
      if (both || i.body != ground) joint.sides.push_back(side(name, i));
      if (both || j.body != ground) joint.sides.push_back(side(name, j));
      // Guiding forces are not among the manual's reactions.
      if (letter != 'l') joints_.push_back(std::move(joint));
      Constraint rows{rows_of_.at(name)};
      // MUBODYNA's ground constraint is body minus place; the weld of model files is i minus j, its angle j minus i.
      if (letter == 'i')
        rows.sign_of_place = i.body == ground ? -1 : 1, rows.sign_of_angle = -rows.sign_of_place;
      constraints_.push_back(rows);
    };
    for (std::size_t kind = 0; kind < constraint_letters.size(); ++kind) {
      const char letter = constraint_letters[kind];
      for (std::size_t k = 0; k < t_.file[letter].size(); ++k) {
        const std::string label = fmt::format("{} {}", labels[kind], k + 1);
        if (letter == 'i' && names_.body(t_.file['i'][k].whole(at::i)) == "ground")
          hold_ground(label, t_.file['i'][k].whole(at::i));
        else
          take(names_(letter, k), label, kind < 2, letter);
      }
    }
    for (const auto& joint : mechanism_.joints) take(joint.name, joint.name, true, ' ');
  }

  // The ground of model files needs no equations; MUBODYNA holds its body like any other.
  void hold_ground(const std::string& label, int number) {
    constraints_.push_back({nullptr});
    joints_.push_back({label, {side("", Marker{})}, &t_.file['d'][static_cast<std::size_t>(number - 1)]});
  }

  // Contacts of which the results have vectors: clearance joints by their numbers in section (f), others by their names.
  void find_contacts() {
    const auto label = [&](const std::string& name) {
      for (std::size_t k = 0; k < t_.file['f'].size(); ++k)
        if (names_('f', k) == name) return fmt::format("CLE. {}", k + 1);
      return name;
    };
    for (const ContactSite& site : system_->contacts().sites) {
      const Named<AnyForce>& force = mechanism_.forces[static_cast<std::size_t>(site.force)];
      const bool seen = !contacts_.empty() && contacts_.back().label == label(force.name);
      if (!force.vectors || seen) continue;
      contacts_.push_back(
          {label(force.name), {side(force.name, force.what->i()), side(force.name, force.what->j())}});
    }
  }

  void find_rest() {
    find_contacts();
    for (std::size_t k = 0; k < t_.file['b'].size(); ++k)
      sums_.push_back(readings(
          names_('b', k), {".applied_fx", ".applied_fy", ".applied_m", ".total_fx", ".total_fy", ".total_m"}));
    ground_load_ = readings("ground", {".applied_fx", ".applied_fy", ".applied_m"});
    for (const Point& p : mechanism_.points)
      points_.push_back(
          {side("", p.marker).number, readings(p.name, {".x", ".y", ".vx", ".vy", ".ax", ".ay"})});
    for (const auto& force : mechanism_.forces)
      if (const auto* spring = dynamic_cast<const ForceOf<Spring>*>(&*force.what))
        springs_.push_back({&spring->force, readings(force.name, {".length", ".rate", ".force"})});
  }

  // One step --------------------------------------------------------------------------------------------------

  std::string number(double x) const { return options_.full ? fmt::format("{}", x + 0.0) : fixed(x, 3); }
  void line(const Cells& cells) { out_ << report_line(cells, width_); }
  void title(std::string_view text) { out_ << "\n" << text << "\n\n"; }

  void write_step(double t, std::size_t row) {
    title("TIME = " + (options_.full ? fmt::format("{}", t) : fixed(t, 5)));
    line({"BODY", "X", "Y", "PHI", "XD", "YD", "PHID", "XDD", "YDD", "PHIDD"});
    for (std::size_t k = 0; k < bodies_.size(); ++k) line(cells(fmt::format("{}", k + 1), bodies_[k], row));
    write_points(row);
    write_springs(t, row);
    write_reactions(row);
    write_contacts(row);
    write_violations(t, row);
    write_sums(row);
  }

  Cells cells(std::string first, const std::vector<Reading>& all, std::size_t row) const {
    Cells c{std::move(first)};
    for (const Reading& r : all) c.push_back(number(r.at(row)));
    return c;
  }

  void write_points(std::size_t row) {
    if (points_.empty()) return;
    title("POINTS OF INTEREST");
    line({"POINT", "BODY", "X", "Y", "XD", "YD", "XDD", "YDD"});
    for (std::size_t k = 0; k < points_.size(); ++k) {
      Cells c = cells(points_[k].body, points_[k].values, row);
      c.insert(c.begin(), fmt::format("{}", k + 1));
      line(c);
    }
  }

  // Length, its rate, and the forces of spring, damper and actuator; a positive force pulls.
  void write_springs(double t, std::size_t row) {
    if (springs_.empty()) return;
    title("TRANSLATIONAL SPRINGS");
    line({"SPRING", "L", "LD", "FS", "FD", "FA"});
    for (std::size_t k = 0; k < springs_.size(); ++k) {
      const Spring& s = *springs_[k].spring;
      const double length = springs_[k].values[0].at(row), rate = springs_[k].values[1].at(row);
      const double damper = s.damping * rate, actuator = s.actuator(t).x;
      const double elastic =
          s.law ? springs_[k].values[2].at(row) - damper - actuator : s.stiffness * (length - *s.free_length);
      line({fmt::format("{}", k + 1), number(length), number(rate), number(elastic), number(damper),
            number(actuator)});
    }
  }

  // Force and moment, the latter about the centre of mass.
  Vec<3> wrench(const Side& s, std::size_t row) const {
    const double angle = s.angle.at(row), fx = s.fx.at(row), fy = s.fy.at(row);
    const double ax = std::cos(angle) * s.arm.x() - std::sin(angle) * s.arm.y();
    const double ay = std::sin(angle) * s.arm.x() + std::cos(angle) * s.arm.y();
    return {fx, fy, s.m.at(row) + ax * fy - ay * fx};
  }

  // What holds the ground against joints, force elements and its constant forces.
  Vec<3> hold(const Row& constant, std::size_t row) const {
    Vec<3> load(constant[0], constant[1], constant[2]);
    for (int k = 0; k < 3; ++k) load[k] += ground_load_[static_cast<std::size_t>(k)].at(row);
    for (const Joint& joint : joints_)
      for (const Side& s : joint.sides)
        if (s.on_ground && !joint.ground_forces) load += wrench(s, row);
    return -load;
  }

  void write_reactions(std::size_t row) { write_pairs("REACTION FORCES", "JOINT NO.", joints_, row); }
  void write_contacts(std::size_t row) { write_pairs("CONTACT FORCES", "CONTACT", contacts_, row); }
  void write_pairs(std::string_view what, const char* first, const std::vector<Joint>& all, std::size_t row) {
    if (all.empty()) return;
    title(what);
    line({first, "i", "FX-i", "FY-i", "M-i", "j", "FX-j", "FY-j", "M-j"});
    for (const Joint& joint : all) {
      Cells c{joint.label};
      for (const Side& s : joint.sides) {
        c.push_back(s.number);
        for (const double x : joint.ground_forces ? hold(*joint.ground_forces, row) : wrench(s, row))
          c.push_back(number(x));
      }
      line(c);
    }
  }

  // Section 6 of the manual has these sums; its example does not print them, so they come last.
  void write_sums(std::size_t row) {
    if (ground_load_.empty() || !ground_load_.front().table) return;
    title("TOTAL FORCES ON CENTRES OF MASS");
    line({"BODY", "FX-applied", "FY-applied", "M-applied", "FX-total", "FY-total", "M-total"});
    for (std::size_t k = 0; k < sums_.size(); ++k) line(cells(fmt::format("{}", k + 1), sums_[k], row));
  }

  void write_violations(double t, std::size_t row) {
    if (constraints_.empty()) return;
    VecX q(static_cast<Eigen::Index>(q_.size())), u(static_cast<Eigen::Index>(u_.size()));
    for (std::size_t k = 0; k < q_.size(); ++k) q[static_cast<Eigen::Index>(k)] = q_[k].at(row);
    for (std::size_t k = 0; k < u_.size(); ++k) u[static_cast<Eigen::Index>(k)] = u_[k].at(row);
    system_->constraints(t, q, u, terms_);
    title("CONSTRAINT VIOLATIONS");
    const auto wide = [&](std::string_view a, std::string_view b, std::string_view c) {
      out_ << fmt::format("{:>{}} {:>26} {:>26}\n", a, width_ - 1, b, c);
    };
    wide("CONSTRAINT", "Position violations", "Velocity violations");
    std::size_t count = 0;
    const auto one = [&](double position, double velocity) {
      const auto text = [&](double x) { return options_.full ? fmt::format("{}", x + 0.0) : exponent(x, 4); };
      wide(fmt::format("{}", ++count), text(position), text(velocity));
    };
    for (const Constraint& c : constraints_)
      for (int k = 0; k < (c.rows ? c.rows->count : 3); ++k) {
        const double sign = k < 2 ? c.sign_of_place : c.sign_of_angle;
        one(c.rows ? sign * terms_.phi[c.rows->first + k] : 0,
            c.rows ? sign * terms_.rate[c.rows->first + k] : 0);
      }
  }

  struct Constraint {
    const JointRows* rows;  // none for the ground, which never moves
    double sign_of_place = 1, sign_of_angle = 1;
  };
  struct PointReadings {
    std::string body;
    std::vector<Reading> values;
  };
  struct SpringReadings {
    const Spring* spring;
    std::vector<Reading> values;
  };

  std::ostream& out_;
  const Translation& t_;
  Names names_;
  const Mechanism& mechanism_;
  const Results& results_;
  ReportOptions options_;
  std::size_t width_;
  std::unique_ptr<System> system_;
  Terms terms_;
  std::map<std::string, Reading> known_;
  std::map<std::string, const JointRows*> rows_of_;
  std::vector<std::vector<Reading>> bodies_;
  std::vector<Reading> q_, u_;
  std::vector<Joint> joints_, contacts_;
  std::vector<std::vector<Reading>> sums_;
  std::vector<Reading> ground_load_;
  std::vector<Constraint> constraints_;
  std::vector<PointReadings> points_;
  std::vector<SpringReadings> springs_;
};
}  // namespace

void ask_for_tables(Study& study) {
  Mechanism& m = study.mechanism;
  m.body_forces = true;
  for (const ContactSite& site : build_system(m)->contacts().sites) {
    Named<AnyForce>& force = m.forces[static_cast<std::size_t>(site.force)];
    force.vectors = force.vectors || force.what->couples().empty();
  }
}

Translation described_model(const std::string& path, const Study& study, bool changed) {
  if (!changed) {
    const std::string text = io::read_file(path, files::model);
    if (is_mubodyna(text, path)) return {read_file(text, path), {}};
  }
  return translate(study);
}

void write_report(std::ostream& out, const Translation& t, const Study& study, const Results& results,
                  const ReportOptions& options) {
  Report(out, t, study, results, options).write();
}
}  // namespace mubody::io::mubodyna
