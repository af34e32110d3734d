// Routines in C, compiled and called: they give what the graph says, without warnings.
#include "mubody/recording/c_text.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/recording/graphs.h"

namespace mubody::testing {
namespace {
constexpr const char* strict = "-Wall -Wextra -pedantic -Wshadow -Werror ";

bool has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

/// Code, compiled into a library that is loaded.
class Compiled {
 public:
  Compiled(const std::string& code, const std::string& compiler) {
    std::string name = (std::filesystem::temp_directory_path() / "mubody-c-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    std::ofstream(folder_ / "r.c") << runtime_for(code) << code;
    const std::string in = (folder_ / "r.c").string(), out = (folder_ / "r.so").string();
    if (std::system((compiler + " " + strict + "-shared -fPIC " + in + " -o " + out + " -lm").c_str()) == 0)
      library_ = dlopen(out.c_str(), RTLD_NOW);
  }
  Compiled(const Compiled&) = delete;
  ~Compiled() {
    if (library_) dlclose(library_);
    std::filesystem::remove_all(folder_);
  }
  bool is_there() const { return library_ != nullptr; }
  template <class Real> auto function(const std::string& name) const {
    return reinterpret_cast<void (*)(const Real*, const Real*, Real*)>(dlsym(library_, name.c_str()));
  }

 private:
  std::filesystem::path folder_;
  void* library_ = nullptr;
};

CFrame visible(int longest = 400, const std::string& tables = "mb_table") {
  CFrame f;
  f.before = "";
  f.longest = longest;
  f.tables = tables;
  return f;
}
}  // namespace

TEST(c_text, every_step) {
  if (!has("cc")) GTEST_SKIP() << "no C compiler";
  const EveryStep e;
  const Routine r{"every", e.outputs};
  const Compiled c(tables_in_c(e.g, {r}) + routine_in_c(e.g, r, visible()), "cc -std=c99 -O1");
  ASSERT_TRUE(c.is_there());
  Numbers y(e.outputs.size());
  c.function<double>("every")(e.x.data(), nullptr, y.data());
  const Numbers at = values(e.g, e.x, {});
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double expected = at[std::size_t(e.outputs[k])];
    EXPECT_NEAR(y[k], expected, 1e-14 * std::max(1., std::abs(expected))) << name_of(e.g[e.outputs[k]].step);
  }
}

TEST(c_text, every_step_in_single_precision) {
  if (!has("cc")) GTEST_SKIP() << "no C compiler";
  const EveryStep e;
  const Routine r{"every", e.outputs};
  const Compiled c(tables_in_c(e.g, {r}) + routine_in_c(e.g, r, visible()), "cc -std=c99 -DMB_SINGLE");
  ASSERT_TRUE(c.is_there());
  const std::vector<float> x(e.x.begin(), e.x.end());
  std::vector<float> y(e.outputs.size());
  c.function<float>("every")(x.data(), nullptr, y.data());
  const Numbers at = values(e.g, Numbers(x.begin(), x.end()), {});
  for (std::size_t k = 0; k < y.size(); ++k) {
    const double expected = at[std::size_t(e.outputs[k])];
    EXPECT_NEAR(y[k], expected, 2e-6 * std::max(1., std::abs(expected))) << name_of(e.g[e.outputs[k]].step);
  }
}

/// Random graphs, whole and in small parts, by one compiler.
void check_random_graphs(const std::string& compiler) {
  std::vector<RandomGraph> graphs;
  std::string code;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    graphs.emplace_back(seed, seed % 2 ? 60 : 300);
    const RandomGraph& r = graphs.back();
    const std::string number = std::to_string(seed);
    const Routine routine{"f" + number, r.outputs};
    const CFrame f = visible(seed % 3 == 0 ? 400 : seed % 3 == 1 ? 8 : 25, "table" + number + "_");
    code += tables_in_c(r.g, {routine}, f) + routine_in_c(r.g, routine, f) + "\n";
  }
  const Compiled c(code, compiler);
  ASSERT_TRUE(c.is_there());
  for (std::size_t s = 0; s < graphs.size(); ++s) {
    const RandomGraph& r = graphs[s];
    const auto f = c.function<double>("f" + std::to_string(s + 1));
    ASSERT_NE(f, nullptr);
    Numbers y(r.outputs.size());
    for (std::size_t l = 0; l < RandomGraph::points; ++l) {
      f(r.x[l].data(), r.p[l].data(), y.data());
      for (std::size_t k = 0; k < y.size(); ++k) {
        const auto n = std::size_t(r.outputs[k]);
        ASSERT_NEAR(y[k], r.at[l][n], r.round_off[l][n]) << "graph " << s + 1 << ", output " << k;
      }
    }
  }
}
TEST(c_text, random_graphs) {
  if (!has("cc")) GTEST_SKIP() << "no C compiler";
  check_random_graphs("cc -std=c99 -O1");
}
TEST(c_text, random_graphs_by_clang) {
  if (!has("clang")) GTEST_SKIP() << "no clang";
  check_random_graphs("clang -std=c99 -O1");
}
// As for graphics processors: what stands before functions is a macro, and the code is C++ too.
TEST(c_text, random_graphs_as_cpp_with_another_word_before_functions) {
  if (!has("c++")) GTEST_SKIP() << "no C++ compiler";
  RandomGraph r(2);
  const Routine routine{"f", r.outputs};
  const std::string code =
      tables_in_c(r.g, {routine}) + routine_in_c(r.g, routine) +
      "#ifdef __cplusplus\nextern \"C\"\n#endif\nvoid called(const mb_real* x, const mb_real* p, "
      "mb_real* y) { f(x, p, y); }\n";
  const Compiled c(code, "c++ -x c++ -std=c++17 -DMB_FN='static inline'");
  ASSERT_TRUE(c.is_there());
  Numbers y(r.outputs.size());
  c.function<double>("called")(r.x[0].data(), r.p[0].data(), y.data());
  for (std::size_t k = 0; k < y.size(); ++k)
    EXPECT_NEAR(y[k], r.at[0][std::size_t(r.outputs[k])], r.round_off[0][std::size_t(r.outputs[k])]);
}

TEST(c_text, compiles_for_arm) {
  if (!has("arm-linux-gnueabihf-gcc")) GTEST_SKIP() << "no compiler for ARM";
  const EveryStep e;
  const Routine r{"every", e.outputs};
  std::string name = (std::filesystem::temp_directory_path() / "mubody-c-XXXXXX").string();
  const std::filesystem::path folder = mkdtemp(name.data());
  const std::string code = tables_in_c(e.g, {r}) + routine_in_c(e.g, r, visible(10));
  std::ofstream(folder / "r.c") << runtime_for(code) << code;
  for (const char* precision : {"", "-DMB_SINGLE "})
    EXPECT_EQ(std::system((std::string("arm-linux-gnueabihf-gcc -std=c99 ") + strict + precision + "-c " +
                           (folder / "r.c").string() + " -o " + (folder / "r.o").string())
                              .c_str()),
              0);
  std::filesystem::remove_all(folder);
}

// Constants that no float can hold give no warning in either precision, and are what they are in double.
TEST(c_text, constants_of_any_size) {
  if (!has("cc")) GTEST_SKIP() << "no C compiler";
  Computation g;
  const Recorded x = Recorded::input(g, 0);
  Routine r{"sizes", {}};
  const Numbers sizes{1e-300, -1e-300, 1e300, -1e300, INFINITY, -INFINITY, 5, -5, 1e-30, 0.1};
  for (const double size : sizes) {
    r.outputs.push_back(g.add(Step::add, x.node_in(g), g.constant(size)));
    r.outputs.push_back(g.add(Step::multiply, x.node_in(g), g.constant(size)));
  }
  const std::string code = routine_in_c(g, r, visible());
  EXPECT_NE(code.find("x[0] - R(5.0)"), code.npos);
  EXPECT_TRUE(Compiled(code, "cc -std=c99 -DMB_SINGLE").is_there());
  const Compiled c(code, "cc -std=c99");
  ASSERT_TRUE(c.is_there());
  const double at = 2;
  Numbers y(r.outputs.size());
  c.function<double>("sizes")(&at, nullptr, y.data());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    EXPECT_EQ(y[2 * k], at + sizes[k]);
    EXPECT_EQ(y[2 * k + 1], at * sizes[k]);
  }
}

TEST(c_text, names_are_those_of_the_caller_and_functions_come_if_called) {
  Computation g({0});
  const Recorded x = Recorded::input(g, 0), k(g, g.number(2));
  CFrame f;
  f.arguments = "const state* s, mb_real* out";
  f.passed = "s, out";
  f.input = [](int) { return "s->angle"; };
  f.parameter = [](int) { return "STIFFNESS"; };
  f.output = [](int) { return "out->moment"; };
  const std::string text = routine_in_c(g, {"moment", {(-(k * smaller_of(x, k))).node_in(g)}}, f);
  EXPECT_EQ(text,
            "MB_FN void moment(const state* s, mb_real* out) {\n"
            "  out->moment = -(STIFFNESS * mb_min(s->angle, STIFFNESS));\n"
            "}\n");
  const std::string runtime = runtime_for(text);
  EXPECT_NE(runtime.find("mb_real mb_min("), runtime.npos);
  EXPECT_EQ(runtime.find("mb_real mb_max("), runtime.npos);
  EXPECT_EQ(runtime.find("mubody"), runtime.npos);
}
}  // namespace mubody::testing
