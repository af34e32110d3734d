// Other analyses of the same model: kinematic, forward, inverse, equilibrium, modes, ...; and how bodies and joints hang together.
import type { KindInfo } from "../../../wasm/interface";
import { h } from "../../../web/src/dom";
import { number } from "../../../web/src/format";
import { hasModes, ModeMotions, modesPanel } from "../../../web/src/modes";
import type { Context, Panel } from "../context";
import { playerOf, Run } from "../run/player";
import { setValue } from "../toml/edits";
import { parseToml } from "../toml/tree";
import { quoted } from "../toml/write";

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The modes of a run as the report lists them; the chosen one moves on the canvas. */
function modesOf(context: Context, run: Run): HTMLElement {
  const player = playerOf(context);
  const motions = new ModeMotions(run.report.modes!, run.channels);
  let [mode, amplitude] = [0, 1];
  motions.rest(run.motion);
  const show = () => {
    run.motion.take(motions.columnsOf(mode, amplitude));
    player.renewed();
  };
  const slider = h("input", { type: "range", min: 0, max: 2, step: 0.02, value: 1, "aria-label": "amplitude" });
  slider.addEventListener("input", () => ((amplitude = Number(slider.value)), show()));
  const panel = modesPanel(run.report, motions, (k) => ((mode = k), show()));
  panel.querySelector(".panel-head")?.append(h("label", { class: "chip amplitude", title: "how far the mode is drawn from rest; its size is free" }, "Amplitude", slider));
  return panel;
}

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const said = h("div", { class: "analysis-answer", role: "status" });
  const kinds = h("div", { class: "row", role: "group", "aria-label": "analyses" });
  let running: { cancel(): void } | undefined;
  let round = 0;

  function stop() {
    if (!running) return;
    running.cancel();
    running = undefined;
    context.progress.set(undefined);
  }
  async function analyse(kind: KindInfo) {
    const mine = ++round;
    stop();
    const { text } = context.document;
    said.replaceChildren(h("p", { class: "soft" }, `${kind.name} is under way …`));
    try {
      const run = (await context.library).run({ text, files: context.files.value }, { type: kind.name }, (share) => mine === round && context.progress.set(share));
      running = run;
      const result = await run.result;
      if (mine !== round) return;
      if (!result.report) throw new Error("there are no results to show");
      show(kind, new Run(text, result.report, result.milliseconds));
    } catch (error) {
      if (mine === round) said.replaceChildren(h("p", { class: "warn" }, `${kind.name}: ${wordsOf(error)}`));
    } finally {
      if (mine === round) stop();
    }
  }

  function show(kind: KindInfo, run: Run) {
    const { summary } = run.report;
    const isModes = hasModes(run.report);
    player.present(run);
    said.replaceChildren(
      h("p", { class: summary.trusted ? "good" : "bad" }, `${kind.name}: ${summary.verdict}`),
      h("p", { class: "soft" }, `It took ${number(run.milliseconds, 3)} ms, and is shown until the next edit. `,
        h("button", { type: "button", class: "chip small", onclick: () => adopt(kind.name) }, "Make it the analysis of the model")),
      isModes ? modesOf(context, run) : h("p", { class: "soft" }, run.motion.times.length > 1 ? "Play it, and see its plots and its verdict." : "Its numbers are under Plots."));
    if (isModes) player.clock.play();
  }
  function adopt(name: string) {
    try {
      context.document.apply(setValue(parseToml(context.document.text), ["analysis", "type"], quoted(name)), { origin: "analyses", title: `analysis ${name}` });
    } catch (error) {
      context.say(wordsOf(error));
    }
  }
  async function topology() {
    said.replaceChildren(h("p", { class: "soft" }, "drawing …"));
    try {
      const pictures = await (await context.library).pictures({ text: context.document.text, files: context.files.value });
      const image = h("img", { alt: "graph of the bodies and the joints between them", class: "topology", src: URL.createObjectURL(new Blob([pictures.topology], { type: "image/svg+xml" })) });
      said.replaceChildren(h("p", { class: "soft" }, "Bodies are circles, joints the lines between them."), image);
    } catch (error) {
      said.replaceChildren(h("p", { class: "warn" }, wordsOf(error)));
    }
  }

  context.library.then((library) => library.elements()).then((elements) => {
    // The list has the sections of a model, too, in brackets as files have them.
    const analyses = (elements.analyses ?? []).filter((kind) => !kind.name.startsWith("["));
    kinds.append(...analyses.map((kind) => h("button", { type: "button", class: "chip", title: kind.summary, "data-analysis": kind.name, onclick: () => void analyse(kind) }, kind.name)),
      h("button", { type: "button", class: "chip", title: "the graph of bodies and joints", "data-analysis": "topology", onclick: () => void topology() }, "topology"));
  }, (error) => said.replaceChildren(wordsOf(error)));
  context.document.subscribe(() => {
    ++round;
    stop();
    said.replaceChildren();
  });
  host.append(h("div", { class: "pad" }, kinds, said));
}

export const panel: Panel = { id: "analyses", title: "Analyses", place: "below", order: 15, mount };
