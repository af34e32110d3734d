"""EXUDYN: bodies with redundant coordinates and joints as equations, by implicit steps; trees also with minimal ones."""
import contextlib
import io
import sys

import numpy as np
from mechanism import relative
from peer import Cannot, Run, seconds_of

sys.exudynFast = True  # its library without range checks
with contextlib.redirect_stdout(io.StringIO()):
    import exudyn as exu
    import exudyn.itemInterface as item
    from exudyn.rigidBodyUtilities import RigidBodyInertia

exu.config.printToConsole = False
NAME, VERSION = "EXUDYN", exu.__version__
OUT = exu.OutputVariableType


def settings(m, between, step):
    s = exu.SimulationSettings()
    s.solution.file.write = False
    s.solution.sensors.writePeriod = between
    s.timeIntegration.verboseMode = 0
    s.timeIntegration.endTime = m.end
    s.timeIntegration.adaptiveStep = False  # shorter and shorter steps at a flat position of P2 would take minutes
    s.timeIntegration.automaticStepSize = False
    s.timeIntegration.numberOfSteps = round(m.end / step)
    s.linearSolver.solverType = exu.LinearSolverType.EXUdense if len(m.links) < 10 else exu.LinearSolverType.EigenSparse
    return s


class Bodies:
    """Every link a body of its own, all joints as equations."""
    tree = False

    def __init__(self, m, watch=False):
        self.m, self.container = m, exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        self.bodies, self.nodes = [self.mbs.AddObject(item.ObjectGround())], [None]
        for link in m.links:
            self.bodies.append(self._planar(link) if m.planar else self._spatial(link))
        self.pairs = []
        for k, link in enumerate(m.links, 1):
            self._joint(k, link)
        for loop in m.loops:
            if not m.planar:
                raise Cannot("loops in space")
            self._pin(loop.i, loop.at_i, loop.j, loop.at_j)
        for s in m.springs:
            self.mbs.CreateSpringDamper(itemNumbers=[self.bodies[s.i], self.bodies[s.j]],
                                        localPosition0=self.local(s.i, s.at_i), localPosition1=self.local(s.j, s.at_j),
                                        referenceLength=s.free_length, stiffness=s.stiffness, damping=s.damping)
        self.sensors = [[self._sensor(marker) for marker in pair] for pair in self.pairs] if watch else []
        self.mbs.Assemble()

    def local(self, link, at):
        """A point of a link relative to its centre, which is the origin of its body."""
        return np.asarray(at - self.m.links[link - 1].centre if link else at)

    def _planar(self, link):
        centre = link.pose.point(link.centre)
        angle = np.arctan2(link.pose.turn[1, 0], link.pose.turn[0, 0])
        node = self.mbs.AddNode(item.NodeRigidBody2D(referenceCoordinates=[*centre[:2], angle],
                                                     initialVelocities=[*link.velocity[:2], link.omega[2]]))
        body = self.mbs.AddObject(item.ObjectRigidBody2D(mass=link.mass, inertia=link.inertia[2, 2], nodeNumber=node))
        self.nodes.append(node)
        mass = self.mbs.AddMarker(item.MarkerBodyMass(bodyNumber=body))
        self.mbs.AddLoad(item.LoadMassProportional(markerNumber=mass, loadVector=self.m.gravity))
        return body

    def _spatial(self, link):
        return self.mbs.CreateRigidBody(
            referencePosition=link.pose.point(link.centre), referenceRotationMatrix=link.pose.turn,
            initialVelocity=link.velocity, initialAngularVelocity=link.omega, gravity=self.m.gravity,
            inertia=RigidBodyInertia(mass=link.mass, inertiaTensor=link.inertia))

    def _joint(self, k, link):
        if self.m.planar:
            self._pin(link.parent, link.on_parent.at, k, np.zeros(3))
            return
        make = self.mbs.CreateRevoluteJoint if link.kind == "turn" else self.mbs.CreatePrismaticJoint
        make(itemNumbers=[self.bodies[link.parent], self.bodies[k]], position=link.pose.at, axis=link.pose.turn[:, 2],
             useGlobalFrame=True)
        if link.kind == "turn":
            self.pairs.append([self._marker(link.parent, link.on_parent.at), self._marker(k, np.zeros(3))])

    def _marker(self, link, at):
        return self.mbs.AddMarker(item.MarkerBodyPosition(bodyNumber=self.bodies[link], localPosition=self.local(link, at)))

    def _pin(self, i, at_i, j, at_j):
        self.pairs.append([self._marker(i, at_i), self._marker(j, at_j)])
        self.mbs.AddObject(item.ObjectJointRevolute2D(markerNumbers=self.pairs[-1]))

    def _sensor(self, marker):
        return self.mbs.AddSensor(item.SensorMarker(markerNumber=marker, outputVariableType=OUT.Position,
                                                    writeToFile=False, storeInternal=True))

    def gap(self):
        return max(np.linalg.norm(np.subtract(*(self.mbs.GetSensorStoredData(s)[:, 1:] for s in pair)), axis=1).max()
                   for pair in self.sensors)

    def where(self, link, at):
        return self.mbs.GetObjectOutputBody(self.bodies[link], OUT.Position, self.local(link, at))

    def angle(self):
        return self.mbs.GetNodeOutput(self.nodes[self.m.watched], OUT.Coordinates)[2] if self.m.planar else 0.0

    def _motion(self, link, at):
        if link == 0:
            return [np.zeros(3)] * 4
        local = self.local(link, at)
        return [np.array(self.mbs.GetObjectOutputBody(self.bodies[link], what, local))
                for what in (OUT.Velocity, OUT.Acceleration, OUT.AngularVelocity, OUT.AngularAcceleration)]

    def off(self, between):
        """By the accelerations with which its implicit solver begins."""
        solver = exu.MainSolverImplicitSecondOrder()
        if not solver.InitializeSolver(self.mbs, settings(self.m, between, self.m.end)):
            raise RuntimeError("its solver does not begin")
        found = [relative(link.kind, link.pose.turn[:, 2], self._motion(k, np.zeros(3)),
                          self._motion(link.parent, link.on_parent.at))[1] for k, link in enumerate(self.m.links, 1)]
        return self.m.off(found)


class Tree(Bodies):
    """The links with the coordinates of their joints."""
    tree = True

    def __init__(self, m, watch=False):
        if m.loops:
            raise Cannot("minimal coordinates of its trees know no loops")
        self.m, self.container = m, exu.SystemContainer()
        self.mbs = self.container.AddSystem()
        count = len(m.links)
        node = self.mbs.AddNode(item.NodeGenericODE2(
            referenceCoordinates=[0.0] * count, initialCoordinates=[0.0] * count, initialCoordinates_t=list(m.rates),
            numberOfODE2Coordinates=count))
        kinds = {"turn": exu.JointType.RevoluteZ, "slide": exu.JointType.PrismaticZ}
        self.object = self.mbs.AddObject(item.ObjectKinematicTree(
            nodeNumber=node, gravity=m.gravity, jointTypes=[kinds[link.kind] for link in m.links],
            linkParents=[link.parent - 1 for link in m.links],
            jointTransformations=exu.Matrix3DList([link.on_parent.turn for link in m.links]),
            jointOffsets=exu.Vector3DList([link.on_parent.at for link in m.links]),
            linkInertiasCOM=exu.Matrix3DList([link.inertia for link in m.links]),
            linkCOMs=exu.Vector3DList([link.centre for link in m.links]), linkMasses=[link.mass for link in m.links]))
        for s in m.springs:
            self.mbs.AddObject(item.ObjectConnectorSpringDamper(
                markerNumbers=[self._on(s.i, s.at_i), self._on(s.j, s.at_j)], referenceLength=s.free_length,
                stiffness=s.stiffness, damping=s.damping))
        self.tip = self.mbs.AddSensor(item.SensorKinematicTree(
            objectNumber=self.object, linkNumber=m.watched - 1, localPosition=m.watched_point, writeToFile=False,
            outputVariableType=OUT.Position))
        self.mbs.Assemble()

    def _on(self, link, at):
        return self.mbs.AddMarker(item.MarkerKinematicTreeRigid(objectNumber=self.object, linkNumber=link - 1,
                                                                localPosition=at))

    def gap(self):
        return 0.0

    def where(self, link, at):
        return self.mbs.GetSensorValues(self.tip)

    def angle(self):
        return self.mbs.systemData.GetODE2Coordinates()[self.m.watched - 1] if self.m.planar else 0.0

    def off(self, between):
        solver = exu.MainSolverImplicitSecondOrder()
        if not solver.InitializeSolver(self.mbs, settings(self.m, between, self.m.end)):
            raise RuntimeError("its solver does not begin")
        return self.m.off(self.mbs.systemData.GetODE2Coordinates_tt())


def run(m, between, form, kind, step):
    solver = getattr(exu.DynamicSolverType, kind)
    found = Run(off=form(m).off(between))
    model, how = form(m), settings(m, between, step)
    try:
        found.seconds = seconds_of(lambda: model.mbs.SolveDynamic(how, solverType=solver))
    except exu.SolverError:
        raise RuntimeError(f"its solver finds no step at t = {model.mbs.systemData.GetTime():.3g} s") from None
    found.error = m.error(m.watched_angle + model.angle(), np.array(model.where(m.watched, m.watched_point)))
    # The gaps are taken in a motion of their own, since they cost time.
    found.gap = 0.0
    if not form.tree:
        watched = form(m, watch=True)
        watched.mbs.SolveDynamic(how, solverType=solver)
        found.gap = float(watched.gap())
    return found


def methods(m, step, between):
    both = {f"generalized alpha, {1e3 * step:g} ms": lambda: run(m, between, Bodies, "GeneralizedAlpha", step),
            f"trapezoidal index 2, {1e3 * step:g} ms": lambda: run(m, between, Bodies, "TrapezoidalIndex2", step)}
    if m.springs:
        fine = step / 20
        return {**both, f"tree, generalized alpha, {1e3 * step:g} ms":
                lambda: run(m, between, Tree, "GeneralizedAlpha", step),
                f"tree, RK44, {1e3 * fine:g} ms": lambda: run(m, between, Tree, "RK44", fine)}
    return {**both, f"tree, RK44, {1e3 * step:g} ms": lambda: run(m, between, Tree, "RK44", step)}
