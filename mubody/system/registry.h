#pragma once
// All kinds of joints and forces; the lists are generated from the headers in joints/ and forces/.
#include <array>
#include <memory>
#include <span>
#include <tuple>

#include "mubody/formulations/cartesian.h"

namespace mubody {
template <class Formulation> class JointGroup;
template <class Formulation> class ForceGroup;

/// Makes an empty group of one kind; null where the kind does not exist.
template <template <class> class Group, class Formulation>
using MakeGroup = std::unique_ptr<Group<Formulation>> (*)();
/// One maker for each formulation.
template <template <class> class Group>
using MakeGroups = std::tuple<MakeGroup<Group, Body<2>>, MakeGroup<Group, Body<3>>,
                              MakeGroup<Group, Cartesian<2>>, MakeGroup<Group, Cartesian<3>>>;

template <int D> struct RecordedMotion;
template <int D> struct RecordedJoint;
template <int D> struct RecordedForce;
template <int D> using RecordJoint = void (*)(const AnyJoint&, const RecordedMotion<D>&, RecordedJoint<D>&);
template <int D> using RecordForce = void (*)(const AnyForce&, const RecordedMotion<D>&, RecordedForce<D>&);
/// How a kind is recorded in the plane and in space, see recorded_elements.h; null where it does not exist or cannot be.
template <template <int> class Record> struct Recorders {
  Record<2> plane = nullptr;
  Record<3> space = nullptr;
  std::string_view why_not{};

  template <int D> Record<D> in() const {
    if constexpr (D == 2)
      return plane;
    else
      return space;
  }
};
using JointRecorders = Recorders<RecordJoint>;
using ForceRecorders = Recorders<RecordForce>;
/// Those of joint J and of force T; they are compiled apart from the rest.
template <class J> const JointRecorders& joint_recorders();
template <class T> const ForceRecorders& force_recorders();
/// And what makes their groups, in joint_group.h and force_group.h.
template <class J> const MakeGroups<JointGroup>& joint_groups();
template <class T> const MakeGroups<ForceGroup>& force_groups();

/// All kinds of a folder, one entry each.
template <class Entry> class Kinds {
 public:
  explicit Kinds(std::span<const Entry* const> all) : all_(all) {}
  class Iterator {
   public:
    explicit Iterator(const Entry* const* at) : at_(at) {}
    const Entry& operator*() const { return **at_; }
    Iterator& operator++() { return ++at_, *this; }
    bool operator==(const Iterator&) const = default;

   private:
    const Entry* const* at_;
  };
  Iterator begin() const { return Iterator(all_.data()); }
  Iterator end() const { return Iterator(all_.data() + all_.size()); }
  std::size_t size() const { return all_.size(); }

 private:
  std::span<const Entry* const> all_;
};

struct JointEntry {
  Info info;
  Use use;
  std::array<int, 2> forbidden, allowed;  // in the plane, in space
  std::unique_ptr<AnyJoint> (*make)();
  const MakeGroups<JointGroup>& (*groups)();
  const JointRecorders& (*recorders)();

  int forbids(int D) const { return forbidden[std::size_t(D - 2)]; }
  int allows(int D) const { return allowed[std::size_t(D - 2)]; }
  bool in(int D) const { return forbids(D) > 0; }
  template <class F> auto group() const { return std::get<MakeGroup<JointGroup, F>>(groups()); }
  template <class J> static JointEntry of();  // in entries.h
};
/// The library's own kinds.
Kinds<JointEntry> joint_kinds();

struct ForceEntry {
  Info info;
  std::array<bool, 2> exists;  // in the plane, in space
  std::unique_ptr<AnyForce> (*make)();
  const MakeGroups<ForceGroup>& (*groups)();
  const ForceRecorders& (*recorders)();

  bool in(int D) const { return exists[std::size_t(D - 2)]; }
  template <class F> auto group() const { return std::get<MakeGroup<ForceGroup, F>>(groups()); }
  template <class T> static ForceEntry of();  // in entries.h
};
/// The library's own kinds.
Kinds<ForceEntry> force_kinds();

/// The entry of that name, or nullptr.
const JointEntry* find_joint(std::string_view name);
const ForceEntry* find_force(std::string_view name);
}  // namespace mubody
