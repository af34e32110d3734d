#include "mubody/io/mubodyna/sections.h"

#include <algorithm>

namespace mubody::io::mubodyna {
namespace {
constexpr std::array<CountNote, counts> notes = {
    {{"NB", "Rigid bodies", "RIGID"},
     {"NIRJ", "Ideal revolute joints", "IDEAL REV"},
     {"NCRJ", "Clearance revolute joints", "CLEARANCE"},
     {"NTJ", "Translational joints", "TRANSLATIONAL JOINT"},
     {"NGB", "Ground constraints", "GROUND"},
     {"NSC", "Simple constraints", "SIMPLE"},
     {"NDC", "Driving constraints", "DRIVING"},
     {"NGC", "Guiding constraints", "GUIDING CONSTRAINT"},
     {"NGD", "Guiding data for the guiding constraints", "GUIDING DATA"},
     {"NTS", "Translational spring-damper-actuator elements", "TRANSLATIONAL SPRING"},
     {"NRS", "Rotational spring-damper elements", "ROTATIONAL"},
     {"NBEF", "Bodies subjected to external applied forces", "BODIES SUBJECTED"},
     {"NFD", "Force data of the external applied forces", "FORCE DATA"},
     {"NPI", "Points of interest", "POINT"}}};

const std::vector<Section>& table() {
  using enum Kind;
  static const std::vector<Section> all = {
      {'a', "GENERIC_INFORMATION", "Number of elements of the Multibody System", {"GENERAL_INFORMATION"},
       "number", counts, {}},
      {'b', "INITIAL_CONDITIONS", "Global cartesian coordinates on the positions and velocities", {},
       "body", NB,
       {{"X", real}, {"Y", real}, {"PHI", real}, {"XD", real}, {"YD", real}, {"PHID", real}}},
      {'c', "INERTIA_PROPERTIES", "Mass and moment of inertia of the bodies", {}, "body", NB,
       {{"M", not_negative}, {"INERTIA", not_negative}}},
      {'d', "CONSTANT_APPLIED_FORCES", "Constant forces and moments acting on the bodies", {}, "body", NB,
       {{"FX", real}, {"FY", real}, {"N", real}}},
      {'e', "IDEAL_REVOLUTE_JOINTS", "Body numbers i and j and local coordinates of the points Pi and Pj",
       {"REVOLUTE_JOINTS"}, "revolute joint", NIRJ,
       {{"I", body}, {"J", body}, {"XI-P-I", real}, {"ETA-P-I", real}, {"XI-P-J", real}, {"ETA-P-J", real}}},
      {'f', "CLEARANCE_REVOLUTE_JOINTS",
       "Body numbers i and j, local coordinates of the points Pi and Pj and radii Ri and Rj",
       {"REVOLUTE_CLEARANCE_JOINTS"}, "clearance joint", NCRJ,
       {{"I", body}, {"J", body}, {"XI-P-I", real}, {"ETA-P-I", real}, {"XI-P-J", real}, {"ETA-P-J", real},
        {"RI", positive}, {"RJ", positive}}},
      {'g', "MECHANICAL_PROPERTIES", "Physical characteristics of the clearance joints", {},
       "clearance joint", NCRJ,
       {{"FORCE_LAW", Kind::law}, {"FRICI", not_negative}, {"RESTI", share}, {"EI", not_negative},
        {"NIUI", share}, {"FRICJ", not_negative}, {"RESTJ", share}, {"EJ", not_negative}, {"NIUJ", share},
        {"VISCOSITY", not_negative}}},
      {'h', "TRANSLATIONAL_JOINTS", "Body numbers i and j and local coordinates of the points Pi, Qi and Pj",
       {"IDEAL_TRANSLATIONAL_JOINTS"}, "translational joint", NTJ,
       {{"I", body}, {"J", body}, {"XI-P-I", real}, {"ETA-P-I", real}, {"XI-Q-I", real}, {"ETA-Q-I", real},
        {"XI-P-J", real}, {"ETA-P-J", real}}},
      {'i', "GROUND_CONSTRAINTS", "Bodies constrained to the ground", {}, "ground constraint", NGB,
       {{"I", body}}},
      {'j', "SIMPLE_CONSTRAINTS", "Body number and direction (1=X, 2=Y, 3=PHI)", {}, "simple constraint", NSC,
       {{"I", body}, {"CONSTRAINT_DIRECTION", Kind::direction}}},
      {'k', "DRIVING_CONSTRAINTS",
       "Body number, direction (1=X, 2=Y, 3=PHI), initial position, velocity and acceleration", {},
       "driving constraint", NDC,
       {{"I", body}, {"CONSTRAINT_DIRECTION", Kind::direction}, {"POSITION", real}, {"VELOCITY", real},
        {"ACCELERATION", real}}},
      {'l', "GUIDING_CONSTRAINTS", "Guiding constraints", {}, "guiding constraint", NGC,
       {{"I", body}, {"CONSTRAINT_DIRECTION", Kind::direction}}},
      {'m', "TRANSLATIONAL_SPRINGS", "Translational spring, damper and actuator",
       {"TRANSLATIONAL_SPRING_DAMPER_ACTUATORS", "TRANSLATIONAL_SPRING_DAMPER_ACTUATOR"}, "spring", NTS,
       {{"I", body}, {"J", body}, {"XI-P-I", real}, {"ETA-P-I", real}, {"XI-P-J", real}, {"ETA-P-J", real},
        {"K", real}, {"D", real}, {"FA", real}, {"L0", not_negative}}},
      {'n', "ROTATIONAL_SPRINGS", "Rotational spring and damper",
       {"ROTATIONAL_SPRING_DAMPERS", "ROTATIONAL_SPRING_DAMPER"}, "rotational spring", NRS,
       {{"I", body}, {"J", body}, {"K", real}, {"D", real}}},
      {'o', "EXTERNAL_APPLIED_FORCES", "Body numbers, then time, Fx, Fy and global point of application",
       {"REACTION_EXTERNAL_FORCES", "APPLIED_FORCES"}, "external force", NBEF, {{"I", body}}},
      {'p', "POINTS_OF_INTEREST", "Body number and local coordinates of the point", {"POINT_OF_INTEREST"},
       "point", NPI, {{"I", body}, {"XI-P-I", real}, {"ETA-P-I", real}}},
      {'q', "TIME_PARAMETERS", "Start, end, step, integration method and Baumgarte parameters", {},
       "line", counts,
       {{"TIME_START", real}, {"TIME_END", real}, {"TIME_STEP", positive},
        {"INTEGRATION_METHOD", Kind::method}, {"ALPHA", not_negative}, {"BETA", not_negative}}}};
  return all;
}
}  // namespace

std::span<const CountNote, counts> count_notes() { return notes; }

std::string Section::label() const { return std::string("(") + letter + ") " + std::string(title); }

std::span<const Section> sections() { return table(); }

const Section& section(char letter) { return table()[static_cast<std::size_t>(letter - 'a')]; }
}  // namespace mubody::io::mubodyna
