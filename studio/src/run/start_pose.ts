// The start of a model as a motion of one row, for views that show motions.
import { Channels, type Scene } from "../../../web/src/data";
import { Motion, partsOf } from "../../../web/src/motion";

/** `poses` has 3 numbers for each body in the plane, 7 in space, without the ground. */
export function startMotion(scene: Scene, poses: Float64Array): { motion: Motion; channels: Channels } {
  const parts = partsOf(scene);
  const channels = new Channels(Float64Array.of(0), []);
  scene.bodies.forEach((body, b) => parts.forEach((part, k) => channels.add("bodies", `${body.name}.${part}`, "", () => Float32Array.of(poses[b * parts.length + k] ?? 0))));
  return { motion: new Motion(scene, channels), channels };
}
