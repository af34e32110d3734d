// Everything that can be done, by name and by key.
import type { Stop } from "./signal";

export interface Command {
  id: string;
  title: string;
  /** As in "Mod-z" or "Shift-a"; Mod is Ctrl, on a Mac the command key.  Letters alone do not work while text is edited. */
  keys?: string[];
  run(): void;
  /** Whether it can be done now. */
  enabled?(): boolean;
}

/** The name of a key press, as commands write it. */
export function keyName(e: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">): string {
  const key = e.key === " " ? "Space" : e.key.length === 1 ? e.key.toLowerCase() : e.key;
  const letter = e.key.length > 1 || /[a-z]/i.test(e.key);
  return `${e.ctrlKey || e.metaKey ? "Mod-" : ""}${e.altKey ? "Alt-" : ""}${e.shiftKey && letter ? "Shift-" : ""}${key}`;
}

export class Commands {
  private readonly known = new Map<string, Command>();

  add(...commands: Command[]): Stop {
    for (const c of commands) this.known.set(c.id, c);
    return () => commands.forEach((c) => this.known.delete(c.id));
  }
  get all(): Command[] {
    return [...this.known.values()];
  }
  get(id: string): Command | undefined {
    return this.known.get(id);
  }
  run(id: string) {
    const command = this.known.get(id);
    if (command && (command.enabled?.() ?? true)) command.run();
  }

  /** Runs the command of a key press; false if there is none for it here. */
  press(e: KeyboardEvent): boolean {
    const name = keyName(e);
    const target = e.target as HTMLElement;
    const typing = target.matches?.("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable=true]");
    const pressing = target.matches?.("button, summary, a, input") && (e.key === " " || e.key === "Enter");
    // Fields keep their own keys, such as those that select all and undo within.
    if (pressing || (typing && !/^(Alt|F\d)/.test(name))) return false;
    const command = this.all.find((c) => c.keys?.includes(name) && (c.enabled?.() ?? true));
    if (!command) return false;
    command.run();
    return true;
  }
}
