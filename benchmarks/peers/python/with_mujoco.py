"""MuJoCo: a tree of hinges and slides; loops are closed by soft constraints, springs are tendons between two points."""
import mujoco
import numpy as np
from mechanism import quaternion
from peer import fastest, in_looks

NAME, VERSION = "MuJoCo", mujoco.__version__


def numbers(*values):
    return " ".join(repr(float(x)) for value in values for x in np.ravel(value))


def inertia(A):
    return numbers(A[0, 0], A[1, 1], A[2, 2], A[0, 1], A[0, 2], A[1, 2])


def sites_of(m):
    """The ends of springs: per link, what is written into its body."""
    found = {}
    for k, spring in enumerate(m.springs):
        for side, link, at in (("i", spring.i, spring.at_i), ("j", spring.j, spring.at_j)):
            found.setdefault(link, []).append(f"<site name='{side}{k}' pos='{numbers(at)}'/>")
    return found


def body(m, number, sites):
    link = m.links[number - 1]
    kind = "hinge" if link.kind == "turn" else "slide"
    inner = "".join(body(m, k, sites) for k, other in enumerate(m.links, 1) if other.parent == number)
    return (f"<body name='b{number}' pos='{numbers(link.on_parent.at)}' quat='{numbers(quaternion(link.on_parent.turn))}'>"
            f"<inertial pos='{numbers(link.centre)}' mass='{link.mass!r}' fullinertia='{inertia(link.inertia)}'/>"
            f"<joint name='j{number}' type='{kind}' axis='0 0 1'/>{''.join(sites.get(number, []))}{inner}</body>")


def connect(loop, softness):
    """The first body of a loop must not be the ground."""
    first, at, second = (loop.i, loop.at_i, loop.j) if loop.i else (loop.j, loop.at_j, loop.i)
    other = f"body2='b{second}'" if second else ""
    return f"<connect body1='b{first}' {other} anchor='{numbers(at)}' {softness}/>"


def model_of(m, step, integrator, softness):
    sites = sites_of(m)
    trees = "".join(body(m, k, sites) for k, link in enumerate(m.links, 1) if link.parent == 0)
    tendons = "".join(
        f"<spatial stiffness='{s.stiffness!r}' damping='{s.damping!r}' springlength='{s.free_length!r}'>"
        f"<site site='i{k}'/><site site='j{k}'/></spatial>" for k, s in enumerate(m.springs))
    return mujoco.MjModel.from_xml_string(
        f"<mujoco><compiler angle='radian' boundmass='0'/><option timestep='{step!r}' gravity='{numbers(m.gravity)}' "
        f"integrator='{integrator}' tolerance='1e-14' iterations='100'/>"
        f"<worldbody>{''.join(sites.get(0, []))}{trees}</worldbody><tendon>{tendons}</tendon>"
        f"<equality>{''.join(connect(loop, softness) for loop in m.loops)}</equality></mujoco>")


def run(m, step, between, integrator, softness=""):
    model = model_of(m, step, integrator, softness)
    data = mujoco.MjData(model)
    order = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, f"b{k}") for k in range(1, len(m.links) + 1)]
    joint = [int(model.body_dofadr[b]) for b in order]
    data.qvel[joint] = m.rates
    start = data.qpos.copy(), data.qvel.copy()
    mujoco.mj_forward(model, data)
    off = m.off(data.qacc[joint])

    def where(link, at):
        return data.xpos[order[link - 1]] + data.xmat[order[link - 1]].reshape(3, 3) @ at if link else at

    def nudged():
        data.qpos[0] += 1e-12  # so that no two evaluations are the same
        mujoco.mj_forward(model, data)

    one = fastest(nudged)
    mujoco.mj_resetData(model, data)
    data.qpos[:], data.qvel[:] = start

    def advance(begin, end):
        mujoco.mj_step(model, data, round((end - begin) / step))
        mujoco.mj_kinematics(model, data)

    found = in_looks(m, between, advance, where, lambda: data.qpos[joint[m.watched - 1]])
    if data.warning.number.any():
        raise RuntimeError("it warns of numbers without bounds, and starts anew")
    found.right_hand_side, found.off = one, off
    return found


def methods(m, step, between):
    if m.springs:
        fine = step / 20
        return {f"RK4, {1e3 * fine:g} ms": lambda: run(m, fine, between, "RK4"),
                f"implicitfast, {1e3 * step / 10:g} ms": lambda: run(m, step / 10, between, "implicitfast"),
                f"as it comes, {1e3 * step:g} ms": lambda: run(m, step, between, "Euler")}
    stiff = "solref='0.002 1' solimp='0.9999 0.9999 0.001'"  # as stiff as steps of 1 ms allow
    return {f"RK4, {1e3 * step:g} ms, stiff": lambda: run(m, step, between, "RK4", stiff),
            f"as it comes, {1e3 * step:g} ms": lambda: run(m, step, between, "Euler")}
