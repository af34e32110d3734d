// An analysis that is defined here, outside the library, runs like one of its own.
#include "tests/analyses/study.h"

namespace mubody::testing {
namespace {
/// The distance of a body's centre of mass from a point at the start.
struct Reach {
  static constexpr Info info{"reach", "how far away a body is at the start"};
  static constexpr std::string_view tables[] = {"reach"};
  static constexpr AnalysisFacts facts{.at_one_instant = true, .tables = tables};
  std::string body;
  Vec<3> from = Vec<3>::Zero();

  void fields(Fields& f) {
    f.required("body", body, "", "whose centre of mass it is");
    f.optional("from", from, "m", "where the distance begins");
  }
  void check(const Study& study) const {
    for (const RigidBody& b : study.mechanism.bodies)
      if (b.name == body) return;
    throw FieldError("body", "no body '" + body + "'");
  }
  Results run(const Study& study, const Progress& progress) const {
    if (progress) progress(1);
    Results r;
    r.model = study.mechanism.name;
    r.analysis = info.name;
    r.trusted = true;
    for (const RigidBody& b : study.mechanism.bodies)
      if (b.name == body)
        r.tables.push_back({"reach",
                            {{"time", "s"}, {body + ".reach", "m"}},
                            {study.analysis.start, (b.start.at - from).norm()}});
    return r;
  }
};

Study with_reach(Reach reach) {
  Study s = study(parallelogram());
  s.analysis.type = analysis_of(std::move(reach));
  return s;
}

TEST(own_analysis, runs_in_a_study) {
  const Study s = with_reach({.body = "bar", .from = Vec<3>(-2, -3, 0)});
  double share = 0;
  const Results r = run(s, [&](double done) {
    share = done;
    return true;
  });
  EXPECT_EQ(r.analysis, "reach");
  EXPECT_EQ(share, 1);
  EXPECT_DOUBLE_EQ(r.column("bar.reach").at(0), 5);
}

TEST(own_analysis, is_copied_with_its_study) {
  Study s = with_reach({.body = "left"});
  const Study copy = s;
  s.analysis.type = AnalysisOptions().type;
  EXPECT_TRUE(s.analysis.type->facts().usual);
  EXPECT_DOUBLE_EQ(run(copy).column("left.reach").at(0), 0.5);
}

TEST(own_analysis, checks_its_options_beside_the_model) {
  EXPECT_NO_THROW(with_reach({.body = "bar"}).analysis.type->check(study(parallelogram())));
  try {
    with_reach({.body = "bra"}).analysis.type->check(study(parallelogram()));
    FAIL() << "there is no such body";
  } catch (const FieldError& e) {
    EXPECT_EQ(e.field, "body");
  }
}

// The library asks an analysis for facts, not for its name: this one takes body coordinates only.
TEST(own_analysis, is_known_by_its_facts) {
  Study s = with_reach({.body = "bar"});
  s.analysis.formulation.index = 1;
  const Results r = run(s);
  ASSERT_EQ(r.remarks.size(), 1U);
  EXPECT_EQ(
      r.remarks[0],
      "computed in body coordinates: formulation = \"cartesian\" is for equilibrium, forward, inverse and "
      "kinematic analyses");
  s.analysis.integrator = "rk4";
  EXPECT_NO_THROW(s.analysis.check()) << "a step is needed only where there is something to integrate";
}
}  // namespace
}  // namespace mubody::testing
