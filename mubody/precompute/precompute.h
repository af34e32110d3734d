#pragma once
// From a model to tables: what 'mubody precompute' does.                      docs/theory/precompute.md
#include "mubody/analyses/options.h"
#include "mubody/precompute/loop_order.h"
#include "mubody/precompute/make_table.h"
#include "mubody/precompute/model.h"
#include "mubody/results/outcome.h"

namespace mubody {
/// What tables are asked for: the command line, or the [precompute] section of a model file.
struct PrecomputeOptions {
  std::vector<std::string> independent;  // names of variables; the best if empty
  struct Range {
    std::string variable;
    double low = 0, high = 0;  // [rad, m]
  };
  std::vector<Range> ranges;
  double bound = 1e-8;              // on errors of all quantities, in SI units
  double memory = 100e6;            // [bytes] of all tables
  int degree = 0;                   // of polynomials: 3, 5, 7 or 9; as the bound asks for if 0
  std::vector<std::string> design;  // parameters whose changes the tables foresee

  /// All but the memory, which has units of its own, and what is about variables.
  void fields(Fields& f);
  void check() const;
};

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
struct Sensitivity {
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
  std::vector<Sensitivity> sensitivities;
  long operations = 0, reads = 0;  // of one right-hand side at run time
  double regions_planned = 1;
  Outcome outcome;  // of assembly, or interrupted
};
/// Told before memory is taken: for what, and how much [bytes].
using MemoryTold = std::function<void(const std::string& what, double bytes)>;
/// Throws ModelError if the mechanism cannot be precomputed, with what to change.
Precomputed precompute(const Study&, const PrecomputeOptions&, const Progress& = {}, const MemoryTold& = {});
}  // namespace mubody
