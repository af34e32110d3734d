#pragma once
// From a model to its tables, as in 'mubody precompute'.                      docs/theory/precompute.md
#include "mubody/precompute/plan/loop_order.h"
#include "mubody/precompute/plan/options.h"
#include "mubody/precompute/tables/make_table.h"
#include "mubody/precompute/tables/model.h"
#include "mubody/results/outcome.h"
#include "mubody/study/options.h"

namespace mubody {
/// One table that was made.
struct TableReport {
  std::string what;
  std::vector<std::string> arguments;
  std::size_t cells = 0, bytes = 0;
  long samples = 0, checks = 0;
  double error = 0;   // the largest, with its margin
  std::string worst;  // the quantity that has this error
  std::vector<Sampled::Quantity> quantities;
  Certificate certificate;
};
/// The most that positions to first order leave out when two stiff variables are 1; it grows with their
/// product.
struct SeriesTerm {
  std::vector<std::string> by;   // the two variables
  double length = 0, angle = 0;  // [m, rad]
};
/// The most that a coordinate of a body changes with a design variable, over the whole range.
struct DesignSensitivity {
  std::string of, by, unit;
  double largest = 0;
};
struct Precomputed {
  RealTimeModel model;  // without file, text and settings, which the reader of the file adds
  std::vector<TableReport> tables;
  std::vector<std::string> folded, run_time;  // forces
  std::vector<NamedBlock> order;              // in which loops can be solved
  std::vector<std::string> remarks;
  std::vector<SeriesTerm> neglected;
  std::vector<DesignSensitivity> sensitivities;
  long operations = 0, reads = 0;  // of one right-hand side at run time
  double regions_planned = 1;
  Outcome outcome;  // says so if the mechanism was not assembled, or the user interrupted
};
/// Called before memory is taken, with what it is for and how much it is [bytes].
using MemoryNotice = std::function<void(const std::string& what, double bytes)>;
/// Throws ModelError, which says what to change, if the mechanism cannot be precomputed.
Precomputed precompute(const Study&, const PrecomputeOptions&, const Progress& = {}, const MemoryNotice& = {});
}  // namespace mubody
