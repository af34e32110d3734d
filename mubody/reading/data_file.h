#pragma once
// Numbers of files beside the model: rows of a CSV file, tables of a property file.
#include "mubody/reading/values.h"

namespace mubody::io {
/// The name of a file that a model uses, relative to its folder; with --untrusted it must lie there.  Where the model names a
/// folder, the file is the one called `within` there.
std::string read_file_name(const Node&, const Scope&, const Known&, std::string_view within = "");

/// Either [[0, 1], [0.1, 1.2], ...], or "file.csv", or {file = "file.csv", columns = ["time", "x"]}.  A path is
/// relative to the model file.  Columns are chosen by name or by number, the first being 0.
///
/// A CSV file has numbers separated by commas, semicolons, tabs or spaces, and may begin with one row of
/// names.  A name may end with a unit, "angle[deg]" or "angle (deg)": then the numbers are converted to SI units.
/// Empty lines and lines that begin with '#' are skipped.
///
/// `units` are those that the columns should have; columns beyond them, and those with "", are not used
/// and therefore not checked: a file may hold other things as well.
Data read_data(const Node&, const Scope&, const std::vector<std::string>& units, const Known&);

/// The table that a node stands for: itself, or "tyre.tir", or {file = "tyre.tir", LMUX = 0.8}, where what is written in the model counts.
/// From a file only these keys are taken.  Lengths, forces and angles of the file must be in m, N and rad.
Node property_table(const Node&, const Scope&, std::span<const std::string_view> keys, const Known&);
}  // namespace mubody::io
