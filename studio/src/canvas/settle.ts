// Whether a model that was drawn is moved by forces, or by its motors alone.
import type { Stage } from "./stage";
import { quoted } from "../toml/write";

/** Without a freedom the motion follows from the motors: a kinematic analysis gives it directly. */
export async function settleAnalysis(stage: Stage) {
  const { context } = stage;
  const { text, depth } = context.document;
  const library = await context.library.catch(() => undefined);
  const answer = await library?.check({ text, files: context.files.value });
  if (!answer?.freedom || context.document.text !== text || context.document.depth !== depth) return;
  const { model } = answer;
  const wanted = answer.freedom.actual === 0 ? "kinematic" : "forward";
  if (!model || !["forward", "kinematic"].includes(model.analysis.type) || model.analysis.type === wanted) return;
  context.document.joinNext();
  stage.edit("choose the analysis", (e) => e.set(["analysis", "type"], quoted(wanted)));
}
