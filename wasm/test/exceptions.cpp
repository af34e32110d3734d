// What C++ exceptions must do in the module; wasm/test/exceptions.mjs runs it in node and in a browser.
//
// Each function returns the number of a statement that does not hold, or zero.
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
struct First {
  virtual ~First() = default;
  int a = 1;
};
struct Mistake : std::runtime_error {
  using runtime_error::runtime_error;
  int line = 7;
};
struct Other : std::runtime_error {
  using runtime_error::runtime_error;
};
/// The base that is caught does not lie at the beginning.
struct Both : First, Mistake {
  Both() : Mistake("both") {}
};
struct Above : virtual First {
  int b = 2;
};
struct Diamond : Above {
  Diamond() { a = 5; }
};
class Hidden : std::runtime_error {
 public:
  Hidden() : std::runtime_error("its base is nobody's business") {}
};

int alive = 0;
struct Guard {
  Guard() { ++alive; }
  Guard(const Guard&) { ++alive; }
  ~Guard() { --alive; }
};

enum Case { mistake, other, number, both, out_of_range, text, no_key, diamond, hidden, literal, many };

[[gnu::noinline]] void raise(int which) {
  const Guard guard;
  const std::string words = "a text that lies on the heap " + std::to_string(which);
  switch (which) {
    case mistake: throw Mistake(words);
    case other: throw Other(words);
    case number: throw 42;
    case both: throw Both();
    case out_of_range: {
      std::vector<int> v(3);
      v.at(std::size_t(which)) = 1;
      break;
    }
    case text: throw words;
    case no_key: {
      const std::map<std::string, int> none;
      (void)none.at(words);
      break;
    }
    case diamond: throw Diamond();
    case hidden: throw Hidden();
    case literal: throw "literal";
    case many: throw std::make_shared<Guard>();
  }
}

/// Which handler takes it.
[[gnu::noinline]] int taken_by(int which) {
  const Guard outer;
  try {
    const Guard inner;
    raise(which);
  } catch (const Mistake& e) {
    return e.line == 7 && std::string(e.what()) == (which == both ? "both" : "a text that lies on the heap 0")
               ? 1
               : -1;
  } catch (const Other&) {
    return 2;
  } catch (int i) {
    return i;
  } catch (const std::out_of_range&) {
    return 4;
  } catch (const First& e) {
    return e.a;
  } catch (const std::exception&) {
    return 6;
  } catch (const std::shared_ptr<Guard>& e) {
    return int(e.use_count()) + 7;
  } catch (...) {
    return 9;
  }
  return 0;
}

[[gnu::noinline]] int rethrown() {
  int steps = 0;
  try {
    try {
      try {
        raise(other);
      } catch (const Mistake&) {
        return -1;
      }
    } catch (const Other&) {
      steps += 1;
      try {
        raise(mistake);
      } catch (const Mistake&) {
        steps += 10;
      }
      throw;  // Other, though Mistake was handled in between
    }
  } catch (const std::runtime_error& e) {
    if (std::string(e.what()).ends_with('1')) steps += 100;
  }
  return steps;
}

[[gnu::noinline]] std::string translated() {
  try {
    try {
      raise(other);
    } catch (const Other& e) {
      throw Mistake(std::string("line 3: ") + e.what());
    }
  } catch (const Mistake& e) {
    return e.what();
  }
  return {};
}

[[gnu::noinline]] int carried() {
  std::exception_ptr kept;
  try {
    raise(mistake);
  } catch (...) {
    kept = std::current_exception();
  }
  int times = 0;
  for (int k = 0; k < 3; ++k) try {
      std::rethrow_exception(kept);
    } catch (const Mistake& e) {
      times += e.line == 7;
    }
  return times;
}

/// A destructor that runs while an exception flies throws and catches one of its own.
struct Careful {
  int& seen;
  ~Careful() {
    try {
      raise(other);
    } catch (const Other&) {
      seen += std::uncaught_exceptions();
    }
  }
};
[[gnu::noinline]] int within() {
  int seen = 0;
  try {
    const Careful careful{seen};
    raise(mistake);
  } catch (const Mistake&) {
    return seen + std::uncaught_exceptions();
  }
  return -1;
}
}  // namespace

extern "C" [[clang::export_name("exceptions")]] int exceptions() {
  const int expected[] = {1, 2, 42, 1, 4, 9, 4, 5, 9, 9, 8};
  for (int k = mistake; k <= many; ++k)
    if (taken_by(k) != expected[k]) return k + 1;
  if (rethrown() != 111) return 21;
  if (translated() != "line 3: a text that lies on the heap 1") return 22;
  if (carried() != 3) return 23;
  if (within() != 1) return 24;
  if (alive != 0) return 25;
  return 0;
}
/// Throws and catches so often; the page looks at the memory.
extern "C" [[clang::export_name("many_times")]] int many_times(int times) {
  for (int k = 0; k < times; ++k) taken_by(k % (many + 1));
  return alive;
}
