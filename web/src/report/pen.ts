// A pen: the same drawing on a canvas for the screen, and as SVG for a file.

export interface Style {
  fill?: string;
  stroke?: string;
  width?: number;
  dash?: number[];
  alpha?: number;
}

export interface Letters {
  fill: string;
  size?: number;
  align?: "left" | "center" | "right";
  bold?: boolean;
  /** The most room that the text may take. */
  most?: number;
}

export interface Pen {
  rect(x: number, y: number, width: number, height: number, style: Style): void;
  /** x and y in turn; NaN interrupts the line. */
  line(points: ArrayLike<number>, style: Style): void;
  text(x: number, y: number, text: string, letters: Letters): void;
  clip(x: number, y: number, width: number, height: number, draw: () => void): void;
}

const FONT = "system-ui, sans-serif";

export class CanvasPen implements Pen {
  constructor(readonly context: CanvasRenderingContext2D) {}

  private styled({ fill, stroke, width, dash, alpha }: Style): void {
    const { context } = this;
    if (fill) context.fillStyle = fill;
    if (stroke) context.strokeStyle = stroke;
    context.lineWidth = width ?? 1;
    context.setLineDash(dash ?? []);
    context.globalAlpha = alpha ?? 1;
  }

  rect(x: number, y: number, width: number, height: number, style: Style): void {
    this.styled(style);
    if (style.fill) this.context.fillRect(x, y, width, height);
    if (style.stroke) this.context.strokeRect(x, y, width, height);
    this.context.globalAlpha = 1;
  }

  line(points: ArrayLike<number>, style: Style): void {
    this.styled(style);
    this.context.beginPath();
    let down = false;
    for (let p = 0; p + 1 < points.length; p += 2) {
      if (Number.isNaN(points[p + 1])) down = false;
      else if (down) this.context.lineTo(points[p], points[p + 1]);
      else {
        this.context.moveTo(points[p], points[p + 1]);
        down = true;
      }
    }
    this.context.stroke();
    this.context.globalAlpha = 1;
  }

  text(x: number, y: number, text: string, { fill, size = 12.5, align = "left", bold, most }: Letters): void {
    const { context } = this;
    context.fillStyle = fill;
    context.font = `${bold ? "650 " : ""}${size}px ${FONT}`;
    context.textAlign = align;
    context.fillText(most === undefined ? text : shortened(text, most, (said) => context.measureText(said).width), x, y);
  }

  clip(x: number, y: number, width: number, height: number, draw: () => void): void {
    this.context.save();
    this.context.beginPath();
    this.context.rect(x, y, width, height);
    this.context.clip();
    draw();
    this.context.restore();
  }
}

function shortened(text: string, most: number, width: (text: string) => number): string {
  if (width(text) <= most) return text;
  let keep = text.length - 1;
  while (keep > 1 && width(`${text.slice(0, keep)}…`) > most) keep--;
  return `${text.slice(0, keep)}…`;
}

export class SvgPen implements Pen {
  private readonly parts: string[] = [];
  private clips = 0;

  rect(x: number, y: number, width: number, height: number, style: Style): void {
    this.parts.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}" ${attributes(style)}/>`);
  }

  line(points: ArrayLike<number>, style: Style): void {
    let [path, down] = ["", false];
    for (let p = 0; p + 1 < points.length; p += 2) {
      if (Number.isNaN(points[p + 1])) down = false;
      else {
        path += `${down ? "L" : "M"}${n(points[p])} ${n(points[p + 1])}`;
        down = true;
      }
    }
    if (path) this.parts.push(`<path d="${path}" ${attributes({ ...style, fill: "none" })}/>`);
  }

  text(x: number, y: number, text: string, { fill, size = 12.5, align = "left", bold, most }: Letters): void {
    const anchor = { left: "start", center: "middle", right: "end" }[align];
    const said = most === undefined ? text : shortened(text, most, (one) => one.length * size * 0.55);
    this.parts.push(`<text x="${n(x)}" y="${n(y)}" fill="${fill}" font-size="${size}" text-anchor="${anchor}"${bold ? ' font-weight="650"' : ""}>${escaped(said)}</text>`);
  }

  clip(x: number, y: number, width: number, height: number, draw: () => void): void {
    const id = `c${this.clips++}`;
    this.parts.push(`<clipPath id="${id}"><rect x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"/></clipPath><g clip-path="url(#${id})">`);
    draw();
    this.parts.push("</g>");
  }

  file(width: number, height: number): string {
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}">${this.parts.join("")}</svg>`;
  }
}

const n = (value: number): string => String(+value.toFixed(2));

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function attributes({ fill, stroke, width, dash, alpha }: Style): string {
  const parts = [`fill="${fill ?? "none"}"`];
  if (stroke) parts.push(`stroke="${stroke}" stroke-width="${width ?? 1}"`);
  if (dash?.length) parts.push(`stroke-dasharray="${dash.join(" ")}"`);
  if (alpha !== undefined) parts.push(`opacity="${alpha}"`);
  return parts.join(" ");
}
