// What follows from the poses and velocities of a plane mechanism: instant centres, and angles of transmission.
import type { Channels, Scene, Vec3 } from "../../../web/src/data";
import { between } from "../../../web/src/data";
import type { Motion } from "../../../web/src/motion";

export interface PlaneVelocity {
  x: number;
  y: number;
  vx: number;
  vy: number;
  omega: number;
}

/** The point about which a body turns as seen from another one; nothing if it only slides. */
export function instantCentre(a: PlaneVelocity, b: PlaneVelocity, little = 1e-9): [number, number] | undefined {
  const w = a.omega - b.omega;
  if (!(Math.abs(w) > little)) return undefined;
  // v_a + ω_a × (p − a) = v_b + ω_b × (p − b), linear in p
  const ux = a.vx - b.vx + a.omega * a.y - b.omega * b.y;
  const uy = a.vy - b.vy - a.omega * a.x + b.omega * b.x;
  return [-uy / w, ux / w];
}

const ground: PlaneVelocity = { x: 0, y: 0, vx: 0, vy: 0, omega: 0 };

/** Where a body, counted from 1, is at a row and how it moves; 0 is the ground. */
export function velocityOf(channels: Channels, scene: Scene, body: number, row: number): PlaneVelocity | undefined {
  if (body === 0) return ground;
  const { name } = scene.bodies[body - 1];
  const numbers = ["x", "y", "vx", "vy", "omega"].map((part) => channels.get(`${name}.${part}`)?.values);
  if (!numbers.every((n) => n && n.length)) return undefined;
  const [x, y, vx, vy, omega] = numbers.map((n) => between(n!, row));
  return { x, y, vx, vy, omega };
}

/** The angle between two links at their common pin, in [0, π/2]: π/2 passes forces on best. */
export function transmissionAngle(pin: Vec3, a: Vec3, b: Vec3): number {
  const [ux, uy, vx, vy] = [a[0] - pin[0], a[1] - pin[1], b[0] - pin[0], b[1] - pin[1]];
  return Math.atan2(Math.abs(ux * vy - uy * vx), Math.abs(ux * vx + uy * vy));
}

interface Transmission {
  name: string;
  angle(motion: Motion, row: number): number;
}

/** Pins between a link that floats and one that is pinned to the ground and not driven: there forces are passed on. */
export function transmissions(scene: Scene): Transmission[] {
  if (scene.dim !== 2) return [];
  const pins = scene.joints.filter((j) => !j.driver && scene.joints.filter((k) => !k.driver).includes(j));
  const driven = new Set(scene.joints.filter((j) => j.driver).flatMap((j) => [j.i.body, j.j.body]));
  const of = (body: number) => pins.filter((j) => j.i.body === body || j.j.body === body);
  const onGround = (body: number) => of(body).find((j) => j.i.body === 0 || j.j.body === 0);
  const placeOn = (j: Scene["joints"][number], body: number) => (j.i.body === body ? j.i : j.j);
  return pins.flatMap((joint): Transmission[] => {
    const ends = [joint.i.body, joint.j.body];
    if (ends.includes(0)) return [];
    const follower = ends.find((b) => onGround(b) && !driven.has(b));
    const coupler = ends.find((b) => b !== follower);
    if (follower === undefined || coupler === undefined || onGround(coupler)) return [];
    const support = placeOn(onGround(follower)!, follower);
    const far = of(coupler).find((j) => j !== joint);
    if (!far) return [];
    const other = placeOn(far, coupler);
    return [{ name: joint.name, angle: (motion, row) => transmissionAngle(motion.at(joint.i, row), motion.at(other, row), motion.at(support, row)) }];
  });
}

/** Adds them to the channels, so that they can be plotted and saved as others. */
export function addMeasures(channels: Channels, scene: Scene, motion: Motion) {
  if (motion.times.length < 2) return;
  for (const { name, angle } of transmissions(scene))
    channels.add("measured", `${name}.transmission_angle`, "rad", () => Float32Array.from(motion.times, (_, row) => angle(motion, row)));
}
