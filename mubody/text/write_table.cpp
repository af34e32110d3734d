#include "mubody/text/write_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "mubody/model/escape.h"

namespace mubody::io {
std::string csv_cell(std::string_view text) { return for_csv(text); }

std::string header_of(const Column& c) { return c.unit.empty() ? c.name : c.name + '[' + c.unit + ']'; }

std::size_t empty_cells(const Table& table) {
  return std::size_t(std::ranges::count_if(table.values, [](double x) { return !std::isfinite(x); }));
}

void write_table(const Table& table, const std::filesystem::path& path, const GoesOn& goes_on) {
  NewFile file(path, goes_on);
  for (std::size_t c = 0; c < table.columns.size(); ++c)
    fmt::format_to(std::back_inserter(file.buffer()), "{}{}", c > 0 ? "," : "",
                   csv_cell(header_of(table.columns[c])));
  file.buffer().push_back('\n');
  for (std::size_t r = 0; r < table.rows(); ++r) {
    fmt::memory_buffer& out = file.buffer();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) out.push_back(',');
      if (const double x = table.at(r, c); std::isfinite(x))
        fmt::format_to(fmt::appender(out), FMT_COMPILE("{}"), x);  // the shortest exact text
    }
    out.push_back('\n');
  }
  file.commit();
}

void write_events(const std::vector<Event>& events, const std::filesystem::path& path, const GoesOn& goes_on) {
  NewFile file(path, goes_on);
  fmt::format_to(std::back_inserter(file.buffer()), "time[s],kind,what\n");
  for (const Event& e : events)
    fmt::format_to(std::back_inserter(file.buffer()), "{},{},{}\n", e.t, csv_cell(e.word()), csv_cell(e.what));
  file.commit();
}

void write_reactions(const std::vector<Reaction>& reactions, const std::filesystem::path& path,
                     const GoesOn& goes_on) {
  NewFile file(path, goes_on);
  fmt::format_to(std::back_inserter(file.buffer()), "reaction,unit,unique,largest,time[s]\n");
  constexpr std::string_view words[] = {"no", "yes", "unknown"};
  for (const Reaction& r : reactions)
    fmt::format_to(std::back_inserter(file.buffer()), "{},{},{},{},{}\n", csv_cell(r.channel), csv_cell(r.unit),
                   words[r.unique], r.largest, r.at);
  file.commit();
}

void write_extremes(const std::vector<Extreme>& extremes, const std::filesystem::path& path,
                    const GoesOn& goes_on) {
  NewFile file(path, goes_on);
  fmt::format_to(std::back_inserter(file.buffer()), "channel,unit,least,time[s],greatest,time[s]\n");
  for (const Extreme& x : extremes)
    fmt::format_to(std::back_inserter(file.buffer()), "{},{},{},{},{},{}\n", csv_cell(x.channel),
                   csv_cell(x.unit), x.least, x.least_at, x.greatest, x.greatest_at);
  file.commit();
}

void write_accuracy(const Accuracy& accuracy, const std::filesystem::path& path, const GoesOn& goes_on) {
  NewFile file(path, goes_on);
  fmt::format_to(std::back_inserter(file.buffer()), "channel,unit,error,time[s],range,share[1],digits[1]\n");
  for (const ChannelAccuracy& a : accuracy.channels)
    fmt::format_to(std::back_inserter(file.buffer()), "{},{},{:.3g},{},{:.6g},{:.3g},{:.1f}\n",
                   csv_cell(a.channel), csv_cell(a.unit), a.error, a.at, a.range, a.share(), a.digits());
  file.commit();
}

void write_contacts(const std::vector<ContactRecord>& contacts, const std::filesystem::path& path,
                    const GoesOn& goes_on) {
  NewFile file(path, goes_on);
  fmt::format_to(std::back_inserter(file.buffer()),
                 "contact,onset[s],end[s],speed_in[m/s],speed_out[m/s],peak_force[N],peak_at[s],deepest[m],"
                 "energy_lost[J]\n");
  for (const ContactRecord& c : contacts)
    fmt::format_to(std::back_inserter(file.buffer()), "{},{},{},{},{},{},{},{},{}\n", csv_cell(c.contact),
                   c.onset, c.end ? fmt::format("{}", *c.end) : "", c.speed_in,
                   c.end ? fmt::format("{}", c.speed_out) : "", c.peak_force, c.peak_at, c.deepest,
                   c.energy_lost);
  file.commit();
}
}  // namespace mubody::io
