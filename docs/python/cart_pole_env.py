"""A pole on a cart as an environment of Gymnasium: an agent pushes the cart, and the pole shall not fall.

    env = CartPole()
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
"""
import gymnasium
import numpy as np

import mubody as mb

STATE = ["rail.slide", "pin.angle", "rail.slide_rate", "pin.angle_rate"]


def model(slide=0.0, angle=0.0):
    """The mechanism with its start: how far the cart is from the middle [m], and how far the pole leans [rad]."""
    m = mb.Model("cart_pole", gravity=(0, -9.81))
    cart = m.body("cart", mass=1, inertia=1, position=(slide, 0))
    pole = m.body("pole", mass=0.1, inertia=0.1 / 12, angle=angle,
                  position=(slide - 0.5 * np.sin(angle), 0.5 * np.cos(angle)))
    m.joint("rail", mb.Translational(m.ground.at(0, 0, axis=(1, 0)), cart.at(0, 0)))
    m.joint("pin", mb.Revolute(cart.at(0, 0), pole.at(0, -0.5)))
    m.push("motor", cart)
    return m


class CartPole(gymnasium.Env):
    """Reward 1 for every 20 ms that the pole stands and the cart is on the rail."""

    metadata = {"render_modes": []}
    dt, longest = 0.02, 500
    far, tilt = 2.4, 0.2  # [m], [rad]

    def __init__(self):
        limit = np.array([2 * self.far, 2 * self.tilt, np.inf, np.inf], np.float32)
        self.observation_space = gymnasium.spaces.Box(-limit, limit, dtype=np.float32)
        self.action_space = gymnasium.spaces.Box(-10.0, 10.0, (1,), np.float32)
        self.sim, self.steps = None, 0

    def _state(self):
        return np.array([self.sim[name] for name in STATE], np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        slide, angle = self.np_random.uniform(-0.05, 0.05, 2)
        self.sim, self.steps = model(slide, angle).simulation(rtol=1e-6), 0
        return self._state(), {}

    def step(self, action):
        self.sim["motor.force.x"] = float(np.clip(action, -10, 10)[0])
        self.sim.advance(self.dt)
        self.steps += 1
        state = self._state()
        fallen = bool(abs(state[0]) > self.far or abs(state[1]) > self.tilt)
        return state, 1.0, fallen, self.steps >= self.longest, {}
