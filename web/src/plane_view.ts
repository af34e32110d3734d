// The mechanism in the plane, on a canvas: drag to move, wheel or pinch to zoom.
import { between, type Scene, type Vec3 } from "./data";
import { h } from "./dom";
import { number, roundBelow, shortened, ticksOf, unit } from "./format";
import { transformed, type Pose } from "./motion";
import { exaggerated } from "./exaggerate";
import { drawArrow, drawCentre, drawMoment, drawPin, drawShape, drawTie, type Pen, type Point, type Sheet } from "./plane_shapes";
import { SvgSheet } from "./save/svg_sheet";
import { colours, onPaper, onTheme, seriesColour } from "./theme";
import { ArrowScale, families, massCentre, pathOf, tracersOf, type MakeView } from "./view";

/** A link that is neither among the longest nor among the shortest [m]. */
function middleLink(scene: Scene): number {
  const lengths = scene.bodies.flatMap((b) => b.shapes).flatMap((s) =>
    s.type === "link" ? [Math.hypot(...s.points[0].map((v, k) => v - s.points[s.points.length - 1][k]))] : []);
  lengths.sort((a, b) => a - b);
  return lengths.length ? lengths[lengths.length >> 1] : Infinity;
}

export const planeView: MakeView = (report, motion, channels, arrows, settings) => {
  const { scene } = motion;
  const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": `${report.summary.model}: the mechanism, animated` });
  const element = h("div", { class: "stage" }, canvas);
  const context = canvas.getContext("2d")!;
  let c: Sheet = context;
  const { low, high } = motion.extent();
  const size = Math.max(high[0] - low[0], high[1] - low[1], 1e-9);
  const usualLink = middleLink(scene);
  const scales = new ArrowScale(arrows, motion, size);
  const centre = massCentre(channels);
  const tracers = tracersOf(motion);
  const paths = new Map<string, Vec3[]>();
  const colourOf = (body: number) => scene.bodies[body - 1]?.colour ?? seriesColour(body - 1);

  const hasBearing = new Set(scene.bodies.flatMap((b, k) => (b.shapes.some((s) => s.type === "disc" && s.bearing) ? [k] : [])));

  let [width, height] = [0, 0];
  let camera = { x: 0, y: 0, scale: 1 };
  let touched = false;
  let current = 0;

  const toPixels = (p: Vec3): Point => [width / 2 + (p[0] - camera.x) * camera.scale, height / 2 - (p[1] - camera.y) * camera.scale];

  function fit() {
    touched = false;
    const margin = Math.min(64, 0.14 * Math.min(width, height));
    const [w, t] = [Math.max(high[0] - low[0], size * 0.05), Math.max(high[1] - low[1], size * 0.05)];
    camera = {
      x: (low[0] + high[0]) / 2,
      y: (low[1] + high[1]) / 2,
      scale: Math.max(1e-12, Math.min((width - 2 * margin) / w, (height - 2 * margin) / t)),
    };
    draw(current);
  }

  function resize() {
    const ratio = devicePixelRatio || 1;
    [width, height] = [element.clientWidth, element.clientHeight];
    if (!width || !height) return;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (touched) draw(current);
    else fit();
  }

  function drawGrid(pen: Pen<Sheet>) {
    const about = Math.max(2, Math.round(width / 110));
    const { increment } = ticksOf(0, width / camera.scale, about);
    const [x0, y0] = [camera.x - width / 2 / camera.scale, camera.y - height / 2 / camera.scale];
    c.strokeStyle = pen.colours.line;
    c.lineWidth = 1;
    c.beginPath();
    for (let x = Math.ceil(x0 / increment) * increment; x < x0 + width / camera.scale; x += increment) {
      const px = Math.round(toPixels([x, 0, 0])[0]) + 0.5;
      c.moveTo(px, 0);
      c.lineTo(px, height);
    }
    for (let y = Math.ceil(y0 / increment) * increment; y < y0 + height / camera.scale; y += increment) {
      const py = Math.round(toPixels([0, y, 0])[1]) + 0.5;
      c.moveTo(0, py);
      c.lineTo(width, py);
    }
    c.stroke();
  }

  /** The scales of lengths and arrows, bottom left. */
  function drawLegend(pen: Pen<Sheet>) {
    const line = 22;
    let y = height - 16;
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    const text = (words: string, x: number) => {
      c.lineWidth = 4;
      c.strokeStyle = pen.colours.panel;
      c.strokeText(words, x, y);
      c.fillStyle = pen.colours.ink;
      c.fillText(words, x, y);
    };
    const metres = roundBelow(110 / camera.scale);
    const px = metres * camera.scale;
    c.strokeStyle = pen.colours.ink;
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(14, y - 4);
    c.lineTo(14, y + 4);
    c.moveTo(14, y);
    c.lineTo(14 + px, y);
    c.moveTo(14 + px, y - 4);
    c.lineTo(14 + px, y + 4);
    c.stroke();
    text(`${number(metres, 2)} m`, 22 + px);
    for (const { kind, moment, label } of families) {
      const legend = settings.arrows[kind] ? scales.legend(kind, moment, settings.arrowSize) : undefined;
      if (!legend) continue;
      y -= line;
      const length = Math.max(legend.length * camera.scale, 0);
      if (moment) {
        const radius = Math.min(length, 60);
        y -= Math.max(0, radius - line / 2);
        if (length <= radius) drawMoment(pen, [14 + radius, y], radius, pen.colours[kind]);
        text(`${legend.text}, ${label}`, 26 + 2 * radius);
        y -= Math.max(0, radius - line / 2);
      } else {
        drawArrow(pen, [14, y], [14 + length, y], pen.colours[kind]);
        text(`${legend.text}, ${label}`, 22 + length);
      }
    }
    if (settings.exaggerate !== 1) {
      y -= line;
      text(`clearance drawn × ${number(settings.exaggerate)}`, 14);
    }
  }

  function drawTraces() {
    for (const tracer of tracers) {
      if (!settings.traces.has(tracer.name)) continue;
      let path = paths.get(tracer.name);
      if (!path) paths.set(tracer.name, (path = pathOf(tracer, motion.times.length)));
      c.strokeStyle = colourOf(tracer.body);
      c.lineWidth = 1.4;
      c.globalAlpha = 0.75;
      c.beginPath();
      let down = false;
      for (const p of path) {
        const [x, y] = toPixels(p);
        if (!Number.isFinite(x + y)) down = false;
        else if (down) c.lineTo(x, y);
        else (down = true), c.moveTo(x, y);
      }
      c.stroke();
      c.globalAlpha = 1;
      const [x, y] = toPixels(tracer.at(current));
      c.beginPath();
      c.arc(x, y, 3.5, 0, 2 * Math.PI);
      c.fillStyle = colourOf(tracer.body);
      c.fill();
    }
  }

  const lastPlace = new Map<string, number>();
  function drawNames(pen: Pen<Sheet>) {
    c.font = "12px system-ui, sans-serif";
    c.textBaseline = "middle";
    const taken: [number, number, number][] = [];
    const isFree = (x: number, y: number, w: number) => x >= 4 && x + w <= width - 4 && !taken.some(([a, b, l]) => Math.abs(b - y) < 14 && x < a + l + 4 && a < x + w + 4);
    // A label stands beside its point, above rather than below, where supports are.
    const write = (words: string, [x, y]: Point, colour: string) => {
      const name = shortened(words, 24);
      const w = c.measureText(name).width;
      const d = Math.max(7, pen.bar * 0.8);
      const places: Point[] = [[x + d, y - d], [x - d - w, y - d], [x + d, y + d], [x - d - w, y + d], [x + d, y - d - 15], [x - d - w, y - d - 15], [x + d, y + d + 15], [x - d - w, y + d + 15]];
      // A label keeps its place if possible, so that names do not jump while things move.
      const order = [lastPlace.get(words) ?? 0, ...places.keys()];
      const free = order.find((k) => isFree(...places[k], w));
      if (free !== undefined) lastPlace.set(words, free);
      const [px, py] = free === undefined ? [Math.min(Math.max(4, x + d), width - w - 4), y - d] : places[free];
      taken.push([px, py, w]);
      c.lineWidth = 4;
      c.strokeStyle = pen.colours.panel;
      c.strokeText(name, px, py);
      c.fillStyle = colour;
      c.fillText(name, px, py);
    };
    if (scene.bodies.length + scene.joints.length > 80) return;
    scene.bodies.forEach((body, k) => {
      write(body.name, toPixels(motion.pose(k + 1, current).x), colourOf(k + 1));
    });
    // Joints at one point share their label.
    const shared: { at: Point; names: string[] }[] = [];
    for (const joint of [...scene.joints.filter((j) => !j.driver), ...scene.gaps]) {
      const at = toPixels(motion.at(joint.i, current));
      const there = shared.find((l) => Math.hypot(l.at[0] - at[0], l.at[1] - at[1]) < 6);
      if (there) there.names.push(joint.name);
      else shared.push({ at, names: [joint.name] });
    }
    for (const { at, names } of shared) write(names.join(", "), at, pen.colours.soft);
  }

  function drawBodies(pen: Pen<Sheet>, shown: Scene, poseOf: (body: number) => Pose): Point[] {
    const pins: Point[] = [];
    // A journal lies before its bearing.
    const order = shown.bodies.map((_, k) => k).sort((a, b) => Number(hasBearing.has(b)) - Number(hasBearing.has(a)) || a - b);
    order.forEach((k) => {
      const body = shown.bodies[k];
      const pose = poseOf(k + 1);
      if (!pose.x.every(Number.isFinite)) return;
      const onBody: Pen<Sheet> = { ...pen, to: (p) => toPixels(transformed(pose, p)) };
      for (const shape of body.shapes)
        if (shape.type === "pin") pins.push(onBody.to(shape.at));
        else drawShape(onBody, shape, colourOf(k + 1));
    });
    return pins;
  }

  /** What is drawn faintly behind the mechanism: its state at rest, other motions at this time. */
  function drawFaint(pen: Pen<Sheet>, row: number) {
    const { rest, others, times } = motion;
    c.globalAlpha = 0.22;
    if (rest) drawBodies(pen, scene, (k) => rest[k]);
    const t = between(times, row);
    for (const other of others) {
      const known = { ...other.scene, bodies: other.scene.bodies.map((b, k) => (other.knows(k + 1) ? b : { ...b, shapes: [] })) };
      drawBodies(pen, known, (k) => other.pose(k, other.rowOf(t)));
    }
    c.globalAlpha = 1;
  }

  function draw(row: number) {
    current = row;
    if (!width || !height) return;
    const palette = colours();
    const bar = Math.min(22, Math.max(5, 0.026 * size * camera.scale), Math.max(2, 0.4 * usualLink * camera.scale));
    const onGround: Pen<Sheet> = { c, to: toPixels, scale: camera.scale, bar, colours: palette };
    c.fillStyle = palette.panel;
    c.fillRect(0, 0, width, height);
    drawGrid(onGround);
    const shown = exaggerated(scene, motion, row, settings.exaggerate);
    for (const shape of shown.ground) if (shape.type !== "pin") drawShape(onGround, shape, palette.soft);
    drawTraces();
    drawFaint(onGround, row);
    const pins = drawBodies(onGround, shown, (k) => motion.pose(k, row));
    for (const tie of shown.ties) drawTie(onGround, tie, toPixels(motion.at(tie.i, row)), toPixels(motion.at(tie.j, row)));
    for (const shape of shown.ground) if (shape.type === "pin") pins.push(toPixels(shape.at));
    if (bar >= 4) for (const pin of pins) drawPin(onGround, pin);
    for (const { kind, moment } of families) {
      const factor = settings.arrows[kind] ? scales.factor(kind, moment, settings.arrowSize) : 0;
      if (!factor) continue;
      for (const arrow of arrows) {
        if (arrow.kind !== kind || arrow.moment !== moment) continue;
        const at = arrow.at(row, settings.exaggerate);
        const { v, cut } = scales.drawn(arrow.vector(row), moment, factor);
        if (moment) drawMoment(onGround, toPixels(at), v[2] * camera.scale, palette[kind], cut);
        else drawArrow(onGround, toPixels(at), toPixels([at[0] + v[0], at[1] + v[1], 0]), palette[kind], cut);
      }
    }
    if (settings.centre && centre) drawCentre(onGround, toPixels(centre(row)), 8, palette.ink);
    if (settings.names) drawNames(onGround);
    drawLegend(onGround);
  }

  /** The same drawing as lines. */
  function svg(): string {
    const sheet = new SvgSheet(width, height, context);
    c = sheet;
    try {
      draw(current);
    } finally {
      c = context;
    }
    return sheet.text();
  }

  function zoom(factor: number, [px, py]: Point) {
    touched = true;
    const [x, y] = [camera.x + (px - width / 2) / camera.scale, camera.y - (py - height / 2) / camera.scale];
    camera.scale *= factor;
    camera.x = x - (px - width / 2) / camera.scale;
    camera.y = y + (py - height / 2) / camera.scale;
    draw(current);
  }

  const fingers = new Map<number, Point>();
  const place = (e: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  };
  canvas.addEventListener("wheel", (e) => {
    // Without a key the wheel scrolls the page, for the view is tall on a phone.
    if (!e.ctrlKey && !e.shiftKey && document.activeElement !== canvas) return;
    e.preventDefault();
    zoom(Math.exp(-(e.deltaY || e.deltaX) * 0.0015), place(e));
  }, { passive: false });
  canvas.addEventListener("pointerdown", (e) => {
    canvas.setPointerCapture(e.pointerId);
    fingers.set(e.pointerId, place(e));
  });
  canvas.addEventListener("pointermove", (e) => {
    const before = fingers.get(e.pointerId);
    if (!before) return;
    const now = place(e);
    const other = [...fingers].find(([id]) => id !== e.pointerId)?.[1];
    fingers.set(e.pointerId, now);
    if (other) {
      const spread = (p: Point) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      zoom(spread(now) / spread(before), [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]);
    } else {
      touched = true;
      camera.x -= (now[0] - before[0]) / camera.scale;
      camera.y += (now[1] - before[1]) / camera.scale;
      draw(current);
    }
  });
  for (const name of ["pointerup", "pointercancel"] as const)
    canvas.addEventListener(name, (e) => void fingers.delete(e.pointerId));
  canvas.addEventListener("dblclick", fit);
  canvas.title = `drag to move, wheel to zoom (click first), double click to fit; lengths in ${unit("m")}`;

  new ResizeObserver(resize).observe(element);
  onPaper(resize, element);
  onTheme(() => draw(current), element);
  const outlook = () => (touched ? [camera.x, camera.y, camera.scale] : []);
  function lookFrom([x, y, scale, ...more]: number[]) {
    if (scale === undefined || more.length) return;
    touched = true;
    camera = { x, y, scale };
    draw(current);
  }

  return { element, canvas, draw, outlook, lookFrom, svg, fit, renew: () => paths.clear(), follow: () => {} };
};
