#include "mubody/forces/bases/magic_coefficients.h"

#include <cmath>
#include <string_view>

#include "mubody/model/errors.h"

namespace mubody {
namespace {
struct Coefficient {
  std::string_view name;
  double MagicCoefficients::*member;
  std::string_view unit, meaning;
  bool required = false;
};
constexpr Coefficient coefficients[] = {
    {"UNLOADED_RADIUS", &MagicCoefficients::UNLOADED_RADIUS, "m", "R0, radius of the unloaded wheel", true},
    {"VERTICAL_STIFFNESS", &MagicCoefficients::VERTICAL_STIFFNESS, "N/m", "along the radius", true},
    {"VERTICAL_DAMPING", &MagicCoefficients::VERTICAL_DAMPING, "N s/m", "along the radius"},
    {"FNOMIN", &MagicCoefficients::FNOMIN, "N", "F_z0, nominal load", true},
    {"LONGVL", &MagicCoefficients::LONGVL, "m/s", "V_0, speed of the measurements"},
    {"BREFF", &MagicCoefficients::BREFF, "1", "effective rolling radius: slope at low load"},
    {"DREFF", &MagicCoefficients::DREFF, "1", "effective rolling radius: peak"},
    {"FREFF", &MagicCoefficients::FREFF, "1", "effective rolling radius: slope at high load"},
    {"FZMAX", &MagicCoefficients::FZMAX, "N",
     "largest load for which the equations are asked; three times the nominal one if zero"},
    {"CAMMAX", &MagicCoefficients::CAMMAX, "rad", "largest camber for which the equations are asked"},
    {"KPUMAX", &MagicCoefficients::KPUMAX, "1", "largest longitudinal slip for which the equations are asked"},
    {"LFZO", &MagicCoefficients::LFZO, "1", "scale: nominal load"},
    {"LCX", &MagicCoefficients::LCX, "1", "scale: shape of F_x"},
    {"LMUX", &MagicCoefficients::LMUX, "1", "scale: friction of F_x"},
    {"LEX", &MagicCoefficients::LEX, "1", "scale: curvature of F_x"},
    {"LKX", &MagicCoefficients::LKX, "1", "scale: slip stiffness"},
    {"LHX", &MagicCoefficients::LHX, "1", "scale: horizontal shift of F_x"},
    {"LVX", &MagicCoefficients::LVX, "1", "scale: vertical shift of F_x"},
    {"LGAX", &MagicCoefficients::LGAX, "1", "scale: camber in F_x"},
    {"LCY", &MagicCoefficients::LCY, "1", "scale: shape of F_y"},
    {"LMUY", &MagicCoefficients::LMUY, "1", "scale: friction of F_y"},
    {"LEY", &MagicCoefficients::LEY, "1", "scale: curvature of F_y"},
    {"LKY", &MagicCoefficients::LKY, "1", "scale: cornering stiffness"},
    {"LHY", &MagicCoefficients::LHY, "1", "scale: horizontal shift of F_y"},
    {"LVY", &MagicCoefficients::LVY, "1", "scale: vertical shift of F_y"},
    {"LGAY", &MagicCoefficients::LGAY, "1", "scale: camber in F_y"},
    {"LTR", &MagicCoefficients::LTR, "1", "scale: pneumatic trail"},
    {"LRES", &MagicCoefficients::LRES, "1", "scale: residual moment"},
    {"LGAZ", &MagicCoefficients::LGAZ, "1", "scale: camber in M_z"},
    {"LXAL", &MagicCoefficients::LXAL, "1", "scale: slip angle in F_x"},
    {"LYKA", &MagicCoefficients::LYKA, "1", "scale: longitudinal slip in F_y"},
    {"LVYKA", &MagicCoefficients::LVYKA, "1", "scale: side force by longitudinal slip"},
    {"LS", &MagicCoefficients::LS, "1", "scale: arm of F_x in M_z"},
    {"LSGKP", &MagicCoefficients::LSGKP, "1", "scale: relaxation length of F_x"},
    {"LSGAL", &MagicCoefficients::LSGAL, "1", "scale: relaxation length of F_y"},
    {"LMX", &MagicCoefficients::LMX, "1", "scale: overturning moment"},
    {"LVMX", &MagicCoefficients::LVMX, "1", "scale: shift of the overturning moment"},
    {"LMY", &MagicCoefficients::LMY, "1", "scale: rolling resistance"},
    {"PCX1", &MagicCoefficients::PCX1, "1", "F_x: shape C", true},
    {"PDX1", &MagicCoefficients::PDX1, "1", "F_x: friction at the nominal load", true},
    {"PDX2", &MagicCoefficients::PDX2, "1", "friction with load"},
    {"PDX3", &MagicCoefficients::PDX3, "1", "friction with camber squared"},
    {"PEX1", &MagicCoefficients::PEX1, "1", "F_x: curvature E"},
    {"PEX2", &MagicCoefficients::PEX2, "1", "E with load"},
    {"PEX3", &MagicCoefficients::PEX3, "1", "E with load squared"},
    {"PEX4", &MagicCoefficients::PEX4, "1", "E with the sign of slip"},
    {"PKX1", &MagicCoefficients::PKX1, "1", "F_x: slip stiffness over load", true},
    {"PKX2", &MagicCoefficients::PKX2, "1", "slip stiffness with load"},
    {"PKX3", &MagicCoefficients::PKX3, "1", "slip stiffness, exponent of load"},
    {"PHX1", &MagicCoefficients::PHX1, "1", "F_x: horizontal shift"},
    {"PHX2", &MagicCoefficients::PHX2, "1", "horizontal shift with load"},
    {"PVX1", &MagicCoefficients::PVX1, "1", "F_x: vertical shift over load"},
    {"PVX2", &MagicCoefficients::PVX2, "1", "vertical shift with load"},
    {"RBX1", &MagicCoefficients::RBX1, "1", "F_x at combined slip: slope B"},
    {"RBX2", &MagicCoefficients::RBX2, "1", "B with longitudinal slip"},
    {"RCX1", &MagicCoefficients::RCX1, "1", "F_x at combined slip: shape C"},
    {"REX1", &MagicCoefficients::REX1, "1", "F_x at combined slip: curvature E"},
    {"REX2", &MagicCoefficients::REX2, "1", "E with load"},
    {"RHX1", &MagicCoefficients::RHX1, "1", "F_x at combined slip: shift"},
    {"PTX1", &MagicCoefficients::PTX1, "1", "relaxation length of F_x over R0"},
    {"PCY1", &MagicCoefficients::PCY1, "1", "F_y: shape C", true},
    {"PDY1", &MagicCoefficients::PDY1, "1", "F_y: friction at the nominal load", true},
    {"PDY2", &MagicCoefficients::PDY2, "1", "friction with load"},
    {"PDY3", &MagicCoefficients::PDY3, "1", "friction with camber squared"},
    {"PEY1", &MagicCoefficients::PEY1, "1", "F_y: curvature E"},
    {"PEY2", &MagicCoefficients::PEY2, "1", "E with load"},
    {"PEY3", &MagicCoefficients::PEY3, "1", "E with the sign of slip"},
    {"PEY4", &MagicCoefficients::PEY4, "1", "E with the sign of slip and camber"},
    {"PKY1", &MagicCoefficients::PKY1, "1", "F_y: largest cornering stiffness over F_z0", true},
    {"PKY2", &MagicCoefficients::PKY2, "1", "load of the largest stiffness over F_z0", true},
    {"PKY3", &MagicCoefficients::PKY3, "1", "cornering stiffness with camber"},
    {"PHY1", &MagicCoefficients::PHY1, "1", "F_y: horizontal shift"},
    {"PHY2", &MagicCoefficients::PHY2, "1", "horizontal shift with load"},
    {"PHY3", &MagicCoefficients::PHY3, "1", "horizontal shift with camber"},
    {"PVY1", &MagicCoefficients::PVY1, "1", "F_y: vertical shift over load"},
    {"PVY2", &MagicCoefficients::PVY2, "1", "vertical shift with load"},
    {"PVY3", &MagicCoefficients::PVY3, "1", "vertical shift with camber"},
    {"PVY4", &MagicCoefficients::PVY4, "1", "vertical shift with camber and load"},
    {"RBY1", &MagicCoefficients::RBY1, "1", "F_y at combined slip: slope B"},
    {"RBY2", &MagicCoefficients::RBY2, "1", "B with slip angle"},
    {"RBY3", &MagicCoefficients::RBY3, "1", "shift of that slip angle"},
    {"RCY1", &MagicCoefficients::RCY1, "1", "F_y at combined slip: shape C"},
    {"REY1", &MagicCoefficients::REY1, "1", "F_y at combined slip: curvature E"},
    {"REY2", &MagicCoefficients::REY2, "1", "E with load"},
    {"RHY1", &MagicCoefficients::RHY1, "1", "F_y at combined slip: shift"},
    {"RHY2", &MagicCoefficients::RHY2, "1", "shift with load"},
    {"RVY1", &MagicCoefficients::RVY1, "1", "side force by longitudinal slip, over friction"},
    {"RVY2", &MagicCoefficients::RVY2, "1", "side force with load"},
    {"RVY3", &MagicCoefficients::RVY3, "1", "side force with camber"},
    {"RVY4", &MagicCoefficients::RVY4, "1", "side force with slip angle"},
    {"RVY5", &MagicCoefficients::RVY5, "1", "side force: shape"},
    {"RVY6", &MagicCoefficients::RVY6, "1", "side force: slope"},
    {"PTY1", &MagicCoefficients::PTY1, "1", "largest relaxation length of F_y over R0"},
    {"PTY2", &MagicCoefficients::PTY2, "1", "load of that length over F_z0"},
    {"QSX1", &MagicCoefficients::QSX1, "1", "M_x: shift"},
    {"QSX2", &MagicCoefficients::QSX2, "1", "M_x with camber"},
    {"QSX3", &MagicCoefficients::QSX3, "1", "M_x with F_y"},
    {"QSY1", &MagicCoefficients::QSY1, "1", "rolling resistance"},
    {"QSY2", &MagicCoefficients::QSY2, "1", "rolling resistance with F_x"},
    {"QSY3", &MagicCoefficients::QSY3, "1", "rolling resistance with speed"},
    {"QSY4", &MagicCoefficients::QSY4, "1", "rolling resistance with the fourth power of speed"},
    {"QBZ1", &MagicCoefficients::QBZ1, "1", "trail: slope B"},
    {"QBZ2", &MagicCoefficients::QBZ2, "1", "B with load"},
    {"QBZ3", &MagicCoefficients::QBZ3, "1", "B with load squared"},
    {"QBZ4", &MagicCoefficients::QBZ4, "1", "B with camber"},
    {"QBZ5", &MagicCoefficients::QBZ5, "1", "B with the size of camber"},
    {"QBZ9", &MagicCoefficients::QBZ9, "1", "residual moment: slope"},
    {"QBZ10", &MagicCoefficients::QBZ10, "1", "residual moment: slope with that of F_y"},
    {"QCZ1", &MagicCoefficients::QCZ1, "1", "trail: shape C"},
    {"QDZ1", &MagicCoefficients::QDZ1, "1", "trail: peak over R0"},
    {"QDZ2", &MagicCoefficients::QDZ2, "1", "peak with load"},
    {"QDZ3", &MagicCoefficients::QDZ3, "1", "peak with camber"},
    {"QDZ4", &MagicCoefficients::QDZ4, "1", "peak with camber squared"},
    {"QDZ6", &MagicCoefficients::QDZ6, "1", "residual moment: peak"},
    {"QDZ7", &MagicCoefficients::QDZ7, "1", "that peak with load"},
    {"QDZ8", &MagicCoefficients::QDZ8, "1", "that peak with camber"},
    {"QDZ9", &MagicCoefficients::QDZ9, "1", "that peak with camber and load"},
    {"QEZ1", &MagicCoefficients::QEZ1, "1", "trail: curvature E"},
    {"QEZ2", &MagicCoefficients::QEZ2, "1", "E with load"},
    {"QEZ3", &MagicCoefficients::QEZ3, "1", "E with load squared"},
    {"QEZ4", &MagicCoefficients::QEZ4, "1", "E with the sign of slip"},
    {"QEZ5", &MagicCoefficients::QEZ5, "1", "E with the sign of slip and camber"},
    {"QHZ1", &MagicCoefficients::QHZ1, "1", "trail: shift"},
    {"QHZ2", &MagicCoefficients::QHZ2, "1", "shift with load"},
    {"QHZ3", &MagicCoefficients::QHZ3, "1", "shift with camber"},
    {"QHZ4", &MagicCoefficients::QHZ4, "1", "shift with camber and load"},
    {"SSZ1", &MagicCoefficients::SSZ1, "1", "arm of F_x in M_z over R0"},
    {"SSZ2", &MagicCoefficients::SSZ2, "1", "arm with F_y"},
    {"SSZ3", &MagicCoefficients::SSZ3, "1", "arm with camber"},
    {"SSZ4", &MagicCoefficients::SSZ4, "1", "arm with camber and load"}};
}  // namespace

void MagicCoefficients::fields(Fields& f) {
  for (const Coefficient& c : coefficients)
    if (c.required)
      f.required(c.name, this->*c.member, c.unit, c.meaning);
    else
      f.optional(c.name, this->*c.member, c.unit, c.meaning);
}

void MagicCoefficients::check() const {
  for (const Coefficient& c : coefficients)
    require(std::isfinite(this->*c.member), c.name.data(), "must be a finite number");
  require(UNLOADED_RADIUS > 0, "UNLOADED_RADIUS", "must be positive");
  require(VERTICAL_STIFFNESS > 0, "VERTICAL_STIFFNESS", "must be positive");
  require(VERTICAL_DAMPING >= 0, "VERTICAL_DAMPING", "must not be negative");
  require(FNOMIN > 0, "FNOMIN", "must be positive");
  require(LFZO > 0, "LFZO", "must be positive");
  require(LONGVL > 0, "LONGVL", "must be positive");
  require(KPUMAX > 0, "KPUMAX", "must be positive");
  require(FZMAX >= 0, "FZMAX", "must not be negative");
  require(CAMMAX >= 0, "CAMMAX", "must not be negative");
  require(PCX1 * LCX * PDX1 * LMUX != 0, "PDX1",
          "makes no force: PCX1, PDX1 and their scales must not be zero");
  require(PCY1 * LCY * PDY1 * LMUY != 0, "PDY1",
          "makes no force: PCY1, PDY1 and their scales must not be zero");
  require(LKX > 0, "LKX", "must be positive");
  require(LKY > 0, "LKY", "must be positive");
  require(PKX1 > 0, "PKX1", "must be positive: a wheel that is braked would drive");
  require(PKY2 != 0, "PKY2", "must not be zero");
  require(PKY1 * PKY2 < 0, "PKY1",
          "must be negative, as property files have it; where the slip angle is counted the other way, as in "
          "Pacejka's "
          "book, all coefficients with it change their signs");
}
}  // namespace mubody
