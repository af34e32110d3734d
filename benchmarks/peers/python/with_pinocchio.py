"""Pinocchio: accelerations of a tree and of its loops.  It has no integrator, so that the steps are taken here: the classical
Runge-Kutta method, whose stages call its C++.  It has no springs either."""
import numpy as np
import pinocchio as pin
from peer import Run, fastest, in_looks

NAME, VERSION = "Pinocchio", pin.__version__
PULL = 10.0  # gain of the stabilization of loops [1/s]; the best of 0, 10, 50 and 100


class Model:
    def __init__(self, m):
        self.m, self.model = m, pin.Model()
        self.model.gravity.linear = m.gravity
        self.number = [0] * (len(m.links) + 1)
        self._grow(0)
        self.data = self.model.createData()
        self.at = [self.model.joints[k].idx_v for k in self.number[1:]]
        self._close()
        self.q, self.v, self.tau = (np.zeros(self.model.nv) for _ in range(3))
        self.v[self.at] = m.rates

    def _grow(self, parent):
        """Its algorithms for loops rely on joints that are numbered depth first."""
        for k, link in enumerate(self.m.links, 1):
            if link.parent != parent:
                continue
            joint = pin.JointModelRZ() if link.kind == "turn" else pin.JointModelPZ()
            placement = pin.SE3(link.on_parent.turn, link.on_parent.at)
            number = self.number[k] = self.model.addJoint(self.number[parent], joint, placement, link.name)
            self.model.appendBodyToJoint(number, pin.Inertia(link.mass, link.centre, link.inertia), pin.SE3.Identity())
            self._grow(k)

    def _close(self):
        """In the plane the third equation of a pin is empty: hence the proximal method."""
        self.loops = pin.StdVec_RigidConstraintModel()
        for loop in self.m.loops:
            i, j = self.number[loop.i], self.number[loop.j]
            closed = pin.RigidConstraintModel(
                pin.ContactType.CONTACT_3D, self.model, i, pin.SE3(np.eye(3), loop.at_i), j,
                pin.SE3(np.eye(3), loop.at_j), pin.ReferenceFrame.LOCAL)
            closed.m_baumgarte_parameters.Kp, closed.m_baumgarte_parameters.Kd = PULL ** 2, 2 * PULL
            self.loops.append(closed)
        self.loop_data = pin.StdVec_RigidConstraintData()
        for loop in self.loops:
            self.loop_data.append(loop.createData())
        self.proximal = pin.ProximalSettings(1e-12, 1e-10, 20)
        if self.m.loops:
            pin.initConstraintDynamics(self.model, self.data, self.loops, self.loop_data)

    def accelerations(self, q, v):
        if self.m.loops:
            return pin.constraintDynamics(self.model, self.data, q, v, self.tau, self.loops, self.loop_data, self.proximal)
        return pin.aba(self.model, self.data, q, v, self.tau)

    def step(self, h):
        """The classical Runge-Kutta method; all coordinates are angles or lengths, so that they may be added."""
        q, v, a = self.q, self.v, self.accelerations
        a1 = a(q, v).copy()
        v2 = v + h / 2 * a1
        a2 = a(q + h / 2 * v, v2).copy()
        v3 = v + h / 2 * a2
        a3 = a(q + h / 2 * v2, v3).copy()
        v4 = v + h * a3
        a4 = a(q + h * v3, v4)
        self.q = q + h / 6 * (v + 2 * (v2 + v3) + v4)
        self.v = v + h / 6 * (a1 + 2 * (a2 + a3) + a4)

    def advance(self, begin, end, h):
        for _ in range(round((end - begin) / h)):
            self.step(h)
        pin.forwardKinematics(self.model, self.data, self.q)

    def where(self, link, at):
        return self.data.oMi[self.number[link]].act(at) if link else at

    def spring_forces(self):
        """The forces of springs on the joints' frames, as its algorithm takes them; written here, for it has none."""
        forces = pin.StdVec_Force()
        for _ in range(self.model.njoints):
            forces.append(pin.Force.Zero())
        pin.forwardKinematics(self.model, self.data, self.q, self.v)
        for s in self.m.springs:
            ends = []
            for link, at in ((s.i, s.at_i), (s.j, s.at_j)):
                k = self.number[link]
                A, local = self.data.oMi[k].rotation, self.data.v[k]
                ends.append((k, at, self.where(link, at), A @ (local.linear + np.cross(local.angular, at)), A))
            d, rate = ends[0][2] - ends[1][2], ends[0][3] - ends[1][3]
            length = np.linalg.norm(d)
            pull = s.stiffness * (length - s.free_length) + s.damping * (d @ rate) / length
            for (k, at, _, _, A), sign in zip(ends, (-1, 1)):
                force = A.T @ (sign * pull / length * d)
                forces[k] = forces[k] + pin.Force(force, np.cross(at, force))
        return forces


def measured(m):
    """The model, and what its right-hand side costs."""
    model = Model(m)
    q = model.q.copy()
    if m.springs:
        forces = model.spring_forces()
        start = pin.aba(model.model, model.data, model.q, model.v, model.tau, forces)

        def nudged():
            q[0] += 1e-12  # so that no two evaluations are the same
            pin.aba(model.model, model.data, q, model.v, model.tau, forces)
    else:
        start = model.accelerations(model.q, model.v)

        def nudged():
            q[0] += 1e-12
            model.accelerations(q, model.v)
    off = m.off(start[model.at])
    return model, Run(right_hand_side=fastest(nudged), off=off)


def motion(m, step, between):
    model, one = measured(m)
    found = in_looks(m, between, lambda begin, end: model.advance(begin, end, step), model.where,
                     lambda: model.q[model.at[m.watched - 1]])
    found.right_hand_side, found.off = one.right_hand_side, one.off
    return found


def without_motion(m):
    _, one = measured(m)
    one.note = "no motion: it has neither springs nor an integrator; the springs' forces are given to it"
    return one


def methods(m, step, between):
    if m.springs:
        return {"aba": lambda: without_motion(m)}
    return {f"{'constraintDynamics' if m.loops else 'aba'}, RK4, {1e3 * step:g} ms": lambda: motion(m, step, between)}
