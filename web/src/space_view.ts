// The mechanism in space: drag to turn, wheel to zoom, right button to move.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import type { ArrowKind } from "./arrows";
import { between, type Vec3 } from "./data";
import { h } from "./dom";
import { exaggerated } from "./exaggerate";
import { number, roundBelow, shortened } from "./format";
import type { Motion, Pose } from "./motion";
import { SpaceArrow, SpaceMoment, solidOf, tieOf, vector } from "./space_shapes";
import { colours, onPaper, onTheme, seriesColour } from "./theme";
import { arrowKinds, ArrowScale, families, massCentre, pathOf, tracersOf, type MakeView, type View } from "./view";

const mostNames = 40;

/** What a page needs that puts handles of its own into the view. */
export interface SpaceParts {
  world: THREE.Scene;
  camera: THREE.PerspectiveCamera;
  orbit: OrbitControls;
}
export type SpaceView = View & { parts?: SpaceParts };

export const spaceView = (...[report, motion, channels, arrows, settings]: Parameters<MakeView>): SpaceView => {
  const element = h("div", { class: "stage" });
  let renderer: THREE.WebGLRenderer;
  try {
    // The drawing is kept so that it can be printed.
    renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  } catch {
    element.append(h("p", { class: "note" }, "This browser cannot draw in space (it has no WebGL). The plots and tables below are complete."));
    return { element, draw: () => {}, fit: () => {}, renew: () => {}, follow: () => {}, outlook: () => [], lookFrom: () => {} };
  }
  const canvas = renderer.domElement;
  canvas.tabIndex = 0;
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${report.summary.model}: the mechanism in space, animated`);
  canvas.title = "drag to turn, wheel to zoom (click first), right button to move";
  const labels = h("div", { class: "labels", "aria-hidden": "true" });
  const legend = h("div", { class: "legend" });
  element.append(canvas, labels, legend);

  const { scene } = motion;
  const { low, high } = motion.extent();
  const middle = vector(low).add(vector(high)).multiplyScalar(0.5);
  const size = Math.max(vector(high).sub(vector(low)).length(), 1e-9);
  const r = 0.011 * size;
  const scales = new ArrowScale(arrows, motion, size * 0.8);
  const world = new THREE.Scene();
  const camera = new THREE.PerspectiveCamera(35, 1, size / 100, size * 100);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.enableZoom = false;
  controls.enableDamping = false;
  canvas.addEventListener("focus", () => (controls.enableZoom = true));
  canvas.addEventListener("blur", () => (controls.enableZoom = false));

  const sky = new THREE.HemisphereLight(0xffffff, 0x8899aa, 1.7);
  sky.position.set(0, 0, 1);
  const sun = new THREE.DirectionalLight(0xffffff, 1.6);
  sun.position.set(0.6, -1, 1.6);
  world.add(sky, sun);

  const steel = new THREE.MeshStandardMaterial({ roughness: 0.55, metalness: 0.1 });
  const groundMaterial = new THREE.MeshStandardMaterial({ roughness: 0.8 });
  const paint = (k: number) => scene.bodies[k]?.colour ?? seriesColour(k);
  const materials = scene.bodies.map(() => new THREE.MeshStandardMaterial({ roughness: 0.5, metalness: 0.05 }));

  const bodies = scene.bodies.map((body, k) => {
    const group = new THREE.Group();
    for (const shape of body.shapes) group.add(solidOf(shape, r, materials[k], steel));
    group.matrixAutoUpdate = false;
    world.add(group);
    return group;
  });
  for (const shape of scene.ground) world.add(solidOf(shape, r, groundMaterial, groundMaterial));
  const ties = scene.ties.map((tie) => {
    const solid = tieOf(tie, r, steel, groundMaterial);
    world.add(solid.object);
    return { tie, solid };
  });

  // The floor lies below everything.
  const floor = new THREE.Group();
  const cell = roundBelow(size / 6);
  const across = Math.max(4, Math.ceil((1.6 * size) / cell / 2) * 2);
  let grid = new THREE.GridHelper(cell * across, across);
  grid.rotation.x = Math.PI / 2;
  floor.add(grid);
  floor.position.set(Math.round(middle.x / cell) * cell, Math.round(middle.y / cell) * cell, low[2] - 0.04 * size);
  world.add(floor);

  const axes = new THREE.Group();
  (["#d64545", "#3c9a4e", "#3d74d6"] as const).forEach((colour, k) => {
    const arrow = new SpaceArrow(r * 0.6, new THREE.MeshBasicMaterial({ color: colour }));
    arrow.set([0, 0, 0], [0, 1, 2].map((a) => (a === k ? 0.09 * size : 0)) as Vec3);
    axes.add(arrow.object);
  });
  world.add(axes);

  const arrowMaterials = Object.fromEntries(arrowKinds.map(({ kind }) => [kind, new THREE.MeshBasicMaterial()])) as Record<ArrowKind, THREE.MeshBasicMaterial>;
  const shown = arrows.map((arrow) => {
    const solid = arrow.moment ? new SpaceMoment(r * 0.8, arrowMaterials[arrow.kind]) : new SpaceArrow(r * 0.8, arrowMaterials[arrow.kind]);
    world.add(solid.object);
    return { arrow, solid };
  });
  const centre = massCentre(channels);
  const centreBall = new THREE.Mesh(new THREE.SphereGeometry(r * 1.6, 20, 14), new THREE.MeshBasicMaterial());
  world.add(centreBall);

  const traces = new Map<string, THREE.Line>();
  const tracers = tracersOf(motion);
  function trace(name: string): THREE.Line | undefined {
    const there = traces.get(name);
    if (there) return there;
    const tracer = tracers.find((t) => t.name === name);
    if (!tracer) return undefined;
    const points = pathOf(tracer, motion.times.length).filter((p) => p.every(Number.isFinite)).map(vector);
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color: paint(tracer.body - 1) }));
    line.frustumCulled = false;
    traces.set(name, line);
    world.add(line);
    return line;
  }

  function colour() {
    const palette = colours();
    world.background = new THREE.Color(palette.panel);
    materials.forEach((m, k) => m.color.set(paint(k)));
    bodies.forEach((group, k) => group.traverse((o) => {
      const m = (o as THREE.Mesh).material as THREE.MeshStandardMaterial | undefined;
      if (m && m.transparent) m.color.set(paint(k));
    }));
    steel.color.set(palette.dark ? "#aeb7c4" : "#4b5563");
    groundMaterial.color.set(palette.dark ? "#6b7686" : "#9aa3af");
    for (const { kind } of arrowKinds) arrowMaterials[kind].color.set(palette[kind]);
    (centreBall.material as THREE.MeshBasicMaterial).color.set(palette.ink);
    floor.remove(grid);
    grid.dispose();
    grid = new THREE.GridHelper(cell * across, across, palette.line, palette.line);
    grid.rotation.x = Math.PI / 2;
    floor.add(grid);
  }

  function drawLegend() {
    const lines: Node[] = [h("div", {}, `grid ${number(cell, 2)} m · axes x red, y green, z blue`)];
    for (const { kind, moment, label } of families) {
      const sample = settings.arrows[kind] ? scales.legend(kind, moment, settings.arrowSize) : undefined;
      if (sample) lines.unshift(h("div", {}, h("i", { class: `key ${kind}` }), `${label}: ${number(sample.length / cell, 2)} cells = ${sample.text}`));
    }
    if (settings.exaggerate !== 1) lines.unshift(h("div", {}, `deflections drawn × ${number(settings.exaggerate)}`));
    legend.replaceChildren(...lines);
  }

  function drawLabels(row: number) {
    labels.hidden = !settings.names || scene.bodies.length > mostNames;
    if (labels.hidden) return;
    if (!labels.childElementCount)
      labels.append(...scene.bodies.map((b) => h("span", {}, shortened(b.name, 24))));
    const [w, t] = [element.clientWidth, element.clientHeight];
    // Names that would overlap are put one below the other.
    const taken: [number, number, number][] = [];
    scene.bodies.forEach((_, k) => {
      const p = vector(motion.pose(k + 1, row).x).project(camera);
      const span = labels.children[k] as HTMLElement;
      const [x, width] = [((p.x + 1) / 2) * w + 8, span.offsetWidth];
      let y = ((1 - p.y) / 2) * t - 8;
      for (let tries = 0; tries < 6 && taken.some(([a, b, l]) => Math.abs(b - y) < 15 && x < a + l && a < x + width); ++tries) y += 15;
      taken.push([x, y, width]);
      span.style.transform = `translate(${x}px, ${y}px)`;
      span.style.color = paint(k);
    });
  }

  // Bodies whose pins have play are rebuilt while the play is enlarged; nothing else changes its shape.
  const playing = new Set(scene.gaps.flatMap((g) => [g.i.body, g.j.body]).filter((body) => body > 0));
  let enlarged = 1;
  function reshape(row: number) {
    if (!playing.size || (settings.exaggerate === 1 && enlarged === 1)) return;
    enlarged = settings.exaggerate;
    const now = exaggerated(scene, motion, row, enlarged);
    for (const body of playing) {
      const group = bodies[body - 1];
      group.traverse((o) => (o as THREE.Mesh).geometry?.dispose());
      group.clear();
      for (const shape of now.bodies[body - 1].shapes) group.add(solidOf(shape, r, materials[body - 1], steel));
    }
    ties.forEach((t, k) => (t.tie = now.ties[k]));
  }

  /** The mechanism at rest behind a mode, and other motions, drawn faintly. */
  const ghosts = new THREE.Group();
  const haze = new THREE.MeshStandardMaterial({ transparent: true, opacity: 0.16, depthWrite: false, color: "#8a94a3" });
  world.add(ghosts);
  let moving: { ghost: THREE.Object3D; other: Motion; body: number }[] = [];
  const put = (object: THREE.Object3D, { x, turned: A }: Pose) => {
    object.matrix.set(...A[0], x[0], ...A[1], x[1], ...A[2], x[2], 0, 0, 0, 1);
    object.matrixWorldNeedsUpdate = true;
  };
  function placeGhosts() {
    ghosts.clear();
    moving = [];
    motion.rest?.slice(1).forEach((pose, k) => {
      const ghost = bodies[k].clone();
      ghost.traverse((o) => (o as THREE.Mesh).isMesh && ((o as THREE.Mesh).material = haze));
      put(ghost, pose);
      ghosts.add(ghost);
    });
    for (const other of motion.others)
      other.scene.bodies.forEach((body, k) => {
        if (!other.knows(k + 1)) return;
        const ghost = new THREE.Group();
        for (const shape of body.shapes) ghost.add(solidOf(shape, r, haze, haze));
        ghost.matrixAutoUpdate = false;
        ghosts.add(ghost);
        moving.push({ ghost, other, body: k + 1 });
      });
  }

  function renew() {
    for (const line of traces.values()) world.remove(line);
    traces.clear();
    placeGhosts();
  }

  let current = 0;
  let legendOf = "";
  function draw(row: number) {
    current = row;
    bodies.forEach((group, k) => {
      const pose = motion.pose(k + 1, row);
      group.visible = pose.x.every(Number.isFinite);
      put(group, pose);
    });
    const t = moving.length ? between(motion.times, row) : 0;
    for (const { ghost, other, body } of moving) put(ghost, other.pose(body, other.rowOf(t)));
    reshape(row);
    for (const { tie, solid } of ties) solid.set(motion.at(tie.i, row), motion.at(tie.j, row));
    const factors = new Map(families.map(({ kind, moment }) => [`${kind} ${moment}`, settings.arrows[kind] ? scales.factor(kind, moment, settings.arrowSize) : 0]));
    for (const { arrow, solid } of shown) {
      const factor = factors.get(`${arrow.kind} ${arrow.moment}`);
      if (factor) {
        const { v, cut } = scales.drawn(arrow.vector(row), arrow.moment, factor);
        solid.set(arrow.at(row, settings.exaggerate), v, cut);
      } else solid.object.visible = false;
    }
    centreBall.visible = settings.centre && centre !== undefined;
    if (centreBall.visible) centreBall.position.copy(vector(centre!(row)));
    for (const name of settings.traces) trace(name);
    for (const [name, line] of traces) line.visible = settings.traces.has(name);
    const key = JSON.stringify([settings.arrows, settings.arrowSize, settings.exaggerate]);
    if (key !== legendOf) (legendOf = key), drawLegend();
    renderer.render(world, camera);
    drawLabels(row);
  }

  /** Moves the camera as near as the corners of the whole motion allow. */
  function fit() {
    const toward = new THREE.Vector3(0.72, -1, 0.55).normalize();
    const right = new THREE.Vector3().crossVectors(camera.up, toward).normalize();
    const upward = new THREE.Vector3().crossVectors(toward, right);
    const slope = 0.84 * Math.tan((camera.fov * Math.PI) / 360);
    let distance = 0.2 * size;
    for (let k = 0; k < 8; ++k) {
      const corner = new THREE.Vector3(...[0, 1, 2].map((a) => (k & (1 << a) ? high : low)[a])).sub(middle);
      const reach = Math.max(Math.abs(corner.dot(upward)) / slope, Math.abs(corner.dot(right)) / (slope * camera.aspect));
      distance = Math.max(distance, corner.dot(toward) + reach);
    }
    camera.position.copy(middle).addScaledVector(toward, distance);
    controls.target.copy(middle);
    touched = false;
    controls.update();
    draw(current);
  }

  /** The camera and the floor go where the point goes; the floor in whole cells, so that it seems to stay. */
  let beside = vector(motion.pose(1, 0).x).setZ(0);
  function follow(at: Vec3) {
    const here = vector(at).setZ(0);
    const moved = here.clone().sub(beside);
    camera.position.add(moved);
    controls.target.add(moved);
    beside = here;
    floor.position.setX(Math.round(here.x / cell) * cell).setY(Math.round(here.y / cell) * cell);
    controls.update();
  }

  let touched = false;
  controls.addEventListener("start", () => (touched = true));
  controls.addEventListener("change", () => draw(current));
  function resize() {
    const [w, t] = [element.clientWidth, element.clientHeight];
    if (!w || !t) return;
    renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    renderer.setSize(w, t, false);
    camera.aspect = w / t;
    camera.updateProjectionMatrix();
    if (touched) draw(current);
    else fit();
  }
  new ResizeObserver(resize).observe(element);
  onPaper(resize, element);
  colour();
  onTheme(() => (colour(), draw(current)), element);
  const outlook = () => (touched ? [...camera.position.toArray(), ...controls.target.toArray()] : []);
  function lookFrom(from: number[]) {
    if (from.length !== 6) return;
    touched = true;
    camera.position.fromArray(from);
    controls.target.fromArray(from, 3);
    controls.update();
    draw(current);
  }
  const close = () => (controls.dispose(), renderer.dispose(), renderer.forceContextLoss());
  return { element, canvas, draw, fit, renew, follow, outlook, lookFrom, close, parts: { world, camera, orbit: controls } };
};
