#pragma once
// The report of a run in the layout of the MUBODYNA manual: the system, then for every time step bodies, points of
// interest, springs, reactions and violations.
//
//   Flores (2010), MUBODYNA user's manual, secs. 6 and 7                         docs/user/mubodyna.md#the-report
#include <ostream>

#include "mubody/mubodyna/describe_file.h"
#include "mubody/results/results.h"
#include "mubody/text/write_file.h"

namespace mubody::io::mubodyna {
struct ReportOptions {
  std::size_t every = 1;  // report every n-th result, and the last one
  bool full = false;      // all digits in place of the manual's three decimals
  GoesOn goes_on{};       // asked for every result
};

/// Has a run record what the report tells beyond the usual results: sums of forces on bodies, and contacts as vectors.
void ask_for_tables(Study&);

/// What the report describes: the file at `path` if that is an unchanged MUBODYNA file, otherwise the
/// model in MUBODYNA's terms as far as they go.
Translation described_model(const std::string& path, const Study&, bool changed);

/// Writes the report of any planar model.  The results must be those of the study; tables that it was not asked for are
/// left out.  Throws WritingStopped.
void write_report(std::ostream&, const Translation&, const Study&, const Results&, const ReportOptions& = {});
}  // namespace mubody::io::mubodyna
