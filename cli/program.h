#pragma once
// The program: finds the verb, gives it its words, and turns what goes wrong into a message and an exit code.
#include <span>
#include <string>
#include <vector>

#include "cli/page.h"
#include "cli/verb.h"

namespace mubody::cli {
/// The whole program with these verbs; returns what the shell gets.
int program(std::span<const Verb>, const std::vector<std::string>& words);

/// The verb of that name.  Throws UsageError, with the nearest one if there is one.
const Verb& find_verb(std::span<const Verb>, const std::string& name);

/// A page of the manual on stdout.
void print_page(const Page&);
}  // namespace mubody::cli
