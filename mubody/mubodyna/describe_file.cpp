#include "mubody/mubodyna/describe_file.h"

#include <fmt/format.h>

#include "mubody/mubodyna/format.h"

namespace mubody::io::mubodyna {
namespace {
using Cells = std::vector<std::string>;

bool is_flag(Kind kind) {
  return kind == Kind::body || kind == Kind::direction || kind == Kind::law || kind == Kind::method;
}

class Description {
 public:
  Description(const Translation& t, bool full) : t_(t), full_(full), width_(full ? 24 : 12) {}

  std::string text() {
    out_ = std::string(report_title) + "\n";
    for (const Section& s : sections())
      if (s.letter == 'a')
        add_counts();
      else if (!t_.file[s.letter].empty())
        add_section(s);
    add_left_out();
    return out_;
  }

 private:
  std::string number(double x) const { return full_ ? fmt::format("{}", x) : fixed(x, 4); }
  void line(const Cells& cells) { out_ += report_line(cells, width_); }

  void add_counts() {
    out_ += fmt::format("\n{}\n\n", section('a').title);
    for (std::size_t c = 0; c < counts; ++c)
      out_ += fmt::format("{:>4} {}\n", t_.file.count(static_cast<Count>(c)), count_notes()[c].text);
  }

  static Cells titles(const Section& s) {
    if (s.letter == 'c') return {"m", "I"};
    if (s.letter == 'd') return {"FX", "FY", "M"};
    Cells all;
    for (const Column& c : s.columns)
      all.emplace_back(c.kind == Kind::body        ? (c.name == "I" ? "i" : "j")
                       : c.kind == Kind::direction ? "Direction"
                                                   : c.name);
    return all;
  }

  void add_section(const Section& s) {
    out_ += fmt::format("\n{}\n\n", s.letter == 'o' ? "APPLIED_FORCES" : s.title);
    line(titles(s));
    if (s.columns.back().kind == Kind::direction) {
      out_.pop_back();
      out_ += " (1=X, 2=Y, 3=PHI)\n";
    }
    for (const Row& r : t_.file[s.letter]) {
      Cells cells;
      for (std::size_t c = 0; c < r.values.size(); ++c) {
        // The gains of Baumgarte's method are printed as they are given.
        const bool plain = is_flag(s.columns[c].kind) || (s.letter == 'q' && c >= at::alpha);
        cells.push_back(plain ? fmt::format("{}", r.values[c]) : number(r.values[c]));
      }
      line(cells);
    }
    if (s.letter == 'l') add_data(t_.file.guiding_data, {"Guid"});
    if (s.letter == 'o') add_data(t_.file.force_data, {"FX", "FY", "X_P", "Y_P"});
  }

  void add_data(const Rows& rows, const Cells& columns) {
    out_ += "\n";
    Cells head{"Time"};
    for (std::size_t c = 1; !rows.empty() && c < rows.front().values.size(); ++c)
      head.push_back(fmt::format("{}_{}", columns[(c - 1) % columns.size()], (c - 1) / columns.size() + 1));
    line(head);
    for (const Row& r : rows) {
      Cells cells;
      for (const double x : r.values) cells.push_back(number(x));
      line(cells);
    }
  }

  void add_left_out() {
    if (t_.left_out.empty()) return;
    out_ += "\nBEYOND_MUBODYNA\n\n";
    for (const Translation::LeftOut& x : t_.left_out) out_ += "  " + x.what + "\n";
  }

  const Translation& t_;
  bool full_;
  std::size_t width_;
  std::string out_;
};
}  // namespace

std::string report_line(const Cells& cells, std::size_t width) {
  std::string text;
  for (std::size_t k = 0; k < cells.size(); ++k)
    text += fmt::format("{}{:>{}}", k > 0 ? " " : "", cells[k], width - 1);
  return text + "\n";
}

std::string description(const Translation& t, bool full) { return Description(t, full).text(); }
}  // namespace mubody::io::mubodyna
