// Whether a model that is drawn is moved by forces, or by its motors alone.
import type { Stage } from "./stage";
import { quoted } from "../toml/write";

/** Keeps the analysis in step with strokes of the canvas: where they take the last freedom, the motion follows from the motors and
 * a kinematic analysis gives it directly; where they leave one, that would be refused, and forces decide.  What else is chosen
 * in the text stays. */
export function settleAnalysis(stage: Stage) {
  const { context } = stage;
  const { document: model } = context;
  let origin = "";
  let before: number | undefined;
  model.subscribe((change) => (origin = change.origin));
  context.checked.watch((now) => {
    const { freedom, model: info } = now?.answer ?? {};
    if (!now || now.text !== model.text || !freedom || !info) return;
    const [was, is] = [before, freedom.actual];
    before = is;
    const driven = info.joints.some((j) => j.section === "drivers");
    const wanted = info.analysis.type === "kinematic" && is > 0 ? "forward"
      : info.analysis.type === "forward" && is === 0 && driven && (was ?? 0) > 0 ? "kinematic" : undefined;
    if (origin !== "canvas" || !wanted) return;
    model.joinNext();
    stage.edit("choose the analysis", (e) => e.set(["analysis", "type"], quoted(wanted)));
  });
}
