// Velocity coefficients, inertia and quadratic term of the crank-slider over a turn.
#include "mubody/analyses/forward.h"
#include "mubody/analyses/kinematic.h"
#include "mubody/joints/translational.h"
#include "mubody/surveys/independent.h"
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
// Dissertation on precomputation, sec. 3.7: crank 1 m, 12 kg, 1 kg m²; rod 2 m, 12 kg, 4 kg m²; slider 20 kg; centres of
// mass at mid-length (3.7.62).  A motor turns the crank once.
Study published_crank_slider() {
  Mechanism m;
  m.bodies = {body("crank", 12, 1, 2.5, 1, 0), body("rod", 12, 4, 4, 1, 0), body("slider", 20, 10, 5, 1, 0)};
  m.add_joint("J01", revolute(marker(ground, 2, 1), marker(1, -0.5, 0)));
  m.add_joint("J12", revolute(marker(1, 0.5, 0), marker(2, -1, 0)));
  m.add_joint("J23", revolute(marker(2, 1, 0), marker(3, 0, 0)));
  Translational guide;
  guide.i = marker(3, 0, 0), guide.j = marker(ground, 4, 1);
  m.add_joint("J34", guide);
  m.add_joint("motor", motor(ground, 1, polynomial({0, 2 * pi})));
  m.prepare();
  Study s = study(std::move(m));
  s.analysis.type = analysis_of(Kinematic{});
  s.output.step = 1. / 24;  // 15 degrees
  return s;
}

struct PublishedCoefficients {
  double degrees, th12, th23, tx34;  // variables
  double d12, d23, dtx;              // first derivatives by the crank's angle
  double dd12, dd23, ddtx;           // second derivatives
  double J, Q11;                     // [kg m²], with 3.7.68 corrected to conserve energy
};
// Computed from the closed form with more digits than are shown; extremes are those of figs. 3.7.3-3.7.7.
constexpr PublishedCoefficients published_coefficients[] = {
    {0, 0, 0, -1, -1.5, 0.5, 0, 0, 0, 1.5, 8, 0},
    {15, -0.391572859585743, 0.129773471786593, -0.949108294417561, -1.48705847384815, 0.487058473848149,
     0.38487905421299, 0.0995472946259935, -0.0995472946259935, 1.41062344935429, 11.9536213900907,
     -29.0075754443236},
    {30, -0.776279030740378, 0.252680255142079, -0.802517076888147, -1.44721359549996, 0.447213595499958,
     0.723606797749979, 0.206559111797729, -0.206559111797729, 1.15004418250632, 22.0137767414995,
     -44.7513656741936},
    {45, -1.14676528730416, 0.361367123906708, -0.577935474573518, -1.37796447300923, 0.377964473009227,
     0.974368023098972, 0.323969548293623, -0.323969548293623, 0.745286958602608, 33.5413620125256,
     -39.720740259213},
    {60, -1.49502994812553, 0.447832396928933, -0.302775637731995, -1.27735009811261, 0.277350098112615,
     1.10621763449207, 0.443431810537164, -0.443431810537164, 0.254651836284995, 41.2012692110074,
     -16.6161920001607},
    {75, -1.81303221459286, 0.504035275597108, -0.0101006609792423, -1.14778836410782, 0.14778836410782,
     1.10867842400582, 0.539506978680508, -0.539506978680508, -0.224054235792518, 41.7836328397317,
     11.6412873847113},
    {90, -2.0943951023932, 0.523598775598299, 0.267949192431123, -1, 0, 1, 0.577350269189626,
     -0.577350269189626, -0.577350269189626, 36, 30.0222139978605},
    {105, -2.33663099019115, 0.504035275597108, 0.507537429225799, -0.85221163589218, -0.14778836410782,
     0.823173228572312, 0.539506978680508, -0.539506978680508, -0.741692325997559, 27.4432370656669,
     33.0238715239965},
    {120, -2.54222749932213, 0.447832396928933, 0.697224362268005, -0.722649901887385, -0.277350098112615,
     0.625833173076808, 0.443431810537164, -0.443431810537164, -0.745348163715005, 19.5679615582234,
     26.2238812284659},
    {135, -2.71756161409905, 0.361367123906708, 0.836278087799577, -0.622035526990773, -0.377964473009227,
     0.439845539274123, 0.323969548293623, -0.323969548293623, -0.668926603770487, 13.8872094160458,
     17.2588515775217},
    {150, -2.87067413313357, 0.252680255142079, 0.92953373068073, -0.552786404500042, -0.447213595499958,
     0.276393202250021, 0.206559111797729, -0.206559111797729, -0.582006625062561, 10.3862232585005,
     9.84287578037741},
    {165, -3.00956673757724, 0.129773471786593, 0.982743358160576, -0.512941526151851, -0.487058473848149,
     0.132759035992052, 0.0995472946259935, -0.0995472946259935, -0.521228203223842, 8.56044134699771,
     4.37404885151703},
    {180, -3.14159265358979, 0, 1, -0.5, -0.5, 0, 0, 0, -0.5, 8, 0},
    {195, -3.27361856960235, -0.129773471786593, 0.982743358160576, -0.512941526151851, -0.487058473848149,
     -0.132759035992052, -0.0995472946259935, 0.0995472946259935, -0.521228203223842, 8.56044134699771,
     -4.37404885151703},
    {210, -3.41251117404601, -0.252680255142079, 0.92953373068073, -0.552786404500042, -0.447213595499958,
     -0.276393202250021, -0.206559111797729, 0.206559111797729, -0.582006625062561, 10.3862232585005,
     -9.84287578037741},
    {225, -3.56562369308053, -0.361367123906708, 0.836278087799577, -0.622035526990773, -0.377964473009227,
     -0.439845539274123, -0.323969548293623, 0.323969548293623, -0.668926603770487, 13.8872094160458,
     -17.2588515775217},
    {240, -3.74095780785746, -0.447832396928933, 0.697224362268005, -0.722649901887385, -0.277350098112615,
     -0.625833173076808, -0.443431810537164, 0.443431810537164, -0.745348163715005, 19.5679615582234,
     -26.2238812284659},
    {255, -3.94655431698843, -0.504035275597108, 0.507537429225799, -0.85221163589218, -0.14778836410782,
     -0.823173228572312, -0.539506978680508, 0.539506978680508, -0.741692325997559, 27.4432370656669,
     -33.0238715239965},
    {270, -4.18879020478639, -0.523598775598299, 0.267949192431123, -1, 0, -1, -0.577350269189626,
     0.577350269189626, -0.577350269189626, 36, -30.0222139978605},
    {285, -4.47015309258673, -0.504035275597108, -0.0101006609792423, -1.14778836410782, 0.14778836410782,
     -1.10867842400582, -0.539506978680508, 0.539506978680508, -0.224054235792518, 41.7836328397317,
     -11.6412873847113},
    {300, -4.78815535905406, -0.447832396928933, -0.302775637731995, -1.27735009811261, 0.277350098112615,
     -1.10621763449207, -0.443431810537164, 0.443431810537164, 0.254651836284995, 41.2012692110074,
     16.6161920001607},
    {315, -5.13642001987543, -0.361367123906708, -0.577935474573518, -1.37796447300923, 0.377964473009227,
     -0.974368023098972, -0.323969548293623, 0.323969548293623, 0.745286958602608, 33.5413620125256,
     39.720740259213},
    {330, -5.50690627643921, -0.252680255142079, -0.802517076888147, -1.44721359549996, 0.447213595499958,
     -0.723606797749979, -0.206559111797729, 0.206559111797729, 1.15004418250632, 22.0137767414995,
     44.7513656741936},
    {345, -5.89161244759384, -0.129773471786593, -0.949108294417561, -1.48705847384815, 0.487058473848149,
     -0.38487905421299, -0.0995472946259935, 0.0995472946259935, 1.41062344935429, 11.9536213900907,
     29.0075754443236},
};

TEST(coefficients, agree_with_the_reference_over_a_turn) {
  const Independence found =
      find_independent(published_crank_slider(), {.along = true, .coefficients = true, .set = {"J01.angle"}});
  ASSERT_TRUE(found.outcome) << found.outcome.why;
  ASSERT_EQ(found.set, VariableSet{0});
  ASSERT_EQ(found.motion.size(), std::size(published_coefficients) + 1);
  for (std::size_t k = 0; k < std::size(published_coefficients); ++k) {
    const PublishedCoefficients& row = published_coefficients[k];
    const IndependentAt& now = found.motion[k];
    const MinimalCoefficients& c = now.coefficients;
    SCOPED_TRACE(row.degrees);
    EXPECT_NEAR(now.values[0], row.degrees * pi / 180, 1e-11);
    EXPECT_NEAR(now.values[1], row.th12, 1e-11);
    EXPECT_NEAR(now.values[2], row.th23, 1e-11);
    EXPECT_NEAR(now.values[3], row.tx34, 1e-11);
    const double first[] = {1, row.d12, row.d23, row.dtx}, second[] = {0, row.dd12, row.dd23, row.ddtx};
    for (int p = 0; p < 4; ++p) {
      EXPECT_NEAR(c.B(p, 0), first[p], 1e-11);
      EXPECT_NEAR(c.dB[0](p, 0), second[p], 1e-9);  // differences
    }
    EXPECT_NEAR(c.J(0, 0), row.J, 1e-10);
    EXPECT_NEAR(-c.dJ[0](0, 0), row.Q11, 1e-8);  // quadratic term of 3.7.67: ½ Q11 θ̇²
  }
}

// Without gravity the full equations of motion, which do not use coefficients, conserve ½ J θ̇².
TEST(coefficients, keep_the_energy_of_a_forward_run) {
  Study s = published_crank_slider();
  s.mechanism.joints.pop_back();  // the motor
  s.mechanism.bodies[0].omega.z() = 4;
  s.analysis.type = analysis_of(Forward{});
  s.analysis.assembly.hold = {"crank.omega"};
  s.analysis.control.rtol = 1e-11;
  const Independence found = find_independent(s, {.along = true, .coefficients = true, .set = {"J01.angle"}});
  const Results r = run(s);
  const auto omega = r.column("crank.omega"), alpha = r.column("crank.alpha");
  ASSERT_EQ(omega.size(), found.motion.size());
  for (std::size_t k = 0; k < omega.size(); ++k) {
    const MinimalCoefficients& c = found.motion[k].coefficients;
    EXPECT_NEAR(c.J(0, 0) * omega[k] * omega[k], 8 * 16, 1e-6);
    EXPECT_NEAR(c.J(0, 0) * alpha[k], -0.5 * c.dJ[0](0, 0) * omega[k] * omega[k], 1e-6);  // 3.7.69
  }
}

// Two freedoms: J of a double pendulum of rods, m = l = 1, in its relative angles.
TEST(coefficients, of_a_double_pendulum) {
  Mechanism m;
  m.bodies = {body("upper", 1, 1. / 12, 0.5, 0, 0), body("lower", 1, 1. / 12, 1, 0.5, pi / 2)};
  m.add_joint("A", revolute(marker(ground, 0, 0), marker(1, -0.5, 0)));
  m.add_joint("B", revolute(marker(1, 0.5, 0), marker(2, -0.5, 0)));
  m.prepare();
  const Independence found =
      find_independent(study(std::move(m)), {.coefficients = true, .set = {"A.angle", "B.angle"}});
  const MinimalCoefficients& c = found.start.coefficients;
  const double cosine = 0, sine = 1;  // cosine and sine of the angle between the rods
  EXPECT_NEAR(c.J(0, 0), 5. / 3 + cosine, 1e-12);
  EXPECT_NEAR(c.J(0, 1), 1. / 3 + cosine / 2, 1e-12);
  EXPECT_NEAR(c.J(1, 1), 1. / 3, 1e-12);
  EXPECT_NEAR(c.dJ[0].norm(), 0, 1e-9);
  EXPECT_NEAR(c.dJ[1](0, 0), -sine, 1e-9);
  EXPECT_NEAR(c.dJ[1](0, 1), -sine / 2, 1e-9);
  EXPECT_NEAR(c.dJ[1](1, 1), 0, 1e-9);
  EXPECT_LT((c.B - MatX::Identity(2, 2)).norm(), 1e-12);
}

TEST(coefficients, names_are_checked) {
  const auto message = [](const std::vector<std::string>& set) -> std::string {
    try {
      find_independent(published_crank_slider(), {.coefficients = true, .set = set});
    } catch (const ModelError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message({"J01.angel"}).find("did you mean 'J01.angle'?"), std::string::npos);
  EXPECT_NE(message({"J01.angle", "J12.angle"}).find("as many variables as freedoms"), std::string::npos);
}
}  // namespace
}  // namespace mubody::testing
