#pragma once
// MUBODYNA files of the tests.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "mubody/analyses/run.h"
#include "mubody/mubodyna/from_study.h"
#include "mubody/mubodyna/to_model.h"
#include "mubody/reading/read_model.h"
#include "mubody/text/toml.h"
#include "mubody/text/write_toml.h"
#include "tests/reference.h"

namespace mubody::testing {
namespace mub = io::mubodyna;

inline std::string text_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}
inline std::string data_file(const std::string& name) {
  return MUBODY_SOURCE_DIR "/tests/mubodyna/data/" + name;
}
inline std::string example_file(const std::string& name) { return MUBODY_SOURCE_DIR "/examples/" + name; }

inline std::string to_toml(const std::string& text) {
  return io::toml_text(mub::model_of(mub::read_file(text, "model.mub")));
}
inline std::string to_mub(const std::string& text, const std::string& name = "model.toml") {
  return mub::text_of(mub::file_of(io::read_study_text(text, name)));
}

/// Expects two runs to agree bit by bit in everything that moves.
inline void expect_same_motion(const Results& a, const Results& b) {
  const Table *x = a.find("bodies"), *y = b.find("bodies");
  ASSERT_TRUE(x && y);
  ASSERT_EQ(x->rows(), y->rows());
  ASSERT_GT(x->rows(), 2u);
  ASSERT_EQ(x->columns.size(), y->columns.size());
  for (const Column& c : x->columns) {
    ASSERT_GE(y->find(c.name), 0) << c.name;
    const std::vector<double> u = x->column(c.name), v = y->column(c.name);
    for (std::size_t k = 0; k < u.size(); ++k) ASSERT_EQ(u[k], v[k]) << c.name << ", row " << k;
  }
}

/// A block on a spring; each section can be replaced by another text.
struct Parts {
  std::string counts = "1\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n0\n";
  std::string motion = "0 0 0 0 0 0\n", inertia = "2 0.5\n", forces = "0 0 0\n";
  std::string more = {}, times = "0 1 1D-3 1 0 0\n";

  std::string text() const {
    return "GENERIC_INFORMATION\n" + counts + "INITIAL_CONDITIONS\n" + motion + "INERTIA_PROPERTIES\n" +
           inertia + "CONSTANT_APPLIED_FORCES\n" + forces + more + "TIME_PARAMETERS\n" + times;
  }
};
}  // namespace mubody::testing
