"""Thousands of poles on carts as one vector environment of Gymnasium, on a graphics processor.

    envs = CartPoles(4096, device="cuda")        # "compiled": the same on a core, with arrays of numpy
    observations, infos = envs.reset()
    observations, rewards, terminated, truncated, infos = envs.step(actions)

With "cuda" all arrays are those of CuPy and stay on the processor.
"""
import gymnasium
import numpy
from cart_pole_env import STATE, model

import mubody as mb


class CartPoles(gymnasium.vector.VectorEnv):
    """Reward 1 for every 20 ms that a pole stands and its cart is on the rail; whoever falls begins anew with the next step."""

    metadata = {"render_modes": [], "autoreset_mode": "next_step"}
    dt, longest = 0.02, 500
    far, tilt = 2.4, 0.2  # [m], [rad]

    def __init__(self, count, device="cuda"):
        self.num_envs = count
        self.batch = mb.Batch(model(0.02, 0.03), count, inputs=["motor.force.x"], outputs=STATE, device=device, step=2e-3)
        if device == "compiled":
            self.np, self.states = numpy, self.batch.outputs
        else:
            import cupy
            self.np, self.states = cupy, cupy.asarray(self.batch.outputs)
        limit = numpy.array([2 * self.far, 2 * self.tilt, numpy.inf, numpy.inf])
        self.single_observation_space = gymnasium.spaces.Box(-limit, limit, dtype=numpy.float64)
        self.single_action_space = gymnasium.spaces.Box(-10.0, 10.0, (1,), numpy.float64)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, count)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, count)
        self.steps, self.over = self.np.zeros(count, int), self.np.zeros(count, bool)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.batch.reset()
        self.steps[:], self.over[:] = 0, False
        return self.states.copy(), {}

    def step(self, actions):
        fresh = self.over.copy()
        self.batch.advance(self.dt, self.np.clip(self.np.asarray(actions), -10, 10))
        self.batch.reset(fresh)
        self.steps = self.np.where(fresh, 0, self.steps + 1)
        slide, angle = self.states[:, 0], self.states[:, 1]
        fallen = (self.np.abs(slide) > self.far) | ~(self.np.abs(angle) <= self.tilt)
        late = self.steps >= self.longest
        self.over = fallen | late
        return self.states.copy(), self.np.where(fresh, 0.0, 1.0), fallen, late, {}
