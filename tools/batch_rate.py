#!/usr/bin/env python3
"""Simulated steps per second of 4096 cart-poles on a graphics processor, with a controller in CuPy and one in PyTorch.

    PYTHONPATH=build/python tools/batch_rate.py [COUNT]
"""
import sys
import time

import mubody as mb

STATE = ["rail.slide", "pin.angle", "rail.slide_rate", "pin.angle_rate"]
GAINS = [[1.0], [-40.0], [2.0], [-8.0]]


def model():
    m = mb.Model("cart_pole", gravity=(0, -9.81))
    cart = m.body("cart", mass=1, inertia=1)
    pole = m.body("pole", mass=0.1, inertia=0.1 / 12, angle=0.05, position=(-0.5 * 0.04997916927067833, 0.5 * 0.9987502603949663))
    m.joint("rail", mb.Translational(m.ground.at(0, 0, axis=(1, 0)), cart.at(0, 0)))
    m.joint("pin", mb.Revolute(cart.at(0, 0), pole.at(0, -0.5)))
    m.push("motor", cart)
    return m


def rate(batch, control, synchronize, steps, calls=2000, h=1e-3):
    for _ in range(50):
        batch.advance(steps * h, control())
    synchronize()
    begun = time.perf_counter()
    for _ in range(calls):
        batch.advance(steps * h, control())
    synchronize()
    return len(batch) * steps * calls / (time.perf_counter() - begun)


def controllers(batch):
    y = batch.outputs
    try:
        import cupy
        seen, gains = cupy.asarray(y), cupy.asarray(GAINS)
        assert seen.data.ptr == y.__cuda_array_interface__["data"][0]
        force = cupy.empty((len(batch), 1))
        yield "CuPy", lambda: cupy.matmul(seen, gains, out=force), cupy.cuda.Device().synchronize, lambda: cupy.asnumpy(seen)
    except ImportError as missing:
        print("no CuPy:", missing)
    try:
        import torch
        there = torch.as_tensor(y, device="cuda")
        packed = torch.from_dlpack(y)
        assert there.data_ptr() == packed.data_ptr() == y.__cuda_array_interface__["data"][0]
        weights = torch.tensor(GAINS, dtype=torch.float64, device="cuda")
        pushes = torch.empty((len(batch), 1), dtype=torch.float64, device="cuda")
        yield "PyTorch", lambda: torch.matmul(there, weights, out=pushes), torch.cuda.synchronize, lambda: there.cpu().numpy()
    except ImportError as missing:
        print("no PyTorch:", missing)


def main(count):
    batch = mb.Batch(model(), count, inputs=["motor.force.x"], outputs=STATE, device="cuda", step=1e-3)
    for name, control, synchronize, numbers in controllers(batch):
        for steps in (1, 10):
            batch.reset()
            found = rate(batch, control, synchronize, steps)
            print(f"{name}, {count} cart-poles, {steps} step(s) of rk4 for each decision: {found / 1e6:.4g} million steps per second,"
                  f" pole at {abs(numbers()[:, 1]).max():.2e} rad, {int(batch.failed.sum())} failed", flush=True)
    # One simulation of the library with the same controller, sampled in the same way.
    batch.reset()
    alone = model().simulation(integrator="rk4", step=1e-3)
    name, control, synchronize, numbers = next(controllers(batch))
    for _ in range(200):
        batch.advance(1e-3, control())
        alone["motor.force.x"] = sum(alone[s] * g[0] for s, g in zip(STATE, GAINS))
        alone.advance(1e-3)
    worst = max(abs(numbers()[:, k] - alone[s]).max() for k, s in enumerate(STATE))
    print(f"after 200 steps it differs from a single simulation by {worst:.2e}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4096)
