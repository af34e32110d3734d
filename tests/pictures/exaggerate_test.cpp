// Clearance that can be seen.
#include "mubody/picture/exaggerate.h"

#include "tests/near.h"
#include "tests/pictures/picture.h"

namespace mubody::testing {
namespace {
using Type = io::Shape::Type;

const io::Shape& disc_of(const std::vector<io::Shape>& shapes) {
  return *std::ranges::find_if(shapes, [](const io::Shape& s) { return s.type == Type::disc; });
}

TEST(exaggerated, journals_go_farther_and_touch_when_they_touch) {
  const Filmed f = film("clearance_slider_crank", {});
  ASSERT_EQ(f.scene.gaps.size(), 1u);
  const io::SceneGap& gap = f.scene.gaps[0];
  EXPECT_EQ(gap.name, "C");
  const double play = gap.radius_i - gap.radius_j;
  EXPECT_TRUE(same(play, 0.5e-3, 1));
  const std::vector<double> depth = f.results.column("C.gap");
  for (const double times : {1.0, 3.0, 20.0})
    for (const std::size_t row : {std::size_t(0), std::size_t(20), f.motion.times.size() - 1}) {
      const std::vector<Pose>& poses = f.motion.poses[row];
      const io::Scene shown = io::exaggerated(f.scene, poses, times);
      const io::Shape& bearing = disc_of(shown.bodies[std::size_t(gap.i.body - 1)].shapes);
      const io::Shape& journal = disc_of(shown.bodies[std::size_t(gap.j.body - 1)].shapes);
      const Vec<3> d =
          io::global(poses, {gap.j.body, journal.at}) - io::global(poses, {gap.i.body, bearing.at});
      const Vec<3> true_d = io::global(poses, gap.j) - io::global(poses, gap.i);
      EXPECT_LT((d - times * true_d).norm(), 1e-12 * times);
      // The distance between the circles is the gap of the results times the factor.
      EXPECT_NEAR(bearing.radius - journal.radius - d.norm(), times * depth[row], 1e-9 * times);
      EXPECT_GT(journal.radius, 0);
      // The rod ends in its journal, and begins where it did.
      const auto& rod = shown.bodies[std::size_t(gap.j.body - 1)].shapes;
      const auto link = std::ranges::find_if(rod, [](const io::Shape& s) { return s.type == Type::link; });
      ASSERT_NE(link, rod.end());
      const double ends =
          std::min((link->points[0] - journal.at).norm(), (link->points[1] - journal.at).norm());
      EXPECT_LT(ends, 1e-12);
    }
}

TEST(exaggerated, once_is_as_it_is) {
  const Filmed f = film("clearance_slider_crank", {});
  const io::PictureOptions plain{.title = "x", .times = {0.001}};
  io::PictureOptions once = plain, often = plain;
  often.exaggerate = 10;
  EXPECT_EQ(io::draw_scene(f.scene, f.motion, plain), io::draw_scene(f.scene, f.motion, once));
  const std::string large = io::draw_scene(f.scene, f.motion, often);
  EXPECT_NE(large, io::draw_scene(f.scene, f.motion, plain));
  EXPECT_NE(large.find("clearance × 10"), std::string::npos);
  tags_of(large);
}

TEST(exaggerated, bushings_show_their_deflection) {
  const Filmed f = film("stiff_bushing", {"analysis.end=0.2"});
  ASSERT_EQ(f.scene.gaps.size(), 1u);
  const io::SceneGap& gap = f.scene.gaps[0];
  const std::vector<Pose>& poses = f.motion.poses.back();
  const io::Scene shown = io::exaggerated(f.scene, poses, 1000);
  const Vec<3> true_d = io::global(poses, gap.j) - io::global(poses, gap.i);
  const Vec<3> d = io::global(poses, shown.ties[0].j) - io::global(poses, gap.i);
  EXPECT_GT(true_d.norm(), 0);
  EXPECT_LT((d - 1000 * true_d).norm(), 1e-9);
}
}  // namespace
}  // namespace mubody::testing
