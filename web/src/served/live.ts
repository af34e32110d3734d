// A motion that a running program streams, in place of the recorded one: ?live=NAME takes server-sent events from the page's own
// server.  An event is {"t": seconds, "bodies": [[x, y, z, e0, e1, e2, e3], ...], "note": text}; in the plane [x, y, angle].
import { planarPose, spatialPose, type Motion, type Pose } from "../motion";

/** What a program says at an instant. */
export interface LiveEvent {
  t: number;
  bodies: number[][];
  note?: string;
}

/** The address of the events; nothing if the page shows a recorded motion, or if they would come from elsewhere. */
export function liveAddress(page: string): string | undefined {
  const name = new URL(page).searchParams.get("live");
  if (!name || !URL.canParse(name, page)) return undefined;
  const address = new URL(name, page);
  return address.origin === new URL(page).origin && address.protocol.startsWith("http") ? address.href : undefined;
}

/** The poses of an event; nothing if it does not suit the scene. */
export function livePoses(event: LiveEvent, dim: number, bodies: number): Pose[] | undefined {
  const size = dim === 2 ? 3 : 7;
  if (!Array.isArray(event.bodies) || event.bodies.length !== bodies) return undefined;
  if (!event.bodies.every((b) => Array.isArray(b) && b.length === size && b.every(Number.isFinite))) return undefined;
  return event.bodies.map((b) => (dim === 2 ? planarPose(b) : spatialPose(b)));
}

/** Shows the latest event whenever the page is drawn: a slow computer leaves some out. */
export function followLive(address: string, motion: Motion, show: (event: LiveEvent | undefined) => void) {
  const source = new EventSource(address);
  let latest: LiveEvent | undefined;
  const draw = () => {
    const event = latest!;
    latest = undefined;
    const poses = livePoses(event, motion.scene.dim, motion.scene.bodies.length);
    if (!poses) return;
    motion.live = poses;
    show(event);
  };
  source.onmessage = ({ data }) => {
    let event: LiveEvent;
    try {
      event = JSON.parse(data);
    } catch {
      return; // a number that is none, for example
    }
    if (!latest) requestAnimationFrame(draw);
    latest = event;
  };
  source.onerror = () => show(undefined);
}
