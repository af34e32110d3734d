// Models in space: the view of the report, with handles that move and turn bodies and move markers at the start.
import * as THREE from "three";
import { TransformControls } from "three/addons/controls/TransformControls.js";
import type { Checked, ModelInfo } from "../../../wasm/interface";
import { h } from "../../../web/src/dom";
import type { RunReport, Scene, Vec3 } from "../../../web/src/data";
import { rotation, transformed, type Motion, type Pose } from "../../../web/src/motion";
import { spaceView, type SpaceView } from "../../../web/src/space_view";
import type { Context, Panel } from "../context";
import type { Edit } from "../document";
import { heldOf, type Held } from "../run/held";
import { overlaysOf } from "../run/overlays";
import { playerOf } from "../run/player";
import { startMotion } from "../run/start_pose";
import { movedBody, movedMarker, turned, whyNot } from "../run/turned";
import { settingsOf } from "../share/film";

function placed(object: THREE.Object3D, { x, turned: A }: Pose) {
  const matrix = new THREE.Matrix4().set(...A[0], x[0], ...A[1], x[1], ...A[2], x[2], 0, 0, 0, 1);
  matrix.decompose(object.position, object.quaternion, object.scale);
}

/** The point in the axes of a body. */
function inBody({ x, turned: A }: Pose, p: THREE.Vector3): Vec3 {
  const d = [p.x - x[0], p.y - x[1], p.z - x[2]];
  return [0, 1, 2].map((k) => A[0][k] * d[0] + A[1][k] * d[1] + A[2][k] * d[2]) as Vec3;
}

class Handles {
  private readonly control: TransformControls;
  private readonly object = new THREE.Object3D();
  private held: Held | undefined;

  constructor(private readonly context: Context, private readonly view: SpaceView, private readonly motion: Motion) {
    const { world, camera, orbit } = view.parts!;
    this.control = new TransformControls(camera, view.canvas!);
    this.control.setSize(0.8);
    world.add(this.object, this.control.getHelper());
    this.control.addEventListener("dragging-changed", ({ value }) => {
      orbit.enabled = !value;
      if (!value) this.write();
    });
    this.control.addEventListener("change", () => view.draw(0));
    this.control.addEventListener("objectChange", () => this.move());
  }

  hold(held: Held | undefined, mode: "translate" | "rotate") {
    this.held = held;
    this.control.detach();
    if (!held) return this.view.draw(0);
    const pose = this.motion.pose(held.body, 0);
    placed(this.object, pose);
    if (held.kind === "marker") {
      const [w, x, y, z] = held.turn;
      this.object.position.set(...transformed(pose, held.at));
      this.object.quaternion.multiply(new THREE.Quaternion(x, y, z, w));
    }
    this.control.setMode(held.kind === "marker" && !held.turns ? "translate" : mode);
    this.control.attach(this.object);
    this.view.draw(0);
  }

  /** The body goes along with its handle; the others wait until the program has put them in their places. */
  private move() {
    const { held, motion, object } = this;
    if (held?.kind !== "body") return;
    const poses = motion.scene.bodies.map((_, k) => motion.pose(k + 1, 0));
    const { x, y, z, w } = object.quaternion;
    poses[held.body - 1] = { x: object.position.toArray(), turned: rotation([w, x, y, z]) };
    motion.live = poses;
    this.view.draw(0);
  }

  private write() {
    const { held, context } = this;
    if (!held) return;
    const { text } = context.document;
    const why = held.kind === "body" ? whyNot(text, held.name) : undefined;
    if (why) return context.say(`${why}.`);
    const turns = this.control.mode === "rotate";
    const { x, y, z, w } = this.object.quaternion;
    const edits = (): Edit[] => {
      if (held.kind === "body") return turns ? turned(text, ["bodies", held.name], [w, x, y, z]) : movedBody(text, held.name, this.object.position.toArray());
      const pose = this.motion.pose(held.body, 0);
      if (!turns) return movedMarker(text, held.path, inBody(pose, this.object.position));
      const body = new THREE.Object3D();
      placed(body, pose);
      const own = body.quaternion.invert().multiply(this.object.quaternion);
      return turned(text, held.path, [own.w, own.x, own.y, own.z]);
    };
    context.document.apply(edits(), { origin: "space", title: `move ${held.name}` });
  }
  close() {
    this.control.detach();
    this.control.dispose();
  }
}

interface Look {
  position: THREE.Vector3;
  target: THREE.Vector3;
}

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const { shows } = overlaysOf(context);
  const stage = h("div", { class: "space-stage" });
  const note = h("p", { class: "note" }, "This model is in the plane: the canvas shows it. Models in space are shown here.");
  const hold = h("select", { "aria-label": "what the handle moves" });
  const mode = h("select", { "aria-label": "move or turn" }, h("option", { value: "translate" }, "move"), h("option", { value: "rotate" }, "turn"));
  const names = h("input", { type: "checkbox", checked: true });
  const tools = h("div", { class: "row space-tools" }, h("label", {}, "handle at ", hold), mode, h("label", { class: "chip" }, names, " Names"),
    h("button", { type: "button", class: "chip", onclick: () => view?.fit() }, "Fit"));
  host.append(tools, stage, note);
  let view: SpaceView | undefined;
  let handles: Handles | undefined;
  let held: Held[] = [];
  let key = "";
  let look: Look | undefined;

  function close() {
    if (view?.parts) look = { position: view.parts.camera.position.clone(), target: view.parts.orbit.target.clone() };
    handles?.close();
    view?.close?.();
    view = handles = undefined;
    stage.replaceChildren();
  }

  /** The newest run while it is shown, else the start as it was checked. */
  function renew() {
    const answer = context.checked.value?.answer;
    const { model } = answer ?? {};
    const is = model?.dim === 3;
    note.hidden = is;
    tools.hidden = stage.hidden = !is;
    if (!is || !stage.isConnected) return close();
    const run = context.shown.value ? player.run.value : undefined;
    const now = `${run ? "run" : "start"} ${run?.text ?? context.checked.value!.text}`;
    if (now === key && view) return void view.draw(player.clock.row);
    key = now;
    close();
    show(answer!, model, run ? { report: run.report, motion: run.motion, channels: run.channels, arrows: run.arrows } : undefined);
  }

  function show(answer: Checked, model: ModelInfo, run?: Pick<NonNullable<typeof player.run.value>, "report" | "motion" | "channels" | "arrows">) {
    // A run of the same text knows how far guides have to reach.
    const known = player.run.value?.text === context.checked.value?.text ? player.run.value?.report.scene : undefined;
    const start = startMotion(known ?? (model.scene as Scene), answer.assembled);
    const settings = settingsOf(shows, names.checked);
    view = run ? spaceView(run.report, run.motion, run.channels, run.arrows, settings)
      : spaceView({ scene: start.motion.scene, summary: { model: model.name } } as unknown as RunReport, start.motion, start.channels, [], settings);
    stage.append(view.element);
    if (view.parts && look) {
      view.parts.camera.position.copy(look.position);
      view.parts.orbit.target.copy(look.target);
      view.parts.orbit.update();
    }
    hold.disabled = mode.disabled = run !== undefined;
    if (run || !view.parts) return void view.draw(player.clock.row);
    handles = new Handles(context, view, start.motion);
    const before = hold.value;
    try {
      held = heldOf(model, context.document.text);
    } catch {
      held = []; // the text is being typed
    }
    hold.replaceChildren(h("option", { value: "" }, "nothing"), ...held.map((x) => h("option", { value: x.name, selected: x.name === before }, x.name)));
    choose();
  }
  const choose = () => handles?.hold(held.find((x) => x.name === hold.value), mode.value as "translate" | "rotate");

  hold.addEventListener("change", choose);
  mode.addEventListener("change", choose);
  names.addEventListener("change", () => ((key = ""), renew()));
  // Several signals change at once; the view is built once for all of them.
  let waiting = false;
  const anew = () => {
    key = "";
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => ((waiting = false), renew()));
  };
  context.checked.watch(anew);
  player.run.watch(anew);
  context.overlays.watch(() => context.shown.value && anew());
  context.shown.watch(renew);
  renew();
}

export const panel: Panel = { id: "space", title: "Space", place: "stage", order: 10, mount };
