// Meshes of STL and OBJ files: honest ones, and those that no honest program writes.
#include <bit>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/shapes/cuboid.h"
#include "mubody/text/mesh_file.h"
#include "mubody/text/text_file.h"
#include "tests/near.h"

namespace mubody::testing {
namespace {
namespace fs = std::filesystem;

std::string text_stl(const Surface& s) {
  std::string text = "solid part of a test\n";
  for (const Surface::Triangle& t : s.triangles) {
    text += "facet normal 0 0 0\nouter loop\n";
    for (const std::uint32_t k : t)
      text += fmt::format("vertex {} {} {}\n", s.points[k].x(), s.points[k].y(), s.points[k].z());
    text += "endloop\nendfacet\n";
  }
  return text + "endsolid part of a test\n";
}

std::string four_bytes(std::uint32_t n) {
  return {char(n & 255), char(n >> 8 & 255), char(n >> 16 & 255), char(n >> 24 & 255)};
}

std::string binary_stl(const Surface& s) {
  std::string bytes = "solid, as some programs begin binary files too";
  bytes.resize(80);
  bytes += four_bytes(std::uint32_t(s.triangles.size()));
  for (const Surface::Triangle& t : s.triangles) {
    bytes += std::string(12, '\0');
    for (const std::uint32_t k : t)
      for (int n = 0; n < 3; ++n) bytes += four_bytes(std::bit_cast<std::uint32_t>(float(s.points[k][n])));
    bytes += std::string(2, '\0');
  }
  return bytes;
}

/// A box of 1 by 2 by 4 with quadrilaterals, numbers of textures and normals, and numbers counted back.
constexpr std::string_view box_obj = R"obj(# a box
mtllib none.mtl
o box
v -0.5 -1 -2
v 0.5 -1 -2
v 0.5 1 -2
v -0.5 1 -2
v -0.5 -1 2
v 0.5 -1 2
v 0.5 1 2 1.0
v -0.5 1 2
vn 0 0 1
s off
f 4//1 3//1 2//1 1//1
f 5/1 6/1 7/1 8/1
f 1/1/1 2/1/1 6/1/1 5/1/1
f 2 3 7 6
f -6 -5 -1 -2
f 1 5 8 4
)obj";

std::string refusal(std::string_view name, std::string_view bytes) {
  try {
    io::parse_mesh(name, bytes);
  } catch (const io::FileError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(mesh_file, gives_the_same_box_in_three_ways) {
  const Surface box = Cuboid{1, 2, 4}.surface();
  const MassProperties closed = Cuboid{1, 2, 4}.unit();
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"box.stl", text_stl(box)},
                                    {"BOX.STL", binary_stl(box)},
                                    {"box.obj", std::string(box_obj)}}) {
    const io::MeshFile mesh = io::parse_mesh(name, bytes);
    EXPECT_EQ(mesh.surface.points.size(), 8u) << name;
    EXPECT_FALSE(find_flaw(mesh.surface)) << name;
    const MassProperties m = mass_properties(mesh.surface);
    EXPECT_TRUE(same(m.mass, closed.mass)) << name;
    EXPECT_LT((m.inertia - closed.inertia).norm(), 1e-13) << name;
  }
}

TEST(mesh_file, is_read_however_its_lines_are_broken) {
  std::string text = text_stl(Cuboid{1, 2, 4}.surface());
  for (char& c : text)
    if (c == '\n') c = ' ';
  // The first line is a name to its end.
  text.replace(text.find("facet"), 0, "\r\n");
  text.replace(text.find("endsolid"), 0, "\n");
  EXPECT_EQ(io::parse_mesh("box.stl", text).surface.triangles.size(), 12u);
}

TEST(mesh_file, refuses_what_is_no_mesh) {
  EXPECT_EQ(refusal("a.step", "solid"), "is no mesh: the name ends neither with .stl nor with .obj");
  EXPECT_EQ(refusal("a.stl", "solid nothing\nendsolid\n"), "has no triangles");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2\n"),
            "line 4: expected three numbers");
  EXPECT_EQ(refusal("a.stl", "solid\nvertex 1 2 3\n"), "line 2: expected three corners in each facet");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet\nvertex 1 2 3\nendfacet\n"),
            "line 4: expected three corners in each facet");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet\nfacet\n"), "line 3: expected 'endfacet' before the next 'facet'");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet\nendsolid\n"), "line 3: the facet before it is not complete");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet\n"), "line 2: the file ends within a facet");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet\nvertex 1 inf 3\n"), "line 3: numbers must be finite");
  EXPECT_EQ(refusal("a.stl", "solid\nfacet\nvertex 1 1e999 3\n"), "line 3: a number is too large or too small");
  EXPECT_EQ(refusal("a.obj", "v 1 2 3\nf 1 1\n"), "line 2: a face has three corners or more");
  EXPECT_EQ(refusal("a.obj", "v 1 2 3\nf 1 1 0\n"), "line 2: there is no such corner: 1 are defined so far");
  EXPECT_EQ(refusal("a.obj", "v 1 2 3\nf 1 1 -2\n"), "line 2: there is no such corner: 1 are defined so far");
  EXPECT_EQ(refusal("a.obj", "v 1 2 3\nf 1 1 99999999999999999999\n"),
            "line 2: expected numbers of corners in a face, as in 'f 1 2 3'");
}

TEST(mesh_file, of_many_triangles_is_refused_before_they_take_memory) {
  std::string faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf";
  for (std::size_t k = 0; k < io::most_triangles + 3; ++k) faces += " 1";
  EXPECT_EQ(refusal("a.obj", faces), "has more than 200000 triangles; make it coarser");
  std::string bytes(84 + 50 * 200001, '\0');
  bytes.replace(80, 4, four_bytes(200001));
  EXPECT_EQ(refusal("a.stl", bytes), "has 200001 triangles, more than 200000; make it coarser");
  bytes.replace(80, 4, four_bytes(0xFFFFFFFF));
  EXPECT_NE(refusal("a.stl", bytes).find("is no STL file"), std::string::npos);
}

class MeshModel : public ::testing::Test {
 protected:
  MeshModel() {
    std::string name = (fs::temp_directory_path() / "mubody-mesh-XXXXXX").string();
    folder = mkdtemp(name.data());
    fs::create_directories(folder / "in");
  }
  ~MeshModel() override {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  void write(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
  }
  Study read(const std::string& body, bool untrusted = false) const {
    return io::read_study_text("gravity = [0, 0, -9.81]\n[bodies]\nb = {" + body + "}\n",
                               (folder / "in/model.toml").string(), {{}, untrusted});
  }
  std::string refused(const std::string& body, bool untrusted) const {
    try {
      read(body, untrusted);
    } catch (const ModelError& e) {
      return e.what();
    }
    return "accepted";
  }

  fs::path folder;
};

TEST_F(MeshModel, has_mass_centre_and_inertia_of_its_mesh) {
  write("in/box.obj", box_obj);
  const Study s = read("mesh = 'box.obj', unit = 'cm', at = [1, 2, 3], density = 1e6");
  const RigidBody& b = s.mechanism.bodies[0];
  EXPECT_TRUE(same(b.mass, 8));
  EXPECT_TRUE(same(b.start.at, {1, 2, 3}));
  EXPECT_TRUE(same(Vec<3>(b.inertia.diagonal() * 1e4), Vec<3>(20, 17, 5) * 8 / 12, 100));
}

TEST_F(MeshModel, is_not_read_from_elsewhere_for_strangers) {
  write("box.obj", box_obj);
  fs::create_symlink(folder / "box.obj", folder / "in/link.obj");
  EXPECT_EQ(refused("mesh = '../box.obj', density = 1", false), "accepted");
  for (const char* name : {"../box.obj", "link.obj"})
    EXPECT_NE(refused(fmt::format("mesh = '{}', density = 1", name), true).find("lies outside of the folder"),
              std::string::npos);
}

TEST_F(MeshModel, is_not_quoted_to_strangers) {
  write("in/open.obj", "v 0 0 0\nv 0.123 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_NE(refused("mesh = 'open.obj', density = 1", false).find("0.123"), std::string::npos);
  EXPECT_EQ(refused("mesh = 'open.obj', density = 1", true).find("0.123"), std::string::npos);
}

TEST_F(MeshModel, is_a_regular_file) {
  fs::create_directories(folder / "in/folder.stl");
  EXPECT_NE(refused("mesh = 'folder.stl', density = 1", false).find("is a folder, expected a mesh"),
            std::string::npos);
  write("in/empty.stl", "");
  EXPECT_NE(refused("mesh = 'empty.stl', density = 1", false).find("is empty"), std::string::npos);
}
}  // namespace
}  // namespace mubody::testing
