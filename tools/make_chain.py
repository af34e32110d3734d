#!/usr/bin/env python3
"""Writes a model of N bodies to standard output, to see how reading and checking grow with N.

usage: make_chain.py chain|ring|springs|space N

  chain    rods in the plane, each pinned to the one before
  ring     rods in the plane, pinned to a closed polygon that hangs on one pin
  springs  masses in the plane, each on its own spring
  space    rods in space, joined in turn by balls and by pins
"""
import math
import sys


def chain(n):
    yield "gravity = [0, -9.81]\n[bodies]\n"
    for k in range(n):
        yield f"b{k} = {{mass = 1, inertia = 0.1, position = [{k + 0.5}, 0]}}\n"
    yield "[joints]\n"
    for k in range(n):
        before = f"b{k - 1}" if k else "ground"
        yield f'j{k} = {{type = "revolute", bodies = ["{before}", "b{k}"], at = [{k}, 0]}}\n'


def ring(n):
    radius = 0.5 / math.sin(math.pi / n)

    def corner(k):
        turn = 2 * math.pi * k / n
        return radius * math.cos(turn), radius * math.sin(turn)

    yield "gravity = [0, -9.81]\n[bodies]\n"
    for k in range(n):
        (x, y), (v, w) = corner(k), corner(k + 1)
        angle = math.atan2(w - y, v - x)
        yield (f"b{k} = {{mass = 1, inertia = 0.1, position = [{(x + v) / 2:.3f}, {(y + w) / 2:.3f}], "
               f"angle = {angle:.5f}}}\n")
    yield "[joints]\n"
    x, y = corner(0)
    yield f'hook = {{type = "revolute", bodies = ["ground", "b0"], at = [{x:.3f}, {y:.3f}]}}\n'
    for k in range(n):
        x, y = corner(k + 1)
        yield f'j{k} = {{type = "revolute", bodies = ["b{k}", "b{(k + 1) % n}"], at = [{x:.3f}, {y:.3f}]}}\n'


def springs(n):
    yield "gravity = [0, -9.81]\n[bodies]\n"
    for k in range(n):
        yield f"b{k} = {{mass = 1, inertia = 0.1, position = [{k}, 0]}}\n"
    yield "[forces]\n"
    for k in range(n):
        yield f'f{k} = {{type = "spring", bodies = ["ground", "b{k}"], i = [{k}, 1], stiffness = 100}}\n'


def space(n):
    yield "gravity = [0, 0, -9.81]\n[bodies]\n"
    for k in range(n):
        yield f"b{k} = {{mass = 1, inertia = [0.1, 0.1, 0.1], position = [{k + 0.5}, 0, 0]}}\n"
    yield "[joints]\n"
    for k in range(n):
        before = f"b{k - 1}" if k else "ground"
        kind = 'type = "spherical"' if k % 2 else 'type = "revolute", axis = [0, 1, 0]'
        yield f'j{k} = {{{kind}, bodies = ["{before}", "b{k}"], at = [{k}, 0, 0]}}\n'


def main():
    kinds = {"chain": chain, "ring": ring, "springs": springs, "space": space}
    if len(sys.argv) != 3 or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    # Files are read up to a size, so that blanks are saved.
    for line in kinds[sys.argv[1]](int(sys.argv[2])):
        sys.stdout.write(line.replace(" ", ""))


if __name__ == "__main__":
    main()
