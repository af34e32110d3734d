// The verdict in a word, in the head of the page.
import { h } from "../../../web/src/dom";
import { number } from "../../../web/src/format";
import { badge } from "../../../web/src/summary";
import type { Context, Panel } from "../context";
import { isBegun } from "../solver";

function mount(host: HTMLElement, context: Context) {
  const button = h("button", { type: "button", class: "verdict", hidden: true, onclick: () => context.show("verdict") });
  host.append(button);
  const show = () => {
    const [ran, checked] = [context.ran.value, context.checked.value];
    const { errors = [], obstacle } = checked && isBegun(checked.answer) ? checked.answer : {};
    const fault = errors[0]?.message ?? obstacle?.message ?? ran?.fault;
    button.hidden = (!fault && !ran?.report) || (checked !== undefined && !isBegun(checked.answer));
    const good = !fault && ran?.report?.summary.trusted === true;
    button.className = `verdict ${good ? "good" : "bad"}`;
    button.textContent = fault ? (errors.length > 1 ? `${errors.length} mistakes` : "cannot run") : ran?.report ? `${badge(ran.report.summary)}${ran.estimating ? " …" : ""}` : "";
    button.title = fault ?? `${ran?.report?.summary.verdict ?? ""} (${number(ran?.result?.milliseconds, 3)} ms)${ran?.estimating ? "; digits are being found" : ""}`;
  };
  context.ran.watch(show);
  context.checked.watch(show);
  show();
}

export const panel: Panel = { id: "badge", title: "Verdict", place: "bar", order: 50, mount };
