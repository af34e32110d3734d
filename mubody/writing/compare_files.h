#pragma once
// Two results, files or folders, compared channel by channel.
//
// A file has named columns, "crank.x[m]", with the time in the first one: CSV, or a binary table of mubody.  Channels are matched
// by name.  See docs/user/agree.md.
#include <string>
#include <vector>

#include "mubody/results/agreement.h"

namespace mubody::io {
struct ComparedChannel {
  std::string table;  // the name of the file without its ending: "bodies"
  std::string name, unit;
  Agreement agreement;
  std::vector<double> times, a, b;  // what was compared; empty unless asked for
};

struct FileComparison {
  std::string time_unit;
  double from = 0, to = 0;                        // first and last of the compared times
  std::vector<ComparedChannel> channels;          // in the order of the first file
  std::vector<std::string> only_in_a, only_in_b;  // channels that the other file lacks
};

/// Compares two files, or the tables common to two folders of results.  `chosen` are the names of channels;
/// if there are none, all are compared.  Their series are kept on request.  Files of strangers are not quoted, and no link that leads out of their folder is
/// followed.  Throws ModelError.
FileComparison compare_files(const std::string& a, const std::string& b, const std::vector<std::string>& chosen,
                             bool untrusted, bool keep_series = false);

/// The differences a - b as CSV, a row for each time and channel: table, channel, unit, time, a, b, their mean and difference.
std::string differences_csv(const FileComparison&);
}  // namespace mubody::io
