#include "mubody/writing/compare_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include "mubody/math/suggest.h"
#include "mubody/model/errors.h"
#include "mubody/model/units.h"
#include "mubody/results/common_times.h"
#include "mubody/text/columns/column_file.h"
#include "mubody/text/columns/table_format.h"
#include "mubody/text/node.h"
#include "mubody/text/text_file.h"
#include "mubody/text/write_table.h"
#include "mubody/writing/read_tables.h"

namespace mubody::io {
namespace {
namespace fs = std::filesystem;
constexpr std::array tables_of_results{"bodies", "joints", "points", "forces", "signals", "energy"};

/// A file whose first column is the time, with named channels beside it.
class Series {
 public:
  Series(const std::string& path, Quotes quotes) : file_(path, path, quotes) {
    file_.expect_names();
    for (std::size_t k = 1; k < file_.names().size(); ++k)
      if (!column_of_.emplace(file_.names()[k], k).second)
        file_.fail_at_names(
            fmt::format("two columns are called {}", quoted(quotes, file_.names()[k], "the same")));
    file_.expect_times(times());
  }

  const std::string& file() const { return file_.name(); }
  std::string place_of_names() const { return file_.place_of_names(); }
  const std::vector<double>& times() const { return file_.data().columns[0]; }
  std::vector<std::string> channels() const { return {file_.names().begin() + 1, file_.names().end()}; }
  bool has(const std::string& channel) const { return column_of_.contains(channel); }
  const std::vector<double>& values(const std::string& channel) const {
    return file_.data().columns[column_of_.at(channel)];
  }
  const std::string& unit(const std::string& channel) const { return file_.units()[column_of_.at(channel)]; }
  const std::string& time_unit() const { return file_.units()[0]; }

 private:
  ColumnFile file_;
  std::map<std::string, std::size_t> column_of_;
};

// "m/s2" and "m/s^2" are the same unit.
bool is_same_unit(const std::string& a, const std::string& b) {
  if (a == b) return true;
  try {
    const Quantity x = parse_unit(a), y = parse_unit(b);
    return x.si == y.si && x.dim == y.dim;
  } catch (const UnitError&) {
    return false;
  }
}

// A file may leave a unit out; if both give one, the two must be the same.
std::string common_unit(const Series& a, const Series& b, const std::string& what, const std::string& unit_a,
                        const std::string& unit_b, Quotes quotes) {
  if (unit_a.empty()) return unit_b;
  if (unit_b.empty() || is_same_unit(unit_a, unit_b)) return unit_a;
  throw ModelError(fmt::format("{} is in {} in {}, and in {} in {}: units must agree", what,
                               quoted(quotes, unit_a, "one unit"), a.place_of_names(),
                               quoted(quotes, unit_b, "another"), b.place_of_names()));
}

class Comparer {
 public:
  Comparer(const std::vector<std::string>& chosen, bool untrusted, bool keep)
      : chosen_(chosen.begin(), chosen.end()), untrusted_(untrusted), keep_(keep),
        quotes_(quotes_of(untrusted)) {}

  void add(const std::string& table, const std::string& path_a, const std::string& path_b) {
    for (const fs::path path : {path_a, path_b}) check_inside(path, path.parent_path(), untrusted_);
    const Series a(path_a, quotes_), b(path_b, quotes_);
    std::vector<std::string> both;
    for (const std::string& name : a.channels()) {
      known_.push_back(name);
      if (!b.has(name)) result_.only_in_a.push_back(name);
      if (b.has(name) && is_chosen(name)) both.push_back(name);
    }
    for (const std::string& name : b.channels()) {
      known_.push_back(name);
      if (!a.has(name)) result_.only_in_b.push_back(name);
    }
    if (both.empty()) return;

    result_.time_unit = common_unit(a, b, "the time", a.time_unit(), b.time_unit(), quotes_);
    const std::vector<double> times = common_times(a.times(), b.times());
    if (times.empty())
      throw ModelError(
          told(quotes_,
               fmt::format("no common times: {} goes from {} to {}, {} from {} to {}", a.file(),
                           a.times().front(), a.times().back(), b.file(), b.times().front(), b.times().back()),
               fmt::format("{} and {} have no common times", a.file(), b.file())));
    const bool is_first = result_.channels.empty();
    result_.from = is_first ? times.front() : std::min(result_.from, times.front());
    result_.to = is_first ? times.back() : std::max(result_.to, times.back());
    for (const std::string& name : both) {
      const std::string unit =
          common_unit(a, b, quoted(quotes_, name, "a channel"), a.unit(name), b.unit(name), quotes_);
      std::vector<double> of_a = values_at(times, a.times(), a.values(name)),
                          of_b = values_at(times, b.times(), b.values(name));
      ComparedChannel channel{table, name, unit, agreement(times, of_a, of_b)};
      if (keep_) channel.times = times, channel.a = std::move(of_a), channel.b = std::move(of_b);
      result_.channels.push_back(std::move(channel));
    }
  }

  FileComparison finish(const std::string& a, const std::string& b) {
    const auto is_in = [](const std::vector<std::string>& names, const std::string& name) {
      return std::ranges::find(names, name) != names.end();
    };
    for (const std::string& name : chosen_) {
      if (std::ranges::find(result_.channels, name, &ComparedChannel::name) != result_.channels.end()) continue;
      if (is_in(result_.only_in_a, name))
        throw ModelError(fmt::format("{}: no channel {}", b, in_quotes(name)));
      if (is_in(result_.only_in_b, name))
        throw ModelError(fmt::format("{}: no channel {}", a, in_quotes(name)));
      throw ModelError(fmt::format("no channel {} in {} and {}{}", in_quotes(name), a, b,
                                   told(quotes_, suggestion(name, known_))));
    }
    if (result_.channels.empty()) throw ModelError(fmt::format("{} and {} have no channel in common", a, b));
    forget_compared(result_.only_in_a);
    forget_compared(result_.only_in_b);
    return std::move(result_);
  }

 private:
  // A channel that one table lacks may be in another.
  void forget_compared(std::vector<std::string>& names) const {
    std::set<std::string> known;
    for (const ComparedChannel& c : result_.channels) known.insert(c.name);
    std::erase_if(names, [&](const std::string& name) { return !known.insert(name).second; });
  }
  bool is_chosen(const std::string& name) const { return chosen_.empty() || chosen_.contains(name); }

  std::set<std::string> chosen_;
  bool untrusted_, keep_;
  Quotes quotes_;
  std::vector<std::string> known_;
  FileComparison result_;
};

bool is_folder(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) throw ModelError(Place{path}, "no such file or folder");
  return fs::is_directory(status);
}

std::vector<std::string> tables_in(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code ignored;
  for (const std::string table : tables_of_results)
    if (fs::exists(table_file(folder, table), ignored)) found.push_back(table);
  return found;
}

void add_folders(Comparer& comparer, const std::string& a, const std::string& b) {
  const std::vector<std::string> of_a = tables_in(a), of_b = tables_in(b);
  // Where all channels are in one table of signals, as those of an FMU, they may be in any table of the other folder.
  const std::vector<std::string> signals_alone{"signals"};
  const bool by_name = (of_a == signals_alone) != (of_b == signals_alone);
  bool any = false;
  for (const std::string& one : of_a)
    for (const std::string& other : of_b) {
      if (one != other && !by_name) continue;
      comparer.add(of_a == signals_alone ? other : one, table_file(a, one).string(),
                   table_file(b, other).string());
      any = true;
    }
  if (!any)
    throw ModelError(fmt::format("{} and {} have no table in common; looked for {} (.csv or .npy)", a, b,
                                 fmt::join(tables_of_results, ", ")));
}
}  // namespace

FileComparison compare_files(const std::string& a, const std::string& b, const std::vector<std::string>& chosen,
                             bool untrusted, bool keep_series) {
  const bool folder_a = is_folder(a), folder_b = is_folder(b);
  if (folder_a != folder_b)
    throw ModelError(fmt::format("{} is a folder and {} a file; expected two of a kind", folder_a ? a : b,
                                 folder_a ? b : a));
  Comparer comparer(chosen, untrusted, keep_series);
  try {
    if (folder_a)
      add_folders(comparer, a, b);
    else
      comparer.add(fs::path(a).stem().string(), a, b);
  } catch (const FileError& e) {
    throw ModelError(e.what());
  }
  return comparer.finish(a, b);
}

std::string differences_csv(const FileComparison& c) {
  std::string text =
      fmt::format("table,channel,unit,{},a,b,mean,difference\n", csv_cell(header_of({"time", c.time_unit})));
  for (const ComparedChannel& channel : c.channels) {
    const std::string owner =
        fmt::format("{},{},{}", csv_cell(channel.table), csv_cell(channel.name), csv_cell(channel.unit));
    for (std::size_t k = 0; k < channel.times.size(); ++k)
      fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{}\n", owner, channel.times[k], channel.a[k],
                     channel.b[k], (channel.a[k] + channel.b[k]) / 2, channel.a[k] - channel.b[k]);
  }
  return text;
}
}  // namespace mubody::io
