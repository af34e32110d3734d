// Steps of a simulation take no memory once it has moved.
#include <atomic>
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "mubody/reading/read_model.h"
#include "mubody/simulation/simulation.h"

namespace {
std::atomic<long> news{0};
}  // namespace

// The compiler must not inline these: it would see memory of one function go back to another.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++news;
  if (void* p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t align) {
  ++news;
  const auto unit = std::size_t(align);
  if (void* p = std::aligned_alloc(unit, (size + unit - 1) / unit * unit)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace mubody::testing {
namespace {
TEST(steps, take_no_memory) {
  for (const char* model :
       {"four_bar", "andrews", "spatial_slider_crank", "iltis_suspension", "double_pendulum"})
    for (const char* integrator : {"rk4", "dormand-prince", "verner", "abm4", "shampine-gordon"})
      for (const char* formulation : {"body", "joint"}) {
        const Study study =
            io::read_study(std::string(MUBODY_SOURCE_DIR) + "/examples/" + model + "/model.toml");
        SimulationOptions o;
        o.integrator = integrator;
        o.formulation = formulation;
        o.step = 1e-4;
        o.rtol = 1e-6;
        Simulation sim(study, o);
        ASSERT_TRUE(sim.advance(1e-3)) << model << ' ' << integrator;
        const long before = news;
        for (int k = 0; k < 20; ++k) ASSERT_TRUE(sim.advance(1e-3)) << model << ' ' << integrator;
        EXPECT_EQ(news - before, 0) << model << ' ' << integrator << ' ' << formulation;
      }
}
}  // namespace
}  // namespace mubody::testing
