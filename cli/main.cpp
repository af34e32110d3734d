#include "cli/program.h"

int main(int argc, char** argv) { return mubody::cli::program(mubody::cli::verbs(), {argv + 1, argv + argc}); }
