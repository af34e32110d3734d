#pragma once
// From a model to tables: what 'mubody precompute' does.                      docs/theory/precompute.md
#include "mubody/precompute/plan/loop_order.h"
#include "mubody/precompute/plan/options.h"
#include "mubody/precompute/tables/make_table.h"
#include "mubody/precompute/tables/model.h"
#include "mubody/results/outcome.h"
#include "mubody/study/options.h"

namespace mubody {
/// What became of one table.
struct TableReport {
  std::string what;
  std::vector<std::string> arguments;
  std::size_t cells = 0, bytes = 0;
  long samples = 0, checks = 0;
  double error = 0;   // the largest, with its margin
  std::string worst;  // the quantity that has it
  std::vector<Sampled::Quantity> quantities;
  Certificate certificate;
};
/// What positions to first order in stiff variables leave out, at most, when these variables are 1: it grows as their product.
struct SeriesTerm {
  std::vector<std::string> by;   // two of them
  double length = 0, angle = 0;  // [m, rad]
};
/// How much a coordinate of a body changes with a design variable, at most over the range.
struct DesignSensitivity {
  std::string of, by, unit;
  double largest = 0;
};
struct Precomputed {
  RealTimeModel model;  // without file, text and settings, which are the reader's
  std::vector<TableReport> tables;
  std::vector<std::string> folded, run_time;  // forces
  std::vector<NamedBlock> order;              // of loops, if there are several to solve
  std::vector<std::string> remarks;
  std::vector<SeriesTerm> neglected;
  std::vector<DesignSensitivity> sensitivities;
  long operations = 0, reads = 0;  // of one right-hand side at run time
  double regions_planned = 1;
  Outcome outcome;  // of assembly, or interrupted
};
/// Told before memory is taken: for what, and how much [bytes].
using MemoryTold = std::function<void(const std::string& what, double bytes)>;
/// Throws ModelError if the mechanism cannot be precomputed, with what to change.
Precomputed precompute(const Study&, const PrecomputeOptions&, const Progress& = {}, const MemoryTold& = {});
}  // namespace mubody
