#pragma once
// The program: finds the verb, gives it its words, and turns errors into a message and an exit code.
#include <span>
#include <string>
#include <vector>

#include "cli/page.h"
#include "cli/verb.h"

namespace mubody::cli {
/// The whole of main(): the verbs of cli/verbs/, and more of a program of one's own.  One of these takes the place of
/// ours if it has the same name.
int run_program(int argc, char** argv, std::vector<Verb> more = {});

/// Runs the whole program with these verbs and returns the exit code.
int program(std::span<const Verb>, const std::vector<std::string>& words);

/// The verb of that name.  Throws UsageError, which suggests the nearest name if there is one.
const Verb& find_verb(std::span<const Verb>, const std::string& name);

/// Prints a page of the manual on stdout.
void print_page(const Page&);
}  // namespace mubody::cli
