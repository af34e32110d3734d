// Good models, and what the reader returns for them.
#include "mubody/reading/read_model.h"

#include <cmath>

#include <gtest/gtest.h>

#include "mubody/forces/moment.h"
#include "mubody/forces/point_force.h"
#include "mubody/forces/spring.h"
#include "mubody/forces/time_series.h"
#include "mubody/forces/torsion_spring.h"
#include "mubody/joints/angle.h"
#include "mubody/joints/coordinate.h"
#include "mubody/joints/distance.h"
#include "mubody/joints/gear.h"
#include "mubody/joints/slide.h"
#include "mubody/treatments/baumgarte.h"
#include "tests/io/models.h"
#include "tests/near.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace {

Study read(std::string_view text, const std::vector<std::string>& overrides = {}) {
  return io::read_study_text(text, MUBODY_SOURCE_DIR "/tests/broken/text.toml", overrides);
}

// The joint or force of that name, whose kind the test knows.
template <class J> const J& joint(const Study& s, std::string_view name) {
  for (const auto& j : s.mechanism.joints)
    if (j.name == name) return dynamic_cast<const JointOf<J>&>(*j.what).joint;
  throw std::logic_error("no such joint");
}
template <class F> const F& force(const Study& s, std::string_view name) {
  for (const auto& f : s.mechanism.forces)
    if (f.name == name) return dynamic_cast<const ForceOf<F>&>(*f.what).force;
  throw std::logic_error("no such force");
}
const AnyJoint& any_joint(const Study& s, std::string_view name) {
  for (const auto& j : s.mechanism.joints)
    if (j.name == name) return *j.what;
  throw std::logic_error("no such joint");
}
double angle(const Marker& m) { return angle_about_z(m.turn); }

TEST(read_model, bodies_units_and_formulas) {
  const Study s = read(testing_models::pendulum);
  EXPECT_EQ(s.mechanism.name, "pendulum");
  EXPECT_EQ(s.mechanism.gravity, Vec<3>(0, -9.81, 0));
  const RigidBody& rod = s.mechanism.bodies.at(0);
  EXPECT_EQ(rod.name, "rod");
  EXPECT_DOUBLE_EQ(rod.mass, 1.5);
  EXPECT_EQ(rod.inertia(2, 2), 0.5);
  EXPECT_EQ(rod.start.at, Vec<3>(1, 0, 0));
  EXPECT_DOUBLE_EQ(rod.omega.z(), pi);
  EXPECT_EQ(rod.place.line, 8);
  EXPECT_EQ(rod.place.column, 1);
  EXPECT_FALSE(s.left_out.analysis);
  EXPECT_EQ(s.analysis.end, 2);
  EXPECT_EQ(s.analysis.control.rtol, 1e-9);
  EXPECT_DOUBLE_EQ(*s.output.step, 0.01);
  EXPECT_EQ(s.output.channels, (std::vector<std::string>{"tip.x", "A.angle"}));
  EXPECT_EQ(s.mechanism.points.at(0).marker.at, Vec<3>(1, 0, 0));
  EXPECT_EQ(s.mechanism.points.at(0).marker.body, 1);
}

TEST(read_model, defaults_of_a_body) {
  const Study s = read("[bodies]\nb = {}\n");
  const RigidBody& b = s.mechanism.bodies.at(0);
  EXPECT_EQ(b.mass, 0);
  EXPECT_EQ(b.inertia.norm(), 0);
  EXPECT_EQ(b.start.angle, 0);
  EXPECT_TRUE(s.left_out.analysis);
  EXPECT_EQ(s.mechanism.name, "text");
}

TEST(read_model, name_of_the_folder) {
  EXPECT_EQ(io::read_study_text("bodies.b = {}", "some/where/model.toml").mechanism.name, "where");
  EXPECT_EQ(io::read_study_text("bodies.b = {}", "some/where/else.toml").mechanism.name, "else");
}

TEST(read_model, angles_count_turns) {
  const Study s = read("bodies.b = {angle = '720 deg'}");
  EXPECT_DOUBLE_EQ(s.mechanism.bodies[0].start.angle, 4 * pi);
}

TEST(read_model, order_of_the_file) {
  const Study s = read(
      "[bodies]\nz = {}\na = {position = [1, 1]}\nm = {}\n"
      "[drivers]\nq = {type = 'angle', bodies = ['ground', 'z']}\n"
      "[joints]\nP = {type = 'revolute', bodies = ['ground', 'z'], at = [0, 0]}\n"
      "A = {type = 'revolute', bodies = ['z', 'a'], at = [0, 0]}\n"
      "B = {type = 'revolute', bodies = ['ground', 'z'], at = [0, 0]}\n",
      {"joints.A={type='revolute', bodies=['ground','m'], at=[0,0]}"});
  std::string bodies, joints;
  for (const RigidBody& b : s.mechanism.bodies) bodies += b.name;
  for (const auto& j : s.mechanism.joints) joints += j.name;
  EXPECT_EQ(bodies, "zam");
  EXPECT_EQ(joints, "qPAB");
}

TEST(read_markers, global_point) {
  // Body axes are the default: a pin's angle is the difference of the angles of the bodies.
  const Study s = read(
      "[bodies]\na = {position = [1, 2], angle = '90 deg'}\nb = {position = [4, 2], angle = '30 deg'}\n"
      "[joints]\nJ = {type = 'revolute', bodies = ['a', 'b'], at = [3, 2]}\n");
  const AnyJoint& j = any_joint(s, "J");
  EXPECT_EQ(j.i().body, 1);
  EXPECT_EQ(j.j().body, 2);
  EXPECT_TRUE(same(j.i().at, Vec<3>(0, -2, 0), 1));
  EXPECT_TRUE(same(j.j().at, Vec<3>(-std::cos(pi / 6), 0.5, 0), 1));
  EXPECT_EQ(angle(j.i()), 0);
  EXPECT_EQ(angle(j.j()), 0);
  EXPECT_TRUE(same(s.mechanism.start_of(j.i()).at, Vec<3>(3, 2, 0), 1));
  EXPECT_TRUE(same(s.mechanism.start_of(j.j()).at, Vec<3>(3, 2, 0), 1));
}

TEST(read_markers, global_axis_and_second_point) {
  const std::string bodies =
      "[bodies]\na = {angle = '90 deg'}\nb = {angle = '-20 deg', position = [1, 1]}\n[joints]\n";
  for (const char* direction : {"axis = [2, 2]", "to = [3, 3]"}) {
    const Study s =
        read(bodies + "J = {type = 'translational', bodies = ['a', 'b'], at = [1, 1], " + direction + "}\n");
    const AnyJoint& j = any_joint(s, "J");
    EXPECT_TRUE(same(s.mechanism.start_of(j.i()).angle, pi / 4, 1));
    EXPECT_TRUE(same(s.mechanism.start_of(j.j()).angle, pi / 4, 1));
  }
}

TEST(read_markers, local_points_and_axes) {
  const std::string bodies =
      "[bodies]\na = {angle = '90 deg'}\nb = {angle = '30 deg', position = [1, 1]}\n[joints]\n";
  const auto joint_of = [&](const std::string& rest) {
    return read(bodies + "J = {type = 'translational', bodies = ['a', 'b'], " + rest + "}\n");
  };
  for (const char* axis : {"axis = [0, -3]", "to = [1, -5]", "angle = '-90 deg'"}) {
    const Study s = joint_of(std::string("i = {at = [1, 2], ") + axis + "}, j = [3, 4]");
    const AnyJoint& j = any_joint(s, "J");
    EXPECT_EQ(j.i().at, Vec<3>(1, 2, 0));
    EXPECT_EQ(j.j().at, Vec<3>(3, 4, 0));
    EXPECT_TRUE(same(angle(j.i()), -pi / 2, 1));
    // The slider is parallel to the guide at the start unless the file says otherwise.
    EXPECT_TRUE(same(s.mechanism.start_of(j.j()).angle, 0, 1));
  }
  const Study own = joint_of("i = {angle = 0}, j = {axis = [1, 1]}");
  EXPECT_TRUE(same(angle(any_joint(own, "J").j()), pi / 4, 1));
  EXPECT_EQ(any_joint(own, "J").i().at, Vec<3>(0, 0, 0));
  const Study other = joint_of("j = {axis = [1, 0]}");
  EXPECT_TRUE(same(other.mechanism.start_of(any_joint(other, "J").i()).angle, pi / 6, 1));
  const Study both = joint_of("i = [1, 2], axis = [0, 1]");
  EXPECT_TRUE(same(both.mechanism.start_of(any_joint(both, "J").i()).angle, pi / 2, 1));
  EXPECT_TRUE(same(both.mechanism.start_of(any_joint(both, "J").j()).angle, pi / 2, 1));
}

TEST(read_markers, axis_of_a_pin) {
  const Study s = read(
      "[bodies]\na = {angle = '90 deg'}\n"
      "[joints]\nJ = {type = 'revolute', bodies = ['ground', 'a'], at = [0, 0], axis = [1, 0]}\n");
  EXPECT_TRUE(same(angle(any_joint(s, "J").j()), -pi / 2, 1));
}

TEST(read_markers, welds_keep_the_start) {
  const std::string bodies =
      "[bodies]\na = {angle = 1, position = [1, 1]}\nb = {angle = 3, position = [2, 5]}\n[joints]\n";
  for (const char* at : {"", ", at = [7, 8]"}) {
    const Study s = read(bodies + "W = {type = 'fixed', bodies = ['a', 'b']" + at + "}\n");
    const AnyJoint& w = any_joint(s, "W");
    const Pose i = s.mechanism.start_of(w.i()), j = s.mechanism.start_of(w.j());
    EXPECT_LT((i.at - j.at).norm(), 1e-14);
    EXPECT_NEAR(wrapped(i.angle - j.angle), 0, 1e-14);
    if (!*at) {
      EXPECT_LT((j.at - Vec<3>(2, 5, 0)).norm(), 1e-14);
    }
  }
  const Study local = read(bodies + "W = {type = 'fixed', bodies = ['a', 'b'], i = [1, 0], j = [0, 1]}\n");
  EXPECT_EQ(angle(any_joint(local, "W").i()), 0);
  EXPECT_EQ(angle(any_joint(local, "W").j()), 0);
}

TEST(read_markers, angles_need_no_point) {
  const Study s = read(testing_models::four_bar);
  EXPECT_EQ(joint<Angle>(s, "motor").i.body, ground);
  EXPECT_EQ(joint<Angle>(s, "motor").j.at, Vec<3>(0, 0, 0));
  EXPECT_TRUE(same((*joint<Angle>(s, "motor").value)(0.2).x, pi / 3 + 2, 1));
  EXPECT_TRUE(same((*joint<Angle>(s, "motor").value)(0.2).v, 10, 1));
  EXPECT_TRUE(same(std::abs(angle(any_joint(s, "C").j())), pi, 1));
  EXPECT_EQ(s.analysis.assembly.hold, std::vector<std::string>{"crank.angle"});
  EXPECT_EQ(s.analysis.type->info().name, "kinematic");
}

TEST(read_markers, one_body) {
  const Study s = read(
      "bodies.a = {position = [5, 6]}\nforces.F = {type = 'force', body = 'a', at = ['10 mm', 0], "
      "force = [1, '2 kN'], axes = 'body', angle = '30 deg'}");
  const PointForce& f = force<PointForce>(s, "F");
  EXPECT_EQ(f.j.body, 1);
  EXPECT_LT((f.j.at - Vec<3>(0.01, 0, 0)).norm(), 1e-17);
  EXPECT_TRUE(same(angle(f.j), pi / 6, 1));
  EXPECT_EQ(f.axes.word(), "body");
  EXPECT_EQ(f.force[1].function_of_time()(0).x, 2000);
}

TEST(read_model, values_as_at_the_start) {
  const Study s = read(testing_models::links);
  EXPECT_TRUE(same((*joint<Distance>(s, "link").length)(0).x, std::sqrt(2) + 0.1, 1));
  EXPECT_DOUBLE_EQ(s.mechanism.bodies[0].velocity.x(), 0.1);
  const Study d = read(
      "bodies.a = {position = [3, 4]}\n"
      "joints.L = {type = 'distance', bodies = ['ground', 'a'], i = [0, 0]}\n"
      "joints.H = {type = 'coordinate', body = 'a', coordinate = 'y'}\n");
  EXPECT_DOUBLE_EQ((*joint<Distance>(d, "L").length)(7).x, 5);
  EXPECT_DOUBLE_EQ((*joint<Coordinate>(d, "H").value)(7).x, 4);
}

TEST(read_model, functions) {
  const Study g = read(testing_models::gears);
  const Jet drive = (*joint<Angle>(g, "drive").value)(0.5);
  EXPECT_NEAR(drive.x, pi / 18 + pi, 1e-14);
  EXPECT_NEAR(drive.v, 2 * pi, 1e-14);
  EXPECT_DOUBLE_EQ(joint<Gear>(g, "mesh").radius_i, 0.2);
  EXPECT_EQ(g.output.times, (std::vector<double>{0, 0.1, 0.2}));

  const Study l = read(testing_models::links);
  EXPECT_NEAR((*joint<Slide>(l, "push").value)(0).v, 1, 1e-14);
  EXPECT_NEAR((*joint<Slide>(l, "push").value)(1).x, 1, 1e-14);
  EXPECT_NEAR((*joint<Coordinate>(l, "guide").value)(0.25).x, 2, 1e-14);
}

TEST(read_model, unit_of_a_coordinate_depends_on_it) {
  const Study s = read(
      "bodies.a = {}\ndrivers.d = {type = 'coordinate', body = 'a', coordinate = 'angle', "
      "value = '90 deg'}\ndrivers.e = {type = 'coordinate', body = 'a', coordinate = 'x', value = '9 mm'}");
  EXPECT_DOUBLE_EQ((*joint<Coordinate>(s, "d").value)(0).x, pi / 2);
  EXPECT_DOUBLE_EQ((*joint<Coordinate>(s, "e").value)(0).x, 0.009);
}

// A state in which every quantity has a value of its own.
double state(const StateVariable& v) { return 100 * v.point.body + 10 * v.point.at.y() + int(v.quantity); }

TEST(read_model, forces) {
  const Study s = read(testing_models::forces);
  EXPECT_DOUBLE_EQ(force<Spring>(s, "s1").stiffness, 1000);
  EXPECT_DOUBLE_EQ(force<Spring>(s, "s1").damping, 30);
  EXPECT_DOUBLE_EQ(*force<Spring>(s, "s1").free_length, 1);
  EXPECT_DOUBLE_EQ(force<Spring>(s, "s2").law->force({2, 3, 0, 0}), 20 + 81);
  EXPECT_DOUBLE_EQ(force<Spring>(s, "s3").law->force({0.5, 0, 0, 0}), 4.5);
  EXPECT_DOUBLE_EQ(force<TorsionSpring>(s, "t1").law->force({2, 0, 0, 0}), 8);
  EXPECT_NEAR(force<Moment>(s, "m1").moment.function_of_time()(0.125).x, 5, 1e-14);
  EXPECT_EQ(force<Moment>(s, "m1").i.body, 1);
  EXPECT_DOUBLE_EQ(force<TimeSeries>(s, "p1").curves[0](0.5).x, 2);

  const PointForce& f = force<PointForce>(s, "f1");
  EXPECT_TRUE(f.force[0].depends_on_state());
  EXPECT_FALSE(f.force[1].depends_on_state());
  const double hook_vx = 100 + 1 + int(StateVariable::vx), wheel_omega = 200 + int(StateVariable::omega);
  EXPECT_DOUBLE_EQ(f.force[0](0, state), -3 * hook_vx - wheel_omega);
  EXPECT_DOUBLE_EQ(f.force[1](2, state), 5);
}

TEST(read_model, signals_of_time_alone_are_functions) {
  const Study s =
      read("bodies.a = {}\nparameters.w = 2\nforces.M = {type = 'moment', body = 'a', moment = '= w*t'}");
  const Signal& m = force<Moment>(s, "M").moment;
  EXPECT_FALSE(m.depends_on_state());
  EXPECT_EQ(m.function_of_time()(3).x, 6);
  EXPECT_EQ(force<Moment>(s, "M").i.body, ground);
}

TEST(read_model, data_files) {
  const std::string start =
      "bodies.a = {}\ndrivers.d = {type = 'coordinate', body = 'a', coordinate = 'angle', value = "
      "{type = 'spline', data = ";
  for (const char* data :
       {"'data/good.csv'", "{file = 'data/good.csv'}", "{file = 'data/good.csv', columns = [0, 1]}",
        "{file = 'data/good.csv', columns = ['time', 'angle']}"}) {
    const Study s = read(start + data + "}}");
    EXPECT_TRUE(same((*joint<Coordinate>(s, "d").value)(0.1).x, pi / 18, 1)) << data;
  }
}

TEST(read_model, units_of_data_files) {
  const auto driven = [](const std::string& coordinate, const std::string& more) {
    return read("bodies.a = {}\ndrivers.d = {type = 'coordinate', body = 'a', coordinate = '" + coordinate +
                "', value = {type = 'spline', data = " + more + "}}");
  };
  // time (ms); angle (deg); x [mm]; voltage [V]: only the columns in use must fit.
  EXPECT_TRUE(same((*joint<Coordinate>(driven("angle", "'data/units.csv'"), "d").value)(0.1).x, pi / 18, 1));
  EXPECT_TRUE(
      same((*joint<Coordinate>(driven("x", "'data/units.csv', column = 2"), "d").value)(0.1).x, 0.02, 1));
  EXPECT_TRUE(same(
      (*joint<Coordinate>(driven("x", "{file = 'data/units.csv', columns = ['time', 'x']}"), "d").value)(0.1).x,
      0.02, 1));
  EXPECT_TRUE(
      same((*joint<Coordinate>(driven("x", "[[0, 0], ['100 ms', '2 cm']]"), "d").value)(0.1).x, 0.02, 1));
  EXPECT_TRUE(same((*joint<Coordinate>(driven("x", "'data/spaced_units.csv'"), "d").value)(0.1).x, 0.02, 1));
}

TEST(read_model, piecewise_laws) {
  const Study s = read(
      "bodies.a = {position = [1, 0]}\n"
      "forces.s = {type = 'spring', bodies = ['ground', 'a'], i = [0, 0], law = {type = 'piecewise', breaks = "
      "['-10 mm', "
      "0.02], "
      "stiffness = ['1 kN/m', 100, '5 N/mm']}}\n"
      "forces.t = {type = 'torsion_spring', bodies = ['ground', 'a'], law = {type = 'piecewise', breaks = "
      "['90 deg'], stiffness = [2, '4 N m/rad']}}\n");
  EXPECT_DOUBLE_EQ(force<Spring>(s, "s").law->force({.deflection = 0.03}), 2 + 50);
  EXPECT_DOUBLE_EQ(force<Spring>(s, "s").law->force({.deflection = -0.03}), -1 - 20);
  EXPECT_DOUBLE_EQ(force<TorsionSpring>(s, "t").law->force({.deflection = pi}), 3 * pi);
}

TEST(read_model, analysis) {
  const Study s = read(testing_models::forces);
  EXPECT_EQ(s.analysis.integrator, "rk4");
  EXPECT_EQ(*s.analysis.control.step, 1e-3);
  EXPECT_EQ(s.analysis.treatment->info().name, "baumgarte");
  const auto& baumgarte = dynamic_cast<const TreatmentOf<Baumgarte>&>(*s.analysis.treatment).treatment;
  EXPECT_EQ(baumgarte.alpha, 10);
  EXPECT_EQ(baumgarte.beta, 10);
  EXPECT_EQ(s.analysis.assembly.hold, (std::vector<std::string>{"slider.x", "wheel.omega"}));
  EXPECT_EQ(s.analysis.assembly.tolerance, 1e-10);
  EXPECT_EQ(s.analysis.assembly.iterations, 20);
  const Study named = read("bodies.a = {}\nanalysis.treatment = 'standard'");
  EXPECT_EQ(named.analysis.treatment->info().name, "standard");
}

TEST(overrides, change_and_add) {
  const Study s = read(testing_models::pendulum,
                       {"analysis.rtol=1e-11", "parameters.L = 4", "bodies.rod.mass=3 kg",
                        "analysis.integrator=rk4", "analysis.step = 1e-3", "gravity=[0, 0]",
                        "joints.A.at=[0, 1]", "name=other", "output.step=0.5", "bodies.rod.omega== 2*L"});
  EXPECT_EQ(s.analysis.control.rtol, 1e-11);
  EXPECT_EQ(s.mechanism.bodies[0].start.at.x(), 2);
  EXPECT_EQ(s.mechanism.bodies[0].mass, 3);
  EXPECT_EQ(s.analysis.integrator, "rk4");
  EXPECT_EQ(s.mechanism.gravity.norm(), 0);
  EXPECT_EQ(any_joint(s, "A").i().at, Vec<3>(0, 1, 0));
  EXPECT_EQ(s.mechanism.name, "other");
  EXPECT_EQ(*s.output.step, 0.5);
  EXPECT_EQ(s.mechanism.bodies[0].omega.z(), 8);
}

TEST(overrides, make_no_elements) {
  const auto message = [](const std::string& setting) -> std::string {
    const char* const model =
        "parameters.crank = 1\nbodies.rod = {mass = 1, inertia = 1}\n"
        "joints.pin = {type = 'revolute', bodies = ['ground', 'rod'], at = [0, 0]}\n";
    try {
      io::read_study_text(model, "model.toml", {setting});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("parameters.crnk=3"),
            "--set parameters.crnk=3: no parameter 'crnk'; did you mean 'crank'?");
  EXPECT_EQ(message("bodies.zz.mass=3"), "--set bodies.zz.mass=3: no body named 'zz'");
  EXPECT_EQ(message("joints.pim.at=[0, 0]"),
            "--set joints.pim.at=[0, 0]: no joint named 'pim'; did you mean 'pin'?");
  EXPECT_EQ(message("drivers.d={}"), "--set drivers.d={}: no driver named 'd'");
  EXPECT_EQ(message("forces.F.type=moment"), "--set forces.F.type=moment: no force named 'F'");
  EXPECT_EQ(message("points.P={body='rod'}"), "--set points.P={body='rod'}: no point named 'P'");
  EXPECT_EQ(message("parameters.crank=3"), "accepted");
  EXPECT_EQ(message("bodies.rod.omega=3"), "accepted");
  EXPECT_EQ(message("analysis.end=3"), "accepted");
}

TEST(overrides, messages) {
  const auto message = [](const std::string& setting) -> std::string {
    try {
      io::read_study_text(testing_models::pendulum, "model.toml", {setting});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_EQ(message("analysis.rtoll=1"),
            "--set analysis.rtoll=1: analysis: unknown key 'rtoll'; did you mean 'rtol'?");
  EXPECT_EQ(message("analysis.rtol=small"),
            "--set analysis.rtol=small: analysis: rtol: 'small' is not a number with a unit; a formula starts "
            "with '='");
  EXPECT_EQ(message("analysis.end"), "--set analysis.end: expected key=value, as in --set analysis.end=2");
  EXPECT_EQ(message("=2"), "--set =2: expected key=value, as in --set analysis.end=2");
  EXPECT_EQ(message("gravity.x=2"), "--set gravity.x=2: 'gravity' is an array: it has no key 'x'");
  EXPECT_EQ(message("analysis.end=-1"), "--set analysis.end=-1: analysis: end: must not lie before 'start'");
  EXPECT_EQ(message("bodies.rod.mass== 2*l"),
            "--set bodies.rod.mass== 2*l: body 'rod': mass: unknown name 'l'; did you mean 'L'? (at character "
            "5 of '= 2*l')");
}

TEST(read_model, parameters_keep_their_unit_in_formulas) {
  const Study s = read(R"toml(
[parameters]
k = "20 kN/m"
L = "300 mm"
m = "2 kg"
n = 3
c = "= 2*sqrt(k*m)"
w = "= sqrt(k/m)"
f = "2 Hz"
F = "= 2*k*L"
phi = "30 deg"
[bodies]
b = {mass = "= m*n", inertia = "= m*L^2/12 + 0.001", position = ["= L*cos(phi) + 0.1", "= hypot(L, 0.4)"], omega = "= w + 2*pi*f", angle = "= phi/2 + n*L"}
[forces]
s = {type = "spring", bodies = ["ground", "b"], i = ["= -L", 0], j = [0, 0], stiffness = "= max(k, 3)", damping = "= c/2", actuator = "= F*sin(w*t)"}
M = {type = "moment", body = "b", moment = "= F*L*if(t < 0.1, 0, 1) - c*L^2*b.omega"}
)toml");
  const RigidBody& b = s.mechanism.bodies.at(0);
  EXPECT_DOUBLE_EQ(b.mass, 6);
  EXPECT_DOUBLE_EQ(b.omega.z(), 100 + 4 * pi);
  EXPECT_DOUBLE_EQ(force<Spring>(s, "s").damping, 200);
}

TEST(read_model, what_the_file_leaves_out_is_known) {
  const Study s = read(R"toml(
gravity = [0, 0]
[bodies]
a = {mass = 1, position = [0, 0], omega = 0}
b = {mass = 1, angle = 0, velocity = [0, 0]}
[analysis]
)toml");
  const auto list = [](const RigidBody::LeftOut& x) {
    return std::vector{x.position, x.orientation, x.velocity, x.omega};
  };
  EXPECT_EQ(list(s.mechanism.bodies.at(0).left_out), (std::vector{false, true, true, false}));
  EXPECT_EQ(list(s.mechanism.bodies.at(1).left_out), (std::vector{true, false, false, true}));
  EXPECT_FALSE(s.left_out.gravity);
  EXPECT_TRUE(read("[bodies]\na = {mass = 1}\n").left_out.gravity);
}
}  // namespace
}  // namespace mubody::testing
