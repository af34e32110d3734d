#pragma once
// The manual of the program.

namespace mubody::cli {
extern const char* const short_help;
extern const char* const program_help;
extern const char* const run_help;
extern const char* const report_help;
extern const char* const check_help;
extern const char* const convert_help;
extern const char* const list_help;
extern const char* const agree_help;
extern const char* const stability_help;
extern const char* const bench_help;
extern const char* const compare_help;
extern const char* const picture_help;
extern const char* const topology_help;
extern const char* const independent_help;
extern const char* const sweep_help;
extern const char* const precompute_help;
}  // namespace mubody::cli
