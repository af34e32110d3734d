#include "mubody/results/results.h"

#include <stdexcept>

namespace mubody {
int Table::find(std::string_view wanted) const {
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns.name(k) == wanted) return int(k);
  return -1;
}

std::vector<double> Table::column(std::string_view wanted) const {
  const int k = find(wanted);
  if (k < 0) throw std::out_of_range("no column '" + std::string(wanted) + "' in table '" + name + "'");
  std::vector<double> all;
  all.reserve(rows());
  for (std::size_t row = 0; row < rows(); ++row) all.push_back(at(row, std::size_t(k)));
  return all;
}

const Table* Results::find(std::string_view table) const {
  for (const Table& t : tables)
    if (t.name == table) return &t;
  return nullptr;
}

bool Results::has_balance() const {
  const Table* energy = find("energy");
  return energy && energy->find("residual") >= 0;
}

std::vector<double> Results::column(std::string_view name) const {
  for (const Table& t : tables)
    if (t.find(name) >= 0) return t.column(name);
  throw std::out_of_range("no column '" + std::string(name) + "'");
}

std::vector<double> Results::times() const {
  return tables.empty() ? std::vector<double>{} : tables[0].column("time");
}
}  // namespace mubody
