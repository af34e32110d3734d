"""Drake: a tree of joints, by error-controlled integrators; loops only in its discrete steps, as constraints of its solver SAP."""
from importlib.metadata import version

import numpy as np
from peer import Cannot, fastest, in_looks
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import (FixedOffsetFrame, LinearSpringDamper, PrismaticJoint, RevoluteJoint, SpatialInertia,
                                    UnitInertia)
from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator

NAME, VERSION = "Drake", version("drake")
AXIS = [0, 0, 1]


def inertia_of(link):
    """About the origin of the link, per unit of mass."""
    c = link.centre
    I = link.inertia / link.mass + (c @ c) * np.eye(3) - np.outer(c, c)
    return SpatialInertia(link.mass, c, UnitInertia(I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]),
                          skip_validity_check=True)


class Model:
    """`time_step`: of discrete steps; 0 for continuous motion."""

    def __init__(self, m, time_step):
        self.m, self.plant = m, MultibodyPlant(time_step)
        if time_step:
            self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kLagged)
        self.plant.mutable_gravity_field().set_gravity_vector(m.gravity)
        self.bodies, self.joints = [self.plant.world_body()], []
        for link in m.links:
            body = self.plant.AddRigidBody(link.name, inertia_of(link))
            parent = self.bodies[link.parent].body_frame()
            turn = RotationMatrix.ProjectToRotationMatrix(link.on_parent.turn)
            frame = self.plant.AddFrame(FixedOffsetFrame(f"to {link.name}", parent, RigidTransform(turn, link.on_parent.at)))
            kind = RevoluteJoint if link.kind == "turn" else PrismaticJoint
            self.joints.append(self.plant.AddJoint(kind(f"of {link.name}", frame, body.body_frame(), AXIS)))
            self.bodies.append(body)
        for loop in m.loops:
            self.plant.AddBallConstraint(self.bodies[loop.i], loop.at_i, self.bodies[loop.j], loop.at_j)
        for s in m.springs:
            self.plant.AddForceElement(LinearSpringDamper(self.bodies[s.i], s.at_i, self.bodies[s.j], s.at_j, s.free_length,
                                                          s.stiffness, s.damping))
        self.plant.Finalize()
        self.simulator = Simulator(self.plant)
        self.context = self.simulator.get_mutable_context()
        self.at = [joint.velocity_start() for joint in self.joints]
        v = np.zeros(len(self.at))
        v[self.at] = m.rates
        self.plant.SetVelocities(self.context, v)
        self.v = v

    def where(self, link, at):
        return self.bodies[link].EvalPoseInWorld(self.context).multiply(at)

    def angle(self):
        return self.joints[self.m.watched - 1].GetOnePosition(self.context)

    def move(self, between):
        self.simulator.Initialize()
        return in_looks(self.m, between, lambda begin, end: self.simulator.AdvanceTo(end), self.where, self.angle)


def discrete(m, step, between):
    model = Model(m, step)
    found = model.move(between)
    if m.loops:
        found.note = "no accelerations: loops are known to discrete steps only"
    return found


def continuous(m, between, scheme, accuracy):
    if m.loops:
        raise Cannot("no constraints in continuous motion, and its integrator cenic refuses those of points")
    model = Model(m, 0)
    context = model.plant.CreateDefaultContext()
    model.plant.SetVelocities(context, model.v)
    off = m.off(model.plant.EvalTimeDerivatives(context).get_generalized_velocity().CopyToVector()[model.at])
    q = np.zeros(len(model.at))

    def nudged():
        q[0] += 1e-12  # so that no two evaluations are the same
        model.plant.SetPositions(context, q)
        model.plant.EvalTimeDerivatives(context)

    one = fastest(nudged)
    integrator = ResetIntegratorFromFlags(model.simulator, scheme, 0.1)
    integrator.set_target_accuracy(accuracy)
    found = model.move(between)
    found.right_hand_side, found.off = one, off
    return found


def methods(m, step, between):
    steps = {f"discrete, {1e3 * step:g} ms": lambda: discrete(m, step, between)}
    # Stiff equations have the implicit method.
    scheme, accuracies = ("radau3", (1e-6, 1e-8)) if m.springs else ("runge_kutta5", (1e-10,))
    return {**{f"{scheme}, {accuracy:g}": lambda accuracy=accuracy: continuous(m, between, scheme, accuracy)
               for accuracy in accuracies}, **steps}
