#pragma once
// Functions of time, signals of time and state, and laws of springs as they stand in a model file.
#include "mubody/contact/friction/friction.h"
#include "mubody/contact/laws/contact_law.h"
#include "mubody/forces/laws/law.h"
#include "mubody/joints/curves/body_curve.h"
#include "mubody/reading/values.h"
#include "mubody/signals/block.h"

namespace mubody::io {
/// The units of a curve: those of its values and of its abscissas.
struct CurveUnits {
  std::string value, over;  // "rad" over "s"
  int first = 0;            // the power of the first coefficient
  bool of_time = true;      // the abscissa is the time

  /// The unit of the coefficient of the k-th power: "rad/s^2".
  std::string power(int k) const;
};

/// A number, a formula, or a table such as {type = "harmonic", ...}.  The formula uses the time t, or x
/// where the function is one of a length.
Function read_function(const Node&, const Scope&, const CurveUnits&, const Known&);

/// A signal is written like a function of time; its formula may also use the state, as in "= -3*crank.omega".
Signal read_signal(const Node&, const Scope&, const std::string& unit, const Known&);

/// A table {type = ...} of a block of signals.
std::unique_ptr<AnyBlock> read_block(const Node&, const Scope&, const Known&);

/// A formula in length, deflection, rate and t, or a table such as {type = "table", ...}.
Law read_law(const Node&, const Scope&, const std::string& unit, const Known&);

/// The name of a normal law of contact, or a table such as {type = "hunt_crossley", restitution = 0.8}.
ContactLaw read_contact_law(const Node&, const Scope&, const Known&);

/// A coefficient, or a table such as {type = "lugre", ...}.
Friction read_friction(const Node&, const Scope&, const Known&);

/// A curve fixed in a body, a table such as {type = "arc", radius = 0.1}.
BodyCurve read_curve(const Node&, const Scope&, const Known&);

/// "no joint type 'revolut'; did you mean 'revolute'? See 'mubody list joints'".
std::string no_such(std::string_view what, std::string_view word, const std::vector<std::string_view>& known,
                    std::string_view list);
}  // namespace mubody::io
