// The module mubody._core.  What users see is the package in python/mubody/.
#include "mubody/model/version.h"
#include "python/bind.h"

PYBIND11_MODULE(_core, m) {
  using namespace mubody::python;
  m.doc() = "The library of mubody; use the package mubody.";
  m.attr("version") = mubody::version();
  bind_leaving(m);
  bind_errors(m);
  bind_documents(m);
  bind_callbacks(m);
  bind_results(m);
  bind_runs(m);
  bind_simulation(m);
  bind_tangents(m);
  bind_batch(m);
  bind_device_batch(m);
  bind_sweep(m);
  bind_surveys(m);
  bind_pictures(m);
  bind_real_time(m);
}
