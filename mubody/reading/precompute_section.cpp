#include "mubody/reading/precompute_section.h"

#include <fmt/format.h>

#include "mubody/precompute/plan/variable.h"
#include "mubody/reading/field_reader.h"
#include "mubody/text/bytes.h"

namespace mubody::io {
namespace {
Variable variable_of(const Mechanism& m, const std::string& name, const Mark& at, const Scope& scope) {
  try {
    return find_variable(m, name);
  } catch (const ModelError& e) {
    scope.fail(at, e.what());
  }
}

// Reads A.angle = [low, high], where the dot in the key makes a table in a table.
void read_ranges(const Node& node, const Scope& scope, const std::string& before, const Mechanism& m,
                 const Known& known, std::vector<PrecomputeOptions::Range>& ranges) {
  if (!node.is(Node::Kind::table)) scope.expected("a table {A.angle = [low, high], ...}", node);
  for (std::size_t k = 0; k < node.items.size(); ++k) {
    const Node& item = node.items[k];
    const std::string name = before + node.keys[k].name;
    const Scope own = scope / node.keys[k].name;
    if (item.is(Node::Kind::table)) {
      read_ranges(item, own, name + ".", m, known, ranges);
      continue;
    }
    const Variable v = variable_of(m, name, node.keys[k].mark, scope);
    if (!item.is(Node::Kind::array) || item.items.size() != 2) own.expected("two numbers [low, high]", item);
    const PrecomputeOptions::Range r{v.name, read_number(item.items[0], own, v.unit, known),
                                     read_number(item.items[1], own, v.unit, known)};
    if (!(r.low < r.high)) own.fail(item, fmt::format("{} is not below {}", r.low, r.high));
    ranges.push_back(r);
  }
}
}  // namespace

PrecomputeOptions read_precompute(const Node& root, const Mechanism& m, const Known& known) {
  PrecomputeOptions options;
  const Node* table = root.find("precompute");
  if (!table) return options;
  const Scope scope("precompute");
  if (!table->is(Node::Kind::table)) scope.expected("a table", *table);
  FieldList list = fields_of(options);
  for (const char* more : {"memory", "range"}) list.names.emplace_back(more);
  expect_keys(*table, scope, list.names);
  FieldReader reader(*table, table->mark, scope, known);
  reader.fill(options);
  with_places(*table, table->mark, scope, [&] { options.check(); });
  if (const Node* memory = table->find("memory")) {
    const bool number = memory->is(Node::Kind::number) || memory->is(Node::Kind::integer);
    const std::optional<double> bytes =
        number ? bytes_of(fmt::format("{}", memory->number)) : bytes_of(memory->text);
    if (!bytes) (scope / "memory").fail(*memory, "expected a size, as in \"100 MB\"");
    options.memory = *bytes;
  }
  if (const Node* names = table->find("independent"))
    for (std::size_t k = 0; k < options.independent.size(); ++k)
      options.independent[k] =
          variable_of(m, options.independent[k], names->items[k].mark, scope / "independent").name;
  if (const Node* ranges = table->find("range"))
    read_ranges(*ranges, scope / "range", "", m, known, options.ranges);
  return options;
}
}  // namespace mubody::io
