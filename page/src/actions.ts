// Work that a person starts: its button, the button that stops it, and what failed.
import { element } from "./elements";
import { Refused } from "./errors";
import type { Workspace } from "./workspace";

export interface Action {
  button: HTMLButtonElement;
  stop: HTMLButtonElement;
  /** Where it says what failed. */
  message: HTMLElement;
  run: () => Promise<void>;
}

/** What a button starts, of which one runs at a time; the main one of a part stands out. */
export function action(workspace: Workspace, label: string, work: () => Promise<void>, look?: "main"): Action {
  const message = element("div", { class: "message", role: "alert" });
  const button = element("button", { type: "button", class: look, onclick: () => void run() }, label);
  const stop = element("button", { type: "button", hidden: true, onclick: () => void workspace.database.stop() }, "Stop");
  let running = false;
  async function run(): Promise<void> {
    if (running) return;
    running = true;
    message.replaceChildren();
    button.setAttribute("aria-disabled", "true");
    stop.hidden = false;
    try {
      await work();
    } catch (error) {
      message.replaceChildren(failure(error));
    } finally {
      running = false;
      button.removeAttribute("aria-disabled");
      stop.hidden = true;
      workspace.progress("");
    }
  }
  return { button, stop, message, run };
}

/** What failed, and what can be done. */
export function failure(error: unknown): HTMLElement {
  const { message, hint } = Refused.of(error);
  return element("p", { class: "error" }, element("span", { class: "what" }, message), hint && " ", hint && element("span", { class: "hint" }, hint));
}
