#include "cli/program.h"

int main(int argc, char** argv) { return mubody::cli::run_program(argc, argv); }
