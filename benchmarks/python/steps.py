#!/usr/bin/env python3
"""What Python adds to the steps of simulations, beside the same in C++ on the same machine, which should be idle:

    PYTHONPATH=build/python benchmarks/python/steps.py build/bin/mubody_steps

The model is the example four_bar with a motor: one input, two outputs, steps of 1 ms by rk4.  All times are the least of
many rounds, C++ and Python in turn."""
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

import mubody as mb

DT, MANY = 1e-3, 64
MODEL = Path(__file__).resolve().parent.parent.parent / "examples/four_bar"


def least(work, rounds):
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    return best


def one(model, steps=1000):
    sim = model.simulation()

    def work():
        for _ in range(steps):
            sim["motor"] = -0.1 * (sim["crank.angle"] - 1) - 0.1 * sim["crank.omega"]
            sim.advance(DT)
    return 1e6 * least(work, 40) / steps


def batch(model, threads=1, steps=100):
    together = mb.Batch(model, MANY, inputs=["motor"], outputs=["crank.angle", "crank.omega"], threads=threads)
    y = [together.outputs]

    def work():
        for _ in range(steps):
            y[0] = together.advance(DT, -0.1 * (y[0][:, 0] - 1) - 0.1 * y[0][:, 1])
    return 1e6 * least(work, 20) / (steps * MANY)


def threads(model, count):
    sims = [model.simulation() for _ in range(count)]

    def work():
        all_ = [threading.Thread(target=sim.advance, args=(5,)) for sim in sims]
        for thread in all_:
            thread.start()
        for thread in all_:
            thread.join()
    return least(work, 10)


def main():
    model = mb.read(MODEL)
    model.torque("motor", model.ground, "crank")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.toml"
        model.save(file)
        found = []
        for _ in range(3):
            alone, in_turn = map(float, subprocess.check_output([sys.argv[1], str(file)], text=True).split())
            found.append((alone, one(model), in_turn, batch(model), batch(model, threads=2)))
    alone, python, in_turn, together, in_two = np.min(found, axis=0)
    print(f"one simulation     C++ {alone:.2f} us a step, Python {python:.2f}: {python - alone:.2f} more (3 at most)")
    print(f"{MANY} simulations     C++ {in_turn:.2f} us a step, Batch {together:.2f}: {together / in_turn:.3f} times (1.2 at most)")
    print(f"                   beside one simulation in C++: {together / alone:.3f} times; in two threads {in_two / in_turn:.3f}")
    single, double = (min(threads(model, n) for _ in range(3)) for n in (1, 2))
    print(f"two threads        {2 * single / double:.2f} times the speed of one (1.8 at least)")
    r = model.run(end=1, estimate=False)
    view = least(lambda: [r._core.column(0, 1) for _ in range(10000)], 10) / 10000
    print(f"a column as view   {1e6 * view:.2f} us")


if __name__ == "__main__":
    main()
