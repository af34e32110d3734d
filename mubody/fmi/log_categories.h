#pragma once
// The categories of messages that a description lists and that whoever listens to an FMU may choose from.

namespace mubody::io {
/// In the order of fmu::Severity.
inline constexpr const char* log_categories[] = {"logEvents", "logStatusWarning", "logStatusDiscard",
                                                 "logStatusError"};
}  // namespace mubody::io
