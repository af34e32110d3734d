#pragma once
// The coefficients of a Magic Formula tyre, by the names that property files (.tir) give them.
//
//   docs/theory/tyres.md#magic
//
// What is not given is zero, scales are one: a tyre with the coefficients of its pure slip alone has no effect of camber, no
// shifts, no aligning moment and no reduction at combined slip.
#include "mubody/model/fields.h"

namespace mubody {
struct MagicCoefficients {
  double UNLOADED_RADIUS = 0, VERTICAL_STIFFNESS = 0, VERTICAL_DAMPING = 0, FNOMIN = 0, LONGVL = 16.7,
         BREFF = 0, DREFF = 0, FREFF = 1.0 / 3, FZMAX = 0, CAMMAX = 0.5, KPUMAX = 1.5, LFZO = 1, LCX = 1,
         LMUX = 1, LEX = 1, LKX = 1, LHX = 1, LVX = 1, LGAX = 1, LCY = 1, LMUY = 1, LEY = 1, LKY = 1, LHY = 1,
         LVY = 1, LGAY = 1, LTR = 1, LRES = 1, LGAZ = 1, LXAL = 1, LYKA = 1, LVYKA = 1, LS = 1, LSGKP = 1,
         LSGAL = 1, LMX = 1, LVMX = 1, LMY = 1, PCX1 = 0, PDX1 = 0, PDX2 = 0, PDX3 = 0, PEX1 = 0, PEX2 = 0,
         PEX3 = 0, PEX4 = 0, PKX1 = 0, PKX2 = 0, PKX3 = 0, PHX1 = 0, PHX2 = 0, PVX1 = 0, PVX2 = 0, RBX1 = 0,
         RBX2 = 0, RCX1 = 1, REX1 = 0, REX2 = 0, RHX1 = 0, PTX1 = 0, PCY1 = 0, PDY1 = 0, PDY2 = 0, PDY3 = 0,
         PEY1 = 0, PEY2 = 0, PEY3 = 0, PEY4 = 0, PKY1 = 0, PKY2 = 0, PKY3 = 0, PHY1 = 0, PHY2 = 0, PHY3 = 0,
         PVY1 = 0, PVY2 = 0, PVY3 = 0, PVY4 = 0, RBY1 = 0, RBY2 = 0, RBY3 = 0, RCY1 = 1, REY1 = 0, REY2 = 0,
         RHY1 = 0, RHY2 = 0, RVY1 = 0, RVY2 = 0, RVY3 = 0, RVY4 = 0, RVY5 = 0, RVY6 = 0, PTY1 = 0, PTY2 = 1,
         QSX1 = 0, QSX2 = 0, QSX3 = 0, QSY1 = 0, QSY2 = 0, QSY3 = 0, QSY4 = 0, QBZ1 = 0, QBZ2 = 0, QBZ3 = 0,
         QBZ4 = 0, QBZ5 = 0, QBZ9 = 0, QBZ10 = 0, QCZ1 = 1, QDZ1 = 0, QDZ2 = 0, QDZ3 = 0, QDZ4 = 0, QDZ6 = 0,
         QDZ7 = 0, QDZ8 = 0, QDZ9 = 0, QEZ1 = 0, QEZ2 = 0, QEZ3 = 0, QEZ4 = 0, QEZ5 = 0, QHZ1 = 0, QHZ2 = 0,
         QHZ3 = 0, QHZ4 = 0, SSZ1 = 0, SSZ2 = 0, SSZ3 = 0, SSZ4 = 0;

  void fields(Fields& f);
  void check() const;
};
}  // namespace mubody
