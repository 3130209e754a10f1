// Light or dark: as the system says, or as the reader says, by the style alone; this remembers it. Print is always light.

import { byId } from "./dom";

type Listener = () => void;
const listeners: Listener[] = [];

/** Be told when colours change; drawings on a canvas must follow. */
export const onTheme = (listener: Listener): void => void listeners.push(listener);

const known = new Map<string, string>();

/** A colour of the style, as the present theme has it. */
export function colour(name: string): string {
  const found = known.get(name) ?? measured(name);
  known.set(name, found);
  return found;
}

function measured(name: string): string {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

export function startTheme(): void {
  const choice = byId<HTMLSelectElement>("theme");
  choice.value = remembered();
  choice.addEventListener("change", () => {
    remember(choice.value);
    tell();
  });
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", tell);
  printWhole();
}

/** On paper nothing can be opened, so everything is. */
function printWhole(): void {
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>("main > details:not([open])")];
    opened.forEach((one) => (one.open = true));
  });
  addEventListener("afterprint", () => opened.forEach((one) => (one.open = false)));
}

function tell(): void {
  known.clear();
  listeners.forEach((listener) => listener());
}

function remembered(): string {
  try {
    const value = localStorage.getItem("adjudge-theme") ?? "";
    return ["light", "dark"].includes(value) ? value : "auto";
  } catch {
    return "auto"; // a browser may refuse to remember for files
  }
}

function remember(value: string): void {
  try {
    localStorage.setItem("adjudge-theme", value);
  } catch {
    // then the choice holds until the page is closed
  }
}
