// What can be taken away: the picture, the rows, a link to what is on show.

import { byId, el } from "../dom";
import { colour } from "../theme";

export interface Taken {
  name: string;
  /** What stands above the picture, and below it. */
  title: string;
  cite: string;
  picture: HTMLCanvasElement;
  svg: string;
  rows: (string | number)[][];
}

export function startSaving(taken: () => Taken): void {
  byId("save-png").addEventListener("click", () => png(taken()));
  byId("save-svg").addEventListener("click", () => {
    const { name, svg } = taken();
    save(`${name}.svg`, new Blob([svg], { type: "image/svg+xml" }));
  });
  byId("save-csv").addEventListener("click", () => {
    const { name, rows } = taken();
    save(`${name}.csv`, new Blob([rows.map((row) => row.map(cell).join(",")).join("\r\n"), "\r\n"], { type: "text/csv" }));
  });
  byId("copy-cite").addEventListener("click", () => copy(byId("cite").textContent ?? "", byId("copy-cite")));
  byId("copy-link").addEventListener("click", () => copy(location.href, byId("copy-link")));
}

/** A cell of a table: text that a spreadsheet would take for a formula is quoted, so that it computes nothing. */
export function cell(value: string | number): string {
  const text = typeof value === "number" ? (Number.isNaN(value) ? "" : String(value)) : value;
  const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function png({ name, title, cite, picture }: Taken): void {
  const ratio = Math.max(1, devicePixelRatio);
  const pad = 40 * ratio;
  const out = el("canvas", { width: picture.width, height: picture.height + 2 * pad });
  const pen = out.getContext("2d")!;
  pen.fillStyle = colour("paper");
  pen.fillRect(0, 0, out.width, out.height);
  pen.drawImage(picture, 0, pad);
  pen.fillStyle = colour("ink");
  pen.font = `${15 * ratio}px system-ui, sans-serif`;
  pen.fillText(title, 8, 26 * ratio, out.width - 16);
  pen.font = `${11 * ratio}px system-ui, sans-serif`;
  pen.fillText(cite, 8, out.height - 12 * ratio, out.width - 16);
  out.toBlob((blob) => blob && save(`${name}.png`, blob));
}

function save(name: string, blob: Blob): void {
  const link = el("a", { href: URL.createObjectURL(blob), download: name.replace(/[^\w.-]+/g, "_") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A button that copies a text. */
export function copyButton(text: string): HTMLButtonElement {
  const button = el("button", { type: "button", class: "no-print" }, "copy");
  button.addEventListener("click", () => copy(text, button));
  return button;
}

async function copy(text: string, button: HTMLElement): Promise<void> {
  const label = button.textContent;
  let said = "copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = "the browser does not allow it"; // a file may not reach the clipboard everywhere
  }
  button.textContent = said;
  setTimeout(() => (button.textContent = label), 1500);
}
