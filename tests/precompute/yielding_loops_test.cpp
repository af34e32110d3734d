// Loops as joints whose own joints give way: series in the deflections, beside the variables of the tables.
#include "mubody/mechanism/compliance.h"
#include "mubody/precompute/plan/loop_parts.h"
#include "mubody/precompute/run/run_real_time.h"
#include "mubody/reading/real_time_file.h"
#include "tests/allocations.h"
#include "tests/precompute/as_full_model.h"

namespace mubody::testing {
namespace {
/// A chassis that flies in the plane, with one double wishbone.
constexpr const char* free_quarter = R"toml(
gravity = [0, -2]
[bodies]
chassis = {mass = 350, inertia = 50, position = [0, 0.6], velocity = [1, 0.5], omega = 0.3}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
[joints]
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32]}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27]}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, damping = 4000, free_length = 0.65}
[analysis]
end = 0.4
rtol = 1e-10
[output]
step = 0.02
)toml";

/// A chassis that flies in space, with one wheel on a double wishbone; the rod to the hub is not steered.
constexpr const char* corner = R"toml(
gravity = [0, 0, -9.81]
[bodies]
chassis = {mass = 400, inertia = [90, 300, 320], position = [0, 0, 0.6], velocity = [8, 0.3, 0], omega = [0.1, 0.2, 0.4]}
lower = {mass = 6, inertia = [0.1, 0.15, 0.2], position = [0, 0.5, 0.25]}
upper = {mass = 4, inertia = [0.05, 0.08, 0.1], position = [0, 0.5, 0.55]}
hub = {mass = 12, inertia = [0.2, 0.2, 0.2], position = [0, 0.72, 0.4]}
rod = {mass = 1, inertia = [0.02, 0.001, 0.02], position = [0.12, 0.5, 0.36]}
wheel = {mass = 18, inertia = [0.5, 0.9, 0.5], position = [0, 0.78, 0.4], omega = [0, 25, 0]}
[joints]
la = {type = "revolute", bodies = ["chassis", "lower"], at = [0, 0.3, 0.26], axis = [1, 0, 0.05]}
ua = {type = "revolute", bodies = ["chassis", "upper"], at = [0, 0.35, 0.57], axis = [1, 0, -0.04]}
lb = {type = "spherical", bodies = ["lower", "hub"], at = [0.01, 0.7, 0.24]}
ub = {type = "spherical", bodies = ["upper", "hub"], at = [-0.02, 0.66, 0.55]}
ri = {type = "universal", bodies = ["chassis", "rod"], at = [0.12, 0.32, 0.35], axis = [0, 0, 1], across = [1, 0, 0]}
ro = {type = "spherical", bodies = ["rod", "hub"], at = [0.13, 0.68, 0.37]}
axle = {type = "revolute", bodies = ["hub", "wheel"], at = [0, 0.78, 0.4], axis = [0, 1, 0]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0, 0.4, 0.15], j = [0, 0.08, 0], stiffness = 30000, damping = 2500, free_length = 0.55}
[analysis]
end = 0.1
rtol = 1e-9
[output]
step = 0.01
)toml";

Study quarter(double stiffness, const std::vector<std::string>& more = {}) {
  std::vector<std::string> settings{fmt::format(
      "joints.l1.compliance={{x = {{stiffness = {0}, damping = {1}}}}}", stiffness, 4e-3 * stiffness)};
  settings.insert(settings.end(), more.begin(), more.end());
  return study_of(free_quarter, settings);
}
Study corner_with(double stiffness) {
  return study_of(corner, {fmt::format("joints.la.compliance={{y = {{stiffness = {0}, damping = {1}}}, "
                                       "angle_y = {{stiffness = {2}, damping = {3}}}}}",
                                       stiffness, 2e-3 * stiffness, 0.01 * stiffness, 6e-5 * stiffness)});
}
PrecomputeOptions ranged(const char* variable, double bound) {
  PrecomputeOptions o = bounded(bound);
  o.ranges = {{variable, -0.4, 0.4}};
  return o;
}
std::vector<FollowingPart> parts_of(const Precomputed& made, const Study& study) {
  return following_parts(std::make_shared<RealTimeModel>(made.model), study.mechanism);
}

// Equations that a joint keeps are part of the loop, and those of one outside of loops are not.
TEST(yielding_loops, have_the_parts_of_rigid_ones) {
  const Study rigid_one = study_of(corner), study = corner_with(1e6);
  const std::vector<LoopPart> parts = loop_parts(study.mechanism);
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].bodies, loop_parts(rigid_one.mechanism)[0].bodies);
  EXPECT_EQ(parts[0].joints.size(), 5U + 3U);  // three directions are held
  const Study axle = study_of(corner, {"joints.axle.compliance={y = {stiffness = 1e6}}"});
  EXPECT_EQ(loop_parts(axle.mechanism).size(), 1U);
  EXPECT_EQ(loop_parts(axle.mechanism)[0].bodies, loop_parts(rigid_one.mechanism)[0].bodies);
}

// Positions against the closure of the mechanism: what is left out is of third order, and what is told.
void leaves_out_third_powers(const Study& study, const PrecomputeOptions& o, const std::vector<double>& give) {
  const Precomputed made = precompute(study, o);
  EXPECT_LE(made.model.certified, *o.bound);
  const std::vector<FollowingPart> parts = parts_of(made, study);
  ASSERT_EQ(parts.size(), 1U);
  ASSERT_EQ(parts[0].variables.size(), 1 + give.size());
  const auto& map = static_cast<const LoopMap&>(*parts[0].map);
  for (const double angle : {-0.2, 0.03, 0.25}) {
    double before = 0;
    for (const double share : {1.0, 0.5, 0.25}) {
      std::vector<double> s{angle};
      for (const double x : give) s.push_back(share * x);
      const auto left = map.left_out(s.data());
      ASSERT_TRUE(left);
      EXPECT_GT(left->length + left->angle, 20 * *o.bound);
      if (before > 0) {
        EXPECT_NEAR(before / (left->length + left->angle), 8, 0.6) << angle << " " << share;
      }
      before = left->length + left->angle;
    }
  }
}
TEST(yielding_loops, leave_out_third_powers_in_the_plane) {
  leaves_out_third_powers(quarter(1e6), ranged("l1", 1e-11), {4e-3});
}
TEST(yielding_loops, leave_out_third_powers_in_space) {
  leaves_out_third_powers(corner_with(1e6), ranged("la", 1e-10), {8e-3, 3e-2});
}

// Velocities are the rates of these positions, with all their terms, and accelerations those of velocities.
TEST(yielding_loops, move_as_their_positions_say) {
  const Study study = quarter(1e6);
  const std::vector<FollowingPart> parts = parts_of(precompute(study, ranged("l1", 1e-9)), study);
  const FollowingMap& map = *parts[0].map;
  constexpr int each = 3 + 3 * 3;  // coordinates, two columns and the bend
  std::vector<double> work(map.scratch());
  const double rate[] = {0.7, 0.05}, h = 1e-5;
  const auto at = [&](double t) {
    const double s[] = {0.1 + rate[0] * t, 6e-3 + rate[1] * t};
    VecX out(3 * each);
    map.at(s, rate, out.data(), work.data());
    return out;
  };
  const VecX now = at(0), difference = (at(h) - at(-h)) / (2 * h);
  for (int body = 0; body < 3; ++body)
    for (int k = 0; k < 3; ++k) {
      const int first = body * each;
      const auto along = [&](const VecX& x) { return rate[0] * x[first + 3 + k] + rate[1] * x[first + 6 + k]; };
      EXPECT_NEAR(difference[first + k], along(now), 1e-8);
      EXPECT_NEAR(along(difference), now[first + 9 + k], 1e-7);
    }
  VecX out(3 * each);
  const double s[] = {0.1, 6e-3};
  const long before = allocations();
  for (int k = 0; k < 10; ++k) map.at(s, rate, out.data(), work.data());
  EXPECT_EQ(allocations(), before);
}

// Runs against the full model: errors fall at least with the square of the deflection.
double largest_error(const Results& fast, const Results& full) {
  double most = 0;
  for (const Table& table : full.tables)
    for (const Column& c : table.columns)
      if (c.unit == "m" && !c.residual) most = std::max(most, apart(fast, full, c.name));
  return most;
}
void runs_as_the_full_model(Study (*make)(double), double soft, const PrecomputeOptions& o,
                            const std::string& channel, const char* told, double most) {
  double error_before = 0, deflection_before = 0;
  const Precomputed made = precompute(make(soft), o);  // springs are not in the tables
  for (const double stiffness : {soft, 2 * soft}) {
    const Study study = make(stiffness);
    const Results fast = run_real_time(made.model, study), full = run(study);
    ASSERT_TRUE(fast.outcome) << fast.outcome.why;
    EXPECT_TRUE(fast.trusted) << fast.verdict;
    const double error = largest_error(fast, full);
    double deflection = 0;
    for (const double x : full.column(channel)) deflection = std::max(deflection, std::abs(x));
    EXPECT_LT(error, most);
    if (error_before > 0) {
      EXPECT_GT(error_before / error, std::pow(deflection_before / deflection, 2));
    }
    error_before = error, deflection_before = deflection;
    EXPECT_LT(fast.statistics.energy_residual, 1e-6 * fast.statistics.energy_scale);
    EXPECT_TRUE(std::ranges::any_of(fast.remarks, [&](const std::string& r) {
      return r.find(told) != std::string::npos && r.find("leaves out") != std::string::npos;
    }));
  }
}
TEST(yielding_loops, run_as_the_full_model_in_the_plane) {
  runs_as_the_full_model([](double k) { return quarter(k); }, 3e5, bounded(1e-10), "l1.x", "l1.slide_x", 1e-6);
}
TEST(yielding_loops, run_as_the_full_model_in_space) {
  runs_as_the_full_model(corner_with, 1e7, ranged("la", 1e-8), "la.angle_y", "la.angle_y", 1e-5);
}

// Tables of the whole have positions to first order only.
TEST(yielding_loops, agree_with_tables_of_the_whole) {
  const Study study = example("crank_slider", {"joints.J12.compliance={x = {stiffness = 2e5, damping = 800}}",
                                               "analysis.end=1", "analysis.rtol=1e-10"});
  PrecomputeOptions o = bounded(1e-9);
  o.independent = {"J01.angle"};
  const Results loops = run_real_time(precompute(study, o).model, study),
                whole = run_real_time(precompute(study, of_whole(o)).model, study), full = run(study);
  ASSERT_TRUE(loops.outcome && whole.outcome);
  EXPECT_LT(largest_error(loops, full), 1e-8);
  EXPECT_LT(largest_error(loops, whole), 1e-6);
  EXPECT_LT(apart(loops, full, "J12.on_rod.fx"), 1e-4);
}

// A joint that gives way in all that it holds is a force: the loop is open, and there is nothing to tabulate.
TEST(yielding_loops, are_open_where_a_joint_holds_nothing) {
  const Study study = study_of(
      free_quarter,
      {"joints.l1.compliance={x = {stiffness = 1e5, damping = 400}, y = {stiffness = 2e5, damping = 500}}"});
  EXPECT_TRUE(loop_parts(study.mechanism).empty());
  const Precomputed made = precompute(study, bounded(1e-8));
  EXPECT_TRUE(made.model.loops_as_joints && made.model.loops.empty());
  const Results fast = run_real_time(made.model, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_LT(largest_error(fast, full), 1e-8);
}

// A four-bar and a five-bar share a bar on rubber.  If that opened their loops, one with four freedoms would be left.
TEST(yielding_loops, stay_closed_where_tables_cannot_hold_them_open) {
  const Study study = study_of(R"toml(
gravity = [0, -0.5]
[bodies]
bar = {mass = 2, inertia = 0.2, position = [0, 0.5], omega = 0.1}
a = {mass = 1, inertia = 0.1, position = [0.5, 1.1]}
b = {mass = 1, inertia = 0.1, position = [1, 0.6]}
c = {mass = 1, inertia = 0.05, position = [-0.3, 0.9]}
d = {mass = 1, inertia = 0.05, position = [-0.8, 0.75]}
e = {mass = 1, inertia = 0.05, position = [-1, 0.25]}
[joints]
foot = {type = "revolute", bodies = ["ground", "bar"], at = [0, 0], compliance = {x = {stiffness = 2e4, damping = 60}, y = {stiffness = 4e4, damping = 80}}}
ba = {type = "revolute", bodies = ["bar", "a"], at = [0, 1]}
ab = {type = "revolute", bodies = ["a", "b"], at = [1, 1.2]}
right = {type = "revolute", bodies = ["ground", "b"], at = [1, 0]}
bc = {type = "revolute", bodies = ["bar", "c"], at = [0, 0.8]}
cd = {type = "revolute", bodies = ["c", "d"], at = [-0.6, 1]}
de = {type = "revolute", bodies = ["d", "e"], at = [-1, 0.5]}
left = {type = "revolute", bodies = ["ground", "e"], at = [-1, 0]}
[forces]
hold = {type = "torsion_spring", joint = "right", stiffness = 40, damping = 2}
hold_left = {type = "torsion_spring", joint = "left", stiffness = 40, damping = 2}
[analysis]
end = 0.1
rtol = 1e-9
[output]
step = 0.02
)toml");
  PrecomputeOptions o = bounded(1e-4);
  o.ranges = {{"right", -0.06, 0.06}, {"left", -0.06, 0.06}};
  const RealTimeModel model = precompute(study, o).model;
  ASSERT_EQ(model.loops.size(), 1U);
  EXPECT_EQ(model.loops.front().stiff.size(), 2U);
  EXPECT_TRUE(std::ranges::any_of(model.loops.front().region.bodies,
                                  [](const BodyTable& t) { return t.stiff.size() == 2; }));
  const Results fast = run_real_time(io::real_time_from(io::real_time_bytes(model), "again.rt"), study),
                full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_LT(largest_error(fast, full), 1e-5);
}

// Left and right corners that are mirrored give way in mirrored directions: along x of the chassis with the other sign.
TEST(yielding_loops, share_a_table_with_their_mirror_image) {
  const Study study = study_of(R"toml(
gravity = [0, -2]
[bodies]
chassis = {mass = 350, inertia = 50, position = [0, 0.6], velocity = [1, 0.5], omega = 0.3}
lower = {mass = 5, inertia = 0.1, position = [0.45, 0.3]}
upper = {mass = 3, inertia = 0.05, position = [0.45, 0.55]}
hub = {mass = 40, inertia = 1, position = [0.72, 0.42]}
left_lower = {mass = 6, inertia = 0.1, position = [-0.45, 0.3]}
left_upper = {mass = 3, inertia = 0.05, position = [-0.45, 0.55]}
left_hub = {mass = 30, inertia = 1, position = [-0.72, 0.42]}
[joints]
l1 = {type = "revolute", bodies = ["chassis", "lower"], at = [0.25, 0.32], compliance = {x = {stiffness = 1e6, damping = 4e3}}}
l2 = {type = "revolute", bodies = ["lower", "hub"], at = [0.65, 0.27], compliance = {y = {stiffness = 2e6, damping = 4e3}}}
u1 = {type = "revolute", bodies = ["chassis", "upper"], at = [0.3, 0.55]}
u2 = {type = "revolute", bodies = ["upper", "hub"], at = [0.62, 0.56]}
left_l1 = {type = "revolute", bodies = ["chassis", "left_lower"], at = [-0.25, 0.32], compliance = {x = {stiffness = 2e6, damping = 4e3}}}
left_l2 = {type = "revolute", bodies = ["left_lower", "left_hub"], at = [-0.65, 0.27], compliance = {y = {stiffness = 1e6, damping = 4e3}}}
left_u1 = {type = "revolute", bodies = ["chassis", "left_upper"], at = [-0.3, 0.55]}
left_u2 = {type = "revolute", bodies = ["left_upper", "left_hub"], at = [-0.62, 0.56]}
[forces]
strut = {type = "spring", bodies = ["chassis", "lower"], i = [0.35, 0.2], j = [0.05, 0], stiffness = 60000, damping = 4000, free_length = 0.45}
left_strut = {type = "spring", bodies = ["chassis", "left_lower"], i = [-0.35, 0.2], j = [-0.05, 0], stiffness = 50000, damping = 4000, free_length = 0.45}
[analysis]
end = 0.1
rtol = 1e-10
[output]
step = 0.01
)toml");
  PrecomputeOptions o = bounded(1e-9);
  o.ranges = {{"l1", -0.5, 0.4}, {"left_l1", -0.4, 0.5}};
  const RealTimeModel model = precompute(study, o).model;
  ASSERT_EQ(model.loops.size(), 2U);
  EXPECT_TRUE(model.loops[1].region.bodies[0].table.mirrored());
  const RealTimeModel again = io::real_time_from(io::real_time_bytes(model), "again.rt");
  const Results fast = run_real_time(again, study), full = run(study);
  ASSERT_TRUE(fast.outcome) << fast.outcome.why;
  EXPECT_LT(largest_error(fast, full), 1e-7);
  double most = 0;
  for (const double x : full.column("left_l1.x")) most = std::max(most, std::abs(x));
  EXPECT_GT(most, 1e-4);
}

TEST(yielding_loops, are_chosen_where_they_suit) {
  EXPECT_TRUE(precompute(quarter(1e6), {}).model.loops_as_joints);
}

TEST(yielding_loops, are_read_as_they_were_written) {
  const Study study = quarter(1e6, {"analysis.end=0.1"});
  const RealTimeModel made = precompute(study, ranged("l1", 1e-7)).model;
  const RealTimeModel again = io::real_time_from(io::real_time_bytes(made), "again.rt");
  EXPECT_EQ(apart(run_real_time(made, study), run_real_time(again, study), "hub.x"), 0);
  RealTimeModel odd = made;
  odd.loops.front().stiff.front().name = "l2.slide_x";
  EXPECT_THROW(run_real_time(odd, study), ModelError);
  odd = made;
  odd.loops.front().stiff.clear();
  EXPECT_THROW(run_real_time(odd, study), ModelError);
  odd = made;
  odd.loops.front().region.bodies.front().stiff = {1};
  EXPECT_THROW(run_real_time(odd, study), ModelError);
  odd = made;
  odd.loops.front().region.bodies.front().order.pop_back();
  EXPECT_THROW(run_real_time(odd, study), ModelError);
}
}  // namespace
}  // namespace mubody::testing
