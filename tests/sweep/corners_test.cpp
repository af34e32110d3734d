// Formulas with corners that keep a motion from being nothing but steps, and those that do not.
#include <algorithm>

#include <gtest/gtest.h>

#include "mubody/mechanism/signal_order.h"
#include "mubody/reading/read_model.h"

namespace mubody::testing {
namespace {
std::vector<bool> read(const std::string& signals, const std::string& force) {
  const Study s =
      io::read_study_text("name = \"m\"\n[bodies]\nb = {mass = 1, inertia = 1}\n[signals]\n" + signals +
                              "\n[forces]\nf = {type = \"force\", body = \"b\", force = [\"= " + force +
                              "\", 0]}\n[analysis]\nend = 1\n",
                          "m.toml");
  return read_between_instants(s.mechanism);
}
std::size_t count(const std::vector<bool>& all) {
  return std::size_t(std::count(all.begin(), all.end(), true));
}

TEST(read_between_instants, follows_what_forces_read_up_to_samples) {
  EXPECT_EQ(count(read("a = \"= abs(b.x)\"", "1")), 0u);
  EXPECT_EQ(count(read("a = \"= abs(b.x)\"", "a")), 1u);
  EXPECT_EQ(count(read("a = \"= abs(b.x)\"\nc = \"= 2*a\"", "c")), 2u);
  EXPECT_EQ(count(read("a = \"= abs(b.x)\"\nc = {value = \"= 2*a\", sample = 0.1}", "c")), 1u);
}
}  // namespace
}  // namespace mubody::testing
