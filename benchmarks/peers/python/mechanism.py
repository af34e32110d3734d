"""The compared mechanisms as other programs want them: a tree of links, pins that close its loops, and springs.

They come from `mubody_peers --json`, which reads the model files; no number of a model stands here.
"""
import json
from dataclasses import dataclass, field

import numpy as np

GROUND = "ground"


def rotation(p):
    """The matrix of a unit quaternion, scalar first."""
    w, x, y, z = p
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def quaternion(A):
    """The unit quaternion of a rotation matrix, scalar first, by the largest of its four numbers."""
    K = np.array([[A[0, 0] + A[1, 1] + A[2, 2], A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]],
                  [A[2, 1] - A[1, 2], A[0, 0] - A[1, 1] - A[2, 2], A[0, 1] + A[1, 0], A[0, 2] + A[2, 0]],
                  [A[0, 2] - A[2, 0], A[0, 1] + A[1, 0], A[1, 1] - A[0, 0] - A[2, 2], A[1, 2] + A[2, 1]],
                  [A[1, 0] - A[0, 1], A[0, 2] + A[2, 0], A[1, 2] + A[2, 1], A[2, 2] - A[0, 0] - A[1, 1]]])
    return np.linalg.eigh(K)[1][:, -1]


def across(w):
    """The matrix of w × ."""
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


@dataclass
class Pose:
    """A frame in another: origin and rotation matrix."""
    at: np.ndarray
    turn: np.ndarray

    def __matmul__(self, inner):
        return Pose(self.at + self.turn @ inner.at, self.turn @ inner.turn)

    def inverse(self):
        return Pose(-self.turn.T @ self.at, self.turn.T)

    def point(self, inner):
        return self.at + self.turn @ inner


def still():
    return Pose(np.zeros(3), np.eye(3))


# A slide goes along x in mubody; here all joints turn about z or slide along z.
X_TO_Z = np.array([[0.0, 0, 1], [1, 0, 0], [0, 1, 0]])


def relative(kind, axis, of, to):
    """Rate and acceleration of the coordinate of a joint with a global axis.

    `of` and `to` are the motions of its two links at its point: velocity, acceleration, angular velocity and acceleration."""
    (v, a, w, alpha), (v0, a0, w0, alpha0) = of, to
    if kind == "turn":
        return axis @ (w - w0), axis @ (alpha - alpha0)  # the axis is fixed in both
    return axis @ (v - v0), axis @ (a - a0)  # what turns with the guide accelerates across it


@dataclass
class Link:
    """Bodies that do not move against each other.  Its frame is that of its joint: it turns about z, or slides along z.

    Poses are those at the start, where all joint coordinates are zero."""
    name: str
    parent: int        # its number among the links, from 1; 0 is the ground; parents come first
    kind: str          # "turn" or "slide"
    pose: Pose         # in global axes
    on_parent: Pose    # in the frame of its parent
    rate: float        # of the joint, at the start
    acceleration: float
    mass: float = 0.0
    centre: np.ndarray = field(default_factory=lambda: np.zeros(3))      # of mass, in its frame
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))  # about the centre, in its frame
    velocity: np.ndarray = field(default_factory=lambda: np.zeros(3))    # of the centre, in global axes
    omega: np.ndarray = field(default_factory=lambda: np.zeros(3))       # in global axes


@dataclass
class Loop:
    """Two points that stay together: the numbers of their links, and the points in the frames of these."""
    i: int
    j: int
    at_i: np.ndarray
    at_j: np.ndarray


@dataclass
class Spring(Loop):
    stiffness: float
    damping: float
    free_length: float


class Mechanism:
    def __init__(self, text):
        self.id, self.name, self.end, self.own = text["id"], text["name"], text["end"], text["own"]
        self.planar = text["dim"] == 2
        self.gravity = np.array(text["gravity"])
        self.expected, self.expected_within = np.array(text["expected"]), text["expected_within"]
        self._bodies = {b["name"]: b for b in text["bodies"]}
        self._start = {name: Pose(np.array(b["at"]), rotation(b["turn"])) for name, b in self._bodies.items()}
        self._start[GROUND] = still()
        self.links, self.loops = [], []
        self._number = {}
        self._weld(text["joints"])
        self._grow([j for j in text["joints"] if j["allows"] != "fixed"])
        self.springs = [Spring(*self._ends(s), s["stiffness"], s["damping"], s["free_length"])
                        for s in text["springs"]]
        # The watched point is the centre of a body, which may be part of a link.
        self.watched = self._number[self._group[text["watched"]]]
        link = self.links[self.watched - 1]
        self.watched_point = link.pose.inverse().point(self._start[text["watched"]].at)
        turn = self._start[text["watched"]].turn
        self.watched_angle = np.arctan2(turn[1, 0], turn[0, 0])

    def _weld(self, joints):
        """Bodies on fixed joints belong together, by the name of the first."""
        self._group = {name: name for name in self._start}
        for joint in joints:
            if joint["allows"] == "fixed":
                keep, drop = self._group[joint["i"]["body"]], self._group[joint["j"]["body"]]
                for name, group in self._group.items():
                    if group == drop:
                        self._group[name] = keep

    def _frame(self, marker):
        """The frame of a marker at the start, in global axes."""
        return self._start[marker["body"]] @ Pose(np.array(marker["at"]), rotation(marker["turn"]))

    def _grow(self, joints):
        """The search goes breadth first from the ground; a link that is reached twice closes a loop."""
        self._number[self._group[GROUND]] = 0
        queue, used = [self._group[GROUND]], set()
        for near in queue:
            for joint in joints:
                groups = [self._group[joint[side]["body"]] for side in "ij"]
                if joint["name"] in used or near not in groups:
                    continue
                used.add(joint["name"])
                side = "j" if groups[0] == near else "i"
                far = self._group[joint[side]["body"]]
                if far in self._number:
                    assert joint["allows"] == "turn", "loops are closed by pins only"
                    self.loops.append(Loop(*self._ends(joint)))
                    continue
                self._number[far] = len(self.links) + 1
                self.links.append(self._link(far, near, joint, side))
                queue.append(far)

    def _motion(self, body, point):
        """Velocity and acceleration of a point of a body, angular velocity and acceleration, in global axes."""
        if body == GROUND:
            return [np.zeros(3)] * 4
        b, pose = self._bodies[body], self._start[body]
        w, alpha = pose.turn @ b["omega"], pose.turn @ b["alpha"]
        arm = point - pose.at
        v = b["velocity"] + np.cross(w, arm)
        return v, b["acceleration"] + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm)), w, alpha

    def _link(self, far, near, joint, side):
        pose = self._frame(joint[side])
        if joint["allows"] == "slide":
            pose = Pose(pose.at, pose.turn @ X_TO_Z)
        parent = self._number[near]
        base = self.links[parent - 1].pose if parent else still()
        axis = pose.turn[:, 2]
        other = "i" if side == "j" else "j"
        rate, acceleration = relative(joint["allows"], axis, self._motion(joint[side]["body"], pose.at),
                                      self._motion(joint[other]["body"], pose.at))
        link = Link(far, parent, joint["allows"], pose, base.inverse() @ pose, rate, acceleration)
        self._weigh(link)
        return link

    def _weigh(self, link):
        """Mass, centre and inertia of the bodies of a link, by the theorem of parallel axes."""
        parts = [self._bodies[name] for name, group in self._group.items() if group == link.name]
        link.mass = sum(b["mass"] for b in parts)
        centre = sum(b["mass"] * np.array(b["at"]) for b in parts) / link.mass
        total = np.zeros((3, 3))
        for b in parts:
            A, arm = rotation(b["turn"]), across(np.array(b["at"]) - centre)
            total += A @ np.array(b["inertia"]) @ A.T - b["mass"] * arm @ arm
        link.centre = link.pose.inverse().point(centre)
        link.inertia = link.pose.turn.T @ total @ link.pose.turn
        link.velocity, _, link.omega, _ = self._motion(link.name, centre)

    def _ends(self, element):
        """The links of the two markers of an element, and its points on them."""
        numbers = [self._number[self._group[element[side]["body"]]] for side in "ij"]
        points = [self._frame(element[side]).at for side in "ij"]
        poses = [self.links[n - 1].pose if n else still() for n in numbers]
        return [*numbers, *(pose.inverse().point(at) for pose, at in zip(poses, points))]

    @property
    def rates(self):
        return np.array([link.rate for link in self.links])

    @property
    def accelerations(self):
        """Those of the joints at the start, by mubody."""
        return np.array([link.acceleration for link in self.links])

    def gap(self, where):
        """The largest distance between the points of a loop; `where` gives the position of a point of a link."""
        return max((float(np.linalg.norm(where(loop.i, loop.at_i) - where(loop.j, loop.at_j))) for loop in self.loops),
                   default=0.0)

    def error(self, angle, point):
        """How far the watched body is from where it should be, by its angle or its position."""
        return float(abs(angle - self.expected[0]) if self.planar else np.linalg.norm(point - self.expected))

    def off(self, accelerations):
        """The largest difference of the accelerations of joints at the start from those of mubody, of the largest of them."""
        ours = self.accelerations
        return float(np.abs(np.asarray(accelerations) - ours).max() / max(np.abs(ours).max(), 1.0))


def read(text):
    """All mechanisms, and the settings that the comparison in C++ has too."""
    whole = json.loads(text)
    return [Mechanism(one) for one in whole["problems"]], whole["step"], whole["between_looks"]
