// Take away: the model, its results, pictures, films, and a link.
import { h, menu } from "../../../web/src/dom";
import { count } from "../../../web/src/format";
import { planeView } from "../../../web/src/plane_view";
import { spaceView } from "../../../web/src/space_view";
import { download, fileName, pngOfCanvas, textFile } from "../../../web/src/save/files";
import type { View } from "../../../web/src/view";
import type { Context, Panel } from "../context";
import { openModel } from "../open";
import { overlaysOf } from "../run/overlays";
import { playerOf, type Run } from "../run/player";
import { gif, settingsOf, webm } from "../share/film";
import { hashOf, textOfHash } from "../share/link";

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A drawing of the report's view at the time that is shown; it is in the page while `use` works. */
async function withView<T>(context: Context, run: Run, use: (view: View) => T | Promise<T>): Promise<T> {
  const host = h("div", { class: "film-stage", style: "width: 1200px; height: 900px" });
  document.body.append(host);
  let view: View | undefined;
  try {
    view = (run.report.scene.dim === 3 ? spaceView : planeView)(run.report, run.motion, run.channels, run.arrows, settingsOf(overlaysOf(context).shows));
    host.append(view.element);
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    view.fit();
    view.draw(playerOf(context).clock.row);
    return await use(view);
  } finally {
    view?.close?.();
    host.remove();
  }
}

interface Item {
  id: string;
  label: string;
  title: string;
  /** What it needs a run for. */
  run?: boolean;
  make(context: Context, name: (ending: string) => string): Promise<void>;
}

const source = (context: Context) => ({ text: context.document.text, files: context.files.value });

const items: Item[] = [
  { id: "toml", label: "Model (TOML)", title: "the text as it is", make: async (c, name) => download(name("toml"), textFile(c.document.text, "application/toml")) },
  { id: "csv", label: "Results (CSV)", title: "one file for each table", run: true, make: async (c, name) => {
    const { result } = c.ran.value ?? {};
    for (const table of result?.tables ?? []) download(name(`${table.name}.csv`), textFile(result!.csv(table.name), "text/csv"));
  } },
  { id: "report", label: "Report (HTML)", title: "a page that needs nothing else", make: async (c, name) => download(name("html"), textFile(await (await c.library).report(source(c), { estimate: true }).result, "text/html")) },
  { id: "svg", label: "Picture (SVG)", title: "the mechanism at the start, as mubody picture draws it", make: async (c, name) => download(name("svg"), textFile((await (await c.library).pictures(source(c))).svg, "image/svg+xml")) },
  { id: "png", label: "Picture (PNG)", title: "the mechanism at the time that is shown", run: true, make: async (c, name) => {
    const run = playerOf(c).run.value!;
    const image = await withView(c, run, (view) => (view.canvas ? pngOfCanvas(view.canvas) : undefined));
    if (image) download(name("png"), image);
  } },
  { id: "gif", label: "Motion (GIF)", title: "at the speed that is chosen below the drawing", run: true, make: async (c, name) => {
    const player = playerOf(c);
    download(name("gif"), await gif(player.run.value!, overlaysOf(c).shows, player.clock.speed, (share) => c.progress.set(share < 1 ? share : undefined)));
  } },
  { id: "webm", label: "Motion (WebM)", title: "a film; it takes as long as the motion", run: true, make: async (c, name) => {
    const player = playerOf(c);
    download(name("webm"), await webm(player.run.value!, overlaysOf(c).shows, player.clock.speed, (share) => c.progress.set(share < 1 ? share : undefined)));
  } },
  { id: "gltf", label: "Motion in space (glTF)", title: "for programs that draw in three dimensions", make: async (c, name) => download(name("glb"), new Blob([(await (await c.library).gltf(source(c)).result) as Uint8Array<ArrayBuffer>], { type: "model/gltf-binary" })) },
  { id: "c", label: "C code", title: "equations of motion and a step, as mubody emit writes them", make: async (c) => {
    for (const file of await (await c.library).emit(source(c)).result) download(file.name, textFile(file.text, "text/x-c"));
  } },
];

/** The model that the address holds. */
let linked: string | undefined;

/** Makes a link of the model, which is then in the address. */
async function link(context: Context) {
  const { text } = context.document;
  const hash = await hashOf(text);
  const address = `${location.href.split("#")[0]}#${hash}`;
  history.replaceState(null, "", `#${hash}`);
  linked = text;
  const left = Object.keys(context.files.value).length ? " Files that the model reads are not in it." : "";
  const size = `${count(address.length)} characters`;
  await navigator.clipboard?.writeText(address).then(
    () => context.say(`The link with the model in it, ${size}, is in the clipboard and in the address of this page.${left}`),
    () => context.say(`The link with the model in it, ${size}, is the address of this page: copy it from there.${left}`));
}

function mount(host: HTMLElement, context: Context) {
  const player = playerOf(context);
  const nameOf = (ending: string) => fileName(context.checked.value?.answer.model?.name ?? "model", ending);
  const buttons = new Map(items.map((item) => [item, h("button", { type: "button", class: "command", title: item.title, "data-export": item.id, onclick: () => void take(item) }, item.label)]));
  const take = (item: Item) => {
    away.open = false;
    return item.make(context, nameOf).catch((error) => context.say(`${item.label}: ${wordsOf(error)}`));
  };
  const away = menu("Take away", "files of the model, of its results, and of its motion", h("div", {}, ...buttons.values()));
  context.commands.add(
    ...items.map((item) => ({ id: `export-${item.id}`, title: `Take away: ${item.label}`, run: () => void take(item), enabled: () => !item.run || player.run.value !== undefined })),
    { id: "link", title: "Link with the model in it", keys: ["Alt-l"], run: () => void link(context).catch((e) => context.say(wordsOf(e))) });
  host.append(h("div", { class: "row" }, away,
    h("button", { type: "button", class: "chip", title: "an address that holds the model (Alt+L)", onclick: () => context.commands.run("link") }, "Link")));
  player.run.follow((run) => {
    for (const [item, button] of buttons) button.disabled = item.run === true && !run;
  });
  const open = () => textOfHash(location.hash).then((text) => {
    if (text === undefined) return;
    linked = text;
    if (text === context.document.text) return;
    openModel(context, text, {}, "open the link");
    context.say("The model of the link is opened; undo brings the one before back.");
  }, (error) => context.say(wordsOf(error)));
  addEventListener("hashchange", open);
  // What is edited is no longer the model of the address, and is not to be lost to it when the page is opened again.
  context.document.subscribe(({ after }) => {
    if (linked === undefined || after === linked) return;
    linked = undefined;
    history.replaceState(null, "", location.href.split("#")[0]);
  });
  void open();
}

export const panel: Panel = { id: "export", title: "Take away", place: "bar", order: 40, mount };
