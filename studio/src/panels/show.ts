// What is drawn over the mechanism: reactions, forces, velocities, instant centres, paths with a target, earlier runs.
import { h, toggle } from "../../../web/src/dom";
import { number } from "../../../web/src/format";
import { arrowKinds, tracersOf } from "../../../web/src/view";
import type { Context, Panel } from "../context";
import { legendOf, traceOf } from "../run/draw";
import { transmissions } from "../run/measures";
import { overlaysOf } from "../run/overlays";
import { playerOf, type Run } from "../run/player";
import { missed, pointsOf } from "../run/target";

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const overlays = overlaysOf(context);
  const { shows } = overlays;
  let followed = "";
  const legend = h("ul", { class: "soft legend-list" });
  const renew = () => {
    overlays.renew();
    const run = player.run.value;
    legend.replaceChildren(...(run ? legendOf(run, shows) : []).map((words) => h("li", {}, words)));
  };

  const size = h("input", { type: "range", min: -1, max: 1, step: 0.05, value: 0, "aria-label": "length of the arrows" });
  size.addEventListener("input", () => ((shows.arrowSize = 10 ** Number(size.value)), renew()));
  const paths = h("div", { class: "check-list", role: "group", "aria-label": "paths" });
  const point = h("select", { "aria-label": "point that follows the target" });
  const error = h("output", { class: "soft" });
  const text = h("textarea", { rows: 4, "aria-label": "target path: x, y in each line", placeholder: "0.10, 0.25\n0.12, 0.27\n…", spellcheck: "false" });
  const unit = h("select", { "aria-label": "unit of the target" }, h("option", { value: 1 }, "m"), h("option", { value: 1e-3 }, "mm"));
  const file = h("input", { type: "file", accept: ".csv,.txt", "aria-label": "file with a target path" });
  const readings = h("dl", { class: "readings" });

  function measure() {
    const run = player.run.value;
    if (!run || !overlays.target.length || !followed) return void (error.textContent = "");
    const { rms, largest } = missed(overlays.target, traceOf(run, followed));
    error.textContent = `${followed} misses it by ${number(1000 * rms, 4)} mm (root of the mean square), at most ${number(1000 * largest, 4)} mm`;
  }
  function readTarget() {
    const { points, wrong } = pointsOf(text.value, Number(unit.value));
    overlays.target = points;
    if (wrong.length) context.say(`Line ${wrong[0]} of the target path is not two numbers; it is left out.`);
    measure();
    renew();
  }
  text.addEventListener("input", readTarget);
  unit.addEventListener("change", readTarget);
  point.addEventListener("change", () => ((followed = point.value), measure()));
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    text.value = await chosen.text();
    readTarget();
  });

  function list(run: Run) {
    const names = tracersOf(run.motion).map((t) => t.name).slice(0, 300);
    paths.replaceChildren(...names.map((name) => {
      const box = h("input", { type: "checkbox" });
      box.checked = shows.paths.has(name);
      box.addEventListener("change", () => overlays.choosePath(name, box.checked));
      return h("label", {}, box, name);
    }));
    if (!names.includes(followed)) followed = names[0] ?? "";
    point.replaceChildren(...names.map((name) => h("option", { value: name, selected: name === followed }, name)));
    const degrees = (v: number) => `${number((180 / Math.PI) * v, 4)}°`;
    readings.replaceChildren(...transmissions(run.report.scene).flatMap(({ name }) => {
      const { values } = run.channels.get(`${name}.transmission_angle`) ?? { values: new Float32Array() };
      const [low, high] = [values.reduce((a, b) => Math.min(a, b), Infinity), values.reduce((a, b) => Math.max(a, b), -Infinity)];
      if (!Number.isFinite(low)) return [];
      return [h("dt", {}, `transmission angle at ${name}`), h("dd", {}, `${degrees(low)} to ${degrees(high)}${low < (40 * Math.PI) / 180 ? "; below 40° it hardly passes forces on" : ""}`)];
    }));
  }

  host.append(h("div", { class: "show-panel" },
    h("div", { class: "row", role: "group", "aria-label": "what is drawn" },
      ...arrowKinds.map(({ kind, label, title }) => toggle(label, title, false, (on) => ((shows.arrows[kind] = on), renew()))),
      toggle("Instant centres", "the points about which bodies turn, from the ground; select two bodies for that of one from the other", false, (on) => ((shows.centres = on), renew())),
      toggle("Earlier runs", "kept runs, faintly behind this one", true, (on) => ((shows.ghosts = on), renew()))),
    h("label", { class: "row" }, "length of arrows", size), legend, readings,
    h("h3", {}, "Paths"), paths,
    h("h3", {}, "Target path"), h("div", { class: "row" }, h("label", {}, "for ", point), h("label", {}, "in ", unit), file), text, error));
  player.run.follow((run) => {
    if (run) list(run);
    measure();
    renew();
  });
}

export const panel: Panel = { id: "show", title: "Show", place: "side", order: 20, mount };
