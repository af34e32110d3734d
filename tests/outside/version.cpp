// Headers and library have the same version; a model is read so that all libraries are linked.
#include <cstdio>
#include <cstring>
#include <string>

#include <mubody/analyses/run.h>
#include <mubody/model/version.h>
#include <mubody/reading/read_model.h>

#define TEXT_OF(x) #x
#define DOTTED(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)

int main() {
  const char* const header = DOTTED(MUBODY_VERSION_MAJOR, MUBODY_VERSION_MINOR, MUBODY_VERSION_PATCH);
  std::printf("mubody %s\n", mubody::version());
  if (std::strcmp(header, mubody::version()) != 0) return 1;
  const std::string model = R"(gravity = [0, -9.81]
[bodies]
rod = {mass = 1, inertia = 0.1, position = [0.5, 0]}
[joints]
pin = {type = "revolute", bodies = ["ground", "rod"], at = [0, 0]}
[analysis]
end = 0.1
)";
  const mubody::Results results = mubody::run(mubody::io::read_study_text(model, "pendulum.toml", {}));
  std::printf("%s\n", results.verdict.c_str());
  return results.trusted ? 0 : 1;
}
