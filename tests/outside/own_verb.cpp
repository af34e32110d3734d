// The program with one verb more: mubody mass MODEL.
#include <fmt/format.h>
#include <mubody/cli/commands.h>
#include <mubody/cli/program.h>
#include <mubody/reading/read_model.h>

using namespace mubody;
using namespace mubody::cli;

struct MassOptions {
  std::string model;
  bool grams = false;

  void declare(Options& o) {
    o.model(model);
    o.add({.name = "--grams", .letter = 'g', .meaning = "in grams in place of kilograms"}, grams);
  }
};

int mass(const MassOptions& options) {
  double sum = 0;
  for (const RigidBody& b : io::read_study(model_file(options.model)).mechanism.bodies) sum += b.mass;
  fmt::print("{} {}\n", options.grams ? 1000 * sum : sum, options.grams ? "g" : "kg");
  return done;
}

Verb mass_verb() {
  return Verb::of(mass, {.name = "mass",
                         .shelf = Shelf::study,
                         .sentence = "add up the mass of a mechanism",
                         .description = {"Reads MODEL and adds up the masses of its bodies."},
                         .exits = {{done, "done"}, {wrong_input, "the model is invalid"}},
                         .examples = {"mubody mass four_bar.toml"}});
}

int main(int argc, char** argv) { return run_program(argc, argv, {mass_verb()}); }
