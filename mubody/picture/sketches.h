#pragma once
// Sketches of the elements of a mechanism.
#include "mubody/mechanism/mechanism.h"
#include "mubody/picture/scene.h"

namespace mubody::io {
inline SceneEnd end_of(const Marker& m) { return {m.body, m.at}; }

template <class Any> Sketch sketch_of(const Named<Any>& named, int dim) {
  Sketch s{.dim = dim, .driver = named.driver};
  named.what->draw(s);
  return s;
}

template <class Any> const Marker& marker_of(const Any& element, Sketch::End end) {
  return end == Sketch::End::i ? element.i() : element.j();
}
}  // namespace mubody::io
