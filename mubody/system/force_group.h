#pragma once
// All forces of one kind in one formulation: one virtual call evaluates them together.
#include "mubody/system/coupled_terms.h"
#include "mubody/system/registry.h"
#include "mubody/system/system.h"

namespace mubody {
template <class Formulation> class ForceGroup {
 public:
  using BodyState = typename Formulation::BodyState;
  using Bodies = std::span<const BodyState>;  // the ground first
  virtual ~ForceGroup() = default;

  std::span<const double>
      noted;  // the numbers that formulas read besides the motion of bodies, see signals/board.h

  virtual void add(const AnyForce&) = 0;
  /// Adds the forces to Q, which has the ground's columns first, and what account() says to `energy`, unless it is null.
  virtual void apply(Bodies bodies, double t, double* Q, Energy* energy) const = 0;
  /// Adds the generalized forces of the k-th alone on its two bodies.
  virtual void apply(int k, Bodies bodies, double t, double* Qi, double* Qj) const = 0;
  virtual void account(Bodies bodies, double t, Energy&) const = 0;
  struct Report {
    std::string_view name, unit;
    double value;
  };
  /// Fills in what the k-th reports.
  virtual void report(int k, Bodies bodies, double t, std::vector<Report>& all) const = 0;
  /// Counts turns from here on: the state is an accepted one.
  virtual void remember(Bodies bodies, double t) = 0;
  virtual void memory(Memory&) = 0;

  /// Says where the states of the k-th are, and where their rates go.
  virtual void place_states(int k, const OwnStates<double>&) = 0;

  // For contacts; other forces have none.
  virtual int inner(int) const { return 0; }
  virtual bool has_law(int) const { return true; }
  /// The memories of the places in which the k-th may touch; empty if it is no contact.
  virtual std::span<ContactMemory> memories(int) { return {}; }
  /// Adds the present state of each place.
  virtual void measure_contacts(int, Bodies, double, std::vector<ContactNow>&) const {}
  /// Adds a unit normal force at one of the places to Q.
  virtual ContactStiffness push(int, int, Bodies, double, double*) const { return {}; }
};

/// The time, and the state as signals see it.
template <class Formulation> struct Now {
  double t;
  typename ForceGroup<Formulation>::Bodies bodies;
  std::span<const ContactMemory> contacts;  // of the places in which a contact may touch
  std::span<const double> noted;
  OwnStates<double> own{};
  const ContactMemory& contact = contacts.front();

  double operator()(const Signal& s) const { return s(t, *this); }
  double operator()(const StateVariable& v) const {
    constexpr int D = Formulation::dim;
    if (v.quantity == StateVariable::noted) {
      if (std::size_t(v.number) >= noted.size())
        throw ModelError("a function of the program reads a signal that is not in the model");
      return noted[std::size_t(v.number)];
    }
    if (std::size_t(v.point.body) >= bodies.size())
      throw ModelError("a function of the program reads the state of a body that is not in the model");
    return Formulation::state(bodies[std::size_t(v.point.body)], Vec<D>(v.point.at.template head<D>()),
                              v.quantity);
  }
};

template <class T, class Formulation> class ForceGroupOf final : public ForceGroup<Formulation> {
 public:
  static constexpr int C = Formulation::columns, D = Formulation::dim;
  using typename ForceGroup<Formulation>::BodyState;
  using typename ForceGroup<Formulation>::Bodies;
  using typename ForceGroup<Formulation>::Report;

  void add(const AnyForce& force) override {
    const T& f = static_cast<const ForceOf<T>&>(force).force;
    int sites = 1;
    if constexpr (requires { f.sites(); }) sites = std::max(1, f.sites());
    Coordinates coupled = [&] {
      if constexpr (Couples<T>)
        return Coordinates(f.couples);
      else
        return Coordinates();
    }();
    items_.push_back({f,
                      Mount<D>(force.i()),
                      Mount<D>(force.j()),
                      {},
                      std::vector<ContactMemory>(std::size_t(sites)),
                      {},
                      std::move(coupled)});
  }
  void apply(Bodies bodies, double t, double* Q, Energy* energy) const override {
    for (const Item& it : items_) visit(it, bodies, t, Loads(it, bodies, Q, energy));
  }
  void apply(int k, Bodies bodies, double t, double* Qi, double* Qj) const override {
    const Item& it = items_[std::size_t(k)];
    visit(it, bodies, t, Loads(it, bodies, Qi, Qj));
  }
  void account(Bodies bodies, double t, Energy& energy) const override {
    for (const Item& it : items_) visit(it, bodies, t, Listener{{&energy}});
  }
  void report(int k, Bodies bodies, double t, std::vector<Report>& all) const override {
    all.clear();
    visit(items_[std::size_t(k)], bodies, t, Listener{{}, {}, &all});
  }
  void memory(Memory& m) override {
    for (Item& it : items_) {
      if constexpr (Couples<T>)
        it.coupled.memory(m);
      else if constexpr (!has_angle<Frame<Formulation, Side::i>>)
        m(it.turns);
      if constexpr (is_contact<T>)
        for (ContactMemory& contact : it.contacts) m(contact.touching, contact.first_speed);
    }
  }
  void remember(Bodies bodies, double t) override {
    if constexpr (requires { T::sees_no_angle; }) return;
    for (Item& it : items_) {
      if constexpr (Couples<T>) {
        it.coupled.remember(bodies.data(), t);
      } else {
        visit(it, bodies, t, Listener{});
        it.turns.accept(t);
      }
    }
  }
  void place_states(int k, const OwnStates<double>& own) override { items_[std::size_t(k)].own = own; }
  int inner(int k) const override {
    if constexpr (is_contact<T>)
      return items_[std::size_t(k)].force.inner();
    else
      return 0;
  }
  bool has_law(int k) const override {
    if constexpr (is_contact<T>)
      return items_[std::size_t(k)].force.has_law();
    else
      return true;
  }
  std::span<ContactMemory> memories(int k) override {
    if constexpr (is_contact<T>)
      return items_[std::size_t(k)].contacts;
    else
      return {};
  }
  void measure_contacts(int k, Bodies bodies, double t, std::vector<ContactNow>& all) const override {
    if constexpr (is_contact<T>) visit(items_[std::size_t(k)], bodies, t, Listener{{}, &all});
  }
  ContactStiffness push(int k, [[maybe_unused]] int site, Bodies bodies, double t, double* Q) const override {
    if constexpr (is_contact<T>) {
      const Item& it = items_[std::size_t(k)];
      Loads loads(it, bodies, Q);
      const Frame<Formulation, Side::i> i{bodies[it.i.body], it.i, it.turns};
      const Frame<Formulation, Side::j> j{bodies[it.j.body], it.j, it.turns};
      if constexpr (Couples<T>)
        it.force.push(Relation<Formulation>(it.coupled, it.force, bodies.data(), t), loads);
      else if constexpr (requires { it.force.sites(); })
        it.force.push(i, j, site, loads);
      else
        it.force.push(i, j, t, loads);
      return {it.force.stiffness(), it.force.exponent()};
    } else {
      return {};
    }
  }

 private:
  struct Nothing {};
  using Coordinates = std::conditional_t<Couples<T>, CoupledTerms<Formulation>, Nothing>;
  struct Item {
    T force;
    Mount<D> i, j;
    Turns turns;
    std::vector<ContactMemory> contacts;  // at least one
    OwnStates<double> own;
    [[no_unique_address]] Coordinates coupled;
  };

  template <class Sink> void visit(const Item& it, Bodies bodies, double t, Sink sink) const {
    const Now<Formulation> now{t, bodies, it.contacts, this->noted, it.own};
    if constexpr (Couples<T>) {
      it.force.apply(Relation<Formulation>(it.coupled, it.force, bodies.data(), t), now, sink);
    } else {
      if constexpr (!has_angle<Frame<Formulation, Side::i>>) it.turns.aim(t);
      const Frame<Formulation, Side::i> i{bodies[it.i.body], it.i, it.turns};
      const Frame<Formulation, Side::j> j{bodies[it.j.body], it.j, it.turns};
      it.force.apply(i, j, now, sink);
    }
  }

  // All reports that an element may make to a sink are in forces/force.h.
  /// Adds up energies and powers, for whoever wants them.
  struct Accounts {
    Energy* energy = nullptr;

    template <class V> void stores(const V& value) const {
      if (energy) energy->potential += value();
    }
    template <class V> void dissipates(const V& power, Loss by = Loss::damper) const {
      if (!energy) return;
      double* const accounts[] = {&energy->dissipated, &energy->contact, &energy->friction, &energy->film};
      *accounts[int(by)] += power();
    }
    template <class V> void supplies(const V& power) const {
      if (energy) energy->supplied += power();
    }
  };
  struct Loads : Accounts {
    static constexpr bool looks() { return false; }  // at places where nothing touches
    const BodyState &bi, &bj;
    double *Qi, *Qj;
    const Item& item;
    const BodyState* bodies;
    double* Q = nullptr;  // of all bodies
    Loads(const Item& it, Bodies all, double* general, Energy* to = nullptr)
        : Accounts{to}, bi(all[it.i.body]), bj(all[it.j.body]), Qi(general + C * it.i.body),
          Qj(general + C * it.j.body), item(it), bodies(all.data()), Q(general) {}
    /// On its two bodies alone.
    Loads(const Item& it, Bodies all, double* on_i, double* on_j)
        : bi(all[it.i.body]), bj(all[it.j.body]), Qi(on_i), Qj(on_j), item(it), bodies(all.data()) {}
    template <int I, int J> void along(const Scalar<I, J>& s, double F) const {
      if constexpr (I > 0) add(bi, s.Ji, F, Qi);
      if constexpr (J > 0) add(bj, s.Jj, F, Qj);
    }
    void along(const Relation<Formulation>& s, double F) const {
      for (std::size_t k = 0; k < s.all.size(); ++k) {
        const auto& x = s.all.terms()[k];
        add_to(x.i.body, s.coordinates[k].Ji, s.slopes[k] * F);
        add_to(x.j.body, s.coordinates[k].Jj, s.slopes[k] * F);
      }
    }
    void add_to(int body, const Rows<1, C>& J, double F) const {
      double* const at = Q ? Q + C * body : body == item.i.body ? Qi : body == item.j.body ? Qj : nullptr;
      if (at) add(bodies[body], J, F, at);
    }
    static void add(const BodyState& body, const Rows<1, C>& J, double F, double* general) {
      Rows<1, C> row;
      Formulation::row(body, J, row.data());
      for (int c = 0; c < C; ++c) general[c] += F * row[c];
    }
    template <class F> void push(const F& f, const Vec<D>& force, const Vec<spins<D>>& moment) const {
      Formulation::push(f.body, f.mount.at, force, moment, F::side == Side::i ? Qi : Qj);
    }
    void touches(double, double, double, double) const {}
    void reports(std::string_view, std::string_view, double) const {}
  };
  // One sink for all that is asked at accepted states, so that elements are compiled twice and not five times.
  struct Listener : Accounts {
    std::vector<ContactNow>* contacts = nullptr;
    std::vector<Report>* reports_to = nullptr;

    bool looks() const { return contacts || reports_to; }

    template <class S> void along(const S&, double) const {}
    template <class F> void push(const F&, const Vec<D>&, const Vec<spins<D>>&) const {}
    void touches(double gap, double approach, double force, double lost) const {
      if (contacts) contacts->push_back({gap, approach, force, lost});
    }
    void reports(std::string_view name, std::string_view unit, double value) const {
      if (reports_to) reports_to->push_back({name, unit, value});
    }
  };

  std::vector<Item> items_;
};

template <class T> const MakeGroups<ForceGroup>& force_groups() {
  static const auto all = [] {
    MakeGroups<ForceGroup> makes;
    const auto add = [&]<class F>(MakeGroup<ForceGroup, F>& make) {
      if constexpr (is_in<T>(F::dim))
        make = [] { return std::unique_ptr<ForceGroup<F>>(std::make_unique<ForceGroupOf<T, F>>()); };
    };
    std::apply([&](auto&... each) { (add(each), ...); }, makes);
    return makes;
  }();
  return all;
}
}  // namespace mubody
