// Independent variables: the crank-slider of the dissertation on precomputation, secs. 3.7 and 4.6.
#include "mubody/surveys/independent.h"

#include "mubody/analyses/kinematic.h"
#include "mubody/joints/translational.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
/// Crank of 1 m on (2, 1), rod of 2 m, slider on the line y = 1 with its slide counted from (4, 1); scaled.
Study crank_slider(double degrees, double turns = 0, double scale = 1) {
  const double a = degrees * pi / 180, b = -std::asin(std::sin(a) / 2);
  const double x = 2 + std::cos(a), y = 1 + std::sin(a), end = x + 2 * std::cos(b);
  Mechanism m;
  m.gravity = {0, -g, 0};
  m.bodies = {body("crank", 1, 1, scale * (1 + x / 2), scale * (y + 1) / 2, a),
              body("rod", 1, 1, scale * (x + end) / 2, scale * (y + 1) / 2, b),
              body("slider", 1, 1, scale * end, scale, 0)};
  m.add_joint("J01", revolute(marker(ground, 2 * scale, scale), marker(1, -0.5 * scale, 0)));
  m.add_joint("J12", revolute(marker(1, 0.5 * scale, 0), marker(2, -scale, 0)));
  m.add_joint("J23", revolute(marker(2, scale, 0), marker(3, 0, 0)));
  Translational guide;
  guide.i = marker(3, 0, 0), guide.j = marker(ground, 4 * scale, scale);
  m.add_joint("J34", guide);
  if (turns != 0) m.add_joint("motor", motor(ground, 1, polynomial({a, 2 * pi * turns})));
  m.prepare();
  Study s = study(std::move(m));
  if (turns != 0) s.analysis.type = analysis_of(Kinematic{});
  return s;
}

struct PublishedConditions {
  double degrees;
  std::array<double, 4> weights;       // weights of J01, J12, J23, J34
  std::array<double, 3> coefficients;  // J12, J23, J34 per J01
  double tangent, with_01, with_12;    // condition numbers
  double norm_01, norm_12;             // |B|
};
// Computed from the closed form of the mechanism and its spatial Jacobian, eqs. 3.7.29 and 4.6.13; the document prints
// the weights with four digits (eqs. 4.6.3, 4.6.8-4.6.10) and the conditions 13.44, 14.6621 and 10.4252.
constexpr PublishedConditions published_conditions[] = {
    {0,
     {0.534522483824849, 0.801783725737273, 0.267261241912424, 0},
     {-1.5, 0.5, 0},
     13.4395557679104,
     23.2354160488027,
     14.5705817083292,
     1.87082869338697,
     1.24721912892465},
    {30,
     {0.511776223094481, 0.740649507915952, 0.228873284821472, 0.370324753957976},
     {-1.447213595499958, 0.4472135954999579, 0.7236067977499789},
     14.1509074304983,
     26.6672679143703,
     14.3450483022645,
     1.95397901440878,
     1.35016629230445},
    {60,
     {0.504288050241445, 0.644152390452928, 0.139864340211484, 0.557852334040708},
     {-1.277350098112614, 0.2773500981126146, 1.106217634492069},
     14.3279466184013,
     27.7167564179825,
     14.4479546133122,
     1.98299364722447,
     1.55242767832758},
    {90,
     {0.577350269189626, 0.577350269189626, 0, 0.577350269189626},
     {-1, 0, 1},
     14.6620902576329,
     23.9793037105545,
     15.370112782335,
     1.73205080756888,
     1.73205080756888},
    {135,
     {0.761773616714782, 0.473850253120846, 0.287923363593935, 0.335062727248712},
     {-0.6220355269907728, -0.3779644730092273, 0.4398455392741231},
     12.8713452744736,
     14.875364859635,
     18.5087986542515,
     1.31272595697471,
     2.11037135342623},
    {180,
     {0.816496580927726, 0.408248290463863, 0.408248290463863, 0},
     {-0.5, -0.5, 0},
     8.79462615971809,
     9.1081949125825,
     20.2222295712014,
     1.22474487139159,
     2.44948974278318},
    {225,
     {0.761773616714782, 0.473850253120846, 0.287923363593936, 0.335062727248712},
     {-0.6220355269907728, -0.3779644730092273, -0.4398455392741231},
     8.39876752991022,
     9.48794456394914,
     18.2892182586395,
     1.31272595697471,
     2.11037135342623},
    {270,
     {0.577350269189626, 0.577350269189626, 0, 0.577350269189626},
     {-1, 0, -1},
     10.4251998181944,
     16.4886444829009,
     15.7470459483689,
     1.73205080756888,
     1.73205080756888},
    {300,
     {0.504288050241445, 0.644152390452928, 0.139864340211484, 0.557852334040709},
     {-1.277350098112614, 0.2773500981126146, -1.106217634492069},
     10.9843423513283,
     20.4125214264986,
     15.1466718940664,
     1.98299364722447,
     1.55242767832758}};
constexpr double round_off = 1e-11;  // closure to 1e-12, times condition numbers up to 30

TEST(independent, agrees_with_the_reference_of_the_crank_slider) {
  for (const PublishedConditions& row : published_conditions) {
    SCOPED_TRACE(row.degrees);
    const Independence found = find_independent(crank_slider(row.degrees), {});
    ASSERT_TRUE(found.outcome) << found.outcome.why;
    const IndependentAt& at = found.start;
    EXPECT_EQ(at.choice.rank, 3);
    ASSERT_EQ(at.choice.freedoms, 1) << "eq. 3.2.17";
    const MatX B = velocity_coefficients(at.choice.V, {0});
    for (std::size_t k = 0; k < 4; ++k)
      EXPECT_NEAR(at.choice.weights[Eigen::Index(k)], row.weights[k], round_off);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(B(Eigen::Index(k) + 1, 0), row.coefficients[k], round_off);
    EXPECT_NEAR(at.choice.condition, row.tangent, 100 * round_off);
    EXPECT_NEAR(at.single[0].condition, row.with_01, 100 * round_off);
    EXPECT_NEAR(at.single[1].condition, row.with_12, 100 * round_off);
    EXPECT_NEAR(at.single[0].amplification, row.norm_01, 10 * round_off);
    EXPECT_NEAR(at.single[1].amplification, row.norm_12, 10 * round_off);
  }
}

// The tree does not matter to a single loop: its equations are the same up to their sign.
TEST(independent, does_not_depend_on_the_chord) {
  for (const char* chord : {"J01", "J12", "J23", "J34"}) {
    const Independence found = find_independent(crank_slider(30), {.chords = {chord}});
    EXPECT_NEAR(found.start.choice.condition, published_conditions[1].tangent, 100 * round_off) << chord;
    EXPECT_NEAR(found.start.single[0].condition, published_conditions[1].with_01, 100 * round_off) << chord;
  }
}

// Lengths are in millimetres, and a millimetre counts as a radian.
TEST(independent, does_not_depend_on_the_unit_of_length) {
  const Independence found = find_independent(crank_slider(30, 0, 1e-3), {.length = 1e-3});
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_NEAR(found.start.choice.weights[Eigen::Index(k)], published_conditions[1].weights[k],
                1e-8);  // closed to 1e-12 m
  EXPECT_NEAR(found.start.choice.condition, published_conditions[1].tangent, 1e-6);
}

// Sec. 4.6, eqs. 4.6.16 and 4.6.17: the crank between 90 and 270 degrees, the rod's pin otherwise.
TEST(independent, finds_where_the_best_variable_changes) {
  for (const double step : {0.01, 0.03, 1.0 / 24}) {  // 1/24: output times at the crossings themselves
    Study s = crank_slider(0, 1);
    s.output.step = step;
    const Independence found = find_independent(s, {.along = true});
    ASSERT_TRUE(found.outcome) << found.outcome.why;
    ASSERT_EQ(found.crossings.size(), 2u) << step;
    EXPECT_NEAR(found.crossings[0].t, 0.25, 1e-9);  // equal weights to 1e-9 count as equal
    EXPECT_NEAR(found.crossings[1].t, 0.75, 1e-9);
    EXPECT_NEAR(found.crossings[0].values[0], pi / 2, 1e-8);
    EXPECT_NEAR(found.crossings[1].values[0], 3 * pi / 2, 1e-8);
    ASSERT_EQ(found.ranges.size(), 3u);
    EXPECT_EQ(found.ranges[0].set, VariableSet{1});
    EXPECT_EQ(found.ranges[1].set, VariableSet{0});
    EXPECT_EQ(found.ranges[2].set, VariableSet{1});
    EXPECT_EQ(found.ranges[0].to, found.ranges[1].from);
    EXPECT_DOUBLE_EQ(found.ranges[2].to, 1);
  }
}

// In a forward run the instant is as accurate as the results, but the configuration is exact.
TEST(independent, follows_a_forward_run) {
  Study s = crank_slider(30);
  s.mechanism.bodies[0].omega.z() = 6;
  s.analysis.assembly.hold = {"crank.omega"};
  s.analysis.end = 0.6;
  s.output.step = 0.02;
  const Independence found = find_independent(s, {.along = true});
  ASSERT_TRUE(found.outcome) << found.outcome.why;
  ASSERT_GE(found.crossings.size(), 1u);
  EXPECT_NEAR(found.crossings[0].values[0], pi / 2, 1e-8);
  EXPECT_EQ(found.crossings[0].before, VariableSet{1});
  EXPECT_EQ(found.crossings[0].after, VariableSet{0});
}

// Velocity coefficients against differences of the variables themselves, for joints and for bodies.
// The rows of a run are looked at one by one after it, which takes as long.
TEST(independent, stops_while_it_looks_at_the_rows) {
  Study s = study(four_bar(), 1);
  long asked = 0;
  IndependentOptions o;
  o.along = true;
  const Independence whole = find_independent(s, o, [&](double) { return ++asked, true; });
  const long all = asked, rows = long(whole.motion.size());
  ASSERT_GT(rows, 20);
  asked = 0;
  const Independence part = find_independent(s, o, [&](double) { return ++asked <= all - 10; });
  EXPECT_EQ(part.outcome.kind, Outcome::interrupted);
  EXPECT_EQ(long(part.motion.size()), rows - 10);
  EXPECT_EQ(part.ranges.back().to, part.motion.back().t);
}

TEST(independent, has_the_derivatives_of_the_motion) {
  for (const bool of_bodies : {false, true}) {
    constexpr double h = 1e-3;
    const auto at = [&](double degrees) {
      return find_independent(crank_slider(degrees), {.body = of_bodies}).start;
    };
    const double d = h * 180 / pi;
    const IndependentAt now = at(50);
    const int crank = of_bodies ? 2 : 0;
    const VecX slope =
        (8 * (at(50 + d).values - at(50 - d).values) - (at(50 + 2 * d).values - at(50 - 2 * d).values)) /
        (12 * h);
    EXPECT_LT((velocity_coefficients(now.choice.V, {crank}).col(0) - slope).norm(), 1e-9)
        << "error h⁴ and 1e-12/h";
  }
}

// Five bars and two freedoms: at a crossing both sets are equally good, and within a range no other set is better.
TEST(independent, compares_sets_of_several_variables) {
  Mechanism m;
  m.gravity = {0, -g, 0};
  const double a = pi / 3, b = 2 * pi / 3;  // a house: walls lean out, two bars make the roof
  const Vec<2> left(-std::cos(a), std::sin(a)), right(2 - std::cos(b), std::sin(b)), top(1, left.y() + 0.8);
  const Vec<2> up = top - left, down = right - top;
  const auto middle = [](const Vec<2>& p, const Vec<2>& q) { return Vec<2>(0.5 * (p + q)); };
  const double roof_a = std::atan2(up.y(), up.x()), roof_b = std::atan2(down.y(), down.x());
  m.bodies = {body("wall_a", 1, 0.1, left.x() / 2, left.y() / 2, std::atan2(left.y(), left.x())),
              body("roof_a", 1, 0.1, middle(left, top).x(), middle(left, top).y(), roof_a),
              body("roof_b", 1, 0.1, middle(top, right).x(), middle(top, right).y(), roof_b),
              body("wall_b", 1, 0.1, 1 + right.x() / 2, right.y() / 2, std::atan2(right.y(), right.x() - 2))};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, -up.norm() / 2, 0)));
  m.add_joint("C", revolute(marker(2, up.norm() / 2, 0), marker(3, -down.norm() / 2, 0)));
  m.add_joint("D", revolute(marker(3, down.norm() / 2, 0), marker(4, 0.5, 0)));
  m.add_joint("E", revolute(marker(ground, 2, 0), marker(4, -0.5, 0)));
  m.prepare();
  Study s = study(std::move(m), 2);
  s.output.step = 0.01;
  const Independence found = find_independent(s, {.along = true});
  ASSERT_TRUE(found.outcome) << found.outcome.why;
  EXPECT_EQ(found.start.choice.freedoms, 2);
  ASSERT_GE(found.crossings.size(), 2u);
  std::size_t range = 0;
  for (const IndependentAt& at : found.motion) {
    while (range + 1 < found.ranges.size() && at.t > found.ranges[range].to) ++range;
    EXPECT_NEAR(hold_of(at.choice.V, found.ranges[range].set) * at.best.amplification, 1, 1e-6) << at.t;
  }
}

TEST(independent, sees_loops_and_flying_mechanisms) {
  const Independence four = find_independent(study(four_bar()), {});
  EXPECT_EQ(four.start.choice.freedoms, 1);
  Mechanism m;  // a double rod that flies
  m.gravity = {0, -g, 0};
  m.bodies = {body("a", 1, 1, 0.5, 0, 0), body("b", 1, 1, 1.5, 0, 0)};
  m.add_joint("pin", revolute(marker(1, 0.5, 0), marker(2, -0.5, 0)));
  m.prepare();
  const Independence flying = find_independent(study(std::move(m)), {});
  ASSERT_EQ(flying.variables.size(), 4u);
  EXPECT_EQ(flying.variables[1].name, "a.x") << "the free arc's variables come last";
  EXPECT_EQ(flying.start.choice.freedoms, 4);
}
}  // namespace
}  // namespace mubody::testing
