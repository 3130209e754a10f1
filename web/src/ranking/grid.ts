// Cells of a table that arrow keys walk through: one of them is in the order of the Tab key.

export function walkable(box: HTMLElement, open: (cell: HTMLTableCellElement) => void): void {
  const cellAt = (target: EventTarget | null) => (target as HTMLElement).closest<HTMLTableCellElement>("td[tabindex]");
  box.addEventListener("click", (mouse) => {
    const cell = cellAt(mouse.target);
    if (cell) open(cell);
  });
  box.addEventListener("keydown", (key) => {
    const cell = cellAt(key.target);
    if (!cell) return;
    if (key.key === "Enter" || key.key === " ") {
      key.preventDefault();
      return open(cell);
    }
    const [across, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key.key] ?? [0, 0];
    const row = down < 0 ? cell.parentElement?.previousElementSibling : down > 0 ? cell.parentElement?.nextElementSibling : cell.parentElement;
    const next = row?.children[cell.cellIndex + across];
    if ((!across && !down) || next?.tagName !== "TD") return;
    key.preventDefault();
    cell.tabIndex = -1;
    (next as HTMLElement).tabIndex = 0;
    (next as HTMLElement).focus();
  });
}

/** Mark the one cell that a panel speaks about. */
export function mark(box: HTMLElement, cell: HTMLElement): void {
  box.querySelectorAll("td.chosen").forEach((one) => one.classList.remove("chosen"));
  cell.classList.add("chosen");
}
